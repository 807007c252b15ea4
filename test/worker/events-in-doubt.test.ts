import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, expect, it, vi } from 'vitest'

import { MockCalendar } from '../../durable-objects/mock-calendar.ts'
import { TOPIC_NAMES } from '../../src/core/domain/events/topics.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../src/core/domain/time/duration.ts'
import { instantOf, isoSeconds } from '../../src/core/domain/time/time.ts'
import {
  ask,
  bookedByHand,
  consultAt,
  freeTimes,
  loseRequests,
  previewed,
  recordIn,
} from './fixtures.ts'

const START = Date.parse('2026-11-23T03:20:00Z')
const providerSync = () => env.PROVIDER_SYNC.getByName('provider-sync')
const pass = (ms: number) => void vi.setSystemTime(Date.now() + ms)
const ring = () => runDurableObjectAlarm(providerSync())

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: START })
  vi.spyOn(console, 'error').mockImplementation(() => {})
  await events()
  await providerSync().listened()
  pass(MINUTE)
})

interface Event {
  type: string
  data: { booking_id: string; source: string }
}
/** All events, after a reader has asked for them. */
async function events(): Promise<Event[]> {
  await ask('/v1/events')
  const log = env.EVENT_LOG.getByName('event-log')
  const page = await log.page({ types: TOPIC_NAMES, after: 0, limit: 1000 })
  return page === 'unknown place' ? [] : (page.events as unknown as Event[])
}
const said = async () => (await events()).map(({ type, data }) => `${type} ${data.source}`)
const held = async () => (await providerSync().heldNotifications()).map(({ count }) => count)

async function notified(...ids: string[]): Promise<void> {
  const bookings = ids.map((id) => `bk_${id}`)
  await providerSync().notify('calcom', { bookings, invoices: [], links: [] })
  await ring()
}

/** A consult that was sent, and of which the provider says nothing. */
async function inDoubt(start: string) {
  const change = await previewed('/v1/bookings', consultAt(start))
  const lost = loseRequests('book')
  expect((await change.commit()).body).toMatchObject({ code: 'outcome_unknown' })
  lost.mockRestore()
  const { id } = (await recordIn(change.confirmation))!
  return { ...change, marker: `${id}.0` }
}

/** From now on the provider does not say what a booking carries. */
function hideMarkers(): void {
  const { booking } = MockCalendar.prototype
  vi.spyOn(MockCalendar.prototype, 'booking').mockImplementation(function (
    this: MockCalendar,
    id: string,
  ) {
    const found = Reflect.apply(booking, this, [id])
    return found && { ...found, marker: undefined as unknown as string }
  })
}

it('A consult that was sent at 03:20 for 14:00 and lands 66 hours later for 14:07 is never an event of the provider', async () => {
  const change = await inDoubt('2026-11-27T09:00:00-05:00')
  // The looks end after a day, and then a person is needed.
  for (let hours = 0; hours < 66; hours += 1) {
    pass(HOUR)
    await runDurableObjectAlarm(change.confirmation)
  }
  expect(await env.COORDINATOR.getByName('coordinator').unresolved()).toHaveLength(1)
  const id = await bookedByHand(Date.parse('2026-11-27T14:07:00Z'), { marker: change.marker })
  await notified(id)
  expect((await change.commit()).body).toMatchObject({ status: 'committed' })
  for (let days = 0; days < 2; days += 1) {
    pass(DAY)
    await ring()
  }
  expect((await said()).filter((one) => one.endsWith('provider'))).toEqual([])
})

it('The booking of another person is an event at once where it shows what it carries, however many of ours are in doubt', async () => {
  const times = await freeTimes()
  for (const start of times.slice(0, 3)) await inDoubt(start)
  const atTheSameTime = await bookedByHand(instantOf(times[0]!))
  const another = await bookedByHand(instantOf(times[5]!), { marker: 'spring campaign' })
  await notified(atTheSameTime, another)
  expect([await said(), await held()]).toEqual([
    ['booking.created provider', 'booking.created provider'],
    [],
  ])
})

it('One that hides what it carries waits for the change in doubt, which is named, until a person resolves it', async () => {
  const [start, other] = await freeTimes()
  const before = await bookedByHand(instantOf(other!) + HOUR)
  pass(2 * MINUTE)
  const change = await inDoubt(start!)
  const after = await bookedByHand(instantOf(other!))
  hideMarkers()
  await notified(before, after)
  // What was made before the first doubt is none of ours.
  expect((await events()).map(({ data }) => data.booking_id)).toEqual([`bk_${before}`])
  const [waits] = await providerSync().heldNotifications()
  expect(waits).toMatchObject({ count: 1, since: Date.now() })
  const { operation_id } = waits!
  // No person is needed yet, and the owner sees already what waits, and for what.
  expect((await ask('/v1/unresolved')).body).toEqual({
    unresolved: [],
    more: 0,
    held_notifications: [
      { operation_id, count: 1, held: [`bk_${after}`], held_since: isoSeconds(Date.now()) },
    ],
  })
  const doctor = await ask('/v1/doctor')
  expect(doctor.text).toContain(`for the operation ${operation_id}, whose outcome is not known`)
  for (let hours = 0; hours < 30; hours += 1) {
    pass(HOUR)
    await runDurableObjectAlarm(change.confirmation)
  }
  expect(await held()).toEqual([1])
  const resolved = await ask(`/v1/unresolved/${operation_id}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ outcome: 'did_not_happen' }),
  })
  expect(resolved.status).toBe(200)
  pass(DAY)
  await ring()
  expect([await said(), await held()]).toEqual([
    ['booking.created provider', 'booking.created provider'],
    [],
  ])
})

it(
  'While 20 commits are in doubt, no event of 200 bookings of others in ten minutes comes later than 10 s, and none of ours is called the provider’s',
  { tags: ['slow'] },
  async () => {
    const times = await freeTimes()
    const ours: string[] = []
    for (const [nth, start] of times.slice(0, 20).entries()) {
      const { marker } = await inDoubt(start)
      // Half of them land, at another time; no list shows them.
      if (nth % 2 === 0)
        ours.push(await bookedByHand(instantOf(start) + 7 * MINUTE + 400 * DAY, { marker }))
    }
    vi.spyOn(MockCalendar.prototype, 'bookedUnder').mockReturnValue(undefined)
    const late: number[] = []
    const begun = Date.now()
    for (let nth = 0; nth < 200; nth += 1) {
      const id = await bookedByHand(instantOf(times[0]!) + (500 + nth) * HOUR)
      const some = nth < ours.length ? [ours[nth]!] : []
      const at = Date.now()
      await notified(id, ...some)
      while (!(await events()).some(({ data }) => data.booking_id === `bk_${id}`)) {
        pass(SECOND)
        await ring()
        if (Date.now() - at > 10 * SECOND) late.push(nth)
        if (Date.now() - at > MINUTE) break
      }
      vi.setSystemTime(begun + (nth + 1) * 3 * SECOND)
    }
    expect(late).toEqual([])
    const theirs = (await events()).filter(({ data }) => data.source === 'provider')
    expect(theirs).toHaveLength(200)
    expect(theirs.some(({ data }) => ours.includes(data.booking_id.slice(3)))).toBe(false)
  },
)
