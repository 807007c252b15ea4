import type { FinalReply } from '../../../../src/core/confirm/record.ts'
import { MINUTE } from '../../../../src/core/domain/time/duration.ts'
import { ownerActs } from '../chaos.ts'
import type { Population } from '../workload/population.ts'
import { readClients } from '../workload/reads.ts'
import { keyringOf } from '../world/keyring.ts'
import type { World } from '../world/world.ts'
import { judgeAuditLog } from './audit-log.ts'
import { judgeErased } from './erased.ts'
import { judgeEvents, judgeProviderEvents } from './events.ts'
import { isDeleted } from './ledger.ts'
import { judgeAlerts } from './moves.ts'

/** How many alarms any object may need to come to rest: the looks, an undo with its own, and the deliveries. */
const MOST_RINGS = 30

/** Checks, once faults have stopped, that no object needs more alarms than it should. */
export function boundedAlarms({ objects, auditor }: World): () => void {
  const before = new Map([...objects.values()].map(({ name, rings }) => [name, rings]))
  return () => {
    for (const { name, rings } of objects.values()) {
      const since = rings - (before.get(name) ?? 0)
      if (since > MOST_RINGS)
        auditor.report('I18', `${name} does not come to rest in ${MOST_RINGS} alarms`)
    }
  }
}

/** Faults have stopped some days ago: every flow has ended, or the owner knows of it. */
export function atRest(world: World): void {
  const { objects, auditor, audit, coordinator, records } = world
  delivered(world)
  judgeErased(world)
  judgeEvents(world)
  judgeProviderEvents(world)
  world.events.judgeWebhooks()
  judgeAuditLog(auditor.ledger, audit.entries())
  judgeAlerts(auditor.ledger)
  const { report } = auditor
  for (const { kind, key } of records.query('SELECT kind, key FROM outbox'))
    report('I18', `the records still have to deliver: ${String(kind)} ${String(key)}`)
  for (const { key } of records.query(
    'SELECT key FROM records WHERE value IS NOT NULL AND seq > COALESCE((SELECT copied FROM progress), 0)',
  ))
    report('I18', `the records have not noted that they copied ${String(key)}`)
  const listed = new Set(coordinator.disk.unresolved.keys())
  for (const { name, disk, object } of objects.values()) {
    const { record } = disk
    if ((object.current?.instance.tasks ?? 0) > 0) report('I18', `${name} is still at work`)
    if (record?.state === 'done' && record.outbox) report('I18', `${name} still has an outbox`)
    if (
      record?.state === 'previewed' &&
      record.sealedText !== undefined &&
      record.expiresAt < world.timeline.now - MINUTE
    )
      report('I37', `${name} keeps the text for the client of a preview that has expired`)
    const alerted = record?.state === 'running' && record.escalation === 'sent'
    if (record?.state === 'running' && !alerted)
      report('I18', `${name} still runs, and the owner was not alerted`)
    if (alerted && !listed.has(name))
      report('I18', `${name} is in doubt, but not on the list of the owner`)
  }
}

/** Every record of what was committed is there, and its copy, unless all copies were lost. */
function delivered({ auditor, records, copies }: World): void {
  const keys = records
    .query('SELECT key FROM records WHERE value IS NOT NULL')
    .map(({ key }) => String(key))
  for (const of of auditor.ledger.generations.values()) {
    const { object, end, forgotten } = of
    if (isDeleted(auditor.ledger, of)) continue
    const answer = end === undefined || forgotten ? undefined : (JSON.parse(end) as FinalReply)
    if (answer?.is !== 'committed') continue
    const { result } = answer.body as { result: Record<string, string> }
    const id =
      result['intake_id'] ??
      result['client_id'] ??
      result['link_id'] ??
      result['payment_link_id'] ??
      result['booking_id']
    const key = keys.find((one) => one.includes(`:${id}`))
    if (key === undefined) auditor.report('I18', `the record of ${object} was never delivered`)
    else if (!copies.wiped && !copies.stored.has(key))
      auditor.report('I18', `the record of ${object} was never copied`)
  }
}

/** The secrets of the start are forgotten once nothing but what is in doubt depends on them; every key is tried again. */
export async function secretGone(
  world: World,
  { keys, retry }: Population,
  runUntil: (until: number) => Promise<void>,
): Promise<void> {
  world.secrets = ['the only secret']
  world.keyring = keyringOf(world.secrets)
  for (const { object } of world.objects.values()) object.crash()
  for (const one of keys)
    world.timeline.after(1, `${one.key} is tried again`, async () => void (await retry(one)))
  await runUntil(world.timeline.now + 60_000)
}

/** Long after: every key is tried twice more, and the owner looks into what is listed. */
export async function stillTrue(
  world: World,
  { keys, retry }: Population,
  runUntil: (until: number) => Promise<void>,
): Promise<void> {
  const { timeline, objects, auditor, random } = world
  for (let round = 0; round < 2; round++) {
    for (const one of keys)
      timeline.after(
        random.int(0, 1000),
        `${one.key} is tried again`,
        async () => void (await retry(one)),
      )
    await runUntil(timeline.now + 60_000)
  }
  for (const { name, disk } of objects.values()) {
    const { record } = disk
    if (record?.state !== 'running') continue
    const of = auditor.ledger.generations.get(record.id)
    const marker = `${record.id}.${record.step}${record.compensating ? 'u' : ''}`
    const adapters: unknown[] = [world.settings.scheduling, `stripe:${world.settings.linkStyle}`]
    const sameAdapter = adapters.includes(record.adapterId)
    const named = record.pinned?.['booking_id']
    const readable = named === undefined || world.scheduling.bookings.has(String(named))
    // A request that was cancelled since does not tell whether it was accepted before.
    const isHidden =
      record.operation === 'respond_to_booking' &&
      world.scheduling.bookings.get(String(named))?.over !== undefined
    const isSeen = sameAdapter && readable && !isHidden
    if (isSeen && of?.effects.some((effect) => effect.marker === marker))
      auditor.report('I18', `${name} is in doubt about an effect that can be seen`)
  }
  readClients(world)
  ownerActs(world)
  await runUntil(timeline.now + 60_000)
  for (const name of world.coordinator.disk.unresolved.keys()) {
    if (objects.get(name)?.disk.record?.state !== 'running')
      auditor.report('I18', `${name} stays on the list of the owner, but is not in doubt`)
  }
}
