/** What no reader sees: zero-width, bidi and tag characters, and controls other than tab and newline. */
const INVISIBLE = /(?![\t\n])[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/gu
const LINE_ENDS = /\r\n?|[\v\f\u0085\u2028\u2029]/g
const MARKS = /\p{M}+/gu
const STACKED_MARKS = /(\p{M}{8})\p{M}+/gu
/** Every hyphen, dash and minus sign, as the inside of a character class: not all of them are in Pd. */
export const DASHES = '\\p{Pd}\\u2212\\u02d7\\u2043\\u2500\\u2501\\u2796\\u30fc'
const DASH = new RegExp(`[${DASHES}]`, 'gu')

const DIGIT_WORDS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']
const DIGIT = `(?:${DIGIT_WORDS.join('|')}|oh?|\\d(?!\\d))`
const BETWEEN = '[ ,.-]+(?:(?:dash|hyphen|minus|dot|point|slash|space)[ ,.-]+)?'
const SPELLED = new RegExp(`(?<![a-z\\d])${DIGIT}(?:${BETWEEN}${DIGIT}){6,}(?![a-z\\d])`, 'g')
// A list that goes on with 10 is no number; a year before or after it is another number.
const SINGLES = /(?<!\d|(?<!\d)\d[ ._/-])\d(?:[ ._/-]\d(?!\d)){6,}(?![ ._/-]\d\d?(?!\d))/g

const visible = (text: string): string => text.replace(LINE_ENDS, '\n').replace(INVISIBLE, '')

// Normalising sorts stacked marks in quadratic time, and no script stacks more than a few.
const unstacked = (text: string): string => text.replace(STACKED_MARKS, '$1')

// Decimal digits stand in unbroken runs of ten, each from its zero: no table that could age.
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let first = code
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1
  return String((code - first) % 10)
}

const asciiDigits = (text: string): string => text.replace(/[^\P{Nd}0-9]/gu, asciiDigit)

/** The text in NFC, in linear time: of more than eight marks stacked on one letter the rest is dropped. */
export const composed = (text: string): string => unstacked(unstacked(text).normalize('NFC'))

/** The text as a person reads it and as it may be kept: NFKC, ASCII digits, nothing invisible. Idempotent. */
export function forReading(text: string): string {
  const folded = unstacked(unstacked(visible(text.toWellFormed())).normalize('NFKC'))
  return asciiDigits(folded).replace(/([0-9])\p{M}+/gu, '$1')
}

function spelledToDigits(run: string): string {
  // A run of numerals alone is left to the next step, which minds how they are separated.
  if (!/[a-z]/.test(run)) return run
  return run.replace(/[a-z]+|[ ,.]+/g, (part) => {
    if (!/[a-z]/.test(part)) return ''
    if (part === 'o' || part === 'oh') return '0'
    const digit = DIGIT_WORDS.indexOf(part)
    return digit < 0 ? '-' : String(digit)
  })
}

// Nobody writes nine digits one by one but to spell out a number that goes 3-2-4.
function singlesToNumber(run: string): string {
  const digits = run.replace(/\D/g, '')
  return digits.length === 9 ? digits.replace(/^(...)(..)/, '$1-$2-') : digits
}

/**
 * A throw-away copy in which disguised numbers are plain: lower case, ASCII digits, one kind of dash and of
 * space, no marks, spelled-out and spaced-out digits joined. Linear time; never to be stored or shown.
 */
export function forMatching(text: string): string {
  const bare = visible(text).replace(MARKS, '').normalize('NFKD')
  return asciiDigits(visible(bare).replace(MARKS, '').normalize('NFKC'))
    .replace(DASH, '-')
    .replace(/[·•‧∙⋅。]/g, '.')
    .replace(/[⁄∕]/g, '/')
    .replace(/[\s\u2800]+/g, ' ')
    .replace(/ ?([-/_]) ?/g, '$1')
    .toLowerCase()
    .replace(SPELLED, spelledToDigits)
    .replace(SINGLES, singlesToNumber)
}
