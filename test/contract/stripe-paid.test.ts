import { describe, expect, it } from 'vitest'

import { paymentStatus } from '../../src/core/domain/payment-link.ts'
import type { Payments } from '../../src/core/ports/payments.ts'
import { INVOICE, stripeRig } from './stripe-rig.ts'

const paid = async (payments: Payments, id: string) => {
  const link = await payments.link(id)
  return (
    link && { payment_status: paymentStatus(link), active: link.active, left: link.invoice.amount }
  )
}

describe('whether a link was paid', () => {
  it.each([
    [{}, { payment_status: 'unpaid', active: true, left: 12_345 }],
    [{ status: 'void' }, { payment_status: 'unpaid', active: false, left: 12_345 }],
    [
      { status: 'uncollectible', amount_paid: 345, amount_remaining: 12_000 },
      { payment_status: 'partly_paid', active: false, left: 12_000 },
    ],
  ])('is what Stripe says of the invoice behind its own page: %j', async (change, expected) => {
    const { fake, payments } = await stripeRig('hosted_invoice')
    fake.set(INVOICE, change)
    expect(await paid(payments, `pl_${INVOICE}`)).toEqual(expected)
  })

  it('is uncertain for a link that someone used, until the invoice says so', async () => {
    const { fake, payments, request } = await stripeRig('payment_link')
    await payments.createLink(request, 'one.0')
    const [{ id }] = fake.links as unknown as [{ id: string }]
    expect(await paid(payments, id)).toEqual({
      payment_status: 'unpaid',
      active: true,
      left: 12_345,
    })
    fake.pay(id)
    expect(await paid(payments, id)).toEqual({
      payment_status: 'submitted',
      active: false,
      left: 12_345,
    })
    fake.set(INVOICE, { status: 'paid', amount_paid: 12_345, amount_remaining: 0 })
    expect(await paid(payments, id)).toEqual({ payment_status: 'paid', active: false, left: 0 })
  })
})
