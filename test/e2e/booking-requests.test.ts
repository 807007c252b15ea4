import { expect, test } from 'vitest'

import { connectorForAll } from '../support/started.ts'
import { ZONE, callerWith, done, freeStarts, newKey } from '../support/transports.ts'

const EMAIL = 'zebulon.quill@client.example.com'
const PERSONAL = /zebulon|quill|client\.example/i

/** The bookings of the second kind wait for the practice. */
const EVENT_TYPES = { consult: { id: 'mock_consult' }, review: { id: 'request_review' } }
const connector = connectorForAll({ vars: { EVENT_TYPES: JSON.stringify(EVENT_TYPES) } })

test('a booking that waits for the practice is listed so until it is accepted, which is an event', async () => {
  const responder = await callerWith(connector, ['bookings:respond'])
  const reader = await callerWith(connector, ['bookings:read'])
  const [start_time] = await freeStarts(connector)
  const fields = { timezone: ZONE, invitee_email: EMAIL, start_time, event_type: 'review' }
  const made = await done(connector, 'REST', 'book_consult', fields)
  expect(made.preview.warnings).toContainEqual(expect.stringContaining('has to accept'))
  expect(made.result['state']).toBe('pending_host_approval')
  const booking_id = String(made.result['booking_id'])
  const waiting = async () =>
    (await reader.rest('/v1/bookings?days=30&state=pending_host_approval')).body.bookings?.map(
      (one) => one['booking_id'],
    )
  expect(await waiting()).toEqual([booking_id])

  const change = { booking_id, decision: 'accept', idempotency_key: newKey() }
  const preview = await responder.mcp('respond_to_booking', { ...change, confirm: false })
  expect(preview.body).toMatchObject({
    status: 'preview',
    preview: { booking_id, decision: 'accept', state: 'pending_host_approval' },
  })
  expect(await waiting()).toEqual([booking_id])
  const { confirmation_token } = preview.body
  const commit = await responder.mcp('respond_to_booking', {
    ...change,
    confirm: true,
    confirmation_token,
  })
  expect(commit.body).toMatchObject({
    status: 'committed',
    result: { booking_id, decision: 'accept', state: 'confirmed' },
  })
  expect(preview.text + commit.text).not.toMatch(PERSONAL)
  expect(await waiting()).toEqual([])
  await expect
    .poll(async () => {
      const { text } = await reader.rest('/v1/events?limit=100')
      const { events } = JSON.parse(text) as {
        events: { type: string; data: Record<string, string> }[]
      }
      return events.map(({ type, data }) => [type, data['booking_id'], data['source']])
    })
    .toEqual([
      ['booking.created', booking_id, 'connector'],
      ['booking.confirmed', booking_id, 'connector'],
    ])
})
