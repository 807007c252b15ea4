import { setTimeout as sleep } from 'node:timers/promises'

import { afterAll, beforeAll, expect, test } from 'vitest'
import { unstable_readConfig } from 'wrangler'

import { OWNED, OWNER_KEY, startConnector } from '../support/connector.ts'
import { type FakeCalendly, fakeCalendly } from '../support/fakes/calendly.ts'
import { type FakeStripe, fakeStripe, refusal } from '../support/fakes/stripe.ts'
import { changeOf } from '../support/transports.ts'
import { webhookReceiver } from '../support/webhook-receiver.ts'

/** Mondays at 6:23 UTC. */
const CRON = '23 6 * * 1'

let calendly: FakeCalendly
let stripe: FakeStripe
beforeAll(async () => {
  ;[calendly, stripe] = await Promise.all([fakeCalendly(), fakeStripe()])
  calendly.state.scopes.add('webhooks:write')
})
afterAll(() => Promise.all([calendly.stop(), stripe.stop()]))

/** A connector with both providers live, at the fakes. */
async function startLive(vars: Record<string, string> = {}) {
  const connector = await startConnector({
    vars: {
      ...OWNED,
      PUBLIC_URL: 'https://connector.example',
      ...calendly.settings,
      ...stripe.settings,
      ...vars,
    },
  })
  const owner = connector.as(OWNER_KEY)
  const get = async (path: string): Promise<object> => (await owner.rest(path)).body
  await owner.rest('/v1/admin/provider-webhooks', { method: 'POST' })
  return { stop: connector.stop, owner, get, health: () => get('/health') }
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
    const { token } = calendly.state
    try {
      expect(await live.health()).toMatchObject(WELL)
      calendly.state.token = 'another'
      expect(await live.get('/v1/availability')).toMatchObject({ code: 'provider_misconfigured' })
      await expect.poll(live.health).toMatchObject(DEGRADED)
      // Asking again does not lead to another look yet: the provider hears of it once.
      const before = calendly.requests.length
      await live.health()
      await sleep(100)
      expect(calendly.requests.length).toBe(before)
    } finally {
      calendly.state.token = token
      await live.stop()
    }
  },
)

test(
  'a change that alone is refused is told to the owner once, and is over when one is taken',
  { tags: 'slow' },
  async () => {
    const owner = await webhookReceiver()
    const live = await startLive({
      ALERT_WEBHOOK_URL: owner.url,
      PAYMENT_LINK_STYLE: 'payment_link',
    })
    const link = async (key: string) => {
      const asked = { invoice_id: 'in_1Refused' }
      const { preview, commit } = changeOf(live.owner, 'create_payment_link', asked, key)
      await preview()
      const { code, status } = (await commit()).body
      return code ?? status
    }
    const alerts = () => owner.deliveries.map(({ body }) => body)
    const degraded = { status: 'degraded', reasons: ['payment_provider_refuses'] }
    try {
      stripe.set('in_1Refused', {})
      for (const key of ['refused-1', 'refused-2']) {
        stripe.refuseNextCreate(
          refusal(400, {
            type: 'invalid_request_error',
            message: 'Set an account or business name.',
          }),
        )
        expect(await link(key)).toBe('provider_misconfigured')
        await expect.poll(live.health).toMatchObject(degraded)
      }
      const { findings } = (await live.get('/v1/doctor')) as {
        findings: { id: string; found: string }[]
      }
      expect(findings.find(({ id }) => id === 'refused_changes')?.found).toContain('business name')
      expect(await live.health()).toMatchObject(degraded)
      expect(alerts()).toMatchObject([
        {
          event: 'degraded',
          text: 'Needs you: The payment provider refused this change: create payment link. Your page says what to do.',
        },
      ])

      expect(await link('taken-01')).toBe('committed')
      await expect.poll(live.health).toMatchObject(WELL)
      expect(alerts()).toMatchObject([{ event: 'degraded' }, { event: 'recovered' }])
    } finally {
      await live.stop()
      await owner.stop()
    }
  },
)
