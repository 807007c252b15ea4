import { beforeAll, describe, expect, test } from 'vitest'

import { DAY, HOUR } from '../../src/core/domain/time/duration.ts'
import type { Caller } from '../support/connector.ts'
import { connectorForAll } from '../support/started.ts'
import { ZONE, done, freeStarts, instant } from '../support/transports.ts'

const EMAIL = 'robin.castle@practice-guests.example'
const NAME = 'Robin Castle'
const guest = { timezone: ZONE, invitee_email: EMAIL, invitee_name: NAME }

interface Booking {
  booking_id: string
  start_time: string
  state: string
}

const connector = connectorForAll()

/** The answer to a read that is refused: its status, its code, and the field that is wrong. */
const refused = (status: number, code: string, pointer?: string) => ({
  status,
  body: { code, effect: 'none', ...(pointer === undefined ? {} : { errors: [{ pointer }] }) },
})

async function read<T>(path: string, caller: Caller = connector) {
  const reply = await caller.rest(path)
  if (reply.status !== 200) throw new Error(`${path} answers ${reply.text}`)
  expect(reply.text).not.toMatch(/robin|castle|practice-guests/i)
  return { ...reply, body: reply.body as unknown as T }
}

interface Bookings {
  from: string
  to: string
  bookings: Booking[]
  not_shown: number
  next_cursor: string | null
}

const nextOf = (headers: Headers): string | undefined =>
  /^<([^>]+)>; rel="next"$/.exec(headers.get('Link') ?? '')?.[1]

describe('the list of bookings', () => {
  let booked: string[] = []
  beforeAll(async () => {
    const starts = (await freeStarts(connector)).slice(0, 23)
    // Not in order, so that only the list puts them in order.
    for (const start_time of starts.toReversed()) {
      const { result } = await done(connector, 'REST', 'book_consult', { ...guest, start_time })
      booked = [String(result['booking_id']), ...booked]
    }
  })

  test('continues page by page, by its Link headers or by its cursors, soonest first and each once', async () => {
    const first = await read<Bookings>(`/v1/bookings?timezone=${ZONE}`)
    const list = { operation: 'list_bookings', mode: 'mock', timezone: ZONE, not_shown: 0 }
    expect(first.body).toMatchObject(list)
    expect(first.body.bookings).toHaveLength(20)
    const link = nextOf(first.headers)
    expect(link?.startsWith(`${connector.url}/v1/bookings?`)).toBe(true)
    const second = await read<Bookings>(link!)
    expect(second.body).toMatchObject({ timezone: ZONE, next_cursor: null })
    expect(nextOf(second.headers)).toBeUndefined()
    const byCursor = await read<Bookings>(
      `/v1/bookings?timezone=${ZONE}&cursor=${first.body.next_cursor}`,
    )
    expect(byCursor.body).toEqual(second.body)
    const all = [...first.body.bookings, ...second.body.bookings]
    expect(all.map(({ booking_id }) => booking_id)).toEqual(booked)
    expect(all[0]).toMatchObject({
      state: 'confirmed',
      timezone: ZONE,
      event_type: 'consult',
      invitee_email: 'r***@***.example',
      invitee_name: 'R. C.',
    })
  })

  test('filters by window and by state', async () => {
    const { body } = await read<Bookings>('/v1/bookings')
    const [first, second] = body.bookings as [Booking, Booking]
    const window = `from=${instant(first.start_time)}&to=${instant(second.start_time)}`
    const within = async (query: string) =>
      (await read<Bookings>(`/v1/bookings?${query}`)).body.bookings.map(
        ({ booking_id }) => booking_id,
      )
    expect(await within(window)).toEqual([first.booking_id])
    await done(connector, 'REST', 'cancel_booking', { booking_id: first.booking_id })
    expect(await within(window)).toEqual([])
    expect(await within(`${window}&state=cancelled`)).toEqual([first.booking_id])
    expect(await within(`${window}&state=pending_host_approval`)).toEqual([])
    const days = Math.ceil((Date.parse(second.start_time) - Date.parse(first.start_time)) / DAY)
    expect(await within(`from=${instant(second.start_time)}&days=${days}`)).toContain(
      second.booking_id,
    )
  })

  test('takes dates of the practice for its window, the last of them included', async () => {
    const { body } = await read<Bookings>(`/v1/bookings?timezone=America/New_York`)
    const day = body.bookings[0]!.start_time.slice(0, 10)
    const within = (
      await read<Bookings>(`/v1/bookings?from=${day}&to=${day}&timezone=America/New_York`)
    ).body
    expect(within.from).toMatch(new RegExp(`^${day}T00:00:00-0[45]:00$`))
    expect(Date.parse(within.to) - Date.parse(within.from)).toBeGreaterThanOrEqual(DAY - HOUR)
    expect(within.to).toMatch(/T00:00:00-0[45]:00$/)
    expect(within.bookings).toEqual(
      body.bookings.filter(({ start_time }) => start_time.startsWith(day)),
    )
  })

  test('takes a whole year of dates, also one of 366 days in which a clock is set back twice', async () => {
    const year = await read('/v1/bookings?from=2027-11-06&to=2028-11-05&limit=1')
    expect(year.status).toBe(200)
    const { status } = await connector.rest('/v1/bookings?from=2027-11-06&to=2028-11-06')
    expect(status).toBe(400)
  })

  test('has as many on a page as limit says, and 20 of them at most', async () => {
    const whole = (await read<Bookings>('/v1/bookings?limit=100')).body.bookings
    expect(whole).toHaveLength(20)
    const first = await read<Bookings>('/v1/bookings?limit=3')
    const second = await read<Bookings>(nextOf(first.headers)!)
    expect([...first.body.bookings, ...second.body.bookings]).toEqual(whole.slice(0, 6))
    expect(nextOf(second.headers)).toContain('limit=3')
  })

  test.each([
    ['made up', 'eyJmcm9tIjowfQ.0123456789012345678901234567ab'],
    ['no cursor at all', 'x'],
  ])('refuses a cursor that is %s', async (_what, cursor) => {
    const { status, body } = await connector.rest(`/v1/bookings?cursor=${cursor}`)
    expect([status, body.code]).toEqual([400, 'validation_failed'])
    expect(body['errors']).toMatchObject([{ pointer: '/cursor' }])
  })

  test('refuses a cursor that was changed, or that comes with another filter', async () => {
    const { body } = await read<Bookings>('/v1/bookings')
    const cursor = body.next_cursor!
    const changed = `${cursor.startsWith('e') ? 'f' : 'e'}${cursor.slice(1)}`
    expect(await connector.rest(`/v1/bookings?cursor=${changed}`)).toMatchObject(
      refused(400, 'validation_failed', '/cursor'),
    )
    expect(await connector.rest(`/v1/bookings?cursor=${cursor}&days=13`)).toMatchObject(
      refused(400, 'validation_failed', '/days'),
    )
    await read(`/v1/bookings?cursor=${cursor}&days=14`)
    expect(await connector.rest(`/v1/bookings?cursor=${cursor}&state=cancelled`)).toMatchObject(
      refused(400, 'validation_failed', '/state'),
    )
  })

  test.each([
    ['from=2026-11-24T10:00:00', '/from'],
    ['from=2026-11-24&to=2026-11-23', '/to'],
    ['limit=0', '/limit'],
    ['from=2026-11-24T10:00:00Z&to=2028-11-24T10:00:00Z', '/to'],
    ['days=many', '/days'],
    ['days=2&to=2026-11-24T10:00:00Z', '/days'],
    ['state=booked', '/state'],
    ['surprise=1', ''],
  ])('refuses ?%s at %s', async (query, pointer) => {
    const { status, body } = await connector.rest(`/v1/bookings?${query}`)
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'validation_failed', effect: 'none', errors: [{ pointer }] })
  })
})

interface Client {
  client_id: string
}

interface ClientRead {
  client: Client
  intake: { intake_id: string; answers: object }[]
  bookings: { booking_id: string; ended_here: boolean }[]
  payment_links: { payment_link_id: string; amount: number }[]
  more: object
}

const profile = { entity_type: 'individual', display_name: NAME, contact_email: EMAIL }
const created = async (fields: object = {}): Promise<string> => {
  const { result } = await done(connector, 'REST', 'create_client_profile', {
    ...profile,
    ...fields,
  })
  return String(result['client_id'])
}

describe('the list of clients', () => {
  test('is newest first, each once, and has one that was just made', async () => {
    const ids: string[] = []
    for (let i = 0; i < 4; i += 1) {
      ids.unshift(await created({ contact_email: `robin.castle+${i}@practice-guests.example` }))
      const { body } = await read<{ clients: Client[] }>('/v1/clients')
      expect(body.clients[0]?.client_id).toBe(ids[0])
    }
    const first = await read<{ clients: Client[]; next_cursor: string }>('/v1/clients?limit=3')
    expect(first.body.clients).toHaveLength(3)
    expect(first.body.clients[0]).toMatchObject({
      entity_type: 'individual',
      display_name: 'R. C.',
      contact_email: 'r***@***.example',
    })
    // Meanwhile someone makes another, which moves no page.
    await created({ contact_email: 'another.castle@practice-guests.example' })
    const second = await read<{ clients: Client[]; next_cursor: null }>(nextOf(first.headers)!)
    expect(second.body.next_cursor).toBeNull()
    const all = [...first.body.clients, ...second.body.clients].map(({ client_id }) => client_id)
    expect(all).toEqual(ids)
    const { next_cursor } = (await read<Bookings>('/v1/bookings')).body
    expect(await connector.rest(`/v1/clients?cursor=${next_cursor}`)).toMatchObject(
      refused(400, 'validation_failed', '/cursor'),
    )
  })

  test('shows clients with their answers, and with the bookings and links made here for their address', async () => {
    const jordan = { contact_email: 'Jordan@example.com', display_name: 'Jordan Doe' }
    const client_id = await created(jordan)
    const other = await created()
    const path = `/v1/clients/${client_id}`
    const answers = { primary_goal: 'cash_flow', notes: `Write to ${EMAIL}.` }
    const { result: intake } = await done(connector, 'REST', 'submit_intake_answers', {
      client_id,
      answers,
    })
    const invitee_email = 'jordan@EXAMPLE.com'
    const [first, second] = (await freeStarts(connector)) as [string, string]
    const consult = { timezone: ZONE, invitee_email, start_time: first }
    const { result: booking } = await done(connector, 'REST', 'book_consult', consult)
    const invoice = { invoice_id: 'in_mock_jpy' }
    const { result: link } = await done(connector, 'REST', 'create_payment_link', invoice)
    const { body } = await read<ClientRead>(path)
    expect(body).toMatchObject({
      operation: 'get_client',
      mode: 'mock',
      client: { client_id, display_name: 'J. D.', contact_email: 'J***@***.com' },
      intake: [{ intake_id: intake['intake_id'], answers: intake['answers'] }],
      bookings: [{ booking_id: booking['booking_id'], start_time: first, ended_here: false }],
      payment_links: [{ payment_link_id: link['payment_link_id'], amount: 12_500 }],
      notes_notice: expect.stringMatching(/never instructions/),
      more: { intake: 0, bookings: 0, payment_links: 0 },
    })
    expect((await read<ClientRead>(`/v1/clients/${other}`)).body.payment_links).toEqual([])

    const move = { booking_id: booking['booking_id'], start_time: second }
    const { result: moved } = await done(connector, 'REST', 'reschedule_booking', move)
    expect((await read<ClientRead>(path)).body.bookings).toMatchObject([
      { booking_id: moved['booking_id'], ended_here: false },
      { booking_id: booking['booking_id'], ended_here: true },
    ])
  })

  test('shows as many as limit says, and how many more there are', async () => {
    const client_id = await created({ contact_email: 'limit.castle@practice-guests.example' })
    const again = await created({ contact_email: 'limit.castle@practice-guests.example' })
    for (const primary_goal of ['retirement', 'other'])
      await done(connector, 'REST', 'submit_intake_answers', {
        client_id,
        answers: { primary_goal },
      })
    const { body } = await read<ClientRead>(`/v1/clients/${client_id}?limit=1`)
    expect(body).toMatchObject({
      intake: [{ answers: { primary_goal: 'other' } }],
      more: { intake: 1 },
    })
    const [first, rest] = [
      await read<{ clients: Client[] }>('/v1/clients?limit=1'),
      '/v1/clients/search',
    ]
    expect(first.body.clients).toMatchObject([{ client_id: again }])
    const next = await read<{ clients: Client[] }>(nextOf(first.headers)!)
    expect(next.body.clients).toMatchObject([{ client_id }])
    const search = { contact_email: 'limit.castle@practice-guests.example', limit: 1 }
    const found = { clients: [{ client_id: again }], more: 1 }
    expect((await connector.rest(rest, { body: search })).body).toMatchObject(found)
  })
})
