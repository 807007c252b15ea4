import * as z from 'zod'
import { ibanLength, isCard, isEinPrefix, isIban, isItin, isRoutingNumber, isSsn } from './checksum.ts'
import { composed, forMatching, forReading } from './normalise.ts'

export { redactContacts } from './contacts.ts'

export type SensitiveKind =
  | 'ssn'
  | 'itin'
  | 'ein'
  | 'card'
  | 'bank_account'
  | 'routing_number'
  | 'iban'
  | 'document'

/** No request body is longer, so nothing that reaches us hides behind it. */
const MOST_CHARACTERS = 32 * 1024
const NEARBY = 40

// A number after `+44 ` is a telephone number, not the start of anything here.
const SSN = /(?<!\d|\+\d{2,3}[ .-])(\d{3})([-._/ ])(\d{2})([-._/ ])(\d{4})(?!\d)/g
// Nor is what goes on from `2026-`: that is an invoice.
const EIN = /(?<!\d|\d[-./]|\+\d{1,3} )(\d{2})-\d{7}(?!\d)/g
const DIGIT_GROUPS = /(?<![\d+])\d+(?:[ ._/-]\d+)*/g
const CARD_GROUPS = /^(?:1[3-9]|4-4-4-[1-4](?:-[1-3])?|4-6-[45]|8-8)$/
const IBAN_START = /(?<![a-z\d])[a-z]{2}\d{2}/g
const NINE_DIGITS = /(?<![\d$€£.,])(?:\d{9}|\d{3}[ -]\d{3}[ -]\d{3}|\d{2}[ .]\d{7})(?!\d)/g
const SOME_DIGITS = /(?<![\w$€£.,]|[a-z\d]-)\d{6,17}(?![\w%]|[.,]\d| ?(?:usd|dollars|eur)\b)/g
const NUMBERED_ACCOUNT =
  /\b(?:account|acct|a\/c)(?: ?(?:number|no|num|nr|#)[ .:#=-]*(?:is )?\d(?:[ -]?\d){5,16}|[ .:#=-]*\d{6,17})(?![\d-])/

const SOCIAL_WORDS =
  /\b(?:ssn|soc\.? sec|social(?! (?:media|work|event|club|network|service)s?)|tax(?:payer)? ?id|tin|national (?:id|insurance))/
const EIN_WORDS = /\b(?:f?ein|employer(?:'s)? id|federal (?:tax )?id)/
const ROUTING_WORDS = /\b(?:routing|rtn|aba|transit)\b/
const BANK_WORDS = /\b(?:accounts?|acct|a\/c|bank)\b/
/** What calls a number something else, even where an account is spoken of. */
const OTHER_LABEL =
  /\b(?:invoice|order|ticket|case|claim|reference|ref|po|zip|balance|call|phone|tel|cell|mobile|fax|text)(?: (?:no|number|num|id|is|of|at|me|us|about|roughly|over))*[ .:#=]*$/

const DOCUMENT_SIGNS =
  '%PDF-,JVBERi0,\u0089PNG,iVBORw0KGgo,PK\u0003\u0004,UEsDBB,/9j/4AAQ,0M8R4KGx,{\\rtf1,-----BEGIN '.split(',')
const DATA_URI = /data:(?:[a-z]+\/[\w.+-]+[;,]|[^,\s]{0,100};base64,)/i

function isDocument(text: string): boolean {
  const read = forReading(text)
  if (DOCUMENT_SIGNS.some((sign) => text.includes(sign) || read.includes(sign)) || DATA_URI.test(read))
    return true
  // Long runs of base64, whole or wrapped; a short word between them, or a plain link, is prose.
  let length = 0
  let upper = false
  let lower = false
  let digit = false
  for (const piece of read.replace(/https?:\/\/\S{1,300}/g, ' ').split(/[^A-Za-z\d+/=_-]+/)) {
    const goesOn = piece.length >= 20
    length = goesOn ? length + piece.length : 0
    upper = goesOn && (upper || /[A-Z]/.test(piece))
    lower = goesOn && (lower || /[a-z]/.test(piece))
    digit = goesOn && (digit || /\d/.test(piece))
    if (length >= 120 && upper && lower && digit) return true
  }
  return false
}

function inThreeParts(text: string): SensitiveKind | undefined {
  for (const [, area = '', first, group = '', second, serial = ''] of text.matchAll(SSN)) {
    // One dot among other separators is a decimal point.
    if ((first === '.') !== (second === '.')) continue
    if (isSsn(area, group, serial)) return 'ssn'
    if (isItin(area, group)) return 'itin'
  }
  return undefined
}

function hasCard(text: string): boolean {
  for (const [run] of text.matchAll(DIGIT_GROUPS)) {
    const groups = run.split(/\D/)
    for (const start of groups.keys())
      for (let count = 1; count <= 5 && start + count <= groups.length; count += 1) {
        const card = groups.slice(start, start + count)
        if (CARD_GROUPS.test(card.map((group) => group.length).join('-')) && isCard(card.join('')))
          return true
      }
  }
  return false
}

function hasIban(text: string): boolean {
  for (const start of text.matchAll(IBAN_START)) {
    const length = ibanLength(start[0].slice(0, 2))
    if (length === undefined) continue
    const rest = text.slice(start.index, start.index + 2 * length + 1)
    const found = new RegExp(`^[a-z\\d](?:[ -]?[a-z\\d]){${length - 1}}(?![a-z\\d])`).exec(rest)
    if (found && isIban(found[0].replace(/[ -]/g, ''))) return true
  }
  return false
}

function besideItsName(text: string): SensitiveKind | undefined {
  for (const found of text.matchAll(NINE_DIGITS)) {
    const around = text.slice(Math.max(0, found.index - NEARBY), found.index + found[0].length + NEARBY)
    if (EIN_WORDS.test(around)) return 'ein'
    if (/\bitin\b/.test(around)) return 'itin'
    if (SOCIAL_WORDS.test(around)) return 'ssn'
    if (ROUTING_WORDS.test(around) && isRoutingNumber(found[0])) return 'routing_number'
  }
  if (NUMBERED_ACCOUNT.test(text)) return 'bank_account'
  for (const found of text.matchAll(SOME_DIGITS)) {
    const before = text.slice(Math.max(0, found.index - NEARBY), found.index)
    const around = before + text.slice(found.index, found.index + found[0].length + NEARBY)
    if (BANK_WORDS.test(around) && !OTHER_LABEL.test(before)) return 'bank_account'
  }
  return undefined
}

/**
 * The first kind of data this service refuses that the text holds, however it is disguised: a national,
 * employer, card or account number, or the body of a document. Linear time; says nothing of where or what it is.
 */
export function sensitiveKind(text: string): SensitiveKind | undefined {
  const looked = text.slice(0, MOST_CHARACTERS)
  if (isDocument(looked)) return 'document'
  const plain = forMatching(looked)
  const inParts = inThreeParts(plain)
  if (inParts) return inParts
  for (const [, prefix = ''] of plain.matchAll(EIN)) if (isEinPrefix(prefix)) return 'ein'
  if (hasCard(plain)) return 'card'
  if (hasIban(plain)) return 'iban'
  return besideItsName(plain)
}

/**
 * A text field in NFC that refuses sensitive data with a `custom` issue, whose `params.sensitive` is the kind;
 * also when the text is too long, since the caller should hear of it before sending a shorter one.
 */
export const freeText = (max?: number) => {
  const text = z.string().overwrite(composed)
  return (max === undefined ? text : text.max(max)).check((payload) => {
    const sensitive = sensitiveKind(payload.value)
    if (sensitive === undefined) return
    const message = 'Expected text without identity, card or account numbers or documents.'
    payload.issues.push({ code: 'custom', params: { sensitive }, message, input: payload.value })
  })
}
