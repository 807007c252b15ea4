import { isWellKnownDomain, isWellKnownEnding } from '../email.ts'
import { pattern } from '../lazy.ts'
import { DASHES, DIGIT_WORDS, JOINED_WORDS, contactCopy, readable } from './prepared-text.ts'
import {
  BEFORE_AMOUNT,
  CALL,
  MEASURE,
  NEARBY,
  type Span,
  UNIT,
  beforeList,
  clauseOf,
  isNamedId,
  isNamedNoPhone,
  isNamedPlace,
  isPaperNumber,
} from './trade-words.ts'

// Email addresses

const SIGNS = ".!#$%'*+^_`{}~-"
const WORD = '\\p{L}\\p{M}\\p{N}'
const LOCAL = `[${WORD}${SIGNS}]`
// People and models put `/`, `=`, `|` and `?` between an address and other text, as in a table, and `&`
// in links. In a mailbox they stand after an initial, `&` also after words: `o/brien`, `smith&sons`.
const MAILBOX =
  `(?<!${LOCAL})(?:(?<![/=|&;?@])` +
  `(?:(?=[\\p{N}${SIGNS}]*\\p{L})${LOCAL}+&(?:amp;)?|[${SIGNS}]*\\p{L}[/=|?])+)?`
/** `,com` and `. com`, as thumbs and spell checkers write it. */
const SLIPPED_END = `[ \\t]?[.,][ \\t]?(?:com|net|org|edu|gov)(?![${WORD}])`
// It takes the whole run up to another @, so that no second address begins in the tail of the first.
const ADDRESS = pattern(
  `${MAILBOX}(?:[${SIGNS}]*[${WORD}]${LOCAL}*[ \\t]?@+[ \\t]?|[${SIGNS}]+@)` +
    `(?:(?:[${WORD}_-]+[.。])+(?:xn--[a-z\\d-]+|\\p{L}[${WORD}]+)|` +
    `\\[[\\da-f:.]{3,45}\\]|[${WORD}_-]+${SLIPPED_END})` +
    `(?:[${WORD}${SIGNS}]*@(?:[${WORD}@${SIGNS}]*[${WORD}@-])?)?`,
  'giu',
)
/** `jane@example`, where the rest is missing. */
const UNFINISHED_ADDRESS = pattern(
  `${MAILBOX}[${WORD}]${LOCAL}*@\\p{L}[${WORD}-]+(?:[ \\t](?:com|net|org)(?![${WORD}]))?`,
  'giu',
)
const QUOTED_ADDRESS = pattern(`"[^"\\n]{1,64}"@[${WORD}_.-]*[${WORD}]`, 'gu')

const PART = `[\\p{L}\\p{N}][${WORD}_.%+-]{0,63}`
const HOST_PART = `[${WORD}-]{1,63}`
// V8 writes a repetition out unless it holds a group that is kept.
const HOST = `${HOST_PART}(\\.${HOST_PART}){0,3}`
const START = `(?<![${WORD}])`
const END = `(?![${WORD}])`

const bracketed = (what: string) =>
  `[ \\t]{0,2}[([{<][ \\t]{0,2}${what}[ \\t]{0,2}[)\\]}>][ \\t]{0,2}`
const said = (what: string) => `(?:${bracketed(what)}|[ \\t]{1,2}${what}[ \\t]{1,2})`

const NAME = `${START}${PART}(${said('(?:dot|punto|underscore|dash|hyphen|plus)')}${PART}){0,3}`
const SPELLED_DOT = `(?:${said('(?:dot|punto)')}|${bracketed('\\.')})`
/** `jo at example dot com`; and `jo (at) example.com`, where the brackets leave no doubt. */
const SPELLED_ADDRESS = pattern(
  `${NAME}(?:(?:${said('(?:at|arroba)')}|[ \\t]?@[ \\t]?)${HOST}(?:${SPELLED_DOT}${HOST}){1,4}` +
    `|${bracketed('(?:at|arroba|@)')}${HOST_PART}(?:\\.${HOST_PART}){1,4})${END}`,
  'giu',
)
const WORD_AT_HOST = pattern(
  `(${NAME})[ \\t]{1,2}(?:at|arroba)[ \\t]{1,2}(${HOST}\\.\\p{L}{2,24})${END}`,
  'giu',
)

const MAILBOXES = 'gmail|googlemail|hotmail|ymail|icloud|protonmail|fastmail'
/** Names of mailboxes that are also companies, programs or words. */
const ALSO_COMPANIES = 'yahoo|outlook|aol|proton|comcast|verizon|att|msn|gmx|zoho'
const WORD_AT_PROVIDER = pattern(
  `(${NAME})(?:[ \\t]{1,2}at[ \\t]{1,2}|[ \\t]?@[ \\t]?)(?:(${MAILBOXES})|${ALSO_COMPANIES})${END}`,
  'giu',
)
const NO_NAMES =
  'look|looked|looking|work|works|worked|working|is|was|are|be|me|us|him|her|them|it|i|you|' +
  'e?-?mail|emails|message|messages|account|accounts|inbox|here|only|also|not|and|or|still|there|' +
  'address|support|sign|login|in|up'
const NO_NAME = new RegExp(`^(?:${NO_NAMES})$`, 'i')

/** Whether a match is an address, by its groups, the text before it, and the whole of it. */
type Judge = (groups: (string | undefined)[], before: string, address: string) => boolean

// "Email is jane at yahoo" is an address, "jane works at yahoo" and "mail me at gmail" are not.
const isAtProvider: Judge = ([name = '', , mailbox = ''], before) => {
  if (NO_NAME.test(name)) return false
  const isName = /[\d._]|[ \t](?:dot|underscore|dash)[ \t]/i.test(name)
  return mailbox !== '' || isName || /(?<!\p{L})e-?mail[^\n]{0,12}$/iu.test(before)
}

// "Look at example.com" is prose; "jo.doe at example.com" and "jo at gmail.com" are not.
const isAtHost: Judge = ([name = '', , host = '']) =>
  (/\p{L}/u.test(name) && /[\d._]/.test(name)) || isWellKnownDomain(host)

// "is @dana.bakes" is a name at a network, "jane @gmail.com" an address.
const isNoHandle: Judge = (_groups, _before, address) =>
  !/[ \t]@\S/.test(address) || isWellKnownEnding(address.split('.').at(-1)!)

/** How much of the text around an address is looked at. */
const AROUND = 20

const MIRRORED: Readonly<Record<string, string>> = { '{': '}' }

/** How many signs before an address are marks that enclose it: `**jane@example.com**`. */
function enclosing(address: string, after: string): number {
  const marks = /^[*_~`'{]*/.exec(address)![0]
  const closing = Array.from(marks, (mark) => MIRRORED[mark] ?? mark)
    .reverse()
    .join('')
  return after.startsWith(closing) ? marks.length : 0
}

const found =
  (patternOf: () => RegExp, judge: Judge = () => true) =>
  (text: string): Span[] =>
    Array.from(text.matchAll(patternOf())).flatMap((match) => {
      const [address, ...groups] = match
      const before = text.slice(Math.max(0, match.index - AROUND), match.index)
      if (!judge(groups, before, address)) return []
      const end = match.index + address.length
      return [{ start: match.index + enclosing(address, text.slice(end, end + AROUND)), end }]
    })

// Telephone numbers

const DASH = `[${DASHES}]`
const SIGN = `(?:[${DASHES}/·•:_*~]|\\.(?![ \\t])|(?<=[ \\t])\\.)`
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
const notAfter = (signs: string) =>
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
  '(?<!\\d)(?:\\+4[ \\t:#]{1,3})?\\d{5}-\\d{4}(?![\\d-])', // ZIP+4
  // Shares and rates. Behind `2.` may stand the second number of a list.
  '(?<![\\d.])(?:0|\\d{1,2}(?=\\.\\d*?(?:(?<same>\\d)\\k<same>{7}|\\d[ \\t]?%)))\\.\\d{10,}',
  '(?<!\\p{L})(?:(?:forms?|schedule|secs?|section|publication|pub|irc|regs?|cfr|usc|rule)[.]?[ \\t]|' +
    '§{1,2}[ \\t]?)\\d{3,4}-\\d{4}(?![\\d-])',
]

/** Ten digits in groups that no American number has; commas, colons and pipes part amounts and years, too. */
const ODD_TEN = `(?:0\\d?)?\\d(?:[ \\t]?[./${DASHES}]?[ \\t]?\\d){9}(?!\\d)`
const TEN_WITH_COMMAS = '\\d{3}[,:|]\\d{3}[,:|]\\d{4}'
const TALK =
  '(?:me|us|her|him|them|is|on|at|number|no|my|the|our|his|their|home|work|office|fijo|oficina|' +
  'casa|trabajo|personal|direct|main|business|daytime|evening|\\([^()\\d]{1,20}\\)|' +
  'or|now|al|es|a|mi|su|numero|de|el|la|nuestro)'
/** Just after `my cell is`, any seven digits are a telephone number. */
const AFTER_CALL = `(?<=(?<!\\p{L})${ANY_CALL}(?:[ \\t:.#=,-]{1,3}${TALK}){0,5}[ \\t:.#=,${DASHES}]{0,3})`
const BEFORE_CALL = `(?=[ \\t(-]{1,3}(?:(?:is|es|my|mi|her|his|our|the|su)[ \\t]){0,3}${ANY_CALL}(?!\\p{L}))`

const SPELLED_DIGIT = `(?:oh?|${DIGIT_WORDS.join('|')})`
const SPELLED_GAP = `[ \\t,${DASHES}]{1,3}`
const NEXT_SPELLED = `(?:${SPELLED_GAP}${SPELLED_DIGIT})`

const PHONES = [
  `\\+[ \\t]?1${GAP}\\(?\\d{3}\\)?${GAP}\\d{3}${GAP}\\d{4}`,
  `\\+\\(?\\d\\)?${MORE}{7,14}`,
  // `00` before the number of a country, in the groups of a number
  `${notAfter('.,:-')}00[ \\t]?[1-9](?=(?:[ ${DASHES}]?\\d){10,13}(?!\\d))` +
    `\\d{0,2}(?:[ ${DASHES}]\\d{1,6}){2,5}`,
  // The same from America; three digits of a country could be a parcel's
  `${notAfter('.,:-')}011[ ${DASHES}][1-9]\\d?(?=(?:[ ${DASHES}]?\\d){8,12}(?!\\d))` +
    `(?:[ ${DASHES}]\\d{1,5}){2,5}`,
  `(?:${APART}1${GAP})?\\(\\d{3}\\)${GAP}\\d{3}${GAP}\\d{4}`,
  `${APART}(?:1${GAP})?\\d{3}${POINT}\\d{3}${POINT}\\d{4}`,
  // With spaces or nothing between, only what the American numbering plan allows.
  `${notAfter('_-')}(?:1${GAP})?[2-9]\\d{2}(?:${APART_BY}[2-9]\\d{2}${GAP}|[2-9]\\d{2})\\d{4}`,
  `${notAfter('_./,:-')}(?:1${GAP})?(?![\\d \\t]{0,12}00(?!\\d))` +
    `[2-9]\\d{2}[ \\t.-][2-9]\\d{2}[ \\t.-]\\d{2}[ \\t.-]\\d{2}(?![ \\t]\\d)`,
  `${notAfter('_./-')}[2-9]\\d{2}${DASH}\\d{4}(?!${DASH}\\d)`,
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

const NUMBER = pattern(
  `(${NOT_PHONES.join('|')})|(?:${PHONES.join('|')})(?!\\p{N})${EXTENSION}`,
  'giu',
)
/** Seven, ten or eleven spelled digits; a text that counts stops at another number. */
const SPELLED_NUMBER = pattern(
  `(?<!\\p{L}|${SPELLED_DIGIT}${SPELLED_GAP})${SPELLED_DIGIT}${NEXT_SPELLED}{6}(?:${NEXT_SPELLED}{3,4})?` +
    `(?!\\p{L}|${NEXT_SPELLED})`,
  'giu',
)

const AMOUNT_FOLLOWS = new RegExp(`^[ \\t]?(?:${UNIT}|${MEASURE})`, 'i')
const IS_CALLED = new RegExp(`(?<![a-z])${ANY_CALL}(?:[^a-z\\d]{1,3}${TALK}){0,5}[^a-z\\d]*$`)
/** In `case id 5185550142, call (518) 555-0147` the word belongs to the next number. */
const CALL_FOLLOWS = new RegExp(
  `^${BEFORE_CALL}(?!\\W*[a-z]+(?: [a-z]+){0,4}[ :(+]*(?:\\d(?:[-. ()]{0,2}\\d){6}|\\[phone))`,
  'u',
)
/** A comma, or a full stop after a whole word: what comes before names no formatted number. */
const ENDS_ITEM = /(?:,|[a-z]{4}\.(?= ))[^a-z\d]*$/
const ONE_PIECE = /^\d+$/
const IN_GROUPS = /^(?:1\D{1,3})?[2-9]\d\d\D{1,3}[2-9]\d\d\D{1,3}\d{4}/
const THREE_AND_FOUR = new RegExp(`^\\d{3}${DASH}\\d{4}$`, 'u')
/** `800-1200`: two round numbers rather than a telephone number, where no word says call. */
const ROUND_RANGE = new RegExp(`^[2-9]\\d0${DASH}[1-9]\\d00$`, 'u')

/**
 * Whether the clause calls a number something else, or an amount. A bracket or a plus say that it
 * is none.
 */
function isNoPhone(text: string, span: Span) {
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
  if (!isListed && isNamedNoPhone(name, IN_GROUPS.test(found))) return !CALL_FOLLOWS.test(after)
  if (ONE_PIECE.test(found))
    return isNamedId(name) || isPaperNumber(after) || AMOUNT_FOLLOWS.test(after)
  if (!THREE_AND_FOUR.test(found)) return false
  if (isNamedPlace(before) || AMOUNT_FOLLOWS.test(after)) return true
  return ROUND_RANGE.test(found) && !IS_CALLED.test(before) && !CALL_FOLLOWS.test(after)
}

const inWords = (text: string) => text.replace(JOINED_WORDS, ' ').toLowerCase()

/** The telephone numbers in a copy made by `contactCopy`; dates, money, years, ZIP codes and ids are none. */
function phonesIn(text: string): Span[] {
  const spans: Span[] = []
  for (const { 0: found, 1: kept, index: start } of text.matchAll(NUMBER())) {
    const span = { start, end: start + found.length }
    if (kept === undefined && !isNoPhone(text, span)) spans.push(span)
  }
  return spans
}

/** Telephone numbers in words. */
const spelledPhonesIn = (text: string): Span[] =>
  Array.from(text.matchAll(SPELLED_NUMBER()), ({ 0: found, index: start }) => ({
    start,
    end: start + found.length,
  })).filter((span) => !isNoPhone(text, span))

const AT = /@/
/** `dot` in words, or what no one but a writer of addresses puts in brackets. */
const SPELLED = /dot|punto|[([{<][ \t]{0,2}(?:at|arroba|[.@])[ \t]{0,2}[)\]}>]/i
const WORD_AT = /[ \t](?:at|arroba)[ \t]{1,2}\S+\.\S/i
const AT_PROVIDER = new RegExp(
  `(?:[ \\t]at[ \\t]{1,2}|@[ \\t]?)(?:${MAILBOXES}|${ALSO_COMPANIES})`,
  'i',
)
const SEVEN_DIGITS = /(?:\d\D*){7}/
const SEVEN_SPELLED = new RegExp(`(?:${SPELLED_DIGIT}[^a-z]{1,6}){6}${SPELLED_DIGIT}`, 'i')

/**
 * What becomes a label, in the order in which it is looked for. A text without what it `needs` holds
 * none of it: most notes are such, and the first use of a long pattern takes milliseconds.
 */
const CONTACTS: { label: string; needs: RegExp; spansIn: (copy: string) => Span[] }[] = [
  { label: '[email]', needs: AT, spansIn: found(QUOTED_ADDRESS) },
  { label: '[email]', needs: AT, spansIn: found(ADDRESS, isNoHandle) },
  { label: '[email]', needs: SPELLED, spansIn: found(SPELLED_ADDRESS) },
  { label: '[email]', needs: WORD_AT, spansIn: found(WORD_AT_HOST, isAtHost) },
  { label: '[email]', needs: AT_PROVIDER, spansIn: found(WORD_AT_PROVIDER, isAtProvider) },
  { label: '[email]', needs: AT, spansIn: found(UNFINISHED_ADDRESS) },
  { label: '[phone]', needs: SEVEN_DIGITS, spansIn: phonesIn },
  { label: '[phone]', needs: SEVEN_SPELLED, spansIn: spelledPhonesIn },
]

/** The text with a label in place of each span; the spans come in order and do not overlap. */
function withLabels(text: string, label: string, spans: readonly Span[]) {
  const pieces: string[] = []
  let done = 0
  for (const { start, end } of spans) {
    pieces.push(text.slice(done, start), label)
    done = end
  }
  return pieces.join('') + text.slice(done)
}

/**
 * Notes as they are kept: as they are `readable`, with a label for each email address and telephone
 * number. All else stays as it was typed. Idempotent.
 */
export function redactContacts(text: string): string {
  let kept = readable(text)
  let copy = contactCopy(kept)
  let isChanged = false
  for (const { label, needs, spansIn } of CONTACTS) {
    if (!needs.test(copy.text)) continue
    const spans = spansIn(copy.text).map((span) => copy.source(span))
    if (spans.length === 0) continue
    isChanged = true
    kept = withLabels(kept, label, spans)
    copy = contactCopy(kept)
  }
  // A label can uncover an address behind it. This ends, since each round removes an address or a number.
  return isChanged ? redactContacts(kept) : kept
}
