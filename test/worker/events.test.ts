import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'

import { EventLog } from '../../durable-objects/event-log.ts'
import { type HappenedEvent, topicsFor } from '../../src/core/domain/events/topics.ts'
import { DEFAULT_SCOPES } from '../../src/core/domain/scopes.ts'
import { DAY } from '../../src/core/domain/time/duration.ts'
import { onPurpose } from '../support/on-purpose.ts'
import { aClient, anIntake, committed, deletion, finish, rowsOf } from './deletion-rig.ts'
import { emptyStorage } from './empty-storage.ts'
import { ACME, ask, consultAt, failRecords, freeTimes, previewed, recordIn } from './fixtures.ts'

interface Listed {
  events: {
    id: string
    type: string
    mode: string
    timestamp: string
    data: Record<string, string>
  }[]
  next_cursor: string
  truncated: boolean
}

async function listed(query: Record<string, string> = {}): Promise<Listed> {
  const reply = await ask(`/v1/events?${new URLSearchParams(query).toString()}`)
  expect([reply.status, reply.text]).toEqual([200, expect.any(String)])
  return reply.body as unknown as Listed
}
const typesIn = async (query?: Record<string, string>) =>
  (await listed(query)).events.map(({ type }) => type)

const eventLog = () => env.EVENT_LOG.getByName('event-log')
const logged = () =>
  runInDurableObject(eventLog(), (_object, { storage }) =>
    storage.sql.exec<Record<string, SqlStorageValue>>('SELECT * FROM log ORDER BY seq').toArray(),
  )
const arrived = (count: number) =>
  vi.waitFor(async () => expect(await logged()).toHaveLength(count))

const cannot = () => Promise.reject(onPurpose('no event log'))

/** An event about some client, at no special time. */
const aFact = (client_id: string): HappenedEvent => ({
  type: 'client.created',
  timestamp: '2026-11-23T14:03:10Z',
  mode: 'mock',
  data: { client_id },
})

const bookingId = ({ body }: { body: { result?: Record<string, unknown> } }) =>
  String(body.result?.['booking_id'])

describe('a commit', () => {
  it('is published as one event of its topic, in the order in which the records were written', async () => {
    const [first, second] = await freeTimes()
    const booking = await previewed('/v1/bookings', consultAt(first))
    const booked = bookingId(await booking.commit())
    const move = await previewed(`/v1/bookings/${booked}/reschedule`, { start_time: second })
    const moved = bookingId(await move.commit())
    const cancel = await previewed(`/v1/bookings/${moved}/cancel`, { reason: 'Someone is ill.' })
    await cancel.commit()
    const client = await aClient()
    const intake = await anIntake(client.id)
    await committed('/v1/payment-links', { invoice_id: 'in_mock_open' })
    await arrived(6)

    const { events, truncated } = await listed()
    expect(truncated).toBe(false)
    const about = ({ type, data }: Listed['events'][number]) => [type, data]
    const at = 'http://127.0.0.1:8787/v1'
    const times = {
      event_type: 'consult',
      start_time: expect.any(String),
      end_time: expect.any(String),
    }
    const source = 'connector'
    const consult = { state: 'confirmed', timezone: 'America/New_York', ...times, source }
    expect(events.map(about)).toEqual([
      ['booking.created', { booking_id: booked, ...consult, url: `${at}/bookings/${booked}` }],
      [
        'booking.rescheduled',
        {
          booking_id: moved,
          previous_booking_id: booked,
          ...consult,
          url: `${at}/bookings/${moved}`,
        },
      ],
      [
        'booking.cancelled',
        { booking_id: moved, state: 'cancelled', source, url: `${at}/bookings/${moved}` },
      ],
      ['client.created', { client_id: client.id, url: `${at}/clients/${client.id}` }],
      [
        'intake.submitted',
        { intake_id: intake.id, client_id: client.id, url: `${at}/clients/${client.id}` },
      ],
      [
        'payment_link.created',
        {
          payment_link_id: 'pl_in_mock_open',
          invoice_id: 'in_mock_open',
          amount: 25_000,
          currency: 'usd',
          url: `${at}/payment-links/pl_in_mock_open`,
        },
      ],
    ])
    for (const { id, mode, timestamp } of events) {
      expect([id, mode]).toEqual([expect.stringMatching(/^evt_mock_[\w-]{22}$/), 'mock'])
      expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    }
    const { pathname } = new URL(String(events[0]!.data['url']))
    expect((await ask(pathname)).text).toContain(booked)
  })

  it('is answered while the event log does not answer, and published later, in order', async () => {
    const append = vi.spyOn(EventLog.prototype, 'append').mockImplementation(cannot)
    const [time] = await freeTimes()
    const change = await previewed('/v1/bookings', consultAt(time))
    const reply = await change.commit()
    expect([reply.status, reply.body['status']]).toEqual([200, 'committed'])
    const client = await aClient()
    await vi.waitFor(() => expect(append.mock.calls.length).toBeGreaterThan(1))
    expect(await logged()).toEqual([])
    append.mockRestore()
    await anIntake(client.id)
    await finish()
    expect(await typesIn()).toEqual(['booking.created', 'client.created', 'intake.submitted'])
  })

  it('writes no row for its event and its copy before its answer: the record is both', async () => {
    const append = vi
      .spyOn(EventLog.prototype, 'append')
      .mockImplementation(() => new Promise(() => {}))
    await (await previewed('/v1/clients', ACME)).commit()
    await vi.waitFor(() => expect(append).toHaveBeenCalled())
    expect(await rowsOf('outbox')).toEqual([])
    expect(await rowsOf('progress')).toEqual([])
  })
})

describe('a deleted client', () => {
  it('leaves events that say no more than ids, and is one event itself', async () => {
    const client = await aClient()
    await anIntake(client.id)
    await finish()
    await deletion(client.id)
    await deletion(client.id)
    await finish()
    const { events } = await listed()
    expect(events.map(({ type }) => type)).toEqual([
      'client.created',
      'intake.submitted',
      'client.deleted',
    ])
    expect(events.at(-1)?.data).toEqual({ client_id: client.id })
    const text = JSON.stringify(await logged())
    for (const personal of ['J. Z.', 'j***', 'retirement', 'individual', 'Likes short'])
      expect([personal, text.includes(personal)]).toEqual([personal, false])
  })

  it('whose record never came is no event', async () => {
    const failing = failRecords()
    const change = await previewed('/v1/clients', ACME)
    const id = String((await change.commit()).body.result?.['client_id'])
    await deletion(id)
    failing.mockRestore()
    await vi.waitFor(async () => {
      await runDurableObjectAlarm(change.confirmation)
      expect((await recordIn(change.confirmation))?.outbox).toBeUndefined()
    })
    await finish()
    expect(await logged()).toEqual([])
  })
})

describe('the list of events', () => {
  const facts = (count: number, from = 0) =>
    Array.from({ length: count }, (_, i) => aFact(`cl_mock_${from + i}`))
  const clientsIn = ({ events }: Listed) => events.map(({ data }) => data['client_id'])

  it('shows the newest without a cursor, and with one what followed, each event once and the newest last', async () => {
    await eventLog().append(facts(25))
    const newest = await listed()
    expect(clientsIn(newest)).toEqual(facts(20, 5).map(({ data }) => data.client_id))
    expect(clientsIn(await listed({ cursor: newest.next_cursor }))).toEqual([])
    await eventLog().append(facts(5, 25))
    const seen = []
    let cursor = newest.next_cursor
    for (let page = 0; page < 3; page++) {
      const next = await listed({ cursor, limit: '2' })
      seen.push(...clientsIn(next))
      cursor = next.next_cursor
    }
    expect(seen).toEqual(facts(5, 25).map(({ data }) => data.client_id))
  })

  it('has a cursor while there is nothing yet, from which nothing is missed', async () => {
    const { events, next_cursor } = await listed()
    expect(events).toEqual([])
    await eventLog().append(facts(2))
    expect(clientsIn(await listed({ cursor: next_cursor }))).toEqual(['cl_mock_0', 'cl_mock_1'])
  })

  it('shows the newest first to who asks so, and leads to older ones, each once, to the end', async () => {
    const deleted: HappenedEvent = { ...aFact('cl_mock_x'), type: 'client.deleted' }
    await eventLog().append([...facts(3), deleted, ...facts(2, 3)])
    const asked = { order: 'newest', type: 'client.created', limit: '2' }
    const first = await listed(asked)
    // What happens between two pages is on neither.
    await eventLog().append(facts(1, 5))
    const second = await listed({ cursor: first.next_cursor, limit: '2' })
    const third = await listed({ ...asked, cursor: second.next_cursor })
    const seen = [first, second, third].flatMap(clientsIn)
    expect(seen).toEqual([4, 3, 2, 1, 0].map((number) => `cl_mock_${number}`))
    expect(third.next_cursor).toBeNull()
    expect(clientsIn(await listed({ order: 'newest', limit: '1' }))).toEqual(['cl_mock_5'])
    for (const other of ['type=client.deleted', 'order=oldest']) {
      const refused = await ask(`/v1/events?${other}&cursor=${first.next_cursor}`)
      expect([refused.status, refused.body.code]).toEqual([400, 'validation_failed'])
    }
    const last = (await listed()).next_cursor
    const refused = await ask(`/v1/events?order=newest&cursor=${last}`)
    expect([refused.status, refused.body.code]).toEqual([400, 'validation_failed'])
  })

  it('filters by topic, and a cursor carries the topic', async () => {
    const deleted: HappenedEvent = { ...aFact('cl_mock_9'), type: 'client.deleted' }
    await eventLog().append([aFact('cl_mock_1'), deleted, aFact('cl_mock_2')])
    const first = await listed({ type: 'client.deleted' })
    expect(clientsIn(first)).toEqual(['cl_mock_9'])
    await eventLog().append([aFact('cl_mock_3'), { ...deleted, data: { client_id: 'cl_mock_4' } }])
    expect(clientsIn(await listed({ cursor: first.next_cursor }))).toEqual(['cl_mock_4'])
    const other = await ask(`/v1/events?type=client.created&cursor=${first.next_cursor}`)
    expect([other.status, other.body.code]).toEqual([400, 'validation_failed'])
  })

  it('keeps events for 30 days, and says so to a cursor that is older than the log', async () => {
    const start = Date.parse('2026-11-23T15:00:00Z')
    vi.useFakeTimers({ toFake: ['Date'], now: start })
    const { next_cursor } = await listed()
    await eventLog().append(facts(3))
    const between = (await listed()).next_cursor
    vi.setSystemTime(start + 20 * DAY)
    await eventLog().append(facts(1, 3))
    vi.setSystemTime(start + 31 * DAY)
    expect(await runDurableObjectAlarm(eventLog())).toBe(true)
    const late = await listed({ cursor: next_cursor })
    expect([late.truncated, clientsIn(late)]).toEqual([true, ['cl_mock_3']])
    const inTime = await listed({ cursor: between })
    expect([inTime.truncated, clientsIn(inTime)]).toEqual([false, ['cl_mock_3']])
    // The newest stays, so that no place is given twice; a cursor still leads on from it.
    vi.setSystemTime(start + 90 * DAY)
    await runDurableObjectAlarm(eventLog())
    expect(await logged()).toHaveLength(1)
    await eventLog().append(facts(1, 4))
    expect(clientsIn(await listed({ cursor: late.next_cursor }))).toEqual(['cl_mock_4'])
  })

  it('refuses a cursor of another list, a forged one, and one from beyond the end of the log', async () => {
    await eventLog().append(facts(2))
    const { next_cursor } = await listed()
    await emptyStorage()
    for (const cursor of [next_cursor, `${next_cursor.slice(0, -1)}_`, 'x']) {
      const reply = await ask(`/v1/events?cursor=${cursor}`)
      expect([reply.status, reply.body.code]).toEqual([400, 'validation_failed'])
    }
  })

  it('leaves out an event that this version cannot read, and says so in a line without its content', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const later = { ...aFact('cl_mock_later'), mode: 'canary' } as unknown as HappenedEvent
    await eventLog().append([...facts(1), later])
    // What a later version has only added to an event is left out of it.
    const [fact] = facts(1, 1) as [HappenedEvent]
    const data = { ...fact.data, later: 'canary' }
    await eventLog().append([{ ...fact, data, later: 'canary' } as HappenedEvent])
    const { events, next_cursor } = await listed()
    expect(events.map(({ data }) => data['client_id'])).toEqual(['cl_mock_0', 'cl_mock_1'])
    expect(JSON.stringify(events)).not.toContain('canary')
    const lines = log.mock.calls.map(([line]) => JSON.parse(String(line)) as object)
    expect(lines).toEqual([{ event: 'event_not_readable', event_id: (await logged())[1]!['id'] }])
    expect((await listed({ cursor: next_cursor })).events).toEqual([])
  })

  it('has samples: the newest three, or else an example of each topic in the same shape', async () => {
    const samples = async (query = '') => {
      const reply = await ask(`/v1/events/samples${query}`)
      return JSON.parse(reply.text) as Listed['events']
    }
    expect((await samples()).map(({ type }) => type)).toEqual(topicsFor(DEFAULT_SCOPES))
    const [example] = await samples('?type=client.created')
    await eventLog().append(facts(4))
    const real = await samples('?type=client.created')
    expect(real.map(({ data }) => data['client_id'])).toEqual([
      'cl_mock_1',
      'cl_mock_2',
      'cl_mock_3',
    ])
    expect(Object.keys(example!)).toEqual(Object.keys(real[0]!))
    expect(Object.keys(example!.data)).toEqual(Object.keys(real[0]!.data))
    expect((await samples('?type=client.deleted')).map(({ type }) => type)).toEqual([
      'client.deleted',
    ])
  })
})
