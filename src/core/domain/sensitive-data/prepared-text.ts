import { pattern } from '../lazy.ts'
import { AMOUNTS, ORDINARY } from './numbers.ts'
import type { Span } from './trade-words.ts'

/** A piece that was replaced: it has `put` characters at `at`, in place of `taken` ones at `from`. */
interface Edit {
  at: number
  put: number
  from: number
  taken: number
}

type Replacement = string | ((found: string, ...groups: (string | undefined)[]) => string)

/**
 * A copy of a text in which pieces were replaced, that still knows where in the text each of its
 * characters comes from. Rules match on the copy; labels are put into the text, and a refusal names
 * a place in it.
 */
export class TextCopy {
  readonly text: string
  readonly #made: { from: TextCopy; edits: readonly Edit[] } | undefined

  constructor(text: string, made?: { from: TextCopy; edits: readonly Edit[] }) {
    this.text = text
    this.#made = made
  }

  /** As `String.replaceAll`. A character that is left out belongs to the one before it. Linear time. */
  replace(pattern: RegExp, by: Replacement): TextCopy {
    const edits: Edit[] = []
    let longer = 0
    const text = this.text.replaceAll(pattern, (found: string, ...groups: string[]) => {
      const put = typeof by === 'string' ? by : by(found, ...groups)
      if (put !== found) {
        // After the groups, none of which has a name, come the place and the whole text.
        const from = Number(groups.at(-2))
        edits.push({ at: from + longer, put: put.length, from, taken: found.length })
        longer += put.length - found.length
      }
      return put
    })
    return edits.length === 0 ? this : new TextCopy(text, { from: this, edits })
  }

  /** The stretch of the typed text that the characters from `start` to `end` of the copy represent. */
  source({ start, end }: Span): Span {
    if (!this.#made) return { start, end }
    const { from, edits } = this.#made
    const first = startBefore(edits, start)
    return from.source({ start: first, end: end > start ? endBefore(edits, end - 1) : first })
  }
}

/** The index of the last edit that begins at this character or before it; -1 if there is none. */
function lastEdit(edits: readonly Edit[], at: number): number {
  let [low, high] = [0, edits.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (edits[middle]!.at <= at) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Where a character of a copy begins in the text before its edits. */
function startBefore(edits: readonly Edit[], at: number): number {
  const edit = edits[lastEdit(edits, at)]
  if (!edit) return at
  const inside = at - edit.at
  if (inside >= edit.put) return edit.from + edit.taken + inside - edit.put
  return edit.put === edit.taken ? edit.from + inside : edit.from
}

/** Where a character of a copy ends in the text before its edits. */
function endBefore(edits: readonly Edit[], at: number): number {
  for (let next = lastEdit(edits, at + 1); edits[next]?.at === at + 1; next -= 1) {
    const edit = edits[next]!
    if (edit.put === 0) return edit.from + edit.taken
  }
  const edit = edits[lastEdit(edits, at)]
  const isWhole = edit && at - edit.at < edit.put && edit.put !== edit.taken
  return isWhole ? edit.from + edit.taken : startBefore(edits, at) + 1
}

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
const INVISIBLE_OR_SHAPING = pattern(`(${SHAPING.join('|')})|${INVISIBLE}`, 'gu')

/** A text of these signs alone is already as a person reads it. */
const READS_AS_ITSELF = /^[\n\x20-\x7e]*$/

// Unicode has decimal digits in runs of ten from each zero, so this needs no table that could age.
function asciiDigit(digit: string) {
  const code = digit.codePointAt(0)!
  let first = code
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1
  return String((code - first) % 10)
}

/** A text with ASCII digits for those of all scripts. */
const asciiDigits = (text: string) => text.replace(/[^\P{Nd}0-9]/gu, asciiDigit)

// Normalising sorts stacked marks in quadratic time, and no script stacks more than a few.
const unstacked = (text: string) => text.replace(STACKED_MARKS, '$1')

/** The text in NFC, in linear time. It drops marks after the eighth that is stacked on a letter. */
export const composed = (text: string) => unstacked(unstacked(text).normalize('NFC'))

/**
 * The text as it is kept and sent: as it was typed, in NFC, but for signs that deceive the eye.
 * Control signs other than tabs and line breaks, bidirectional signs and invisible ones go; joiners
 * that an emoji or a script needs stay. Idempotent.
 */
export function readable(text: string): string {
  if (READS_AS_ITSELF.test(text)) return text
  return composed(text.replace(LINE_ENDS, '\n')).replace(INVISIBLE_OR_SHAPING(), '$1')
}

const visibleCopy = (text: TextCopy): TextCopy =>
  READS_AS_ITSELF.test(text.text) ? text : text.replace(LINE_ENDS, '\n').replace(ANY_INVISIBLE, '')

const readingCopy = (visible: TextCopy): TextCopy =>
  READS_AS_ITSELF.test(visible.text)
    ? visible
    : visible
        .replace(/[^\p{ASCII}]/gu, (char) => asciiDigits(char.normalize('NFKC')))
        .replace(/(?<=[0-9])\p{M}+/gu, '')

/** The text as a person reads it: NFKC, ASCII digits, nothing invisible. Idempotent. */
export function forReading(text: string): string {
  if (READS_AS_ITSELF.test(text)) return text
  const copy = readingCopy(visibleCopy(new TextCopy(unstacked(text.toWellFormed()))))
  return composed(copy.text).replace(/([0-9])\p{M}+/gu, '$1')
}

/** The sign between two numbers where a program wrote down what it heard: `219 dash 09`. */
const SAID_DASH = /(?<=\d),? (?:dash|hyphen|gui[oó]n),? (?=\d)/gi

/**
 * A copy in which email addresses and telephone numbers are plain: as a person reads it, without
 * accents, `@` for `%40`. Linear time.
 */
export const contactCopy = (text: string): TextCopy =>
  readingCopy(visibleCopy(new TextCopy(text)))
    .replace(/[^\p{ASCII}]/gu, (char) => char.normalize('NFKD').replace(/\p{M}+/gu, ''))
    .replace(/%(?:25)*40|&#0*64;|&#x0*40;|&commat;/gi, '@')
    .replace(SAID_DASH, '-')

const ENTITY = /&(?:amp;)*(?:#0*(\d{1,7})|#x0*([\da-f]{1,6})|([a-z]{2,8}));/gi
/** The names of HTML 4, as mail programs and web forms write them. */
const ENTITIES_OF = {
  ' ': 'nbsp ensp emsp thinsp',
  '-': 'ndash mdash minus',
  '.': 'middot bull',
  '': 'shy',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
  '&': 'amp',
}
const NAMED_ENTITIES: ReadonlyMap<string, string> = new Map(
  Object.entries(ENTITIES_OF).flatMap(([char, names]) =>
    names.split(' ').map((name) => [name, char] as const),
  ),
)
const PERCENT_ENCODED = /(?:%(?:25)*[\da-f]{2})+/gi

function percentDecoded(run: string) {
  const bytes = run.replace(/%(?:25)+(?=[\da-f]{2})/gi, '%')
  try {
    return decodeURIComponent(bytes)
  } catch {
    return bytes.replace(/%([2-7][\da-f])/gi, (_byte, hex: string) =>
      String.fromCharCode(parseInt(hex, 16)),
    )
  }
}

/** A copy without percent encoding and HTML entities, also where a text was encoded more than once. */
export const decodedCopy = (text: TextCopy): TextCopy =>
  text
    .replace(PERCENT_ENCODED, percentDecoded)
    .replace(ENTITY, (entity, decimal?: string, hex?: string, name?: string) => {
      if (name) return NAMED_ENTITIES.get(name.toLowerCase()) ?? entity
      const code = hex ? parseInt(hex, 16) : Number(decimal)
      return code <= 0x10ffff ? String.fromCodePoint(code) : entity
    })

/**
 * How the cells of a pasted table are parted, how often at least, and a line of short ones without long
 * numbers. A sentence has a blank after its commas.
 */
const TABLES = Object.entries({ '\t': 1, '[|]': 1, '[,;](?! )': 2 }).map(([sign, least]) => {
  const cell = `(?:(?!${sign})[^\\n]){0,40}`
  const heading = new RegExp(
    `^(?!.*(?:\\d{5}|\\d(?=${sign}),\\d{3}(?!\\d)))${cell}(?:${sign}${cell}){${least},}$`,
  )
  return { sign: new RegExp(sign), heading, ends: new RegExp(`\\n|${sign}`, 'g') }
})
const isLong = (cell: string) => cell.replace(/\D/g, '').length > 5

/** A row of a table, and the heading of each of its cells. */
type Row = { cells: string[]; headings: string[] }

/** The rows of a table with this sign between its cells; undefined for each other line. */
function rowsIn(lines: string[], { sign, heading }: (typeof TABLES)[number]): (Row | undefined)[] {
  /** Those of the table so far, by how many cells it has. */
  const known = new Map<number, string[]>()
  let top = -1
  return lines.map((line, at) => {
    const cells = line.split(sign)
    const headings = known.get(cells.length)
    // Behind a line without cells, another table may begin.
    const isFirst = !headings || !sign.test(lines[at - 1]!)
    // A title is above a heading. Figures of a row would join those of the cell.
    const isSecond = headings && top === at - 1 && !/\d/.test(line)
    if (!heading.test(line) || !(isFirst || isSecond)) return headings && { cells, headings }
    if (isFirst) top = at
    known.set(cells.length, isSecond ? cells.map((one, i) => `${headings[i]} ${one}`) : cells)
    return undefined
  })
}

/** The text with its rows and cells apart, and perhaps the heading of the column before each long number. */
function unfolded(
  text: TextCopy,
  rows: (Row | undefined)[],
  how: { ends: RegExp; isHeaded: boolean },
) {
  let [row, column] = [0, 0]
  return text.replace(how.ends, (end) => {
    if (end === '\n') [row, column] = [row + 1, 0]
    else column += 1
    const here = rows[row]
    if (!here) return end
    if (how.isHeaded && isLong(here.cells[column]!)) return `${end}; ${here.headings[column]}: `
    return column === 0 ? '\n; x, ' : ', '
  })
}

/**
 * The copies in which a text is read that holds a table, as it is pasted from a spreadsheet: its rows
 * and cells apart, and also with the heading of its column before each long number. Otherwise the text
 * itself. Linear time.
 */
export function tableCopies(text: TextCopy): TextCopy[] {
  const lines = text.text.split('\n')
  for (const table of TABLES) {
    const { sign, ends } = table
    if (!sign.test(text.text)) continue
    const rows = rowsIn(lines, table)
    if (!rows.some(Boolean)) continue
    const apart = unfolded(text, rows, { ends, isHeaded: false })
    const hasLong = rows.some((row) => row?.cells.some(isLong))
    return hasLong ? [apart, unfolded(text, rows, { ends, isHeaded: true })] : [apart]
  }
  return [text]
}

/** Every hyphen, dash and minus sign, for a character class; not all of them are in Pd. */
export const DASHES = '\\p{Pd}\\u2212\\u02d7\\u2043\\u2500\\u2501\\u2796\\u30fc'
const DASH = new RegExp(`[${DASHES}]`, 'gu')
const MARKS_AND_INVISIBLE = /[\p{M}\p{Default_Ignorable_Code_Point}\p{Cf}]+/gu

/** Where names of fields join their words: `taxpayerSSN`, `SSNSpouse`, `invoice_number`. */
export const JOINED_WORDS =
  /(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})|(?<=[A-Za-z])_(?=[A-Za-z])/g

const plainChar = (char: string) =>
  asciiDigits(char.normalize('NFKD').replace(MARKS_AND_INVISIBLE, ''))
    // The digits before `⅓` are another number.
    .replace(/^\d+\u2044/, ' $&')
    .replace(DASH, '-')
    .replace(/[·•‧∙⋅。]/g, '.')
    .replace(/[‘’ʼ′]/g, "'")
    .replace(/[⁄∕]/g, '/')
    .replace(/\u2800/g, ' ')
    .toLowerCase()

// A heading names what stands on the next line. A line with a number of its own names nothing more.
const END_OF_ITEM = /(?<=\d{3}[^\n]*)\n\s*(?=[a-z])/g

/** `O78-O5-112O` and `219O99999`, as a scanner reads it: a digit is in each group, and no word. */
const MISREAD_GROUPS =
  '(?=[oil]{0,2}\\d)[\\doil]{3}-(?=[oil]?\\d)[\\doil]{2}-(?=[oil]{0,2}\\d)[\\doil]{4}'
const MISREAD_DIGITS = new RegExp(
  `(?<![a-z\\d-])(?:${MISREAD_GROUPS}|\\d(?:[oil]?\\d){7,18})(?![a-z\\d-])`,
  'g',
)

function plainCopy(visible: TextCopy): TextCopy {
  const copy = visible
    .replace(/[^\p{ASCII}]/gu, plainChar)
    .replace(JOINED_WORDS, ' ')
    .replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
    .replace(END_OF_ITEM, '; ')
    .replace(/\s+/g, ' ')
    .replace(SAID_DASH, '-')
    // `card on file - 4111 … - call`: with a blank on both sides it parts a word from a number.
    .replace(
      /(?<=[^\d ]|,\d{3}|\.\d\d) [-/_] (?=\d)|(?<=\d) [-/_] (?=[a-z])| ?([-/_]) ?/g,
      (found, sign = found) => sign,
    )
    .replace(MISREAD_DIGITS, (found) => found.replace(/[il]/g, '1').replaceAll('o', '0'))
  return FIVE_PARTS.test(copy.text)
    ? copy.replace(SPELLED, spelledToDigits).replace(SINGLES, singlesToNumber)
    : copy
}

/** From zero to nine, in English and then in Spanish. */
export const DIGIT_WORDS = (
  'zero one two three four five six seven eight nine ' +
  'cero uno dos tres cuatro cinco seis siete ocho nueve'
).split(' ')
const TEENS = (
  'ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen ' +
  'diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve'
).split(' ')
const TENS = (
  'twenty thirty forty fifty sixty seventy eighty ninety ' +
  'veint[ei] treinta cuarenta cincuenta sesenta setenta ochenta noventa'
).split(' ')
const ONES = DIGIT_WORDS.filter((_word, at) => at % 10 > 0).join('|')
/** `twenty-one`, `treinta y uno`, `veintiuno`. */
const TWO_DIGITS = `(${TENS.join('|')})(?:(?:[ -]| y |(?<=veinti))(${ONES})(?![a-z]))?`
const SPOKEN =
  `(?:(?:(?:double|triple) )?(?:${DIGIT_WORDS.join('|')}|oh?|\\d(?!\\d))|${TEENS.join('|')}` +
  `|${TWO_DIGITS})`
const BETWEEN = '[ ,./-]+(?:(?:dash|hyphen|minus|dot|point|slash|space|then|guion|punto)[ ,./-]+)?'
const SPELLED = new RegExp(`(?<![a-z\\d])${SPOKEN}(?:${BETWEEN}${SPOKEN}){4,}(?![a-z\\d])`, 'g')
/** A text with fewer has no number in words or digit by digit. The first use of SPELLED takes long. */
const FIVE_PARTS = /(?:[ ,._/-][^ ,._/-]*){4}/
const SPOKEN_PART = new RegExp(`${TWO_DIGITS}|(?:(double|triple) )?([a-z]+|\\d)|[ ,./]+`, 'g')
// A list that continues with 10 is no number, and a year beside it is another number.
const SINGLES =
  /(?!\d\/\d \d\/\d)(?<!\d|(?<!\d)\d[ ._/-])\d(?:[ ._/-]\d(?!\d)){6,}(?![ ._/-]\d\d?(?!\d))/g

const TIMES: Readonly<Record<string, number>> = { double: 2, triple: 3 }

function spelledToDigits(run: string) {
  // The next step handles a run of numerals alone, since it looks at their separators.
  if (!/[a-z]/.test(run)) return run
  const digits = run.replace(
    SPOKEN_PART,
    (_part, ten?: string, one?: string, times?: string, said?: string) => {
      if (ten) {
        // `veinte` and `veinti` are one entry, and the first of their language.
        const tens = 2 + Math.max(0, TENS.indexOf(ten) % 8)
        return String(10 * tens + Math.max(0, DIGIT_WORDS.indexOf(one ?? '') % 10))
      }
      if (!said) return ''
      return spokenDigits(said).repeat(TIMES[times ?? ''] ?? 1)
    },
  )
  return /^\d\d-\d{7}$/.test(digits) ? digits : singlesToNumber(digits)
}

function spokenDigits(said: string) {
  if (/^(?:\d|oh?)$/.test(said)) return said.replace(/oh?/, '0')
  if (TEENS.includes(said)) return String(10 + (TEENS.indexOf(said) % 10))
  const digit = DIGIT_WORDS.indexOf(said)
  return digit < 0 ? '-' : String(digit % 10)
}

// People write nine digits one by one only to spell out a number that is grouped 3-2-4.
function singlesToNumber(run: string) {
  const digits = run.replace(/\D/g, '')
  return digits.length === 9 ? digits.replace(/^(...)(..)/, '$1-$2-') : digits
}

/** The copies of one text in which the detectors look. Never store or show one. */
export interface PreparedText {
  typed: TextCopy
  /** As a person reads it: NFKC letter by letter, ASCII digits, nothing invisible. */
  read: TextCopy
  /** In lower case, in which disguised numbers are plain: in other scripts, in words, digit by digit. */
  plain: TextCopy
  /** With `x` for amounts, dates and links, so that the digits beside them do not join. */
  unpriced: TextCopy
  /** With `x` for whatever else is an ordinary number, such as a telephone number. */
  unusual: TextCopy
}

/**
 * What a text with a number of a person holds: four digits, as the shortest has, or a known traveler's
 * number, which can be all letters. Most texts hold neither.
 */
export const HOLDS_NUMBER =
  /(?:\d\D*){4}|(?<![a-z\d])(?:tt[a-z\d]{6,7}|wdl[a-z\d]{9}|[a-z][a-z*]{6}\d{3}[a-z\d]{2})(?![a-z\d])/

/** Linear time. */
export function prepared(typed: TextCopy): PreparedText {
  const visible = visibleCopy(typed)
  const plain = plainCopy(visible)
  const copies = { typed, read: readingCopy(visible), plain, unpriced: plain, unusual: plain }
  if (!HOLDS_NUMBER.test(plain.text)) return copies
  const unpriced = plain.replace(AMOUNTS, 'x')
  return { ...copies, unpriced, unusual: unpriced.replace(ORDINARY, 'x') }
}
