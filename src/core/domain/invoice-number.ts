import { pattern } from './lazy.ts'
import { redactContacts } from './sensitive-data/contacts.ts'
import { sensitivePart } from './sensitive-data/sensitive-data.ts'
import { CALL } from './sensitive-data/trade-words.ts'

const PART = String.raw`[\p{L}\p{M}\p{Pd}\u22120-9#№°()_./:+&,'’]+`
const NUMBER = pattern(String.raw`^(?=.{1,40}$)(?=.*\d)${PART}(?: ${PART}){0,3}$`, 'u')
/** What a program may make a link of, and words in place of a number. */
const NO_NUMBER = /\/\/|\p{L}\.\p{L}{2}/u
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
  if (text === null || !NUMBER().test(text) || NO_NUMBER.test(text)) return null
  const words = text.split(' ').filter((part) => !/\d/.test(part) && /\p{L}{2}/u.test(part))
  if (words.length > MOST_WORDS || carriesNumber(text) || carriesName(text, names)) return null
  return text.normalize('NFC')
}

/** A word for an invoice names no paper here: the text is the number. */
const INVOICE_WORDS =
  /(?<!\p{L})(?:invoice|inv|bill|factura|number|no|nr|num|n[º°])(?!\p{L})[.:]?|[#№]/giu
/**
 * `25-0001234`, a year and a count, has the form of an EIN; `118-204417`, a client's number and a
 * count, that of an SSN with one sign missing. A word for such a number still counts.
 */
const COUNTS = /(?<!\d)(?:\d\d-00\d{5}|\d{3}-\d{6})(?!\d)/g
/** `990-2025-7`: the form, the year and a count; behind a word it may be a telephone number. */
const FORM_AND_YEAR = /(?<!\d|\p{L}{3}[ .:]{1,2})\d{3}-20\d\d-(?=\d{1,4}(?!\d))/gu
/** `ACME-104-11-0042`: what follows the letters of a prefix is counted, but for `SSN-…` and the like. */
const ENDS_PREFIX =
  /(?<!\p{L})(?!(?:ssn?|soc|sec|itin|tin|ein|fein|id|tax|iban|passport)[^\p{L}]?$)\p{L}+[-_/.]$/iu
/** Words that name a telephone number; others, such as `call`, stand before ten digits. */
const TELEPHONE = 'tel|telephone|phone|mobile|fax|whatsapp|telefono|movil'
const WITH_PHONE_SIGNS = pattern(
  String.raw`\(\d{3}\)|\+\d|\d[-. ]\d{7}(?!\d)|\d(?:[-./_ ]\d+){2}|` +
    String.raw`(?<!\p{L})(?:(?:${TELEPHONE})(?!\p{L})|(?:${CALL})\D{1,3}(?:\d\D?){10})`,
  'iu',
)
const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|' +
  'oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|ene(?:ro)?|febrero|marzo|abr(?:il)?|mayo|junio|julio|' +
  'ago(?:sto)?|septiembre|octubre|noviembre|dic(?:iembre)?)(?!\\p{L})[-/. ]?'
/** No invoice that can still be paid is from these years. */
const YEAR = '(?:19\\d\\d|200\\d)(?!\\d)'
/** A date of birth, or what names one. */
const BIRTH = pattern(
  String.raw`(?<!\p{L})(?:born|birth(?:day|date)?|dob|d\.o\.b|nacid[oa]|nac|fdn)(?!\p{L})|` +
    String.raw`(?<!\d)${YEAR}[-/. ](?:\d{1,2}[-/.]|${MONTH})\d{1,2}(?!\d)|` +
    String.raw`(?<!\d)\d{1,2}(?:[-/.]\d{1,2}[-/.]|[-/. ]?${MONTH})${YEAR}|` +
    String.raw`(?<!\p{L})${MONTH}\d{1,2}[-/., ]+${YEAR}`,
  'iu',
)

/** Bare digits stay, since most numbers are no more: only a written form tells what they are. */
function carriesNumber(written: string) {
  const text = written.replaceAll(/[\p{Pd}\u2212]/gu, '-')
  const bare = text.replaceAll(INVOICE_WORDS, ' ').replaceAll(/\s+/g, ' ').trim()
  const counts = bare.replaceAll(COUNTS, (count) => count.replaceAll(/\D/g, ''))
  const part = /\D/.test(bare) ? sensitivePart(counts) : undefined
  if (part && !ENDS_PREFIX.test(counts.slice(0, part.start))) return true
  const called = bare.replaceAll(FORM_AND_YEAR, '')
  if (WITH_PHONE_SIGNS().test(called) && redactContacts(called) !== called) return true
  return BIRTH().test(text)
}

const LEAST_LETTERS = 4

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .match(/\p{L}+/gu) ?? []

/**
 * Whether a word of the payer's name is in it, or its beginning, as in a client code; not what is
 * of the practice.
 */
function carriesName(
  text: string,
  { payer, practice }: { payer: string | null; practice: string },
) {
  const longOnes = (of: string) => wordsOf(of).filter((word) => word.length >= LEAST_LETTERS)
  const own = wordsOf(practice)
  const names = longOnes(payer ?? '').filter((word) => !own.includes(word))
  return longOnes(text.replaceAll(INVOICE_WORDS, ' ')).some(
    (word) =>
      names.includes(word) ||
      (!own.some((one) => one.startsWith(word)) &&
        names.some((name) => word.includes(name) || name.startsWith(word))),
  )
}
