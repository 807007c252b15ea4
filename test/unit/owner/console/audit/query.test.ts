import { describe, expect, test } from 'vitest'

import { AUDIT_EVENTS } from '../../../../../src/core/domain/audit/entry.ts'
import {
  EVENT_GROUPS,
  auditAddress,
  filtersIn,
  placeIn,
  questionOf,
} from '../../../../../src/owner/console/audit/query.ts'

const ZONE = 'America/New_York'
const asked = (query: string) => questionOf(filtersIn(new URLSearchParams(query)), ZONE)

test('an address without filters asks for the changes, and one with an empty filter for everything', () => {
  expect(asked('')).toEqual({ question: { events: EVENT_GROUPS['changes'] } })
  expect(asked('after=17.e1')).toEqual({ question: { events: EVENT_GROUPS['changes'] } })
  expect(asked('event=')).toEqual({ question: {} })
  for (const query of ['', 'event=', 'event=system']) {
    const filters = filtersIn(new URLSearchParams(query))
    const { searchParams } = new URL(auditAddress(filters), 'http://localhost')
    expect(filtersIn(searchParams)).toEqual(filters)
  }
})

test('each kind of entry is a change, a rule or of the system', () => {
  const all = [...EVENT_GROUPS['changes']!, 'rules', ...EVENT_GROUPS['system']!]
  expect(all.toSorted()).toEqual(Object.keys(AUDIT_EVENTS).toSorted())
  expect(EVENT_GROUPS['system']).toContain('log_key')
})

test('days are those of the practice, the last one whole, whatever the clock does in between', () => {
  expect(asked('from=2026-11-01&to=2026-11-01')).toEqual({
    question: { from: Date.parse('2026-11-01T04:00:00Z'), to: Date.parse('2026-11-02T05:00:00Z') },
  })
  expect(asked('from=2027-03-14&to=2027-03-14')).toEqual({
    question: { from: Date.parse('2027-03-14T05:00:00Z'), to: Date.parse('2027-03-15T04:00:00Z') },
  })
})

test.each([
  ['bk_mock_1', { record_id: 'bk_mock_1' }],
  ['a'.repeat(64), { operation_id: 'a'.repeat(64) }],
  ['3b2f0f4e-3c0f-4a55-9d0b-0e5a3f6f7c11', { request_id: '3b2f0f4e-3c0f-4a55-9d0b-0e5a3f6f7c11' }],
])('the id %s is looked for where it can stand', (id, question) => {
  expect(asked(`id=${id}`)).toEqual({ question })
})

describe('an address is refused at the field', () => {
  test.each([
    ['event=everything', 'event'],
    ['from=2026-02-30', 'from'],
    ['from=yesterday', 'from'],
    ['to=2026-13-01', 'to'],
    ['from=2026-11-02&to=2026-11-01', 'to'],
    ['code=No%20code', 'code'],
    ['id=jordan@example.com', 'id'],
    ['caller=jordan@example.com', 'caller'],
    ['operation=DROP', 'operation'],
  ])('that asks for %s', (query, name) => {
    const answer = asked(query)
    expect('errors' in answer && Object.keys(answer.errors)).toEqual([name])
    expect(JSON.stringify(answer)).not.toMatch(/jordan|yesterday|everything|DROP/)
  })
})

test('the way to older entries keeps the filters and says after which entry', () => {
  const filters = filtersIn(new URLSearchParams('event=commit&caller=key:two'))
  const address = auditAddress(filters, { after: { at: 17, id: 'e1' } })
  expect(address).toBe('/owner/audit?event=commit&caller=key%3Atwo&after=17.e1')
  const given = new URL(address, 'http://localhost').searchParams
  expect(filtersIn(given)).toEqual(filters)
  expect(placeIn(given)).toEqual({ after: { at: 17, id: 'e1' } })
  expect(placeIn(new URLSearchParams('before=17.e1'))).toEqual({ before: { at: 17, id: 'e1' } })
  expect(placeIn(new URLSearchParams('after=x'))).toBe(undefined)
})
