import { describe, expect, it } from 'vitest'

import { stripePayments } from '../../src/practice/adapters/payments/stripe/index.ts'
import { answerBefore } from '../support/fakes/http.ts'
import { FAKE_KEY, PROVIDER_TEXT, ROUTES, refusal } from '../support/fakes/stripe.ts'
import { misconfigured, refusalOf, refused } from './outcomes.ts'
import { INVOICE, stripeRig } from './stripe-rig.ts'

const error = (status: number, fields: Record<string, string>) =>
  answerBefore(status, refusal(status, { message: PROVIDER_TEXT, ...fields }).body)

async function createWith(fault: ReturnType<typeof error>) {
  const { fake, payments, request } = await stripeRig('payment_link')
  fake.fault(ROUTES.create, fault)
  return payments.createLink(request, 'one.0')
}

describe('a permission that the key lacks', () => {
  const says = (message: string) => error(403, { code: 'more_permissions_required', message })
  it.each([
    [
      `Enabling "Prices Write" ('plan_write') permissions on the key would allow it. ${PROVIDER_TEXT}`,
      ['“Prices: Write” (rak_plan_write)'],
    ],
    [
      `Enabling "Products Write" ('product_write') and "Prices Write" ('plan_write') permissions would allow it.`,
      ['“Products: Write” (rak_product_write)', '“Prices: Write” (rak_plan_write)'],
    ],
    [
      `Enabling "Checkout Sessions Write" permissions would allow it.`,
      ['“Checkout Sessions: Write”'],
    ],
    [`Having the 'rak_product_write' permission would allow it.`, ['“Products: Write”']],
  ])('is the one that Stripe names: %s', async (message, names) => {
    const ran = await createWith(says(message))
    for (const name of names) {
      expect(ran).toEqual(misconfigured(new RegExp(name.replaceAll(/[()]/g, '\\$&'))))
    }
    expect(JSON.stringify(ran)).not.toMatch(/Payment Links|text-of-the-provider/)
  })

  it('that this connector does not know is not passed on, and not replaced by one that the key has', async () => {
    const ran = await createWith(says(`Enabling "Secret Plans Write" ('secret_plan_write') …`))
    expect(ran).toEqual(misconfigured(/does not know by name; Stripe’s dashboard names it/))
    expect(JSON.stringify(ran)).not.toMatch(/secret.plan/i)
  })
})

describe('the permission to see payments that are under way', () => {
  it('is named where the key lacks it, and by no other fault', async () => {
    const { fake, payments } = await stripeRig('hosted_invoice')
    expect(await payments.lackOfPayments?.()).toBeUndefined()
    fake.fault(ROUTES.intent, answerBefore(500, '<html>'))
    expect(await payments.lackOfPayments?.()).toBeUndefined()
    fake.forbid('rak_payment_intent_read')
    const lack = await payments.lackOfPayments?.()
    expect(lack).toMatch(/give it “PaymentIntents: Read” \(rak_payment_intent_read\)/)
    expect(lack).not.toContain(PROVIDER_TEXT)
    expect(await payments.invoice(INVOICE)).toMatchObject({ invoiceId: INVOICE })
  })
})

describe('a refusal without a code', () => {
  it.each([
    'In order to use Checkout, you must set an account or business name at https://dashboard.stripe.com/account.',
    'You must set a business name before you can do this.',
  ])('of the account says what the account lacks: %s', async (message) => {
    expect(await createWith(error(400, { message }))).toEqual(
      misconfigured(/no business name.*Settings → Business/),
    )
  })

  it.each([
    'Amount must be at least $0.50 usd',
    "The Checkout Session's total amount must convert to at least 50 cents. ¥10 converts to approximately $0.07.",
    'Amount must be no more than $999,999.99',
    'The amount is too small.',
    'Invalid currency: xxx. Stripe currently supports these currencies: usd, eur.',
  ])('of the amount is about the amount: %s', async (message) => {
    expect(await createWith(error(400, { message }))).toEqual(
      refused('invoice_not_payable', {
        invoice_status: 'open',
        detail: expect.stringContaining('amount') as string,
      }),
    )
  })

  it.each([
    ['Your account cannot currently make live charges.', /activated/],
    ['Please activate your account first.', /activated/],
    ['Your account has been rejected.', /activated/],
    [
      'No valid payment method types for this Payment Link. Please ensure that you have activated payment methods compatible with your chosen currency.',
      /no payment method switched on for the currency/,
    ],
    [
      'Please include the Stripe-Context header with your target account when using an Organization API key.',
      /of a whole organization/,
    ],
    ['Something that no one has heard of.', /does not know.*Developers → Logs/],
  ])('that says “%s” sends no one after an update', async (message, detail) => {
    const ran = await createWith(error(400, { message }))
    expect(ran).toEqual(misconfigured(detail))
    expect(JSON.stringify(ran)).not.toMatch(/needs an update|no one has heard/)
  })

  it('has no say where there is a code: prose changes, and codes do not', async () => {
    const fault = error(400, {
      code: 'parameter_unknown',
      message: 'You must set a business name.',
    })
    expect(await createWith(fault)).toEqual(misconfigured(/needs an update/))
  })

  it.each(['account_closed', 'tls_version_unsupported', 'a_code_of_tomorrow'])(
    'with the code %s is none of the form of the request, so it sends no one after an update',
    async (code) => {
      const ran = await createWith(error(400, { code }))
      expect(ran).toEqual(misconfigured(/does not know.*Developers → Logs/))
    },
  )

  it('of a field of the amount is about the amount', async () => {
    const fields = {
      code: 'parameter_invalid_integer',
      param: 'line_items[0][price_data][unit_amount]',
    }
    expect(await createWith(error(400, fields))).toMatchObject(refused('invoice_not_payable'))
  })
})

describe('a key that is limited to IP addresses', () => {
  it.each([401, 403])('lacks no permission, and is not revoked: %i', async (status) => {
    const message = 'The API key provided does not allow requests from your IP address.'
    const ran = await createWith(error(status, { message }))
    expect(ran).toEqual(misconfigured(/limited to IP addresses.*Take that limit off/))
    expect(JSON.stringify(ran)).not.toMatch(/lacks a permission|revoked/)
  })
})

describe('an answer that is not in Stripe’s form', () => {
  const page = '<html>Access denied</html>'
  it.each([
    [401, page],
    [403, page],
    [403, { message: 'Forbidden' }],
    [401, {}],
  ])('proves nothing about the key: %i %j to a read', async (status, body) => {
    const { fake, payments } = await stripeRig('hosted_invoice')
    fake.fault(ROUTES.invoice, answerBefore(status, body))
    const read = await refusalOf(payments.invoice(INVOICE))
    expect(read).toMatchObject({ code: 'provider_busy', effect: 'none' })
    expect(read.detail).toMatch(/firewall or a proxy/)
    expect(read.next_step).toMatch(/tell the owner/)
  })

  it.each([401, 403])('leaves a create in doubt: %i', async (status) => {
    expect(await createWith(answerBefore(status, page))).toEqual({ is: 'unknown' })
  })
})

describe('an invoice of the other mode', () => {
  const elsewhere = (mode: string, key: string) =>
    error(404, {
      code: 'resource_missing',
      param: 'invoice',
      message: `No such invoice: '${INVOICE}'; a similar object exists in ${mode} mode, but a ${key} mode key was used to make this request.`,
    })
  it.each([
    ['live', 'test', /test key/],
    ['test', 'live', /live key/],
  ])('is said to be of the %s mode while the key is of the %s mode', async (mode, key, detail) => {
    const { fake, payments, request } = await stripeRig('payment_link')
    fake.fault(ROUTES.invoice, elsewhere(mode, key))
    const read = await refusalOf(payments.invoice(INVOICE))
    expect(read).toMatchObject({ code: 'invoice_not_found', effect: 'none' })
    expect(read.detail).toMatch(detail)
    fake.fault(ROUTES.invoice, elsewhere(mode, key))
    expect(await payments.createLink(request, 'one.0')).toEqual(
      refused('invoice_not_found', {
        detail: expect.stringMatching(detail) as string,
        next_step: expect.stringContaining('owner') as string,
      }),
    )
  })
})

describe('a key', () => {
  it.each([
    ['rk_test_', true],
    ['sk_test_', true],
    ['rk_live_', false],
    ['sk_live_', false],
    ['sk_org_test_', true],
  ])('that begins with %s is of the test mode: %s', async (prefix, isTest) => {
    const { fake } = await stripeRig('hosted_invoice')
    const payments = stripePayments({
      secretKey: prefix + FAKE_KEY.slice(-10),
      baseUrl: fake.url,
      timeoutMs: 1000,
      fetch,
      style: 'hosted_invoice',
    })
    expect(payments.isTest).toBe(isTest)
    // The rig wants something to compare with the contract.
    await fetch(`${fake.url}/v1/invoices/${INVOICE}`)
  })
})

describe('a number of Stripe’s', () => {
  it.each([
    ['a due date beyond all dates', { due_date: 8_640_000_000_001 }, { dueAt: null }],
    ['a due date before 1970', { due_date: -1 }, { dueAt: null }],
    ['a due date after the year 9998', { due_date: 253_402_300_800 }, { dueAt: null }],
    ['an amount below zero', { amount_remaining: -500 }, { amount: 0 }],
    ['a payment below zero', { amount_paid: -500 }, { amountPaid: 0, status: 'open' }],
  ])('that is %s does not bring the connector down', async (_what, change, invoice) => {
    const { fake, payments } = await stripeRig('payment_link')
    fake.set(INVOICE, change)
    expect(await payments.invoice(INVOICE)).toMatchObject(invoice)
  })

  it.each([
    { due_date: 1e300 },
    { due_date: 0.5 },
    { next_payment_attempt: 1e300 },
    { attempt_count: -1 },
  ])('that is none of ours is left out: %j', async (change) => {
    const { fake, payments } = await stripeRig('hosted_invoice')
    const headers = { Authorization: `Bearer ${FAKE_KEY}` }
    const raw = await (await fetch(`${fake.url}/v1/invoices/${INVOICE}`, { headers })).json()
    fake.fault(ROUTES.invoice, answerBefore(200, { ...(raw as object), ...change }))
    expect(await payments.invoice(INVOICE)).toMatchObject({ status: 'open' })
  })

  it.each([{ amount_remaining: 1e300 }, { amount_remaining: 12.5 }])(
    'that is no amount is a refusal: %j',
    async (change) => {
      const { fake, payments } = await stripeRig('payment_link')
      const headers = { Authorization: `Bearer ${FAKE_KEY}` }
      const raw = await (await fetch(`${fake.url}/v1/invoices/${INVOICE}`, { headers })).json()
      fake.fault(ROUTES.invoice, answerBefore(200, { ...(raw as object), ...change }))
      expect(await refusalOf(payments.invoice(INVOICE))).toMatchObject({
        code: 'provider_misconfigured',
        effect: 'none',
      })
    },
  )
})
