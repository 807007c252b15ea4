import type { MappedText, Span } from './mapped-text.ts'
import { BEFORE_AMOUNT, SHORT_UNIT, UNIT } from './trade-words.ts'

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

/** The runs of digits in a text made by `matchingCopy`, each as long as it can be. */
export function digitRuns(text: string): Run[] {
  return Array.from(text.matchAll(RUN), ({ 0: run, index }) => ({
    start: index,
    end: index + run.length,
    groups: run.split(/\D+/),
    gaps: run.split(/\d+/).slice(1, -1),
    starts: Array.from(run.matchAll(/\d+/g), (group) => index + group.index),
  }))
}

/** The groups of a run from the one with the index `from` up to but without `to`. */
function part({ groups, gaps, starts }: Run, from: number, to: number): Run {
  const end = (starts[to - 1] ?? 0) + (groups[to - 1]?.length ?? 0)
  return {
    start: starts[from] ?? 0,
    end,
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
      digits += run.groups[to]?.length ?? 0
      if (digits >= least && digits <= most) yield { ...part(run, from, to + 1), from }
    }
  }
}

export const digitsOf = ({ groups }: Run): string => groups.join('')

export const isYear = (group: string): boolean => /^(?:19|20)\d\d$/.test(group)

// Digits that continue before or after it make it a part of a longer number.
const ALONE = '(?<!\\d|\\d[-./,:])'
const ENDS = '(?!\\d|[-./,:]\\d)'
const DAY = '(?:0?[1-9]|[12]\\d|3[01])'
const MONTH = '(?:0?[1-9]|1[0-2])'
const YEAR = '(?:19|20)\\d\\d'
const THOUSANDS = '[1-9]\\d{0,2}(?:,\\d{3}){1,3}(?:\\.\\d{1,2})?'
/** Forms of an identity number that look like an amount. */
const NINE_AS_AMOUNT = '(?!\\d{3},\\d{3},\\d{3}(?![\\d,.])|\\d{3}\\.\\d\\d \\d{4}(?!\\d))'

const amountsAndDates = (but = ''): string[] => [
  'https?://\\S+',
  '(?<![\\da-z])[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}(?![\\da-z])',
  // Forms and notices: in `W-2: 219099999` the 2 is no part of the number.
  '(?<![a-z\\d])(?:w-?[2-9]g?|k-?[123]|i-?9|ss-?4|(?:cp|lt|ltr) ?\\d{1,4}[a-z]?)(?![a-z\\d]|-\\d)',
  // Money and percentages
  `${BEFORE_AMOUNT} ?\\d[\\d,.]*`,
  `${ALONE}\\d(?:[\\d,.]*\\d)? ?${UNIT}`,
  `${ALONE}(?:\\d{1,6}|${THOUSANDS})(?:\\.\\d+)? ?${SHORT_UNIT}`,
  `${ALONE}${but}${THOUSANDS}(?:[-/](?:${THOUSANDS}|\\d{1,3}\\.\\d\\d))*(?:/\\d{1,3}(?:\\.\\d+)?)?${ENDS}`,
  // As in Spain and France
  `${ALONE}[1-9]\\d{0,2}(?:[. ]\\d{3}){1,3},\\d{1,2}${ENDS}`,
  `${ALONE}${but}\\d+\\.\\d{1,2}(?:/\\d{1,2})?${ENDS}`,
  // Places on a map
  `${ALONE}\\d{1,2}\\.\\d{4,},? ?-\\d{1,3}\\.\\d{4,}${ENDS}`,
  // Dates and times
  `${ALONE}${YEAR}[-/.]${MONTH}[-/.]${DAY}(?:[t ]\\d{1,2}:\\d\\d(?::\\d\\d)?(?:\\.\\d+)?(?:z|[+-]\\d\\d:?\\d\\d)?)?${ENDS}`,
  `${ALONE}(?:${MONTH}([-/.])${DAY}|${DAY}([-/.])${MONTH})(?:\\1|\\2)(?:${YEAR}|\\d\\d)${ENDS}`,
  `${ALONE}${MONTH}/(?:${YEAR}|${DAY})${ENDS}`,
  `${ALONE}${YEAR} ${MONTH} ${DAY}${ENDS}(?! ?\\d)`,
  `${ALONE}${YEAR}[-/]${YEAR}${ENDS}`,
  `${ALONE}(?:[01]?\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d)?${ENDS}`,
]

const AMOUNTS_AND_DATES = new RegExp(amountsAndDates(NINE_AS_AMOUNT).join('|'), 'gu')
const ANY_AMOUNTS_AND_DATES = new RegExp(amountsAndDates().join('|'), 'gu')
const ORDINARY = new RegExp(
  [
    // Dates without separators, telephone numbers, ZIP codes
    `${ALONE}(?:${YEAR}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])|(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])${YEAR})${ENDS}`,
    '\\+\\d{1,3}(?:[ ().-]{1,3}\\d+){2,6}|\\+\\d{8,15}(?!\\d)',
    `${ALONE}(?:011[ -][1-9]\\d?(?=(?:[ -]?\\d){8,12}(?!\\d))(?:[ -]\\d{1,5}){2,5}|0[1-9](?:[ .-]\\d\\d){4})${ENDS}`,
    '(?<!\\d|\\d[-./,: ])(?:1[-. ])?\\(?[2-9]\\d\\d\\)?[-./ ]{0,2}[2-9]\\d\\d[-./ ]?\\d{4}(?!\\d|(?!\\. )[-./,: ]{1,2}\\d{4})',
    `${ALONE}[2-9]\\d\\d-\\d{4}${ENDS}`,
    `${ALONE}\\d{5}-\\d{4}${ENDS}`,
    // Addresses of machines, and fractions
    `${ALONE}(?:\\d{1,3}\\.){3}\\d{1,3}(?::\\d{2,5})?${ENDS}`,
    `${ALONE}\\d{1,3}\\.\\d{8,}${ENDS}`,
  ].join('|'),
  'gu',
)

/** The copy with `x` for amounts, dates and links, so that the digits beside them do not join. */
export const withoutAmounts = (copy: MappedText): MappedText => copy.replace(AMOUNTS_AND_DATES, 'x')

/** The copy with `x` also for telephone numbers, ZIP codes and dates in one piece. */
export const withoutOrdinary = (copy: MappedText): MappedText =>
  copy.replace(ANY_AMOUNTS_AND_DATES, 'x').replace(ORDINARY, 'x')
