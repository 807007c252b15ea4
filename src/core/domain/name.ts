import { TextCopy, decodedCopy, forReading } from './sensitive-data/prepared-text.ts'
import { freeText } from './sensitive-data/sensitive-data.ts'
import { holdsTemplate } from './unfilled-template.ts'

/** Of the name of an app, a passkey or a person who approves, in characters. */
export const LONGEST_NAME = 60
// Controls, and characters that turn the direction of text or are invisible.
const DECEPTIVE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
// These may show as nothing, too; U+2800 is a Braille pattern without dots.
const UNSEEN_SIGNS = '\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\u2800'
const UNSEEN = new RegExp(`[${UNSEEN_SIGNS}]`, 'gu')
const SEEN = `[^${UNSEEN_SIGNS}\\s]`
const FIRST_TO_LAST_SEEN = new RegExp(`${SEEN}(?:[^]*${SEEN})?`, 'u')

/**
 * A text without white space and other signs that show nothing at its two ends; empty if it has no
 * others.
 */
export const trimmed = (text: string) => FIRST_TO_LAST_SEEN.exec(text)?.[0] ?? ''

/** A name on one line, at most so long, without characters that deceive the eye. */
export function plainName(name: string, without = DECEPTIVE): string {
  const chars = Array.from(name.replaceAll(without, ' ').replaceAll(/\s+/g, ' ').trim())
  return chars.length > LONGEST_NAME
    ? `${chars.slice(0, LONGEST_NAME - 1).join('')}…`
    : chars.join('')
}

/** The name of an app or a key as a page shows it; empty if it has no letter and no digit. */
export function shownName(name: string): string {
  const shown = plainName(name, UNSEEN)
  return /[\p{L}\p{N}]/u.test(shown) ? shown : ''
}

/** What programs write where they have no value. */
const NOTHING = new Set('null undefined none nil nan na'.split(' '))
/** As programs spell them, they replace a missing part of a name. `Null` is a surname. */
const NO_PART = new Set('null NULL undefined UNDEFINED'.split(' '))
const TITLES = new Set('mr and mrs ms miss mx dr prof sr sra srta rev attn'.split(' '))
/** What follows a last name. */
const SUFFIXES = new Set(
  'jr sr 2nd 3rd ii iii iv esq md phd jd cpa ea cfp cfa mba dds rn'.split(' '),
)
/** The same as programs spell them; `Nan` is a first name, and companies are `Second to None`. */
const NO_HALF = new Set('None NONE none nan NaN'.split(' '))
/** A name of these words alone is none: `Test Client`, `No name provided`, `First Last`. */
const FILLERS = new Set([
  ...NOTHING,
  ...(
    'unknown unnamed noname anonymous anon missing empty blank placeholder default example sample ' +
    'string object test tester testing tbd tba tbc true false yes no not name first last full ' +
    'display firstname lastname fullname your my here user client customer invitee attendee guest ' +
    'provided given known specified unspecified available applicable entered new lead contact ' +
    'caller wireless visitor website web form dear valued there enter person todo fixme error ' +
    'loading demo dummy taxpayer spouse prospect hello array nombre apellido apellidos cliente ' +
    'clienta usuario prueba invitado desconocido desconocida ninguno ninguna nuevo nueva'
  ).split(' '),
])
/** One word with letters between its digits, as the ids of records are: `rec8Gx2kQp1LmN0aB`. */
const LIKE_AN_ID = /^(?=.{12})[\w-]*\d[_-]*[a-z][a-z_-]*\d[\w-]*$/i
/** A company is called so: `H2O2Wellness`. */
const HOLDS_A_WORD = /[A-Z][a-z]{5}/
const NO_NAMES = new Set(
  (
    'n a, to be determined, to be confirmed, to be announced, same as above, as above, see above, ' +
    'self, myself, me, invalid date, sin nombre, mi nombre, su nombre'
  ).split(', '),
)
/** `N/A`, in Spanish `N/D` and `S/N`, beside whatever else; with points it may be initials. */
const NOT_AVAILABLE = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:n\s*[/\\]\s*[ad]|s\s*[/\\]\s*n)(?![\p{L}\p{N}])`,
  'iu',
)
const NO_NAME_WARNING =
  'The name reads like a placeholder that a program left in place of one. Make sure that it is a name.'

/** A warning where a name is one that programs write if they have none; a few people are called so. */
export function placeholderWarnings(name: string | undefined): string[] {
  if (name === undefined) return []
  const read = forReading(name)
  const words = wordsOf(read)
  // A count says nothing more: `Guest 12`.
  const lower = words.flatMap((word) => (/^\d+$/.test(word) ? [] : word.toLowerCase()))
  const isPlaceholder =
    !/\p{L}/u.test(read) ||
    lower.every((word) => FILLERS.has(word)) ||
    lower.every((word) => TITLES.has(word)) ||
    words.some((word) => NO_PART.has(word)) ||
    (words.length === 2 && !TITLES.has(lower[0]!) && words.some((word) => NO_HALF.has(word))) ||
    NO_NAMES.has(lower.join(' ')) ||
    (/[/\\]/.test(read) && NOT_AVAILABLE.test(read)) ||
    (LIKE_AN_ID.test(read) && !HOLDS_A_WORD.test(read)) ||
    holdsTemplate(name)
  return isPlaceholder ? [NO_NAME_WARNING] : []
}

/**
 * Whether a text is what programs write where they have none, such as `null`, `N/A` or a place of a
 * template that was not filled.
 */
export function standsForNothing(text: string): boolean {
  if (holdsTemplate(text)) return true
  const words = wordsOf(forReading(text).toLowerCase())
  return words.join(' ') === 'n a' || (words.length > 0 && words.every((word) => NOTHING.has(word)))
}

const wordsOf = (read: string): string[] => read.match(WORD) ?? []

const WORD = /(?!['’])[\p{L}\p{M}\p{N}'’]+(?<!['’])/gu

// Modifier letters (Lm) are accents and apostrophes, not initials.
const LETTER = /(?!\p{Lm})\p{L}/u

/** The first letter of a word in upper case; one letter even for `ß`, which becomes two. */
function initial(word: string) {
  const [letter] = LETTER.exec(word)!
  return String.fromCodePoint(letter.toUpperCase().codePointAt(0)!)
}

/** `M.D.`, but not all of `J.D.` */
const WITH_STOPS = /(?<=[\s,])(?:\p{L}{1,3}\.){2,}/gu
const undotted = (letters: string) => {
  const word = letters.replaceAll('.', '')
  return SUFFIXES.has(word.toLowerCase()) ? word : letters
}

/** The words of a name without titles before it and suffixes behind it, as long as a word is left. */
function withoutTitles(words: string[]): string[] {
  const from = words.findIndex((word) => !TITLES.has(word.toLowerCase()))
  const to = words.findLastIndex((word) => !SUFFIXES.has(word.toLowerCase()))
  return from < 0 || to < from ? words : words.slice(from, to + 1)
}

/**
 * Masks a name: the initials of its first and last word, `J. D.`, also for `Dr. Jane Doe, M.D.`, or
 * `—` without a letter. Idempotent.
 */
export function initials(name: string): string {
  const read = forReading(name)
  const words = withoutTitles(
    wordsOf(read.replaceAll(WITH_STOPS, undotted)).filter((word) => LETTER.test(word)),
  )
  const [first] = words
  if (first === undefined) return '—'
  // The last word of an email address would be its domain.
  const last = read.includes('@') ? undefined : words.slice(1).at(-1)
  return last === undefined ? `${initial(first)}.` : `${initial(first)}. ${initial(last)}.`
}

/** The text with its first letter in upper case. */
export const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** The reverse, for the middle of a sentence. */
export const uncapitalised = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

/** A name of a program as people say it: `Tax planning` for `tax_planning` and for `tax-planning`. */
export const spokenName = (name: string) => capitalised(name).replaceAll(/[-_]/g, ' ')

/** A value of a list in words: `tax planning` for `tax_planning`, `500k to 2m`, and `yes` for `true`. */
export function spokenChoice(value: string) {
  if (value === 'true') return 'yes'
  if (value === 'false') return 'no'
  return value.replace(/(\d[km]?)_(?=\d)/, '$1 to ').replaceAll('_', ' ')
}

const SHORT_NAME = /^(?=.*[a-z])[a-z0-9][a-z0-9_-]{0,63}$/

/** A kind of consult by its short name; one that is known by the provider's id alone is a consult. */
export const spokenKind = (eventType: string) =>
  SHORT_NAME.test(eventType) ? spokenName(eventType) : 'Consult'

/** Of a name that goes out, in characters. */
export const LONGEST_OUTGOING_NAME = 200
/** A name with more words is shown with a warning. */
const MOST_WORDS = 6

/**
 * More than one line; and a Braille pattern without dots, which shows as nothing. `readable` drops
 * all else that no one sees.
 */
const NOT_ONE_LINE = /[\t\n\u2800]/u

/** The endings of domain names that mail programs make links of, as far as names are likely to meet them. */
const ENDING =
  '(?:com|net|org|edu|gov|info|biz|app|dev|link|click|online|site|store|shop|xyz|top|page|live|club|vip|icu|' +
  'tax|cpa|money|support|help|[a-z]{2})'
/** Only its end: from each beginning of one on, a long text would be read again. */
const DOMAIN = `[\\p{L}\\p{N}-]\\.${ENDING}(?![\\p{L}\\p{N}-])`
const HAS_DOMAIN = new RegExp(DOMAIN, 'iu')
// The first use of a pattern with letters of all scripts takes long, and few names have its sign.
const holdsDomain = (read: string) => read.includes('.') && HAS_DOMAIN.test(read)

/** What makes a text a link, an address or markup, in the copy that `asRead` makes. */
const NOT_A_NAME = new RegExp(
  [
    // An address of the web, whole or without its scheme; also written so that no program takes it for one.
    String.raw`:\s*/|//|\\\\`,
    String.raw`(?<![\p{L}\p{N}])(?:h(?:tt|xx|\*\*)ps?\s*:|(?:mailto|javascript|vbscript|data|file|ftp):\S|www\d?\s*\.)`,
    String.raw`${DOMAIN}(?::\d+)?[/?#]\S`,
    // An email address.
    String.raw`[^\s@]@[^\s@]+\.[^\s@]`,
    // Markdown and HTML.
    String.raw`\]\s*[([]|[<>]`,
  ].join('|'),
  'iu',
)

const EXPECTED_NAME =
  'Expected a name: one line, without a link, an email address, a tag or other markup.'
const EXPECTED_ONE_LINE = 'Expected a name on one line, without line breaks, tabs or blank signs.'

/** The text as a person reads it, with the look-alikes of the signs that links are made of; only to match. */
const asRead = (text: string) =>
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
  // Most names have none of these signs, and the first use of the pattern takes milliseconds.
  return read.some((one) => /[:/\\.@\]<>]/.test(one) && NOT_A_NAME.test(one))
    ? EXPECTED_NAME
    : undefined
}

/**
 * A name that a provider is sent or that a mail contains, so that no one uses it to write to a
 * stranger: one line of at most 200 characters, without links, addresses and markup. Signs that no
 * one sees and white space around it are dropped. A company that is called like a domain
 * (`Amazon.com Inc`) is a name; `outgoingNameWarnings` says so. Nine digits after a name are the
 * person's.
 */
export const outgoingName = () =>
  freeText(LONGEST_OUTGOING_NAME, 'taxpayer ')
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

/** `J. D.`, as names are shown, and `J*** D***`. */
const MASKED = /^\p{Lu}(?:\.|\*+)(?: \p{Lu}(?:\.|\*+))?$/u
const IS_MASKED =
  'The name is as this connector shows names, with initials alone. Send the name that the person gave.'

/** The warnings about a name that may be more or less than a name. It repeats nothing of the name. */
export const outgoingNameWarnings = (name: string) => [
  ...(name.split(/\s+/).filter(Boolean).length > MOST_WORDS ? [MANY_WORDS] : []),
  ...(holdsDomain(asRead(name)) ? [LIKE_A_DOMAIN] : []),
  ...escapedWarnings('The name holds', name),
  ...(MASKED.test(name) ? [IS_MASKED] : []),
]

/** As programs send a text that they took from a page or an address, or read in another encoding. */
const ESCAPED = String.raw`&(?:[a-z]{2,8}|#\d{1,7}|#x[\da-f]{1,6});|\p{L}%[2-7c-f][\da-f]|\\(?:[ux][\da-f]{2}|n)`
const MISREAD = String.raw`\ufffd|[ÃÂ][\u0080-\u00bf]|Ã[‰‘“š]|â€`
const ENTITY = new RegExp(`${ESCAPED}|${MISREAD}`, 'iu')

/** A warning where a text that goes out, which `holds` in a sentence, has such a sign. */
export const escapedWarnings = (holds: string, text: string) =>
  ENTITY.test(text) ? [`${holds} ${ESCAPED_SIGN}`] : []
const ESCAPED_SIGN =
  'a sign as a program writes it, such as &amp; for &, %20 for a blank, or Ã© for é. ' +
  'It goes out as it was sent.'

const MANY_WORDS =
  `The name has more than ${MOST_WORDS} words. Check that it is a name: it goes out as it ` +
  'was sent.'
const LIKE_A_DOMAIN =
  'The name holds a domain name, and mail programs can make a link of it. Check that it is a name.'
