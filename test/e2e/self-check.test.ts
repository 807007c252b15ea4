import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { unstable_readConfig } from 'wrangler'

import { startLocal } from '../../src/cli/local.ts'
import { hashApiKey, newApiKey } from '../../src/core/crypto/api-key.ts'
import { type FakeCalendly, fakeCalendly } from '../support/fakes/calendly.ts'
import { type FakeStripe, fakeStripe } from '../support/fakes/stripe.ts'

const KEY = newApiKey(randomBytes(32))
/** Mondays at 6:23 UTC. */
const CRON = '23 6 * * 1'
const HEADERS = { Authorization: `Bearer ${KEY}` }

let calendly: FakeCalendly
let stripe: FakeStripe
beforeAll(async () => {
  ;[calendly, stripe] = await Promise.all([fakeCalendly(), fakeStripe()])
  calendly.state.scopes.add('webhooks:write')
})
afterAll(() => Promise.all([calendly.stop(), stripe.stop()]))

/** A connector with both providers live, at the fakes. */
async function startLive() {
  const { url, stop } = await startLocal({
    script: inject('workerScript'),
    onLog: () => {},
    vars: {
      SIGNING_SECRET: randomBytes(32).toString('base64url'),
      PUBLIC_URL: 'https://connector.example',
      OWNER_KEY_SHA256: await hashApiKey(KEY),
      ...calendly.settings,
      ...stripe.settings,
    },
  })
  const get = async <T>(path: string): Promise<T> =>
    (await (await fetch(new URL(path, url), { headers: HEADERS })).json()) as T
  await fetch(new URL('/v1/admin/provider-webhooks', url), { method: 'POST', headers: HEADERS })
  return {
    stop,
    get,
    health: () => get<{ status: string; reasons: string[] }>('/health'),
  }
}

const WELL = { status: 'ok', reasons: [] }
const DEGRADED = { status: 'degraded', reasons: ['scheduling_provider_refuses'] }

test('the schedule is in wrangler.toml, and platform logs with addresses and headers are off', () => {
  const { triggers, observability } = unstable_readConfig({ config: 'wrangler.toml' })
  expect(triggers.crons).toEqual([CRON, '41 2 * * *'])
  expect(observability).toMatchObject({
    enabled: true,
    redact_query_string: true,
    logs: { enabled: true, invocation_logs: false },
  })
})

test(
  'a call that the provider refuses for good shows in /health without a check',
  { tags: 'slow' },
  async () => {
    const live = await startLive()
    try {
      expect(await live.health()).toMatchObject(WELL)
      calendly.state.token = 'another'
      expect(await live.get('/v1/availability')).toMatchObject({ code: 'provider_misconfigured' })
      await expect.poll(live.health, { timeout: 30_000 }).toMatchObject(DEGRADED)
      // Asking again does not lead to another look yet: the provider hears of it once.
      const before = calendly.requests.length
      await live.health()
      await sleep(100)
      expect(calendly.requests.length).toBe(before)
    } finally {
      await live.stop()
    }
  },
)
