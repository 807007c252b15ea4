import { describe, expect, it } from 'vitest'

import { Problem } from '../../src/core/domain/problem/problem.ts'
import { fieldsOfContract, type OmittedField } from '../support/fakes/contract-fields.ts'
import { resetAfter } from '../support/fakes/http.ts'
import { ROUTES } from '../support/fakes/stripe.ts'
import { INVOICE, type StripeRig, stripeRig } from './stripe-rig.ts'

const nulls = (...paths: string[]): OmittedField[] => paths.map((path) => ({ path, how: 'null' }))

/** What the adapter reads and Stripe may leave out. */
const READ: Record<'invoice' | 'link', OmittedField[]> = {
  invoice: [
    ...nulls(
      'status',
      'number',
      'due_date',
      'customer_name',
      'customer_email',
      'next_payment_attempt',
    ),
    ...nulls('hosted_invoice_url'),
    { path: 'hosted_invoice_url', how: 'missing' },
    { path: 'auto_advance', how: 'missing' },
    { path: 'number', how: 'cut' },
    { path: 'customer_name', how: 'cut' },
    { path: 'customer_email', how: 'cut' },
  ],
  link: nulls('restrictions', 'inactive_message', 'application'),
}
/** The rest of what the contract file lets Stripe leave out, where it is at hand. */
const others = (schema: string, read: OmittedField[]): OmittedField[] =>
  (fieldsOfContract('stripe.json', schema) ?? []).filter(
    (one) => !read.some(({ path, how }) => path === one.path && how === one.how),
  )
const UNREAD = {
  invoice: others('invoice', READ.invoice),
  link: others('payment_link', READ.link),
}

/** What a read brought, or the code it was refused with; anything else that is thrown is a fault. */
const readOr = <T>(read: Promise<T>): Promise<T | string> =>
  read.catch((thrown: unknown) => {
    if (thrown instanceof Problem) return thrown.refusal.code
    throw thrown
  })

/** A create whose answer is lost is one link, found or openly in doubt, and never denied. */
async function makesOneLink({ fake, payments, request }: StripeRig): Promise<void> {
  fake.fault(ROUTES.create, resetAfter)
  const outcomes = [
    await payments.createLink(request, 'one.0'),
    await payments.findLink(request, 'one.0'),
  ]
  fake.twice()
  outcomes.push(await payments.createLink(request, 'one.0'))
  expect(fake.links.length).toBeLessThanOrEqual(1)
  if (fake.links.length === 0) return
  for (const { is } of outcomes) expect(is).not.toBe('refused')
}

async function isReadAsItIs(field: OmittedField): Promise<void> {
  for (const style of ['hosted_invoice', 'payment_link'] as const) {
    const rig = await stripeRig(style)
    const whole = await rig.payments.invoice(INVOICE)
    rig.fake.omitted.invoice.push(field)
    const read = await readOr(rig.payments.invoice(INVOICE))
    if (typeof read === 'string') expect(read).toBe('provider_misconfigured')
    else {
      const { status, amount, currency, testMode } = whole!
      expect(read).toMatchObject({ invoiceId: INVOICE, status, amount, currency, testMode })
    }
    if (style === 'payment_link') await makesOneLink(rig)
  }
}

async function oneIsMade(field: OmittedField): Promise<void> {
  const rig = await stripeRig('payment_link')
  rig.fake.omitted.link.push(field)
  await makesOneLink(rig)
  expect(rig.fake.links).toHaveLength(1)
}

describe('whatever Stripe leaves out of an invoice', () => {
  const READS = 'it is read as it is, or not at all: $path is $how'
  it.each(READ.invoice)(READS, isReadAsItIs)
  it.each(UNREAD.invoice)(READS, { tags: 'slow' }, isReadAsItIs)

  it('automatic collection is not known when Stripe omits it', async () => {
    const { fake, payments } = await stripeRig('hosted_invoice')
    fake.set(INVOICE, { collection_method: 'charge_automatically', auto_advance: true })
    fake.omitted.invoice.push({ path: 'auto_advance', how: 'missing' })
    expect(await payments.invoice(INVOICE)).toMatchObject({ automaticCollection: null })
  })
})

describe('whatever Stripe leaves out of a payment link', () => {
  const MADE = 'one is made, and it is not denied: $path is $how'
  it.each(READ.link)(MADE, oneIsMade)
  it.each(UNREAD.link)(MADE, { tags: 'slow' }, oneIsMade)

  it('a commit_id that is cut is not taken for that of another link', () =>
    oneIsMade({ path: 'metadata', how: 'cut' }))
})
