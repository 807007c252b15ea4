import type { MappedText } from './mapped-text.ts'

const DIGIT_WORDS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']
const TEENS =
  'ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(' ')
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const ONES = DIGIT_WORDS.slice(1).join('|')
const SPOKEN =
  `(?:(?:(?:double|triple) )?(?:${DIGIT_WORDS.join('|')}|oh?|\\d(?!\\d))|${TEENS.join('|')}` +
  `|(?:${TENS.join('|')})(?:[ -](?:${ONES})(?![a-z]))?)`
const BETWEEN = '[ ,./-]+(?:(?:dash|hyphen|minus|dot|point|slash|space|then)[ ,./-]+)?'
const SPELLED = new RegExp(`(?<![a-z\\d])${SPOKEN}(?:${BETWEEN}${SPOKEN}){4,}(?![a-z\\d])`, 'g')
const SPOKEN_PART = new RegExp(
  `(${TENS.join('|')})(?:[ -](${ONES})(?![a-z]))?|(?:(double|triple) )?([a-z]+|\\d)|[ ,./]+`,
  'g',
)
// A list that continues with 10 is no number, and a year beside it is another number.
const SINGLES =
  /(?!\d\/\d \d\/\d)(?<!\d|(?<!\d)\d[ ._/-])\d(?:[ ._/-]\d(?!\d)){6,}(?![ ._/-]\d\d?(?!\d))/g

const TIMES: Readonly<Record<string, number>> = { double: 2, triple: 3 }

function spelledToDigits(run: string): string {
  // The next step handles a run of numerals alone, since it looks at their separators.
  if (!/[a-z]/.test(run)) return run
  const digits = run.replace(
    SPOKEN_PART,
    (_part, ten?: string, one?: string, times?: string, said?: string) => {
      if (ten)
        return String(20 + 10 * TENS.indexOf(ten) + Math.max(0, DIGIT_WORDS.indexOf(one ?? '')))
      if (!said) return ''
      return spokenDigits(said).repeat(TIMES[times ?? ''] ?? 1)
    },
  )
  return /^\d\d-\d{7}$/.test(digits) ? digits : singlesToNumber(digits)
}

function spokenDigits(said: string): string {
  if (/^(?:\d|oh?)$/.test(said)) return said.replace(/oh?/, '0')
  if (TEENS.includes(said)) return String(10 + TEENS.indexOf(said))
  const digit = DIGIT_WORDS.indexOf(said)
  return digit < 0 ? '-' : String(digit)
}

// People write nine digits one by one only to spell out a number that is grouped 3-2-4.
function singlesToNumber(run: string): string {
  const digits = run.replace(/\D/g, '')
  return digits.length === 9 ? digits.replace(/^(...)(..)/, '$1-$2-') : digits
}

/** The copy with digits for numbers in words and for digits written one by one. */
export const withoutWords = (copy: MappedText): MappedText =>
  copy.replace(SPELLED, spelledToDigits).replace(SINGLES, singlesToNumber)
