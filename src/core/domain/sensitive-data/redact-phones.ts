import { DASHES } from './normalise.ts'

const DASH = `[${DASHES}]`
const SIGN = `[${DASHES}./·•:_*|~]`
/** Between two groups of digits: an optional sign with spaces around it (GAP), or a required sign (POINT). */
const GAP = `[ \\t]{0,2}${SIGN}?[ \\t]{0,2}`
const POINT = `(?:[ \\t]?${SIGN}{1,2}[ \\t]?|,)`
const DATE = '(?:\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}|\\d{1,2}[-/.]\\d{1,2}[-/.]\\d{4})(?!\\d)'
const TIME = '[T ]\\d{1,2}:\\d{2}(?::\\d{2})?(?:\\.\\d+)?(?:Z|[+-]\\d{2}:?\\d{2})?'
/** One more digit of a number with unknown grouping; a date that follows is not a part of it. */
const MORE = `(?:[ \\t()./·_*|~${DASHES}]{0,3}(?!${DATE})\\d)`

// An id or a decimal fraction ends in digits, too. The label counts as the digits it replaced, so that a
// second reading changes nothing.
const notAfter = (signs: string): string =>
  `(?<![\\p{L}\\p{N}_]|(?:[\\p{L}\\p{N}]|\\[phone\\])[${signs}])`
const APART = '(?<![\\p{L}\\p{N}_])'

/** Numbers that stay as they are. */
const NOT_PHONES = [
  '(?<![\\da-z])[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}', // UUID
  '[$€£¥][ \\t]?\\d[\\d,]*(?:\\.\\d+)?|(?<!\\d)\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?(?!\\d|,\\d)', // money
  `(?<!\\d)${DATE}(?:${TIME})?`,
  `(?<!\\d)(?:19|20)\\d{2}[ \\t]?[${DASHES}/][ \\t]?(?:19|20)\\d{2}(?!\\d)`, // years
  '(?<!\\d)\\d{5}-\\d{4}(?![\\d-])', // ZIP+4
  '(?<!\\p{L})(?:forms?|schedule|section|publication|pub|irc)[ \\t]\\d{3,4}-\\d{4}(?![\\d-])',
]

/** The ten digits of an American number in odd groups; not a year and an amount, nor round amounts. */
const oddlyGrouped = (shape: string): string => {
  const digits = ['[2-9]', '\\d', '\\d', '[2-9]', ...Array<string>(6).fill('\\d')]
  const groups = shape.split('-').map((size) => digits.splice(0, Number(size)).join(''))
  return `(?!(?:19|20)\\d\\d[ \\t]|[\\d \\t]{0,12}00(?!\\d))${groups.join(`(?:[ \\t]|${POINT})`)}`
}
const ODD_GROUPS = [
  '3-3-2-2',
  '4-6',
  '4-3-3',
  '5-5',
  '3-2-5',
  '3-4-3',
  '2-4-4',
  '3-5-2',
  '6-2-2',
].map(oddlyGrouped)

const CALL =
  '(?:tel|telephone|phone|ph|cell|mobile|mob|fax|whatsapp|sms|text|call|dial|ring|reach(?=[ \\t](?:me|us|her|him|them)))'
const TALK =
  '(?:me|us|her|him|them|is|on|at|number|no|my|the|our|his|their|home|work|office|or|now)'
/** Just after `my cell is`, any seven digits are a telephone number. */
const AFTER_CALL = `(?<=(?<!\\p{L})${CALL}(?:[ \\t:.#=,-]{1,3}${TALK}){0,5}[ \\t:.#=,${DASHES}]{0,3})`

const SPELLED_DIGIT = '(?:zero|oh?|one|two|three|four|five|six|seven|eight|nine)'
const SPELLED_GAP = `[ \\t,${DASHES}]{1,3}`
const NEXT_SPELLED = `(?:${SPELLED_GAP}${SPELLED_DIGIT})`

const PHONES = [
  `\\+[ \\t]?1${GAP}\\(?\\d{3}\\)?${GAP}\\d{3}${GAP}\\d{4}`,
  `\\+\\(?\\d\\)?${MORE}{7,14}`,
  `${notAfter('.,:-')}00[ \\t${DASHES}]?[1-9]${MORE}{6,13}`,
  `(?:${APART}1${GAP})?\\(\\d{3}\\)${GAP}\\d{3}${GAP}\\d{4}`,
  `${APART}(?:1${GAP})?\\d{3}${POINT}\\d{3}${POINT}\\d{4}`,
  // With spaces or nothing between, only what the American numbering plan allows.
  `${notAfter('_-')}(?:1${GAP})?[2-9]\\d{2}${GAP}[2-9]\\d{2}${GAP}\\d{4}`,
  `${notAfter('_./,:-')}(?<!(?:\\d|\\[phone\\])[ \\t])(?:1${GAP})?(?:${ODD_GROUPS.join('|')})(?![ \\t]\\d)`,
  `${notAfter('_./-')}[2-9]\\d{2}${DASH}\\d{4}`,
  `(?<!\\d|(?:(?<!\\d)\\d|\\[phone\\])[ .${DASHES}])[2-9](?:[ .${DASHES}]\\d(?!\\d)){9}`,
  `${notAfter('_-')}0[1-9]\\d{1,4}[ ${DASHES}]\\d{3,4}[ ${DASHES}]?\\d{3,4}`,
  `\\(0[1-9]\\d{0,4}\\)[ ${DASHES}]?\\d{3,4}[ ${DASHES}]?\\d{3,4}`,
  `${notAfter('_-')}0[1-9](?:[ .${DASHES}]\\d{2}){4}`,
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

/** Replaces every telephone number by `[phone]`; dates, money, years, ZIP codes and ids stay. */
export function redactPhones(text: string): string {
  return text
    .replace(NUMBER, (_found, kept: string | undefined) => kept ?? '[phone]')
    .replace(SPELLED_NUMBER, '[phone]')
}
