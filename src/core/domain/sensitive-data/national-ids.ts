import type { MappedText } from './mapped-text.ts'
import { luhn } from './number-checks.ts'
import type { Part } from './part.ts'
import { NUMBER_WORD } from './trade-words.ts'

interface NationalId {
  /** What people call it, in a text made by `matchingCopy`. */
  names: string
  form: string
  /** For a name that is also a word. */
  check?: (digits: string) => boolean
}

const NATIONAL_IDS: NationalId[] = [
  { names: 's[.]?i[.]?n|social insurance', form: '\\d{3}[ -]?\\d{3}[ -]?\\d{3}', check: luhn }, // Canada
  {
    names: `nino|n[.]?i[.]?(?= ?(?:${NUMBER_WORD}|#|[a-z]{2} ?\\d))|national insurance`, // United Kingdom
    form: '[a-z]{2} ?-?\\d\\d[ -]?\\d\\d[ -]?\\d\\d[ -]?[a-d]',
  },
  { names: 'aa?dh?aa?r|uidai', form: '\\d{4}[ -]?\\d{4}[ -]?\\d{4}' }, // India
  { names: 'pan', form: '[a-z]{5} ?\\d{4} ?[a-z]' }, // India
  { names: 'curp', form: '[a-z]{4}[ -]?\\d{6}[ -]?[a-z]{6}[ -]?[a-z\\d]\\d' }, // Mexico
  { names: 'rfc', form: '[a-z&]{3,4}[ -]?\\d{6}[ -]?[a-z\\d]{3}' }, // Mexico
  { names: 'dni|nie|nif', form: '(?:[xyz]-?)?\\d{1,2}[.]?\\d{3}[.]?\\d{3}(?:[ -]?[a-z])?' }, // Spain
  { names: 'cpf', form: '\\d{3}[.]?\\d{3}[.]?\\d{3}[-.]?\\d{2}' }, // Brazil
  {
    names: 'cedula|cuit|cuil|rut',
    form: '\\d{1,3}[.-]?\\d{3}[.-]?\\d{3}(?:[.-]?\\d{3,4})?-?[\\dk]?',
  },
  { names: 'tfn|tax file', form: '\\d{3}[ -]?\\d{3}[ -]?\\d{2,3}' }, // Australia
  { names: 'codice fiscale', form: '[a-z]{6} ?\\d\\d[a-z]\\d\\d ?[a-z]\\d{3}[a-z]' }, // Italy
  { names: 'pesel', form: '\\d{11}' }, // Poland
  { names: 'bsn|burgerservicenummer', form: '\\d{9}|\\d{4}[. ]\\d{2}[. ]\\d{3}' }, // The Netherlands
  { names: 'steuer-?(?:id|identifikations)[a-z-]*|idnr', form: '\\d\\d ?\\d{3} ?\\d{3} ?\\d{3}' }, // Germany
  {
    names: 'nir|insee|securite sociale',
    form: '[12] ?\\d\\d ?\\d\\d ?\\d[\\dab] ?\\d{3} ?\\d{3}(?: ?\\d\\d)?',
  },
  { names: 'nric', form: '[stfgm]\\d{7}[a-z]' }, // Singapore
  { names: 'rrn|resident registration', form: '\\d{6}-?\\d{7}' }, // Korea
]

const BETWEEN = `(?:[^a-z\\d]{0,3}(?:${NUMBER_WORD}|is|es|el|la|card|of|my|his|her|id|code)(?![a-z])){0,3}[^a-z\\d]{0,4}`
const AFTERWARDS = '[^a-z\\d]{1,3}(?:(?:is|es|my|her|his|the|mi|su)[^a-z\\d]){0,2}'

const KNOWN = NATIONAL_IDS.map(({ names, form, check }) => ({
  check,
  pattern: new RegExp(
    `(?<![a-z])(?:${names})(?![a-z])${BETWEEN}(?<after>${form})(?![a-z\\d])` +
      `|(?<![a-z\\d])(?<before>${form})${AFTERWARDS}(?:${names})(?![a-z])`,
    'g',
  ),
}))

/** The first number of a person in another country that is named as such. Linear time. */
export function nationalId(copy: MappedText): Part | undefined {
  for (const { pattern, check } of KNOWN) {
    for (const match of copy.text.matchAll(pattern)) {
      const { number, start } = numberIn(match)
      const digits = number.replace(/\D/g, '')
      if (check && !check(digits)) continue
      return { kind: 'national_id', ...copy.source({ start, end: start + number.length }) }
    }
  }
  return undefined
}

/** The number itself: a match begins with it where its name comes after, and ends with it otherwise. */
function numberIn({ 0: found, index, groups = {} }: RegExpExecArray) {
  const { before, after = '' } = groups
  if (before !== undefined) return { number: before, start: index }
  return { number: after, start: index + found.length - after.length }
}
