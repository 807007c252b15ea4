import { env } from 'cloudflare:workers'
import { reset } from 'cloudflare:test'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { kvRecords } from '../../src/adapters/cloudflare/records.ts'
import { CLIENT, consultAt, freeTimes, previewed, send } from './practice.ts'

beforeEach(async () => {
  vi.spyOn(console, 'log').mockImplementation(() => {})
  await reset()
})
afterEach(() => {
  vi.restoreAllMocks()
})

const records = () => kvRecords(env, undefined)

async function committed(path: string, fields: object): Promise<Record<string, unknown>> {
  const reply = await (await previewed(path, fields)).commit()
  if (!reply.body.result) throw new Error(`not committed: ${reply.text}`)
  return reply.body.result
}

/** What is kept under a key, once it is written. */
const kept = (key: string): Promise<Record<string, unknown>> =>
  vi.waitFor(async () => {
    const value = await records().get(key)
    expect(value).not.toBeNull()
    return value as Record<string, unknown>
  })

it('gives back what was put, the last one of a key, and nothing for another', async () => {
  await records().put({ key: 'client:one', value: { display_name: 'J. D.' } })
  await records().put({ key: 'client:one', value: { display_name: 'K. D.' } })
  expect(await records().get('client:one')).toEqual({ display_name: 'K. D.' })
  expect(await records().get('client:two')).toBeNull()
})

it('keeps of every change what was answered, when and in which mode', async () => {
  const [first, second] = await freeTimes()
  const booking = await committed('/v1/bookings', consultAt(first))
  const moved = await committed(`/v1/bookings/${String(booking['booking_id'])}/reschedule`, {
    start_time: second,
  })
  await committed(`/v1/bookings/${String(moved['booking_id'])}/cancel`, { reason: 'ill' })
  const client = await committed('/v1/clients', CLIENT)
  const intake = await committed(`/v1/clients/${String(client['client_id'])}/intake`, {
    answers: { primary_goal: 'retirement', notes: 'Call 212-555-0147.' },
  })
  // Whoever has the address can pay: it is given to the caller, and not kept with the records.
  const { url, ...link } = await committed('/v1/payment-links', { invoice_id: 'in_mock_open' })
  expect(url).toContain('/mock/checkout/in_mock_open')

  const answers: Record<string, Record<string, unknown>> = {
    [`booking:${String(booking['booking_id'])}`]: booking,
    [`booking:${String(moved['booking_id'])}`]: moved,
    [`client:${String(client['client_id'])}`]: client,
    [`intake:${String(client['client_id'])}:${String(intake['intake_id'])}`]: intake,
    [`payment_link:${String(link['payment_link_id'])}`]: link,
  }
  for (const [key, answer] of Object.entries(answers)) {
    expect(await kept(key)).toEqual({ ...answer, mode: 'mock', recorded_at: expect.any(String) })
  }
  expect(await kept(`booking:${String(booking['booking_id'])}:end`)).toMatchObject({
    state: 'cancelled',
    next_booking_id: moved['booking_id'],
  })
  expect(await kept(`booking:${String(moved['booking_id'])}:end`)).toMatchObject({ state: 'cancelled' })
  expect((await env.RECORDS.list()).keys).toHaveLength(Object.keys(answers).length + 2)
})

it('are shown in an intake preview, and never decide that a client exists', async () => {
  const { client_id } = await committed('/v1/clients', CLIENT)
  const intake = { answers: { primary_goal: 'other' }, confirm: false }
  const path = `/v1/clients/${String(client_id)}/intake`
  await kept(`client:${String(client_id)}`)
  expect((await send(path, crypto.randomUUID(), intake)).body['preview']).toMatchObject({
    display_name: 'J. Z.',
  })

  await env.RECORDS.delete(`client:${String(client_id)}`)
  const withoutRecord = await send(path, crypto.randomUUID(), intake)
  expect([withoutRecord.status, withoutRecord.body['preview']]).toEqual([
    200,
    expect.objectContaining({ display_name: null, entity_type: null }),
  ])
})

it('end a client by a tombstone', async () => {
  const { client_id } = await committed('/v1/clients', CLIENT)
  await kept(`client:${String(client_id)}`)
  await env.RECORDS.put(`client:${String(client_id)}`, JSON.stringify({ deleted: true }))
  const intake = { answers: { primary_goal: 'other' }, confirm: false }
  const reply = await send(`/v1/clients/${String(client_id)}/intake`, crypto.randomUUID(), intake)
  expect(reply.body.code).toBe('client_not_found')
})
