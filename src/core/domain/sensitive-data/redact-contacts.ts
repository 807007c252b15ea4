import { isWellKnownDomain, isWellKnownEnding } from '../email.ts'
import { MappedText, type Span, withLabels } from './mapped-text.ts'
import { readable, readingCopy } from './readable.ts'
import { phonesIn, spelledPhonesIn } from './redact-phones.ts'

// A mailbox could also have `/`, `=`, `|`, `&` or `?` in its name. People and models put them between an
// address and other text, as in a table.
const SIGNS = ".!#$%'*+^_`{}~-"
const WORD = '\\p{L}\\p{M}\\p{N}'
const LOCAL = `[${WORD}${SIGNS}]`
/** `,com` and `. com`, as thumbs and spell checkers write it. */
const SLIPPED_END = `[ \\t]?[.,][ \\t]?(?:com|net|org|edu|gov)(?![${WORD}])`
// It takes the whole run up to another @, so that no second address begins in the tail of the first.
const ADDRESS = new RegExp(
  `(?<!${LOCAL})(?:[${SIGNS}]*[${WORD}]${LOCAL}*[ \\t]?@[ \\t]?|[${SIGNS}]+@)` +
    `(?:(?:[${WORD}_-]+[.。])+(?:xn--[a-z\\d-]+|\\p{L}[${WORD}]+)|\\[[\\da-f:.]{3,45}\\]|[${WORD}_-]+${SLIPPED_END})` +
    `(?:[${WORD}${SIGNS}]*@(?:[${WORD}@${SIGNS}]*[${WORD}@-])?)?`,
  'giu',
)
/** `jane@example`, where the rest is missing. */
const UNFINISHED_ADDRESS = new RegExp(
  `(?<!${LOCAL})[${WORD}]${LOCAL}*@\\p{L}[${WORD}-]+(?:[ \\t](?:com|net|org)(?![${WORD}]))?`,
  'giu',
)
const QUOTED_ADDRESS = new RegExp(`"[^"\\n]{1,64}"@[${WORD}_.-]*[${WORD}]`, 'gu')

const PART = `[\\p{L}\\p{N}][${WORD}_.%+-]{0,63}`
const HOST_PART = `[${WORD}-]{1,63}`
const HOST = `${HOST_PART}(?:\\.${HOST_PART}){0,3}`
const START = `(?<![${WORD}])`
const END = `(?![${WORD}])`

const bracketed = (what: string): string =>
  `[ \\t]{0,2}[([{<][ \\t]{0,2}${what}[ \\t]{0,2}[)\\]}>][ \\t]{0,2}`
const said = (what: string): string => `(?:${bracketed(what)}|[ \\t]{1,2}${what}[ \\t]{1,2})`

const NAME = `${START}${PART}(?:${said('(?:dot|punto|underscore|dash|hyphen|plus)')}${PART}){0,3}`
const SPELLED_DOT = `(?:${said('(?:dot|punto)')}|${bracketed('\\.')})`
/** `jo at example dot com`; and `jo (at) example.com`, where the brackets leave no doubt. */
const SPELLED_ADDRESS = new RegExp(
  `${NAME}(?:(?:${said('(?:at|arroba)')}|[ \\t]?@[ \\t]?)${HOST}(?:${SPELLED_DOT}${HOST}){1,4}` +
    `|${bracketed('(?:at|arroba|@)')}${HOST_PART}(?:\\.${HOST_PART}){1,4})${END}`,
  'giu',
)
const WORD_AT_HOST = new RegExp(
  `(${NAME})[ \\t]{1,2}at[ \\t]{1,2}(${HOST_PART}(?:\\.${HOST_PART}){0,3}\\.\\p{L}{2,24})${END}`,
  'giu',
)

const MAILBOXES = 'gmail|googlemail|hotmail|ymail|icloud|protonmail|fastmail'
/** Names of mailboxes that are also companies, programs or words. */
const ALSO_COMPANIES = 'yahoo|outlook|aol|proton|comcast|verizon|att|msn|gmx|zoho'
const WORD_AT_PROVIDER = new RegExp(
  `(${NAME})(?:[ \\t]{1,2}at[ \\t]{1,2}|[ \\t]?@[ \\t]?)(?:(${MAILBOXES})|${ALSO_COMPANIES})${END}`,
  'giu',
)
const NO_NAME =
  /^(?:look|looked|looking|work|works|worked|working|is|was|are|be|me|us|him|her|them|it|i|you|e?-?mail|emails|message|messages|account|accounts|inbox|here|only|also|not|and|or|still|there|address|support|sign|login|in|up)$/i

/** Whether a match is an address, by its groups, the text before it, and the whole of it. */
type Judge = (groups: (string | undefined)[], before: string, address: string) => boolean

// "Email is jane at yahoo" is an address, "jane works at yahoo" and "mail me at gmail" are not.
const isAtProvider: Judge = ([name = '', mailbox = ''], before) => {
  if (NO_NAME.test(name)) return false
  const isName = /[\d._]|[ \t](?:dot|underscore|dash)[ \t]/i.test(name)
  return mailbox !== '' || isName || /(?<!\p{L})e-?mail[^\n]{0,12}$/iu.test(before)
}

// "Look at example.com" is prose; "jo.doe at example.com" and "jo at gmail.com" are not.
const isAtHost: Judge = ([name = '', host = '']) =>
  (/\p{L}/u.test(name) && /[\d._]/.test(name)) || isWellKnownDomain(host)

// "is @dana.bakes" is a name at a network, "jane @gmail.com" an address.
const isNoHandle: Judge = (_groups, _before, address) =>
  !/[ \t]@\S/.test(address) || isWellKnownEnding(address.split('.').at(-1) ?? '')

const NEARBY = 20

const MIRRORED: Readonly<Record<string, string>> = { '{': '}' }

/** How many signs before an address are marks that enclose it: `**jane@example.com**`. */
function enclosing(address: string, after: string): number {
  const marks = /^[*_~`'{]*/.exec(address)?.[0] ?? ''
  const closing = Array.from(marks, (mark) => MIRRORED[mark] ?? mark)
    .reverse()
    .join('')
  return after.startsWith(closing) ? marks.length : 0
}

const found =
  (pattern: RegExp, judge: Judge = () => true) =>
  ({ text }: MappedText): Span[] =>
    Array.from(text.matchAll(pattern)).flatMap((match) => {
      const [address, ...groups] = match
      const before = text.slice(Math.max(0, match.index - NEARBY), match.index)
      if (!judge(groups, before, address)) return []
      const end = match.index + address.length
      return [{ start: match.index + enclosing(address, text.slice(end, end + NEARBY)), end }]
    })

/** What becomes a label, in the order in which it is looked for. */
const CONTACTS: { label: string; spansIn: (copy: MappedText) => Span[] }[] = [
  { label: '[email]', spansIn: found(QUOTED_ADDRESS) },
  { label: '[email]', spansIn: found(ADDRESS, isNoHandle) },
  { label: '[email]', spansIn: found(SPELLED_ADDRESS) },
  { label: '[email]', spansIn: found(WORD_AT_HOST, isAtHost) },
  { label: '[email]', spansIn: found(WORD_AT_PROVIDER, isAtProvider) },
  { label: '[email]', spansIn: found(UNFINISHED_ADDRESS) },
  { label: '[phone]', spansIn: phonesIn },
  { label: '[phone]', spansIn: spelledPhonesIn },
]

/** A copy in which addresses and numbers are plain: as a person reads it, without accents, `@` for `%40`. */
const contactCopy = (text: string): MappedText =>
  readingCopy(MappedText.of(text))
    .replace(/[^\p{ASCII}]/gu, (char) => char.normalize('NFKD').replace(/\p{M}+/gu, ''))
    .replace(/%(?:25)*40|&#0*64;|&#x0*40;|&commat;/gi, '@')

/**
 * Notes as they are kept: as they are `readable`, with a label for each email address and telephone
 * number. All else stays as it was typed. Idempotent.
 */
export function redactContacts(text: string): string {
  let kept = readable(text)
  let copy = contactCopy(kept)
  let isChanged = false
  for (const { label, spansIn } of CONTACTS) {
    const spans = spansIn(copy).map((span) => copy.source(span))
    if (spans.length === 0) continue
    isChanged = true
    kept = withLabels(kept, label, spans)
    copy = contactCopy(kept)
  }
  // A label can uncover an address behind it. This ends, since each round removes an address or a number.
  return isChanged ? redactContacts(kept) : kept
}
