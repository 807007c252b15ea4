import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'

import { EventLog } from '../../durable-objects/event-log.ts'
import { MockCalendar } from '../../durable-objects/mock-calendar.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../src/core/domain/time/duration.ts'
import { instantOf } from '../../src/core/domain/time/time.ts'
import { onPurpose } from '../support/on-purpose.ts'
import { committed, finish } from './deletion-rig.ts'
import { emptyStorage } from './empty-storage.ts'
import {
  ask,
  bookedByHand,
  bookings,
  consultAt,
  freeTimes,
  loseAnswers,
  loseRequests,
  previewed,
  recordIn,
} from './fixtures.ts'

const START = Date.parse('2026-11-23T15:00:00Z')

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: START })
  // The log begins, so that what follows is news.
  await types()
  await providerSync().listened()
  pass(MINUTE)
})

const pass = (ms: number) => void vi.setSystemTime(Date.now() + ms)
const calendar = () => env.MOCK_CALENDAR.getByName('calendar')
const providerSync = () => env.PROVIDER_SYNC.getByName('provider-sync')

interface Listed {
  events: { type: string; data: Record<string, unknown> }[]
}
const listed = async () => (JSON.parse((await ask('/v1/events')).text) as Listed).events
const types = async () =>
  (await listed()).map(({ type, data }) => `${type} ${String(data['source'])}`)

/** A provider says that these changed, and the log finds out. */
async function notified(...targets: string[]): Promise<void> {
  const of = (prefix: string) => targets.filter((target) => target.startsWith(prefix))
  await providerSync().notify('calendly', {
    bookings: of('bk_'),
    invoices: of('in_'),
    links: of('plink_'),
  })
  await runDurableObjectAlarm(providerSync())
}
const waiting = () =>
  runInDurableObject(providerSync(), (_object, { storage }) =>
    storage.sql.exec('SELECT target, due, tries FROM notifications ORDER BY target').toArray(),
  )

/** A person books on the page of the provider. */
const bookedThere = async (index = 0): Promise<string> =>
  `bk_${await bookedByHand(instantOf((await freeTimes())[index]!))}`
const providerId = (bookingId: string) => bookingId.replace(/^bk_/, '')

async function bookedHere(index = 0): Promise<string> {
  const change = await previewed('/v1/bookings', consultAt((await freeTimes())[index]!))
  return String((await change.commit()).body.result?.['booking_id'])
}

describe('what someone does on the page of the provider', () => {
  it('is an event for each change once a notification names it, and one for both halves of a move', async () => {
    const first = await bookedThere()
    await notified(first)
    const start = instantOf((await freeTimes())[4]!)
    const moved = await calendar().move(providerId(first), start, start + HOUR / 2)
    if (typeof moved === 'string') throw new Error(moved)
    const second = `bk_${moved.id}`
    await notified(first, second)
    for (const isOn of [true, false]) {
      await calendar().markNoShow(moved.id, isOn)
      await notified(second)
    }
    await calendar().cancel(moved.id, 'by hand')
    await notified(second)
    const events = await listed()
    expect(events.map(({ type }) => type)).toEqual([
      'booking.created',
      'booking.rescheduled',
      'booking.no_show',
      'booking.no_show',
      'booking.cancelled',
    ])
    expect(events[1]?.data).toMatchObject({ booking_id: second, previous_booking_id: first })
    expect(events.map(({ data }) => data['no_show'] ?? null)).toEqual([
      null,
      null,
      true,
      false,
      null,
    ])
    expect(await waiting()).toEqual([])
  })

  it('is found by a sweep where no notification comes: new, moved and cancelled bookings, and paid links', async () => {
    const [cancelled, moved] = [await bookedThere(0), await bookedThere(1)]
    await notified(cancelled, moved)
    await committed('/v1/payment-links', { invoice_id: 'in_mock_open' })
    await finish()
    await calendar().cancel(providerId(cancelled), 'by hand')
    const start = instantOf((await freeTimes())[9]!)
    await calendar().move(providerId(moved), start, start + HOUR / 2)
    await bookedThere(5)
    await calendar().pay('in_mock_open', 'paid')
    pass(DAY)
    for (let rung = 0; rung < 4; rung++) await runDurableObjectAlarm(providerSync())
    const found = (await listed()).map(({ type }) => type).slice(3)
    expect(found.toSorted()).toEqual([
      'booking.cancelled',
      'booking.created',
      'booking.rescheduled',
      'payment_link.paid',
    ])
  })

  it('before the connector began is no news', async () => {
    await emptyStorage()
    const old = await bookedThere()
    pass(MINUTE)
    await types()
    await providerSync().listened()
    pass(DAY)
    await runDurableObjectAlarm(providerSync())
    await notified(old)
    expect(await types()).toEqual([])
    await calendar().cancel(providerId(old), 'by hand')
    await notified(old)
    expect(await types()).toEqual(['booking.cancelled provider'])
  })

  it('with another kind of consult, or an invoice without a link from here, is no event', async () => {
    const start = instantOf((await freeTimes())[0]!)
    const other = await bookedByHand(start, { event_type_id: 'another', end: start + HOUR })
    await calendar().pay('in_mock_open', 'paid')
    await notified(`bk_${other}`, 'in_mock_open', 'plink_nobody')
    expect([await types(), await waiting()]).toEqual([[], []])
  })

  it('is an event, too, where the provider says that it cancels a booking before it does', async () => {
    const id = await bookedThere()
    await notified(id)
    await notified(id)
    await calendar().cancel(providerId(id), 'by hand')
    pass(20 * SECOND)
    await runDurableObjectAlarm(providerSync())
    expect(await types()).toEqual(['booking.created provider', 'booking.cancelled provider'])
  })

  it('is an event, too, where the provider cannot read the booking at once; one that is never there is none', async () => {
    const id = await bookedThere()
    const behind = vi.spyOn(MockCalendar.prototype, 'booking').mockReturnValue(undefined)
    await notified(id, 'bk_nobody')
    expect(await types()).toEqual([])
    behind.mockRestore()
    pass(20 * SECOND)
    await runDurableObjectAlarm(providerSync())
    expect([await types(), await waiting()]).toEqual([['booking.created provider'], []])
  })
})

describe('a booking made here', () => {
  it('is not published as the provider’s while its record is on its way: the notification waits', async () => {
    const { append } = EventLog.prototype
    vi.spyOn(EventLog.prototype, 'append').mockImplementation(() =>
      Promise.reject(onPurpose('not now')),
    )
    const id = await bookedHere()
    await notified(id)
    expect(await types()).toEqual([])
    expect(await waiting()).toMatchObject([{ target: id, tries: 0 }])
    vi.mocked(EventLog.prototype.append).mockImplementation(append)
    await finish()
    pass(HOUR)
    await runDurableObjectAlarm(providerSync())
    expect([await types(), await waiting()]).toEqual([['booking.created connector'], []])
  })
})

describe('a change whose answer was lost', () => {
  it('is known as committed the moment the webhook of the provider arrives, before anybody asks', async () => {
    const change = await previewed('/v1/bookings', consultAt((await freeTimes())[0]))
    const lost = loseAnswers('book')
    // A list that lags behind shows nothing.
    vi.spyOn(MockCalendar.prototype, 'bookedUnder').mockReturnValue(undefined)
    expect((await change.commit()).body).toMatchObject({ code: 'outcome_unknown' })
    expect((await recordIn(change.confirmation))?.state).toBe('running')
    lost.mockRestore()
    const [made] = await bookings()
    await notified(`bk_${made!.id}`)
    expect((await recordIn(change.confirmation))?.state).toBe('done')
    expect((await change.commit()).body).toMatchObject({ status: 'committed' })
    await finish()
    pass(HOUR)
    await notified(`bk_${made!.id}`)
    expect(await types()).toEqual(['booking.created connector'])
    expect(await bookings()).toHaveLength(1)
  })
})

describe('a notification', () => {
  it('is tried again after 5 s, 1 m, 5 m, 30 m, 2 h and 12 h, then once a day for 30 days, and reported meanwhile', async () => {
    const id = await bookedThere()
    loseRequests('booking')
    const since = Date.now()
    await notified(id)
    for (const wait of [5 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 12 * HOUR, DAY]) {
      expect(await waiting()).toMatchObject([{ due: Date.now() + wait }])
      expect(await providerSync().overdueNotifications()).toBeUndefined()
      pass(wait - 1)
      await runDurableObjectAlarm(providerSync())
      pass(1)
      await runDurableObjectAlarm(providerSync())
    }
    expect(await waiting()).toMatchObject([{ due: Date.now() + DAY }])
    expect(await providerSync().overdueNotifications()).toEqual({ count: 1, since })
    vi.setSystemTime(since + 30 * DAY)
    await runDurableObjectAlarm(providerSync())
    expect([await waiting(), await providerSync().overdueNotifications()]).toEqual([[], undefined])
  })

  it('whose provider answers again after days is an event, also of what no sweep sees, and is reported no more', async () => {
    const id = await bookedThere()
    await notified(id)
    await calendar().markNoShow(providerId(id), true)
    const down = loseRequests('booking')
    await notified(id)
    for (let hours = 0; hours < 72; hours += 1) {
      pass(HOUR)
      await runDurableObjectAlarm(providerSync())
    }
    expect((await providerSync().overdueNotifications())?.count).toBe(1)
    down.mockRestore()
    pass(DAY)
    await runDurableObjectAlarm(providerSync())
    expect(await types()).toEqual(['booking.created provider', 'booking.no_show provider'])
    expect(await providerSync().overdueNotifications()).toBeUndefined()
  })
})
