import {
  type Run,
  digitRuns,
  digitsOf,
  isYear,
  listItems,
  stretches,
  withoutAmounts,
  withoutOrdinary,
} from './digit-runs.ts'

export type LabelledKind =
  | 'ssn'
  | 'itin'
  | 'ein'
  | 'card'
  | 'bank_account'
  | 'routing_number'
  | 'iban'

const NEARBY = 48

const word = (...words: string[]): RegExp => new RegExp(`(?<![a-z])(?:${words.join('|')})(?![a-z])`)

const SOCIAL =
  "s[. ]{0,2}s[. ]{0,2}n[.']?s?|ss|soc(?:[. ]{1,2}sec)?|(?:social|socail|soical|scoial|sosial)s?(?! (?:media|work|event|club|network|service|life|distanc)[a-z]*)(?: ?sec(?:urity)?)?|" +
  'tax(?:payer)?[ -]?id[a-z]*|t[.]?i[.]?n|national (?:id|insurance)'
const EMPLOYER =
  "f?[. ]{0,2}e[. ]{0,2}i[. ]{0,2}n[.']?s?|employer(?:'?s)? (?:id[a-z]*|number|num|nbr|nr|#|no(?=[^a-z]*(?:\\d|$)))|fed(?:eral)?[. ]{1,2}(?:tax )?(?:id[a-z]*|tax|no|number)|(?:tax(?:payer)?|business) ?(?:no|num|number|nr|#)|(?:state|payer'?s?|company) (?:tax )?id"
const ACCOUNT =
  '(?:acc?(?:oun|ou|on|n|uon)?ts?|accs?|accts?)(?:number|num|nbr|no)?|a/c|cuenta|ac ?#'
const POT =
  'checkings?|cheking|chequing|chk(?:in)?g?|ckg|savings?|sav|svgs|bank(?:ing)?|brokerage|(?:direct )?deposit|dd'

const WORDS = {
  ein: word(EMPLOYER),
  itin: word('i[. ]{0,2}t[. ]{0,2}i[. ]{0,2}n'),
  ssn: word(SOCIAL),
  routing: word('routing|rounting|routeing|rtn|rtg|aba'),
  transit: word('transit'),
  card: word(
    'cards?|visa|master ?card|mc|amex|american express|discover|debit|credit|cc|tarjeta|maestro|diners',
  ),
  account: word(ACCOUNT),
  pot: word(POT),
} as const
type Word = keyof typeof WORDS

const NUMBER_WORD = 'number|numero|num|nbr|no|nr'
const FILLER = `(?:[^a-z\\d]|(?<![a-z])(?:${NUMBER_WORD}|is|was|are|it'?s|id|code|identification|card|full|the|my|new|for|me|mine|here|below|follows|as|should|be|to|same|still|of record)(?![a-z]))`
/** Only `number`, `is`, `:` and the like are between a word and the number after it. */
const directly = (words: string): RegExp => new RegExp(`(?<![a-z])(?:${words})(?![a-z])${FILLER}*$`)
const IDENTITY = `${SOCIAL}|${EMPLOYER}|itin|routing|rtn|aba`
const DIRECT_IDENTITY = directly(IDENTITY)
const IDENTITY_FOLLOWS = new RegExp(`^(?!,)${FILLER}*(?<![a-z])(?:${IDENTITY})(?![a-z])`)
const DIRECT_ACCOUNT = directly(ACCOUNT)
const DIRECT_POT = directly(`${POT}|iban`)
const WIRE = 'wir(?:e[sd]?|ing)|ach'
const DIRECT_WIRE = directly(WIRE)
const TRANSFER = `${WIRE}|(?:trans|x)fer(?:s|red|ring)?`
/** Labels of a number that is no account that money goes to. */
const NO_TARGET = '(?:trace|batch|file|loan|part|employee|badge|lot|unit|room)(?![a-z])'
/** The words before an account that money goes to: `ach 1234…`, `wire it to 1234…`, `transfer to X 1234…`. */
const SENT_TO = new RegExp(
  `(?<![a-z])(?:(?:${TRANSFER})(?![a-z])(?:[^a-z\\d]|(?<![a-z])(?:${NUMBER_WORD}|(?:in)?to|from|is|my|our|the|it|debit|credit|payment|transfer)(?![a-z]))*` +
    `|(?:${TRANSFER}|deposit(?:s|ed|ing)?)(?![a-z]).*(?<![a-z])(?:(?:in)?to|from)(?:[^a-z\\d]+(?!${NO_TARGET})[a-z']+){0,3}[^a-z\\d]+)$`,
)
const NUMBERED = new RegExp(
  `(?<![a-z])(?:${ACCOUNT}|${POT})(?![a-z])${FILLER}*?(?:(?:${NUMBER_WORD})(?![a-z])|#)${FILLER}*$`,
)

/** Labels that make a number something else, whatever the rest of the clause says. */
const OTHER_LABEL =
  /(?<![a-z])(?:invoice|inv|order|ticket|case|claim|reference|ref|po|zip|balance|call|phone|ph|tel|cell|mobile|fax|text|confirmation|conf|confirm|policy|receipt|transaction|tracking|parcel|permit|licen[sc]e|docket|quote|job|project|notice|letter|naics|cusip|flight|member|student|check|cheque|form|worth|value|total|income|revenue|gain|basis|paid|owes?|about|roughly|around|over)(?: (?:no|number|num|id|is|of|at|me|us|about|roughly|over|on))*[^a-z\d]*$/
const PART_OF_AN_ID = /[a-z]-?$/

// Abbreviations also end in a full stop, and "It's …" continues the clause before.
const CLAUSE_END =
  /[;!?] ?(?=[a-z])|(?<!\.|(?<![a-z])(?:[a-z]|acct?|soc|sec|no|num|nbr|fed|dept|sav|chk|id|mr|mrs|ms|dr|vs))\. (?!(?:it'?s?|that'?s?|this|here'?s?|mine|number|no|the number)(?![a-z]))(?=[a-z])/g

/** The text before and after a number, in its clause. */
type Place = { before: string; after: string }

function placeOf(text: string, { start, end }: Run): Place {
  const before = text.slice(Math.max(0, start - NEARBY), start).split(CLAUSE_END)
  return {
    before: before.at(-1) ?? '',
    after: text.slice(end, end + NEARBY).split(CLAUSE_END)[0] ?? '',
  }
}

const says = ({ before, after }: Place, what: Word): boolean =>
  WORDS[what].test(before) || WORDS[what].test(after)

/** Years with counts or amounts beside them: `2023, 2024, 5`, `28140 (2023)`. */
const isListOfYears = ({ groups }: Run): boolean =>
  groups.some(isYear) &&
  groups.every((group) => isYear(group) || group.length <= 2 || group.length === 5)

/** Amounts without a sign: `250000`, `1500 2000`, `45213 55120 61888`. */
function isListOfAmounts({ groups }: Run): boolean {
  if (groups.length > 2 && groups.every((group) => /^[1-9]\d{4,5}$/.test(group))) return true
  const round = groups.every((group) => /^[1-9]\d*0$/.test(group))
  return round && groups.some((group) => group.length < 6 || group.endsWith('000'))
}

const isNine = (nine: Run): boolean =>
  !isListOfYears(nine) && !(nine.groups.length > 1 && isListOfAmounts(nine))

const LISTED = /^(?:3-2-4|3-3-3|2-7|2-3-4|5-4|3-6|1(?:-1){8})$/
const isList = ({ groups, gaps }: Run): boolean =>
  gaps.includes(', ') && !LISTED.test(groups.map((group) => group.length).join('-'))

function kindOfNine(nine: Run, place: Place): LabelledKind | undefined {
  const digits = digitsOf(nine)
  if (says(place, 'ein')) return 'ein'
  if (says(place, 'itin')) return 'itin'
  if (says(place, 'ssn')) return isItin(digits.slice(0, 3), digits.slice(3, 5)) ? 'itin' : 'ssn'
  if (says(place, 'routing') || (says(place, 'transit') && isRoutingNumber(digits)))
    return 'routing_number'
  return undefined
}

function identityNear(run: Run, place: Place): LabelledKind | undefined {
  for (const nine of stretches(run, 9, 9))
    if (isNine(nine) && !isList(nine)) return kindOfNine(nine, place)
  return undefined
}

/** Right beside such a word, digits that look like a list or a ZIP code count, too: `social 07805-1120`. */
function identityBesideItsName(run: Run, { before, after }: Place): LabelledKind | undefined {
  const nines = [...stretches(run, 9, 9)].filter(isNine)
  const first = nines.find(({ from }) => from === 0)
  if (first && DIRECT_IDENTITY.test(before)) return kindOfNine(first, { before, after: '' })
  const last = nines.find(({ from, groups }) => from + groups.length === run.groups.length)
  if (last && IDENTITY_FOLLOWS.test(after) && !OTHER_LABEL.test(before))
    return kindOfNine(last, { before: '', after })
  return undefined
}

/** Whether a run is long enough for an account number, without its years. */
const isLong = (run: Run, least: number): boolean =>
  run.groups.filter((group) => !isYear(group)).join('').length >= least &&
  !isYear(run.groups[0] ?? '') &&
  !isListOfYears(run) &&
  !isListOfAmounts(run)

const areLong = (runs: Run[], leastInOne: number): boolean =>
  runs.some((run) => isLong(run, run.groups.length === 1 ? leastInOne : 8))

function isAccountNear(run: Run, place: Place): boolean {
  if (DIRECT_ACCOUNT.test(place.before))
    return areLong(run.groups.some((group) => group.length > 4) ? listItems(run) : [run], 6)
  if (PART_OF_AN_ID.test(place.before) && !DIRECT_POT.test(place.before)) return false
  if (says(place, 'account')) return areLong(listItems(run), 7)
  return (says(place, 'pot') || SENT_TO.test(place.before)) && areLong(listItems(run), 8)
}

/** Whether the text calls it an account number, as in `account number 212 555 0147`. */
function isAccountNumbered(run: Run, { before }: Place): boolean {
  if (NUMBERED.test(before)) return isLong(run, 6)
  // Ten digits in one piece could be a telephone number, but not straight after `account` or `wire to`.
  const names = [DIRECT_ACCOUNT, DIRECT_POT, DIRECT_WIRE]
  return /^\d{10}$/.test(run.groups.join(' ')) && names.some((name) => name.test(before))
}

function isCardNear(run: Run, place: Place): boolean {
  const { length } = digitsOf(run)
  return (
    length >= 13 &&
    length <= 23 &&
    says(place, 'card') &&
    !isListOfYears(run) &&
    !isListOfAmounts(run)
  )
}

/** The kind of the first number that a word in its clause labels; `text` comes from `forMatching`. */
export function labelledKind(text: string): LabelledKind | undefined {
  const named = withoutAmounts(text)
  for (const run of digitRuns(named)) {
    const place = placeOf(named, run)
    const kind = identityBesideItsName(run, place)
    if (kind) return kind
    if (isAccountNumbered(run, place)) return 'bank_account'
  }
  const plain = withoutOrdinary(text)
  for (const run of digitRuns(plain)) {
    const place = placeOf(plain, run)
    if (OTHER_LABEL.test(place.before)) continue
    if (!PART_OF_AN_ID.test(place.before) || DIRECT_IDENTITY.test(place.before)) {
      const kind = identityNear(run, place)
      if (kind) return kind
      if (isCardNear(run, place)) return 'card'
    }
    if (isAccountNear(run, place)) return 'bank_account'
  }
  return undefined
}

const UNUSED_EIN_PREFIXES: ReadonlySet<string> = new Set(
  '00 07 08 09 17 18 19 28 29 49 69 70 78 79 89 96 97'.split(' '),
)

// Lengths by country (SWIFT IBAN registry): of every length, one text in five would pass mod 97 by chance.
const IBAN_LENGTHS: ReadonlyMap<string, number> = new Map(
  (
    'ad24 ae23 al28 at20 az28 ba20 be16 bg22 bh22 br29 by28 ch21 cr22 cy28 cz24 de22 dk18 do28 ee20 eg29 ' +
    'es24 fi18 fo18 fr27 gb22 ge22 gi23 gl18 gr27 gt28 hr21 hu28 ie22 il23 iq23 is26 it27 jo30 kw30 kz20 ' +
    'lb28 lc32 li21 lt20 lu20 lv21 ly25 mc27 md24 me22 mk19 mr27 mt31 mu30 nl18 no15 pk24 pl28 ps29 pt25 ' +
    'qa29 ro24 rs22 sa24 sc31 se24 si19 sk24 sm27 st25 sv28 tl23 tn24 tr26 ua29 va22 vg24 xk20'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))] as const),
)

/** Whether a social security number with these parts could have been issued. */
export const isSsn = (area: string, group: string, serial: string): boolean =>
  !/^(?:000|666|9..)$/.test(area) && group !== '00' && serial !== '0000'

/** Whether these are the first two parts of an ITIN, for people without a social security number. */
export const isItin = (area: string, group: string): boolean =>
  area.startsWith('9') && /^(?:5\d|6[0-5]|7\d|8[0-8]|9[0-24-9])$/.test(group)

/** Whether employer numbers are issued with these first two digits (the list ages). */
export const isEinPrefix = (prefix: string): boolean => !UNUSED_EIN_PREFIXES.has(prefix)

function luhn(digits: string): boolean {
  let sum = 0
  for (let place = 0; place < digits.length; place += 1) {
    const digit = Number(digits[digits.length - 1 - place]) * (place % 2 === 0 ? 1 : 2)
    sum += digit > 9 ? digit - 9 : digit
  }
  return sum % 10 === 0
}

/** Whether 13 to 19 digits begin as some issuer's cards do and pass the Luhn check. */
export const isCard = (digits: string): boolean =>
  /^(?:4|5[0-8]|3(?:0[0-5]|[4-9])|6|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720))/.test(digits) &&
  !/^(.)\1*$/.test(digits) &&
  luhn(digits)

/** Whether nine digits pass the 3-7-1 check of American bank routing numbers. */
function isRoutingNumber(digits: string): boolean {
  let sum = 0
  for (const [place, digit] of digits.split('').entries())
    sum += Number(digit) * ([3, 7, 1][place % 3] ?? 0)
  return sum > 0 && sum % 10 === 0
}

/** The length of an IBAN of this country (two lower-case letters); undefined if it has none. */
export const ibanLength = (country: string): number | undefined => IBAN_LENGTHS.get(country)

/** Whether a lower-case IBAN without spaces passes the mod 97 check. */
export function isIban(iban: string): boolean {
  let rest = 0
  for (const char of iban.slice(4) + iban.slice(0, 4)) {
    const value = parseInt(char, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}
