import { pattern } from '../lazy.ts'
import {
  type Run,
  type Stretch,
  digitRuns,
  digitsOf,
  ibanLength,
  isCard,
  isEinPrefix,
  isIban,
  isItin,
  isRoutingNumber,
  isSsn,
  isYear,
  listItems,
  luhn,
  stretches,
} from './numbers.ts'
import type { PreparedText } from './prepared-text.ts'
import {
  ACCOUNT,
  AMOUNT,
  CALL,
  CARD,
  type Clause,
  EIN_ITSELF,
  EMPLOYER,
  FILE,
  HOLDER,
  IDENTITY,
  ITIN,
  MONEY_TO,
  NEARBY,
  NUMBER_WORD,
  OWN,
  OWNER,
  PAPER,
  POT,
  ROUTING,
  SOCIAL,
  SSN_ITSELF,
  type Span,
  TOLD_ACCOUNT,
  TRANSFER,
  TRANSIT,
  WIRE,
  beforeList,
  clauseOf,
  isNamedId,
  isNamedNoCard,
  isNamedOtherwise,
  isNamedPaper,
  isNamedPaperOfThreeParts,
  isNamedPaperOrPolicy,
  isPaperNumber,
  whole,
  word,
} from './trade-words.ts'

/**
 * What is refused. `national_id` is the number of a person in another country, or of a paper such as
 * a passport, a driver's licence, an I-94 or a Medicaid card.
 */
export const SENSITIVE_KINDS = [
  'ssn',
  'itin',
  'ein',
  'national_id',
  'card',
  'bank_account',
  'routing_number',
  'iban',
  'document',
] as const
export type SensitiveKind = (typeof SENSITIVE_KINDS)[number]

/** A part of a text that is refused, and where in the text it stands. */
export interface Part extends Span {
  kind: SensitiveKind
}

/** A rule that finds one kind of thing in one of the copies of a text. */
interface Detector {
  reads: keyof PreparedText
  /** The first part of the copy that is refused. Linear time. */
  find(copy: string): Part | undefined
}

/** A detector by what could be such a thing, and by what it is; undefined where it is none. */
const detector = <C extends Span>(
  reads: keyof PreparedText,
  candidatesIn: (copy: string) => Iterable<C>,
  kindOf: (candidate: C, copy: string) => SensitiveKind | undefined,
): Detector => ({
  reads,
  find(copy) {
    for (const candidate of candidatesIn(copy)) {
      const kind = kindOf(candidate, copy)
      if (kind) return { kind, start: candidate.start, end: candidate.end }
    }
    return undefined
  },
})

interface Match extends Span {
  groups: readonly string[]
}

/** The matches of a pattern, each with its groups; the first is the whole. */
const matches = (pattern: RegExp) =>
  function* (copy: string): Generator<Match> {
    for (const match of copy.matchAll(pattern)) {
      const groups = Array.from(match, (group) => group ?? '')
      yield { start: match.index, end: match.index + match[0].length, groups }
    }
  }

// Documents

/** How files begin; after `PK` come U+0003 and U+0004. */
const SIGNS = /%PDF-|\u0089PNG|PK\cC\cD|GIF8[79]a|\{\\rtf|-----BEGIN /
/** How files begin in base64. Base64 may not come before it, since some beginnings have only four letters. */
const BASE64_SIGNS = new RegExp(
  '(?<![A-Za-z\\d+/_-])(?:JVBERi|iVBORw0K|R0lGOD|(?:SUkq|TU0A)[A-Za-z\\d+/]{4}|[/_]9j[/_]|UEsDB|' +
    'UEsFB|0M8R4KGx|e1xydGY|PD94bWw|PGh0bWw|PEhUTUw|PCFET0NUWVBF|PCFkb2N0eXBl|H4sI|N3q8ry|' +
    'UmFyIRo|UklGR|AAAA[A-Za-z\\d+/]{2}Z0eXB)',
)
const HEX_SIGNS = /(?<![\da-f])(?:25504446|89504e47|ffd8ff|504b0304|47494638)[\da-f]{8}/i
const MARKUP =
  /<(?:html|!doctype|\?xml|svg|head|body)\b|^content-transfer-encoding:|^begin [0-7]{3} \S/im
const DATA_URI = /data:(?:[a-z]+\/[\w.+-]+[;,]|[^,\s]{0,100};base64,)/i

/** From a known beginning to the end of the text. */
const beginnings = (...patterns: RegExp[]) =>
  function* (copy: string): Generator<Span> {
    for (const pattern of patterns) {
      const start = copy.search(pattern)
      if (start >= 0) yield { start, end: copy.length }
    }
  }

const LINK_OR_PIECE = /(https?:\/\/\S{1,300})|[A-Za-z\d+/=_-]+/g
const SHORTEST_PIECE = 20
const SHORTEST_RUN = 120

/** Base64 is a long run, whole or wrapped; a short word ends the run. */
function* base64Runs(copy: string): Generator<Span> {
  let run = ''
  let start = 0
  for (const { 0: piece, 1: link, index } of copy.matchAll(LINK_OR_PIECE)) {
    if (link !== undefined) continue
    if (piece.length < SHORTEST_PIECE) run = ''
    else {
      if (run === '') start = index
      run += piece
      if (run.length >= SHORTEST_RUN && [/[A-Z]/, /[a-z]/, /\d/].every((kind) => kind.test(run)))
        yield { start, end: index + piece.length }
    }
  }
}

const isDocument = (): SensitiveKind => 'document'
/** What also a text without a number of a person can hold. */
export const DOCUMENTS: readonly Detector[] = [
  detector('typed', beginnings(SIGNS), isDocument),
  detector('read', beginnings(SIGNS, BASE64_SIGNS, HEX_SIGNS, MARKUP, DATA_URI), isDocument),
  detector('read', base64Runs, isDocument),
]

// Numbers of a person in another country, and of papers of identity

interface NationalId {
  /** What people call it, in a text made by `plainCopy`. */
  names: string
  form: string
  /** For a name that is also a word. */
  check?: (digits: string) => boolean
}

const DATE =
  /^(?:(?:19|20)\d\d[01]\d[0-3]\d|[01]\d[0-3]\d(?:19|20)\d\d|[0-3]\d[01]\d(?:19|20)\d\d)$/
/** `passport 03122029` tells when it expires. */
const isNoDate = (digits: string) => !DATE.test(digits)
/** Neither a telephone number nor with a year in it, after `driver license`. */
const NO_LICENCE =
  '[ -]?\\d{3}[-. ]\\d{3}[-. ]\\d{4}(?!\\d)|(?:[a-z]{3} )?[\\d -]{0,32}(?<!\\d)(?:19|20)\\d\\d(?!\\d)'

/** A telephone number, as people write it, is no number of a paper. */
const NO_PHONE = '(?!(?:1[-. ])?\\(?\\d{3}\\)?[-. ]\\d{3}[-. ]\\d{4}(?!\\d))'

/** A name with a word for a number, where what the name alone is followed by may be years or counts. */
const numberOf = (names: string) =>
  `(?:${names})(?: (?:card|identification|service|personnel))?[^a-z\\d]{0,3}(?:${NUMBER_WORD}|id|#)`

const PASSPORT =
  '(?:pa?ss?p(?:or|ro|r)t|pport|ps?spt)(?: (?:book|card))?|pasaporte(?: [a-z]{4,12}an[oa])?'
const DRIVERS_LICENCE =
  "(?:driver'?s?|driving|dr[.]?|learner'?s?) (?:lic|li[sc]{1,2}en[sc]e?s?|permits?)|c?dls?|d[./]l|" +
  "(?:state (?=id card)|non[- ]?driver'?s? )id(?: card)?|" +
  '(?:lic(?:encia)?|permiso)s? (?:de )?(?:conducir|manejar)'
const MONTH = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec'
/** Of New Hampshire, Iowa, North Dakota (unless it is a date) and Washington. */
const LICENCE_WITH_LETTERS =
  '\\d\\d[a-z]{3}\\d{5}|\\d{3}[a-z]{2}\\d{4}|' +
  `(?!(?:${MONTH})-?[0-3]\\d-?(?:19|20)\\d\\d)[a-z]{3}-?\\d\\d-?\\d{4}|` +
  '[a-z][a-z*]{6}\\d{3}[a-z\\d]{2}|wdl[a-z\\d]{9}'
/** The number with which a person shows the IRS who they are. */
const IP_PIN =
  '(?:ip[ -]?|identity (?:protection )?)pins?|identity protection (?:personal identification )?numbers?|' +
  'pins? (?:de|para la) proteccion de (?:la )?identidad'

/** The codes of states, but for those that are also words or, as MD and PA, professions. */
const STATE =
  'a[klrz]|c[aot]|d[ce]|fl|ga|i[adl]|k[sy]|la|m[ainost]|n[cdehjmvy]|oh|ri|s[cd]|t[nx]|ut|v[at]|w[aivy]'
/** Whose licence is that of a trade. */
const LICENSED_TRADE =
  'agent|broker|business|company|contractor|dealer|nurse|preparer|realtor|retailer|seller'
/** `CPA license`, `EA license`, `contractor: license`: a word before it that tells a trade. */
const OF_A_TRADE =
  `(?!and |the )[a-z]{3} |(?<![a-z])(?!(?:my|on|is|${STATE}) )[a-z]{2} |` +
  `(?:${LICENSED_TRADE})(?:'s|[,:]) `

/** Papers of identity in the United States, and of entry, service and health there. */
const PAPERS: Pick<NationalId, 'names' | 'form'>[] = [
  {
    names: `${PASSPORT}|(?:passport|pasaporte)s|travel document|border crossing card|matricula consular`,
    form: '[a-z]{1,2}[ -]?\\d{6,8}|[a-z]{3}\\d{9}|\\d{7,9}',
  },
  // Three numbers after it may be fees: `passport 130 165 190`.
  { names: PASSPORT, form: '(?!(?:\\d\\d[05] ?){3})\\d{3} ?\\d{3} ?\\d{3}' },
  {
    names: numberOf(`${PASSPORT}|(?:passport|pasaporte)s`),
    form: '\\d{3} ?\\d{3} ?\\d{3}',
  },
  {
    names: `(?:${DRIVERS_LICENCE})(?: state)?(?:[^a-z\\d]{1,3}[a-z]{2}(?![a-z]))?`,
    form:
      `(?!${NO_LICENCE})(?:[a-z]{0,3}[ -]?\\d(?:[ -]?\\d){6,14}[a-z]{0,2}|` +
      `[a-z]{2}\\d{6}[a-z]?|${LICENCE_WITH_LETTERS})`,
  },
  {
    names:
      'alien(?: reg(?:istration|[.])?)?|a-(?:number|no)|(?<=(?:my|his|her) )a number|a#|' +
      '(?:uscis|i-?797[a-z]?)(?: (?:receipt|account|case))?|green ?card|ead|' +
      '(?:perm(?:anent)? resident|lpr)(?: card)?|numero de extranjero|(?<=(?:mi|su) )numero a|' +
      'tarjeta (?:verde|de residen(?:te|cia))|' +
      '(?:employment|work) authori[sz]ation(?: (?:card|document))?|permiso de trabajo|' +
      // To work on a building or a street is no permit of a person.
      '(?<!(?:building|city|county|electrical|hot|mechanical|plumbing|road|roof(?:ing)?|' +
      'site|street|town) )work permit',
    form: '(?:a[ -]?)?\\d{3}[ -]?\\d{3}[ -]?\\d{2,3}|[a-z]{3}[ -]?\\d(?:[ -]?\\d){9}',
  },
  {
    names: `i[- ]?94(?: (?:admission|record|form)){0,2}|${numberOf('(?:arrival|admission) record')}`,
    form: '[a-z]?\\d(?:[ -]?\\d){8,9}(?:[ -]?[a-z\\d])?\\d?',
  },
  // Digits in groups after the name alone may be years.
  { names: '(?:arrival|admission) record', form: '[a-z]?\\d{9,10}[a-z\\d]?\\d?' },
  {
    names: `(?:${OWN}|taxpayer|spouse|husband|wife) (?<!(?:${LICENSED_TRADE})'s )licen(?:[sc]e|cia)`,
    form: `[a-z]\\d{7,13}|\\d{8,9}|${LICENCE_WITH_LETTERS}`,
  },
  // Licences of trades are public, and shorter, or say what trade it is.
  {
    names:
      numberOf(`(?<!${OF_A_TRADE})lic(?:en[sc]e)?`) +
      `|(?<=(?<!(?:${LICENSED_TRADE}) |[a-z])(?:${STATE}) )licen[sc]e` +
      `|(?<=(?:${NUMBER_WORD}) de (?:(?:mi|su|la) )?)licencia`,
    form: '[a-z]\\d{7,8}|[a-z]{2}\\d{6}',
  },
  {
    names: 'licen(?:[sc]e|cia)(?: de [a-z]{4,})?',
    form: '[a-z](?:[ -]?\\d){11,14}|wdl[a-z\\d]{9}',
  },
  { names: IP_PIN, form: '\\d{3}[ -]?\\d{3}' },
  { names: 'military|department of defense', form: '\\d{10}' },
  {
    names: 'visas?(?: (?:foil|control|grant))?',
    form: '[a-z]\\d{7}|\\d{8}|\\d{11}|(?:19|20)\\d{12}',
  },
  {
    names:
      '(?:global entry|(?:known|trusted) travell?er)(?: membership)?|ktn|pass ?id|nexus card|' +
      'sentri|twic|tsa pre[- ]?check',
    form: 'tt[a-z\\d]{6,7}|\\d{8,9}',
  },
  {
    names: `do ?d|edipi|cac|${numberOf('military|department of defense')}`,
    form: `${NO_PHONE}\\d(?:[ -]?\\d){9}`,
  },
  {
    names: '(?:medicaid|medi-?cal)(?: (?:recipient|client|member|beneficiary|bic|cin))?',
    form: `${NO_PHONE}(?:[a-z]{2}\\d{5}[a-z]|\\d(?:[ -]?\\d){7,12}[a-z]?(?:\\d{5})?)`,
  },
  {
    names: '(?:va|medicare|ssa|social security|rrb|railroad retirement) (?:file|claim)|hicn',
    form: '[a-z]{0,3}\\d{8,9}[a-z]?',
  },
  {
    names:
      'naturali[sz]ation(?: cert(?:ificate)?)?|certificate of (?:naturali[sz]ation|citizenship)',
    form: '[a-z]?\\d{7,8}',
  },
]

const NATIONAL_IDS: NationalId[] = [
  // Who prepares returns, who studies
  {
    names: 'ptin|preparer tax(?:payer)? identification|sevis',
    form: 'p[ -]?\\d{8}|n[ -]?\\d{10}',
  },
  { names: 's[.]?i[.]?n|social insurance', form: '\\d{3}[ -]?\\d{3}[ -]?\\d{3}', check: luhn }, // Canada
  {
    names: `nino|n[.]?i[.]?(?= ?(?:${NUMBER_WORD}|#|[a-z]{2} ?\\d))|national insurance`, // United Kingdom
    form: '[a-z]{2} ?-?\\d\\d[ -]?\\d\\d[ -]?\\d\\d[ -]?[a-d]',
  },
  {
    names: 'aa?dh?aa?r|uidai|dpi|cui|phil ?(?:sys|id)', // India, Guatemala, the Philippines
    form: '\\d{4}[ -]?\\d{4,5}[ -]?\\d{4}(?:[ -]?\\d{4})?',
  },
  {
    names: 'pan|codice fiscale|curp|rfc|nric', // India, Italy, Mexico, Singapore
    form:
      '[a-z]{5} ?\\d{4} ?[a-z]|[a-z]{6} ?\\d\\d[a-z]\\d\\d ?[a-z]\\d{3}[a-z]|[stfgm]\\d{7}[a-z]|' +
      '[a-z&]{3,4}[ -]?\\d{6}[ -]?(?:[a-z]{6}[ -]?[a-z\\d]\\d|[a-z\\d]{3})',
  },
  {
    // Mexico, El Salvador, Nigeria, Poland, the Netherlands, Korea, Vietnam, Pakistan
    names:
      'ine|(?:clave|credencial) de elector|dui|nin|bvn|pesel|bsn|burgerservicenummer|rrn|' +
      'resident registration|cccd|cmnd|cnic|nicop',
    form:
      '[a-z]{6}\\d{8}[hm]\\d{3}|\\d{8}-?\\d|\\d{11,13}|\\d{4}[. ]\\d\\d[. ]\\d{3}|' +
      '\\d{6}-\\d{7}|\\d{5}-?\\d{7}-?\\d',
  },
  {
    names: 'dni|nie|nif', // Spain, Peru, Honduras
    form: '(?:[xyz]-?)?\\d{1,2}[.]?\\d{3}[.]?\\d{3}(?:[ -]?[a-z])?|\\d{4}-?\\d{4}-?\\d{5}',
  },
  {
    names: 'nit|cpf', // Colombia, El Salvador, Brazil
    form: '\\d{1,3}(?:[.]?\\d{3}){2}(?:-\\d|[-.]?\\d\\d)|\\d{4}-\\d{6}-\\d{3}-\\d',
  },
  {
    names:
      'carnet? de identidad|cedula(?: de (?:ciudadania|identidad)| [a-z]{4,12}an[oa])?|cui[tl]|rut',
    form:
      '(?:[ve]-?)?\\d{1,3}(?:[.-]?\\d{3}){2}(?:[.-]?\\d{3,4})?-?[\\dk]?|\\d-\\d{4}-\\d{4}|' +
      '\\d\\d[ ./-]\\d\\d(?:[.]?\\d{3}){2}[ ./-]\\d',
  },
  {
    names: 'tfn|tax file|steuer-?(?:id|identifikations)[a-z-]*|idnr', // Australia, Germany
    form: '\\d{3}[ -]?\\d{3}[ -]?\\d{2,3}|\\d\\d ?\\d{3} ?\\d{3} ?\\d{3}',
  },
  {
    names: 'nir|insee|securite sociale',
    form: '[12] ?\\d\\d ?\\d\\d ?\\d[\\dab] ?\\d{3} ?\\d{3}(?: ?\\d\\d)?',
  },
  {
    names: '(?:chinese|china|resident) (?:national )?(?:id|identity)(?: card)?',
    form: '\\d{17}[\\dx]',
  },
]

/** What has to do with a paper, and has figures of its own. */
const ABOUT_PAPER =
  `${AMOUNT}|fee|cost|photo|office|agency|cent(?:er|re)|appointment|interview|renewal|lawyer|attorney|` +
  'discount|tax(?! year)'
/** What a number is of that has the name of a paper before it: `passport fee`, `green card lawyer`. */
const ANOTHER_THING = `(?:${PAPER}|${FILE}|${ABOUT_PAPER})(?:e?s)?(?![a-z])`
/** In brackets between a name and its number: whose it is, but not what else the number is of. */
const IN_BRACKETS = ` ?\\((?![^)]{0,20}(?<![a-z])${ANOTHER_THING})[a-z. ]{1,20}\\)`
const BETWEEN =
  `(?:[^a-z\\d]{0,3}(?:${NUMBER_WORD}|is|es|el|la|card|of|my|his|her|id|code|doc(?:ument)?|` +
  `(?<=')s)(?![a-z])|${IN_BRACKETS}){0,3}[^a-z\\d]{0,4}`
const AFTERWARDS = '(?:(?!\\. )[^a-z\\d;]){1,3}(?:(?:is|es|my|her|his|the|mi|su)[^a-z\\d]){0,2}'
const IS_A_PERSONS = ` (?:is|was|es) (?:the|${OWN}) `

/** The name of a number that stands before it: `my passport`, but not `my passport office`. */
const NAME_ENDS = `(?![a-z])(?! ${ANOTHER_THING})`

const named = (names: string, form: string) =>
  `(?<![a-z])(?:${names})(?![a-z])${BETWEEN}(?<after>${form})(?![a-z\\d])`

interface NamedNumber extends Span {
  digits: string
}

/**
 * The group `before` holds the number where its name comes after it; `after` holds it otherwise. The
 * name is looked for first: the first use of all these patterns takes a tenth of a second.
 */
function namedNumbers(names: string, source: string): (copy: string) => Iterable<NamedNumber> {
  const name = pattern(`(?<![a-z])(?:${names})(?![a-z])`)
  const compiled = pattern(source, 'g')
  return function* (copy) {
    if (!name().test(copy)) return
    const numbers = compiled()
    for (let from = 0; ;) {
      numbers.lastIndex = from
      const match = numbers.exec(copy)
      if (!match) return
      const { before, after = '' } = match.groups ?? {}
      const number = before ?? after
      const start =
        before === undefined ? match.index + match[0].length - after.length : match.index
      yield { start, end: start + number.length, digits: number.replace(/\D/g, '') }
      // Its name may be that of the next number, as in `case 123456789; SIN 046454286`.
      from = match.index + 1
    }
  }
}

/** A number with its name before it, or after it with what may be between. */
const idDetector = ({ names, form, check = () => true }: NationalId, between: string): Detector => {
  const before = `(?<![a-z\\d])(?<before>${form})${between}(?:${names})${NAME_ENDS}`
  return detector('plain', namedNumbers(names, `${named(names, form)}|${before}`), ({ digits }) =>
    check(digits) ? 'national_id' : undefined,
  )
}

/** What is called an IBAN is refused whatever its check digits say, since people mistype them. */
const NAMED_IBAN = named('ibans?', '(?:[a-z]{2}[ -]?\\d\\d)?(?:[ -]?(?:[a-z]{1,4}[ -]?)?\\d){8,30}')

const NATIONAL = [
  ...NATIONAL_IDS.map((one) => idDetector(one, AFTERWARDS)),
  // People also name such a paper after another number: `customer 4400123, passport copy`.
  ...PAPERS.map((one) => idDetector({ ...one, check: isNoDate }, IS_A_PERSONS)),
]

// Numbers that their form gives away, with no word beside them

// A number after `+44 ` is a telephone number, not the start of anything here.
const SSN =
  /(?<!\d|\d-\d{1,3}-|\+\d{2,3}[ .-])(\d{3})([^\p{L}\d;]{1,3})(\d{2})([^\p{L}\d;]{1,3})(\d{4})(?!\d)/gu
// Neither are digits after `2026-`, which belong to an invoice number.
const EIN = /(?<!\d|\d[-./]|\+\d{1,3} )(\d{2})[-_]\d{7}(?!\d)/g
const IBAN_START = /(?<![a-z\d])[a-z]{2}[^a-z\d]{0,2}\d{2}/g

/** Whether its clause calls it a paper's. */
function isOfPaper(text: string, { start, end }: Span, isNamed = isNamedPaper) {
  // `APN 123-456-78-9012` goes on from the digits before.
  const joined = /(?:\d{1,6}[-./]){0,3}$/.exec(text.slice(Math.max(0, start - 24), start))![0]
  const span = { start: start - joined.length, end }
  const { before, after } = clauseOf(text, span)
  return isNamed(beforeList(before, text.slice(span.start, span.end))) || isPaperNumber(after)
}

function kindOfThreeParts({ groups, ...span }: Match, copy: string): SensitiveKind | undefined {
  const [, area = '', first = '', group = '', second = '', serial = ''] = groups
  // One dot among other separators is a decimal point, and commas with spaces separate a list.
  if ((first === '.') !== (second === '.') || /, /.test(first + second)) return undefined
  // `form 709 12/2024` ends in a month.
  if (first !== second && isYear(serial) && Number(group) <= 12 && /^[-/]$/.test(second))
    return undefined
  if (/[$€£¥%]/.test(first + second) || isOfPaper(copy, span, isNamedPaperOfThreeParts))
    return undefined
  if (isSsn(area, group, serial)) return 'ssn'
  return isItin(area, group) ? 'itin' : undefined
}

function kindOfTwoAndSeven({ groups, ...span }: Match, copy: string): SensitiveKind | undefined {
  if (!isEinPrefix(groups[1]!) || isOfPaper(copy, span, isNamedPaperOrPolicy)) return undefined
  return 'ein'
}

/** Ages, counts, years and amounts in a row are no card. */
function isRowOfNumbers({ groups, gaps }: Stretch) {
  if (groups.length > 7 || gaps.some((gap) => /[,:] /.test(gap))) return true
  if (groups.filter(isYear).length > 1) return true
  return groups.length > 1 && groups.every((group) => group.length > 4 && group.length < 8)
}

const CARD_JOINED = new RegExp(`(?<![a-z])(?:${CARD})-?$`)

/** `-12/27`, `-1227`, `-123`: when a card ends, and its code. */
const EXPIRY_OR_CODE = /^-(?:\d\d?[-/]\d\d|\d{3,4})(?!\d)/

/** Whether the digits go on in a longer id: `113-4300145-5480654`, `0x4111…`, `4111…-02`. */
function isInLongerId(text: string, { start, end }: Stretch) {
  const before = text.slice(Math.max(0, start - 24), start)
  const after = text.slice(end, end + 8)
  if (/\d[-._]$/.test(before)) return true
  if (/^[-._]\d/.test(after) && !EXPIRY_OR_CODE.test(after)) return true
  if (/[a-z]-?$/.test(before) && !CARD_JOINED.test(before)) return true
  return /^-?(?!x{0,3}\d?\d?\/|exp|cv[cv]|x(?![a-z])|on |and|zip)[a-z]/.test(after)
}

/** Stretches as long as a card's number. */
const cardStretches = (copy: string) =>
  digitRuns(copy).flatMap((run) => Array.from(stretches(run, 13, 19)))

function kindOfCard(card: Stretch, copy: string): SensitiveKind | undefined {
  if (isRowOfNumbers(card) || !isCard(digitsOf(card))) return undefined
  return isInLongerId(copy, card) || isOfPaper(copy, card, isNamedNoCard) ? undefined : 'card'
}

/** First digits of routing numbers, by district of the Federal Reserve. */
const DISTRICT = '(?:0[1-9]|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2])'
const CHEQUE = new RegExp(
  `(?<!\\d|\\d[-./,])(${DISTRICT}\\d{7})` +
    '[^a-z\\d]{1,4}(?:(?:and|y|x|(?:\\d\\d)?[a-d]|ac|acct?|[a-z ]{2,20}\\))(?![a-z])[^a-z\\d]{1,3})?' +
    '(\\d{7,17})(?!\\d|[-./,]\\d)',
  'g',
)

/**
 * A routing number that passes its check, with an account number straight after it, as on a cheque;
 * with the name of the bank in brackets or the letter of its line on Form 1040 in between.
 */
function kindOfCheque({ groups, ...span }: Match, copy: string): SensitiveKind | undefined {
  const [, routing = '', account = ''] = groups
  if (!isRoutingNumber(routing) || /^(?:19|20)\d{6}$/.test(account)) return undefined
  return isNamedOtherwise(clauseOf(copy, span).before) ? undefined : 'bank_account'
}

/** What begins as the IBAN of a country, and is as long. */
function* ibansOfCountries(copy: string): Generator<Match> {
  for (const { 0: beginning, index: start } of copy.matchAll(IBAN_START)) {
    const length = ibanLength(beginning.slice(0, 2))
    if (length === undefined) continue
    const form = new RegExp(`^[a-z\\d](?:[^a-z\\d]{0,3}[a-z\\d]){${length - 1}}(?![a-z\\d])`)
    const found = form.exec(copy.slice(start, start + 4 * length + 1))
    if (found) yield { start, end: start + found[0].length, groups: found }
  }
}

/** In `at 518 234 9301 on June 20` there are words; in an IBAN four letters, or one, stand alone. */
const WORD_INSIDE = /[^a-z\d](?:(?![a-z]{4}[^a-z])[a-z]{2,}[^a-z\d]|[a-z]{5,}$)/
const kindOfIban = ({ groups: [found = ''] }: Match): SensitiveKind | undefined =>
  !WORD_INSIDE.test(found) && isIban(found.replace(/[^a-z\d]/g, '')) ? 'iban' : undefined

/** The number of a Medicare card, in which CMS uses no S, L, O, I, B and Z. */
const MEDICARE = new RegExp(
  '(?<![a-z\\d-])[1-9]@[@\\d]\\d[ -]?@[@\\d]\\d[ -]?@@\\d\\d(?![a-z\\d-])'
    .replaceAll('[@\\d]', '[ac-hjkmnp-rt-y\\d]')
    .replaceAll('@', '[ac-hjkmnp-rt-y]'),
  'g',
)

const BARE = [
  detector('plain', matches(SSN), kindOfThreeParts),
  detector('plain', matches(EIN), kindOfTwoAndSeven),
  detector('unusual', cardStretches, kindOfCard),
  detector('plain', ibansOfCountries, kindOfIban),
  detector('plain', namedNumbers('ibans?', NAMED_IBAN), () => 'iban'),
  detector('unpriced', matches(CHEQUE), kindOfCheque),
  detector('plain', matches(MEDICARE), (card, copy) =>
    isOfPaper(copy, card) ? undefined : 'national_id',
  ),
]

// Numbers that a word in their clause labels

const WORDS = {
  ein: word(EMPLOYER),
  itin: word(ITIN),
  ssn: word(SOCIAL),
  routing: word(ROUTING),
  transit: word(TRANSIT),
  card: word(CARD),
  account: word(ACCOUNT),
  pot: word(POT),
} as const
type Word = keyof typeof WORDS

const FILLER =
  `(?:[^a-z\\d]|(?<![a-z])(?:${NUMBER_WORD}|is|was|are|it'?s|id|code|identification|card|full|the|my|` +
  'new|for|me|mine|here|below|follows|as|should|be|to|same|still|of record|es|mi|su|el|la)(?![a-z]))'
/** Only `number`, `is`, `:` and the like are between a word and the number after it. */
const directly = (words: string) => new RegExp(`(?<![a-z])(?:${words})(?![a-z])${FILLER}*$`)
const DIRECT_IDENTITY = directly(IDENTITY)
const IDENTITY_FOLLOWS = new RegExp(
  `^(?!,)(?:${FILLER}|(?<![a-z])(?:her|his|our|their|su)(?![a-z]))*(?<![a-z])(?:${IDENTITY})(?![a-z])`,
)
const DIRECT_SSN = directly(SSN_ITSELF)
const DIRECT_SOCIAL = directly(SOCIAL)
const AMERICAN_PHONE = /^1?[2-9]\d{2}[2-9]\d{6}$/
const DIRECT_OWNER = directly(OWNER)
const NO_TARGET = [PAPER, FILE, HOLDER].join('|')
const PART_OF_NAME = `(?!(?:${NO_TARGET}|${NUMBER_WORD}|id)(?![a-z]))[a-z'.-]{1,20}[ ,:/()[-]{1,2}`
const BORN = '\\(?(?:dob|d[.]o[.]b[.]|born|date of birth)(?: on)?:? x\\)?[ ,/()-]{1,3}'
/** A name is between, and a date of birth: `Spouse Luis Roe (078051120)`. */
const OWNER_WITH_NAME = new RegExp(
  `(?<![a-z])(?:${OWNER})s?(?![a-z])[^a-z\\d]{1,3}(?:${PART_OF_NAME}){1,3}(?:${BORN})?$`,
)
const DIRECT_ACCOUNT = directly(ACCOUNT)
const DIRECT_POT = directly(`${POT}|iban`)
const DIRECT_WIRE = directly(`(?:${WIRE})(?: (?:debit|pull|payment))?(?: from)?`)
const DEPOSIT_TO = /(?<![a-z])deposit(?:ed|ing)?(?: (?:it|this|(?:my|the|our) refund))? (?:in)?to $/
const SENT = whole(TRANSFER, MONEY_TO)
const SENDS = new RegExp(SENT)
const SENDING = whole(NUMBER_WORD, '(?:in)?to|from|is|my|our|the|it|debit|credit|payment|transfer')
const TARGET = `[^a-z\\d]+(?!(?:${NO_TARGET})(?![a-z]))[a-z']+`
/** The words before an account that money goes to: `ach 12…`, `wire it to 12…`. */
const SENT_TO = new RegExp(
  `(?:${whole(TRANSFER)}(?:[^a-z\\d]|${SENDING})*` +
    `|${SENT}.*(?<![a-z])(?:(?:in)?to|from|a|en|de)(?:${TARGET}){0,3}[^a-z\\d]+)$`,
)
const numbered = (words: string) =>
  new RegExp(
    `(?<![a-z\\d])(?:${words})(?![a-z])${FILLER}*?(?:(?:${NUMBER_WORD})(?![a-z])|#)` +
      `(?: (?:at|with) [a-z]+(?: [a-z]+)? is)?${FILLER}*$`,
  )
const NUMBERED = numbered(`${ACCOUNT}|${POT}`)
const NUMBERED_PLAN = numbered('(?:ira|hsa|40[13] ?\\(?[bk]\\)?|annuity)(?! numbers)')

const ID_GOES_ON = /^[a-z]+\d/
const isInId = ({ before, after }: Clause) => /[a-z][-_]?$/.test(before) || ID_GOES_ON.test(after)

const says = ({ before, after }: Clause, what: Word) =>
  WORDS[what].test(before) || WORDS[what].test(after)

/** Years with counts or amounts beside them: `2023, 2024, 5`, `28140 (2023)`. */
const isListOfYears = ({ groups }: Run) =>
  groups.some(isYear) &&
  groups.every((group) => isYear(group) || group.length <= 2 || group.length === 5)

const FIVE_OR_SIX_DIGITS = /^[1-9]\d{4,5}$/
const ROUND = /^[1-9]\d{0,7}0$/
/** `accounts 4000-4999` of a chart of accounts. */
const RANGE_OF_BOOKS = /^\d\d00-\d\d99$/

/** Amounts without a sign: `250000`, `1500 2000`, `45213 55120 61888`. */
function isListOfAmounts(run: Run) {
  const { groups } = run
  if (RANGE_OF_BOOKS.test(groups.join(run.gaps[0]))) return true
  const areAlike = groups.every((group) => FIVE_OR_SIX_DIGITS.test(group))
  if (groups.length > 2 && areAlike) return true
  // `123450` may be a number of another kind: among round ones, one has to be short, or in thousands.
  const areRound = groups.every((group) => ROUND.test(group))
  return areRound && groups.some((group) => group.length < 6 || group.endsWith('000'))
}

const isNine = (nine: Run) =>
  !isListOfYears(nine) && !(nine.groups.length > 1 && isListOfAmounts(nine))

/** `23919 / 4221` beside `social security`: no one writes its number so, and amounts begin with no zero. */
const isTwoAmounts = ({ groups, gaps }: Run) =>
  /^[1-9]\d{4} \d{4}$/.test(groups.join(' ')) && /^(?:, ?|\/| | ?\| ?)$/.test(gaps[0] ?? '')

const LISTED = /^(?:3-2-4|3-3-3|2-7|2-3-4|5-4|3-6|1(?:-1){8})$/
const isList = ({ groups, gaps }: Run) =>
  gaps.some((gap) => /, |[+=*]/.test(gap)) &&
  !LISTED.test(groups.map((group) => group.length).join('-'))

function kindOfNine(nine: Run, place: Clause): SensitiveKind | undefined {
  const digits = digitsOf(nine)
  if (says(place, 'ein')) return 'ein'
  if (says(place, 'itin')) return 'itin'
  if (says(place, 'ssn')) return isItin(digits.slice(0, 3), digits.slice(3, 5)) ? 'itin' : 'ssn'
  if (says(place, 'routing') || (says(place, 'transit') && isRoutingNumber(digits)))
    return 'routing_number'
  return undefined
}

function identityNear(run: Run, place: Clause): SensitiveKind | undefined {
  for (const nine of stretches(run, 9, 9))
    if (isNine(nine) && !isList(nine) && !(isTwoAmounts(nine) && !DIRECT_SSN.test(place.before)))
      return kindOfNine(nine, place)
  return undefined
}

const OWNED = /^(?:\d{9}|\d{3} \d\d \d{4}|\d{3} \d{3} \d{3}|\d{3} \d{6}|\d{5} \d{4})$/
const kindOfOwned = (digits: string): SensitiveKind =>
  isItin(digits.slice(0, 3), digits.slice(3, 5)) ? 'itin' : 'ssn'

/** In one piece, so that it is no list, and as such numbers are issued. */
function isOfNamedOwner({ groups }: Run, before: string) {
  const digits = groups.join(' ')
  if (!/^\d{9}$/.test(digits)) return false
  const [area, group, serial] = [digits.slice(0, 3), digits.slice(3, 5), digits.slice(5)]
  if (!isSsn(area, group, serial) && !isItin(area, group)) return false
  return OWNER_WITH_NAME.test(before) && !isNamedOtherwise(before)
}

function isOwned(nine: Run, run: Run, before: string) {
  if (isOfNamedOwner(nine, before)) return true
  const [item = run] = listItems(run)
  return (
    DIRECT_OWNER.test(before) &&
    [run, item].some(
      ({ groups }) => OWNED.test(groups.join(' ')) && nine.groups.length <= groups.length,
    )
  )
}

const TELLS = new RegExp(`^[^a-z]*(?:is|es|(?:it|that)'?s|${OWN}) `)
/** `07805-1120 SSN`, `07805-1120 (social)` */
const NAME_ALONE = new RegExp(
  `^[^a-z\\d]*(?:${IDENTITY})(?: (?:${NUMBER_WORD}))?[^a-z\\d]*(?:$|(?:de|for|of) )`,
)
/** `33602-1234, SSN to follow`, `1.25000000 BTC, social security`: a ZIP code or an amount. */
function isZipOrAmount({ groups, gaps }: Run, after: string) {
  if (TELLS.test(after)) return false
  const form = groups.map(({ length }) => length).join(gaps[0])
  return form === '1.8' || (form === '5-4' && !NAME_ALONE.test(after))
}

/** Right beside such a word, digits that look like a list or a ZIP code count, too: `social 07805-1120`. */
function identityBesideItsName(run: Run, { before, after }: Clause): SensitiveKind | undefined {
  const isSaid = DIRECT_SSN.test(before)
  const nines = [...stretches(run, 9, 9)].filter(
    (nine) => isNine(nine) && (isSaid || !isTwoAmounts(nine)),
  )
  const first = nines.find(({ from }) => from === 0)
  if (first && DIRECT_IDENTITY.test(before)) return kindOfNine(first, { before, after: '' })
  if (first && isOwned(first, run, before)) return kindOfOwned(digitsOf(first))
  const last = nines.find(({ from, groups }) => from + groups.length === run.groups.length)
  if (!last || isList(last) || !IDENTITY_FOLLOWS.test(after)) return undefined
  if (isZipOrAmount(last, after) || isNamedOtherwise(before)) return undefined
  // `bk_806856254` is an id, but `ana -219099999` is none.
  const isId = /[a-z]_?$/.test(before) || ID_GOES_ON.test(after)
  return isId ? undefined : kindOfNine(last, { before: '', after })
}

/** Whether a run is long enough for an account number, without its years. */
const isLong = (run: Run, least: number) =>
  run.groups.filter((group) => !isYear(group)).join('').length >= least &&
  !isYear(run.groups[0]!) &&
  !isListOfYears(run) &&
  !isListOfAmounts(run) &&
  !run.gaps.some((gap) => /[+*=]/.test(gap))

const areLong = (runs: Run[], leastInOne: number) =>
  runs.some((run) => isLong(run, run.groups.length === 1 ? leastInOne : 8))

const HOLDS =
  /(?<![a-z])(?:ha[dsv]e?|h[eo]lds?|contains?|deposited?|(?:contribut|earn)ed|with|tiene|tenia)[^a-z\d]*$/
const LIES_IN = new RegExp(`^ (?:in|en) (?:[a-z]+ ){0,3}?(?:${ACCOUNT}|${POT})(?![a-z])`)

/** `account has 1204553 in it`, `1204553 in our account`: with seven digits it is what lies there. */
const isAmountInAccount = (run: Run, { before, after }: Clause) =>
  /^[1-9]\d{6}$/.test(run.groups.join(' ')) && (HOLDS.test(before) || LIES_IN.test(after))

/** `12044 6120 4310`: of three and more, no account number has such unlike parts. */
const isRowOfAmounts = ({ groups }: Run) =>
  groups.length > 2 &&
  groups.every((group) => /^[1-9]\d{3,5}$/.test(group)) &&
  new Set(groups.map((group) => group.length)).size > 1

const SAYS_ACCOUNT = word(ACCOUNT, POT, TRANSFER, 'clave')
/** `id 470686471 for the account`, but not `account at Chase, id 470686471`, or a misspelled CLABE. */
const isIdOnly = (before: string) => isNamedId(before) && !SAYS_ACCOUNT.test(before)

function isAccountNear(run: Run, place: Clause) {
  if (DIRECT_ACCOUNT.test(place.before)) {
    const isInShortGroups = run.groups.every((group) => group.length <= 4)
    return areLong(isInShortGroups ? [run] : listItems(run), 6)
  }
  if (isInId(place) && !DIRECT_POT.test(place.before)) return false
  if (isIdOnly(place.before) || isAmountInAccount(run, place) || isRowOfAmounts(run)) return false
  if (says(place, 'account')) return areLong(listItems(run), 7)
  const mayBeAccount =
    says(place, 'pot') || (SENDS.test(place.before) && SENT_TO.test(place.before))
  return mayBeAccount && areLong(listItems(run), 8)
}

/** `2125550147 is my checking account` */
const IS_ACCOUNT = new RegExp(`^ (?:is|es) (?:the|${OWN}) ${TOLD_ACCOUNT}`)
/** `my account with Ally is 212-555-0147`, but not `the phone linked to my account is`: it may be called. */
const ACCOUNT_IS = new RegExp(
  `^[^a-z\\d]*(?:(?:the|${OWN}) (?:[a-z]+ )?)?(?:${ACCOUNT})` +
    `(?: (?:at|with|de|en)(?: (?!(?:${NO_TARGET}|${CALL})(?![a-z]))[a-z]+){1,3})? (?:is|es) $`,
)

/** Whether the text calls it an account number, as in `account number 212 555 0147`. */
function isAccountNumbered(run: Run, { before, after }: Clause) {
  const isNumbered = /#|(?<![a-z])n/.test(before)
  if (isNumbered && NUMBERED.test(before)) return isLong(run, 6)
  // In `IRA #1: 250000` the first number tells which plan, and the second what lies there.
  if (isNumbered && run.groups[0]!.length > 1 && NUMBERED_PLAN.test(before)) return isLong(run, 6)
  // Ten digits in one piece could be a telephone number, but not straight after `account` or `wire to`.
  const isInOne = /^\d{10}$/.test(run.groups[0]!)
  const names = [DIRECT_ACCOUNT, DIRECT_POT, DIRECT_WIRE, DEPOSIT_TO]
  if (isInOne && (names.some((name) => name.test(before)) || IS_ACCOUNT.test(after))) return true
  return /^\d{3} ?\d{3} ?\d{4}(?!\d)/.test(run.groups.join(' ')) && ACCOUNT_IS.test(before)
}

/** American Express and Diners write their numbers so. */
const IN_CARD_GROUPS = /^\d{4} \d{6} \d{4,5}(?!\d)/

function isCardNear(run: Run, place: Clause) {
  const { length } = digitsOf(run)
  return (
    length >= 13 &&
    length <= 23 &&
    says(place, 'card') &&
    !run.gaps.includes(', ') &&
    !isListOfYears(run) &&
    !isListOfAmounts(run) &&
    (!isRowOfAmounts(run) || IN_CARD_GROUPS.test(run.groups.join(' ')))
  )
}

const TOKEN = /[a-z\d]+(?:-[a-z\d]+)*/g
const WITH_YEAR = /(?:^|-)(?:19|20)\d\d(?:-|$)/
const HAS_MONTH = new RegExp(MONTH)

/** `Z12-345678 account`, `7AB12345 is my account`. */
const ACCOUNT_FOLLOWS = new RegExp(
  `^ (?:(?:is|es) )?(?:(?:my|our|the|his|her|their|mi) )?(?:${ACCOUNT})(?![a-z])`,
)

/** `account at Wells Fargo Z12-345678` */
const AT_BANK = new RegExp(` (?:at|with)(?: (?!(?:${NO_TARGET})(?![a-z]))[a-z]+){1,3} $`)

/** Letters and digits of an account number, straight beside its name: `account 7AB12345`. */
function kindOfToken({ groups: [token = ''], ...span }: Match, copy: string) {
  if (!looksLikeAccount(token)) return undefined
  const place = clauseOf(copy, span)
  const { after } = place
  const before = place.before.replace(AT_BANK, ' ')
  const isNamed =
    DIRECT_ACCOUNT.test(before) || DIRECT_POT.test(before) || ACCOUNT_FOLLOWS.test(after)
  return isNamed ? 'bank_account' : undefined
}

/** One to three letters and 6 to 17 digits, and no date or paper: `12-mar-2024`, `w2-2023`. */
function looksLikeAccount(token: string) {
  const letters = token.replace(/[^a-z]/g, '')
  if (letters === '' || letters.length > 3) return false
  const digits = token.replace(/\D/g, '')
  if (digits.length < 6 || digits.length > 17) return false
  return !HAS_MONTH.test(letters) && !isNamedPaper(letters) && !WITH_YEAR.test(token)
}

/** `SSN for the call: `: no telephone number has nine digits. */
const CALLED = new RegExp(`${whole(CALL)}[^a-z\\d]*$`)

function isOtherNumber(text: string, run: Run) {
  const { before, after } = clauseOf(text, run)
  const words = beforeList(before, text.slice(run.start, run.end))
  const name = digitsOf(run).length === 9 ? words.replace(CALLED, '') : words
  return isNamedOtherwise(name) || isPaperNumber(after)
}

/** Straight beside a word for it, whatever it looks like. */
function kindBesideName(run: Run, copy: string): SensitiveKind | undefined {
  const place = clauseOf(copy, run)
  const kind = identityBesideItsName(run, place)
  if (kind) return kind
  return isAccountNumbered(run, place) ? 'bank_account' : undefined
}

const DIRECT_EIN = directly(EIN_ITSELF)
const DIRECT_ITIN = directly(ITIN)
const DIRECT_ROUTING = directly(ROUTING)
const DIRECT_CARD = numbered(CARD)

/**
 * Whether ten digits straight after `EIN` are a telephone number all the same: one in brackets, of
 * an office that is called for free, or in a list.
 */
const isForCalling = ({ groups, gaps }: Run) =>
  groups.length > 3 || gaps.some((gap) => /[^-. ]/.test(gap)) || /^8([0345678])\1/.test(groups[0]!)

/**
 * Straight after its name a number is refused from eight digits on: a digit too few or too many is
 * a slip.
 */
function kindOfMistyped(run: Run, copy: string): SensitiveKind | undefined {
  const form = run.groups.map((group) => group.length).join('-')
  const isPhone = /^(?:1-)?3-3-4$/.test(form)
  if (!isNoDate(digitsOf(run)) || (isPhone && isForCalling(run))) return undefined
  if (!isLong(run, 8) || run.gaps.includes(', ')) return undefined
  const { before } = clauseOf(copy, run)
  // `federal tax id` is also `tax id`, which can be a person's.
  if (DIRECT_EIN.test(before)) return 'ein'
  if (DIRECT_ITIN.test(before)) return 'itin'
  if (DIRECT_SSN.test(before)) return 'ssn'
  if (isPhone) return undefined
  // Two amounts can follow `social security`, and the office of that name has a telephone.
  const isOneNumber = form.startsWith('3-2-') || run.gaps.every((gap) => gap === '-')
  if (isOneNumber && DIRECT_SOCIAL.test(before) && !AMERICAN_PHONE.test(digitsOf(run))) return 'ssn'
  if (DIRECT_ROUTING.test(before)) return 'routing_number'
  return DIRECT_CARD.test(before) ? 'card' : undefined
}

/**
 * Runs that their clause calls nothing else. A policy's number may begin a list whose next item is
 * another number.
 */
const unnamedRuns = (copy: string): Run[] =>
  digitRuns(copy).flatMap((run) =>
    isOtherNumber(copy, run)
      ? listItems(run)
          .slice(1)
          .filter((item) => !isOtherNumber(copy, item))
      : [run],
  )

/** In the same clause as a word for it. */
function kindNear(run: Run, copy: string): SensitiveKind | undefined {
  const place = clauseOf(copy, run)
  if (!isInId(place) || DIRECT_IDENTITY.test(place.before)) {
    const kind = identityNear(run, place)
    if (kind) return kind
    if (isCardNear(run, place)) return 'card'
  }
  return isAccountNear(run, place) ? 'bank_account' : undefined
}

/** `078-051120`, `07805-1120`: a sign of an SSN is missing. */
const SIGN_MISSING =
  /(?<![\da-z]|[\da-z][-./])(\d{3})([-. ]?)(\d\d)([-. ]?)(\d{4})(?![\da-z]|[-./]\d)/g
const OWN_WORDS = `${OWN} (?:(?:own|id|tax) )?(?:number|numero|no)`
/** These words before a number, with words between that link the two. */
const saidBefore = (words: string) =>
  new RegExp(
    `(?<![a-z])(?:${words})(?![a-z])` +
      "(?:[^a-z\\d]|(?<![a-z])(?:numbers?|is|was|it|it'?s|es|use|usa|try|here|this|that|the|one)(?![a-z]))*$",
  )
/**
 * What says that the number after it is a person's, where it could also be a ZIP code or two
 * numbers. `use 10001-2222` does not say so.
 */
const OWN_NUMBER = saidBefore(`${OWN_WORDS}|mine|hers`)
const SOCIAL_SAID = saidBefore(SOCIAL)
/** The same, after the number. */
const IS_OWN_NUMBER = new RegExp(
  `^[^a-z\\d]*(?:(?:is|it'?s|that'?s|it|that|this|as|es) ){0,2}` +
    `(?:${OWN_WORDS}(?![a-z])|${OWN} (?:${SOCIAL})(?: (?:${NUMBER_WORD}))?[^a-z\\d]*$)`,
)
const ZIP = /(?<![a-z])(?:zip|postal|post code|codigo postal|address|direccion)(?![a-z])/
/**
 * The same, after the number, or what else it is the number of. An SSN, too, stands on a contract or
 * is for a loan.
 */
const OF_ANOTHER_KIND = new RegExp(
  '^[^a-z\\d,;]*(?:(?:as|for|in|on|is|to|the|my|our|its|a|new|mailing|that|this) )*' +
    '(?:zip|postal|address|mail(?:ing)?|letters?|ship|shipping|delivery|envelopes?|reference|ref|' +
    'order|matter|case|po|invoice|ticket|tracking|policy|claim|project|sku|part|model)(?![a-z])',
)

function kindOfSignMissing({ groups, ...span }: Match, copy: string): SensitiveKind | undefined {
  const [found = '', area = '', first = '', group = '', second = '', serial = ''] = groups
  if ((first === '') === (second === '') || !isSsn(area, group, serial)) return undefined
  const { before, after } = clauseOf(copy, span)
  if (first !== '-') {
    const nearby = copy.slice(Math.max(0, span.start - NEARBY), span.start)
    const isSocial = second === '-' && SOCIAL_SAID.test(nearby)
    const isOwn = isSocial || OWN_NUMBER.test(nearby) || IS_OWN_NUMBER.test(after)
    if (!isOwn || ZIP.test(before) || OF_ANOTHER_KIND.test(after)) return undefined
  }
  if (isOfPaper(copy, span)) return undefined
  return isNamedOtherwise(beforeList(before, found)) ? undefined : 'ssn'
}

const FIGURE = `(?<![a-z])(?:${ABOUT_PAPER}|${MONEY_TO})s?(?![a-z])`
/**
 * Between the name of a paper and its number: the last item of a list goes on with the same thing in
 * `country: USA, number: `, and names another one in `DL received, upload `.
 */
const UP_TO_PAPER = `[^\\d,]|,(?=[^\\d,]*,|[^a-z]*(?:(?:[a-z]{1,3}|${NUMBER_WORD})(?![a-z])|$))`

/**
 * The number of a paper whose name stands in the clause, with whose it is or who issued it in
 * between: `DL state CA number D1234567`. No number comes before it there but a year. The EFIN of a tax
 * preparer looks like it, and so do names of files.
 */
function namedInClause(names: string, form: string): Detector {
  const said = new RegExp(`${whole(names)}((?:(?!${FIGURE})(?:${UP_TO_PAPER})|20\\d\\d)*)$`)
  const whose = `(?:(?:the|${OWN}) )?(?:(?!no )[a-z]{2,3} )?`
  const follows = new RegExp(
    `^ ?(?:\\(|= ?|(?!(?:a[nst]|i[fns]|o[fnr]|re|to) )(?=[a-z]{2} ))${whose}(?:${names})s?` +
      `(?: (?:${NUMBER_WORD}|card|id))?(?:\\)|,|[^a-z\\d]*$)`,
  )
  const starts = '(?<![a-z\\d_]|\\d[-./,]|efin[^a-z\\d]{1,3})'
  const ends = '(?![a-z\\d]|[-./,:]\\d|\\.[a-z]{3}(?![a-z]))'
  const number = new RegExp(`${starts}(?:${form})${ends}`, 'g')
  return detector('unusual', matches(number), ({ groups: [found = ''], ...span }, copy) => {
    const { before, after } = clauseOf(copy, span)
    const between = said.exec(before)?.[1]
    const isNamed = between !== undefined || follows.test(after)
    if (!isNamed || isNamedPaper(found.replace(/[^a-z]/g, ''))) return undefined
    // Behind its name, `for the client` says whose it is, as behind that of any number of a person.
    const words = between === undefined ? before : `ssn${between}`
    return isNamedOtherwise(words) ? undefined : 'national_id'
  })
}

const LABELLED = [
  namedInClause(
    DRIVERS_LICENCE,
    '[a-z]{1,2}-?\\d{6,14}[a-z]{0,2}|[a-z]{3}\\d{8}|[a-z]\\d{3}(?:-\\d{1,4}| \\d{2,4}){2,4}|' +
      `\\d{3} \\d{3} \\d{3}|\\d{7,9}|${LICENCE_WITH_LETTERS}`,
  ),
  namedInClause(PASSPORT, '[a-z]{1,2}\\d{6,8}|\\d{9}'),
  namedInClause(IP_PIN, '\\d{3}[ -]?\\d{3}|\\d\\d(?:[ -]\\d\\d){2}|\\d(?:[ -]\\d){5}'),
  detector('unpriced', digitRuns, kindBesideName),
  detector('unusual', unnamedRuns, kindNear),
  detector('unpriced', digitRuns, kindOfMistyped),
  detector('unpriced', matches(TOKEN), kindOfToken),
  detector('plain', matches(SIGN_MISSING), kindOfSignMissing),
]

/** What is refused, in the order in which it is looked for. */
export const DETECTORS: readonly Detector[] = [...DOCUMENTS, ...NATIONAL, ...BARE, ...LABELLED]
