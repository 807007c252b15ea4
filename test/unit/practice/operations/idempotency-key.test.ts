import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import {
  isIdempotencyKey,
  keyInHeader,
  keyInPath,
  keyWarnings,
  withCauseOfReuse,
} from '../../../../src/practice/operations/idempotency-key.ts'

const NO_KEY = { isNoKey: expect.any(String) as string }

/** A String of RFC 9651, section 4.1.6. */
const quoted = (key: string) => `"${key.replaceAll(/["\\]/g, '\\$&')}"`
/** A Display String of RFC 9651, section 4.1.11. */
const display = (key: string) =>
  `%"${[...new TextEncoder().encode(key)]
    .map((byte) =>
      byte < 0x20 || byte > 0x7e || byte === 0x22 || byte === 0x25
        ? `%${byte.toString(16).padStart(2, '0')}`
        : String.fromCharCode(byte),
    )
    .join('')}"`

const printable = fc.string({ unit: 'grapheme-ascii', minLength: 8, maxLength: 40 })

describe('a header Idempotency-Key', () => {
  test.each([
    ['bare', 'entry-42-booking', 'entry-42-booking'],
    ['a String', '"entry-42-booking"', 'entry-42-booking'],
    ['a String with escapes', String.raw`"entry \"42\" \\ x"`, String.raw`entry "42" \ x`],
    ['with blanks and tabs around it', ' \t"entry-42" \t', 'entry-42'],
    ['with a parameter', '"entry-42";v=1', 'entry-42'],
    ['with a flag', '"entry-42";v', 'entry-42'],
    [
      'with parameters of each kind',
      '"entry-42";a=?1; b="x, y";c=:eA==:;d=t/k;e=-1.5;f=@1',
      'entry-42',
    ],
    ['a Display String', '%"entry-%c3%a9-42"', 'entry-é-42'],
  ])('%s is the key', (_how, header, key) => expect(keyInHeader(header)).toBe(key))

  test.each([
    ['sent twice, bare', 'entry-42, entry-42'],
    ['sent twice and joined without a blank', 'entry-42,entry-42'],
    ['sent once in each form', '"entry-42", entry-42'],
    ['a bare text with a parameter', 'entry-42;v=1'],
    ['a String that does not end', '"entry-42'],
    ['a String with a parameter in upper case', '"entry-42";V=1'],
    ['a String with an escape that is none', String.raw`"entry\-42"`],
    ['bytes that were no UTF-8', 'entry-42-\ufffd'],
    ['a blank that is not ASCII before it', '\u00a0entry-42'],
    ['a control sign', 'entry\u000142x'],
    ['a Display String in upper-case hexadecimal', '%"entry-%C3%A9-42"'],
    ['a Display String of broken UTF-8', '%"entry-%c3-42"'],
  ])('%s is no key, and says what to send', (_how, header) => {
    expect(keyInHeader(header)).toEqual(NO_KEY)
  })

  test('can hold every key that a tool can be given, and different ones never become one', () => {
    const sign = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code))
    const any = fc.string({ unit: sign, minLength: 8, maxLength: 40 })
    fc.assert(
      fc.property(fc.oneof(printable, any), (key) => {
        if (/^[ -~]*$/.test(key)) expect(keyInHeader(quoted(key))).toBe(key)
        if (key.isWellFormed()) expect(keyInHeader(display(key))).toBe(key)
      }),
    )
  })

  test('is read to the same key bare, as a String and as a Display String, or not at all', () => {
    fc.assert(
      fc.property(printable, (text) => {
        const bare = keyInHeader(text)
        if (typeof bare !== 'string' || /^ *%?"/.test(text)) return
        expect(bare).toBe(text.replaceAll(/^ +| +$/g, ''))
        expect(keyInHeader(quoted(bare))).toBe(bare)
        expect(keyInHeader(display(bare))).toBe(bare)
        expect(keyInHeader(`${bare}, ${bare}`)).toEqual(NO_KEY)
      }),
    )
  })
})

test('a path holds a key as it is, or as a header has it', () => {
  expect(keyInPath('entry, 42; é')).toBe('entry, 42; é')
  expect(keyInPath('"entry-42"')).toBe('entry-42')
  expect(keyInPath('"entry-42')).toEqual(NO_KEY)
})

describe('the length of a key', () => {
  test.each([
    ['e'.repeat(7), false],
    ['e'.repeat(8), true],
    ['e'.repeat(200), true],
    ['e'.repeat(201), false],
    [' '.repeat(8), true],
    ['🔑'.repeat(7), false],
    ['🔑'.repeat(8), true],
    ['🔑'.repeat(200), true],
    ['🔑'.repeat(201), false],
    ['half a pair \ud83d', false],
  ])('%j is one: %s', (key, is) => expect(isIdempotencyKey(key)).toBe(is))
})

describe('a key that looks like a template that was not filled', () => {
  const reused = { code: 'idempotency_key_reused', effect: 'none' } as const
  test.each([
    '{{ $json.id }}',
    'undefined',
    'book-undefined-1',
    'intake_NaN',
    'crypto.randomUUID()',
    '<built-in function id>',
    'msg.payload.id',
    'client:None',
    'n8n-lead:',
    'Intake-Form-',
    'intakeForm_',
    'LEAD_ROW#',
    '00000000-0000-0000-0000-000000000000',
    'xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx',
    '00000000',
    'my-test-key-123',
    '1234567890',
    '12345678-1234-1234-1234-123456789abc',
    'yourUniqueKey',
    'cancel-booking-8e03978e-40d5-43e8-bc93-6894a57f9324',
    '012345678',
    '123456789',
    '12345678',
    'abcdefghijk',
    'move-null-1',
    ...(
      'your|my|a|an|the|some|any|unique|random|new|generate|generated|idempotency|client|request|key|id|uuid|guid|v4|' +
      'uuidv4|value|string|text|here|placeholder|example|sample|replace|change|insert|with|me|this|todo|unknown|' +
      'empty|test|demo|changeme|book|booking|consult|appointment|reschedule|move|cancel|create|profile|submit|' +
      'intake|answers|payment|link|invoice|preview|commit|call|session|conversation|order|for|goes|idem|123|1234'
    )
      .split('|')
      .map((word) => `${word}-${word} ${word}_${word}-${word}`),
    ...(
      '123e4567-e89b|550e8400-e29b|f47ac10b-58cc|9b1deb4d-3b7d|f81d4fae-7dec|3fa85f64-5717|497f6eca-6276|' +
      '7c9e6679-7425|d290f1ee-6c54|a1b2c3d4-e5f6|01234567-89ab'
    )
      .split('|')
      .map((start) => `Move-${start}-40d5-bc93-6894a57f9325`),
  ])('%j is a key; the preview and the refusal say what it is', (key) => {
    expect(isIdempotencyKey(key)).toBe(true)
    expect(keyWarnings(key)).toHaveLength(1)
    expect(keyWarnings(key).join()).not.toContain(key)
    expect(withCauseOfReuse(reused, key).detail).toMatch(/template/)
  })

  test.each([
    '8e03978e-40d5-43e8-bc93-6894a57f9325',
    '1234567-invoice',
    'book-consult-20261128',
    'nullify-2026',
    '_Z5jdHi6BmyTaa',
    '{8e03978e-40d5-43e8-bc93-6894a57f9325}',
    'noneedtobook',
    'sha256:deadbeefcafe',
  ])('%j looks like none', (key) => {
    expect(keyWarnings(key)).toEqual([])
    expect(withCauseOfReuse(reused, key)).toBe(reused)
  })

  test('another refusal stays as it is', () => {
    const other = { code: 'slot_unavailable', effect: 'none' } as const
    expect(withCauseOfReuse(other, 'undefined')).toBe(other)
  })
})
