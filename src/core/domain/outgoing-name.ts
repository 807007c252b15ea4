import { TextCopy, decodedCopy, forReading } from './sensitive-data/prepared-text.ts'
import { freeText } from './sensitive-data/sensitive-data.ts'

const LONGEST = 200
/** A name with more words is shown with a warning. */
const MOST_WORDS = 6

/**
 * More than one line; and a Braille pattern without dots, which shows as nothing. `readable` drops
 * all else that no one sees.
 */
const NOT_ONE_LINE = /[\t\n\u2800]/u

/** The endings of domain names that mail programs make links of, as far as names are likely to meet them. */
const ENDING =
  '(?:com|net|org|edu|gov|info|biz|app|dev|link|click|online|site|store|shop|xyz|top|page|live|club|vip|icu|tax|cpa|money|support|help|[a-z]{2})'
const DOMAIN = `[\\p{L}\\p{N}][\\p{L}\\p{N}-]*(?:\\.[\\p{L}\\p{N}-]+)*\\.${ENDING}(?![\\p{L}\\p{N}-])`
const HAS_DOMAIN = new RegExp(`(?<![\\p{L}\\p{N}])${DOMAIN}`, 'iu')

/** What makes a text a link, an address or markup, in the copy that `asRead` makes. */
const NOT_A_NAME = [
  // An address of the web, whole or without its scheme; also written so that no program takes it for one.
  /:\s*\/|\/\/|\\\\/,
  /(?<![\p{L}\p{N}])h(?:tt|xx|\*\*)ps?\s*:/iu,
  /(?<![\p{L}\p{N}])(?:mailto|javascript|vbscript|data|file|ftp):\S/iu,
  /(?<![\p{L}\p{N}])www\d?\s*\./iu,
  new RegExp(`(?<![\\p{L}\\p{N}])${DOMAIN}(?::\\d+)?[/?#]\\S`, 'iu'),
  // An email address.
  /[^\s@]@[^\s@]+\.[^\s@]/u,
  // Markdown and HTML.
  /\]\s*[([]/,
  /[<>]/,
] as const

const EXPECTED_NAME =
  'Expected a name: one line, without a link, an email address, a tag or other markup.'
const EXPECTED_ONE_LINE = 'Expected a name on one line, without line breaks, tabs or blank signs.'

/** The text as a person reads it, with the look-alikes of the signs that links are made of; only to match. */
const asRead = (text: string): string =>
  forReading(text)
    .replace(/[·•‧∙⋅。]/g, '.')
    .replace(/[[(]\s*(?:\.|dot)\s*[\])]/gi, '.')
    .replace(/[⁄∕╱⧸⟋]/g, '/')
    .replace(/[⧵∖]/g, '\\')
    .replace(/[∶꞉ː׃։]/g, ':')
    .replace(/[‹〈⟨]/g, '<')
    .replace(/[›〉⟩]/g, '>')

/** Why a text is not a name that may go into a mail; undefined for a name. */
function whyNoName(text: string): string | undefined {
  if (NOT_ONE_LINE.test(text)) return EXPECTED_ONE_LINE
  const read = [...new Set([text, decodedCopy(new TextCopy(text)).text])].map(asRead)
  return read.some((one) => NOT_A_NAME.some((link) => link.test(one))) ? EXPECTED_NAME : undefined
}

/**
 * A name that a provider is sent or that a mail contains, so that no one uses it to write to a
 * stranger: one line of at most 200 characters, without links, addresses and markup. Signs that no
 * one sees and white space around it are dropped. A company that is called like a domain
 * (`Amazon.com Inc`) is a name; `outgoingNameWarnings` says so.
 */
export const outgoingName = () =>
  freeText(LONGEST)
    .trim()
    .check((payload) => {
      const expected = whyNoName(payload.value)
      if (expected === undefined) return
      payload.issues.push({
        code: 'custom',
        params: { expected },
        message: expected,
        input: payload.value,
      })
    })

/** The warning about a name that may be more than a name. It repeats nothing of the name. */
export const outgoingNameWarnings = (name: string): string[] => [
  ...(name.split(/\s+/).filter(Boolean).length > MOST_WORDS ? [MANY_WORDS] : []),
  ...(HAS_DOMAIN.test(asRead(name)) ? [LIKE_A_DOMAIN] : []),
]

const MANY_WORDS =
  `The name has more than ${MOST_WORDS} words. Check that it is a name: it goes out as it ` +
  'was sent.'
const LIKE_A_DOMAIN =
  'The name holds a domain name, and mail programs can make a link of it. Check that it is a name.'
