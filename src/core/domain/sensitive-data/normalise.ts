/** Invisible characters: zero-width, bidi and tag characters, and controls other than tab and newline. */
const INVISIBLE = /(?![\t\n])[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/gu
const LINE_ENDS = /\r\n?|[\v\f\u0085\u2028\u2029]/g
const MARKS = /\p{M}+/gu
const STACKED_MARKS = /(\p{M}{8})\p{M}+/gu
/** Every hyphen, dash and minus sign, for a character class; not all of them are in Pd. */
export const DASHES = '\\p{Pd}\\u2212\\u02d7\\u2043\\u2500\\u2501\\u2796\\u30fc'
const DASH = new RegExp(`[${DASHES}]`, 'gu')

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

const visible = (text: string): string => text.replace(LINE_ENDS, '\n').replace(INVISIBLE, '')

// Normalising sorts stacked marks in quadratic time, and no script stacks more than a few.
const unstacked = (text: string): string => text.replace(STACKED_MARKS, '$1')

// Unicode has decimal digits in runs of ten from each zero, so this needs no table that could age.
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let first = code
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1
  return String((code - first) % 10)
}

const asciiDigits = (text: string): string => text.replace(/[^\P{Nd}0-9]/gu, asciiDigit)

/** The text in NFC, in linear time. It drops marks after the eighth that is stacked on a letter. */
export const composed = (text: string): string => unstacked(unstacked(text).normalize('NFC'))

/** The text as a person reads it: NFKC, ASCII digits, nothing invisible. Idempotent. */
export function forReading(text: string): string {
  const folded = unstacked(unstacked(visible(text.toWellFormed())).normalize('NFKC'))
  return asciiDigits(folded).replace(/([0-9])\p{M}+/gu, '$1')
}

function spelledToDigits(run: string): string {
  // The next step handles a run of numerals alone, since it looks at their separators.
  if (!/[a-z]/.test(run)) return run
  const digits = run.replace(
    SPOKEN_PART,
    (_part, ten?: string, one?: string, times?: string, said?: string) => {
      if (ten)
        return String(20 + 10 * TENS.indexOf(ten) + Math.max(0, DIGIT_WORDS.indexOf(one ?? '')))
      if (!said) return ''
      return spokenDigits(said).repeat(times === 'triple' ? 3 : times === 'double' ? 2 : 1)
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

const ENTITY = /&(?:amp;)*(?:#0*(\d{1,7})|#x0*([\da-f]{1,6})|([a-z]{2,8}));/gi
const ENTITIES_OF = {
  ' ': 'nbsp ensp emsp thinsp',
  '-': 'ndash mdash minus hyphen dash',
  '.': 'period middot bull',
  '': 'shy',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
  '&': 'amp',
  '/': 'sol',
  ',': 'comma',
  '#': 'num',
  ':': 'colon',
  ';': 'semi',
  _: 'lowbar',
  '(': 'lpar',
  ')': 'rpar',
  '@': 'commat',
}
const NAMED_ENTITIES: ReadonlyMap<string, string> = new Map(
  Object.entries(ENTITIES_OF).flatMap(([char, names]) =>
    names.split(' ').map((name) => [name, char] as const),
  ),
)
const PERCENT_ENCODED = /(?:%(?:25)*[\da-f]{2})+/gi

function percentDecoded(run: string): string {
  const bytes = run.replace(/%(?:25)+(?=[\da-f]{2})/gi, '%')
  try {
    return decodeURIComponent(bytes)
  } catch {
    return bytes.replace(/%([2-7][\da-f])/gi, (_byte, hex: string) =>
      String.fromCharCode(parseInt(hex, 16)),
    )
  }
}

/** Undoes percent encoding and HTML entities, also where a text was encoded more than once. */
export const decoded = (text: string): string =>
  text
    .replace(PERCENT_ENCODED, percentDecoded)
    .replace(ENTITY, (entity, decimal?: string, hex?: string, name?: string) => {
      if (name) return NAMED_ENTITIES.get(name.toLowerCase()) ?? entity
      const code = hex ? parseInt(hex, 16) : Number(decimal)
      return code <= 0x10ffff ? String.fromCodePoint(code) : entity
    })

/** A copy for matching, in which disguised numbers are plain. Never store or show it. Linear time. */
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
