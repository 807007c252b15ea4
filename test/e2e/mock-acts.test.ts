import { randomUUID } from 'node:crypto'

import { describe, expect, test, vi } from 'vitest'

import { type Connector } from '../support/connector.ts'
import { connectorForTest } from '../support/started.ts'
import { ZONE, freeStarts } from '../support/transports.ts'

let connector: Connector

const started = async (vars: Record<string, string> = {}) => {
  connector = await connectorForTest({ vars })
  // Someone looks at the events, so that what follows is news.
  await events()
}

async function events() {
  const { body } = await connector.rest('/v1/events')
  return (
    body as unknown as { events: { type: string; mode: string; data: Record<string, string> }[] }
  ).events
}
const types = async () =>
  (await events()).map(({ type, data }) => `${type} ${data['source'] ?? ''}`.trim())
/** The event log follows a webhook at once, and long before an alarm of a flow comes. */
const arrived = (wanted: string[]) =>
  vi.waitFor(async () => expect(await types()).toEqual(wanted), { timeout: 40_000, interval: 100 })

/** Acts on the mock as a person does on the provider's page. Returns the bookings that it touched. */
async function act(fields: Record<string, unknown>) {
  const { body } = await connector.rest('/v1/admin/mock-acts', { body: fields })
  return body as unknown as { bookings: string[]; code?: string; errors?: { pointer: string }[] }
}

/** Previews a booking and commits it. */
async function bookHere(start_time: string) {
  const fields = {
    start_time,
    timezone: ZONE,
    invitee_email: 'robin.castle@practice-guests.example',
  }
  const key = randomUUID()
  const ask = (more: object) =>
    connector.rest('/v1/bookings', { method: 'POST', key, body: { ...fields, ...more } })
  const { body } = await ask({ confirm: false })
  const commit = () => ask({ confirm: true, confirmation_token: body.confirmation_token })
  return { key, commit, committed: await commit() }
}

describe('an act on the mock', () => {
  test('does what a person does on the page of the provider, and the webhook makes an event of each', async () => {
    await started()
    const [first = '', second = ''] = await freeStarts(connector)
    const [booked = ''] = (await act({ act: 'book', start_time: first })).bookings
    await arrived(['booking.created provider'])
    const move = { act: 'move', booking_id: booked, start_time: second }
    const [, moved = ''] = (await act(move)).bookings
    await act({ act: 'no_show', booking_id: moved })
    await act({ act: 'no_show', booking_id: moved, no_show: false })
    await act({ act: 'cancel', booking_id: moved })
    const all = [
      'booking.created provider',
      'booking.rescheduled provider',
      'booking.no_show provider',
      'booking.no_show provider',
      'booking.cancelled provider',
    ]
    await arrived(all)
    expect((await events()).map(({ mode }) => mode)).toEqual(all.map(() => 'mock'))
    expect((await events())[1]?.data).toMatchObject({
      booking_id: moved,
      previous_booking_id: booked,
    })
  })

  test('pays an invoice whose link was made here', async () => {
    await started()
    const key = randomUUID()
    const link = { invoice_id: 'in_mock_open' }
    const ask = (more: object) =>
      connector.rest('/v1/payment-links', { method: 'POST', key, body: { ...link, ...more } })
    const { body } = await ask({ confirm: false })
    await ask({ confirm: true, confirmation_token: body.confirmation_token })
    await arrived(['payment_link.created'])
    await act({ act: 'pay', how: 'failed' })
    await arrived(['payment_link.created', 'payment_link.payment_failed'])
    await act({ act: 'pay' })
    await arrived(['payment_link.created', 'payment_link.payment_failed', 'payment_link.paid'])
    const { body: read } = await connector.rest('/v1/payment-links/pl_in_mock_open')
    expect(read).toMatchObject({
      payment_link: { payment_status: 'paid', invoice_status: 'paid', amount_remaining: 0 },
    })
  })

  test('says what cannot be done, and acts on no live provider', async () => {
    await started({
      PAYMENT_PROVIDER_SECRET_KEY: 'sk_test_1',
      PAYMENT_PROVIDER_BASE_URL: 'http://127.0.0.1:1',
    })
    expect(await act({ act: 'pay' })).toMatchObject({
      detail: expect.stringContaining('not a mock') as string,
    })
    expect(await act({ act: 'cancel', booking_id: 'bk_mock_0' })).toMatchObject({
      detail: expect.stringContaining('nothing like this') as string,
    })
    expect((await act({ act: 'book' })).errors?.[0]?.pointer).toBe('/start_time')
    expect((await act({ act: 'dance' })).code).toBe('validation_failed')
    expect(await events()).toEqual([])
  })
})

describe('a booking whose answer is lost', () => {
  test('is committed before anybody asks, once the provider has sent its webhook', async () => {
    await started({ MOCK_FAULTS: 'book:timeout_after,notification:ok' })
    const [start = ''] = await freeStarts(connector)
    const { committed, commit, key } = await bookHere(start)
    expect([committed.status, committed.body.code]).toEqual([503, 'outcome_unknown'])
    await arrived(['booking.created connector'])
    const { body } = await connector.rest(`/v1/operations/${key}`)
    expect(body.status).toBe('committed')
    expect((await commit()).status).toBe(200)
  })
})

test('a deployed Worker has no route for it, no matter who asks', async () => {
  const deployed = { ALLOW_ANONYMOUS: 'false', DEPLOYED_SOURCE: 'source.1' }
  connector = await connectorForTest({ vars: deployed })
  const refused = await connector.rest('/v1/admin/mock-acts', { body: { act: 'pay' } })
  expect([refused.status, refused.body.code]).toEqual([404, 'not_found'])
})
