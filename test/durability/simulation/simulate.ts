import { DAY, HOUR, SECOND } from '../../../src/core/domain/time/duration.ts'
import { randomFrom } from '../../support/random.ts'
import { auditor } from './auditor/auditor.ts'
import type { Invariant, Violation } from './auditor/invariants.ts'
import { atRest, boundedAlarms, secretGone, stillTrue } from './auditor/rest.ts'
import { chaos } from './chaos.ts'
import { faultProfileFrom } from './fault-profile.ts'
import { tally } from './tally.ts'
import { timelineFrom } from './timeline.ts'
import { peopleDecide } from './workload/approvals.ts'
import { ownerRules } from './workload/house-rules.ts'
import { PEOPLE } from './workload/payloads.ts'
import { population } from './workload/population.ts'
import { readClients } from './workload/reads.ts'
import { type AuditLog, auditLog } from './world/audit.ts'
import { type Confirmation, confirmationObject } from './world/confirmation.ts'
import { coordinatorObject } from './world/coordinator.ts'
import { copiesInKv } from './world/copies.ts'
import { Reset } from './world/durable-object.ts'
import { type EventLog, eventLog } from './world/events.ts'
import { keyringOf } from './world/keyring.ts'
import { changeVersion, laterVersion, versionChanges } from './world/later-version.ts'
import { paymentProvider } from './world/payments.ts'
import { type RecordsObject, recordsObject } from './world/records.ts'
import { schedulingProvider } from './world/scheduling.ts'
import type { RunSettings, Policy, World } from './world/world.ts'

/** Monday, November 23, 2026. */
const START = Date.UTC(2026, 10, 23, 14)

export interface Outcome {
  seed: number
  violation: Violation | undefined
  counts: Readonly<Record<string, number>>
  trace: readonly string[]
}

export interface Options {
  policy?: Policy
  ignore?: readonly Invariant[]
  traced?: boolean
  /** A later version takes the place of this one, and gives it back, now and then. */
  versions?: boolean
}

/**
 * After how many events of a run nothing more befalls it. What befalls it leads to more events, and in one seed of
 * tens of thousands they would never end. Nine of ten runs have fewer than 1,000 events, and 99 of 100 fewer than 2,000.
 */
const MOST_OCCASIONS = 5000

const RIGHT: Policy = { name: 'as it is' }

/** Lets everything that was made ready run on; nothing in it takes time. */
const drained = () => new Promise((resolve) => setImmediate(resolve))

/** One run: first with faults, then without, until all has come to rest and was forgotten. The same seed is the same run. */
export async function simulate(
  seed: number,
  {
    policy = RIGHT,
    ignore = [],
    traced = false,
    versions = policy.versions ?? false,
  }: Options = {},
): Promise<Outcome> {
  const world = worldOf(seed, policy, ignore, traced)
  if (versions) world.later = laterVersion(seed)
  const { timeline, random, faults, auditor, tally, scheduling } = world
  const callers = population(world)
  const disturb = chaos(world)
  const changeVersions = versionChanges(world, seed)
  const actOnRules = ownerRules(world, seed)
  const askForPeople = peopleDecide(world, seed)
  let countAlarms = (): void => {}
  let occasions = 0

  async function runUntil(until: number): Promise<void> {
    while (!auditor.violation) {
      const event = timeline.next(until)
      if (!event) return
      await event.run?.()
      await drained()
      tally.count('events')
      auditor.inspect(timeline.now)
      if (faults.cleared) countAlarms()
      else if (!event.isAside && occasions++ < MOST_OCCASIONS) {
        disturb()
        changeVersions()
        actOnRules()
        askForPeople()
      }
    }
  }

  scheduling.watch(world.events.notify)
  world.payments.watch(world.events.notify)
  // What waited before is known to wait.
  if (scheduling.hasRequests) for (const id of scheduling.bookings.keys()) world.events.notify(id)
  callers.begin(random.int(2, 4))
  await runUntil(START + random.pick([HOUR, 6 * HOUR, 3 * DAY]))
  // What only the later version can finish waits for it.
  if (world.later && !world.later.isDeployed) changeVersion(world, world.later)
  faults.clear()
  world.events.calm()
  countAlarms = boundedAlarms(world)
  for (const one of callers.keys) {
    timeline.after(
      random.int(0, 10_000),
      `${one.key} is retried`,
      async () => void (await callers.retry(one)),
    )
  }
  // An object whose alarm was lost goes on with the next call.
  timeline.after(random.int(0, 10_000), 'the clients are read', () => readClients(world))
  await runUntil(timeline.now + 4 * DAY)
  await world.audit.sign()
  atRest(world)
  await stillTrue(world, callers, runUntil)
  await runUntil(timeline.now + 40 * DAY)
  await world.audit.sign()
  atRest(world)
  await secretGone(world, callers, runUntil)
  for (const { disk } of world.objects.values())
    if (disk.record) tally.count('needs attention at the end')
  for (const { lifted, end } of auditor.ledger.generations.values())
    if (lifted)
      tally.count(end === undefined ? 'approvals lifted' : 'approvals lifted and committed')
  tally.count('flows', auditor.ledger.generations.size)
  for (const [fault, times] of Object.entries(faults.struck)) tally.count(`fault ${fault}`, times)
  world.records.close()
  world.audit.close()
  world.events.close()
  return { seed, violation: auditor.violation, counts: tally.counts, trace: timeline.trace }
}

function worldOf(
  seed: number,
  policy: Policy,
  ignore: readonly Invariant[],
  traced: boolean,
): World {
  const random = randomFrom(seed)
  // What a kind of consult asks and lets wait has chance of its own, so that it shifts nothing else that is drawn.
  const own = randomFrom(seed ^ 0x41a5c3)
  const timeline = timelineFrom(START, traced)
  const faults = faultProfileFrom(random)
  const surroundings = { random, timeline, faults }
  const settings: RunSettings = {
    scheduling: random.pick(['calendly', 'calcom']),
    hosts: random.pick([1, 1, 3]),
    approves: [random.chance(0.1), own.chance(0.35)].includes(true),
    asks: own.chance(0.3),
    linkStyle: random.pick(['hosted_invoice', 'payment_link', 'payment_link']),
    confirmationTtlMs: random.pick([30, 900, 900, 86_400]) * SECOND,
    providerTimeoutMs: random.pick([5, 12, 12, 30]) * SECOND,
    webhook: random.chance(0.7),
    showsMarkers: own.chance(0.6),
    guests: own.chance(0.5),
    limited: own.chance(0.5),
  }
  const starts = [1, 2, 2, 4, 6, 30].map((days) => START + days * DAY + random.int(0, 8) * HOUR)
  const scheduling = schedulingProvider(surroundings, settings, starts, own)
  scheduling.bookByHand(starts[0]!, PEOPLE[0]!)
  scheduling.bookByHand(starts[5]!, PEOPLE[1]!)
  const invoice = {
    number: random.pick(['A-1', null]),
    status: 'open' as const,
    currency: 'usd',
    dueAt: null,
    payerInitials: random.pick(['A. S.', null]),
    automaticCollection: false,
    amountPaid: 0,
    testMode: false,
  }
  const payments = paymentProvider(
    surroundings,
    new Map(
      ['in_1', 'in_2'].map((invoiceId, i) => [
        invoiceId,
        { ...invoice, invoiceId, amount: 25_000 + i },
      ]),
    ),
  )
  const objects = new Map<string, Confirmation>()
  const audit = auditor({
    objects: () => [...objects.values()],
    isListed: (object) => world.coordinator.disk.approvals.has(object),
    linkNamed: payments.linkNamed,
    bookingNamed: (id) => scheduling.bookings.get(id),
    bookings: () => [...scheduling.bookings.values()],
    length: () => scheduling.length,
    starts,
    ignore,
  })
  const names = new Map<string, string>()
  const threw = (who: string) => (error: unknown) => {
    if (!(error instanceof Reset)) audit.report('I19', `${who} threw ${String(error)}`)
  }
  const secrets = [`secret 0 of ${seed}`]
  let records: RecordsObject | undefined
  let events: EventLog | undefined
  let log: AuditLog | undefined
  const world: World = {
    ...surroundings,
    settings,
    policy,
    auditor: audit,
    tally: tally(),
    secrets,
    keyring: keyringOf(secrets),
    objects,
    nameOf(hash, key) {
      const name =
        names.get(hash) ??
        `${key.slice(0, 5)}${[...names.values()].includes(key.slice(0, 5)) ? '-stranger' : ''}`
      names.set(hash, name)
      return name
    },
    object(name) {
      const object = objects.get(name) ?? confirmationObject(world, name)
      objects.set(name, object)
      return object
    },
    coordinator: coordinatorObject({ ...surroundings, auditor: audit }, threw('the coordinator')),
    scheduling,
    payments,
    get records() {
      return (records ??= recordsObject(world))
    },
    copies: copiesInKv({ ...surroundings, auditor: audit }),
    get audit() {
      return (log ??= auditLog(world, seed))
    },
    get events() {
      return (events ??= eventLog(world, seed))
    },
    alerted: () => {},
    outage: undefined,
    later: undefined,
  }
  return world
}
