import { describe, expect, test } from 'vitest'

import { sharedConnector } from '../support/started.ts'
import {
  EACH_ERA,
  ZONE,
  bookedStarts,
  changeOf,
  done,
  freeStarts,
  instant,
} from '../support/transports.ts'

const EMAIL = 'robin.castle@practice-guests.example'
const NAME = 'Robin Castle'

const timesBooked = async (start: string): Promise<number> =>
  (await bookedStarts(connector)).filter((booked) => booked === instant(start)).length

/** No answer shows more of a person than the mask does. */
const expectMasked = (body: object) => {
  const text = JSON.stringify(body)
  expect(text).not.toMatch(/robin|castle|practice-guests/i)
}

const connector = sharedConnector()

describe.each(EACH_ERA)('over %s', (face) => {
  const guest = { timezone: ZONE, invitee_email: EMAIL, invitee_name: NAME }
  const isFree = async (start: string) => (await freeStarts(connector, face)).includes(start)

  test('a consult is found, booked, moved and cancelled, and every time that is given up is free again', async () => {
    const [first, second] = (await freeStarts(connector, face)) as [string, string]

    const booked = await done(connector, face, 'book_consult', { ...guest, start_time: first })
    const masked = { invitee_email: 'r***@***.example', invitee_name: 'R. C.' }
    const preview = { start_time: first, timezone: ZONE, ...masked }
    expect(booked.preview).toMatchObject({ status: 'preview', mode: 'mock', preview })
    expect(booked.committed).toMatchObject({
      status: 'committed',
      operation: 'book_consult',
      mode: 'mock',
    })
    expect(booked.result).toMatchObject({
      booking_id: expect.stringMatching(/^bk_mock_/) as string,
      state: 'confirmed',
      start_time: first,
    })
    expectMasked([booked.preview, booked.committed])
    expect(await isFree(first)).toBe(false)
    const { body: read } = await connector.rest(
      `/v1/bookings/${String(booked.result['booking_id'])}`,
    )
    expect(read).toMatchObject({ booking: { state: 'confirmed', made_here: true } })
    expectMasked(read)
    expect(await timesBooked(first)).toBe(1)

    const other = { ...guest, invitee_email: 'other@example.com', start_time: first }
    const again = await changeOf(connector, 'book_consult', other).preview(face)
    expect(again).toMatchObject({ status: 409, body: { code: 'slot_unavailable', effect: 'none' } })

    const booking_id = String(booked.result['booking_id'])
    const moved = await done(connector, face, 'reschedule_booking', {
      booking_id,
      start_time: second,
    })
    expect(moved.preview.preview).toMatchObject({
      booking_id,
      old_start_time: first,
      start_time: second,
    })
    const kept = { previous_booking_id: booking_id, start_time: second, state: 'confirmed' }
    expect(moved.result).toMatchObject(kept)
    expect(moved.result['booking_id']).toMatch(/^bk_mock_/)
    expect(moved.result['booking_id']).not.toBe(booking_id)
    expectMasked([moved.preview, moved.committed])
    expect(await isFree(first)).toBe(true)
    expect(await isFree(second)).toBe(false)

    const newId = String(moved.result['booking_id'])
    const reason = 'The partner is ill, write to robin.castle@practice-guests.example'
    const cancelled = await done(connector, face, 'cancel_booking', { booking_id: newId, reason })
    const sent = 'The partner is ill, write to [email]'
    expect(cancelled.preview.preview).toMatchObject({
      booking_id: newId,
      state: 'confirmed',
      reason: sent,
    })
    expect(cancelled.result).toMatchObject({ booking_id: newId, state: 'cancelled' })
    expect(JSON.stringify(cancelled.committed)).not.toContain('partner')
    expectMasked([cancelled.preview, cancelled.committed])
    expect(await isFree(second)).toBe(true)
    expect([await timesBooked(first), await timesBooked(second)]).toEqual([0, 0])

    for (const gone of [booking_id, newId]) {
      const repeat = await changeOf(connector, 'cancel_booking', { booking_id: gone }).preview(face)
      expect(repeat).toMatchObject({
        status: 409,
        body: { code: 'booking_not_active', effect: 'none' },
      })
    }
  })

  test('a client is created, answers the intake, and gets a payment link to a page that says it is a mock', async () => {
    const profile = { entity_type: 's_corp', display_name: NAME, contact_email: EMAIL }
    const client = await done(connector, face, 'create_client_profile', profile)
    expect(client.result).toMatchObject({
      client_id: expect.stringMatching(/^cl_mock_/) as string,
      entity_type: 's_corp',
      display_name: 'R. C.',
      contact_email: 'r***@***.example',
      timezone: 'America/New_York',
    })

    const answers = {
      primary_goal: 'tax_planning',
      household_members: 3,
      has_existing_cpa: false,
      notes: `Write to ${EMAIL} in the morning.`,
    }
    const { client_id } = client.result
    const intake = await done(connector, face, 'submit_intake_answers', { client_id, answers })
    expect(intake.preview.preview).toMatchObject({
      client_id,
      entity_type: 's_corp',
      display_name: 'R. C.',
    })
    const shown = intake.preview.preview!['answers'] as object
    expect(intake.result).toMatchObject({ client_id, state: 'submitted', answers: shown })
    expect(intake.result['answers']).toMatchObject({
      primary_goal: 'tax_planning',
      household_members: 3,
    })
    expectMasked([client.preview, client.committed, intake.preview, intake.committed])

    const link = await done(connector, face, 'create_payment_link', { invoice_id: 'in_mock_open' })
    expect(link.preview.preview).toMatchObject({
      invoice_status: 'open',
      amount: 25_000,
      currency: 'usd',
      amount_display: '$250.00',
      due_date: '2030-01-15',
      due_date_text: 'Tuesday, January 15, 2030',
    })
    expect(link.result).toMatchObject({
      invoice_id: 'in_mock_open',
      amount: 25_000,
      state: 'active',
    })
    const url = new URL(String(link.result['url']))
    expect(url.origin).toBe(connector.url)
    const page = await connector.rest(url.pathname)
    expect(page.status).toBe(200)
    expect(page.headers.get('Content-Type')).toMatch(/^text\/html/)
    expect(page.text).toContain('Mock payment page')
    expect(page.text).toContain('No money can be paid here')
    expect(page.text).toContain('$250.00')
  })
})
