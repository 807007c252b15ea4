import { forReading } from './sensitive-data/normalise.ts'

const LONGEST_NAME = 60
// Controls, and what turns the direction of text or is not seen at all.
const DECEPTIVE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
// What else a font may show as nothing; U+2800 is a Braille pattern without dots.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu

/** A name short, on one line, and without what deceives the eye. */
export function plainName(name: string, without = DECEPTIVE): string {
  const chars = Array.from(name.replaceAll(without, ' ').replaceAll(/\s+/g, ' ').trim())
  return chars.length > LONGEST_NAME ? `${chars.slice(0, LONGEST_NAME - 1).join('')}…` : chars.join('')
}

/** The name of an app or a key, as it may be shown: plain, and with something to read, or empty. */
export function shownName(name: string): string {
  const shown = plainName(name, UNSEEN)
  return /[\p{L}\p{N}]/u.test(shown) ? shown : ''
}

const WORD = /[\p{L}\p{M}\p{N}'’]+/gu
// Modifier letters (Lm) are accents and apostrophes, not initials.
const LETTER = /[\p{Lu}\p{Ll}\p{Lt}\p{Lo}]/u

/** One letter of a word, upper-cased; never two, though `ß` has two in upper case. */
function initial(word: string): string {
  const letter = LETTER.exec(word)?.[0] ?? ''
  return String.fromCodePoint(letter.toUpperCase().codePointAt(0) ?? 0)
}

/** A name as it may be shown: the initials of its first and last word, `J. D.`, or `—` for none. Idempotent. */
export function initials(name: string): string {
  const read = forReading(name)
  const words = (read.match(WORD) ?? []).filter((word) => LETTER.test(word))
  const [first] = words
  if (first === undefined) return '—'
  // Somebody's address in the place of a name: the last word would be its domain.
  const last = read.includes('@') ? undefined : words.slice(1).at(-1)
  return last === undefined ? `${initial(first)}.` : `${initial(first)}. ${initial(last)}.`
}
