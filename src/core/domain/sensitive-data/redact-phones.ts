import { NEARBY, beforeList, clauseOf } from './clause.ts'
import type { MappedText, Span } from './mapped-text.ts'
import { DASHES, JOINED_WORDS } from './matching-copy.ts'
import {
  BEFORE_AMOUNT,
  CALL,
  MEASURE,
  UNIT,
  isNamedId,
  isNamedNoPhone,
  isNamedPlace,
  isPaperNumber,
} from './trade-words.ts'

const DASH = `[${DASHES}]`
const SIGN = `(?:[${DASHES}/·•:_*|~]|\\.(?![ \\t])|(?<=[ \\t])\\.)`
/**
 * Between two groups of digits: an optional sign with spaces around it (GAP), at least one of both
 * (APART_BY), or a sign (POINT).
 */
const GAP = `[ \\t]{0,2}${SIGN}?[ \\t]{0,2}`
const APART_BY = `(?:[ \\t]{1,2}${SIGN}?|${SIGN})[ \\t]{0,2}`
const POINT = `[ \\t]?${SIGN}{1,2}[ \\t]?`
const DATE = '(?:\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}|\\d{1,2}[-/.]\\d{1,2}[-/.]\\d{4})(?!\\d)'
const TIME = '[T ]\\d{1,2}:\\d{2}(?::\\d{2})?(?:\\.\\d+)?(?:Z|[+-]\\d{2}:?\\d{2})?'
/** One more digit of a number with unknown grouping; a date that follows is not a part of it. */
const MORE = `(?:(?:(?!\\.[ \\t])[ \\t()./·_*|~${DASHES}]){0,3}(?!${DATE})\\d)`

// An id or a decimal fraction ends in digits, too. The label counts as the digits it replaced, so that a
// second reading changes nothing.
const notAfter = (signs: string): string =>
  `(?<![\\p{L}\\p{N}]|[\\p{L}\\p{N}_]_|(?:[\\p{L}\\p{N}]|\\[phone\\])[${signs}])`
/**
 * Neither in a word nor in a longer number, as in `14-22-301-012-0000`. An underscore alone is a mark
 * of emphasis.
 */
const APART = `(?<![\\p{L}\\p{N}]|[\\p{L}\\p{N}_]_|(?<!\\p{N})\\p{N}{1,3}${DASH}\\p{N}{1,3}${DASH})`

const ANY_CALL = `(?:${CALL})`

/** Numbers that stay as they are. */
const NOT_PHONES = [
  `https?://(?!wa\\.me/)(?:(?!${ANY_CALL})[^\\s@])+`, // links, up to a word for calling
  '(?<![\\da-z])[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}', // UUID
  `${BEFORE_AMOUNT}[ \\t]?(?!\\d{3}[-. ]\\d{3}[-. ]\\d{4})\\d[\\d,]*(?:\\.\\d+)?`, // money
  '(?<!\\d)\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?(?!\\d|,\\d)',
  `(?<!\\d)${DATE}(?:${TIME})?`,
  '(?<!\\d)(?:19|20)\\d\\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])(?!\\d)',
  `(?<!\\d)(?:19|20)\\d{2}[ \\t]?[${DASHES}/][ \\t]?(?:19|20)\\d{2}(?!\\d)`, // years
  '(?<!\\d)\\d{5}-\\d{4}(?![\\d-])', // ZIP+4
  '(?<!\\p{L})(?:(?:forms?|schedule|secs?|section|publication|pub|irc|regs?|cfr|usc|rule)[.]?[ \\t]|§{1,2}[ \\t]?)\\d{3,4}-\\d{4}(?![\\d-])',
]

/** Ten digits in groups that no American number has; commas and colons make amounts and years of them. */
const ODD_TEN = `\\d(?:[ \\t]?[./${DASHES}]?[ \\t]?\\d){9}(?!\\d)`
const TEN_WITH_COMMAS = '\\d{3}[,:]\\d{3}[,:]\\d{4}'
const TALK =
  '(?:me|us|her|him|them|is|on|at|number|no|my|the|our|his|their|home|work|office|fijo|oficina|casa|trabajo|personal|direct|main|business|daytime|evening|\\([^()\\d]{1,20}\\)|or|now|al|es|a|mi|su|numero|de|el|la|nuestro)'
/** Just after `my cell is`, any seven digits are a telephone number. */
const AFTER_CALL = `(?<=(?<!\\p{L})${ANY_CALL}(?:[ \\t:.#=,-]{1,3}${TALK}){0,5}[ \\t:.#=,${DASHES}]{0,3})`
const BEFORE_CALL = `(?=[ \\t(-]{1,3}(?:(?:is|es|my|mi|her|his|our|the|su)[ \\t]){0,3}${ANY_CALL}(?!\\p{L}))`

const SPELLED_DIGIT = '(?:zero|oh?|one|two|three|four|five|six|seven|eight|nine)'
const SPELLED_GAP = `[ \\t,${DASHES}]{1,3}`
const NEXT_SPELLED = `(?:${SPELLED_GAP}${SPELLED_DIGIT})`

const PHONES = [
  `\\+[ \\t]?1${GAP}\\(?\\d{3}\\)?${GAP}\\d{3}${GAP}\\d{4}`,
  `\\+\\(?\\d\\)?${MORE}{7,14}`,
  // `00` before the number of a country, in the groups of a number
  `${notAfter('.,:-')}00[ \\t]?[1-9]\\d{0,2}(?:[ ${DASHES}]\\d{2,5}){3,5}`,
  // The same from America; three digits of a country could be a parcel's
  `${notAfter('.,:-')}011[ ${DASHES}][1-9]\\d?(?=(?:[ ${DASHES}]?\\d){8,12}(?!\\d))(?:[ ${DASHES}]\\d{1,5}){2,5}`,
  `(?:${APART}1${GAP})?\\(\\d{3}\\)${GAP}\\d{3}${GAP}\\d{4}`,
  `${APART}(?:1${GAP})?\\d{3}${POINT}\\d{3}${POINT}\\d{4}`,
  // With spaces or nothing between, only what the American numbering plan allows.
  `${notAfter('_-')}(?:1${GAP})?[2-9]\\d{2}(?:${APART_BY}[2-9]\\d{2}${GAP}|[2-9]\\d{2})\\d{4}`,
  `${notAfter('_./,:-')}(?:1${GAP})?(?![\\d \\t]{0,12}00(?!\\d))[2-9]\\d{2}[ \\t.-][2-9]\\d{2}[ \\t.-]\\d{2}[ \\t.-]\\d{2}(?![ \\t]\\d)`,
  `${notAfter('_./-')}[2-9]\\d{2}${DASH}\\d{4}`,
  `(?<!\\d|(?:(?<!\\d)\\d|\\[phone\\])[ .${DASHES}])[2-9](?:[ .${DASHES}]\\d(?!\\d)){9}`,
  // British and French numbers with the zero of their country
  `${notAfter('_-')}(?<!(?<![-/.\\d])\\d{1,6}[ ])0[1-9]\\d{1,3}[ ]\\d{3,4}[ ]\\d{3,4}(?![ ]\\d)`,
  `\\(0[1-9]\\d{0,4}\\)[ ${DASHES}]?\\d{3,4}[ ${DASHES}]?\\d{3,4}`,
  `${notAfter('_-')}0[1-9](?:[ .${DASHES}]\\d{2}){4}`,
  `${notAfter('_./,:-')}(?:${ODD_TEN}|${TEN_WITH_COMMAS})${BEFORE_CALL}`,
  `${AFTER_CALL}${TEN_WITH_COMMAS}`,
  `(?=[+(\\d])${AFTER_CALL}[+(]{0,2}\\d${MORE}{6,14}`,
]
const EXTENSION = '(?:[ \\t,;]{0,3}(?:extension|ext|x|#)[ \\t.:=]{0,3}\\d{1,6}(?!\\d))?'

const NUMBER = new RegExp(
  `(${NOT_PHONES.join('|')})|(?:${PHONES.join('|')})(?!\\p{N})${EXTENSION}`,
  'giu',
)
/** Seven, ten or eleven spelled digits; a text that counts stops at another number. */
const SPELLED_NUMBER = new RegExp(
  `(?<!\\p{L}|${SPELLED_DIGIT}${SPELLED_GAP})${SPELLED_DIGIT}${NEXT_SPELLED}{6}(?:${NEXT_SPELLED}{3,4})?` +
    `(?!\\p{L}|${NEXT_SPELLED})`,
  'giu',
)

const AMOUNT_FOLLOWS = new RegExp(`^[ \\t]?(?:${UNIT}|${MEASURE})`, 'i')
const IS_CALLED = new RegExp(`(?<![a-z])${ANY_CALL}(?:[^a-z\\d]{1,3}${TALK}){0,5}[^a-z\\d]*$`)
const CALL_FOLLOWS = new RegExp(`^${BEFORE_CALL}`)
/** A comma, or a full stop after a whole word: what comes before names no formatted number. */
const ENDS_ITEM = /(?:,|[a-z]{4}\.(?= ))[^a-z\d]*$/
const ONE_PIECE = /^\d+$/
const THREE_AND_FOUR = new RegExp(`^\\d{3}${DASH}\\d{4}$`, 'u')
/** `800-1200`: two round numbers rather than a telephone number, where no word says call. */
const ROUND_RANGE = new RegExp(`^[2-9]\\d0${DASH}[1-9]\\d00$`, 'u')

/**
 * Whether the clause calls a number something else, or an amount. A bracket or a plus say that it
 * is none.
 */
function isNoPhone(text: string, span: Span): boolean {
  const found = text.slice(span.start, span.end)
  if (/^[+(]/.test(found)) return false
  const near = inWords(text.slice(Math.max(0, span.start - NEARBY), span.start))
  const following = inWords(text.slice(span.end, span.end + NEARBY))
  // A formatted number on a line of its own is no invoice's.
  const line = ONE_PIECE.test(found) ? near : near.slice(near.lastIndexOf('\n') + 1)
  const { before } = clauseOf(line, { start: line.length, end: line.length })
  const { after } = clauseOf(following, { start: 0, end: 0 })
  const name = beforeList(before, found)
  const isListed = !ONE_PIECE.test(found) && ENDS_ITEM.test(name)
  if (!isListed && isNamedNoPhone(name)) return !CALL_FOLLOWS.test(after)
  if (ONE_PIECE.test(found))
    return isNamedId(name) || isPaperNumber(after) || AMOUNT_FOLLOWS.test(after)
  if (!THREE_AND_FOUR.test(found)) return false
  if (isNamedPlace(before) || AMOUNT_FOLLOWS.test(after)) return true
  return ROUND_RANGE.test(found) && !IS_CALLED.test(before) && !CALL_FOLLOWS.test(after)
}

const inWords = (text: string): string => text.replace(JOINED_WORDS, ' ').toLowerCase()

/** The telephone numbers in a copy made by `contactCopy`; dates, money, years, ZIP codes and ids are none. */
export function phonesIn({ text }: MappedText): Span[] {
  const spans: Span[] = []
  for (const { 0: found, 1: kept, index: start } of text.matchAll(NUMBER)) {
    const span = { start, end: start + found.length }
    if (kept === undefined && !isNoPhone(text, span)) spans.push(span)
  }
  return spans
}

/** Telephone numbers in words. */
export const spelledPhonesIn = ({ text }: MappedText): Span[] =>
  Array.from(text.matchAll(SPELLED_NUMBER), ({ 0: found, index: start }) => ({
    start,
    end: start + found.length,
  }))
