import { MappedText } from './mapped-text.ts'

const LINE_ENDS = /\r\n?|[\v\f\u0085\u2028\u2029]/g
/** Zero-width, bidirectional and tag characters, and controls other than tab and newline. */
const INVISIBLE = '(?![\\t\\n])[\\p{Default_Ignorable_Code_Point}\\p{Cf}\\p{Cc}]'
const ANY_INVISIBLE = new RegExp(INVISIBLE, 'gu')
const STACKED_MARKS = /(\p{M}{8})\p{M}+/gu

const JOINED_SCRIPTS = (
  'Arabic Syriac Mongolian Nko Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam ' +
  'Sinhala Khmer Myanmar Tibetan'
)
  .split(' ')
  .map((script) => `\\p{Script=${script}}`)
  .join('')
/** Signs without a shape of their own that change the one beside them, so that a person sees them. */
const SHAPING = [
  // Joiners of scripts (RFC 5892, appendix A) and of emoji (UTS 51), one at a time
  `(?<=[${JOINED_SCRIPTS}])(?<!\\p{N})[\\u200c\\u200d](?![\\u200c\\u200d])`,
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})',
  // Whether a sign stands as text or as an emoji, and flags of regions
  '(?<=[\\p{Emoji}])[\\ufe0e\\ufe0f]',
  '(?<=\\u{1f3f4})[\\u{e0030}-\\u{e0039}\\u{e0061}-\\u{e007a}]{2,6}\\u{e007f}',
  // Variants of Han and Mongolian letters
  '(?<=\\p{Script=Han})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
  '(?<=\\p{Script=Mongolian})[\\u180b-\\u180d\\u180f]',
  // Signs of category Cf that are visible: they enclose the number after them
  '[\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u{110bd}\\u{110cd}]',
]
const INVISIBLE_OR_SHAPING = new RegExp(`(${SHAPING.join('|')})|${INVISIBLE}`, 'gu')

// Unicode has decimal digits in runs of ten from each zero, so this needs no table that could age.
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let first = code
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1
  return String((code - first) % 10)
}

/** A text with ASCII digits for those of all scripts. */
export const asciiDigits = (text: string): string => text.replace(/[^\P{Nd}0-9]/gu, asciiDigit)

// Normalising sorts stacked marks in quadratic time, and no script stacks more than a few.
const unstacked = (text: string): string => text.replace(STACKED_MARKS, '$1')

/** The text in NFC, in linear time. It drops marks after the eighth that is stacked on a letter. */
export const composed = (text: string): string => unstacked(unstacked(text).normalize('NFC'))

/**
 * The text as it is kept and sent: as it was typed, in NFC, but for signs that deceive the eye.
 * Control signs other than tabs and line breaks, bidirectional signs and invisible ones go; joiners
 * that an emoji or a script needs stay. Idempotent.
 */
export function readable(text: string): string {
  return composed(text.replace(LINE_ENDS, '\n')).replace(INVISIBLE_OR_SHAPING, '$1')
}

/** A copy with `\n` for every line end and nothing invisible. */
export const visibleCopy = (text: MappedText): MappedText =>
  text.replace(LINE_ENDS, '\n').replace(ANY_INVISIBLE, '')

/** A copy as a person reads it: NFKC letter by letter, ASCII digits, nothing invisible. Linear time. */
export const readingCopy = (text: MappedText): MappedText =>
  visibleCopy(text)
    .replace(/[^\p{ASCII}]/gu, (char) => asciiDigits(char.normalize('NFKC')))
    .replace(/(?<=[0-9])\p{M}+/gu, '')

/** The text as a person reads it: NFKC, ASCII digits, nothing invisible. Idempotent. */
export const forReading = (text: string): string => {
  const read = composed(readingCopy(MappedText.of(unstacked(text.toWellFormed()))).text)
  return read.replace(/([0-9])\p{M}+/gu, '$1')
}
