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

const DATE =
  /^(?:(?:19|20)\d\d[01]\d[0-3]\d|[01]\d[0-3]\d(?:19|20)\d\d|[0-3]\d[01]\d(?:19|20)\d\d)$/
/** `passport 03122029` tells when it expires. */
const isNoDate = (digits: string): boolean => !DATE.test(digits)
/** Neither a telephone number nor with a year in it, after `driver license`. */
const NO_LICENCE = '[ -]?\\d{3}[-. ]\\d{3}[-. ]\\d{4}(?!\\d)|[\\d -]*(?<!\\d)(?:19|20)\\d\\d(?!\\d)'

/** Papers of identity in the United States. */
const PAPERS: Pick<NationalId, 'names' | 'form'>[] = [
  {
    names: 'passports?(?: book)?|pasaportes?(?: [a-z]{4,12}an[oa])?',
    form: '[a-z]{1,2}[ -]?\\d{6,8}|\\d{7,9}',
  },
  {
    names:
      "(?:(?:driver'?s?|driving) lic(?:en[sc]e)?|c?dl|licencia (?:de )?(?:conducir|manejar))(?:[^a-z\\d]{1,3}[a-z]{2}(?![a-z]))?",
    form: `(?!${NO_LICENCE})[a-z]{0,3}[ -]?\\d(?:[ -]?\\d){6,14}[a-z]{0,2}`,
  },
  {
    names: 'alien(?: registration)?|a-(?:number|no)|a#|uscis|green card|permanent resident card',
    form: '(?:a[ -]?)?\\d{3}[ -]?\\d{3}[ -]?\\d{2,3}',
  },
  { names: 'medicare|mbi', form: '\\d[a-z][a-z\\d]\\d[ -]?[a-z][a-z\\d]\\d[ -]?[a-z]{2}\\d\\d' },
]

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
    names: 'cedula(?: de (?:ciudadania|identidad))?|cuit|cuil|rut',
    form: '\\d{1,3}[.-]?\\d{3}[.-]?\\d{3}(?:[.-]?\\d{3,4})?-?[\\dk]?',
  },
  { names: 'dui', form: '\\d{8}-?\\d' }, // El Salvador
  { names: 'dpi|cui', form: '\\d{4}[ -]?\\d{5}[ -]?\\d{4}' }, // Guatemala
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
const AFTERWARDS = '(?:(?!\\. )[^a-z\\d;]){1,3}(?:(?:is|es|my|her|his|the|mi|su)[^a-z\\d]){0,2}'

const named = (names: string, form: string): string =>
  `(?<![a-z])(?:${names})(?![a-z])${BETWEEN}(?<after>${form})(?![a-z\\d])`
const KNOWN = [
  ...NATIONAL_IDS.map(({ names, form, check }) => ({
    check,
    pattern: new RegExp(
      `${named(names, form)}|(?<![a-z\\d])(?<before>${form})${AFTERWARDS}(?:${names})(?![a-z])`,
      'g',
    ),
  })),
  // People also name such a paper after another number: `customer 4400123, passport copy`.
  ...PAPERS.map(({ names, form }) => ({
    check: isNoDate,
    pattern: new RegExp(named(names, form), 'g'),
  })),
]

/**
 * The first number of a person in another country, or of a paper of identity, that is named as such.
 * Linear time.
 */
export function nationalId(copy: MappedText): Part | undefined {
  for (const { pattern, check } of KNOWN) {
    pattern.lastIndex = 0
    for (let match = pattern.exec(copy.text); match; match = pattern.exec(copy.text)) {
      const { number, start } = numberIn(match)
      if (!check || check(number.replace(/\D/g, '')))
        return { kind: 'national_id', ...copy.source({ start, end: start + number.length }) }
      // Its name may be that of the next number, as in `case 123456789; SIN 046454286`.
      pattern.lastIndex = match.index + 1
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
