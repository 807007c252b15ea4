import { describe, expect, it } from 'vitest'

import { eventId } from '../../../../../src/core/crypto/encoding.ts'
import {
  TOPICS,
  TOPIC_NAMES,
  clientDeleted,
  eventOf,
  factOf,
  topicRow,
  topicsFor,
} from '../../../../../src/core/domain/events/topics.ts'
import { RECORD_KINDS } from '../../../../../src/core/domain/records.ts'
import {
  BY_NAME_SCOPES,
  READ_SCOPES,
  SCOPES,
  type Scope,
} from '../../../../../src/core/domain/scopes.ts'

const RECORDED = { mode: 'mock', recorded_at: '2026-11-23T14:03:10Z' }
const PERSONAL = {
  invitee_email: 'j***@***.com',
  invitee_name: 'J. D.',
  display_name: 'J. D.',
  contact_email: 'j***@***.com',
  entity_type: 'individual',
  answers: { notes: 'Likes short meetings.' },
  location: '12 Main Street',
  local_time: 'Tuesday',
  invoice_number: 'A-1',
}
const eventFor = (key: string, record: object = {}) =>
  eventOf(key, 'mock', { ...PERSONAL, ...record, ...RECORDED })

describe('an event', () => {
  it.each([
    ['booking:bk_1', {}, 'booking.created'],
    ['booking:bk_2', { previous_booking_id: 'bk_1' }, 'booking.rescheduled'],
    ['booking:bk_1:end', { state: 'cancelled' }, 'booking.cancelled'],
    ['booking:bk_1:end', { next_booking_id: 'bk_2' }, undefined],
    ['client:cl_1', {}, 'client.created'],
    ['intake:cl_1:intake_1', { client_id: 'cl_1' }, 'intake.submitted'],
    ['payment_link:pl_1', { invoice_id: 'in_1' }, 'payment_link.created'],
    ['client_link:cil_1:end', { state: 'completed' }, 'client_link.completed'],
    ['client_link:cil_1:end', { state: 'withdrawn' }, undefined],
    ['client_link:cil_1', {}, undefined],
  ])('of the record %s with %o is %s', (key, record, type) => {
    expect(eventFor(key, record)?.type).toBe(type)
  })

  it('is made of every kind of record', () => {
    for (const { key } of Object.values(RECORD_KINDS)) expect(() => eventFor(key)).not.toThrow()
  })

  it('has only ids, states and times, whatever the record holds', () => {
    const record = {
      state: 'completed',
      event_type: 'consult',
      start_time: '2026-11-24T10:00:00-05:00',
      end_time: '2026-11-24T10:30:00-05:00',
      timezone: 'America/New_York',
      previous_booking_id: 'bk_0',
      client_id: 'cl_1',
      intake_id: 'intake_1',
      booking_id: 'bk_1',
      invoice_id: 'in_1',
      invoice_status: 'open',
      amount_remaining: 25_000,
      amount_paid: 0,
      amount: 25_000,
      currency: 'usd',
    }
    for (const { key } of Object.values(RECORD_KINDS)) {
      const event = eventFor(key, record)
      if (key === RECORD_KINDS.client_link.key) continue
      if (!event)
        throw new Error(`${key} has no event: give it a topic in src/core/domain/events/topics.ts`)
      expect([key, Object.keys(event.data)]).toEqual([key, topicRow(event.type).fields])
      const text = JSON.stringify(event)
      for (const value of Object.values(PERSONAL))
        expect([key, text.includes(JSON.stringify(value).replaceAll('"', ''))]).toEqual([
          key,
          false,
        ])
    }
  })

  it('says when its record was made', () => {
    expect(eventFor('client:cl_1')?.timestamp).toBe(RECORDED.recorded_at)
    expect(clientDeleted('cl_1', 'live', Date.parse('2026-11-23T14:03:10.900Z')).timestamp).toBe(
      '2026-11-23T14:03:10Z',
    )
  })
})

describe('the id of an event', () => {
  const idOf = (event = eventFor('client:cl_1')!) => eventId(factOf(event), event.mode)

  it('is the same for the same fact, whenever it arrives, and says whether it is a mock', async () => {
    const later = { ...eventFor('client:cl_1')!, timestamp: '2027-01-01T00:00:00Z' }
    expect(await idOf(later)).toBe(await idOf())
    expect(await idOf()).toMatch(/^evt_mock_[\w-]{22}$/)
    expect(await idOf({ ...later, mode: 'live' })).toBe((await idOf()).replace('mock_', ''))
  })

  it('is another for another topic and for another record', async () => {
    const events = [
      eventFor('client:cl_1')!,
      eventFor('client:cl_2')!,
      clientDeleted('cl_1', 'mock', 0),
      eventFor('booking:bk_1')!,
      eventFor('booking:bk_1:end')!,
      eventFor('booking:bk_1', { previous_booking_id: 'bk_0' })!,
      eventFor('intake:cl_1:intake_1', { client_id: 'cl_1' })!,
    ]
    expect(new Set(await Promise.all(events.map(idOf))).size).toBe(events.length)
  })
})

describe('a topic', () => {
  it.each(TOPIC_NAMES)(
    '%s has a sample with just its fields, and a path that one of them fills',
    (topic) => {
      const { sample, fields, path } = topicRow(topic)
      expect(Object.keys(sample).toSorted()).toEqual(fields.toSorted())
      for (const [, name] of path?.matchAll(/\{(\w+)\}/g) ?? []) expect(fields).toContain(name)
    },
  )

  it('can be read with its own scope, which reads or is the owner’s, and with no other', () => {
    for (const topic of TOPIC_NAMES)
      expect([...READ_SCOPES, ...BY_NAME_SCOPES, 'admin']).toContain(TOPICS[topic].scope)
    for (const scope of Object.keys(SCOPES) as Scope[])
      expect(topicsFor([scope])).toEqual(
        TOPIC_NAMES.filter((topic) => TOPICS[topic].scope === scope),
      )
    expect(topicsFor([])).toEqual([])
  })
})
