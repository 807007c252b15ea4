import { describe, expect, test } from 'vitest'

import { parsed, readArguments } from '../../../../src/api/mcp/arguments.ts'
import { bookConsult } from '../../../../src/practice/operations/book-consult.ts'
import { listAvailability } from '../../../../src/practice/operations/list-availability.ts'
import { requestSchema } from '../../../../src/practice/operations/schemas.ts'
import { submitIntakeAnswers } from '../../../../src/practice/operations/submit-intake-answers.ts'

const ZONE = 'America/New_York'
const read = (operation: typeof bookConsult, given: Record<string, unknown>) =>
  readArguments(requestSchema(operation), given, ZONE)
const window = (given: Record<string, unknown>) =>
  readArguments(listAvailability.input, given, ZONE)

describe('what a host wrote as text is read where its field has one meaning', () => {
  test.each([
    ['true', true],
    ['True', true],
    ['FALSE', false],
    ['yes', 'yes'],
    ['1', '1'],
    ['', ''],
    [' true', ' true'],
    [1, 1],
  ])('confirm %j is %j', (given, meant) =>
    expect(read(bookConsult, { confirm: given })).toEqual({ confirm: meant }),
  )

  test.each([
    ['5', 5],
    ['5.0', 5],
    [' 5 ', 5],
    ['5\n', 5],
    ['-5', -5],
    ['5e0', '5e0'],
    ['0x5', '0x5'],
    ['05', '05'],
    ['five', 'five'],
    ['', ''],
  ])('a household of %j is %j', (given, meant) =>
    expect(read(submitIntakeAnswers, { answers: { household_members: given } })).toMatchObject({
      answers: { household_members: meant },
    }),
  )

  test('answers as a JSON text, with their own scalars; anything else stays a text', () => {
    const answers = { has_existing_cpa: 'true', household_members: '3', notes: 'true' }
    const meant = { has_existing_cpa: true, household_members: 3, notes: 'true' }
    expect(read(submitIntakeAnswers, { answers: JSON.stringify(answers) })).toMatchObject({
      answers: meant,
    })
    expect(read(submitIntakeAnswers, { answers })).toMatchObject({ answers: meant })
    for (const text of ['[1]', '"x"', '{', '{"notes":"a","notes":"b"}', 'null'])
      expect(read(submitIntakeAnswers, { answers: text })).toMatchObject({ answers: text })
  })

  test.each([
    ['5', 5],
    ['5.0', 5],
    [' 5 ', 5],
    ['five', 'five'],
    ['1e1', '1e1'],
  ])('a limit of %j is %j, as any other number', (limit, meant) =>
    expect(window({ limit })).toEqual({ limit: meant }),
  )

  test('the objects of a list, also where each of them came as text', () => {
    const one = { question: 'Why?', answer: 'true' }
    const meant = { answers: [one, one] }
    const text = JSON.stringify(one)
    for (const answers of [[one, text], [text, text], JSON.stringify([text, one])])
      expect(read(bookConsult, { answers })).toMatchObject(meant)
    const doubled = '{"question":"a","question":"b"}'
    for (const answers of [[doubled], ['Why?'], [null], [5]])
      expect(read(bookConsult, { answers })).toMatchObject({ answers })
  })

  test('null as text is left out where a field may be, and is no free text', () => {
    const fields = {
      event_type: 'null',
      phone: ' null ',
      answers: 'null',
      confirmation_token: 'null',
    }
    expect(read(bookConsult, { ...fields, confirm: 'true' })).toEqual({ confirm: true })
    expect(window({ timezone: 'null', limit: 'null', start_time: 'null' })).toEqual({})
    const kept = { invitee_name: 'null', timezone: 'null', event_type: 'NULL', confirm: 'null' }
    expect(read(bookConsult, kept)).toEqual(kept)
    const answers = { tax_situation: 'null', household_members: 'null', notes: 'null' }
    expect(read(submitIntakeAnswers, { answers })).toMatchObject({ answers: { notes: 'null' } })
  })

  test('a list as a JSON text, unless a name in it comes twice', () => {
    expect(parsed('[1,2]', Array.isArray)).toEqual([1, 2])
    expect(parsed('[{"a":1,"a":2}]', Array.isArray)).toBe('[{"a":1,"a":2}]')
    expect(parsed('{}', Array.isArray)).toBe('{}')
    expect(parsed(5, Array.isArray)).toBe(5)
  })
})

test('a field that is left out, or null, gets the default that its schema names, and no other', () => {
  const given = { invitee_email: 'jordan@example.com' }
  expect(read(bookConsult, given)).toEqual({ ...given, confirm: false })
  expect(read(bookConsult, { ...given, confirm: null })).toEqual({ ...given, confirm: false })
  expect(read(bookConsult, { ...given, confirm: true })).toEqual({ ...given, confirm: true })
})

describe('times', () => {
  test('without an offset are those of the zone that the call names, not of the practice', () => {
    const start_time = '2026-12-01T10:00:00'
    const timezone = 'America/Los_Angeles'
    expect(read(bookConsult, { start_time, timezone })).toMatchObject({
      start_time: '2026-12-01T18:00:00Z',
      timezone,
    })
    expect(read(bookConsult, { start_time })).toMatchObject({ start_time })
  })

  test('that are a date are the day of the practice as a window, and no start of a consult', () => {
    const day = '2026-12-01'
    expect(window({ start_time: day, end_time: day })).toEqual({
      start_time: '2026-12-01T05:00:00Z',
      end_time: '2026-12-02T05:00:00Z',
    })
    expect(read(bookConsult, { start_time: day, timezone: ZONE })).toMatchObject({
      start_time: day,
    })
  })

  test('are read in their own fields alone: a name that looks like a time stays a name', () => {
    const time = '2026-12-01 10:00'
    expect(read(bookConsult, { invitee_name: time, timezone: ZONE, other: time })).toMatchObject({
      invitee_name: time,
      other: time,
    })
  })
})
