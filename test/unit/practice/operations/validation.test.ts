import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'

import { answersSchema } from '../../../../src/core/domain/intake.ts'
import { Problem, type Refusal } from '../../../../src/core/domain/problem/problem.ts'
import { JsonMistake } from '../../../../src/practice/operations/hints.ts'
import { rulesSchema } from '../../../../src/practice/operations/house-rules.ts'
import {
  isIdempotencyKey,
  keyProblem,
} from '../../../../src/practice/operations/idempotency-key.ts'
import {
  MUTATIONS,
  mutationNamed,
  OPERATIONS,
  PAGE_MUTATIONS,
} from '../../../../src/practice/operations/index.ts'
import { listAvailability } from '../../../../src/practice/operations/list-availability.ts'
import { requestSchema } from '../../../../src/practice/operations/schemas.ts'
import { checkInput, formsOf, parseInput } from '../../../../src/practice/operations/validation.ts'
import { newWebhookInput } from '../../../../src/practice/operations/webhooks.ts'
import { BOOKING, CLIENT } from '../../core/confirm/caller.ts'

const FALSE_AS_TEXT =
  'Expected true or false; it came as text: send false or true without quotes (in Zapier use ' +
  'Webhooks > Custom Request, in Make HTTP with the body as JSON, in n8n HTTP Request with ' +
  'Specify Body: Using JSON).'
const NOT_BLANK = 'Required: expected a text that shows something.'

const schemaOf = (operation: (typeof OPERATIONS)[number]) =>
  operation.kind === 'mutation' ? requestSchema(operation) : operation.input

function refusalOf(
  name: string,
  fields: unknown,
  path?: Record<string, string>,
): Refusal | undefined {
  try {
    const asked = OPERATIONS.find((operation) => operation.name === name)!
    const unlisted = asked.unlisted?.(undefined).input
    parseInput(schemaOf(asked), fields, { path, unlisted })
    return undefined
  } catch (thrown) {
    if (thrown instanceof Problem) return thrown.refusal
    throw thrown
  }
}
const errorsOf = (name: string, fields: unknown, path?: Record<string, string>) =>
  refusalOf(name, fields, path)?.errors

const book = { ...BOOKING, confirm: false }
const client = { ...CLIENT, confirm: false }
const intake = (answers: object) => ({ client_id: 'cl_1', confirm: false, answers })

describe('an object that no text can be made of is refused where it stands', () => {
  /** As deep as a request of the largest size can be. */
  const nested = (open: string, close: string): unknown =>
    JSON.parse(
      `${open.repeat(32_000 / (open + close).length)}1${close.repeat(32_000 / (open + close).length)}`,
    )
  const UNPRINTABLE: unknown[] = [
    { toString: {} },
    { length: { toString: 1 } },
    { length: { toString: null, valueOf: {} }, size: { toString: {} } },
    { length: { length: { toString: {} } } },
    [{ length: { toString: [] } }],
    { length: { toString: 1 }, deep: nested('[', ']') },
    { length: { toString: 1 }, deep: nested('{"a":', '}') },
  ]
  test.each(OPERATIONS.map((operation) => [operation.name, operation] as const))(
    'in each field of %s',
    (name, operation) => {
      for (const field of Object.keys(schemaOf(operation).shape))
        for (const value of UNPRINTABLE)
          expect(errorsOf(name, { [field]: value }), field).toContainEqual(
            expect.objectContaining({ pointer: expect.stringMatching(`^/${field}(/|$)`) }),
          )
    },
  )

  test('and one refusal of it names one fault', () => {
    const invitee_name = { length: { toString: {} } }
    expect(errorsOf('book_consult', { ...book, invitee_name })).toEqual([
      { pointer: '/invitee_name', detail: 'Expected a string.' },
    ])
  })
})

describe('a field that is wrong is named by its pointer, with what was expected', () => {
  const inBooking = (
    field: string,
    value: unknown,
    detail: string,
  ): [string, unknown, string, string] => [
    'book_consult',
    { ...book, [field]: value },
    `/${field}`,
    detail,
  ]
  const ENTITY_TYPES =
    'Expected one of: individual, joint, trust, llc, s_corp, c_corp, partnership, estate.'
  test.each<[string, unknown, string, string]>([
    inBooking('confirm', undefined, 'Required: expected true or false.'),
    inBooking('invitee_email', 'jordan', 'Expected one email address, such as name@example.com.'),
    inBooking('invitee_name', 'x'.repeat(201), 'Expected at most 200 characters.'),
    ['create_client_profile', { ...client, display_name: '' }, '/display_name', NOT_BLANK],
    ['create_payment_link', { invoice_id: ' ', confirm: false }, '/invoice_id', NOT_BLANK],
    ['create_client_profile', { ...client, entity_type: 'person' }, '/entity_type', ENTITY_TYPES],
    [
      'submit_intake_answers',
      intake({ primary_goal: 'other', household_members: 'N/A' }),
      '/answers/household_members',
      'Expected a number. It may be left out.',
    ],
    [
      'invite_client',
      { event_type: 'intro_consult', ask: null, confirm: false },
      '/ask',
      'Required: expected an array of: details, intake, time.',
    ],
    ['create_payment_link', [], '', 'Expected a JSON object; it came as a list: send one value.'],
    ['create_payment_link', null, '', 'Expected a JSON object.'],
  ])('%s %#', (name, fields, pointer, detail) => {
    expect(refusalOf(name, fields)).toMatchObject({ code: 'validation_failed', effect: 'none' })
    expect(errorsOf(name, fields)).toEqual([{ pointer, detail }])
  })

  test.each(['', { length: 0 }])('a list that is none is measured no further', (events) => {
    const wrong = { url: 'https://hooks.example.com/', events }
    const detail = expect.stringMatching(/^Expected an array of: booking\.created, .*\.$/) as string
    expect(checkInput(newWebhookInput, wrong)).toEqual({ errors: [{ pointer: '/events', detail }] })
  })

  test('a date that does not exist is said to be none, for every bound of a window', () => {
    for (const [operation, field] of [
      ['list_bookings', 'from'],
      ['find_bookings', 'to'],
      ['list_availability', 'start_time'],
    ] as const) {
      const more = operation === 'find_bookings' ? { invitee_email: 'a@example.com' } : {}
      const [error] = errorsOf(operation, { ...more, [field]: '2027-02-29' })!
      expect(error).toMatchObject({
        pointer: `/${field}`,
        detail: expect.stringContaining('; this one names a date that does not exist.'),
      })
    }
  })

  test('all mistakes are reported at once', () =>
    expect(errorsOf('book_consult', {})?.map(({ pointer }) => pointer)).toEqual([
      '/start_time',
      '/timezone',
      '/invitee_email',
      '/confirm',
    ]))

  test('an unknown field is reported at its parent', () => {
    const takes = Object.keys(requestSchema(mutationNamed('book_consult')!).shape).filter(
      (name) => !['answers', 'phone', 'location'].includes(name),
    )
    const detail = `A field here is not known to this operation. The operation takes: ${takes.join(', ')}.`
    expect(errorsOf('book_consult', { ...book, ssn: '1' })).toEqual([{ pointer: '', detail }])
    const entry = { question: 'x', answer: 'y', ssn: '1' }
    expect(errorsOf('book_consult', { ...book, answers: [entry] })).toEqual([
      {
        pointer: '/answers/0',
        detail:
          'A field here is not known to this operation. Each entry of answers takes: question, answer.',
      },
    ])
    const answers = { primary_goal: 'other', shoe_size: 42, hat: 1 }
    const known = Object.keys(answersSchema.shape).join(', ')
    expect(errorsOf('submit_intake_answers', intake(answers))).toEqual([
      {
        pointer: '/answers',
        detail: `2 fields here are not known to this operation. The field answers takes: ${known}.`,
      },
    ])
  })

  test.each([
    ['email', 'invitee_email'],
    ['inviteeEmail', 'invitee_email'],
    ['invitee_emial', 'invitee_email'],
    ['start', 'start_time'],
    ['timeZone', 'timezone'],
    ['new_start_time', 'start_time'],
    ['startTimeLocal', 'start_time'],
    ['confrm', 'confirm'],
    ['invitee_email_Jordan_Doe', 'invitee_email'],
    ['customerEmail', 'invitee_email'],
    ['appointment_type', 'event_type'],
  ])('%s asks for the name that was meant, and does not repeat what was sent', (sent, meant) => {
    const [error] = errorsOf('book_consult', { ...book, [sent]: 'x' }) ?? []
    expect(error?.detail).toMatch(
      new RegExp(
        `^A field here is not known to this operation: did you mean ${meant}\\? The operation takes: `,
      ),
    )
    expect(error?.detail).not.toContain('Jordan')
  })

  test.each(['ssn', '1', 'x'.repeat(5000), '__proto', 'client', 'guest_emails', 'request_token'])(
    '%.9s is like no name that exists',
    (sent) => {
      const [error] = errorsOf('book_consult', { ...book, [sent]: 'x' }) ?? []
      expect(error?.detail).toMatch(
        /^A field here is not known to this operation\. The operation takes: /,
      )
    },
  )

  test('a word that ends like a short name does not mean it', () => {
    const [error] = errorsOf('list_bookings', { photo: 'x' }) ?? []
    expect(error?.detail).toMatch(/^A field here is not known to this operation\. /)
  })

  test('inside a union, what is missing is required, and the form that fits says what is wrong', () => {
    const rules = (given: object) => checkInput(rulesSchema, given).errors
    expect(rules({ paused: false })?.map(({ detail }) => detail)).not.toContain(
      'Expected another value.',
    )
    const detail = 'Required: expected a number or null.'
    expect(rules({ paused: false })).toContainEqual({ pointer: '/changes_a_day', detail })
  })

  test('a form, the name of a currency and a list are asked for in words that a person can act on', () => {
    const given = { hours: { days: 'monday', from: '9', to: '5 PM' }, max_link: { dollars: 500 } }
    const said = checkInput(rulesSchema, given).errors?.map(({ detail }) => detail) ?? []
    expect(said.filter((detail) => detail.includes('such as 08:00'))).toHaveLength(2)
    expect(said).toContainEqual(expect.stringContaining('such as usd'))
    expect(said).toContainEqual(expect.stringContaining('it came as text: send a list'))
  })

  test('no place in an answer is named by the caller: the keys of a record are its own words', () => {
    const errors = checkInput(rulesSchema, {
      max_link: { 'jordan@example.com': null, x: 'y' },
    }).errors
    expect(errors?.filter(({ pointer }) => pointer.startsWith('/max_link'))).not.toEqual([])
    expect(JSON.stringify(errors)).not.toContain('jordan')
  })

  test('an unknown field beside those of a path is answered with the fields that the body may have', () => {
    const [error] =
      errorsOf('cancel_booking', { confirm: false, why: 'x' }, { booking_id: 'bk_1' }) ?? []
    expect(error?.detail).toMatch(/The operation takes: reason, confirm, confirmation_token\.$/)
  })
})

describe('half a surrogate pair', () => {
  test.each<[string, object, string]>([
    [
      'submit_intake_answers',
      { client_id: 'cl_\ud926', answers: { primary_goal: 'other' } },
      '/client_id',
    ],
    [
      'submit_intake_answers',
      intake({ primary_goal: 'other', notes: '\udc00 late' }),
      '/answers/notes',
    ],
  ])('in %s is refused where it stands: %j', (name, fields, pointer) => {
    expect(refusalOf(name, { ...fields, confirm: false })).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer, detail: 'Expected text that is valid Unicode.' }],
    })
  })

  test('is accepted as part of a whole pair', () => {
    expect(refusalOf('create_payment_link', { invoice_id: 'in_💼', confirm: false })).toBe(
      undefined,
    )
  })
})

describe('a field that is null', () => {
  const schema = requestSchema(mutationNamed('book_consult')!)

  test('is one that was left out, where it may be', () => {
    const nulls = { invitee_name: null, event_type: null, confirmation_token: null }
    expect(parseInput(schema, { ...book, ...nulls })).toEqual(
      parseInput(schema, { ...BOOKING, confirm: false, invitee_name: undefined }),
    )
    const answers = { primary_goal: 'retirement' }
    const given = intake({ ...answers, notes: null, household_members: null })
    const intakeSchema = requestSchema(mutationNamed('submit_intake_answers')!)
    expect(parseInput(intakeSchema, given)).toEqual(intake(answers))
  })

  test.each(['', ' ', '\n', '\u200b', '\u00ad \u2060', '\u2800'])(
    'and one that shows nothing, %j, are left out alike',
    (nothing) => {
      const empty = { ...BOOKING, confirm: false, event_type: nothing, confirmation_token: nothing }
      expect(parseInput(schema, empty)).toEqual({ ...BOOKING, confirm: false })
      expect(parseInput(schema, { ...empty, invitee_name: nothing })).toEqual({
        ...BOOKING,
        confirm: false,
      })
      for (const required of ['timezone', 'start_time', 'invitee_email', 'confirm'])
        expect(checkInput(schema, { ...empty, [required]: nothing }).errors).toMatchObject([
          { pointer: `/${required}` },
        ])
      expect(errorsOf('create_client_profile', { ...client, display_name: nothing })).toEqual([
        { pointer: '/display_name', detail: NOT_BLANK },
      ])
    },
  )

  test('is refused where it is required, and where it is not known', () => {
    expect(
      errorsOf('book_consult', { ...book, timezone: null, confirm: null, [`x${'y'}`]: null }),
    ).toEqual([
      {
        pointer: '/timezone',
        detail: 'Required: expected an IANA time zone name, such as America/New_York.',
      },
      { pointer: '/confirm', detail: 'Required: expected true or false.' },
      { pointer: '', detail: expect.stringContaining('A field here is not known') as string },
    ])
  })
})

describe('a value of a fixed form', () => {
  const spaced = (field: string) => [' ', '\n', '\t', '\u00a0', '\u3000'].map((one) => [field, one])
  test.each(Object.keys(BOOKING).flatMap(spaced))('%s loses %j around it', (field, blank) => {
    const value = String(Reflect.get(BOOKING, field!))
    const sent = { ...BOOKING, [field!]: `${blank}${value}${blank}` }
    expect(parseInput(mutationNamed('book_consult')!.input, sent)).toEqual(BOOKING)
  })

  test('loses signs that no one sees at its ends, and keeps those within', () => {
    const invitee_email = '\u200bjordan@example.com\u00ad\ufeff'
    const timezone = '\u2060America/New_York\u200e'
    const sent = { ...BOOKING, invitee_email, timezone }
    const read = parseInput(mutationNamed('book_consult')!.input, sent)
    expect(read).toMatchObject({
      invitee_email: 'jordan@example.com',
      timezone: 'America/New_York',
    })
    const broken = {
      ...BOOKING,
      timezone: 'America/New\u200b_York',
      invitee_email: 'jor\u00addan@example.com',
      start_time: BOOKING.start_time.replace('T', '\u2060T'),
    }
    expect(checkInput(mutationNamed('book_consult')!.input, broken).errors).toEqual(
      ['/start_time', '/timezone', '/invitee_email'].map((pointer) => ({
        pointer,
        detail: expect.stringMatching(
          /^Expected .* It holds a sign that shows nothing\.$/,
        ) as string,
      })),
    )
  })

  test('is trimmed in a list, and in the objects of one', () => {
    const schema = mutationNamed('book_consult')!.input
    const answers = [{ question: ' Why?\n', answer: ' so ' }]
    expect(parseInput(schema, { ...BOOKING, answers })).toMatchObject({
      answers: [{ question: 'Why?', answer: ' so ' }],
    })
    const { input } = mutationNamed('invite_client')!
    expect(parseInput(input, { ask: [' details ', 'time\n'] })).toEqual({
      ask: ['details', 'time'],
    })
  })

  test('is trimmed in answers, and in a path, too', () => {
    const sent = intake({ primary_goal: ' retirement\n', notes: ' two\n' })
    const schema = requestSchema(mutationNamed('submit_intake_answers')!)
    expect(parseInput(schema, sent)).toMatchObject({
      answers: { primary_goal: 'retirement', notes: ' two\n' },
    })
    const { client_id: _id, ...others } = sent
    expect(parseInput(schema, others, { path: { client_id: 'cl_1 ' } })).toMatchObject({
      client_id: 'cl_1',
    })
  })
})

describe('a value that came in another form', () => {
  const zone = 'Expected an IANA time zone name, such as America/New_York.'
  const time =
    'Expected an RFC 3339 date-time with an offset, in the form YYYY-MM-DDThh:mm:ss-05:00.'
  test.each<[string, unknown, string]>([
    ['/start_time', 1796137200, `${time} It came as a number.`],
    [
      '/start_time',
      '1796137200000',
      `${time.slice(0, -1)}; this one counts seconds or milliseconds since 1970.`,
    ],
    ['/start_time', { at: 1 }, time],
    ['/timezone', -5, `${zone} It came as a number.`],
    [
      '/invitee_email',
      5,
      'Expected one email address, such as name@example.com. It came as a number.',
    ],
    ['/invitee_name', 5, 'Expected a string. It came as a number: send it in quotation marks.'],
    [
      '/invitee_name',
      true,
      'Expected a string. It came as true or false: send it in quotation marks.',
    ],
    ['/invitee_name', ['Jordan'], 'Expected a string. It came as a list: send one value.'],
    ['/confirm', 'TRUE', FALSE_AS_TEXT],
    ['/confirm', 'false', FALSE_AS_TEXT],
    ['/confirm', 'No', FALSE_AS_TEXT],
    ['/confirm', 0, 'Expected true or false; it came as a number.'],
    ['/confirm', {}, 'Expected true or false.'],
  ])('at %s, %j, is refused with the form that is meant', (pointer, value, detail) => {
    expect(errorsOf('book_consult', { ...book, [pointer.slice(1)]: value })).toEqual([
      { pointer, detail },
    ])
  })

  test.each<[unknown, string, string]>([
    ['{"primary_goal":"other"}', '/answers', 'Expected a JSON object; it came as text.'],
    ['primary goal: other', '/answers', 'Expected a JSON object.'],
    [true, '/answers', 'Expected a JSON object; it came as true or false.'],
    [
      [{ primary_goal: 'other' }],
      '/answers',
      'Expected a JSON object; it came as a list: send one value.',
    ],
    [
      { primary_goal: 'other', household_members: '3' },
      '/answers/household_members',
      'Expected a number; it came as text: send it without quotes.',
    ],
    [
      { primary_goal: 'other', household_members: 'three' },
      '/answers/household_members',
      'Expected a number.',
    ],
    [
      { primary_goal: 'Wealth transfer' },
      '/answers/primary_goal',
      'Expected one of: retirement, tax_planning, business_formation, wealth_transfer, cash_flow, other: did you mean wealth_transfer?',
    ],
    // What is near may be the opposite of an answer: a model would send it.
    ...[
      ['annual_revenue_band', 'over_1m', 'under_100k, 100k_500k, 500k_2m, over_2m'],
      ['annual_revenue_band', 'under_500k', 'under_100k, 100k_500k, 500k_2m, over_2m'],
      ['preferred_meeting', 'neither', 'virtual, in_person, either'],
      ['preferred_meeting', 'not in person', 'virtual, in_person, either'],
      ['tax_situation', 'real_estate', 'simple, multi_state, business_owner, estate'],
      ['tax_situation', 'single', 'simple, multi_state, business_owner, estate'],
    ].map(([name, value, options]): [unknown, string, string] => [
      { primary_goal: 'other', [name!]: value },
      `/answers/${name}`,
      `Expected one of: ${options}.`,
    ]),
    [
      { primary_goal: 'other', has_existing_cpa: 'False' },
      '/answers/has_existing_cpa',
      FALSE_AS_TEXT,
    ],
  ])('in answers, %j, too', (answers, pointer, detail) => {
    expect(errorsOf('submit_intake_answers', { ...intake({}), answers })).toEqual([
      { pointer, detail },
    ])
  })

  test.each<[string, number | string]>([
    ['3', 3],
    ['3.0', 3],
    ['03', 3],
    [' 3 ', 3],
    ['3.5', 'Expected a whole number.'],
    ['-1', 'Expected at least 1.'],
    ['99999999999', 'Expected at most 500.'],
    ['1e1', 'Expected a number.'],
    ['three', 'Expected a number.'],
    ['٣', 'Expected a number.'],
  ])('the digits of a query are a number, and are not said to be text: %j', (limit, meant) => {
    const { input, errors } = checkInput(listAvailability.input, { limit }, { isQuery: true })
    if (typeof meant === 'number') expect(input).toEqual({ limit: meant })
    else expect(errors).toEqual([{ pointer: '/limit', detail: meant }])
  })

  test('digits as text in a body are not read: the body of a read has numbers, too', () => {
    const asText = 'Expected a number; it came as text: send it without quotes.'
    expect(errorsOf('find_client', { contact_email: 'a@example.com', limit: '3' })).toEqual([
      { pointer: '/limit', detail: asText },
    ])
  })

  test('a tool reads the text of an object or a list; one that it cannot read is said to be so', () => {
    const told = 'it came as text that cannot be read as one'
    const schema = requestSchema(mutationNamed('submit_intake_answers')!)
    for (const answers of ["{'primary_goal':'other'}", '{"a":1,"a":2}', '"{}"', '[{}]']) {
      const [error] = checkInput(schema, { ...intake({}), answers }, { isTool: true }).errors ?? []
      expect(error?.detail).toBe(`Expected a JSON object; ${told}.`)
    }
  })
})

describe('an idempotency key in the body of a request', () => {
  const schema = requestSchema(mutationNamed('book_consult')!)
  test.each(['idempotency_key', 'idempotencyKey', 'Idempotency-Key'])(
    'as %s belongs in the header',
    (name) => {
      const sent = { ...book, [name]: 'a key of a change' }
      const [error] = checkInput(schema, sent, { isChange: true }).errors ?? []
      expect(error?.pointer).toBe('')
      expect(error?.detail).toContain('Send the idempotency key as the header Idempotency-Key.')
      expect(error?.detail).not.toContain('besides')
      const [ofTool] = checkInput(
        schema,
        { ...book, x: 1 },
        { isChange: true, isTool: true },
      ).errors!
      expect(ofTool?.detail).toMatch(/besides idempotency_key\.$/)
    },
  )
})

const detailOfEmail = (invitee_email: string) =>
  errorsOf('book_consult', { ...book, invitee_email })?.[0]?.detail

test.each(['j***@***.com', 'j*e@example.com'])(
  '%s is known as a masked address: the person has the whole one',
  (masked) =>
    expect(detailOfEmail(masked)).toBe(
      'Expected one email address, such as name@example.com. A masked address cannot be used; ask the person for the address.',
    ),
)

test('a template with stars is no masked address', () => {
  expect(detailOfEmail('*|EMAIL|*')).toBe('Expected one email address, such as name@example.com.')
})

describe('fields of the path', () => {
  const path = { booking_id: 'bk_1' }

  test('belong to the request', () => {
    expect(errorsOf('cancel_booking', { confirm: false }, path)).toBeUndefined()
    const schema = requestSchema(mutationNamed('cancel_booking')!)
    expect(parseInput(schema, { confirm: false }, { path })).toEqual({
      confirm: false,
      booking_id: 'bk_1',
    })
  })

  test('belong nowhere else, not even with the same value', () =>
    expect(errorsOf('cancel_booking', { confirm: false, booking_id: 'bk_1' }, path)).toEqual([
      { pointer: '', detail: 'A field here belongs in the path only.' },
    ]))

  test('do not make up for a body that is no object', () => {
    for (const body of [null, [], 'x', undefined])
      expect(errorsOf('cancel_booking', body, path)).toHaveLength(1)
  })
})

describe('one answer', () => {
  test('of a change names a bad key and all wrong fields, under the code of the key', () => {
    const others = errorsOf('create_payment_link', { confirm: 'yes' }) ?? []
    expect(keyProblem('short', others).refusal).toMatchObject({
      code: 'idempotency_key_invalid',
      effect: 'none',
      errors: [
        { pointer: '/idempotency_key' },
        { pointer: '/invoice_id' },
        { pointer: '/confirm' },
      ],
      next_step: expect.stringContaining('Correct the other fields') as string,
    })
    const alone = keyProblem('', []).refusal
    const errors = [{ pointer: '/idempotency_key' }]
    expect(alone).toMatchObject({ code: 'idempotency_key_missing', errors })
    expect(alone).not.toHaveProperty('next_step')
    expect(isIdempotencyKey('a-good-key')).toBe(true)
  })
})

describe('sensitive data', () => {
  const SSN = 'Contains what looks like a Social Security number: characters 8 to 18.'

  test('is refused by field and kind, beside all other mistakes', () => {
    const sent = { entity_type: 'person', display_name: 'Jordan 536-22-1234', contact_email: 'x' }
    expect(refusalOf('create_client_profile', sent)).toEqual({
      code: 'sensitive_data_refused',
      effect: 'none',
      errors: [
        {
          pointer: '/entity_type',
          detail: expect.stringContaining('Expected one of: individual') as string,
        },
        { pointer: '/display_name', detail: SSN, kind: 'ssn' },
        { pointer: '/contact_email', detail: expect.stringContaining('email address') as string },
        { pointer: '/confirm', detail: 'Required: expected true or false.' },
      ],
    })
  })

  /** Each text in a schema, with its path. Of a record, the names are texts, too. */
  function textsIn(schema: z.ZodType, path: string): [path: string, text: z.ZodType][] {
    return formsOf(schema).flatMap((form): [string, z.ZodType][] => {
      if (form instanceof z.ZodArray) return textsIn(form.element as z.ZodType, `${path}[]`)
      if (form instanceof z.ZodRecord)
        return [
          ...textsIn(form.keyType as z.ZodType, `${path}.name`),
          ...textsIn(form.valueType as z.ZodType, `${path}.*`),
        ]
      if (form instanceof z.ZodObject)
        return Object.entries(form.shape).flatMap(([name, inner]) =>
          textsIn(inner as z.ZodType, `${path}.${name}`),
        )
      return form.safeParse('').error?.issues[0]?.code === 'invalid_type' ? [] : [[path, form]]
    })
  }

  /** Looked up among what there is: the text itself is neither kept nor sent. */
  const LOOKED_UP = /(?:_id|[.]event_type|[.]location|[.]question)$/

  test.each(
    [...MUTATIONS, ...PAGE_MUTATIONS]
      .flatMap(({ name, input }) => textsIn(input, name))
      .filter(([path]) => !LOOKED_UP.test(path)),
  )('is refused as %s; a text that has no form of its own is freeText(max)', (_path, text) => {
    for (const sent of [
      '4242 4242 4242 4242',
      'EIN 12-3456789',
      'data:application/pdf;base64,JVBERi0xLjQK',
    ])
      expect(text.safeParse(sent).success).toBe(false)
  })
})

describe('a refusal never repeats what was sent', () => {
  const CANARY = 'Qx7canaryQx7'
  const canary = fc.constantFrom(
    CANARY,
    `${CANARY}@example.com`,
    `${CANARY} 536-22-1234`,
    `2026-11-24T10:00:00${CANARY}`,
    `Mars/${CANARY}`,
    `__proto__${CANARY}`,
  )
  const value: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      canary,
      fc.constantFrom(0, -1, 1.5, true, null, undefined, '', 'x'.repeat(300)),
      fc.array(tie('value'), { maxLength: 2 }),
      fc.dictionary(canary, tie('value'), { maxKeys: 2 }),
    ),
  })).value

  test.each(OPERATIONS.map((operation) => [operation.name, operation] as const))(
    '%s: neither a value nor the name of an unknown field',
    (name, operation) => {
      const known = Object.keys(schemaOf(operation).shape)
      const nested =
        name === 'submit_intake_answers' ? ['notes', 'primary_goal', 'household_members'] : known
      const answers = fc.dictionary(fc.oneof(fc.constantFrom(...nested), canary), value, {
        maxKeys: 4,
      })
      const fields = fc.oneof(
        fc.dictionary(fc.oneof(fc.constantFrom(...known), canary), value, { maxKeys: 6 }),
        answers.map((inner) => ({ confirm: false, client_id: CANARY, answers: inner })),
        value,
      )
      let refused = 0
      fc.assert(
        fc.property(fields, (sent) => {
          const refusal = refusalOf(name, sent)
          if (!refusal) return
          refused += 1
          expect(JSON.stringify(refusal)).not.toContain('canary')
          expect(new Problem(refusal).message).toBe(refusal.code)
        }),
        { numRuns: 300 },
      )
      expect(refused).toBeGreaterThan(100)
    },
  )
})

describe('a field that stands in another place is told where it belongs', () => {
  const detailOf = (name: string, fields: unknown) =>
    errorsOf(name, fields)?.find(({ pointer }) => pointer === '')?.detail ?? ''

  test.each([
    [{ primary_goal: 'retirement' }, 'primary_goal belongs in answers.'],
    [{ answers__primary_goal: 'retirement' }, 'primary_goal belongs in answers.'],
    [{ 'answers.household_members': 3 }, 'household_members belongs in answers.'],
    [{ 'answers[notes]': 'x' }, 'notes belongs in answers.'],
    [{ hasExistingCpa: true }, 'has_existing_cpa belongs in answers.'],
    [
      { answersTaxSituation: 'simple', notes: 'x' },
      'tax_situation belongs in answers. notes belongs in answers.',
    ],
  ])('%j', (fields, hint) =>
    expect(
      detailOf('submit_intake_answers', { client_id: 'x', confirm: false, ...fields }),
    ).toContain(hint),
  )

  test.each([
    { body: { primary_goal: 'retirement' } },
    { intake: { primary_goal: 'retirement', notes: 'x' } },
    { data: { answers__primary_goal: 'retirement' }, mode: 'x' },
  ])('also out of an object around them: %j', (fields) =>
    expect(
      detailOf('submit_intake_answers', { client_id: 'x', confirm: false, ...fields }),
    ).toContain('primary_goal belongs in answers.'),
  )

  test.each([
    [{ answers: { 'Why?': 'So' } }, '/answers', 'Expected an array of JSON objects, each with'],
    [{ answers: ['So'] }, '/answers/0', 'Expected a JSON object with question, answer.'],
  ])('a list of objects says what they hold: %j', (fields, pointer, detail) =>
    expect(errorsOf('book_consult', { ...book, ...fields })).toContainEqual({
      pointer,
      detail: expect.stringContaining(detail),
    }),
  )

  test('also into the entries of a list', () =>
    expect(detailOf('book_consult', { ...book, question: 'Which?', answer: 'That' })).toContain(
      'question belongs in answers. answer belongs in answers.',
    ))

  test.each([
    ['booking', 'object'],
    ['s3cret wrapper', 'text'],
  ])('fields in %s are to be sent without it, as %s', (name, form) => {
    const inner = form === 'text' ? JSON.stringify(book) : book
    const detail = detailOf('book_consult', { [name]: inner, confirm: false })
    expect(detail).toContain('The field is an object with fields of this operation')
    expect(detail).not.toContain('s3cret')
  })

  test.each([{ hat: 1 }, { hat: { shoe: 1 } }, { hat: [book] }, { hat: '{"shoe":1}' }])(
    'another unknown field is not: %j',
    (fields) =>
      expect(detailOf('book_consult', { ...book, ...fields })).not.toMatch(/belong|object/),
  )
})

test('what is no JSON is refused with the reason', () => {
  expect(errorsOf('book_consult', new JsonMistake('look here'))).toEqual([
    { pointer: '', detail: 'Expected a JSON object; what was sent is not JSON: look here.' },
  ])
})
