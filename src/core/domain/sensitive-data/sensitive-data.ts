import * as z from 'zod'

import { digitRuns, digitsOf, isYear, stretches, withoutOrdinary } from './digit-runs.ts'
import { type LabelledKind, labelledKind } from './labelled-numbers.ts'
import { ibanLength, isCard, isEinPrefix, isIban, isItin, isSsn } from './labelled-numbers.ts'
import { composed, decoded, forMatching, forReading } from './normalise.ts'

export type SensitiveKind = LabelledKind | 'document'

/** No request body is longer, so nothing can hide after it. */
const MOST_CHARACTERS = 32 * 1024

// A number after `+44 ` is a telephone number, not the start of anything here.
const SSN = /(?<!\d|\+\d{2,3}[ .-])(\d{3})([^\p{L}\d]{1,3})(\d{2})([^\p{L}\d]{1,3})(\d{4})(?!\d)/gu
// Neither are digits after `2026-`, which belong to an invoice number.
const EIN = /(?<!\d|\d[-./]|\+\d{1,3} )(\d{2})[-_]\d{7}(?!\d)/g
const IBAN_START = /(?<![a-z\d])[a-z]{2}[^a-z\d]{0,2}\d{2}/g

function inThreeParts(text: string): SensitiveKind | undefined {
  for (const [, area = '', first = '', group = '', second = '', serial = ''] of text.matchAll(
    SSN,
  )) {
    // One dot among other separators is a decimal point, and commas with spaces separate a list.
    if ((first === '.') !== (second === '.') || (first === ', ' && second === ', ')) continue
    // `form 709 12/2024` ends in a month.
    if (first !== second && isYear(serial) && Number(group) <= 12 && /^[-/]$/.test(second)) continue
    if (/[$€£¥%]/.test(first + second)) continue
    if (isSsn(area, group, serial)) return 'ssn'
    if (isItin(area, group)) return 'itin'
  }
  return undefined
}

function hasCard(text: string): boolean {
  for (const run of digitRuns(withoutOrdinary(text)))
    for (const card of stretches(run, 13, 19)) {
      const { groups, gaps } = card
      // Ages, counts and years in a row are no card.
      if (groups.length > 7 || gaps.includes(', ') || groups.filter(isYear).length > 1) continue
      if (isCard(digitsOf(card))) return true
    }
  return false
}

const ibans = new Map<number, RegExp>()

function ibanPattern(length: number): RegExp {
  const known = ibans.get(length)
  if (known) return known
  const pattern = new RegExp(`^[a-z\\d](?:[^a-z\\d]{0,3}[a-z\\d]){${length - 1}}(?![a-z\\d])`)
  ibans.set(length, pattern)
  return pattern
}

function hasIban(text: string): boolean {
  for (const start of text.matchAll(IBAN_START)) {
    const length = ibanLength(start[0].slice(0, 2))
    if (length === undefined) continue
    const rest = text.slice(start.index, start.index + 4 * length + 1)
    const found = ibanPattern(length).exec(rest)
    if (found && isIban(found[0].replace(/[^a-z\d]/g, ''))) return true
  }
  return false
}

function kindIn(text: string): SensitiveKind | undefined {
  if (isDocument(text)) return 'document'
  const plain = forMatching(text)
  const inParts = inThreeParts(plain)
  if (inParts) return inParts
  for (const [, prefix = ''] of plain.matchAll(EIN)) if (isEinPrefix(prefix)) return 'ein'
  if (hasCard(plain)) return 'card'
  if (hasIban(plain)) return 'iban'
  return labelledKind(plain)
}

/** The first kind of refused data in the text, also if it is spelled out or encoded. Linear time. */
export function sensitiveKind(text: string): SensitiveKind | undefined {
  const looked = text.slice(0, MOST_CHARACTERS)
  const kind = kindIn(looked)
  if (kind) return kind
  const plain = decoded(looked)
  return plain === looked ? undefined : kindIn(plain)
}

/** A text field in NFC that refuses sensitive data; the issue has its kind in `params.sensitive`. */
export const freeText = (max?: number) => {
  const text = z.string().overwrite(composed)
  return (max === undefined ? text : text.max(max)).check((payload) => {
    const sensitive = sensitiveKind(payload.value)
    if (sensitive === undefined) return
    const message = 'Expected text without identity, card or account numbers or documents.'
    payload.issues.push({ code: 'custom', params: { sensitive }, message, input: payload.value })
  })
}

const SIGNS = ['%PDF-', '\u0089PNG', 'PK\u0003\u0004', 'GIF87a', 'GIF89a', '{\\rtf', '-----BEGIN ']
/** How files begin in base64. Base64 may not come before it, since some beginnings have only four letters. */
const BASE64_SIGNS = new RegExp(
  '(?<![A-Za-z\\d+/_-])(?:JVBERi|iVBORw0K|R0lGOD|(?:SUkq|TU0A)[A-Za-z\\d+/]{4}|[/_]9j[/_]|UEsDB|UEsFB|0M8R4KGx|e1xydGY|PD94bWw|' +
    'PGh0bWw|PEhUTUw|PCFET0NUWVBF|PCFkb2N0eXBl|H4sI|N3q8ry|UmFyIRo|UklGR|AAAA[A-Za-z\\d+/]{2}Z0eXB)',
)
const HEX_SIGNS = /(?<![\da-f])(?:25504446|89504e47|ffd8ff|504b0304|47494638)[\da-f]{8}/i
const MARKUP =
  /<(?:html|!doctype|\?xml|svg|head|body)\b|^content-transfer-encoding:|^begin [0-7]{3} \S/im
const DATA_URI = /data:(?:[a-z]+\/[\w.+-]+[;,]|[^,\s]{0,100};base64,)/i

/** Whether the text holds the content of a file: a known beginning, or a long run of base64. */
export function isDocument(text: string): boolean {
  const read = forReading(text)
  if (SIGNS.some((sign) => text.includes(sign) || read.includes(sign))) return true
  if ([BASE64_SIGNS, HEX_SIGNS, MARKUP, DATA_URI].some((sign) => sign.test(read))) return true
  // Base64 is a long run, whole or wrapped; a short word or a plain link ends the run.
  const runs = ['']
  for (const piece of read.replace(/https?:\/\/\S{1,300}/g, ' ').split(/[^A-Za-z\d+/=_-]+/))
    if (piece.length >= 20) runs.push(runs.pop() + piece)
    else runs.push('')
  return runs.some(
    (run) => run.length >= 120 && [/[A-Z]/, /[a-z]/, /\d/].every((kind) => kind.test(run)),
  )
}
