import type { LinkStyle } from '../../src/practice/adapters/connection.ts'
import { answerBefore, resetAfter, resetBefore } from '../support/fakes/http.ts'
import { ROUTES, refusal } from '../support/fakes/stripe.ts'
import { paymentsContract } from './payments.ts'
import type { ProviderFault } from './scheduling.ts'
import { INVOICE, stripeRig, tooMany } from './stripe-rig.ts'

const badKey = refusal(401, { message: 'Invalid API Key provided: text-of-the-provider' })
const FAULTS = {
  busy: tooMany,
  misconfigured: answerBefore(badKey.status, badKey.body),
  'lost before': resetBefore,
  'lost after': resetAfter,
} satisfies Record<ProviderFault, object>

const rigOf = (style: LinkStyle) => async () => {
  const { fake, payments } = await stripeRig(style)
  const paid = { amount_paid: 12_345, amount_remaining: 0 }
  fake.set('in_1FakePartly', { amount_paid: 2345, amount_remaining: 10_000, number: 'FAKE-0002' })
  fake.set('in_1FakePaid', { ...paid, status: 'paid', number: 'FAKE-0003' })
  fake.set('in_1FakeVoid', { status: 'void', number: 'FAKE-0004' })
  fake.set('in_1FakeDraft', {
    status: 'draft',
    number: null,
    due_date: null,
    hosted_invoice_url: null,
  })
  fake.set('in_1FakeYen', { amount_due: 12_500, amount_remaining: 12_500, currency: 'jpy' })
  return {
    payments,
    invoices: {
      open: INVOICE,
      partly_paid: 'in_1FakePartly',
      paid: 'in_1FakePaid',
      void: 'in_1FakeVoid',
      draft: 'in_1FakeDraft',
      yen: 'in_1FakeYen',
    },
    fail(action: 'invoice' | 'link', fault: ProviderFault) {
      // With the hosted page, to give the link is to read the invoice.
      const route = action === 'link' && style === 'payment_link' ? ROUTES.create : ROUTES.invoice
      fake.fault(route, FAULTS[fault])
    },
    changes: () => fake.requests.filter(({ method }) => method !== 'GET').length,
    made: () => fake.links.filter(({ active }) => active).length,
  }
}

paymentsContract('Stripe with hosted invoices', rigOf('hosted_invoice'))
paymentsContract('Stripe with payment links', rigOf('payment_link'))
