import { isWellKnownDomain } from '../email.ts'
import { forReading } from './normalise.ts'
import { redactPhones } from './redact-phones.ts'

const LABEL_PUT_IN = '[email]'

const SIGNS = ".!#$%&'*+/=?^_`{|}~-"
const WORD = '\\p{L}\\p{M}\\p{N}'
const LOCAL = `[${WORD}${SIGNS}]`
/** `,com` and `. com`, as thumbs and spell checkers write it. */
const SLIPPED_END = `[ \\t]?[.,][ \\t]?(?:com|net|org|edu|gov)(?![${WORD}])`
// It takes the whole run, so that no second address begins in the tail of the first.
const ADDRESS = new RegExp(
  `(?<!${LOCAL})(?:[${SIGNS}]*[${WORD}]${LOCAL}*[ \\t]?@[ \\t]?|[${SIGNS}]+@)` +
    `(?:(?:[${WORD}_-]+[.。])+\\p{L}[${WORD}-]+|\\[[\\da-f:.]{3,45}\\]|[${WORD}_-]+${SLIPPED_END})` +
    `(?:[${WORD}@${SIGNS}]*[${WORD}@-])?`,
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

const NAME = `${START}${PART}(?:${said('(?:dot|underscore|dash|hyphen|plus)')}${PART}){0,3}`
const SPELLED_DOT = `(?:${said('dot')}|${bracketed('\\.')})`
/** `jo at example dot com`; and `jo (at) example.com`, where the brackets leave no doubt. */
const SPELLED_ADDRESS = new RegExp(
  `${NAME}(?:(?:${said('at')}|[ \\t]?@[ \\t]?)${HOST}(?:${SPELLED_DOT}${HOST}){1,4}` +
    `|${bracketed('(?:at|@)')}${HOST_PART}(?:\\.${HOST_PART}){1,4})${END}`,
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

// "Email is jane at yahoo" is an address, "jane works at yahoo" and "mail me at gmail" are not.
function wordAtProvider(
  found: string,
  name: string,
  mailbox = '',
  at: number,
  text: string,
): string {
  if (NO_NAME.test(name)) return found
  const isName = /[\d._]|[ \t](?:dot|underscore|dash)[ \t]/i.test(name)
  const announced = /(?<!\p{L})e-?mail[^\n]{0,12}$/iu.test(text.slice(Math.max(0, at - 20), at))
  return mailbox !== '' || isName || announced ? LABEL_PUT_IN : found
}

// "Look at example.com" is prose; "jo.doe at example.com" and "jo at gmail.com" are not.
const wordAtHost = (found: string, name: string, host: string): string =>
  (/\p{L}/u.test(name) && /[\d._]/.test(name)) || isWellKnownDomain(host) ? LABEL_PUT_IN : found

/** Notes as they are kept: with a label for each email address and telephone number. Idempotent. */
export function redactContacts(text: string): string {
  const withoutAddresses = forReading(text)
    .replace(/%(?:25)*40|&#0*64;|&#x0*40;|&commat;/gi, '@')
    .replace(QUOTED_ADDRESS, LABEL_PUT_IN)
    .replace(ADDRESS, LABEL_PUT_IN)
    .replace(SPELLED_ADDRESS, LABEL_PUT_IN)
    .replace(WORD_AT_HOST, wordAtHost)
    .replace(WORD_AT_PROVIDER, wordAtProvider)
    .replace(UNFINISHED_ADDRESS, LABEL_PUT_IN)
  const redacted = redactPhones(withoutAddresses)
  // A label can uncover an address behind it. This ends, since each round removes an address or a number.
  return redacted === text ? text : redactContacts(redacted)
}
