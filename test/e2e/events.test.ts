import { beforeAll, describe, expect, test, vi } from 'vitest'

import { TOPICS } from '../../src/core/domain/events/topics.ts'
import { READ_SCOPES } from '../../src/core/domain/scopes.ts'
import { AGENTS } from '../support/agents.ts'
import { type Caller } from '../support/connector.ts'
import { connectorForAll } from '../support/started.ts'
import { ZONE, callerWith, done, freeStarts } from '../support/transports.ts'

const NAME = 'Robin Castle'
const EMAIL = 'robin.castle@practice-guests.example'

interface Events {
  events: { id: string; type: string; data: Record<string, string> }[]
  next_cursor: string
  truncated: boolean
}

const connector = connectorForAll()

async function read(query = '', caller: Caller = connector) {
  const reply = await caller.rest(`/v1/events${query}`)
  expect([reply.status, reply.text]).toEqual([
    200,
    expect.not.stringMatching(/robin|castle|practice-guests|\*\*\*|R\. C\./i),
  ])
  return { ...reply, body: reply.body as unknown as Events }
}

const typesOf = ({ body }: { body: Events }) => body.events.map(({ type }) => type)

/** The change of a client, from the first event to the last, over both faces. */
async function changes() {
  const [start_time = '', later = ''] = await freeStarts(connector)
  const invitee = { timezone: ZONE, invitee_email: EMAIL, invitee_name: NAME }
  const { result: booked } = await done(connector, 'REST', 'book_consult', {
    ...invitee,
    start_time,
  })
  const move = { booking_id: booked['booking_id'], start_time: later }
  const { result: moved } = await done(connector, AGENTS[0], 'reschedule_booking', move)
  const reason = `${NAME} is ill.`
  await done(connector, 'REST', 'cancel_booking', { booking_id: moved['booking_id'], reason })
  const profile = { entity_type: 'individual', display_name: NAME, contact_email: EMAIL }
  const { result: client } = await done(connector, AGENTS[0], 'create_client_profile', profile)
  const answers = { primary_goal: 'retirement', notes: `Write to ${EMAIL}.` }
  await done(connector, 'REST', 'submit_intake_answers', {
    client_id: client['client_id'],
    answers,
  })
  await done(connector, 'REST', 'create_payment_link', { invoice_id: 'in_mock_open' })
  const deleted = await connector.rest(`/v1/clients/${String(client['client_id'])}`, {
    method: 'DELETE',
  })
  expect(deleted.status).toBe(200)
}

describe('the events', () => {
  const ALL = [
    'booking.created',
    'booking.rescheduled',
    'booking.cancelled',
    'client.created',
    'intake.submitted',
    'payment_link.created',
    'client.deleted',
  ]
  let before: string

  beforeAll(async () => {
    before = (await read()).body.next_cursor
    await changes()
    await vi.waitFor(async () => expect(typesOf(await read())).toHaveLength(ALL.length), 5000)
  })

  test('are those of the read scopes that a caller holds, and no others', async () => {
    for (const scope of READ_SCOPES) {
      const caller = await callerWith(connector, [scope])
      const allowed = ALL.filter((type) => TOPICS[type as keyof typeof TOPICS].scope === scope)
      expect([scope, typesOf(await read('', caller))]).toEqual([scope, allowed])
      expect([scope, typesOf(await read(`?cursor=${before}`, caller))]).toEqual([scope, allowed])
    }
    const writer = await callerWith(connector, ['bookings:write', 'clients:write'])
    expect((await read('', writer)).body.events).toEqual([])
  })

  test('of a topic are refused to a caller without its scope, even by a cursor that someone else was given', async () => {
    const { body } = await read('?type=client.created')
    const caller = await callerWith(connector, ['bookings:read'])
    for (const query of ['?type=client.created', `?cursor=${body.next_cursor}`]) {
      const reply = await caller.rest(`/v1/events${query}`)
      expect([reply.status, reply.body]).toMatchObject([
        403,
        { code: 'insufficient_scope', required_scope: 'clients:read' },
      ])
    }
    const samples = await caller.rest('/v1/events/samples?type=client.created')
    expect(samples.status).toBe(403)
  })
})
