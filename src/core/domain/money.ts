import * as z from 'zod'

import { remembered } from './bounded-map.ts'

/**
 * Currencies whose minor unit is no hundredth, as Stripe counts (docs.stripe.com/currencies, November 2026).
 * Intl is not asked: it says 0 digits for ISK, UGX and HUF, which Stripe counts in hundredths.
 */
const EXPONENTS: ReadonlyMap<string, number> = new Map([
  ...'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'
    .split(' ')
    .map((code) => [code, 0] as const),
  ...'BHD JOD KWD OMR TND'.split(' ').map((code) => [code, 3] as const),
])

const EXPECTED = 'Expected currencies of three letters that exist, such as usd.'

const anyCase = z.string().regex(/^[A-Za-z]{3}$/, EXPECTED)

/** An ISO 4217 currency code in either case, passed on in lower case, as `Invoice.currency` has it. */
export const currencySchema = anyCase.toLowerCase()

/** A currency of a rule. Under a misspelt code the rule would stop every payment link. */
const ruleCurrency = anyCase.refine(
  (code) => Intl.supportedValuesOf('currency').includes(code.toUpperCase()),
  EXPECTED,
)

/** The same, passed on in lower case. */
export const ruleCurrencySchema = ruleCurrency.toLowerCase()

const inLowerCase = (amounts: Record<string, number>) =>
  Object.fromEntries(Object.entries(amounts).map(([code, most]) => [code.toLowerCase(), most]))

/**
 * The amounts of a rule, in minor units, by currency in lower case. `USD` beside `usd` is refused: one
 * of the two amounts would be lost.
 */
export const ruleAmountsSchema = z
  .record(ruleCurrency, z.int().min(0))
  .refine((amounts) => Object.keys(inLowerCase(amounts)).length === Object.keys(amounts).length, {
    params: { expected: 'Expected each currency once, whatever its letter case.' },
  })
  .overwrite(inLowerCase)

/** How many decimal places a currency has; 2 unless known otherwise. */
export function exponentOf(currency: string): number {
  return EXPONENTS.get(currency.toUpperCase()) ?? 2
}

const decimalsOf = (code: string) => {
  const digits = exponentOf(code)
  return { minimumFractionDigits: digits, maximumFractionDigits: digits } as const
}

/** To make a format takes far longer than to use it. */
const formatOf = remembered(
  16,
  (currency) =>
    new Intl.NumberFormat('en-US', { style: 'currency', currency, ...decimalsOf(currency) }),
)

/** Minor units as Americans read them: `$125.00`, `¥12,500`, `XYZ 12.50`. Exact, with plain spaces. */
export function displayAmount(minor: number, currency: string): string {
  if (!Number.isSafeInteger(minor) || minor < 0) throw new RangeError('Expected whole minor units.')
  const code = currency.toUpperCase()
  const amount = wholeAndFraction(minor, code).join('.') as `${number}`
  if (!currencySchema.safeParse(code).success)
    return `${code} ${new Intl.NumberFormat('en-US', decimalsOf(code)).format(amount)}`
  return formatOf(code)
    .format(amount)
    .replace(/\u00a0/g, ' ')
}

/** A decimal text, not minor / 100: a binary fraction loses cents in very large amounts. */
function wholeAndFraction(minor: number, currency: string): [whole: string, fraction: string] {
  const digits = exponentOf(currency)
  const all = String(minor).padStart(digits + 1, '0')
  const point = all.length - digits
  return [all.slice(0, point), all.slice(point)]
}

/** An amount as people write it, `1,250.50`. */
const AMOUNT = /^\$?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?$/

/**
 * The minor units of an amount as people write it; undefined where it is none, or has more decimals
 * than the currency.
 */
export function minorUnits(amount: string, currency: string): number | undefined {
  const [, fraction = ''] = AMOUNT.exec(amount) ?? [undefined, 'no amount']
  const digits = exponentOf(currency)
  if (fraction.length > digits) return undefined
  const whole = amount.replaceAll(/[$,]|\..*$/g, '')
  const minor = Number(whole + fraction.padEnd(digits, '0'))
  return Number.isSafeInteger(minor) ? minor : undefined
}

/** The reverse, without a currency: `1250.50`, `500`. */
export function decimalAmount(minor: number, currency: string): string {
  const [whole, fraction] = wholeAndFraction(minor, currency)
  return /^0*$/.test(fraction) ? whole : `${whole}.${fraction}`
}
