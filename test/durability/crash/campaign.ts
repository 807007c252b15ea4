import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { type Random, randomFrom } from '../../support/random.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { tally } from '../simulation/tally.ts'
import { audited, isSame, nameOf, outcomeOf, undelivered, wronglyAudited } from './audit.ts'
import { ask, isEnd, pursue, type Surroundings } from './caller.ts'
import { type Connector, connectorHost } from './connector.ts'
import { ANONYMOUS, apiKey } from './credential.ts'
import { type Ends, endsOf } from './ends.ts'
import { type Flow, type Reply, flowSource } from './flow.ts'
import { heldCheckpoints } from './held-checkpoints.ts'
import { BETWEEN, type Instance, lostOnDisk, killPointOf } from './kill-points.ts'
import type { Passage, Trip } from './latency.ts'
import { type Link, type LinkStyle, type SchedulingProvider, startWorld } from './providers.ts'
import {
  deliveredKeys,
  entriesInAuditLog,
  filesWith,
  loseAlarms,
  recordReader,
  type Stored,
} from './storage.ts'
import { webhookReceivers } from './webhook-receivers.ts'

export interface Campaign extends Ends {
  provider: SchedulingProvider
  style: LinkStyle
  seed: number
  /** The same Worker, bundled twice: a deploy goes on with the other one. */
  scripts: readonly [string, string]
  /** Says what happens, line by line. */
  say(line: string): void
}

export interface Report {
  counts: Readonly<Record<string, number>>
  /** Broken promises; empty if all is well. */
  wrong: string[]
}

const SIGNING_SECRET = 'the-signing-secret-of-the-crash-test'
/** The ports change with every instance; the addresses in stored answers do not. */
const PUBLIC_URL = 'http://127.0.0.1:8787'
/**
 * An instance ends at a moment drawn evenly from this long, once half of its callers have asked for a commit, and up to
 * three changes have reached a provider.
 */
const WINDOW = 600
const AT_WORK = 10_000
/** The first alarm looks 15 s after the send. */
const UNTIL_ALARM = 18_000
const ALARM_LATENESS = 3_000
const CALM = 60_000

/** What the people of a campaign are called and say, in parts that nothing else has: none of it may ever be kept. */
const PERSONAL = [
  '@crash.example',
  '@page.example',
  'Jordan Doe',
  'Robin Roe',
  'Quillfeather',
  '+1202555',
  '(202) 555-',
  'is travelling',
  'fully booked',
]

const tripFrom = (random: Random): Trip => ({
  there: random.chance(0.08) ? random.int(1000, 4000) : random.int(0, 300),
  back: random.int(0, 400),
  fate: random.weighted<Trip['fate']>([
    [92, 'arrives'],
    [3, 'lost'],
    [3, 'answer lost'],
    [2, 'busy'],
  ]),
})

/**
 * One provider, one storage, many instances: each connector is killed at a random moment, the next one goes on with what is on
 * disk, and now and then one lives until every caller rests; then all answers are compared with what the provider and the disk hold.
 */
export async function campaign(options: Campaign): Promise<Report> {
  const { seed, scripts, say } = options
  const folder = temporaryFolder()
  const storage = join(folder.path, 'storage')
  const scratch = join(folder.path, 'scratch')
  mkdirSync(scratch)
  const random = randomFrom(seed)
  const { count, counts } = tally()
  const wrong: string[] = []
  const open: Flow[] = []
  const rested: Flow[] = []
  const clients: string[] = []
  const checkpoints = heldCheckpoints()
  const receivers = await webhookReceivers(randomFrom(seed + 2))

  const trips = randomFrom(seed + 1)
  const world = await startWorld(options, {
    tripOf: () => tripFrom(trips),
    senderOf: (path) =>
      [...open, ...rested].find(({ changes }) => changes !== undefined && path.endsWith(changes))
        ?.id,
    acted: meetStranger,
  })
  const key = await apiKey()
  let credential = ANONYMOUS
  const flows = flowSource(world, (number) => randomFrom(seed + 1000 * number), clients)
  const vars: Record<string, string> = {
    SIGNING_SECRET,
    PUBLIC_URL,
    ...world.settings,
    ...key.settings,
  }
  const host = connectorHost({ storage, vars, scratch })

  const storedRecords = recordReader(storage)
  /** As the last end left it. */
  let stored = new Map<string, Stored>()
  let instance = 0
  let script = 0

  async function start(how?: { isLast: boolean }): Promise<Connector> {
    const connector = await host.start(scripts[script]!, how)
    credential = await key.credentialAt(connector)
    return connector
  }

  /** Someone books the time that a move is about to take, once the old one is given up. */
  function meetStranger({ id, path, status }: Passage): void {
    const flow = open.find((one) => one.id === id)
    if (
      !flow?.old ||
      !(flow.kind === 'move' || flow.kind === 'move to another address') ||
      !path.includes('/cancel') ||
      (status !== 201 && status !== 200)
    )
      return
    const { stranger } = flow.manners
    if (stranger === 'no one') return
    world.bookOnPage(flow.start, 'stranger@page.example')
    if (stranger === 'takes both times') world.bookOnPage(flow.old.start, 'stranger@page.example')
  }

  function surroundings(connector: Connector, more: Partial<Surroundings> = {}): Surroundings {
    return {
      connector,
      instance,
      credentialOf: ({ byKey }) => (byKey ? credential : ANONYMOUS),
      onCommit: () => count('commits'),
      onHangUp: () => count('clients that hung up'),
      wrong: (flow, what) => wrong.push(`${nameOf(flow)} ${what}`),
      ...more,
    }
  }

  /** An instance that ends while callers are at work. */
  async function cutShort(how: 'kill' | 'stop'): Promise<void> {
    const born = Date.now()
    const before = world.passages().length
    for (const _ of Array.from({ length: random.int(4, 6) })) open.push(...flows.next())
    const connector = await start()
    await receivers.subscribe(connector)
    const atWork = Promise.withResolvers<void>()
    const committing = new Set<Flow>()
    const around = surroundings(connector)
    const onCommit = (flow: Flow) => {
      around.onCommit(flow)
      if (committing.add(flow).size * 2 >= open.length) atWork.resolve()
    }
    const callers = open.map((flow) => pursue(flow, { ...around, onCommit }))
    const following = checkpoints.follow(connector)
    const deadline = Date.now() + AT_WORK
    await Promise.race([atWork.promise, pause(AT_WORK, undefined, { ref: false })])
    const awaited = before + random.int(0, 3)
    while (world.passages().length < awaited && Date.now() < deadline) await pause(5)
    await pause(random.int(0, WINDOW))
    const sent = world.passages()
    const seen = sent.map((passage) => ({ ...passage }))
    await connector[how]()
    // The request may have reached the connector just before it ended: then nothing was changed, and its record says so.
    const passages = seen.map((one, i) =>
      sent[i]!.state === 'turned away' ? { ...sent[i]! } : one,
    )
    await Promise.all([...callers, following])
    count(how === 'kill' ? 'kills' : 'deploys')
    stored = await storedRecords()
    examine(how, { number: instance, born, style: world.style, passages, before })
    instance += 1
    resolve()
  }

  function examine(how: 'kill' | 'stop', ended: Instance): void {
    let isBetween = false
    let isAtProvider = false
    for (const flow of open) {
      const kept = stored.get(flow.id ?? '')
      wrong.push(...lostOnDisk(flow, kept, ended).map((what) => `${nameOf(flow)} ${what}`))
      if (how === 'stop') continue
      const killPoint = killPointOf(flow, kept?.record, ended)
      count(killPoint)
      if (!BETWEEN.has(killPoint)) continue
      isBetween = true
      isAtProvider ||= killPoint !== 'intent stored, not seen by the provider'
      count(`between: ${flow.label}${stepOf(kept?.record)}`)
    }
    if (isBetween) count('kills between intent and outcome')
    if (isAtProvider) count('kills with a change at the provider')
  }

  /** An instance that lives until every caller rests; then everything is compared. */
  async function rest(): Promise<void> {
    const connector = await start()
    await untilRest(surroundings(connector, { quieted: world }))
    await connector.kill()
    instance += 1
  }

  async function untilRest(around: Surroundings): Promise<void> {
    const late = await Promise.race([
      Promise.all(open.map((flow) => pursue(flow, around))),
      pause(CALM, 'late' as const, { ref: false }),
    ])
    if (late === 'late') wrong.push('the callers did not come to rest')
    await world.quiet()
    for (const flow of open) await repeat(flow, around)
    resolve()
    compare()
  }

  /** As `rest`, but no one asks before the alarms have looked: what is done by then is known without being asked for. */
  async function restAfterAlarms(): Promise<void> {
    const connector = await start()
    const until = Date.now() + UNTIL_ALARM
    await world.quiet()
    const due = open.filter((flow) => {
      const { record, alarm } = stored.get(flow.id ?? '') ?? {}
      if (!alarm || record?.state !== 'running') return false
      return (record.nextAlarmAt ?? Infinity) < until - ALARM_LATENESS && isMade(flow)
    })
    await pause(until - Date.now())
    const around = surroundings(connector, { quieted: world })
    for (const flow of due) {
      flow.manners.hangsUp = false
      const reply = await ask(flow, true, around)
      if (reply?.replayed) count('resolved by an alarm, before anybody asked')
      else around.wrong(flow, 'was not resolved by its alarm')
    }
    count('waits for the alarms')
    await untilRest(around)
    await connector.kill()
    instance += 1
  }

  /** Its last change is there to be found. */
  const isMade = ({ id, kind, old, decision, linkId }: Flow): boolean =>
    world
      .appointments()
      .some((one) =>
        kind === 'respond'
          ? one.bookingId === old?.bookingId && one.answered === decision
          : (kind === 'cancel' ? one.endedBy : one.madeBy) === id,
      ) ||
    world.links().some((one) => (linkId === undefined ? one.madeBy === id : isEnded(one, linkId)))

  function compare(): void {
    for (const flow of rested)
      wrong.push(...audited(flow, world).filter((what) => !wrong.includes(what)))
  }

  /** Asks again what has come to rest: the same answer, and no further effect. */
  async function repeat(flow: Flow, around: Surroundings): Promise<void> {
    const { end } = flow
    if (!end || flow.token === undefined || (!isEnd(end) && outcomeOf(flow) !== 'unknown')) return
    flow.manners.hangsUp = false
    const isDone = end.body.status === 'committed' || end.body.effect === 'partial'
    for (const confirm of isDone ? [true, false] : [true]) {
      const reply = await ask(flow, confirm, around)
      if (!reply) continue
      count('repeats of a final answer')
      if (isDoubtEnded(flow, reply)) {
        flow.end = reply
        continue
      }
      const same = isDone
        ? isSame(reply.body, end.body) && reply.replayed
        : reply.body.code === end.body.code
      if (!same) around.wrong(flow, `repeats another answer: ${JSON.stringify(reply.body)}`)
    }
  }

  function resolve(): void {
    for (const flow of open.splice(0)) {
      if (!flow.end) {
        open.push(flow)
        continue
      }
      rested.push(flow)
      const clientId = flow.end.body.result?.['client_id']
      if (flow.kind === 'create client' && typeof clientId === 'string') clients.push(clientId)
    }
  }

  /** After the last kill: every answer of the whole campaign once more, then what the disk and the providers say. */
  async function close(): Promise<void> {
    const connector = await start({ isLast: true })
    const around = surroundings(connector)
    for (const flow of rested) await repeat(flow, around)
    await world.quiet()
    const log = await checkpoints.compare(connector)
    wrong.push(...log.wrong)
    count('checkpoints that hold', log.compared)
    const webhooks = await receivers.compare(connector)
    wrong.push(...webhooks.wrong)
    count('deliveries of webhooks', webhooks.deliveries)
    await connector.kill()
    compare()
    stored = await storedRecords()
    for (const where of await filesWith(storage, PERSONAL)) wrong.push(`personal data in ${where}`)
    if (PERSONAL.some((text) => host.lines.some((line) => line.includes(text))))
      wrong.push('personal data in the log of a connector')
    const delivered = await deliveredKeys(storage)
    const ends = await entriesInAuditLog(storage, 'commit')
    for (const flow of rested) {
      wrong.push(...undelivered(flow, stored.get(flow.id ?? '')?.record, delivered))
      wrong.push(...wronglyAudited(flow, stored.get(flow.id ?? ''), ends))
      if (ends.has(stored.get(flow.id ?? '')?.object ?? '')) count('ends in the audit log')
      count(`answered: ${outcomeOf(flow)}`)
      if (outcomeOf(flow) === 'unknown')
        count(`unknown: ${isLostOnLine(flow) ? 'lost on the line' : 'killed before it left'}`)
      count(`flows: ${flow.label}`)
      if (flow.byKey) count('flows with an API key')
    }
    const known = new Set(rested.map(({ id }) => id))
    const orphans = [...world.appointments(), ...world.links()].filter(
      ({ madeBy }) => madeBy !== undefined && !known.has(madeBy),
    )
    if (orphans.length > 0) wrong.push(`${orphans.length} effects that no flow knows of`)
    count(
      'changes that reached a provider',
      world.passages().filter(({ status }) => status !== undefined).length,
    )
  }

  const isLostOnLine = ({ id }: Flow): boolean =>
    world
      .passages()
      .some((one) => one.id === id && one.state === 'broken' && one.status === undefined)

  try {
    const ends = endsOf(options, random)
    for (const [index, end] of ends.entries()) {
      if (end === 'stop') {
        script = 1 - script
        // The first deploy brings a new secret, too.
        vars['SIGNING_SECRET_2'] = `${SIGNING_SECRET}, the second`
      }
      if (end === 'kill' || end === 'stop') await cutShort(end)
      else if (end === 'rest') await rest()
      else if (end === 'rest after the alarms') await restAfterAlarms()
      else {
        loseAlarms(storage)
        count('times that every alarm was lost')
      }
      say(`${index + 1} of ${ends.length}: ${end}, ${open.length} open, ${wrong.length} wrong`)
    }
    await close()
    return { counts, wrong }
  } finally {
    host.close()
    receivers.close()
    await world.stop()
    folder.remove()
  }
}

/**
 * An answer to a request that was lost on the line, and is not there long after any handler of a provider would have
 * ended, was not given: by then its doubt ends with "nothing was done".
 */
const isDoubtEnded = (flow: Flow, { body }: Reply): boolean =>
  flow.kind === 'respond' && outcomeOf(flow) === 'unknown' && body.code === 'provider_busy'

function stepOf(record: Stored['record'] | undefined): string {
  if (record?.state !== 'running') return ''
  return record.compensating ? ', on the way back' : record.step > 0 ? ', second step' : ''
}

const isEnded = ({ id, active }: Link, linkId: string): boolean => id === linkId && !active
