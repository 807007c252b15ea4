import { beforeAll, describe, expect, test } from 'vitest'

import { AGENTS } from '../support/agents.ts'
import type { Body, Caller } from '../support/connector.ts'
import { connectorForAll } from '../support/started.ts'
import { ZONE, callerWith, done, freeStarts, newKey } from '../support/transports.ts'

const EMAIL = 'zebulon.quill@client.example.com'
const PERSONAL = /zebulon|quill|client\.example/i

/** A kind that is confirmed at once, and one whose bookings wait for the practice. */
const connector = connectorForAll({
  vars: {
    EVENT_TYPES: JSON.stringify({
      consult: { id: 'mock_consult' },
      review: { id: 'request_review' },
    }),
  },
})

let responder: Caller
let reader: Caller
let starts: string[]
beforeAll(async () => {
  responder = await callerWith(connector, ['bookings:respond'])
  reader = await callerWith(connector, ['bookings:read'])
  starts = await freeStarts(connector)
})

async function requested(at: number, event_type = 'review'): Promise<string> {
  const fields = { timezone: ZONE, invitee_email: EMAIL, start_time: starts[at], event_type }
  const made = await done(connector, 'REST', 'book_consult', fields)
  if (event_type === 'review') {
    expect(made.preview.warnings).toContainEqual(expect.stringContaining('has to accept'))
    expect(made.result['state']).toBe('pending_host_approval')
  }
  return String(made.result['booking_id'])
}

/** A preview and its commit, over REST or as a tool. */
async function answered(
  booking_id: string,
  fields: object,
  agent?: (typeof AGENTS)[number],
): Promise<{ preview: Body; commit: Body; texts: string }> {
  const key = newKey()
  const texts: string[] = []
  const send = async (more: object): Promise<Body> => {
    const all = { ...fields, ...more }
    const { body, text } =
      agent === undefined
        ? await responder.rest(`/v1/bookings/${booking_id}/respond`, { body: all, key })
        : await responder.mcp(
            'respond_to_booking',
            { ...all, booking_id, idempotency_key: key },
            agent,
          )
    texts.push(text)
    return body
  }
  const preview = await send({ confirm: false })
  const { confirmation_token } = preview
  const commit = await send({ confirm: true, confirmation_token })
  return { preview, commit, texts: texts.join('\n') }
}

const stateOf = async (id: string) =>
  (await reader.rest(`/v1/bookings/${id}`)).body.booking?.['state']

const eventsOf = async (id: string) => {
  const { text } = await reader.rest('/v1/events?limit=100')
  const { events } = JSON.parse(text) as {
    events: { type: string; data: Record<string, string> }[]
  }
  return events.filter(({ data }) => data['booking_id'] === id)
}

describe('a booking that waits for the practice', () => {
  test.each([undefined, ...AGENTS].map((agent, at) => [agent ?? 'REST', agent, at] as const))(
    'is accepted over %s, after a preview that changes nothing',
    async (_face, agent, at) => {
      const id = await requested(at)
      expect(await stateOf(id)).toBe('pending_host_approval')
      const { preview, commit, texts } = await answered(id, { decision: 'accept' }, agent)
      expect(preview).toMatchObject({
        status: 'preview',
        preview: { booking_id: id, decision: 'accept', state: 'pending_host_approval' },
      })
      expect(commit).toMatchObject({
        status: 'committed',
        result: { booking_id: id, decision: 'accept', state: 'confirmed' },
      })
      expect(await stateOf(id)).toBe('confirmed')
      expect(texts).not.toMatch(PERSONAL)
    },
  )

  test('is listed among those that wait, and no more once it is accepted, which is an event', async () => {
    const id = await requested(8)
    const waiting = async () =>
      (await reader.rest('/v1/bookings?days=30&state=pending_host_approval')).body.bookings?.map(
        ({ booking_id }) => booking_id,
      )
    expect(await waiting()).toContain(id)
    await answered(id, { decision: 'accept' })
    expect(await waiting()).not.toContain(id)
    await expect
      .poll(async () => (await eventsOf(id)).map(({ type, data }) => [type, data['source']]))
      .toEqual([
        ['booking.created', 'connector'],
        ['booking.confirmed', 'connector'],
      ])
  })
})
