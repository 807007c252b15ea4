import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { unstable_readConfig } from 'wrangler'

import { startLocal } from '../../src/cli/local.ts'
import { hashApiKey, newApiKey } from '../../src/core/crypto/api-key.ts'
import type { Finding } from '../../src/owner/health/check-runner.ts'
import { type FakeCalendly, fakeCalendly } from '../support/fakes/calendly.ts'
import { type FakeHttp, answerBefore, fakeHttp } from '../support/fakes/http.ts'
import { FAKE_KEY, type FakeStripe, ROUTES, fakeStripe } from '../support/fakes/stripe.ts'

const KEY = newApiKey(randomBytes(32))
/** Mondays at 6:23 UTC. */
const CRON = '23 6 * * 1'
const HEADERS = { Authorization: `Bearer ${KEY}` }

let calendly: FakeCalendly
let stripe: FakeStripe
let owner: FakeHttp
let token: string
beforeAll(async () => {
  owner = await fakeHttp({
    'POST /alerts': () => ({ status: 204 }),
    'GET /book': () => ({ status: 200, body: '' }),
  })
  ;[calendly, stripe] = await Promise.all([fakeCalendly(), fakeStripe()])
  token = calendly.state.token
  calendly.state.scopes.add('webhooks:write')
})
afterAll(() => Promise.all([calendly.stop(), stripe.stop(), owner.stop()]))
afterEach(() => {
  calendly.state.token = token
})

/** A connector with both providers live, at the fakes. */
async function startLive() {
  const lines: string[] = []
  const { url, miniflare, stop } = await startLocal({
    script: inject('workerScript'),
    onLog: (line) => lines.push(line),
    vars: {
      SIGNING_SECRET: randomBytes(32).toString('base64url'),
      PUBLIC_URL: 'https://connector.example',
      OWNER_KEY_SHA256: await hashApiKey(KEY),
      SCHEDULING_PROVIDER_TOKEN: token,
      SCHEDULING_PROVIDER_BASE_URL: calendly.url,
      EVENT_TYPES: JSON.stringify({ consult: { id: calendly.eventType.id } }),
      PAYMENT_PROVIDER_SECRET_KEY: FAKE_KEY,
      PAYMENT_PROVIDER_BASE_URL: stripe.url,
      SCHEDULING_PAGE_URL: `${owner.url}/book`,
      ALERT_WEBHOOK_URL: `${owner.url}/alerts`,
    },
  })
  const get = async <T>(path: string): Promise<T> =>
    (await (await fetch(new URL(path, url), { headers: HEADERS })).json()) as T
  await fetch(new URL('/v1/admin/provider-webhooks', url), { method: 'POST', headers: HEADERS })
  return {
    stop,
    get,
    lines,
    /** What the cron trigger of Cloudflare does, on Monday. */
    monday: async () => (await miniflare.getWorker()).scheduled({ cron: CRON }),
    health: () => get<{ status: string; reasons: string[] }>('/health'),
    async notWell() {
      const { findings } = await get<{ findings: Finding[] }>('/v1/doctor')
      return findings.filter(({ state }) => state !== 'ok')
    },
  }
}

const alerts = (): unknown[] =>
  owner.requests
    .filter(({ path }) => path === '/alerts')
    .map(({ body }) => (body as { event: string }).event)

/** A connector that is some seconds old has no backup yet, which the doctor says. */
const NO_BACKUP = expect.objectContaining({ id: 'backup', state: 'missing' })

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

describe('with both providers connected', () => {
  let live: Awaited<ReturnType<typeof startLive>>
  beforeAll(async () => {
    live = await startLive()
  })
  afterAll(() => live.stop())

  test('the doctor finds nothing wrong', async () => {
    expect(await live.notWell()).toEqual([NO_BACKUP])
  })

  test.each([
    { row: 'scheduling', fault: () => (calendly.state.token = 'another') },
    {
      row: 'event_types',
      fault: () => calendly.fault('times', answerBefore(403, { message: 'No' })),
    },
    {
      row: 'scheduling_page',
      fault: () => owner.fault('GET /book', answerBefore(404)),
    },
    {
      row: 'payments',
      fault: () => stripe.fault(ROUTES.invoice, answerBefore(401, { error: {} })),
    },
  ])('the row $row turns red when the provider refuses', async ({ row, fault }) => {
    fault()
    const bad = (await live.notWell()).filter(({ state }) => state === 'failed')
    expect(bad.map(({ id }) => id)).toEqual([row])
    expect(bad[0]?.fix).toBeTruthy()
    calendly.state.token = token
    expect(await live.notWell()).toEqual([NO_BACKUP])
  })

  test('the weekly check finds a revoked token, alerts the owner once, and reports the recovery', async () => {
    const before = alerts().length
    calendly.state.token = 'another'
    await live.monday()
    await live.monday()
    expect(await live.health()).toMatchObject(DEGRADED)
    calendly.state.token = token
    await live.monday()
    await live.monday()
    expect(await live.health()).toMatchObject(WELL)
    expect(alerts().slice(before)).toEqual(['degraded', 'recovered'])
    const checks = live.lines.filter((line) => line.startsWith('{"event":"check"'))
    expect(checks.map((line) => (JSON.parse(line) as { code: string }).code)).toEqual([
      'scheduling',
      'scheduling',
      'ok',
      'ok',
    ])
  })
})

test('a call that the provider refuses for good shows in /health without a check', async () => {
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
})
