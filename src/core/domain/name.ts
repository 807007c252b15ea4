import { forReading } from './sensitive-data/readable.ts'

const LONGEST_NAME = 60
// Controls, and characters that turn the direction of text or are invisible.
const DECEPTIVE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
// These may show as nothing, too; U+2800 is a Braille pattern without dots.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu

/** Whether a text has anything in it that a reader sees. */
export const showsSomething = (text: string): boolean => text.replaceAll(UNSEEN, '').trim() !== ''

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

/** What programs write where they have no name. */
const NO_NAMES = new Set(
  'none, nil, na, unknown, tbd, tba, missing, empty, unnamed, no name, not provided, not available, not applicable, not specified, not given, name, full name, first name, last name, client name, invitee name, display name, your name, [object object]'.split(
    ', ',
  ),
)
/** The same where it is only a part of the name, as in `Jordan undefined`. */
const NO_WORDS = new Set('null, undefined, nan, n/a, #n/a'.split(', '))
/** A template that was not filled in: `{{name}}`, `${name}`, `<name>`, `[name]`, `%NAME%`. */
const TEMPLATE = /[{<[%][\s{]*[\p{L}_][\p{L}\p{N}_. -]*[\s}]*[}>\]%]/u

const NO_NAME_WARNING =
  'The name reads like a placeholder that a program left in place of one. Make sure that it is a name.'

/** A warning where a name is one that programs write if they have none; a few people are called so. */
export function placeholderWarnings(name: string | undefined): string[] {
  const plain = (name ?? '')
    .toLowerCase()
    .replaceAll(/[\s_]+/g, ' ')
    .trim()
  const words = plain.split(' ')
  const isPlaceholder =
    NO_NAMES.has(plain) || words.some((word) => NO_WORDS.has(word)) || TEMPLATE.test(plain)
  return isPlaceholder ? [NO_NAME_WARNING] : []
}

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
