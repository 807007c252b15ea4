import { registerHooks } from 'node:module'

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import {
  type PublishedLimit,
  type QuotaUse,
  RequestCounter,
  SLOT_MS,
  secondsUntilFree,
} from '../../../../src/core/domain/provider-quota.ts'
import type { Provider } from '../../../../src/core/domain/providers.ts'
import { MINUTE, SECOND } from '../../../../src/core/domain/time/duration.ts'
import type { CallerCopy } from '../../../../src/core/ports/house-rules.ts'
import type { CopySource } from '../../../../src/practice/adapters/caller-copies.ts'
import type * as quotas from '../../../../src/practice/adapters/provider-quota.ts'
import { FAKE_KEY, type FakeStripe, fakeStripe } from '../../../support/fakes/stripe.ts'
import { onPurpose } from '../../../support/on-purpose.ts'

const START = Date.parse('2026-11-24T15:00:00Z')
const LIMIT: PublishedLimit = { requests: 120, seconds: 60, header: 'X-RateLimit-Limit-Default' }
const pass = (ms: number) => void vi.setSystemTime(Date.now() + ms)

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: START }))
afterEach(() => void vi.useRealTimers())

/** The coordinator, as the isolates of a practice ask it. */
function coordinatorOf(): CopySource {
  const counter = new RequestCounter()
  const copy = (caller: string): CallerCopy => ({
    sets: [],
    spent: { calcom: counter.spent(caller, Date.now()) },
  })
  return {
    copyFor: async (caller: string) => copy(caller),
    async reportRequests(caller: string, requests: ReadonlyMap<Provider, number>) {
      counter.add(caller, requests.get('calcom') ?? 0, Date.now())
      return copy(caller)
    },
  }
}

// What a module of an isolate imports belongs to that isolate, too.
registerHooks({
  resolve(specifier, context, nextResolve) {
    const found = nextResolve(specifier, context)
    const [, isolate] = /\?(isolate=\d+)$/.exec(context.parentURL ?? '') ?? []
    return isolate && specifier.startsWith('.')
      ? { ...found, url: `${found.url}?${isolate}` }
      : found
  },
})
let isolates = 0

/** The modules of an isolate: they have their own copies, and what was not reported yet. */
const modules = (): Promise<typeof quotas> =>
  import(`../../../../src/practice/adapters/provider-quota.ts?isolate=${(isolates += 1)}`)

async function isolate(coordinator: CopySource, headers: Record<string, string> = {}) {
  const { providerQuota, countedFetch } = await modules()
  const reports: Promise<unknown>[] = []
  const sent = { requests: 0 }
  const send = countedFetch('calcom', LIMIT, async () => {
    sent.requests += 1
    return new Response('{}', { headers })
  })
  const quota = providerQuota(
    () => coordinator,
    (work) => void reports.push(work),
  )
  /** A search, which is two requests: 0 if it was answered, else the seconds to wait. */
  async function search(caller: string, use: QuotaUse = 'read'): Promise<number> {
    try {
      await quota.use({ caller, use }, async () => {
        await send('https://provider.example/', { method: 'GET' })
        await send('https://provider.example/', { method: 'GET' })
      })
      return 0
    } catch (thrown) {
      const { refusal } = thrown as { refusal: { code: string; retry_after_seconds: number } }
      expect(refusal.code).toBe('rate_limited')
      return refusal.retry_after_seconds
    } finally {
      await Promise.all(reports.splice(0))
    }
  }
  async function searches(caller: string, times: number, use?: QuotaUse): Promise<number[]> {
    const waits: number[] = []
    for (let one = 0; one < times; one += 1) waits.push(await search(caller, use))
    return waits
  }
  return { quota, sent, search, searches }
}
const answered = (waits: readonly number[]) => waits.filter((wait) => wait === 0).length

describe('one caller who searches without end', () => {
  it('waits while others are answered, and goes on when it was told that it may', async () => {
    const { searches, search, sent } = await isolate(coordinatorOf())
    const waits = await searches('key:runaway', 100)
    expect(answered(waits)).toBe(30)
    expect(sent.requests).toBe(60)
    expect(answered(await searches('key:desk', 3))).toBe(3)
    expect(answered(await searches('key:desk', 20, 'reserved'))).toBe(20)
    const wait = waits.at(-1)!
    expect(wait).toBeGreaterThan(50)
    pass(wait * SECOND)
    expect(await search('key:runaway')).toBe(0)
  })

  it('cannot outrun the counting with calls that are all sent at once', async () => {
    const { search, sent } = await isolate(coordinatorOf())
    const waits = await Promise.all(Array.from({ length: 100 }, () => search('key:runaway')))
    expect(answered(waits)).toBeGreaterThan(0)
    // Those that had begun may go on.
    expect(sent.requests).toBeLessThanOrEqual(120)
  })

  it('finds no more in a second isolate, and little more by a copy that is some seconds old', async () => {
    const coordinator = coordinatorOf()
    const [first, second] = [await isolate(coordinator), await isolate(coordinator)]
    // A copy of before.
    expect(await second.search('key:runaway')).toBe(0)
    const here = answered(await first.searches('key:runaway', 100))
    const there = answered(await second.searches('key:runaway', 100))
    expect(1 + here + there).toBeLessThanOrEqual(31)
    // The others are well in both.
    expect(await first.search('key:desk')).toBe(0)
    expect(await second.search('key:desk')).toBe(0)
  })

  it('is let on by a copy that is too old to go by, and the answer to its report brings the next', async () => {
    const coordinator = coordinatorOf()
    const [first, second] = [await isolate(coordinator), await isolate(coordinator)]
    await first.searches('key:runaway', 100)
    expect(await second.search('key:runaway')).toBe(0)
    expect(await second.search('key:runaway')).toBeGreaterThan(0)
    pass(11 * SECOND)
    // Where it has to wait already it is asked first.
    expect(await second.search('key:runaway')).toBeGreaterThan(0)
  })
})

describe('many callers', () => {
  it('share, and leave what is kept for changes', async () => {
    const { search, sent } = await isolate(coordinatorOf())
    for (let round = 0; round < 20; round += 1)
      for (let caller = 0; caller < 20; caller += 1) await search(`key:${caller}`)
    expect(sent.requests).toBeGreaterThan(70)
    expect(sent.requests).toBeLessThanOrEqual(92)
  })
})

describe('the background', () => {
  it('waits before any caller, and goes on after a minute', async () => {
    const { searches, search } = await isolate(coordinatorOf())
    expect(await search('provider_sync', 'background')).toBe(0)
    await searches('key:desk', 22)
    expect(await search('provider_sync', 'background')).toBeGreaterThan(0)
    expect(await search('key:desk')).toBe(0)
    pass(MINUTE + 2 * SLOT_MS)
    expect(await search('provider_sync', 'background')).toBe(0)
  })

  it('goes by what all isolates spent, although it never asked before', async () => {
    const coordinator = coordinatorOf()
    const [first, second] = [await isolate(coordinator), await isolate(coordinator)]
    await first.searches('key:desk', 28)
    expect(await second.search('provider_sync', 'background')).toBeGreaterThan(0)
  })
})

describe('a coordinator that cannot be reached', () => {
  it('keeps no read from being made', async () => {
    const down = () => Promise.reject<never>(onPurpose('the coordinator is away'))
    const { searches } = await isolate({ copyFor: down, reportRequests: down })
    expect(answered(await searches('key:desk', 200))).toBe(200)
  })

  it('and one that never answers keeps back only what this isolate knows itself, for a minute', async () => {
    const never = () => new Promise<never>(() => {})
    const { providerQuota, countedFetch } = await modules()
    const send = countedFetch('calcom', LIMIT, async () => new Response('{}'))
    const quota = providerQuota(
      () => ({ copyFor: never, reportRequests: never }),
      () => {},
    )
    const search = () =>
      quota.use({ caller: 'key:desk', use: 'read' }, () => send('https://provider.example/'))
    for (let one = 0; one < 60; one += 1) await search()
    await expect(search()).rejects.toMatchObject({ refusal: { code: 'rate_limited' } })
    pass(MINUTE)
    await expect(search()).resolves.toBeInstanceOf(Response)
  })
})

it('The limit that the answers of a provider name takes the place of the published one', async () => {
  const raised = await isolate(coordinatorOf(), { 'X-RateLimit-Limit-Default': '500' })
  expect(answered(await raised.searches('key:desk', 100))).toBe(100)
  const lower = await isolate(coordinatorOf(), { 'X-RateLimit-Limit-Default': '20' })
  expect(answered(await lower.searches('key:desk', 100))).toBe(5)
  const odd = await isolate(coordinatorOf(), { 'X-RateLimit-Limit-Default': '-1, unlimited' })
  expect(answered(await odd.searches('key:desk', 100))).toBe(30)
})

describe('the wait', () => {
  it('is over for every use when a minute has passed, whatever was spent', () => {
    const spent = { own: [900], all: [9000] }
    for (const use of ['read', 'background'] as const) {
      expect(secondsUntilFree(use, spent, 120)).toBe((MINUTE + SLOT_MS) / SECOND)
    }
    expect(secondsUntilFree('reserved', spent, 120)).toBe(0)
  })

  it('ends with the oldest requests that are too many, not with all', () => {
    const counter = new RequestCounter()
    counter.add('key:desk', 58, START)
    counter.add('key:desk', 10, START + 30 * SECOND)
    const spent = counter.spent('key:desk', START + 40 * SECOND)
    expect(secondsUntilFree('read', spent, 120)).toBe(25)
  })

  it('forgets what was counted under a clock that is set back', () => {
    const counter = new RequestCounter()
    counter.add('key:desk', 58, START)
    expect(counter.spent('key:desk', START - MINUTE).all).toEqual([])
  })
})

describe('an invoice that is not there', () => {
  let stripe: FakeStripe
  beforeEach(async () => void (stripe = await fakeStripe(undefined, () => Date.now())))
  afterEach(() => stripe.stop())

  /** Searches by number for a caller, or for a change; how many requests that took. */
  async function finder() {
    const { providerQuota } = await import('../../../../src/practice/adapters/provider-quota.ts')
    const { forgetNotFound, rememberingInvoices } =
      await import('../../../../src/practice/adapters/not-found.ts')
    const { stripePayments } =
      await import('../../../../src/practice/adapters/payments/stripe/index.ts')
    const { openKeyring } = await import('../../../../src/core/crypto/keyring.ts')
    forgetNotFound()
    const keyring = openKeyring(['test-signing-secret-0123456789abcdef'])
    const connection = { secretKey: FAKE_KEY, baseUrl: stripe.url, timeoutMs: 5000 }
    const payments = rememberingInvoices(
      stripePayments({ ...connection, fetch: stripe.fetch, style: 'hosted_invoice' }),
      { keyring: () => keyring, now: () => Date.now() },
    )
    const quota = providerQuota(coordinatorOf, () => {})
    const find = async (caller: string, number: string, use: QuotaUse = 'read') => {
      const before = stripe.requests.length
      const { invoices } = await quota.use({ caller, use }, () => payments.invoices({ number }))
      return { found: invoices.length, asked: stripe.requests.length - before }
    }
    return { find, forgetNotFound }
  }

  it('is looked for once in 20 seconds for the same caller', async () => {
    const { find } = await finder()
    const first = await find('key:desk', 'INV-404')
    expect(first).toEqual({ found: 0, asked: 2 })
    pass(19 * SECOND)
    expect(await find('key:desk', 'INV-404')).toEqual({ found: 0, asked: 0 })
    expect(await find('key:desk', 'INV-405')).toEqual(first)
    expect(await find('key:other', 'INV-404')).toEqual(first)
    pass(SECOND)
    expect(await find('key:desk', 'INV-404')).toEqual(first)
  })

  it('is always looked for by a change, and by a caller who asks after the memory was emptied', async () => {
    const { find, forgetNotFound } = await finder()
    await find('key:desk', 'INV-404')
    expect((await find('key:desk', 'INV-404', 'reserved')).asked).toBe(2)
    forgetNotFound()
    expect((await find('key:desk', 'INV-404')).asked).toBe(2)
  })

  it('is not remembered where it was looked for before the memory was emptied', async () => {
    const { find, forgetNotFound } = await finder()
    const searching = find('key:desk', 'INV-404')
    await vi.waitFor(() => expect(stripe.requests.length).toBeGreaterThan(0))
    forgetNotFound()
    await searching
    expect((await find('key:desk', 'INV-404')).asked).toBe(2)
  })

  it('is found again each time where it is there', async () => {
    const { find } = await finder()
    stripe.set('in_1There', { number: 'INV-1' })
    expect((await find('key:desk', 'INV-1')).found).toBe(1)
    expect((await find('key:desk', 'INV-1')).asked).toBeGreaterThan(0)
  })
})
