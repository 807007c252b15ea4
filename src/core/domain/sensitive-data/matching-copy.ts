import { MappedText } from './mapped-text.ts'
import { asciiDigits, visibleCopy } from './readable.ts'
import { withoutWords } from './spelled-digits.ts'

/** Every hyphen, dash and minus sign, for a character class; not all of them are in Pd. */
export const DASHES = '\\p{Pd}\\u2212\\u02d7\\u2043\\u2500\\u2501\\u2796\\u30fc'
const DASH = new RegExp(`[${DASHES}]`, 'gu')
const MARKS_AND_INVISIBLE = /[\p{M}\p{Default_Ignorable_Code_Point}\p{Cf}]+/gu

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

/** A copy without percent encoding and HTML entities, also where a text was encoded more than once. */
export const decodedCopy = (text: string): MappedText =>
  MappedText.of(text)
    .replace(PERCENT_ENCODED, percentDecoded)
    .replace(ENTITY, (entity, decimal?: string, hex?: string, name?: string) => {
      if (name) return NAMED_ENTITIES.get(name.toLowerCase()) ?? entity
      const code = hex ? parseInt(hex, 16) : Number(decimal)
      return code <= 0x10ffff ? String.fromCodePoint(code) : entity
    })

/** Where names of fields join their words: `taxpayerSSN`, `SSNSpouse`, `invoice_number`. */
export const JOINED_WORDS =
  /(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})|(?<=[A-Za-z])_(?=[A-Za-z])/g

const plainChar = (char: string): string =>
  asciiDigits(char.normalize('NFKD').replace(MARKS_AND_INVISIBLE, ''))
    // The digits before `⅓` are another number.
    .replace(/^\d+\u2044/, ' $&')
    .replace(DASH, '-')
    .replace(/[·•‧∙⋅。]/g, '.')
    .replace(/[⁄∕]/g, '/')
    .replace(/\u2800/g, ' ')
    .toLowerCase()

// A heading names what stands on the next line. A line with a number of its own names nothing more.
const END_OF_ITEM = /(?<=\d{3}[^\n]*)\n\s*(?=[a-z])/g

/** A copy for matching, in which disguised numbers are plain. Never store or show it. Linear time. */
export const matchingCopy = (text: MappedText): MappedText =>
  withoutWords(
    visibleCopy(text)
      .replace(/[^\p{ASCII}]/gu, plainChar)
      .replace(JOINED_WORDS, ' ')
      .replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
      .replace(END_OF_ITEM, '; ')
      .replace(/\s+/g, ' ')
      .replace(/ ?([-/_]) ?/g, (_found, sign = '') => sign),
  )
