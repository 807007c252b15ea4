import { forReading } from './normalise.ts'

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
