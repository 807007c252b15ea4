import type { Random } from '../../support/random.ts'

/** What no answer and no log line may hold: each begins like this and is found nowhere else. */
export const MARK = 'zqxfuzz'

/** A text that is recognised wherever it turns up again. */
export type Plant = () => string

const NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'then',
  '$ref',
  '',
  ' ',
  '0',
]

/** A name of a field, of a kind that has tripped programs before. */
export const oddName = (random: Random, plant: Plant): string =>
  random.chance(0.4) ? plant() : random.pick(NAMES)

const TEXTS = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\udfff\ud800',
  '\u202etxet',
  'ﷺ'.repeat(50),
  'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢',
  '👩‍👩‍👧‍👦'.repeat(9),
  '../../etc/passwd',
  '%00%2e%2e%2f',
  '${7*7}{{7*7}}',
  "' OR 1=1 --",
  '<script>alert(1)</script>',
  'null',
  'true',
  '-1',
  '1e309',
  '2026-02-30T25:61:00+99:99',
  '+275760-09-13T00:00:00.001Z',
  'Etc/GMT+99',
  'a@b',
  '\r\nX-Injected: yes',
  '\u2028\u2029',
  'ct_AAAAAAAAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  'cl_0000000000000000',
  'bk_mock_0123456789abcdef',
  '33⅓% of 1½ acres, 2025: 182,400',
  'AGI 61234/58210, wages 53036 60132 14295',
  'DLN 49789-933-00903-8, Invoice 5185550142',
  'account Z12-345678, ATIN 912-93-1234',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿 1️⃣ می‌خواهم क्‍ष',
  'NINO QQ 12 34 56 C, call 00 44 20 7946 0958',
  `${'1,234 '.repeat(80)}jane%40example&#64;com`,
]

/** A text, often one that is planted, sometimes a very long one. */
export const oddText = (random: Random, plant: Plant): string =>
  random.weighted<() => string>([
    [6, plant],
    [2, () => `${plant()}@${plant()}.example`],
    [6, () => random.pick(TEXTS)],
    [2, () => plant() + random.pick(TEXTS)],
    [1, () => plant().repeat(random.int(2, 60))],
    [
      1,
      () =>
        String.fromCharCode(
          ...Array.from({ length: random.int(1, 30) }, () => random.int(0, 0xffff)),
        ),
    ],
    [0.2, () => 'x'.repeat(random.int(1000, 40_000))],
  ])()

const NUMBERS = [
  0,
  -0,
  -1,
  1,
  13,
  0.1,
  1e21,
  1e308,
  -1e308,
  2 ** 53 + 2,
  2 ** 31,
  -(2 ** 63),
  5e-324,
]

/** Objects that answer for themselves where a program takes them for a text, a number, a list or a promise. */
const TRIPPING = (plant: Plant): object[] => [
  { toString: plant() },
  { valueOf: null, toString: null },
  JSON.parse(`{"toJSON":"${plant()}","then":"${plant()}"}`) as object,
  { length: 2 ** 31, 0: plant() },
  { constructor: { name: plant() } },
  { hasOwnProperty: 1, name: { toString: {} } },
]

/** Any JSON value, not too deep. */
export function oddValue(random: Random, plant: Plant, depth = 0): unknown {
  return random.weighted<() => unknown>([
    [6, () => oddText(random, plant)],
    [3, () => random.pick(NUMBERS)],
    [2, () => random.pick([null, true, false])],
    [1, () => random.pick(TRIPPING(plant))],
    [depth > 3 ? 0 : 1.5, () => several(random, () => oddValue(random, plant, depth + 1))],
    [
      depth > 3 ? 0 : 1.5,
      () =>
        Object.fromEntries(
          several(
            random,
            () => [oddName(random, plant), oddValue(random, plant, depth + 1)] as const,
          ),
        ),
    ],
    [0.2, () => deep(random.int(20, 2000))],
  ])()
}

function several<T>(random: Random, make: () => T): T[] {
  return Array.from({ length: random.int(0, 4) }, make)
}

function deep(levels: number): unknown {
  let value: unknown = null
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

/** The value with any other in one of its places, however deep that is. */
export function replaced(value: unknown, random: Random, plant: Plant): unknown {
  const fields = value !== null && typeof value === 'object' ? Object.entries(value) : []
  if (fields.length === 0 || random.chance(0.25)) return oddValue(random, plant)
  const at = random.int(0, fields.length - 1)
  const [name, inner] = fields[at]!
  fields[at] = [name, replaced(inner, random, plant)]
  return Array.isArray(value) ? fields.map(([, one]) => one) : Object.fromEntries(fields)
}

/** The value with something about it changed: a part replaced, left out, added, or put elsewhere. */
export function bent(value: unknown, random: Random, plant: Plant): unknown {
  if (value === null || typeof value !== 'object' || random.chance(0.08))
    return oddValue(random, plant)
  if (Array.isArray(value))
    return value.map((one) => (random.chance(0.5) ? bent(one, random, plant) : one))
  const fields = Object.entries(value)
  const at = random.int(0, Math.max(0, fields.length - 1))
  const field = fields[at]
  random.weighted<() => unknown>([
    [5, () => field && (fields[at] = [field[0], bent(field[1], random, plant)])],
    [2, () => field && (fields[at] = [field[0], oddValue(random, plant)])],
    [1.5, () => fields.splice(at, 1)],
    [3, () => fields.push([oddName(random, plant), oddValue(random, plant)])],
    [0.5, () => field && (fields[at] = [oddName(random, plant), field[1]])],
    [0.5, () => fields.reverse()],
  ])()
  // Not fromEntries on a plain object alone: a field called __proto__ has to stay a field.
  return Object.fromEntries(fields)
}

/** The JSON text with something about its letters changed: it may be JSON no more. */
export function bentText(text: string, random: Random, plant: Plant): string | Buffer {
  const at = random.int(0, text.length)
  return random.weighted<() => string | Buffer>([
    [2, () => text.slice(0, at)],
    [
      2,
      () =>
        text.slice(0, at) +
        random.pick(['"', ',', '{', ']', '\u0000', '\\u', '//', plant()]) +
        text.slice(at),
    ],
    [
      2,
      () =>
        text.replace(
          '{',
          `{"${oddName(random, plant).replaceAll(/["\\\p{Cc}]/gu, '')}":"${plant()}",`,
        ),
    ],
    [2, () => text.replace(/("(\w+)":)/, `$1"${plant()}",$1`)],
    [
      1,
      () =>
        text.replace(
          /:\s*("[^"]*"|true|false|\d+)/,
          `:${random.pick(['NaN', '1e999', '-', '00', '0x1'])}`,
        ),
    ],
    [1, () => Buffer.from(`\ufeff${text}`)],
    [1, () => Buffer.from(text, 'utf16le')],
    [
      1,
      () =>
        Buffer.concat([
          Buffer.from(text.slice(0, at)),
          random.bytes(4),
          Buffer.from(text.slice(at)),
        ]),
    ],
    [1, () => '['.repeat(random.int(100, 30_000))],
    [1, () => random.bytes(random.int(0, 200))],
  ])()
}
