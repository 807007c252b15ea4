import { BEFORE_AMOUNT, NUMBER_WORD, SHORT_UNIT, type Span, UNIT } from './trade-words.ts'

const UNUSED_EIN_PREFIXES: ReadonlySet<string> = new Set(
  '00 07 08 09 17 18 19 28 29 49 69 70 78 79 89 96 97'.split(' '),
)

// Lengths by country (SWIFT IBAN registry): of every length, one text in five would pass mod 97 by chance.
const IBAN_LENGTHS: ReadonlyMap<string, number> = new Map(
  (
    'ad24 ae23 al28 at20 az28 ba20 be16 bg22 bh22 br29 by28 ch21 cr22 cy28 cz24 de22 dk18 do28 ee20 eg29 ' +
    'es24 fi18 fo18 fr27 gb22 ge22 gi23 gl18 gr27 gt28 hr21 hu28 ie22 il23 iq23 is26 it27 jo30 kw30 kz20 ' +
    'lb28 lc32 li21 lt20 lu20 lv21 ly25 mc27 md24 me22 mk19 mr27 mt31 mu30 nl18 no15 pk24 pl28 ps29 pt25 ' +
    'qa29 ro24 rs22 sa24 sc31 se24 si19 sk24 sm27 st25 sv28 tl23 tn24 tr26 ua29 va22 vg24 xk20'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))] as const),
)

/** Whether a social security number with these parts could have been issued. */
export const isSsn = (area: string, group: string, serial: string) =>
  !/^(?:000|666|9..)$/.test(area) && group !== '00' && serial !== '0000'

/**
 * Whether these are the first two parts of an ITIN, or with 93 of an ATIN for a child that is being
 * adopted.
 */
export const isItin = (area: string, group: string) =>
  area.startsWith('9') && /^(?:5\d|6[0-5]|7\d|8[0-8]|9\d)$/.test(group)

/** Whether employer numbers are issued with these first two digits (the list ages). */
export const isEinPrefix = (prefix: string) => !UNUSED_EIN_PREFIXES.has(prefix)

export function luhn(digits: string): boolean {
  let sum = 0
  for (let place = 0; place < digits.length; place += 1) {
    const digit = Number(digits[digits.length - 1 - place]) * (place % 2 === 0 ? 1 : 2)
    sum += digit > 9 ? digit - 9 : digit
  }
  return sum % 10 === 0
}

/** How cards begin and how long they are, by issuer (ISO/IEC 7812). */
const CARDS = [
  /^3[47]\d{13}$/, // American Express
  /^(?:5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}$/, // Mastercard
  /^4(?:\d{12}|\d{15}|\d{18})$/, // Visa
  /^3(?:0[0-5]|[689]\d)\d{11}$/, // Diners Club
  /^(?:35(?:2[89]|[3-8]\d)|50\d\d|5[6-8]\d\d|6\d{3})\d{12,15}$/, // JCB, Maestro, Discover, UnionPay
]

/** Whether the digits begin as some issuer's cards do, are as many, and pass the Luhn check. */
export const isCard = (digits: string) => CARDS.some((card) => card.test(digits)) && luhn(digits)

/** Whether nine digits pass the 3-7-1 check of American bank routing numbers. */
export function isRoutingNumber(digits: string): boolean {
  let sum = 0
  for (const [place, digit] of digits.split('').entries())
    sum += Number(digit) * [3, 7, 1][place % 3]!
  return sum > 0 && sum % 10 === 0
}

/** The length of an IBAN of this country (two lower-case letters); undefined if it has none. */
export const ibanLength = (country: string) => IBAN_LENGTHS.get(country)

/** Whether a lower-case IBAN without spaces passes the mod 97 check. */
export function isIban(iban: string): boolean {
  let rest = 0
  for (const char of iban.slice(4) + iban.slice(0, 4)) {
    const value = parseInt(char, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}

/**
 * Groups of digits, and the gaps between them: up to three characters that are no letters or digits,
 * and no end of a clause.
 */
export interface Run extends Span {
  groups: string[]
  gaps: string[]
  /** Where each group begins. */
  starts: number[]
}

const RUN = /\d+(?:(?!\. )[^\p{L}\d;]{1,3}\d+)*/gu

/** Digits of the shortest run that is refused: an account's number. */
const SHORTEST_RUN = 6

/** The runs of digits in a text made by `plainCopy`, each as long as it can be, without short ones. */
export function digitRuns(text: string): Run[] {
  const runs = Array.from(text.matchAll(RUN)).filter(
    ([run]) => run.replace(/\D/g, '').length >= SHORTEST_RUN,
  )
  return runs.map(({ 0: run, index }) => ({
    start: index,
    end: index + run.length,
    groups: run.split(/\D+/),
    gaps: run.split(/\d+/).slice(1, -1),
    starts: Array.from(run.matchAll(/\d+/g), (group) => index + group.index),
  }))
}

/** The groups of a run from the one with the index `from` up to but without `to`. */
function part({ groups, gaps, starts }: Run, from: number, to: number): Run {
  return {
    start: starts[from]!,
    end: starts[to - 1]! + groups[to - 1]!.length,
    groups: groups.slice(from, to),
    gaps: gaps.slice(from, to - 1),
    starts: starts.slice(from, to),
  }
}

/** The items of a run that is a list, as `2023, 2024` is. */
export function listItems(run: Run): Run[] {
  const items: Run[] = []
  let first = 0
  for (let next = 1; next <= run.groups.length; next += 1) {
    if (next < run.groups.length && run.gaps[next - 1] !== ', ') continue
    items.push(part(run, first, next))
    first = next
  }
  return items
}

/** Whole groups of a run, from the one with the index `from`. */
export type Stretch = Run & { from: number }

/** Every stretch of a run that holds from `least` to `most` digits. */
export function* stretches(run: Run, least: number, most: number): Generator<Stretch> {
  for (const from of run.groups.keys()) {
    let digits = 0
    for (let to = from; to < run.groups.length && digits < most; to += 1) {
      digits += run.groups[to]!.length
      if (digits >= least && digits <= most) yield { ...part(run, from, to + 1), from }
    }
  }
}

export const digitsOf = ({ groups }: Run) => groups.join('')

export const isYear = (group: string) => /^(?:19|20)\d\d$/.test(group)

// Digits that continue before or after it make it a part of a longer number.
const ALONE = '(?<!\\d|\\d[-./,:])'
const ENDS = '(?!\\d|[-./,:]\\d)'
const DAY = '(?:0?[1-9]|[12]\\d|3[01])'
const MONTH = '(?:0?[1-9]|1[0-2])'
const YEAR = '(?:19|20)\\d\\d'
const OF_YEAR = '(?:/\\d\\d(?:\\d\\d)?)?'
const THOUSANDS = '[1-9]\\d{0,2}(?:,\\d{3}){1,3}(?:\\.\\d{1,2})?'
/** Not in a form of an identity number that looks like an amount. */
const NO_NINE = '(?!\\d{3},\\d{3},\\d{3}(?![\\d,.])|\\d{3}\\.\\d\\d \\d{4}(?!\\d))'

/** Amounts, dates and links, but for those in a form of an identity number. */
export const AMOUNTS = new RegExp(
  [
    'https?://\\S+',
    '(?<![\\da-z])[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}(?![\\da-z])',
    // Forms and notices: in `W-2: 219099999` the 2 is no part of the number.
    '(?<![a-z\\d])(?:w-?[2-9]g?|k-?[123]|i-?9|ss-?4|1\\d{3}-[a-z]{1,4}|(?:cp|lt|ltr) ?\\d{1,4}[a-z]?)' +
      '(?![a-z\\d]|-\\d)',
    // Money and percentages
    `${BEFORE_AMOUNT} ?\\d[\\d,.]*`,
    `${ALONE}\\d(?:[\\d,.]*\\d)? ?${UNIT}`,
    `${ALONE}(?!40[13] ?[kb](?: [a-z]+)? ?(?:#|(?:${NUMBER_WORD})(?![a-z])))` +
      `(?:\\d{1,6}|${THOUSANDS})(?:\\.\\d+)? ?${SHORT_UNIT}`,
    `${ALONE}${NO_NINE}${THOUSANDS}(?:[-/](?:${THOUSANDS}|\\d{1,3}\\.\\d\\d))*` +
      `(?:/\\d{1,3}(?:\\.\\d+)?)?${ENDS}`,
    // As in Spain and France
    `${ALONE}[1-9]\\d{0,2}(?:[. ]\\d{3}){1,3},\\d{1,2}${ENDS}`,
    `${ALONE}${NO_NINE}\\d+\\.\\d{1,2}(?:/\\d{1,2})?${ENDS}`,
    // Places on a map
    `${ALONE}\\d{1,2}\\.\\d{4,},? ?-\\d{1,3}\\.\\d{4,}${ENDS}`,
    // Dates and times
    `${ALONE}${YEAR}[-/.]${MONTH}[-/.]${DAY}` +
      `(?:[t ]\\d{1,2}:\\d\\d(?::\\d\\d)?(?:\\.\\d+)?(?:z|[+-]\\d\\d:?\\d\\d)?)?${ENDS}`,
    `${ALONE}(?:${MONTH}([-/.])${DAY}|${DAY}([-/.])${MONTH})(?:\\1|\\2)(?:${YEAR}|\\d\\d)${ENDS}`,
    `${ALONE}${MONTH}/(?:${YEAR}|${DAY}(?:${OF_YEAR}-${MONTH}/${DAY}${OF_YEAR})?)${ENDS}`,
    `${ALONE}${YEAR} ${MONTH} ${DAY}${ENDS}(?! ?\\d)`,
    `${ALONE}${YEAR}[-/]${YEAR}${ENDS}`,
    `${ALONE}(?:[01]?\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d)?${ENDS}`,
  ].join('|'),
  'gu',
)

/** Telephone numbers, ZIP codes, dates in one piece, addresses of machines. */
export const ORDINARY = new RegExp(
  [
    // Dates without separators, telephone numbers, ZIP codes
    `${ALONE}(?:${YEAR}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])|` +
      `(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])${YEAR})${ENDS}`,
    '\\+\\d{1,3}(?:[ ().-]{1,3}\\d+){2,6}|\\+\\d{8,15}(?!\\d)',
    `${ALONE}(?:011[ -][1-9]\\d?(?=(?:[ -]?\\d){8,12}(?!\\d))` +
      `(?:[ -]\\d{1,5}){2,5}|0[1-9](?:[ .-]\\d\\d){4})${ENDS}`,
    '(?<!\\d|\\d[-./,: ])(?:1[-. ])?\\(?[2-9]\\d\\d\\)?[-./ ]{0,2}' +
      '[2-9]\\d\\d[-./ ]?\\d{4}(?!\\d|(?!\\. )[-./,: ]{1,2}\\d{4})',
    `${ALONE}[2-9]\\d\\d-\\d{4}${ENDS}`,
    `${ALONE}\\d{5}-\\d{4}${ENDS}`,
    // Labels of the post office
    '(?<!\\d |\\d)(?:9[2-5]\\d\\d(?: \\d{4}){4} \\d\\d|70[0-2]\\d(?: \\d{4}){4})(?! ?\\d)',
    // Addresses of machines, and fractions
    `${ALONE}(?:\\d{1,3}\\.){3}\\d{1,3}(?::\\d{2,5})?${ENDS}`,
    `${ALONE}\\d{1,3}\\.\\d{8,}${ENDS}`,
  ].join('|'),
  'gu',
)
