import fc from 'fast-check'
import { expect, test } from 'vitest'

import { currencySchema, displayAmount, exponentOf } from '../../../../src/core/domain/money.ts'

test.each([
  [12500, 'usd', '$125.00'],
  [12500, 'USD', '$125.00'],
  [123456, 'EUR', '€1,234.56'],
  [12500, 'JPY', '¥12,500'],
  [12500, 'KRW', '₩12,500'],
  [12500, 'CAD', 'CA$125.00'],
  [12500, 'MXN', 'MX$125.00'],
  [12500, 'CHF', 'CHF 125.00'],
  [0, 'USD', '$0.00'],
  [5, 'USD', '$0.05'],
  [0, 'JPY', '¥0'],
])('%i minor units of %s read %s', (minor, currency, text) => {
  expect(displayAmount(minor, currency)).toBe(text)
})

test.each([
  [500, 'ISK', 'ISK 5.00'],
  [500, 'UGX', 'UGX 5.00'],
  [12500, 'HUF', 'HUF 125.00'],
  [12500, 'TWD', 'NT$125.00'],
])(
  '%i of %s is counted in hundredths, as Stripe does, whatever Intl says: %s',
  (minor, currency, text) => {
    expect(displayAmount(minor, currency)).toBe(text)
  },
)

test('three decimals are kept where a currency has them', () => {
  expect(displayAmount(12340, 'KWD')).toBe('KWD 12.340')
  expect(displayAmount(10, 'bhd')).toBe('BHD 0.010')
})

test('a currency no one knows has two decimals and its own code in upper case', () => {
  expect(displayAmount(1250, 'xyz')).toBe('XYZ 12.50')
  expect(displayAmount(123456, 'usdc')).toBe('USDC 1,234.56')
  expect(exponentOf('xyz')).toBe(2)
})

test.each([-1, 0.5, NaN, Infinity, 2 ** 53])('%d is no amount', (minor) => {
  expect(() => displayAmount(minor, 'USD')).toThrow(RangeError)
})

test('the digits shown are the digits given, for every amount and number of decimals', () => {
  const currency = fc.constantFrom('USD', 'EUR', 'JPY', 'KWD', 'ISK', 'XYZ', 'USDC', 'VND')
  fc.assert(
    fc.property(fc.maxSafeNat(), currency, (minor, code) => {
      const text = displayAmount(minor, code)
      expect(Number(text.replace(/\D/g, ''))).toBe(minor)
      expect(text.split('.')[1]?.length ?? 0).toBe(exponentOf(code))
      expect(text).not.toMatch(/[\u00a0\u202f]/)
    }),
  )
  expect(displayAmount(Number.MAX_SAFE_INTEGER, 'USD')).toBe('$90,071,992,547,409.91')
})

test('a currency is three letters in either case, passed on in lower case', () => {
  expect(currencySchema.parse('USD')).toBe('usd')
  for (const code of ['', 'us', 'usdc', 'u$d', 'us1'])
    expect(currencySchema.safeParse(code).success).toBe(false)
})
