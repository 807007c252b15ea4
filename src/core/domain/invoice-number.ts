import { redactContacts } from './sensitive-data/contacts.ts'
import { sensitivePart } from './sensitive-data/sensitive-data.ts'

const PART = String.raw`[\p{L}\p{M}\p{Pd}\u22120-9#№()_./:+&,'’]+`
const NUMBER = new RegExp(String.raw`^(?=.{1,40}$)(?=.*\d)${PART}(?: ${PART}){0,3}$`, 'u')
/** What a program may make a link of, and words in place of a number. */
const NO_NUMBER = /\/\/|\p{L}\.\p{L}{2}|\](?=\()/u
const MOST_WORDS = 2

/**
 * An invoice number as callers may see it; null for what does not look like one, or carries a person.
 * The number is free text of the practice: a model reads it, the payer sees it, and some practices
 * put a name, a telephone number or an SSN in it.
 */
export function publicInvoiceNumber(
  text: string | null,
  names: { payer: string | null; practice: string },
): string | null {
  if (text === null || !NUMBER.test(text) || NO_NUMBER.test(text)) return null
  const words = text.split(' ').filter((part) => !/\d/.test(part) && /\p{L}{2}/u.test(part))
  if (words.length > MOST_WORDS || carriesNumber(text) || carriesName(text, names)) return null
  return text.normalize('NFC')
}

/** A word for an invoice names no paper here: the text is the number. */
const INVOICE_WORDS =
  /(?<!\p{L})(?:invoice|inv|bill|factura|number|no|nr|num)(?!\p{L})[.:]?|[#№]/giu
/** `25-0001234`: a year and a count have the form of an EIN. */
const YEAR_AND_COUNT = /(?<!\d)\d\d-00\d{5}(?!\d)/g
/** `118-204417`: a client's number and a count have the form of an SSN with one sign missing. */
const NUMBER_AND_COUNT = /(?<!\d)(?:\d{3}-\d{6}|\d{5}-\d{4})(?!\d)/g
/** `ACME-104-11-0042`: what follows the letters of a prefix is counted, but for `SSN-…` and the like. */
const ENDS_PREFIX =
  /(?<!\p{L})(?!(?:ssn?|soc|sec|itin|tin|ein|fein|id|tax|iban|passport)[^\p{L}]?$)\p{L}+[-_/.]$/iu
const WITH_PHONE_SIGNS =
  /\(\d{3}\)|\+\d|\d[-. ]\d{3}[-. ]?\d{4}(?!\d)|(?<!\p{L})(?:tel|telephone|phone|mobile|fax|whatsapp|telefono|movil)(?!\p{L})/iu
const BIRTH = /(?<!\p{L})(?:born|birth(?:day|date)?|dob|d\.o\.b|nacid[oa]|nac|fdn)(?!\p{L})/iu
const DATE = /(?<!\d)(?:(\d{4})[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](\d{4}))(?!\d)/g
/** No invoice that can still be paid is from before it. */
const FIRST_YEAR_OF_INVOICES = 2010

/** Bare digits stay, since most numbers are no more: only a written form tells what they are. */
function carriesNumber(written: string): boolean {
  const text = written.replaceAll(/[\p{Pd}\u2212]/gu, '-')
  const bare = text.replaceAll(INVOICE_WORDS, ' ').replaceAll(/\s+/g, ' ').trim()
  const counts = bare.replaceAll(YEAR_AND_COUNT, '').replaceAll(NUMBER_AND_COUNT, '')
  const part = /\D/.test(bare) ? sensitivePart(counts) : undefined
  if (part && !ENDS_PREFIX.test(counts.slice(0, part.start))) return true
  if (WITH_PHONE_SIGNS.test(bare) && redactContacts(bare) !== bare) return true
  if (BIRTH.test(text)) return true
  return Array.from(text.matchAll(DATE)).some(
    ([, first, last]) => Number(first ?? last) < FIRST_YEAR_OF_INVOICES,
  )
}

const LEAST_LETTERS = 4

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .match(/\p{L}+/gu) ?? []

/** Whether a word of the payer's name is in it, that is not one of the practice's own. */
function carriesName(
  text: string,
  { payer, practice }: { payer: string | null; practice: string },
): boolean {
  const own = new Set([...wordsOf(practice), 'invoice', 'factura'])
  const names = wordsOf(payer ?? '').filter(
    (word) => word.length >= LEAST_LETTERS && !own.has(word),
  )
  return wordsOf(text).some((word) => names.some((name) => word.includes(name)))
}
