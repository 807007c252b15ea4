import { describe, expect, test } from 'vitest'

import { parsedAs, readArguments } from '../../../../src/api/mcp/arguments.ts'
import { bookConsult } from '../../../../src/practice/operations/book-consult.ts'
import { createClientProfile } from '../../../../src/practice/operations/create-client-profile.ts'
import { createPaymentLink } from '../../../../src/practice/operations/create-payment-link.ts'
import { findInvoices } from '../../../../src/practice/operations/find-invoices.ts'
import { inviteClient } from '../../../../src/practice/operations/invite-client.ts'
import { listAvailability } from '../../../../src/practice/operations/list-availability.ts'
import { requestSchema } from '../../../../src/practice/operations/schemas.ts'
import { submitIntakeAnswers } from '../../../../src/practice/operations/submit-intake-answers.ts'

const ZONE = 'America/New_York'
const read = (operation: Parameters<typeof requestSchema>[0], given: Record<string, unknown>) =>
  readArguments(requestSchema(operation), given, ZONE).fields
const window = (given: Record<string, unknown>) =>
  readArguments(listAvailability.input, given, ZONE).fields

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

  test.each(['Tax-Call', 'tax call', 'TAX_CALL', 'taxCall', 'tax\u2011call\u00a0'])(
    'the kind %j is the one that the practice spells so',
    (event_type) => {
      const kinds = { event_type: ['consult', 'tax-call'] }
      const { input } = listAvailability
      const named = (given: unknown) =>
        readArguments(input, { event_type: given }, ZONE, kinds).fields['event_type']
      expect(named(event_type)).toBe('tax-call')
      for (const other of ['tax', 'calls', '', 5]) expect(named(other)).toBe(other)
    },
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

  test.each([
    ['entity_type', 'S-Corp', 's_corp'],
    ['entity_type', ' Trust ', 'trust'],
    ['entity_type', 'S&C corp', 'S&C corp'],
    ['entity_type', '', ''],
    ['contact_email', 'Jordan Doe <jordan@example.com>', 'jordan@example.com'],
    ['contact_email', 'mailto:jordan@example.com', 'jordan@example.com'],
    ['contact_email', '<jordan@example.com>', 'jordan@example.com'],
    ['contact_email', '[jordan@example.com](mailto:jordan@example.com)', 'jordan@example.com'],
    ['contact_email', '[a@b.com](mailto:c@b.com)', '[a@b.com](mailto:c@b.com)'],
    ['contact_email', 'a@b.com <jordan@example.com>', 'a@b.com <jordan@example.com>'],
    [
      'contact_email',
      'mailto:jordan@example.com?cc=a@b.com',
      'mailto:jordan@example.com?cc=a@b.com',
    ],
    ['display_name', 'Jordan <jordan@example.com>', 'Jordan <jordan@example.com>'],
    ['contact_email', '"jordan@example.com"', 'jordan@example.com'],
    ['timezone', '"America/New_York"', 'America/New_York'],
    ['timezone', '"America/New_York', '"America/New_York'],
    ['timezone', { toString: 1, valueOf: 1 }, { toString: 1, valueOf: 1 }],
    ['confirm', '"true"', '"true"'],
    ['display_name', '"Jordan"', '"Jordan"'],
  ])('of a client %s %j is %j', (name, given, meant) =>
    expect(read(createClientProfile, { [name]: given })).toMatchObject({ [name]: meant }),
  )

  test.each([
    ['annual_revenue_band', '$500k – 2M', '500k_2m'],
    ['annual_revenue_band', '500k', '500k'],
    ['tax_situation', 'Multi State', 'multi_state'],
    ['has_existing_cpa', 'Yes', true],
    ['has_existing_cpa', ' Y\n', true],
    ['has_existing_cpa', 'TRUE ', true],
    ['has_existing_cpa', 'n', false],
    ['has_existing_cpa', 'no', false],
    ['has_existing_cpa', 'No.', false],
    ['has_existing_cpa', 'Sí', true],
    ['has_existing_cpa', 'Yes?', 'Yes?'],
    ['has_existing_cpa', 'né', 'né'],
    ['has_existing_cpa', 'no idea', 'no idea'],
    ['has_existing_cpa', 'constructor', 'constructor'],
  ])('the answer %s of %j is %j', (name, given, meant) =>
    expect(read(submitIntakeAnswers, { answers: { [name]: given } })).toMatchObject({
      answers: { [name]: meant },
    }),
  )

  test.each([
    ['time', ['time']],
    ['Time, details', ['time', 'details']],
    ['["time"]', ['time']],
    ['time and details', 'time and details'],
    ['time, phone', 'time, phone'],
    ['', ''],
  ])('a list of options that came as %j is %j', (ask, meant) =>
    expect(read(inviteClient, { ask })).toMatchObject({ ask: meant }),
  )

  test('a list as a JSON text, unless a name in it comes twice', () => {
    expect(parsedAs('[1,2]', Array.isArray)).toEqual([1, 2])
    expect(parsedAs('[{"a":1,"a":2}]', Array.isArray)).toBe('[{"a":1,"a":2}]')
    expect(parsedAs('{}', Array.isArray)).toBe('{}')
    expect(parsedAs(5, Array.isArray)).toBe(5)
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

describe('the keys that a host puts beside the arguments', () => {
  const given = { timezone: 'America/New_York' }
  test.each(['_meta', '_trace_id', '_x', '_session', '_cursor_version', '_progressToken'])(
    '%s is left out',
    (name) =>
      expect(read(bookConsult, { ...given, [name]: 'a' })).toEqual({ ...given, confirm: false }),
  )

  test.each(['_confirm', '_start_time', '_email', '_invitee_nam', '__proto', '__meta', 'meta'])(
    '%s stays, and is refused',
    (name) => expect(read(bookConsult, { ...given, [name]: 'a' })).toHaveProperty(name),
  )

  test('inside a field they stay', () => {
    const answers = { primary_goal: 'other', _meta: {} }
    expect(read(submitIntakeAnswers, { answers })).toMatchObject({ answers })
  })
})

describe('a value that is no text is read where the text is plain', () => {
  const answered = (answer: unknown) =>
    read(bookConsult, { answers: [{ question: 'q', answer }] })['answers']
  test.each([
    [true, 'true'],
    [false, 'false'],
    [3, '3'],
    [0.5, '0.5'],
    [['a', 'b'], 'a\nb'],
    [['LLC'], 'LLC'],
    [null, ''],
  ])('an answer %j', (given, meant) =>
    expect(answered(given)).toEqual([{ question: 'q', answer: meant }]),
  )
  test.each([[[]], [{ a: 1 }], [[{}]], [[true]], [Number.NaN]])('an answer %j stays', (given) =>
    expect(answered(given)).toEqual([{ question: 'q', answer: given }]),
  )

  test.each([
    [2125550147, '2125550147'],
    [4155550173, '4155550173'],
    [12125550147, 12125550147],
    [5550147, 5550147],
    [1125550147, 1125550147],
    [2125550147.5, 2125550147.5],
    [true, true],
    [[2125550147], [2125550147]],
  ])('a telephone number %j is %j', (phone, meant) =>
    expect(read(bookConsult, { phone })).toMatchObject({ phone: meant }),
  )

  test.each([
    [1042, '1042'],
    [0, '0'],
    [2026000123, '2026000123'],
    [2 ** 53 - 1, String(2 ** 53 - 1)],
    [2 ** 53, 2 ** 53],
    [-7, -7],
    [1.5, 1.5],
    [false, false],
  ])('an invoice %j is %j', (invoice_id, meant) => {
    expect(read(createPaymentLink, { invoice_id })).toMatchObject({ invoice_id: meant })
    expect(readArguments(findInvoices.input, { invoice_number: invoice_id }, ZONE).fields).toEqual({
      invoice_number: meant,
    })
  })

  test('and the type in which each came is known by its pointer', () => {
    const sentAs = (given: Record<string, unknown>) =>
      readArguments(requestSchema(bookConsult), given, ZONE).sentAs
    const answers = [true, 'true', 3, ['a'], '3', [{}]].map((answer) => ({ question: 'q', answer }))
    const types = { '/answers/0/answer': 'boolean', '/answers/2/answer': 'number' }
    const all = { ...types, '/answers/3/answer': 'list' }
    expect(sentAs({ answers })).toEqual(all)
    expect(sentAs({ answers: JSON.stringify(answers) })).toEqual(all)
    expect(sentAs({ answers: answers.map((one) => JSON.stringify(one)) })).toEqual(all)
    expect(sentAs({ phone: 2125550147 })).toEqual({ '/phone': 'number' })
    expect(sentAs({ phone: '2125550147', confirm: 'false' })).toEqual({})
  })

  test.each(['invitee_name', 'timezone', 'invitee_email', 'confirmation_token'])(
    'no other text: %s',
    (name) => expect(read(bookConsult, { [name]: 7 })).toMatchObject({ [name]: 7 }),
  )
})
