import type { FlowRecord } from '../../../src/core/confirm/record.ts'
import type { Facts } from '../../../src/core/domain/facts.ts'
import { DAY, HOUR, MINUTE } from '../../../src/core/domain/time/duration.ts'
import { isoUtc } from '../../../src/core/domain/time/time.ts'
import { ownerDeletes } from './workload/deletions.ts'
import { somebodyReads } from './workload/reads.ts'
import { unresolvedOperations, namespaceOf } from './world/cloudflare.ts'
import { keyringOf } from './world/keyring.ts'
import type { World } from './world/world.ts'

const OUTAGES = [
  'limited',
  'declined',
  'requestLost',
  'replyLost',
  'landsLate',
  'failsBefore',
  'failsAfter',
] as const

/** How often people act in a run: a webhook comes of it, and each step of following that is an occasion to act again. */
const MOST_BY_HAND = 40

const objectsOf = ({ objects, records }: World) => [
  ...[...objects.values()].map(({ object }) => object),
  records.object,
]

/** Another version is deployed, perhaps of the same code. */
export function redeploy(world: World): void {
  for (const object of objectsOf(world)) object.deploy()
  world.coordinator.crash()
}

/** What may befall a run after each event: crashes, deploys, people, and clocks that jump. */
export function chaos(world: World): () => void {
  const { random, timeline, faults, tally } = world
  const objects = () => objectsOf(world)

  function deploy(): void {
    timeline.note('a new version is deployed')
    tally.count('deploys')
    if (faults.strikes('rotation')) {
      world.secrets = [`secret ${timeline.now}`, ...world.secrets]
      world.keyring = keyringOf(world.secrets)
      if (random.chance(0.2))
        world.settings.linkStyle = random.pick(['hosted_invoice', 'payment_link'])
    }
    redeploy(world)
  }

  let byHand = 0
  return () => {
    if (faults.strikes('crash')) {
      const lively = objects().filter(({ current }) => current)
      if (lively.length > 0) {
        tally.count('crashes')
        random.pick(lively).crash()
      }
    }
    if (faults.strikes('evicted')) {
      for (const object of objects()) if (object.evict()) tally.count('evictions')
    }
    if (faults.strikes('deploy')) deploy()
    if (faults.strikes('coordinatorCrash')) world.coordinator.crash()
    if (faults.strikes('human') && byHand++ < MOST_BY_HAND) {
      timeline.note('someone does something by hand')
      if (random.chance(0.7)) world.scheduling.byHand()
      else world.payments.byHand()
    }
    if (faults.strikes('lengthChanged')) {
      timeline.note('the event type gets another length')
      world.scheduling.changeLength()
      world.scheduling.changeQuestions()
    }
    if (faults.strikes('deletion')) ownerDeletes(world)
    if (faults.strikes('reads')) somebodyReads(world)
    if (faults.strikes('outage')) {
      const fault = random.pick(OUTAGES)
      const lasts = random.pick([30_000, 5 * MINUTE, HOUR, 10 * HOUR])
      timeline.note(`for ${lasts} ms: ${fault}`)
      world.outage = { fault, until: timeline.now + lasts }
    }
    if (faults.strikes('copiesWiped')) world.copies.wipe()
    if (faults.strikes('clockJump')) {
      const jump = random.pick([20_000, 20 * MINUTE, 20 * MINUTE, 5 * HOUR, 2 * DAY])
      timeline.note(`the clock jumps by ${jump} ms`)
      timeline.leap(random.int(1, jump))
      world.events.restart()
      // No request outlives such a time.
      if (jump > 20 * MINUTE) for (const object of objects()) object.crash()
    }
    if (faults.strikes('ownerActs')) ownerActs(world)
  }
}

/**
 * The owner finds out what happened to what is listed, and says so; not while it may still change. Judged only when the
 * word reaches the object.
 */
export function ownerActs(world: World): void {
  const { coordinator, tally } = world
  const operations = unresolvedOperations(
    () => ({
      unresolved: () => coordinator.call('unresolved?', (rows) => rows.unresolved()),
      clearUnresolved: (id) =>
        coordinator.call('clearUnresolved', (rows) => rows.clearUnresolved(id)),
    }),
    namespaceOf((name) => ({
      unresolved: () => world.object(name).unresolved(),
      resolve: (_happened, _facts, part) =>
        world.object(name).resolve((record) => verdictOn(world, record), part),
    })),
  )
  const resolveAll = async (): Promise<void> => {
    try {
      const listed = await operations.list()
      const words = listed.map(({ operation_id, part }) =>
        operations.resolve(operation_id, true, {}, part),
      )
      for (const word of await Promise.all(words)) tally.count(`owner: ${word}`)
    } catch {
      tally.count('owner: broke off')
    }
  }
  void resolveAll()
}

function verdictOn(
  world: World,
  record: FlowRecord,
): { happened: boolean; facts: Facts } | undefined {
  const of = world.auditor.ledger.generations.get(record.id)
  if (!of || record.state !== 'running' || !record.escalation) return undefined
  const marker = `${record.id}.${record.step}${record.compensating ? 'u' : ''}`
  const effect = of.effects.find((one) => one.marker === marker)
  if (!effect)
    return world.timeline.now - record.lastSent > 4 * DAY
      ? { happened: false, facts: {} }
      : undefined
  const booking = world.scheduling.bookings.get(effect.id)
  if (effect.act === 'link')
    return {
      happened: true,
      facts: { payment_link_id: effect.id, url: `https://pay.example.com/${effect.id}` },
    }
  if (effect.act === 'cancel' || !booking) return { happened: true, facts: {} }
  const facts = {
    booking_id: booking.id,
    start_time: isoUtc(booking.start),
    end_time: isoUtc(booking.end),
    ...(booking.invitee.guests && { other_people: booking.invitee.guests.length }),
  }
  return { happened: true, facts }
}
