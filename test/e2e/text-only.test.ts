import { describe, expect, test } from 'vitest'

import { connectorForAll } from '../support/started.ts'
import { startsInText } from '../support/text-answers.ts'
import { newKey } from '../support/transports.ts'

const connector = connectorForAll()

/** What stands behind this name in a text. */
function found(text: string, name: string): string {
  const [, value] = new RegExp(`^${name}: (.+)$`, 'm').exec(text) ?? []
  if (value === undefined) throw new Error(`No ${name} in the text:\n${text}`)
  return value
}

describe.each(['JSON-RPC, 2025-11-25', 'JSON-RPC, 2026-07-28'] as const)(
  'an agent that is shown nothing but text, over %s',
  (agent) => {
    const read = async (tool: string, given: object): Promise<string> => {
      const { text } = await connector.mcp(tool, given, agent)
      return text
    }
    /** Previews and commits by what the texts say, and gives both. */
    async function change(tool: string, fields: object) {
      const key = newKey()
      // Left out, as its default invites, it is a preview.
      const preview = await read(tool, { ...fields, idempotency_key: key })
      expect(preview).toMatch(/^Preview, nothing is changed yet/)
      const token = found(preview, 'confirmation_token')
      const commit = { ...fields, idempotency_key: key, confirm: true, confirmation_token: token }
      const done = await read(tool, commit)
      expect(done).toMatch(/^Done \(mock/)
      const again = done.replace('\n', '\nThis had been done already; it was not done twice.\n')
      expect(await read(tool, commit), 'the repeat').toBe(again)
      return { preview, done }
    }
    /** The first free times, from tomorrow on, none of which can pass while the test runs. */
    async function free(limit: number): Promise<{ times: string[]; timezone: string }> {
      const start_time = new Date(Date.now() + 24 * 60 * 60 * 1000).toISOString()
      const text = await read('list_availability', { start_time, limit })
      const [, timezone = ''] = / in (\w+\/\w+), by date, offset and clock/.exec(text) ?? []
      return { times: startsInText(text), timezone }
    }

    test('books, moves and cancels a consult, onboards a client and gives out a payment link', async () => {
      const { times, timezone } = await free(2)
      const [first, second] = times as [string, string]
      const invitee = {
        invitee_email: 'robin.castle@practice-guests.example',
        invitee_name: 'Robin Castle',
      }
      const booked = await change('book_consult', { start_time: first, timezone, ...invitee })
      expect(found(booked.preview, 'start_time')).toBe(first)
      expect(found(booked.done, 'timezone')).toBe(timezone)
      for (const text of [booked.preview, booked.done])
        expect(found(text, 'location')).toBe('video (mock)')

      const booking_id = found(booked.done, 'booking_id')
      const moved = await change('reschedule_booking', { booking_id, start_time: second })
      expect(found(moved.preview, 'old_start_time')).toBe(first)
      expect(found(moved.done, 'start_time')).toBe(second)
      expect(found(moved.done, 'location')).toBe('video (mock)')

      const movedId = found(moved.done, 'booking_id')
      expect(movedId).not.toBe(booking_id)
      expect(/bk_\w+(?!.*bk_\w)/s.exec(moved.done)?.[0], 'the last id in the text').toBe(movedId)
      const old = { booking_id, idempotency_key: newKey(), confirm: false }
      const gone = await read('cancel_booking', old)
      expect(found(gone, 'booking.booking_id')).toBe(movedId)
      expect(gone).toContain(`Next: Use ${movedId} in place of`)
      const reason = 'The partner is ill: we will call you.'
      const cancelled = await change('cancel_booking', { booking_id: movedId, reason })
      expect(found(cancelled.preview, 'reason')).toBe(reason)
      expect(cancelled.preview).toContain('Note: The reason goes to the client as shown.')
      expect(cancelled.done).not.toContain('partner')
      expect(found(cancelled.done, 'state')).toBe('cancelled')
      expect((await free(2)).times).toEqual(times)

      const profile = { entity_type: 'individual', display_name: 'Robin Castle' }
      const contact_email = 'robin.castle@practice-guests.example'
      const created = await change('create_client_profile', { ...profile, contact_email })
      const client_id = found(created.done, 'client_id')
      const answers = {
        primary_goal: 'retirement',
        household_members: 2,
        notes: 'Mornings.\nclient_id: cl_x',
      }
      const intake = await change('submit_intake_answers', { client_id, answers })
      expect(found(intake.preview, 'answers.household_members')).toBe('2')
      expect(found(intake.preview, 'client_id')).toBe(client_id)
      expect(found(intake.done, 'answers.notes')).toBe('"Mornings.\\nclient_id: cl_x"')

      const link = await change('create_payment_link', { invoice_id: 'in_mock_open' })
      expect(found(link.preview, 'amount_display')).toBe('$250.00')
      for (const text of [link.preview, link.done])
        expect(text).not.toMatch(/^(amount|currency): /m)
      expect(link.preview).toContain(': Create a payment link for $250.00 on invoice MOCK-0001.')
      expect(found(link.done, 'payment_link_id')).toMatch(/^pl_/)
      expect(found(link.done, 'url')).toMatch(/^http:.*\/mock\/checkout\//)
      const texts = [booked, moved, cancelled, created, intake, link].flatMap(
        ({ preview, done }) => [preview, done],
      )
      for (const text of texts)
        expect(text).not.toMatch(/Robin|Castle|practice-guests|[{}]|undefined/)
    })

    test('whose time is taken books one of those that the refusal names', async () => {
      const { times, timezone } = await free(1)
      const invitee = { timezone, invitee_email: 'robin@practice-guests.example' }
      await change('book_consult', { start_time: times[0], ...invitee })
      const taken = { start_time: times[0], ...invitee, idempotency_key: newKey(), confirm: false }
      const text = await read('book_consult', taken)
      expect(text).toContain('(slot_unavailable)')
      const nearby = startsInText(text)
      expect(nearby).toHaveLength(3)
      expect(nearby).not.toContain(times[0])
      const booked = await change('book_consult', { start_time: nearby[0], ...invitee })
      expect(found(booked.done, 'start_time')).toBe(nearby[0])
    })

    test('learns from the text of a refusal its code, what is wrong and what to do next', async () => {
      const { times, timezone } = await free(1)
      const booking = {
        start_time: times[0],
        timezone,
        invitee_email: 'robin@practice-guests.example',
      }
      const idempotency_key = newKey()
      const text = await read('book_consult', { ...booking, idempotency_key, confirm: true })
      expect(text).toContain('(confirmation_token_missing)')
      expect(text).toContain('Effect: none.')
      expect(text).toContain('Next: Send the request with confirm=false first')
      const wrong = await read('book_consult', {
        idempotency_key,
        confirm: false,
        start_time: '10 AM',
        nonsense: 1,
      })
      expect(wrong).toContain('- /start_time: Expected an RFC 3339 date-time')
      expect(wrong).toContain(
        '- the request: A field here is not known to this operation. It takes: start_time, timezone, invitee_email, invitee_name, event_type, confirm, confirmation_token, besides idempotency_key.',
      )
      const nulls = {
        invitee_name: null,
        event_type: null,
        confirm: null,
        confirmation_token: null,
      }
      const strict = await read('book_consult', { ...booking, ...nulls, idempotency_key: newKey() })
      expect(strict).toMatch(/^Preview, nothing is changed yet/)
      const masked = { ...booking, invitee_email: found(strict, 'invitee_email') }
      expect(await read('book_consult', { ...masked, idempotency_key: newKey() })).toContain(
        'A masked address cannot be used; ask the person for the address.',
      )
      expect(await read('book_consult', booking)).toContain('(idempotency_key_missing)')
      expect(await read('book_consult', { ...booking, idempotency_key: null })).toContain(
        '(idempotency_key_missing)',
      )
      const unknown = await read('cancel_booking', {
        idempotency_key,
        booking_id: 'bk_none',
        confirm: false,
      })
      expect(unknown).toContain('(booking_not_found)')
    })
  },
)
