import { readFileSync } from 'node:fs'

import { parse } from 'smol-toml'
import { describe, expect, it, vi } from 'vitest'

import { Problem } from '../../../../src/core/domain/problem/problem.ts'
import { type Rate, RATES, limitOf } from '../../../../src/core/domain/rate-limit.ts'
import { settingsFrom } from '../../../../src/core/settings.ts'
import { countedLimits } from '../../../../src/practice/adapters/cloudflare/limits.ts'

describe('the rate limits in the documents', () => {
  it('are those of the bindings in wrangler.toml', () => {
    const { ratelimits } = parse(readFileSync('wrangler.toml', 'utf8')) as unknown as {
      ratelimits: { name: string; namespace_id: string; simple: object }[]
    }
    const published = Object.keys(RATES).flatMap((rate) =>
      (['reads', 'changes'] as const).map((kind) => {
        const { quota, window_seconds } = limitOf(rate as Rate, kind)
        return [`${kind}_${rate}`.toUpperCase(), { limit: quota, period: window_seconds }]
      }),
    )
    const deployed = ratelimits.map(({ name, simple }) => [name, simple])
    expect(Object.fromEntries(deployed)).toEqual(Object.fromEntries(published))
    expect(new Set(ratelimits.map(({ namespace_id }) => namespace_id)).size).toBe(6)
  })

  it('leave fewer changes than reads, at every rate', () => {
    for (const { reads, changes } of Object.values(RATES)) expect(changes).toBeLessThan(reads)
  })
})

describe('a rate limiter', () => {
  const limits = (limit: () => Promise<{ success: boolean }>, failed = () => {}) =>
    countedLimits('low', { reads: { limit }, changes: undefined }, failed)

  it('that refuses ends the call with the quota and the wait', async () => {
    const refused = limits(async () => ({ success: false })).count('key:1', 'reads')
    const problem: unknown = await refused.catch((thrown: unknown) => thrown)
    expect(problem).toBeInstanceOf(Problem)
    expect((problem as Problem).refusal).toEqual({
      code: 'rate_limited',
      effect: 'none',
      retry_after_seconds: 60,
      limit: { policy: 'reads', quota: 30, window_seconds: 60 },
    })
  })

  it.each([
    ['that throws', () => Promise.reject(new Error('down'))],
    ['that never answers', () => new Promise<never>(() => {})],
  ])('%s allows the call, and the failure is logged', async (_title, limit) => {
    const failed = vi.fn<() => void>()
    await limits(limit, failed).count('key:1', 'reads')
    expect(failed).toHaveBeenCalledTimes(1)
  })

  it('that is not bound allows the call, and the failure is logged', async () => {
    const failed = vi.fn<() => void>()
    await limits(async () => ({ success: false }), failed).count('key:1', 'changes')
    expect(failed).toHaveBeenCalledTimes(1)
  })
})

function refusalOf(act: () => unknown): Problem['refusal'] {
  try {
    act()
  } catch (thrown) {
    if (thrown instanceof Problem) return thrown.refusal
    throw thrown
  }
  throw new Error('It was taken.')
}

describe('the setting ALLOWED_ORIGINS', () => {
  it.each([
    ['', []],
    ['https://app.example.com', ['https://app.example.com']],
    [
      ' https://APP.example.com:443/ , http://localhost:6274,',
      ['https://app.example.com', 'http://localhost:6274'],
    ],
  ])('%j names %j', (given, origins) => {
    expect(settingsFrom({ ALLOWED_ORIGINS: given }).ALLOWED_ORIGINS).toEqual(origins)
  })

  it.each([
    '*',
    'null',
    'app.example.com',
    'http://app.example.com',
    'https://app.example.com/path',
    'https://*.example.com',
  ])('refuses %j, by its name', (given) => {
    const refusal = refusalOf(() => settingsFrom({ ALLOWED_ORIGINS: given }))
    expect(refusal).toMatchObject({ code: 'not_configured' })
    expect(refusal.detail).toBe('Not valid: ALLOWED_ORIGINS. See docs/reference/settings.md.')
  })
})
