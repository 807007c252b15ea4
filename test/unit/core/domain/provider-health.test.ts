import { expect, test } from 'vitest'

import { toMend } from '../../../../src/core/domain/outcome.ts'
import {
  NO_ISSUES,
  type ProviderHealth,
  reasonsOf,
  withChange,
  withVerdicts,
} from '../../../../src/core/domain/provider-health.ts'

const REASON = 'payment_provider_refuses'
const LINK = { operation: 'create_payment_link', what: 'usd' }
const REFUSED = { ...LINK, refused: { reason: REASON, detail: 'Set the name.' } } as const

const after = (...tried: Parameters<typeof withChange>[1][]): ProviderHealth =>
  tried.reduce((health, one, i) => withChange(health, one, i), NO_ISSUES)

test('a refused change is an issue, once, until the same is taken: a check that reads takes nothing back', () => {
  const refused = after(REFUSED)
  expect(refused.issues).toEqual([
    {
      reason: REASON,
      since: 0,
      change: { operation: 'create_payment_link', what: 'usd', detail: 'Set the name.' },
    },
  ])
  expect(withChange(refused, REFUSED, 5)).toBe(refused)
  expect(withVerdicts(refused, { [REASON]: false }, 5).issues).toEqual(refused.issues)
  for (const other of [
    { ...LINK, what: 'eur' },
    { ...LINK, operation: 'end_payment_link' },
  ])
    expect(withChange(refused, other, 5)).toBe(refused)
  expect(withChange(refused, LINK, 5).issues).toEqual([])
  expect(reasonsOf(after(REFUSED, { ...REFUSED, what: 'eur' }))).toEqual([REASON])
})

test('what refuses a change after the first is mended takes its place', () => {
  const next = { ...LINK, refused: { reason: REASON, detail: 'Set the address.' } } as const
  expect(after(REFUSED, next).issues).toMatchObject([
    { since: 0, change: { detail: 'Set the address.' } },
  ])
})

test('only what the owner can mend for all such changes is to be mended', () => {
  const refusal = { code: 'provider_misconfigured', effect: 'none', detail: 'Set it.' } as const
  expect(toMend({ is: 'busy', refusal })).toBe('Set it.')
  for (const outcome of [
    { is: 'busy', refusal, isOfRequest: true } as const,
    { is: 'busy', refusal: { ...refusal, code: 'provider_busy' } } as const,
    { is: 'ok', facts: {} } as const,
  ])
    expect(toMend(outcome)).toBeUndefined()
})

test('a refused key is why changes are refused, and all are well when the key is', () => {
  const key = withVerdicts(after(REFUSED), { [REASON]: true }, 5)
  expect(key.issues).toEqual([{ reason: REASON, since: 0 }])
  expect(withChange(key, REFUSED, 6)).toBe(key)
  expect(withVerdicts(key, { [REASON]: false }, 7).issues).toEqual([])
})
