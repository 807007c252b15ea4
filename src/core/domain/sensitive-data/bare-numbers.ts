import { beforeList, clauseOf } from './clause.ts'
import {
  type Stretch,
  digitRuns,
  digitsOf,
  isYear,
  stretches,
  withoutAmounts,
  withoutOrdinary,
} from './digit-runs.ts'
import type { MappedText, Span } from './mapped-text.ts'
import {
  ibanLength,
  isCard,
  isEinPrefix,
  isIban,
  isItin,
  isRoutingNumber,
  isSsn,
} from './number-checks.ts'
import type { Part } from './part.ts'
import {
  CARD,
  isNamedOtherwise,
  isNamedPaper,
  isNamedPaperOrPolicy,
  isPaperNumber,
  whole,
} from './trade-words.ts'

// A number after `+44 ` is a telephone number, not the start of anything here.
const SSN =
  /(?<!\d|\d-\d{1,3}-|\+\d{2,3}[ .-])(\d{3})([^\p{L}\d;]{1,3})(\d{2})([^\p{L}\d;]{1,3})(\d{4})(?!\d)/gu
// Neither are digits after `2026-`, which belong to an invoice number.
const EIN = /(?<!\d|\d[-./]|\+\d{1,3} )(\d{2})[-_]\d{7}(?!\d)/g
const IBAN_START = /(?<![a-z\d])[a-z]{2}[^a-z\d]{0,2}\d{2}/g

/**
 * The first number that its form gives away, with no word beside it: what its clause calls a
 * paper's is none.
 */
export function bareNumber(copy: MappedText): Part | undefined {
  return (
    inThreeParts(copy) ??
    employerNumber(copy) ??
    cardNumber(copy) ??
    iban(copy) ??
    numbersOfCheque(copy)
  )
}

function isOfPaper(text: string, span: Span, isNamed = isNamedPaper): boolean {
  const { before, after } = clauseOf(text, span)
  return isNamed(beforeList(before, text.slice(span.start, span.end))) || isPaperNumber(after)
}

function inThreeParts(copy: MappedText): Part | undefined {
  for (const match of copy.text.matchAll(SSN)) {
    const [found, area = '', first = '', group = '', second = '', serial = ''] = match
    // One dot among other separators is a decimal point, and commas with spaces separate a list.
    if ((first === '.') !== (second === '.') || /, /.test(first + second)) continue
    // `form 709 12/2024` ends in a month.
    if (first !== second && isYear(serial) && Number(group) <= 12 && /^[-/]$/.test(second)) continue
    if (/[$€£¥%]/.test(first + second)) continue
    const span = { start: match.index, end: match.index + found.length }
    if (isOfPaper(copy.text, span)) continue
    if (isSsn(area, group, serial)) return { kind: 'ssn', ...copy.source(span) }
    if (isItin(area, group)) return { kind: 'itin', ...copy.source(span) }
  }
  return undefined
}

function employerNumber(copy: MappedText): Part | undefined {
  for (const match of copy.text.matchAll(EIN)) {
    const span = { start: match.index, end: match.index + match[0].length }
    if (!isEinPrefix(match[1] ?? '')) continue
    if (isOfPaper(copy.text, span, isNamedPaperOrPolicy)) continue
    return { kind: 'ein', ...copy.source(span) }
  }
  return undefined
}

/** Ages, counts, years and amounts in a row are no card. */
function isRowOfNumbers({ groups, gaps }: Stretch): boolean {
  if (groups.length > 7 || gaps.includes(', ')) return true
  const isPunctuated = gaps.some((gap) => /[,:]/.test(gap))
  const areGapsUnlike = new Set(gaps).size > 1
  if (isPunctuated && areGapsUnlike) return true
  if (groups.filter(isYear).length > 1) return true
  return groups.length > 1 && groups.every((group) => group.length > 4 && group.length < 8)
}

const CARD_JOINED = new RegExp(`${whole(CARD).replace('(?![a-z])', '')}-?$`)

/** `-12/27`, `-1227`, `-123`: when a card ends, and its code. */
const EXPIRY_OR_CODE = /^-(?:\d\d?[-/]\d\d|\d{3,4})(?!\d)/

/** Whether the digits go on in a longer id: `113-4300145-5480654`, `0x4111…`, `4111…-02`. */
function isInLongerId(text: string, { start, end }: Stretch): boolean {
  const before = text.slice(Math.max(0, start - 24), start)
  const after = text.slice(end, end + 8)
  if (/\d[-._]$/.test(before)) return true
  if (/^[-._]\d/.test(after) && !EXPIRY_OR_CODE.test(after)) return true
  if (/[a-z]-?$/.test(before) && !CARD_JOINED.test(before)) return true
  return /^-?(?!x{0,3}\d?\d?\/|exp|cv[cv]|x |on |and|zip)[a-z]/.test(after)
}

function cardNumber(copy: MappedText): Part | undefined {
  const plain = withoutOrdinary(copy)
  for (const run of digitRuns(plain.text))
    for (const card of stretches(run, 13, 19)) {
      if (isRowOfNumbers(card) || !isCard(digitsOf(card))) continue
      if (isInLongerId(plain.text, card)) continue
      if (isOfPaper(plain.text, card)) continue
      return { kind: 'card', ...plain.source(card) }
    }
  return undefined
}

/** First digits of routing numbers, by district of the Federal Reserve. */
const DISTRICT = '(?:0[1-9]|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2])'
const CHEQUE = new RegExp(
  `(?<!\\d|\\d[-./,])(${DISTRICT}\\d{7})` +
    '[^a-z\\d]{1,4}(?:(?:and|y|a|ac|acct?)(?![a-z])[^a-z\\d]{1,3})?(\\d{7,17})(?!\\d|[-./,]\\d)',
  'g',
)

/** A routing number that passes its check, with an account number straight after it, as on a cheque. */
function numbersOfCheque(copy: MappedText): Part | undefined {
  const named = withoutAmounts(copy)
  for (const match of named.text.matchAll(CHEQUE)) {
    const { 0: found, 1: routing = '', 2: account = '', index } = match
    if (!isRoutingNumber(routing) || /^(?:19|20)\d{6}$/.test(account)) continue
    const span = { start: index, end: index + found.length }
    if (isNamedOtherwise(clauseOf(named.text, span).before)) continue
    return { kind: 'bank_account', ...named.source(span) }
  }
  return undefined
}

const ibans = new Map<number, RegExp>()

function ibanPattern(length: number): RegExp {
  const known = ibans.get(length)
  if (known) return known
  const pattern = new RegExp(`^[a-z\\d](?:[^a-z\\d]{0,3}[a-z\\d]){${length - 1}}(?![a-z\\d])`)
  ibans.set(length, pattern)
  return pattern
}

function iban(copy: MappedText): Part | undefined {
  const { text } = copy
  for (const { 0: beginning, index: start } of text.matchAll(IBAN_START)) {
    const length = ibanLength(beginning.slice(0, 2))
    if (length === undefined) continue
    const found = ibanPattern(length).exec(text.slice(start, start + 4 * length + 1))
    if (found && isIban(found[0].replace(/[^a-z\d]/g, '')))
      return { kind: 'iban', ...copy.source({ start, end: start + found[0].length }) }
  }
  return undefined
}
