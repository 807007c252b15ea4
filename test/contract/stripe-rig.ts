import { afterAll, expect } from 'vitest'

import type { LinkRequest } from '../../src/core/domain/payment-link.ts'
import type { Payments } from '../../src/core/ports/payments.ts'
import type { LinkStyle } from '../../src/practice/adapters/connection.ts'
import { stripePayments } from '../../src/practice/adapters/payments/stripe/index.ts'
import { answerBefore } from '../support/fakes/http.ts'
import { stripeContract } from '../support/fakes/stripe-contract.ts'
import { FAKE_KEY, type FakeStripe, fakeStripe } from '../support/fakes/stripe.ts'
import { fetchOfFake } from './fetch-of-fake.ts'
import { PAYER } from './payments.ts'

const contract = stripeContract()

export interface StripeRig {
  fake: FakeStripe
  payments: Payments
  /** The request for a link on the invoice as it is before anybody changes it. */
  request: LinkRequest
}

export const INVOICE = 'in_1FakeOpen'

/** A fake Stripe with one open invoice, and the adapter in front of it. */
export async function stripeRig(style: LinkStyle, timeoutMs = 10_000): Promise<StripeRig> {
  const fake = await fakeStripe(contract?.watch)
  const fetch = fetchOfFake(fake, contract)
  const { name: customer_name, email: customer_email } = PAYER
  fake.set(INVOICE, { customer_name, customer_email })
  const payments = stripePayments({
    secretKey: FAKE_KEY,
    baseUrl: fake.url,
    timeoutMs,
    fetch,
    style,
  })
  const request = { invoiceId: INVOICE, number: 'FAKE-0001', amount: 12_345, currency: 'usd' }
  return { fake, payments, request }
}

/** Stripe's answer to too many requests. */
export const tooMany = answerBefore(429, {
  error: { type: 'invalid_request_error', code: 'rate_limit' },
})

if (contract) afterAll(() => expect(contract.compared()).toBeGreaterThan(0))
