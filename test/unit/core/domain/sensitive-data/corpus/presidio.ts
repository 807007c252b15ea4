import { isRoutingNumber, luhn } from '../../../../../../src/core/domain/sensitive-data/numbers.ts'

/**
 * What Microsoft Presidio's published recognizers of American numbers look for, to compare with: the forms, scores
 * and words of its US_SSN, US_ITIN, CREDIT_CARD, US_BANK_NUMBER, ABA_ROUTING_NUMBER and IBAN_CODE, as of 2026. A
 * check digit that holds scores 1, a word of its list among the five before or after adds 0.35 (at least to 0.4). It
 * has no recognizer for employer numbers. This is the rules without its language models.
 */
interface Recognizer {
  forms: [form: RegExp, score: number][]
  words: string[]
  /** True scores 1, false 0, undefined leaves the score. */
  check?: (found: string) => boolean | undefined
}

/** The least score of a number with one of its words beside it. */
const WITH_A_WORD = 0.4

const ITIN_GROUP = '(?:5\\d|6[0-5]|7\\d|8[0-8]|9[0-24-9])'
const isBadSsn = (found: string): boolean => {
  const digits = found.replace(/\D/g, '')
  const signs = new Set(found.replace(/\d/g, ''))
  const isSample = /^(?:000|666|123456789|98765432|078051120)/.test(digits)
  return signs.size > 1 || /^(.)\1*$/.test(digits) || /^...00|0000$/.test(digits) || isSample
}

const RECOGNIZERS: Recognizer[] = [
  {
    forms: [
      [/\b(?:\d{5}-\d{4}|\d{3}-\d{6}|\d{9})\b/g, 0.05],
      [/\b\d{3}[- .]\d\d[- .]\d{4}\b/g, 0.5],
    ],
    words: ['social', 'security', 'ssn', 'ssns', 'ssid'],
    check: (found) => (isBadSsn(found) ? false : undefined),
  },
  {
    forms: [
      [new RegExp(`\\b9\\d\\d(?:[- ]${ITIN_GROUP}|${ITIN_GROUP}[- ])\\d{4}\\b`, 'g'), 0.05],
      [new RegExp(`\\b9\\d\\d${ITIN_GROUP}\\d{4}\\b`, 'g'), 0.3],
      [new RegExp(`\\b9\\d\\d[- ]${ITIN_GROUP}[- ]\\d{4}\\b`, 'g'), 0.5],
    ],
    words: ['individual', 'taxpayer', 'itin', 'tax', 'payer', 'taxid', 'tin'],
  },
  {
    forms: [
      [
        /\b(?!1\d{12}(?!\d))(?:4\d|5[0-5]|6\d|1\d|3\d)\d\d[- ]?\d{3,4}[- ]?\d{3,4}[- ]?\d{3,5}\b/g,
        0.3,
      ],
    ],
    words: ['credit', 'card', 'visa', 'mastercard', 'amex', 'discover', 'jcb', 'diners', 'maestro'],
    check: (found) => luhn(found.replace(/\D/g, '')),
  },
  {
    forms: [[/\b\d{8,17}\b/g, 0.05]],
    words: ['check', 'account', 'acct', 'bank', 'save', 'debit'],
  },
  {
    forms: [[/\b[0123678]\d{3}-?\d{4}-?\d\b/g, 0.3]],
    words: ['aba', 'routing', 'association', 'rtn'],
    check: (found) => isRoutingNumber(found.replace(/\D/g, '')),
  },
  {
    forms: [
      [/(?<![A-Z\d])[A-Z]{2}\d\d(?:[ -]?[A-Z\d]{4}){2,7}(?:[ -]?[A-Z\d]{1,3})?(?![A-Z\d])/g, 0.5],
    ],
    words: ['iban', 'bank', 'transaction'],
  },
]

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[a-z]+/g) ?? []

function score(recognizer: Recognizer, text: string, found: string, at: number, base: number) {
  const checked = recognizer.check?.(found)
  if (checked === false) return 0
  const near = [
    ...wordsOf(text.slice(0, at)).slice(-5),
    ...wordsOf(text.slice(at + found.length)).slice(0, 5),
  ]
  const own = checked ? 1 : base
  return near.some((one) => recognizer.words.includes(one))
    ? Math.max(own + 0.35, WITH_A_WORD)
    : own
}

/** Whether Presidio's rules find a number with such a score; it reports all scores unless it is told otherwise. */
export const presidioFinds = (text: string, atLeast = 0.01): boolean =>
  RECOGNIZERS.some((recognizer) =>
    recognizer.forms.some(([form, base]) =>
      Array.from(text.matchAll(form)).some(
        ({ 0: found, index }) => score(recognizer, text, found, index, base) >= atLeast,
      ),
    ),
  )
