import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'

import { ProviderSync } from '../../durable-objects/provider-sync.ts'
import { createApp } from '../../src/app/app.ts'
import type { SchedulingProvider } from '../../src/core/domain/providers.ts'
import { settingsFrom } from '../../src/core/settings.ts'
import { HEALTH_CHECKS } from '../../src/owner/health/checks.ts'
import { SCHEDULING_ADAPTERS } from '../../src/practice/adapters/providers.ts'
import type { Env } from '../../src/practice/env.ts'
import { sealedSecret, webhookKey } from '../../src/practice/provider-sync/keys.ts'
import { auditFrom, providerSyncFrom } from '../../src/practice/wiring/objects.ts'
import { keyringFrom } from '../../src/practice/wiring/providers.ts'
import { WorkerServices } from '../../src/practice/wiring/services.ts'
import {
  calcomTemplateBody,
  calendlyBody,
  CANARY,
  stripeBody,
} from '../support/fakes/webhook-bodies.ts'
import { SIGNED, type SigningProvider } from '../support/fakes/webhook-signatures.ts'
import { onPurpose } from '../support/on-purpose.ts'
import { WITH_WEBHOOKS } from '../support/webhook-providers.ts'
import { answered } from './fixtures.ts'

const ORIGIN = 'https://connector.example'
const BODY = calendlyBody('invitee.canceled', { event: 'EVNTAAAA', next: 'EVNTBBBB' })

const deployed = (change: object = {}): Env =>
  Object.assign(
    { ...env },
    { PUBLIC_URL: ORIGIN, ALLOW_ANONYMOUS: 'false', SCHEDULING_PROVIDER_TOKEN: 'a-live-token' },
    change,
  )

/** The key that a provider signs with, of the signing secret that is listed at this place. */
async function keyOf(
  installation: Env,
  place = 0,
  provider: SchedulingProvider = 'calendly',
): Promise<string> {
  const keyring = await keyringFrom(settingsFrom(installation))
  return webhookKey(keyring, keyring.ids[place]!, provider)
}

let lines: string[]
beforeEach(() => {
  lines = []
  for (const channel of ['log', 'error'] as const)
    vi.spyOn(console, channel).mockImplementation((line: string) => void lines.push(line))
})

async function deliver(
  path: string,
  init: { body?: BodyInit; headers?: Record<string, string> } = {},
  installation = deployed(),
): Promise<Response> {
  return answered(new Request(`${ORIGIN}${path}`, { method: 'POST', ...init }), installation)
}

const signedBody = async (body = BODY, installation = deployed(), place = 0) => ({
  body,
  headers: await SIGNED.calendly(body, [await keyOf(installation, place)], Date.now()),
})

/** Every row of the tables in which is kept what came from outside. */
const kept = async () => ({
  ...(await runInDurableObject(
    env.PROVIDER_SYNC.getByName('provider-sync'),
    (_object, { storage }) => ({
      notifications: storage.sql
        .exec<{ target: string }>('SELECT target FROM notifications ORDER BY target')
        .toArray(),
      deliveries: storage.sql.exec('SELECT provider FROM deliveries').toArray(),
    }),
  )),
  log: await runInDurableObject(env.EVENT_LOG.getByName('event-log'), (_object, { storage }) =>
    storage.sql.exec('SELECT * FROM log').toArray(),
  ),
})
const NOTHING = { notifications: [], deliveries: [], log: [] }

/** Every row of every table of the object that follows the providers, and its alarm. */
const everything = () =>
  runInDurableObject(
    env.PROVIDER_SYNC.getByName('provider-sync'),
    async (_object, { storage }) => ({
      alarm: await storage.getAlarm(),
      rows: storage.sql
        .exec<{ name: string }>(
          "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'",
        )
        .toArray()
        .map(({ name }) => [name, storage.sql.exec(`SELECT * FROM "${name}"`).toArray()]),
    }),
  )

const logged = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>)

describe('a genuine delivery of a provider', () => {
  it('is kept as ids, each once, and answered 200', async () => {
    for (let n = 0; n < 2; n += 1) {
      const response = await deliver('/hooks/calendly', await signedBody())
      expect([response.status, await response.text()]).toEqual([200, ''])
    }
    const { notifications, deliveries } = await kept()
    expect(notifications).toEqual([{ target: 'bk_EVNTAAAA' }, { target: 'bk_EVNTBBBB' }])
    expect(deliveries).toEqual([{ provider: 'calendly' }])
    expect(JSON.stringify([await kept(), lines])).not.toContain(CANARY)
  })

  it('is taken under every signing secret that is listed, so that a rotation loses none', async () => {
    const rotated = deployed({ SIGNING_SECRET_2: 'the second of at least 32 characters' })
    for (const place of [0, 1]) {
      const response = await deliver(
        '/hooks/calendly',
        await signedBody(BODY, rotated, place),
        rotated,
      )
      expect(response.status).toBe(200)
    }
  })

  it('is not answered 200 where it could not be kept', async () => {
    vi.spyOn(ProviderSync.prototype, 'notify').mockImplementation(
      () => Promise.reject(onPurpose('no room')) as never,
    )
    const response = await deliver('/hooks/calendly', await signedBody())
    expect(response.status).toBe(500)
    expect(await kept()).toEqual(NOTHING)
  })

  it('is answered 200 also where it is about nothing of ours', async () => {
    const response = await deliver('/hooks/calendly', await signedBody('{"event":"another.event"}'))
    expect(response.status).toBe(200)
    expect((await kept()).notifications).toEqual([])
  })

  it('needs no credential, and is not in the OpenAPI document', async () => {
    const document = await createApp().request(`${ORIGIN}/openapi.json`, {}, deployed())
    expect(await document.text()).not.toContain('/hooks/')
  })
})

/** For each provider an installation that takes its deliveries, one of them, and the key that signs it. */
const SENDERS: Record<
  SigningProvider,
  { body: string; begin(): Promise<{ installation: Env; key: string }> }
> = {
  calendly: {
    body: BODY,
    begin: async () => ({ installation: deployed(), key: await keyOf(deployed()) }),
  },
  calcom: {
    body: calcomTemplateBody('BOOKING_CREATED', { uid: 'uidA' }),
    async begin() {
      const installation = deployed({ SCHEDULING_PROVIDER: 'calcom' })
      return { installation, key: await keyOf(installation, 0, 'calcom') }
    },
  },
  stripe: {
    body: stripeBody('v1.invoice.paid', { id: 'in_1Open', type: 'invoice' }),
    async begin() {
      const installation = deployed({ PAYMENT_PROVIDER_SECRET_KEY: 'rk_test_0123456789' })
      const key = 'whsec_made_by_stripe'
      const keyring = await keyringFrom(settingsFrom(installation))
      const secret = await sealedSecret(keyring, 'stripe', key)
      await providerSyncFrom(env).keepWebhook('stripe', { id: 'ed_1', secret })
      return { installation, key }
    },
  },
}

describe('a provider without webhooks', () => {
  it('is answered as one that is not in use, and the doctor says so', async () => {
    const { calendly } = SCHEDULING_ADAPTERS
    const { webhooks: _, ...without } = calendly
    SCHEDULING_ADAPTERS.calendly = without
    try {
      const response = await deliver('/hooks/calendly', await signedBody(BODY))
      expect(response.status).toBe(410)
      expect((await kept()).notifications).toEqual([])
      const services = new WorkerServices(deployed(), () => ORIGIN)
      const check = HEALTH_CHECKS.find(({ id }) => id === 'webhooks_scheduling')!
      expect(await check.run({ env: deployed(), origin: ORIGIN, services })).toMatch(
        /^None: this provider has no webhooks/,
      )
    } finally {
      SCHEDULING_ADAPTERS.calendly = calendly
    }
  })
})

describe('a delivery that is not genuine', () => {
  it('is tried of every provider that has webhooks', () => {
    expect(Object.keys(SENDERS)).toEqual(WITH_WEBHOOKS)
  })

  it.each(Object.keys(SENDERS) as SigningProvider[])(
    'of %s is refused without a word, changes nothing, asks no provider, and leaves one line in the log',
    async (provider) => {
      const { body, begin } = SENDERS[provider]
      const { installation, key } = await begin()
      const path = `/hooks/${provider}`
      const sign = SIGNED[provider]
      const headers = await sign(body, [key], Date.now())
      const asked = vi.spyOn(globalThis, 'fetch')
      const before = await everything()
      for (const wrong of [
        { body: body.replace(/AAAA|uidA|in_1Open/, 'CCCC'), headers },
        { body },
        { body, headers: await sign(body, ['a wrong key'], Date.now()) },
        { headers },
      ]) {
        lines = []
        const response = await deliver(path, wrong, installation)
        expect([response.status, await response.text()]).toEqual([401, ''])
        expect(logged()).toMatchObject([
          { operation: `notification_${provider}`, code: 'notification_refused', status: 401 },
        ])
      }
      expect(await kept()).toEqual(NOTHING)
      expect(await everything()).toEqual(before)
      expect(asked).not.toHaveBeenCalled()
      expect((await auditFrom(env).page({ limit: 10 })).entries).toEqual([])
      const [counted] = await auditFrom(env).anonymousRefusals()
      expect(counted).toMatchObject({
        operation: `notification_${provider}`,
        code: 'notification_refused',
        times: 4,
      })
      // The same delivery, as its provider sent it, is taken.
      expect((await deliver(path, { body, headers }, installation)).status).toBe(200)
      expect((await kept()).notifications).not.toEqual([])
    },
  )

  it('is refused under the key of another provider', async () => {
    const body = calcomTemplateBody('BOOKING_CREATED', { uid: 'uidA' })
    const calcom = deployed({ SCHEDULING_PROVIDER: 'calcom' })
    const headers = await SIGNED.calcom(body, [await keyOf(calcom)], Date.now())
    expect((await deliver('/hooks/calcom', { body, headers }, calcom)).status).toBe(401)
  })

  it('is not read further than 256 KiB, and larger ones are refused as too large', async () => {
    let sent = 0
    const endless = new ReadableStream({
      pull(controller) {
        sent += 64 * 1024
        controller.enqueue(new Uint8Array(64 * 1024))
      },
    })
    expect((await deliver('/hooks/calendly', { body: endless })).status).toBe(413)
    expect(sent).toBeLessThan(512 * 1024)
    const full = await signedBody(
      BODY.replace('"status"', `"${'x'.repeat(250 * 1024)}":0,"status"`),
    )
    expect((await deliver('/hooks/calendly', full)).status).toBe(200)
  })
})

describe('a provider that is not in use', () => {
  it.each([
    ['another one', '/hooks/calcom', {}],
    ['one that a mock replaces', '/hooks/calendly', { SCHEDULING_PROVIDER_TOKEN: '' }],
    ['payments without a key', '/hooks/stripe', {}],
  ])('is answered 410, so that it stops: %s', async (_what, path, change) => {
    const installation = deployed(change)
    const response = await deliver(path, await signedBody(BODY, installation), installation)
    expect([response.status, await response.text()]).toEqual([410, ''])
    expect(logged()).toMatchObject([{ code: 'notification_not_in_use', status: 410 }])
    expect(await kept()).toEqual(NOTHING)
  })

  it('of an unknown name has no address', async () => {
    expect((await deliver('/hooks/another')).status).toBe(404)
  })
})
