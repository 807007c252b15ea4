import { describe, expect, it } from 'vitest'

import { misconfigured, refusalOf, refused } from './outcomes.ts'
import { INVOICE, stripeRig } from './stripe-rig.ts'

const rig = () => stripeRig('hosted_invoice')

describe('a link to the hosted invoice', () => {
  it("is the invoice's own page, and nothing is made for it", async () => {
    const { fake, payments, request } = await rig()
    expect(await payments.createLink(request, 'one.0')).toEqual({
      is: 'ok',
      facts: {
        payment_link_id: `pl_${INVOICE}`,
        url: `https://invoice.stripe.com/i/acct_fake/test_${INVOICE}?s=ap`,
      },
    })
    expect(fake.requests.map(({ method }) => method)).toEqual(['GET'])
  })

  it('is the present address: Stripe may have changed it', async () => {
    const { fake, payments, request } = await rig()
    await payments.createLink(request, 'one.0')
    fake.set(INVOICE, { hosted_invoice_url: 'https://invoice.stripe.com/i/acct_fake/rotated' })
    expect(await payments.findLink(request, 'one.0')).toMatchObject({
      facts: { url: 'https://invoice.stripe.com/i/acct_fake/rotated' },
    })
  })

  it.each([
    [
      'amount',
      { amount_paid: 345, amount_remaining: 12_000 },
      [{ field: 'amount', was: 12_345, now: 12_000 }],
    ],
    ['currency', { currency: 'eur' }, [{ field: 'currency', was: 'usd', now: 'eur' }]],
  ])('is refused once the %s has changed since the preview', async (_field, change, changes) => {
    const { fake, payments, request } = await rig()
    fake.set(INVOICE, change)
    const stale = refused('preview_stale', { changes })
    expect(await payments.createLink(request, 'one.0')).toEqual(stale)
    expect(await payments.findLink(request, 'one.0')).toEqual(stale)
  })

  it.each([
    ['paid', { status: 'paid', amount_paid: 12_345, amount_remaining: 0 }, /paid already/],
    ['void', { status: 'void' }, /voided/],
    ['uncollectible', { status: 'uncollectible' }, /written/],
    ['draft', { status: 'draft', hosted_invoice_url: null }, /draft/],
    ['open', { amount_remaining: 0 }, /nothing left/],
  ])(
    'is refused once the invoice is %s, with a sentence of its own',
    async (status, change, detail) => {
      const { fake, payments, request } = await rig()
      fake.set(INVOICE, change)
      expect(await payments.createLink(request, 'one.0')).toEqual(
        refused('invoice_not_payable', {
          invoice_status: status,
          detail: expect.stringMatching(detail) as string,
        }),
      )
    },
  )

  it('is refused for an invoice that is gone', async () => {
    const { payments, request } = await rig()
    const ran = await payments.createLink({ ...request, invoiceId: 'in_1Gone' }, 'one.0')
    expect(ran).toEqual(refused('invoice_not_found'))
  })
})

describe('a hosted page', () => {
  it.each([
    null,
    'not an address',
    'http://invoice.stripe.com/i/1',
    'https://invoice.stripe.com.evil.example/i/1',
    'https://evilstripe.com/i/1',
    'javascript:alert(1)',
  ])(
    'that is %j is refused at the preview already, and at the commit',
    async (hosted_invoice_url) => {
      const { fake, payments, request } = await rig()
      fake.set(INVOICE, { hosted_invoice_url })
      const expected = misconfigured(/PAYMENT_LINK_STYLE/)
      expect(await refusalOf(payments.invoice(INVOICE))).toEqual(expected.refusal)
      expect(await payments.createLink(request, 'one.0')).toEqual(expected)
    },
  )

  it('is not required if the invoice cannot be paid anyway', async () => {
    const { fake, payments } = await rig()
    fake.set(INVOICE, { status: 'draft', hosted_invoice_url: null })
    expect(await payments.invoice(INVOICE)).toMatchObject({ status: 'draft' })
  })

  it('is not required for links of their own', async () => {
    const { fake, payments, request } = await stripeRig('payment_link')
    fake.set(INVOICE, { hosted_invoice_url: null })
    expect(await payments.invoice(INVOICE)).toMatchObject({ status: 'open' })
    expect((await payments.createLink(request, 'one.0')).is).toBe('ok')
  })
})
