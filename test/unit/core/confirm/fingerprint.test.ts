import { createHash } from 'node:crypto'

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import {
  confirmationName,
  differingFields,
  fieldHashes,
  fingerprints,
  isSamePayload,
  shownText,
} from '../../../../src/core/confirm/token.ts'
import { openKeyring } from '../../../../src/core/crypto/keyring.ts'
import type { Practice } from '../../../../src/core/domain/practice.ts'
import { mutationNamed } from '../../../../src/practice/operations/index.ts'
import { formsOf } from '../../../../src/practice/operations/perform.ts'
import { parseInput } from '../../../../src/practice/operations/validation.ts'
import { PRACTICE } from '../../../support/practice.ts'
import { BOOKING, CLIENT } from './caller.ts'

const FIRST = 'the first signing secret, 32 bytes long'
const SECOND = 'the second signing secret, 32 bytes too'
const keyring = await openKeyring([FIRST])
/** The fingerprints of what a caller sent, as the service takes them. */
function fingerprintsOf(name: string, sent: object, practice: Practice = PRACTICE) {
  const operation = mutationNamed(name)!
  const input = parseInput(operation.input, sent)
  const { sent: asSent, compared, short } = formsOf(operation, input, practice)
  return fingerprints(keyring, name, short, asSent, compared)
}

type Given = Awaited<ReturnType<typeof fingerprints>>
/** As a record has them; a build before had no forms. */
const storedOf = ({ fingerprints, forms }: Given, build: 'this' | 'before' = 'this') => ({
  keyId: keyring.current,
  fingerprint: fingerprints[keyring.current]!,
  forms: build === 'this' ? forms?.[keyring.current] : undefined,
})

/** Whether the second is a repeat of the first. */
const isRepeat = async (name: string, one: object, other: object, practice?: Practice) =>
  isSamePayload(
    storedOf(await fingerprintsOf(name, one)),
    await fingerprintsOf(name, other, practice),
  )

/** The same fields, in the opposite order. */
const turned = (fields: object) => Object.fromEntries(Object.entries(fields).toReversed())

describe('equal payloads have one fingerprint, however they are written', () => {
  const at = '2026-11-25T14:00:00-05:00'
  const move = { booking_id: 'bk_1', start_time: at, invitee_email: 'kim@example.org' }

  /** A request of an operation, and the same with these fields written otherwise. */
  const rewritten =
    (operation: string, fields: object) =>
    (change: object): [string, object, object] => [operation, fields, { ...fields, ...change }]
  const booking = rewritten('book_consult', BOOKING)
  const client = rewritten('create_client_profile', CLIENT)
  const moving = rewritten('reschedule_booking', move)
  const answers = (change: object) => ({
    client_id: 'cl_1',
    answers: { primary_goal: 'other', ...change },
  })

  test.each<[string, string, object, object]>([
    ['the order of the fields', 'book_consult', BOOKING, turned(BOOKING)],
    ['the offset of a time', ...booking({ start_time: '2026-11-24T15:00:00Z' })],
    ['the letter case of a time', ...booking({ start_time: '2026-11-24t15:00:00z' })],
    ['a fraction of nothing', ...booking({ start_time: '2026-11-24T15:00:00.000Z' })],
    ['the case of a mail domain', ...booking({ invitee_email: 'jordan@EXAMPLE.Com' })],
    ['the case of a zone', ...booking({ timezone: 'america/NEW_YORK' })],
    [
      'the composition of a letter',
      'create_client_profile',
      { ...CLIENT, display_name: 'E\u0301mile Zola' },
      { ...CLIENT, display_name: '\u00c9mile Zola' },
    ],
    ['the case of a mail domain, client', ...client({ contact_email: 'jordan@Example.COM' })],
    ['the case of a mail domain, move', ...moving({ invitee_email: 'kim@EXAMPLE.ORG' })],
    ['the offset of a time, move', ...moving({ start_time: '2026-11-25T20:00:00+01:00' })],
    ['a default kind that is named', ...booking({ event_type: 'consult' })],
    [
      'optional texts that are empty',
      'book_consult',
      { ...BOOKING, invitee_name: null },
      { ...BOOKING, event_type: '', invitee_name: '' },
    ],
    ['a list without an entry', ...booking({ answers: [] })],
    ['a default zone that is named', ...client({ timezone: 'america/new_york' })],
    ['a zone that is empty', ...client({ timezone: '' })],
    [
      'an address that is empty',
      'reschedule_booking',
      { booking_id: 'bk_1', start_time: at },
      { ...move, invitee_email: '', timezone: '' },
    ],
    [
      'a reason that is empty',
      'cancel_booking',
      { booking_id: 'bk_1' },
      { booking_id: 'bk_1', reason: '' },
    ],
    [
      'notes that are empty',
      'submit_intake_answers',
      answers({}),
      answers({ notes: '', tax_situation: '' }),
    ],
  ])('%s', async (_what, operation, one, other) => {
    expect(JSON.stringify(one)).not.toBe(JSON.stringify(other))
    expect(await isRepeat(operation, one, other)).toBe(true)
  })
})

describe('where the defaults of the practice change between two calls', () => {
  const next: Practice = {
    ...PRACTICE,
    timezone: 'America/Chicago',
    eventTypes: [{ name: 'intro', id: 'intro' }, ...PRACTICE.eventTypes],
  }

  const named = { ...BOOKING, event_type: 'consult' }
  const other = { ...BOOKING, event_type: 'intro' }
  const inZone = { ...CLIENT, timezone: PRACTICE.timezone }
  test.each<[string, string, object, object, boolean]>([
    ['a repeat that names the earlier default is the same', 'book_consult', named, named, true],
    ['so is one that left it out', 'book_consult', BOOKING, BOOKING, true],
    ['so is one that names now what was left out', 'book_consult', BOOKING, named, true],
    ['one that names the new default is another', 'book_consult', BOOKING, other, false],
    ['so it is with a zone', 'create_client_profile', inZone, inZone, true],
  ])('%s', async (_what, operation, before, after, isSame) => {
    expect(await isRepeat(operation, before, after, next)).toBe(isSame)
  })
})

test.each([
  ['names', { ...BOOKING, event_type: 'consult' }, true],
  ['leaves out', BOOKING, true],
  ['names another than', { ...BOOKING, event_type: 'intro' }, false],
])('a repeat that %s the default, before and after an upgrade', async (_what, sent, isSame) => {
  const first = await fingerprintsOf('book_consult', BOOKING)
  const repeat = await fingerprintsOf('book_consult', sent)
  expect(isSamePayload(storedOf(first, 'before'), repeat)).toBe(isSame)
  // After a rollback the build before compares these alone.
  expect(isSamePayload(storedOf(first), { fingerprints: repeat.fingerprints })).toBe(isSame)
})

describe('any field that differs gives another fingerprint', () => {
  test.each<[string, object, Record<string, unknown>]>([
    [
      'book_consult',
      { ...BOOKING, event_type: 'review' },
      {
        start_time: '2026-11-24T10:30:00-05:00',
        timezone: 'America/Chicago',
        invitee_email: 'Jordan@example.com',
        invitee_name: 'Jordan doe',
        event_type: 'other',
      },
    ],
    [
      'cancel_booking',
      { booking_id: 'bk_1', reason: 'ill' },
      { booking_id: 'bk_2', reason: 'Ill' },
    ],
    [
      'reschedule_booking',
      {
        booking_id: 'bk_1',
        start_time: BOOKING.start_time,
        timezone: 'Europe/Berlin',
        invitee_email: 'a@b.co',
      },
      {
        booking_id: 'bk_2',
        start_time: '2026-11-24T10:00:01-05:00',
        timezone: 'Europe/Paris',
        invitee_email: 'a@b.com',
      },
    ],
    [
      'create_client_profile',
      { ...CLIENT, timezone: 'Europe/Berlin' },
      {
        entity_type: 'llc',
        display_name: 'Jordan Do',
        contact_email: 'jordan@example.org',
        timezone: 'Europe/Paris',
      },
    ],
    ['create_payment_link', { invoice_id: 'in_mock_open' }, { invoice_id: 'in_mock_paid' }],
  ])('%s', async (operation, fields, others) => {
    const all = [fields]
    for (const [field, value] of Object.entries(others)) all.push({ ...fields, [field]: value })
    for (const field of Object.keys(fields)) {
      const { [field]: _left, ...without } = fields as Record<string, unknown>
      if (mutationNamed(operation)!.input.safeParse(without).success) all.push(without)
    }
    const made = await Promise.all(all.map((one) => fingerprintsOf(operation, one)))
    const pairs = made.flatMap((one, i) => made.slice(i + 1).map((other) => [one, other] as const))
    expect(pairs.filter(([one, other]) => isSamePayload(storedOf(one), other))).toEqual([])
  })

  test.each([
    ['another', { primary_goal: 'other' }],
    ['one more', { primary_goal: 'retirement', household_members: 2 }],
    ['a number instead of another', { primary_goal: 'retirement', household_members: 3 }],
    ['a note', { primary_goal: 'retirement', notes: 'One.' }],
  ])('an answer that is %s', async (_what, answers) => {
    const first = { client_id: 'cl_1', answers: { primary_goal: 'retirement' } }
    const other = { client_id: 'cl_1', answers }
    expect(await isRepeat('submit_intake_answers', first, other)).toBe(false)
  })

  test('another operation with the same payload gives another fingerprint', async () => {
    const [one, other] = await Promise.all(
      ['one', 'other'].map((operation) => fingerprints(keyring, operation, { a: 1 })),
    )
    expect(one).not.toEqual(other)
  })

  test('any two payloads that differ have different fingerprints', async () => {
    const payload = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.boolean()), {
      maxKeys: 3,
    })
    const canonical = (value: Record<string, unknown>) =>
      Object.keys(value)
        .toSorted((a, b) => (a < b ? -1 : 1))
        .map((key) => JSON.stringify([key, value[key]]).normalize('NFC'))
        .join()
    await fc.assert(
      fc.asyncProperty(payload, payload, async (one, other) => {
        const [a, b] = await Promise.all([one, other].map((it) => fingerprints(keyring, 'x', it)))
        expect(isSamePayload(storedOf(a!), b!)).toBe(canonical(one) === canonical(other))
      }),
    )
  })
})

describe('a fingerprint gives nothing away', () => {
  test('it is keyed: no one can try addresses without the secret', async () => {
    const payload = { contact_email: 'jordan@example.com' }
    const [made] = Object.values((await fingerprints(keyring, 'x', payload)).fingerprints)
    const plain = createHash('sha256')
      .update(`x|${JSON.stringify(payload)}`)
      .digest('base64url')
    expect(made).not.toBe(plain)
    const other = await openKeyring([SECOND])
    expect(JSON.stringify(await fingerprints(other, 'x', payload))).not.toContain(made)
  })

  test('each secret gives its own fingerprint, so a rotation changes nothing', async () => {
    const both = await openKeyring([SECOND, FIRST])
    const made = await fingerprints(both, 'x', { a: 1 })
    expect(Object.keys(made.fingerprints)).toEqual(both.ids)
    expect(made).toMatchObject(await fingerprints(keyring, 'x', { a: 1 }))
  })
})

describe('the name of a confirmation object', () => {
  test('holds neither the key nor the caller nor a secret', async () => {
    const name = await confirmationName('key:abc', 'my secret idempotency key')
    expect(name).toMatch(/^[0-9a-f]{64}$/)
    expect(name).toBe(
      createHash('sha256')
        .update(JSON.stringify(['key:abc', 'my secret idempotency key']))
        .digest('hex'),
    )
  })

  test('differs for any other caller or key, and the two cannot be shifted into each other', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.string(), fc.string(), fc.string(), async (a, b, c, d) => {
        const same = (await confirmationName(a, b)) === (await confirmationName(c, d))
        expect(same).toBe(a === c && b === d)
      }),
    )
    expect(await confirmationName('a', 'b","c')).not.toBe(await confirmationName('a","b', 'c'))
  })
})

test('What is hashed of a preview is canonical JSON with the nonce of its token, so that no one else can test a guess', () => {
  const shown = { preview: { b: 1, a: 'é' }, summary: 'Book.', warnings: ['Late.'] }
  expect(shownText('nonce', shown)).toBe(
    '{"nonce":"nonce","preview":{"a":"é","b":1},"summary":"Book.","warnings":["Late."]}',
  )
})

describe('the hashes of the fields', () => {
  const hashed = (payload: object, id = 'a nonce') =>
    fieldHashes(keyring, { keyId: keyring.current, id }, payload)
  const answers = { primary_goal: 'other', notes: 'Prefers mornings.' }

  test('name what differs, down to the answers, and what only one of both has', async () => {
    const one = await hashed({ client_id: 'cl_1', answers })
    expect(Object.keys(one)).toEqual(['/client_id', '/answers/primary_goal', '/answers/notes'])
    const other = await hashed({ client_id: 'cl_1', answers: { primary_goal: 'retirement' } })
    expect(differingFields(one, other)).toEqual(['/answers/primary_goal', '/answers/notes'])
    expect(differingFields(one, await hashed({ client_id: 'cl_1', answers }))).toEqual([])
  })

  test('tell nothing: equal values have nothing in common in two changes or two fields', async () => {
    const fields = { one: 'jordan@example.com', two: 'jordan@example.com' }
    const [here, there] = await Promise.all([hashed(fields), hashed(fields, 'another nonce')])
    expect(new Set([...Object.values(here), ...Object.values(there)]).size).toBe(4)
    expect(JSON.stringify(here)).not.toContain('jordan')
  })
})
