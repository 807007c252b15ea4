import { type Clause, beforeList, clauseOf } from './clause.ts'
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
import type { MappedText } from './mapped-text.ts'
import { isItin, isRoutingNumber, isSsn } from './number-checks.ts'
import type { Part, SensitiveKind } from './part.ts'
import {
  ACCOUNT,
  CARD,
  EMPLOYER,
  FILE,
  HOLDER,
  ITIN,
  MONEY_TO,
  NUMBER_WORD,
  OWNER,
  PAPER,
  POT,
  ROUTING,
  SOCIAL,
  SSN_ITSELF,
  TRANSFER,
  TRANSIT,
  WIRE,
  isNamedOtherwise,
  isNamedPaper,
  isPaperNumber,
  word,
} from './trade-words.ts'

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

const FILLER = `(?:[^a-z\\d]|(?<![a-z])(?:${NUMBER_WORD}|is|was|are|it'?s|id|code|identification|card|full|the|my|new|for|me|mine|here|below|follows|as|should|be|to|same|still|of record|es|mi|su|el|la)(?![a-z]))`
/** Only `number`, `is`, `:` and the like are between a word and the number after it. */
const directly = (words: string): RegExp => new RegExp(`(?<![a-z])(?:${words})(?![a-z])${FILLER}*$`)
const IDENTITY = [SOCIAL, EMPLOYER, ITIN, ROUTING].join('|')
const DIRECT_IDENTITY = directly(IDENTITY)
const IDENTITY_FOLLOWS = new RegExp(`^(?!,)${FILLER}*(?<![a-z])(?:${IDENTITY})(?![a-z])`)
const DIRECT_SSN = directly(SSN_ITSELF)
const DIRECT_OWNER = directly(OWNER)
/** A name is between: `Spouse Luis Roe 078051120`. */
const OWNER_WITH_NAME = new RegExp(
  `(?<![a-z])(?:${OWNER})s?(?![a-z])[^a-z\\d]{1,3}(?:(?!(?:${PAPER}|${FILE}|${HOLDER}|${NUMBER_WORD}|id)(?![a-z]))[a-z'.-]{1,20}[ ,:]{1,2}){1,3}$`,
)
const DIRECT_ACCOUNT = directly(ACCOUNT)
const DIRECT_POT = directly(`${POT}|iban`)
const DIRECT_WIRE = directly(WIRE)
const NO_TARGET = [PAPER, FILE, HOLDER].join('|')
/** The words before an account that money goes to: `ach 1234…`, `wire it to 1234…`, `transfer to X 1234…`. */
const SENT_TO = new RegExp(
  `(?<![a-z])(?:(?:${TRANSFER})(?![a-z])(?:[^a-z\\d]|(?<![a-z])(?:${NUMBER_WORD}|(?:in)?to|from|is|my|our|the|it|debit|credit|payment|transfer)(?![a-z]))*` +
    `|(?:${TRANSFER}|${MONEY_TO})(?![a-z]).*(?<![a-z])(?:(?:in)?to|from|a|en|de)(?:[^a-z\\d]+(?!(?:${NO_TARGET})(?![a-z]))[a-z']+){0,3}[^a-z\\d]+)$`,
)
const NUMBERED = new RegExp(
  `(?<![a-z])(?:${ACCOUNT}|${POT})(?![a-z])${FILLER}*?(?:(?:${NUMBER_WORD})(?![a-z])|#)${FILLER}*$`,
)

const PART_OF_AN_ID = /[a-z]-?$/

const says = ({ before, after }: Clause, what: Word): boolean =>
  WORDS[what].test(before) || WORDS[what].test(after)

/** Years with counts or amounts beside them: `2023, 2024, 5`, `28140 (2023)`. */
const isListOfYears = ({ groups }: Run): boolean =>
  groups.some(isYear) &&
  groups.every((group) => isYear(group) || group.length <= 2 || group.length === 5)

const FIVE_OR_SIX_DIGITS = /^[1-9]\d{4,5}$/
const ROUND = /^[1-9]\d{0,7}0$/

/** Amounts without a sign: `250000`, `1500 2000`, `45213 55120 61888`. */
function isListOfAmounts({ groups }: Run): boolean {
  const areAlike = groups.every((group) => FIVE_OR_SIX_DIGITS.test(group))
  if (groups.length > 2 && areAlike) return true
  // `123450` may be a number of another kind: among round ones, one has to be short, or in thousands.
  const areRound = groups.every((group) => ROUND.test(group))
  return areRound && groups.some((group) => group.length < 6 || group.endsWith('000'))
}

const isNine = (nine: Run): boolean =>
  !isListOfYears(nine) && !(nine.groups.length > 1 && isListOfAmounts(nine))

/** `23919 / 4221` beside `social security`: no one writes its number so, and amounts begin with no zero. */
const isTwoAmounts = ({ groups, gaps }: Run): boolean =>
  /^[1-9]\d{4} \d{4}$/.test(groups.join(' ')) && /^(?:, ?|\/| | ?\| ?)$/.test(gaps[0] ?? '')

const LISTED = /^(?:3-2-4|3-3-3|2-7|2-3-4|5-4|3-6|1(?:-1){8})$/
const isList = ({ groups, gaps }: Run): boolean =>
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
function isOfNamedOwner({ groups }: Run, before: string): boolean {
  const digits = groups.join(' ')
  if (!/^\d{9}$/.test(digits)) return false
  const [area, group, serial] = [digits.slice(0, 3), digits.slice(3, 5), digits.slice(5)]
  if (!isSsn(area, group, serial) && !isItin(area, group)) return false
  return OWNER_WITH_NAME.test(before) && !isNamedOtherwise(before)
}

function isOwned(nine: Run, run: Run, before: string): boolean {
  if (isOfNamedOwner(nine, before)) return true
  const [item = run] = listItems(run)
  return (
    DIRECT_OWNER.test(before) &&
    [run, item].some(
      ({ groups }) => OWNED.test(groups.join(' ')) && nine.groups.length <= groups.length,
    )
  )
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
  if (last && IDENTITY_FOLLOWS.test(after) && !isNamedOtherwise(before))
    return kindOfNine(last, { before: '', after })
  return undefined
}

/** Whether a run is long enough for an account number, without its years. */
const isLong = (run: Run, least: number): boolean =>
  run.groups.filter((group) => !isYear(group)).join('').length >= least &&
  !isYear(run.groups[0] ?? '') &&
  !isListOfYears(run) &&
  !isListOfAmounts(run) &&
  !run.gaps.some((gap) => /[+*=]/.test(gap))

const areLong = (runs: Run[], leastInOne: number): boolean =>
  runs.some((run) => isLong(run, run.groups.length === 1 ? leastInOne : 8))

const HOLDS =
  /(?<![a-z])(?:has|had|have|holds?|held|contains?|deposited|contributed|earned|with|tiene|tenia|deposite)[^a-z\d]*$/
const LIES_IN = new RegExp(
  `^ (?:in|en) (?:(?:my|our|the|their|his|her|a|this|that|mi|la|una) )?(?:[a-z]+ ){0,2}?(?:${ACCOUNT}|${POT})(?![a-z])`,
)

/** `account has 1204553 in it`, `1204553 in our account`: with seven digits it is what lies there. */
const isAmountInAccount = (run: Run, { before, after }: Clause): boolean =>
  /^[1-9]\d{6}$/.test(run.groups.join(' ')) && (HOLDS.test(before) || LIES_IN.test(after))

/** `12044 6120 4310`: of three and more, no account number has such unlike parts. */
const isRowOfAmounts = ({ groups }: Run): boolean =>
  groups.length > 2 &&
  groups.every((group) => /^[1-9]\d{3,5}$/.test(group)) &&
  new Set(groups.map((group) => group.length)).size > 1

function isAccountNear(run: Run, place: Clause): boolean {
  if (DIRECT_ACCOUNT.test(place.before)) {
    const isInShortGroups = run.groups.every((group) => group.length <= 4)
    return areLong(isInShortGroups ? [run] : listItems(run), 6)
  }
  if (PART_OF_AN_ID.test(place.before) && !DIRECT_POT.test(place.before)) return false
  if (isAmountInAccount(run, place) || isRowOfAmounts(run)) return false
  if (says(place, 'account')) return areLong(listItems(run), 7)
  const mayBeAccount = says(place, 'pot') || SENT_TO.test(place.before)
  return mayBeAccount && areLong(listItems(run), 8)
}

/** Whether the text calls it an account number, as in `account number 212 555 0147`. */
function isAccountNumbered(run: Run, { before }: Clause): boolean {
  if (NUMBERED.test(before)) return isLong(run, 6)
  // Ten digits in one piece could be a telephone number, but not straight after `account` or `wire to`.
  const names = [DIRECT_ACCOUNT, DIRECT_POT, DIRECT_WIRE]
  return /^\d{10}$/.test(run.groups[0] ?? '') && names.some((name) => name.test(before))
}

/** American Express and Diners write their numbers so. */
const IN_CARD_GROUPS = /^\d{4} \d{6} \d{4,5}(?!\d)/

function isCardNear(run: Run, place: Clause): boolean {
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
const MONTH = /jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec/

/** `Z12-345678 account`, `7AB12345 is my account`. */
const ACCOUNT_FOLLOWS = new RegExp(
  `^ (?:(?:is|es) )?(?:(?:my|our|the|his|her|their|mi) )?(?:${ACCOUNT})(?![a-z])`,
)

/** Letters and digits of an account number, straight beside its name: `account 7AB12345`. */
function accountWithLetters(copy: MappedText): Part | undefined {
  for (const { 0: token, index: start } of copy.text.matchAll(TOKEN)) {
    if (!looksLikeAccount(token)) continue
    const span = { start, end: start + token.length }
    const { before, after } = clauseOf(copy.text, span)
    if (DIRECT_ACCOUNT.test(before) || DIRECT_POT.test(before) || ACCOUNT_FOLLOWS.test(after))
      return { kind: 'bank_account', ...copy.source(span) }
  }
  return undefined
}

/** One to three letters and 6 to 17 digits, and no date or paper: `12-mar-2024`, `w2-2023`. */
function looksLikeAccount(token: string): boolean {
  const letters = token.replace(/[^a-z]/g, '')
  if (letters === '' || letters.length > 3) return false
  const digits = token.replace(/\D/g, '')
  if (digits.length < 6 || digits.length > 17) return false
  return !MONTH.test(letters) && !isNamedPaper(letters) && !WITH_YEAR.test(token)
}

function isOtherNumber(text: string, run: Run): boolean {
  const { before, after } = clauseOf(text, run)
  return (
    isNamedOtherwise(beforeList(before, text.slice(run.start, run.end))) || isPaperNumber(after)
  )
}

/** The first number that a word in its clause labels, in a copy made by `matchingCopy`. */
export function labelledNumber(copy: MappedText): Part | undefined {
  const named = withoutAmounts(copy)
  for (const run of digitRuns(named.text)) {
    const place = clauseOf(named.text, run)
    const kind = identityBesideItsName(run, place)
    if (kind) return { kind, ...named.source(run) }
    if (isAccountNumbered(run, place)) return { kind: 'bank_account', ...named.source(run) }
  }
  const plain = withoutOrdinary(copy)
  for (const run of digitRuns(plain.text)) {
    // A policy's number may begin a list whose next item is another number.
    const items = isOtherNumber(plain.text, run) ? listItems(run).slice(1) : [run]
    for (const item of items) {
      const kind = isOtherNumber(plain.text, item)
        ? undefined
        : kindNear(item, clauseOf(plain.text, item))
      if (kind) return { kind, ...plain.source(item) }
    }
  }
  return accountWithLetters(named)
}

function kindNear(run: Run, place: Clause): SensitiveKind | undefined {
  if (!PART_OF_AN_ID.test(place.before) || DIRECT_IDENTITY.test(place.before)) {
    const kind = identityNear(run, place)
    if (kind) return kind
    if (isCardNear(run, place)) return 'card'
  }
  return isAccountNear(run, place) ? 'bank_account' : undefined
}
