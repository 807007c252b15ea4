import { forReading } from './sensitive-data/prepared-text.ts'
import { holdsTemplate } from './unfilled-template.ts'

const LONGEST_NAME = 60
// Controls, and characters that turn the direction of text or are invisible.
const DECEPTIVE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
// These may show as nothing, too; U+2800 is a Braille pattern without dots.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu

/** Whether a text has anything in it that a reader sees. */
export const showsSomething = (text: string): boolean => text.replaceAll(UNSEEN, '').trim() !== ''

/** A text without white space and other signs that show nothing at its two ends. */
export function trimmed(text: string): string {
  const signs = Array.from(text.trim())
  const first = signs.findIndex(showsSomething)
  const last = signs.findLastIndex(showsSomething)
  return signs.slice(Math.max(first, 0), last + 1).join('')
}

/** A name on one line, at most 60 characters long, without characters that deceive the eye. */
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
const TITLES = new Set('mr mrs ms miss mx dr prof sr sra srta rev'.split(' '))
/** The same as programs spell them; `Nan` is a first name, and companies are `Second to None`. */
const NO_HALF = new Set('None NONE none nan NaN'.split(' '))
/** A name of these words alone is none: `Test Client`, `No name provided`, `First Last`. */
const FILLERS = new Set([
  ...NOTHING,
  ...(
    'unknown unnamed noname anonymous anon missing empty blank placeholder default example sample ' +
    'string object test tester testing tbd tba tbc true false yes no not name first last full ' +
    'display firstname lastname fullname your my here user client customer invitee attendee guest ' +
    'provided given known specified unspecified available applicable entered'
  ).split(' '),
])
const NO_NAMES = new Set('n a, to be determined, to be confirmed, to be announced'.split(', '))
/** `N/A` beside whatever else; with points it may be initials. */
const NOT_AVAILABLE = /(?<![\p{L}\p{N}])n\s*[/\\]\s*a(?![\p{L}\p{N}])/iu
const NO_NAME_WARNING =
  'The name reads like a placeholder that a program left in place of one. Make sure that it is a name.'

/** A warning where a name is one that programs write if they have none; a few people are called so. */
export function placeholderWarnings(name: string | undefined): string[] {
  if (name === undefined) return []
  const read = forReading(name)
  const words = wordsOf(read)
  const lower = words.map((word) => word.toLowerCase())
  const isPlaceholder =
    !/\p{L}/u.test(read) ||
    lower.every((word) => FILLERS.has(word)) ||
    words.some((word) => NO_PART.has(word)) ||
    (words.length === 2 && !TITLES.has(lower[0]!) && words.some((word) => NO_HALF.has(word))) ||
    NO_NAMES.has(lower.join(' ')) ||
    NOT_AVAILABLE.test(read) ||
    holdsTemplate(name)
  return isPlaceholder ? [NO_NAME_WARNING] : []
}

/**
 * Whether a text is what programs write where they have none, such as `null`, `N/A` or a place of a
 * template that was not filled.
 */
export function standsForNothing(text: string): boolean {
  if (holdsTemplate(text)) return true
  const words = wordsOf(forReading(text)).map((word) => word.toLowerCase())
  return words.join(' ') === 'n a' || (words.length > 0 && words.every((word) => NOTHING.has(word)))
}

const wordsOf = (read: string): string[] =>
  (read.match(WORD) ?? []).map((word) => word.replaceAll(/^['’]+|['’]+$/g, '')).filter(Boolean)

const WORD = /[\p{L}\p{M}\p{N}'’]+/gu
// Modifier letters (Lm) are accents and apostrophes, not initials.
const LETTER = /[\p{Lu}\p{Ll}\p{Lt}\p{Lo}]/u

/** The first letter of a word in upper case; one letter even for `ß`, which becomes two. */
function initial(word: string): string {
  const letter = LETTER.exec(word)?.[0] ?? ''
  return String.fromCodePoint(letter.toUpperCase().codePointAt(0) ?? 0)
}

/** Masks a name: the initials of its first and last word, `J. D.`, or `—` without a letter. Idempotent. */
export function initials(name: string): string {
  const read = forReading(name)
  const words = (read.match(WORD) ?? []).filter((word) => LETTER.test(word))
  const [first] = words
  if (first === undefined) return '—'
  // The last word of an email address would be its domain.
  const last = read.includes('@') ? undefined : words.slice(1).at(-1)
  return last === undefined ? `${initial(first)}.` : `${initial(first)}. ${initial(last)}.`
}
