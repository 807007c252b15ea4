import { describe, expect, it } from 'vitest'

import {
  type FakeHttp,
  answerBefore,
  garbageAfter,
  redirectBefore,
  resetAfter,
  resetBefore,
  slowAfter,
  answerAfter,
} from '../support/fakes/http.ts'
import { formTree } from '../support/fakes/stripe-form.ts'
import { FAKE_KEY, PROVIDER_TEXT, ROUTES, refusal } from '../support/fakes/stripe.ts'
import { busy, refused } from './outcomes.ts'
import { INVOICE, stripeRig } from './stripe-rig.ts'

const rig = (timeoutMs?: number) => stripeRig('payment_link', timeoutMs)
const creates = (fake: Pick<FakeHttp, 'requests'>) =>
  fake.requests.filter(({ method }) => method === 'POST')

describe('a payment link', () => {
  it('is for the invoice and its amount, good for one payment, and carries both metadata maps', async () => {
    const { fake, payments, request } = await rig()
    expect(await payments.createLink(request, 'one.0')).toEqual({
      is: 'ok',
      facts: { payment_link_id: 'plink_fake1', url: 'https://buy.stripe.com/test_fake1' },
    })
    const [sent] = creates(fake)
    expect(formTree(fake.requests.at(-1)?.text ?? '')).toEqual({
      line_items: [
        {
          quantity: '1',
          price_data: {
            currency: 'usd',
            unit_amount: '12345',
            product_data: { name: 'Invoice FAKE-0001' },
          },
        },
      ],
      restrictions: { completed_sessions: { limit: '1' } },
      inactive_message: 'This payment link is no longer valid.',
      metadata: { invoice_id: INVOICE, amount: '12345', commit_id: 'one.0' },
      payment_intent_data: {
        description: 'Invoice FAKE-0001',
        metadata: { invoice_id: INVOICE, commit_id: 'one.0' },
      },
    })
    expect(sent).toMatchObject({
      headers: {
        'idempotency-key': 'one.0',
        'stripe-version': '2026-10-28.endive',
        'content-type': 'application/x-www-form-urlencoded',
      },
    })
  })

  it('is made once the cause of a refusal is mended, though Stripe repeats that under its key', async () => {
    const { fake, payments, request } = await rig()
    const make = async () => (await payments.createLink(request, 'one.0')).is
    const noName = refusal(400, { message: 'Set an account name or a business name.' })
    fake.refuseNextCreate(noName)
    fake.refuseNextCreate(noName)
    expect([await make(), await make(), fake.links.length]).toEqual(['busy', 'busy', 0])
    // The third key breaks inside, after its effect: that is no refusal, and no fourth is sent.
    fake.breakNextCreate('with effect')
    fake.freezeList()
    expect([await make(), await make(), fake.links.length]).toEqual(['unknown', 'unknown', 1])
    const keys = creates(fake).map(({ headers }) => headers['idempotency-key'])
    expect(new Set(keys)).toEqual(new Set(['one.0', 'one.0.2', 'one.0.3']))
  })

  it.each([
    ['jpy', 12_500],
    ['isk', 500],
    ['kwd', 12_340],
  ])('in %s passes the amount through as Stripe counts it', async (currency, amount) => {
    const { fake, payments, request } = await rig()
    fake.set(INVOICE, { currency, amount_due: amount, amount_remaining: amount })
    expect((await payments.createLink({ ...request, currency, amount }, 'one.0')).is).toBe('ok')
    expect(fake.links).toMatchObject([{ currency, amount }])
  })

  it('names the invoice by its id where it has no number', async () => {
    const { fake, payments, request } = await rig()
    await payments.createLink({ ...request, number: null }, 'one.0')
    expect(decodeURIComponent(fake.requests.at(-1)?.text ?? '')).toContain(
      `[name]=Invoice+${INVOICE}`,
    )
  })

  it('is not made once the invoice has changed, or cannot be paid, or is gone', async () => {
    const { fake, payments, request } = await rig()
    fake.set(INVOICE, { amount_remaining: 12_000 })
    expect(await payments.createLink(request, 'one.0')).toMatchObject({
      refusal: { code: 'preview_stale' },
    })
    fake.set(INVOICE, { status: 'void' })
    expect(await payments.createLink(request, 'one.0')).toMatchObject(
      refused('invoice_not_payable', { invoice_status: 'void' }),
    )
    const gone = { ...request, invoiceId: 'in_1Gone' }
    expect(await payments.createLink(gone, 'one.0')).toMatchObject({
      refusal: { code: 'invoice_not_found' },
    })
    expect(creates(fake)).toEqual([])
  })

  it.each([ROUTES.invoice, ROUTES.list])(
    'is not sent while %s fails: nothing happened',
    async (route) => {
      const { fake, payments, request } = await rig()
      fake.fault(route, resetBefore)
      expect(await payments.createLink(request, 'one.0')).toMatchObject(busy('provider_busy'))
      expect(creates(fake)).toEqual([])
    },
  )
})

const stripeError = (status: number, fields: Record<string, string>) => {
  const { body } = refusal(status, { message: PROVIDER_TEXT, ...fields })
  return answerBefore(status, body)
}
const api = { type: 'api_error' }
const MISCONFIGURED = 'provider_misconfigured'
const lacks = (permission: string) =>
  stripeError(403, {
    message: `${PROVIDER_TEXT} Having the '${permission}' permission would allow it.`,
  })

describe('the response of Stripe to a create', () => {
  it.each([
    ['rate limit', stripeError(429, { code: 'rate_limit' }), 'provider_busy', undefined],
    ['429 for a lock', stripeError(429, { code: 'lock_timeout' }), 'provider_busy', undefined],
    ['409 for a lock', stripeError(409, { code: 'lock_timeout' }), 'provider_busy', undefined],
    ['429 from in between', answerBefore(429, '<html>'), 'provider_busy', undefined],
    ['wrong key', stripeError(401, {}), MISCONFIGURED, /valid restricted key/],
    [
      'expired key',
      stripeError(401, { code: 'platform_api_key_expired' }),
      MISCONFIGURED,
      /expired/,
    ],
    [
      'publishable key',
      stripeError(400, { code: 'secret_key_required' }),
      MISCONFIGURED,
      /publishable/,
    ],
    [
      'no right',
      stripeError(403, {}),
      MISCONFIGURED,
      /“Payment Links: Write” \(rak_payment_link_write\)/,
    ],
    ['no right to products', lacks('rak_product_write'), MISCONFIGURED, /“Products: Write”/],
    ['no right to prices', lacks('rak_plan_write'), MISCONFIGURED, /“Prices: Write”/],
    [
      'test mode only',
      stripeError(400, { code: 'testmode_charges_only' }),
      MISCONFIGURED,
      /activated/,
    ],
    ['dead account', stripeError(403, { code: 'account_invalid' }), MISCONFIGURED, /account/],
    [
      'wrong mode',
      stripeError(400, { code: 'livemode_mismatch' }),
      MISCONFIGURED,
      /test or both live/,
    ],
    ['blocked by a rule', stripeError(403, { code: 'action_blocked' }), MISCONFIGURED, /rule/],
    [
      'unknown field',
      stripeError(400, { code: 'parameter_unknown' }),
      MISCONFIGURED,
      /2026-10-28\.endive/,
    ],
    [
      'nothing there',
      stripeError(404, { code: 'resource_missing' }),
      MISCONFIGURED,
      /2026-10-28\.endive/,
    ],
  ] as const)('%s is without effect', async (_name, fault, code, detail) => {
    const { fake, payments, request } = await rig()
    fake.fault(ROUTES.create, fault)
    const ran = await payments.createLink(request, 'one.0')
    expect(ran).toMatchObject({ is: 'busy', refusal: { code, effect: 'none' } })
    if (detail) expect(ran).toMatchObject({ refusal: { detail: expect.stringMatching(detail) } })
    else expect(ran).toMatchObject({ refusal: { retry_after_seconds: expect.any(Number) } })
    expect(JSON.stringify(ran)).not.toContain(PROVIDER_TEXT)
    expect(creates(fake)).toHaveLength(1)
  })

  it.each([
    'amount_too_small',
    'amount_too_large',
    'invalid_charge_amount_no_decimal_compatible',
    'currency_not_supported',
  ])('%s is refused for good', async (code) => {
    const { fake, payments, request } = await rig()
    fake.fault(ROUTES.create, stripeError(400, { code }))
    expect(await payments.createLink(request, 'one.0')).toEqual(
      refused('invoice_not_payable', {
        invoice_status: 'open',
        detail: expect.stringContaining('amount') as string,
      }),
    )
  })

  it.each([
    ['500', stripeError(500, api)],
    ['500 with the code of a refusal', stripeError(500, { code: 'amount_too_small' })],
    ['502', answerBefore(502, '<html>')],
    ['503', stripeError(503, { code: 'rate_limit' })],
    ['424', stripeError(424, api)],
    ['402', stripeError(402, { type: 'card_error' })],
    ['408', answerBefore(408, '')],
    ['another 409', stripeError(409, { code: 'unheard_of' })],
    ['409 key in use', stripeError(409, { code: 'idempotency_key_in_use' })],
    ['key used with other parameters', stripeError(400, { type: 'idempotency_error' })],
    ['waiting for approval', stripeError(403, { code: 'approval_required' })],
    ['400 not in the words of Stripe', answerBefore(400, '<html>')],
    ['404 not in the words of Stripe', answerBefore(404, '<html>')],
    ['418', answerBefore(418, {})],
    ['200 garbage', garbageAfter(200)],
    ['200 empty', answerBefore(200, {})],
    ['201 garbage', garbageAfter(201)],
    ['redirect', redirectBefore('/v1/payment_links')],
    ['reset before', resetBefore],
    ['reset after', resetAfter],
  ])('%s is unknown', async (_name, fault) => {
    const { fake, payments, request } = await rig()
    fake.fault(ROUTES.create, fault)
    expect(await payments.createLink(request, 'one.0')).toEqual({ is: 'unknown' })
    expect(creates(fake)).toHaveLength(1)
  })

  it.each([
    [
      'of another request',
      { metadata: { invoice_id: INVOICE, amount: '12345', commit_id: 'other.0' } },
    ],
    [
      'for another invoice',
      { metadata: { invoice_id: 'in_1Other', amount: '12345', commit_id: 'one.0' } },
    ],
    ['in another currency', { currency: 'eur' }],
    ['that may be paid for ever', { restrictions: null }],
    ['that is switched off', { active: false }],
    ['with an address that is none', { url: 'javascript:alert(1)' }],
    ['with an id that is none', { id: '../invoices/in_1' }],
  ])('a link %s is not taken for ours', async (_name, change) => {
    const { fake, payments, request } = await rig()
    await payments.createLink(request, 'one.0')
    const made = await rawLink(fake.url)
    fake.switchOff('plink_fake1')
    fake.fault(ROUTES.create, answerAfter(200, { ...made, ...change }))
    expect(await payments.createLink(request, 'one.0')).toEqual({ is: 'unknown' })
  })

  it('nothing by the deadline is unknown', async () => {
    const { fake, payments, request } = await rig(1000)
    fake.fault(ROUTES.create, slowAfter(4000))
    expect(await payments.createLink(request, 'one.0')).toEqual({ is: 'unknown' })
    expect(fake.links).toHaveLength(1)
  })

  it('may have the address of the practice itself', async () => {
    const { fake, payments, request } = await rig()
    await payments.createLink(request, 'one.0')
    const link = fake.links[0]
    if (link) link.url = 'https://pay.practice.example/b/1'
    expect(await payments.findLink(request, 'one.0')).toMatchObject({
      is: 'ok',
      facts: { url: 'https://pay.practice.example/b/1' },
    })
  })
})

async function rawLink(url: string): Promise<object> {
  const headers = { Authorization: `Bearer ${FAKE_KEY}` }
  return (await (await fetch(`${url}/v1/payment_links/plink_fake1`, { headers })).json()) as object
}
