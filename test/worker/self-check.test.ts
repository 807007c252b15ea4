import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'

import { createApp } from '../../src/app/app.ts'
import { MINUTE } from '../../src/core/domain/time/duration.ts'
import { recheckProviders, weeklyCheck } from '../../src/owner/health/self-check.ts'
import { auditFrom } from '../../src/practice/wiring/objects.ts'
import { answered } from './fixtures.ts'

const ALERTS = 'https://alerts.example/hook'

/** Whether the provider takes the token, and whether the webhook takes alerts. */
const world = { provider: 200, webhook: 204 }
let alerts: { event: string; reasons?: { reason: string }[] }[]

const bindings = Object.assign(
  { ...env },
  {
    PUBLIC_URL: 'https://connector.example',
    PAYMENT_PROVIDER_SECRET_KEY: 'rk_test_0123456789',
    ALERT_WEBHOOK_URL: ALERTS,
    ALLOW_ANONYMOUS: 'false',
    OWNER_KEY_SHA256: '0'.repeat(64),
  },
)

async function fakeFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init)
  if (request.url === ALERTS) {
    if (world.webhook < 300) alerts.push(await request.json())
    return new Response(null, { status: world.webhook })
  }
  // With a valid key the answer is that there is no such invoice.
  const error = { type: 'invalid_request_error', code: 'resource_missing', param: 'invoice' }
  return Response.json({ error }, { status: world.provider === 200 ? 404 : world.provider })
}

/** Asks for the health, and waits for what goes on after the answer. */
async function health(): Promise<{ status: string; reasons: string[] }> {
  const response = await answered(new Request('https://connector.example/health'), bindings)
  expect(response.status).toBe(200)
  return response.json()
}

const WELL = { status: 'ok', reasons: [] }
const DEGRADED = { status: 'degraded', reasons: ['payment_provider_refuses'] }

beforeEach(() => {
  Object.assign(world, { provider: 200, webhook: 204 })
  alerts = []
  vi.spyOn(globalThis, 'fetch').mockImplementation(fakeFetch)
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-23T06:23:00Z') })
})

describe('a provider that refuses the key', () => {
  it('degrades /health after the weekly check, with one alert to the owner, and one when all is well', async () => {
    await weeklyCheck(bindings)
    expect([await health(), alerts]).toMatchObject([WELL, []])

    world.provider = 401
    await weeklyCheck(bindings)
    await weeklyCheck(bindings)
    expect(await health()).toMatchObject(DEGRADED)
    expect(alerts).toEqual([
      {
        event: 'degraded',
        reasons: [{ reason: 'payment_provider_refuses', since: '2026-11-23T06:23:00Z' }],
        url: expect.stringMatching(/\/owner$/) as string,
        text: 'Needs you: The payment provider refuses the key.',
      },
    ])

    world.provider = 200
    await weeklyCheck(bindings)
    await weeklyCheck(bindings)
    expect(await health()).toMatchObject(WELL)
    expect(alerts.map(({ event }) => event)).toEqual(['degraded', 'recovered'])
  })

  it('is well in /health within 15 minutes after the fix if anybody asks for /health', async () => {
    world.provider = 401
    await weeklyCheck(bindings)
    world.provider = 200
    vi.setSystemTime(Date.now() + 14 * MINUTE)
    await health()
    expect(await health()).toMatchObject(DEGRADED)
    vi.setSystemTime(Date.now() + 2 * MINUTE)
    await health()
    expect(await health()).toMatchObject(WELL)
  })

  it('is checked once in 15 minutes, however often /health is asked', async () => {
    world.provider = 401
    await weeklyCheck(bindings)
    vi.setSystemTime(Date.now() + 16 * MINUTE)
    vi.mocked(fetch).mockClear()
    await Promise.all(Array.from({ length: 10 }, () => health()))
    expect(vi.mocked(fetch)).toHaveBeenCalledTimes(1)
  })

  it('is checked without a write to KV, and audited only when it recovers', async () => {
    world.provider = 401
    await weeklyCheck(bindings)
    const put = vi.fn<KVNamespace['put']>()
    const watched = Object.assign({ ...bindings }, { RECORDS_KV: { put }, OAUTH_KV: { put } })
    for (const provider of [401, 200]) {
      world.provider = provider
      vi.setSystemTime(Date.now() + 16 * MINUTE)
      await recheckProviders(watched)
    }
    expect(put).not.toHaveBeenCalled()
    const { entries } = await auditFrom(env).page({ limit: 10 })
    expect(entries.map(({ operation, code }) => [operation, code])).toEqual([
      ['recheck_providers', 'ok'],
      ['weekly_check', 'payments'],
    ])
  })

  it('is reported again if the first alert failed', async () => {
    Object.assign(world, { provider: 401, webhook: 500 })
    await weeklyCheck(bindings)
    world.webhook = 204
    await weeklyCheck(bindings)
    await weeklyCheck(bindings)
    expect(alerts.map(({ event }) => event)).toEqual(['degraded'])
  })
})

describe('a provider that is only busy', () => {
  it.each([429, 500])('leaves the known health as it was: %i', async (status) => {
    world.provider = status
    await weeklyCheck(bindings)
    expect(await health()).toMatchObject(WELL)

    world.provider = 401
    await weeklyCheck(bindings)
    world.provider = status
    await weeklyCheck(bindings)
    expect(await health()).toMatchObject(DEGRADED)
    expect(alerts).toHaveLength(1)
  })
})

it('the service does not claim to be well while its health cannot be read', async () => {
  const broken = Object.assign({ ...bindings }, { COORDINATOR: {} })
  const response = await createApp().request('https://connector.example/health', {}, broken)
  expect(await response.json()).toMatchObject({
    status: 'degraded',
    reasons: ['storage_unreadable'],
  })
})

it('the health is cached for a few seconds, since anybody may ask for it', async () => {
  let asked = 0
  const health = () => {
    asked += 1
    return Promise.resolve({ issues: [], alertedReasons: [], unresolved: 0 })
  }
  const counting = Object.assign(
    { ...bindings },
    { COORDINATOR: { idFromName: () => 'coordinator', get: () => ({ health }) } },
  )
  const app = createApp()
  for (let n = 0; n < 20; n++) {
    const response = await app.request('https://connector.example/health', {}, counting)
    expect(await response.json()).toMatchObject(WELL)
  }
  expect(asked).toBe(1)
})
