import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'

import { WebhookUpkeep } from '../../durable-objects/provider-sync.ts'
import { sqlOf } from '../../durable-objects/shared/sql.ts'
import { hashApiKey, newApiKey } from '../../src/core/crypto/api-key.ts'
import { DAY, HOUR, SECOND } from '../../src/core/domain/time/duration.ts'
import { weeklyCheck } from '../../src/owner/health/self-check.ts'
import type { Env } from '../../src/practice/env.ts'
import { ensureProviderWebhooks } from '../../src/practice/provider-sync/registering.ts'
import { auditFrom, providerSyncFrom } from '../../src/practice/wiring/objects.ts'
import { CANARY, stripeBody } from '../support/fakes/webhook-bodies.ts'
import { SIGNED } from '../support/fakes/webhook-signatures.ts'
import { answered } from './fixtures.ts'

const ORIGIN = 'https://connector.example'
const KEY = newApiKey(crypto.getRandomValues(new Uint8Array(32)))
const OWNER_KEY_SHA256 = await hashApiKey(KEY)
const ALERTS = 'https://alerts.example/hook'

const deployed = (change: object = {}): Env =>
  Object.assign(
    { ...env },
    {
      PUBLIC_URL: ORIGIN,
      PAYMENT_PROVIDER_SECRET_KEY: 'rk_test_0123456789',
      ALERT_WEBHOOK_URL: ALERTS,
      OWNER_KEY_SHA256,
      // On the machine of the test.
      PAYMENT_PROVIDER_BASE_URL: 'http://127.0.0.1:9',
    },
    change,
  )

interface Destination {
  id: string
  url: string
  secret: string
  status: string
}

/** A Stripe of which only the destinations are there. */
const stripe = { destinations: [] as Destination[], status: 200, made: 0, alertStatus: 204 }
let alerts: object[]

async function fakeFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init)
  if (request.url === ALERTS) {
    if (stripe.alertStatus < 300) alerts.push(await request.json())
    return new Response(null, { status: stripe.alertStatus })
  }
  const { pathname } = new URL(request.url)
  if (pathname.startsWith('/v2/event-types/'))
    return Response.json({
      status: 'success',
      data: { id: 1, lengthInMinutes: 30, schedulingType },
    })
  if (pathname === '/v2/webhooks')
    return Response.json({ status: 'success', data: request.method === 'GET' ? [] : { id: 1 } })
  if (stripe.status !== 200)
    return Response.json(
      { error: { message: `rak_webhook_write ${CANARY}` } },
      { status: stripe.status },
    )
  if (request.method === 'DELETE') {
    stripe.destinations = stripe.destinations.filter(({ id }) => !request.url.endsWith(id))
    return Response.json({})
  }
  const shown = ({ id, url, status }: Destination) => ({
    id,
    status,
    event_payload: 'thin',
    enabled_events: events,
    webhook_endpoint: { url },
  })
  if (request.method === 'GET') return Response.json({ data: stripe.destinations.map(shown) })
  const { webhook_endpoint, enabled_events } = await request.json<{
    webhook_endpoint: { url: string }
    enabled_events: string[]
  }>()
  events = enabled_events
  const number = (stripe.made += 1)
  const made = {
    id: `ed_${number}`,
    url: webhook_endpoint.url,
    secret: `whsec_${CANARY}${number}`,
    status: 'enabled',
  }
  stripe.destinations.push(made)
  return Response.json({ ...shown(made), webhook_endpoint: { signing_secret: made.secret } })
}
let events: string[] = []
/** That of the only event type of a Cal.com of which nothing else is there. */
let schedulingType: string | null = null

const lines: string[] = []
beforeEach(() => {
  Object.assign(stripe, { destinations: [], status: 200, made: 0, alertStatus: 204 })
  alerts = []
  lines.length = 0
  vi.spyOn(globalThis, 'fetch').mockImplementation(fakeFetch)
  for (const channel of ['log', 'error'] as const)
    vi.spyOn(console, channel).mockImplementation((line: string) => void lines.push(line))
})

const ask = (installation: Env, path: string, init: RequestInit = {}, key = KEY) => {
  const request = new Request(`${ORIGIN}${path}`, init)
  request.headers.set('X-API-Key', key)
  return answered(request, installation)
}

/** Stripe says that an invoice was paid, signed with the secret of this destination. */
async function paid(installation: Env, { secret }: Destination): Promise<number> {
  const body = stripeBody('v1.invoice.paid', { id: 'in_1Open', type: 'invoice' })
  const headers = await SIGNED.stripe(body, [secret], Date.now())
  return (await ask(installation, '/hooks/stripe', { method: 'POST', body, headers })).status
}

describe('the webhook of a provider that makes the secret', () => {
  it('is registered with its secret sealed, and its deliveries are taken from then on', async () => {
    const installation = deployed()
    expect(await ensureProviderWebhooks(installation)).toEqual({ stripe: { is: 'active' } })
    const [destination] = stripe.destinations
    expect(destination?.url).toBe(`${ORIGIN}/hooks/stripe`)
    expect(await paid(installation, destination!)).toBe(200)
    expect(await paid(installation, { ...destination!, secret: 'whsec_another' })).toBe(401)
    const tables = ['provider_webhooks', 'notifications', 'deliveries']
    const rows = await runInDurableObject(
      env.PROVIDER_SYNC.getByName('provider-sync'),
      (_object, { storage }) =>
        tables.map((table) => storage.sql.exec(`SELECT * FROM ${table}`).toArray()),
    )
    expect(JSON.stringify(rows)).toContain('in_1Open')
    expect(JSON.stringify([rows, lines])).not.toContain(CANARY)
  })

  it('is taken at once after it was replaced, and what the old one has under way is taken, too', async () => {
    const installation = deployed()
    await ensureProviderWebhooks(installation)
    const [first] = stripe.destinations
    expect(await paid(installation, first!)).toBe(200)
    first!.status = 'disabled'
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 6 * SECOND })
    await ensureProviderWebhooks(installation)
    const [second, ...others] = stripe.destinations
    expect([second?.id, others]).toEqual(['ed_2', []])
    expect([await paid(installation, second!), await paid(installation, first!)]).toEqual([
      200, 200,
    ])
  })

  it('outlives the rotation of the signing secret, in which the secret is sealed again', async () => {
    await ensureProviderWebhooks(deployed())
    const second = 'the second of at least 32 characters'
    const rotating = deployed({ SIGNING_SECRET_2: second })
    await ensureProviderWebhooks(rotating)
    const rotated = deployed({ SIGNING_SECRET: '', SIGNING_SECRET_2: second })
    await ensureProviderWebhooks(rotated)
    expect(stripe.destinations.map(({ id }) => id)).toEqual(['ed_1'])
    expect(await paid(rotated, stripe.destinations[0]!)).toBe(200)
  })

  it('is registered again where its secret can be opened no more', async () => {
    await ensureProviderWebhooks(deployed())
    const other = deployed({
      SIGNING_SECRET: '',
      SIGNING_SECRET_2: 'another, of at least 32 characters',
    })
    expect(await ensureProviderWebhooks(other)).toEqual({ stripe: { is: 'active' } })
    expect(stripe.destinations.map(({ id }) => id)).toEqual(['ed_2'])
    expect(await paid(other, stripe.destinations[0]!)).toBe(200)
  })

  it('goes with the public address: the one at the old address is deleted, what others made there is not', async () => {
    await ensureProviderWebhooks(deployed())
    stripe.destinations.push({ ...stripe.destinations[0]!, id: 'ed_foreign' })
    const moved = deployed({ PUBLIC_URL: 'https://new.example' })
    expect(await ensureProviderWebhooks(moved)).toEqual({ stripe: { is: 'active' } })
    expect(stripe.destinations.map(({ id, url }) => [id, url])).toEqual([
      ['ed_foreign', `${ORIGIN}/hooks/stripe`],
      ['ed_2', 'https://new.example/hooks/stripe'],
    ])
  })
})

describe('registering', () => {
  it('is done for no one without a public address, or where every provider is a mock', async () => {
    const local = deployed({
      PUBLIC_URL: 'http://127.0.0.1:8787',
      PAYMENT_PROVIDER_BASE_URL: undefined,
    })
    expect(await ensureProviderWebhooks(local)).toEqual({ stripe: { is: 'not reachable' } })
    expect(await ensureProviderWebhooks(deployed({ PAYMENT_PROVIDER_SECRET_KEY: '' }))).toEqual({})
    expect(vi.mocked(fetch)).not.toHaveBeenCalled()
  })

  it('can be asked for by the owner, and is audited', async () => {
    const response = await ask(deployed(), '/v1/admin/provider-webhooks', { method: 'POST' })
    const webhooks = [{ provider: 'stripe', state: 'active' }]
    expect([response.status, await response.json()]).toEqual([200, { webhooks }])
    const { entries } = await auditFrom(env).page({ limit: 5 })
    const audited = entries.map(({ operation, code }) => [operation, code])
    expect(audited).toEqual([['register_provider_webhooks', 'ok']])
  })

  it('says which permission is missing, and that alerts no one where there was no webhook before', async () => {
    stripe.status = 403
    const response = await ask(deployed(), '/v1/admin/provider-webhooks', { method: 'POST' })
    const text = await response.text()
    expect(response.status).toBe(200)
    expect(text).toContain('“Webhook Endpoints: Write” (rak_webhook_write)')
    expect(text).not.toContain(CANARY)
    expect(alerts).toEqual([])
  })

  it('needs the scope admin', async () => {
    const stranger = newApiKey(crypto.getRandomValues(new Uint8Array(32)))
    const asked = await ask(deployed(), '/v1/admin/provider-webhooks', { method: 'POST' }, stranger)
    expect(asked.status).toBe(401)
  })

  it('is part of the weekly check, and a fault of it does not keep that from the rest', async () => {
    await weeklyCheck(deployed())
    expect(stripe.destinations).toHaveLength(1)
    await expect(weeklyCheck(deployed({ PROVIDER_SYNC: {} }))).resolves.toBeUndefined()
  })
})

describe('the upkeep of the webhooks', () => {
  /** In the storage of its object, with the settings of a deployed connector. */
  const upkeep = <T>(settings: Env, work: (part: WebhookUpkeep) => T): Promise<Awaited<T>> =>
    runInDurableObject(env.PROVIDER_SYNC.getByName('provider-sync'), async (_object, { storage }) =>
      work(new WebhookUpkeep(sqlOf(storage.sql), settings)),
    ) as Promise<Awaited<T>>

  it('is due once a day, also after a restart, and registers what is missing', async () => {
    const start = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now: start })
    expect(await upkeep(deployed(), (part) => part.dueAt())).toBe(start + DAY)
    vi.setSystemTime(start + DAY)
    await upkeep(deployed(), (part) => part.ring())
    expect(stripe.destinations).toHaveLength(1)
    expect(await upkeep(deployed(), (part) => part.dueAt())).toBe(start + 2 * DAY)
  })

  it('is due the next day, and not every minute, if it failed', async () => {
    const start = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now: start })
    const failed = await upkeep(deployed({ PROVIDER_SYNC: {} }), async (part) => {
      await expect(part.ring()).rejects.toThrow()
      return part.dueAt()
    })
    expect(failed).toBe(start + DAY)
  })

  it('is due in an hour, if it ended in its midst with its instance', async () => {
    const start = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now: start })
    const answer = Promise.withResolvers<Response>()
    vi.mocked(fetch).mockReturnValue(answer.promise)
    const next = await upkeep(deployed(), async (part) => {
      const ringing = part.ring()
      const again = await upkeep(deployed(), (restarted) => restarted.dueAt())
      answer.resolve(new Response(null, { status: 500 }))
      await ringing
      return [again, part.dueAt()]
    })
    expect(next).toEqual([start + HOUR, start + DAY])
  })

  it('is never due where every provider is a mock', async () => {
    const mock = deployed({ PAYMENT_PROVIDER_SECRET_KEY: '' })
    expect(await upkeep(mock, (part) => part.dueAt())).toBe(Infinity)
  })
})

describe('a webhook that worked and cannot be kept working', () => {
  it('is alerted to once, again if the alert was lost, and once more only after it has worked', async () => {
    const installation = deployed()
    await ensureProviderWebhooks(installation)
    Object.assign(stripe, { status: 403, alertStatus: 500 })
    await ensureProviderWebhooks(installation)
    expect(alerts).toEqual([])
    stripe.alertStatus = 204
    for (let runs = 0; runs < 3; runs += 1) await ensureProviderWebhooks(installation)
    expect(alerts).toEqual([
      {
        event: 'provider_webhook_broken',
        provider: 'stripe',
        reason: expect.stringContaining('Webhook Endpoints: Write') as string,
        url: expect.stringMatching(/\/owner$/) as string,
        text: 'News from stripe no longer arrives. Your page says what to do.',
      },
    ])
    stripe.status = 200
    await ensureProviderWebhooks(installation)
    stripe.status = 403
    await ensureProviderWebhooks(installation)
    expect(alerts).toHaveLength(2)
    expect(JSON.stringify([alerts, lines])).not.toContain(CANARY)
  })

  it('is not relied on where it is not told of a kind that became a team’s, and that alerts no one', async () => {
    const installation = deployed({
      PAYMENT_PROVIDER_SECRET_KEY: '',
      SCHEDULING_PROVIDER: 'calcom',
      SCHEDULING_PROVIDER_TOKEN: 'cal_live_fake',
      SCHEDULING_PROVIDER_BASE_URL: 'http://127.0.0.1:9',
      EVENT_TYPES: '{ "consult": { "id": "1" } }',
    })
    const works: boolean[] = []
    for (schedulingType of [null, 'collective']) {
      await ensureProviderWebhooks(installation)
      works.push((await providerSyncFrom(installation).providerWebhook('calcom')).works)
    }
    expect([works, alerts]).toEqual([[true, false], []])
  })

  it('is not alerted to while the provider is only busy', async () => {
    const installation = deployed()
    await ensureProviderWebhooks(installation)
    stripe.status = 503
    expect(await ensureProviderWebhooks(installation)).toMatchObject({ stripe: { is: 'busy' } })
    expect(alerts).toEqual([])
  })
})
