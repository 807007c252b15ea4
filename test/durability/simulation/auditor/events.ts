import { eventOf, factOf } from '../../../../src/core/domain/events/topics.ts'
import type { Mode } from '../../../../src/core/domain/mode.ts'
import { recordKey } from '../../../../src/core/domain/records.ts'
import { DAY } from '../../../../src/core/domain/time/duration.ts'
import type { World } from '../world/world.ts'
import type { Watched } from './auditor.ts'
import { stateOfTrue } from './ledger.ts'

/** All has come to rest: what the records hold was published once and in their order, and every deletion. */
export function judgeEvents({
  auditor,
  events,
  records,
}: {
  auditor: Pick<World['auditor'], 'report'>
  events: Pick<World['events'], 'events'>
  records: Pick<World['records'], 'query'>
}): void {
  const wanted = records
    .query('SELECT key, mode, value FROM records WHERE value IS NOT NULL ORDER BY seq')
    .flatMap(({ key, mode, value }) => {
      const record = JSON.parse(String(value)) as Record<string, unknown>
      const event = eventOf(String(key), mode as Mode, record)
      return event && event.type !== 'payment_link.closed' ? [factOf(event)] : []
    })
  const published = [...events.events.keys()]
  const erased = new Set(
    records.query('SELECT key FROM records WHERE value IS NULL').map(({ key }) => String(key)),
  )
  const ofErased = ({ client_id }: { client_id?: string }) =>
    client_id !== undefined && erased.has(recordKey('client', client_id))
  const kept = published.filter((fact) => {
    const { type, data } = events.events.get(fact)!
    return !ofErased(data) && data.source !== 'provider' && !LINK_NEWS.includes(type)
  })
  if (JSON.stringify(kept) !== JSON.stringify(wanted))
    auditor.report('I33', `the records are ${wanted.join(', ')}; published was ${kept.join(', ')}`)
  for (const [fact, { type, data }] of events.events) {
    if (type === 'client.deleted' && !ofErased(data))
      auditor.report('I33', `${fact} was published of a client who is not deleted`)
    if (
      type === 'client.created' &&
      ofErased(data) &&
      !events.events.has(`client.deleted|${data.client_id}`)
    )
      auditor.report('I33', `${data.client_id} was published as created and never as deleted`)
  }
}

/** What happens to a link at its provider; an end may be ours, too. */
const LINK_NEWS = [
  'payment_link.paid',
  'payment_link.payment_failed',
  'payment_link.submitted',
  'payment_link.closed',
]

/** How long after its start a booking is judged: what is published of it is dropped after 30 days. */
const JUDGED = 29 * DAY

/** What is published of each booking is what the provider has, where a webhook about it came, or a sweep can find it. */
export function judgeProviderEvents({
  auditor,
  events,
  scheduling,
  payments,
  timeline,
  objects,
}: {
  auditor: Pick<World['auditor'], 'report'>
  events: Pick<World['events'], 'notifiedAt' | 'isWaiting' | 'published' | 'publishedLinks'>
  payments: Pick<World['payments'], 'seen'>
  scheduling: Pick<World['scheduling'], 'bookings'>
  timeline: Pick<World['timeline'], 'now'>
  objects: ReadonlyMap<string, Pick<Watched, 'disk'>>
}): void {
  // While a change of ours is in doubt, what it may have done waits.
  if ([...objects.values()].some(({ disk }) => disk.record?.state === 'running')) return
  for (const one of scheduling.bookings.values()) {
    const { id, over, start, changedAt, noShow = false } = one
    if (events.isWaiting(id)) {
      auditor.report('I34', `a webhook about ${id} waits, and nothing is in doubt`)
      continue
    }
    const isNotified = (events.notifiedAt(id) ?? -Infinity) >= changedAt
    if ((!isNotified && start <= timeline.now) || start < timeline.now - JUDGED) continue
    const published = events.published(id)
    const state = published?.state
    const mayBe = over === undefined ? [stateOfTrue(one)] : [undefined, 'cancelled', 'moved']
    if (!mayBe.includes(state))
      auditor.report(
        'I34',
        `${id} is ${over === undefined ? stateOfTrue(one) : `over (${over})`}, and published as ${state}`,
      )
    // A sweep does not read who came.
    if (isNotified && over === undefined && published?.noShow !== noShow)
      auditor.report('I34', `${id} has no-show ${noShow}, and published is ${published?.noShow}`)
  }
  for (const { paymentLinkId, invoiceId, state, failures } of events.publishedLinks()) {
    const seen = payments.seen(paymentLinkId)
    const mayBe = {
      // A link that is closed is swept no more.
      closed: seen?.status === 'void' || seen?.status === 'paid' || seen?.switchedOff,
      paid: seen?.status === 'paid',
      open: seen?.status !== 'paid' && seen?.status !== 'void' && failures === seen?.failures,
    }
    if (events.isWaiting(invoiceId) || !mayBe[state])
      auditor.report('I34', `${paymentLinkId} is published as ${state} ${failures}`)
  }
}
