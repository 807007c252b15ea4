import { isWellKnownDomain } from './email.ts'
import { forReading } from './normalise.ts'
import { redactPhones } from './phone.ts'

const LABEL_PUT_IN = '[email]'

const SIGNS = ".!#$%&'*+/=?^_`{|}~-"
const WORD = '\\p{L}\\p{M}\\p{N}'
const LOCAL = `[${WORD}${SIGNS}]`
// Down to the last letter of the run: no second address may begin in the tail of the first.
const ADDRESS = new RegExp(
  `(?<!${LOCAL})(?:[${SIGNS}]*[${WORD}]${LOCAL}*[ \\t]?@[ \\t]?|[${SIGNS}]+@)` +
    `(?:(?:[${WORD}_-]+[.。])+\\p{L}[${WORD}-]+|\\[[\\da-f:.]{3,45}\\])` +
    `(?:[${WORD}@${SIGNS}]*[${WORD}@-])?`,
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

// "Look at example.com" is prose; "jo.doe at example.com" and "jo at gmail.com" are not.
const wordAtHost = (found: string, name: string, host: string): string =>
  (/\p{L}/u.test(name) && /[\d._]/.test(name)) || isWellKnownDomain(host) ? LABEL_PUT_IN : found

/**
 * Notes as they are kept: what a person reads of them (forReading), with every mail address and telephone
 * number, also spelled out or encoded, replaced by `[email]` and `[phone]`. Idempotent; linear time.
 */
export function redactContacts(text: string): string {
  const withoutAddresses = forReading(text)
    .replace(/%(?:25)*40|&#0*64;|&#x0*40;|&commat;/gi, '@')
    .replace(QUOTED_ADDRESS, LABEL_PUT_IN)
    .replace(ADDRESS, LABEL_PUT_IN)
    .replace(SPELLED_ADDRESS, LABEL_PUT_IN)
    .replace(WORD_AT_HOST, wordAtHost)
  return redactPhones(withoutAddresses)
}
