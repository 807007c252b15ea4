import * as z from 'zod'

import { standsForNothing } from '../../core/domain/name.ts'
import {
  type FieldError,
  type Problem,
  type Refusal,
  problem,
} from '../../core/domain/problem/problem.ts'
import { PROBLEMS } from '../../core/domain/problem/problems.ts'

const SHORTEST = 8
const LONGEST = 200

/** A key as it was sent, or why what was sent is none. */
export type SentKey = string | { isNoKey: string }

/**
 * The length is that of the specification, in characters: one outside the first 65,536 of Unicode
 * counts once.
 */
export function isIdempotencyKey(key: SentKey): key is string {
  if (typeof key !== 'string' || !key.isWellFormed()) return false
  const { length } = Array.from(key)
  return length >= SHORTEST && length <= LONGEST
}

const EXAMPLE = '8e03978e-40d5-43e8-bc93-6894a57f9324'

const KEY = {
  description:
    'A random key of 8+ signs (a UUID), the same for the preview, commit and repeats of one change. ' +
    'Another time or amount is a new change.',
  examples: [EXAMPLE],
}

export const idempotencyKeySchema = z.string().min(SHORTEST).max(LONGEST).meta(KEY)

/** The same with an example of its own for each operation: a key is for one change. */
export const idempotencyKeyFor = (operation: string) =>
  idempotencyKeySchema.meta({
    ...KEY,
    examples: [`${operation.replaceAll('_', '-')}-${EXAMPLE}`],
  })

const UNFILLED =
  'The idempotency key looks like an example, or a template that a program did not fill, so it ' +
  'would be the same for every change of that program.'

/** A part that a program had no value for: `booking-undefined`. */
const NO_VALUE = /(?<![a-z\d])(?:undefined|null|nan)(?![a-z\d])/i
/** As Python writes it; `none` is a word. */
const NONE = /(?<![A-Za-z\d])None(?![A-Za-z\d])/
/** Words alone, before a place that stayed empty: `intake-form-`. Linear time. */
const ENDS_EMPTY =
  /^(?:[A-Z]{2,}|[A-Za-z][a-z\d]*)(?:[-_:./# ]+(?:[A-Z]{2,}|[A-Za-z][a-z\d]*))*[-_:./#= ]+$/

/**
 * A UUID or the pattern of one whose parts are of one sign, one sign again and again, and signs in
 * their order.
 */
const NO_UUID =
  /(?<![a-z\d])([\da-fx])\1{7}-([\da-fx])\2{3}-|^(.)\3+$|^0?12345678(?:90?)?(?:-1234|$)|^abcdefgh/iu
/** The examples of documents, of this service and of others. */
const EXAMPLES = new RegExp(
  `${EXAMPLE}|123e4567-e89b-|550e8400-e29b-|f47ac10b-58cc-|9b1deb4d-3b7d-|f81d4fae-7dec-|` +
    '3fa85f64-5717-|497f6eca-6276-|7c9e6679-7425-|d290f1ee-6c54-|a1b2c3d4-e5f6-|01234567-89ab-',
  'i',
)
/** A text of these words alone says what belongs there: `your-unique-key`, `random-uuid`. */
const SAYS_WHAT = new RegExp(
  '^[^a-z\\d]*(?:(?:your|my|an?|the|some|any|unique|random|new|generated?|idempotency|client|request|' +
    'key|id|uuid|guid|v4|uuidv4|value|string|text|here|placeholder|example|sample|replace|change|insert|' +
    'with|me|this|todo|unknown|empty|test|demo|changeme|book(?:ing)?|consult|appointment|reschedule|' +
    'move|cancel|create|profile|submit|intake|answers|payment|link|invoice|preview|commit|call|' +
    'session|conversation|order|for|goes|idem|1234?)(?:[^a-z\\d]+|$))+$',
  'i',
)

function looksUnfilled(key: string) {
  const words = key.replaceAll(/([a-z])(?=[A-Z])/g, '$1-')
  return (
    standsForNothing(key) ||
    [SAYS_WHAT, ENDS_EMPTY].some((form) => form.test(words)) ||
    [NO_VALUE, NONE, NO_UUID, EXAMPLES].some((form) => form.test(key))
  )
}

/** A warning of a preview whose key looks like a template that was not filled. It is a key all the same. */
export const keyWarnings = (key: string) =>
  looksUnfilled(key)
    ? [
        `${UNFILLED} Send one of this change alone: with the id of its row or form entry, or a UUID.`,
      ]
    : []

/** The refusal of a reused key, with that cause where the key looks so. */
export function withCauseOfReuse(refusal: Refusal, key: string): Refusal {
  if (refusal.code !== 'idempotency_key_reused' || !looksUnfilled(key)) return refusal
  const { detail } = PROBLEMS.idempotency_key_reused
  return { ...refusal, detail: `${refusal.detail ?? detail} ${UNFILLED}` }
}

const NAME = '[a-z*][a-z0-9_.*-]*'
const STRING = String.raw`"(?:[ !#-[\]-~]|\\["\\])*"`
const DISPLAY = String.raw`%"(?:[ !#$&-~]|%[0-9a-f]{2})*"`
const NUMBER = String.raw`-?\d{1,15}(?:\.\d{1,3})?`
const VALUE = [
  STRING,
  DISPLAY,
  NUMBER,
  String.raw`@-?\d{1,15}`,
  String.raw`[A-Za-z*][!#$%&'*+.^_\x60|~:/\w-]*`,
  ':[A-Za-z0-9+/=]*:',
  String.raw`\?[01]`,
].join('|')
const PARAMETERS = `(?:; *${NAME}(?:=(?:${VALUE}))?)*`

/** A String or a Display String with parameters, as RFC 9651 writes an item. */
const ITEM = new RegExp(`^(${STRING}|${DISPLAY})${PARAMETERS}$`)
const BARE = /^[\t -~]*$/

const QUOTED =
  'Expected a string as RFC 9651 writes it: "…", with \\" and \\\\ for a quotation mark ' +
  'and a backslash within.'
const ASCII =
  'Expected printable ASCII. Write other characters as RFC 9651 does, %"…" with the ' +
  'percent-encoded UTF-8 bytes in lower case.'
const LIST =
  'Expected one key. A comma or a semicolon outside quotation marks separates items and ' +
  'parameters; write such a key in quotation marks: "…".'

/**
 * The key in a header `Idempotency-Key`: a String or Display String of RFC 9651, or the bare text
 * of one key. Parameters mean nothing. Headers that were joined on the way are no key, because no
 * one can tell which one was meant.
 */
export function keyInHeader(header: string): SentKey {
  const text = header.replaceAll(/^[\t ]+|[\t ]+$/g, '')
  const isQuoted = text.startsWith('"') || text.startsWith('%"')
  if (!BARE.test(text)) return { isNoKey: ASCII }
  if (!isQuoted) return /[,;]/.test(text) ? { isNoKey: LIST } : text
  const item = ITEM.exec(text)?.[1]
  if (item === undefined) return { isNoKey: /"[\t ]*,/.test(text) ? LIST : QUOTED }
  return item.startsWith('%') ? displayString(item) : unescaped(item)
}

/**
 * The key in the path of a request, which is one: as it is, or in the quotation marks in which a
 * header has it.
 */
export const keyInPath = (text: string): SentKey => (/^%?"/.test(text) ? keyInHeader(text) : text)

const unescaped = (item: string) => item.slice(1, -1).replaceAll(/\\(["\\])/g, '$1')

function displayString(item: string): SentKey {
  try {
    return decodeURIComponent(item.slice(2, -1))
  } catch {
    return { isNoKey: ASCII }
  }
}

/** The refusal of a missing key or of what is none, with all else that is wrong with the request. */
export function keyProblem(key: SentKey, more: readonly FieldError[]): Problem {
  const code = key === '' ? 'idempotency_key_missing' : 'idempotency_key_invalid'
  return problem(code, {
    errors: [{ pointer: '/idempotency_key', detail: expectedKey(key) }, ...more],
    ...(more.length > 0 && {
      next_step: `${PROBLEMS[code].next_step} Correct the other fields that are listed, too.`,
    }),
  })
}

function expectedKey(key: SentKey) {
  if (typeof key !== 'string') return key.isNoKey
  if (!key.isWellFormed()) return 'Expected text that is valid Unicode.'
  return (
    `${key === '' ? 'Required: expected' : 'Expected'} ${SHORTEST} to ${LONGEST} characters; ` +
    'over REST, in the header Idempotency-Key.'
  )
}
