import { describe, expect, it } from 'vitest'

import { answerBefore, garbageAfter, resetAfter, resetBefore } from '../support/fakes/http.ts'
import { FAKE_KEY, type FakeStripe, ROUTES, refusal } from '../support/fakes/stripe.ts'
import { refusalOf, refused } from './outcomes.ts'
import { INVOICE, stripeRig } from './stripe-rig.ts'

const PAID = { status: 'paid', amount_paid: 12_345, amount_remaining: 0 }

async function withLink() {
  const { fake, payments, request } = await stripeRig('payment_link')
  await payments.createLink(request, 'one.0')
  return { fake, payments, request, id: 'plink_fake1' }
}

/** The rig compares with the contract; a test that sends nothing else asks this. */
const linkCalls = (fake: FakeStripe) =>
  fake.requests.filter(({ method, path }) => method === 'POST' && path.includes('plink_'))

describe('a payment link by itself', () => {
  it('goes on charging what it was made for when its invoice is part paid', async () => {
    const { fake, payments, id } = await withLink()
    fake.set(INVOICE, { amount_paid: 2345, amount_remaining: 10_000 })
    expect(await payments.link(id)).toMatchObject({
      active: true,
      charges: 12_345,
      currency: 'usd',
      url: 'https://buy.stripe.com/test_fake1',
      invoice: { status: 'partly_paid', amount: 10_000 },
    })
  })

  it.each([PAID, { status: 'void' }, { status: 'uncollectible' }])(
    'is on as long as Stripe has it on, whatever became of the invoice: %j',
    async (change) => {
      const { fake, payments, id } = await withLink()
      fake.set(INVOICE, change)
      expect(await payments.link(id)).toMatchObject({ active: true, isOwn: true })
      fake.switchOff(id)
      expect(await payments.link(id)).toMatchObject({ active: false, url: null })
    },
  )

  it('whose limit was taken off at Stripe can be paid again and again', async () => {
    const { fake, payments, id } = await withLink()
    fake.omitted.link.push({ path: 'restrictions', how: 'null' })
    expect(await payments.link(id)).toMatchObject({ active: true })
  })

  it('that was completed says so, and the log of events follows it', async () => {
    const { fake, payments, id } = await withLink()
    fake.pay(id)
    expect(await payments.link(id)).toMatchObject({ active: false, isCompleted: true })
    expect(await payments.seen(id)).toMatchObject({ isCompleted: true, switchedOff: false })
    expect(await payments.madeLinks([id])).toMatchObject([{ isCompleted: true, active: false }])
  })

  it.each([{ invoice_id: INVOICE }, {}])(
    'that this connector did not make is none: %j',
    async (metadata) => {
      const { fake, payments, id } = await withLink()
      fake.links[0]!.metadata = metadata as Record<string, string>
      expect(await payments.link(id)).toBeUndefined()
      expect(await payments.madeLinks([id])).toEqual([])
    },
  )

  it.each(['', '12.5', '-1', '1e3', '9'.repeat(16)])(
    'whose amount in its metadata is %j charges an amount that is not known',
    async (amount) => {
      const { fake, payments, id } = await withLink()
      fake.links[0]!.metadata['amount'] = amount
      expect(await payments.link(id)).toMatchObject({ charges: null })
    },
  )

  it('that is older than all that the list shows is given again where the caller knows it', async () => {
    const { fake, payments, request, id } = await withLink()
    fake.freezeList()
    const old = fake.links.splice(0, 1)
    fake.freezeList()
    fake.links.push(...old)
    expect(await payments.createLink(request, 'two.0', Infinity, [id])).toMatchObject({
      facts: { payment_link_id: id },
    })
    expect(await payments.createLink(request, 'three.0')).toMatchObject({
      facts: { payment_link_id: 'plink_fake2' },
    })
  })
})

describe('the end of a payment link', () => {
  it('is one request that changes nothing but whether it is on', async () => {
    const { fake, payments, id } = await withLink()
    expect(await payments.endLink(id, 'end.0')).toEqual({ is: 'ok', facts: {} })
    expect(linkCalls(fake)).toMatchObject([
      { path: `/v1/payment_links/${id}`, text: 'active=false' },
    ])
    expect(fake.links[0]!.active).toBe(false)
  })

  it.each([
    ['lost before', resetBefore, 'not_found'],
    ['lost after', resetAfter, 'ok'],
    ['garbage', garbageAfter(200), 'ok'],
    ['a failure inside', answerBefore(500, {}), 'not_found'],
    ['a page of a proxy', answerBefore(403, '<html>'), 'not_found'],
  ] as const)('that is %s is in doubt, and a look finds out', async (_why, fault, found) => {
    const { fake, payments, id } = await withLink()
    fake.fault(ROUTES.end, fault)
    expect(await payments.endLink(id, 'end.0')).toEqual({ is: 'unknown' })
    expect((await payments.findEnded(id, 'end.0')).is).toBe(found)
    expect(await payments.endLink(id, 'end.0')).toEqual({ is: 'ok', facts: {} })
  })

  it('is not believed where the answer says that it is still on, or is about another', async () => {
    const { fake, payments, id } = await withLink()
    const headers = { Authorization: `Bearer ${FAKE_KEY}` }
    const raw = (await (
      await fetch(`${fake.url}/v1/payment_links/${id}`, { headers })
    ).json()) as object
    for (const change of [{}, { id: 'plink_other', active: false }]) {
      fake.fault(ROUTES.end, answerBefore(200, { ...raw, ...change }))
      expect(await payments.endLink(id, 'end.0')).toEqual({ is: 'unknown' })
    }
    fake.fault(ROUTES.link, answerBefore(200, { ...raw, id: 'plink_other' }))
    expect(await refusalOf(payments.link(id))).toMatchObject({ code: 'provider_busy' })
  })

  it('of what Stripe does not know is refused', async () => {
    const { payments } = await withLink()
    const gone = refused('payment_link_not_found')
    expect(await payments.endLink('plink_gone', 'end.0')).toEqual(gone)
    expect(await payments.findEnded('plink_gone', 'end.0')).toEqual(gone)
  })

  it('that the key may not make names the permission', async () => {
    const { fake, payments, id } = await withLink()
    fake.forbid('rak_payment_link_write')
    expect(await payments.endLink(id, 'end.0')).toMatchObject({
      is: 'busy',
      refusal: { detail: expect.stringContaining('Payment Links: Write') as string },
    })
  })
})

describe('whose money it is', () => {
  it.each([
    [{}, undefined],
    [{ on_behalf_of: 'acct_other' }, true],
  ])('is said of the invoice: %j', async (change, paysOtherAccount) => {
    const { fake, payments } = await stripeRig('payment_link')
    fake.set(INVOICE, change)
    expect((await payments.invoice(INVOICE))?.paysOtherAccount).toBe(paysOtherAccount)
  })
})

/** Stripe has payments that are no intents, and may add others. */
const RECORD = {
  id: 'inpay_2',
  status: 'open',
  payment: { type: 'payment_record', payment_record: 'prec_1' },
}
const OTHER_FORMS = [
  RECORD,
  { ...RECORD, payment: { type: 'charge', charge: 'ch_1' } },
  { ...RECORD, payment: null },
  { ...RECORD, status: 7 },
  { ...RECORD, payment: { payment_intent: { status: null } } },
  null,
  'inpay_3',
  {},
]

describe('a payment that is under way', () => {
  it.each(['hosted_invoice', 'payment_link'] as const)(
    'or had failed before a link was made is no failure of the link: %s',
    async (style) => {
      const { fake, payments, request } = await stripeRig(style)
      // The fake does not say how the last attempt ended.
      fake.set(INVOICE, { attempt_count: 3 })
      const made = { is: 'ok', facts: { failures: 2 } }
      expect(await payments.createLink(request, 'one.0')).toMatchObject(made)
      expect(await payments.findLink(request, 'one.0')).toMatchObject(made)
    },
  )

  const payers = async () => []
  async function withPayments(first: readonly unknown[], ...later: (readonly unknown[])[]) {
    const rig = await stripeRig('hosted_invoice')
    const headers = { Authorization: `Bearer ${FAKE_KEY}` }
    const raw = (await (
      await fetch(`${rig.fake.url}/v1/invoices/${INVOICE}`, { headers })
    ).json()) as object
    const pages = [first, ...later]
    const lists = pages.map((data, at) => ({ data, has_more: at < pages.length - 1 }))
    const body = { ...raw, payments: lists[0], attempt_count: 3 }
    // The invoice is read twice at once, with and without its payments, and so again for `failures`.
    for (let read = 0; read < 4; read += 1) rig.fake.fault(ROUTES.invoice, answerBefore(200, body))
    for (const list of lists.slice(1)) rig.fake.fault(ROUTES.entries, answerBefore(200, list))
    const { paymentUnderWay } = (await rig.payments.invoice(INVOICE, payers)) ?? {}
    const failures = async () => (await rig.payments.seen(`pl_${INVOICE}`))?.failures
    return { paymentUnderWay, failures, asked: rig.fake.requests.map(({ query }) => query) }
  }
  const payment = (status: string, intent: unknown) => ({
    id: 'inpay_1',
    status,
    payment: { type: 'payment_intent', payment_intent: intent },
  })
  const awaits = (type: string) =>
    payment('open', { status: 'requires_action', next_action: { type } })
  it.each([
    [[payment('open', { status: 'processing' })], true],
    [[payment('open', { status: 'requires_capture' })], true],
    [[payment('paid', { status: 'succeeded' }), payment('open', { status: 'processing' })], true],
    [[payment('open', { status: 'requires_payment_method' })], false],
    [[awaits('verify_with_microdeposits')], true],
    [[awaits('redirect_to_url'), awaits('alipay_handle_redirect')], false],
    [[awaits('display_bank_transfer_instructions')], null],
    [[awaits('an_action_of_next_year')], null],
    [[payment('canceled', { status: 'processing' })], false],
    [[payment('open', { status: 'a_status_of_next_year' })], null],
    [
      [
        payment('open', { status: 'a_status_of_next_year' }),
        payment('open', { status: 'processing' }),
      ],
      true,
    ],
    [[], false],
    [[payment('open', 'pi_1')], null],
    // One entry of another form hides none of the others, and is not known by itself.
    ...OTHER_FORMS.flatMap((form): [unknown[], boolean | null][] => [
      [[form, payment('open', { status: 'processing' })], true],
      [[payment('open', { status: 'requires_payment_method' }), form], null],
    ]),
    [[{ ...RECORD, status: 'paid' }, payment('open', { status: 'requires_action' })], false],
  ])('is read with the preview: %j', async (payments, underWay) => {
    const { paymentUnderWay, failures } = await withPayments(payments)
    expect(paymentUnderWay).toBe(underWay)
    // The last attempt has failed only where it is known to be over.
    expect(await failures()).toBe(underWay === false ? 3 : 2)
  })

  const NONE = Array.from({ length: 10 }, () => payment('paid', null))
  it.each<[string, unknown[][], boolean | null]>([
    ['on the second page', [NONE, [payment('open', { status: 'processing' })]], true],
    ['on the third', [NONE, NONE, [payment('open', { status: 'processing' })]], true],
    ['on none of three', [NONE, NONE, NONE], false],
    ['on a fourth, which is not read', [NONE, NONE, NONE, NONE], null],
    ['after an entry that cannot be read', [[null, ...NONE], NONE], null],
    ['after a page that ends without an id', [[...NONE, null], NONE], null],
  ])('%s', async (_where, [first = [], ...later], underWay) => {
    const { paymentUnderWay, asked } = await withPayments(first, ...later)
    expect(paymentUnderWay).toBe(underWay)
    expect(asked.filter((query) => query.has('starting_after')).length).toBeLessThanOrEqual(2)
  })

  it.each([
    [[{ status: 'canceled' }, { status: 'processing' }], true, 2],
    [[{ status: 'succeeded' }], undefined, 3],
    [[null, {}], undefined, 2],
    [[], undefined, 2],
  ])('through a link of its own is found by the link: %j', async (intents, underWay, failures) => {
    const { fake, payments, id } = await withLink()
    fake.pay(id)
    const none = { object: 'list', has_more: false, url: '/v1/invoice_payments', data: [] }
    const known = { payments: none, attempt_count: 3 }
    fake.set(INVOICE, known)
    const found = { object: 'search_result', data: intents, has_more: false }
    fake.fault(ROUTES.intents, answerBefore(200, found), 2)
    expect((await payments.link(id))?.paymentUnderWay).toBe(underWay)
    const asked = fake.requests.filter(({ path }) => path.endsWith('/search'))
    expect(asked.map(({ query }) => query.get('query'))).toEqual(['metadata["commit_id"]:"one.0"'])
    expect((await payments.seen(id))?.failures).toBe(failures)
  })

  it('of the invoice is told with a link that can still be paid', async () => {
    const { fake, payments, id } = await withLink()
    const headers = { Authorization: `Bearer ${FAKE_KEY}` }
    const raw = (await (
      await fetch(`${fake.url}/v1/invoices/${INVOICE}`, { headers })
    ).json()) as object
    const data = [payment('open', { status: 'processing' })]
    const body = { ...raw, payments: { data, has_more: false } }
    for (let read = 0; read < 2; read += 1) fake.fault(ROUTES.invoice, answerBefore(200, body))
    expect(await payments.link(id)).toMatchObject({ active: true, paymentUnderWay: true })
    expect(fake.requests.some(({ path }) => path.endsWith('/search'))).toBe(false)
  })

  it('through a link is not known where the key may not read it, and the link is read all the same', async () => {
    const { fake, payments, id } = await withLink()
    fake.pay(id)
    fake.forbid('rak_payment_intent_read')
    const link = await payments.link(id)
    expect(link).toMatchObject({ isCompleted: true, invoice: { status: 'open' } })
    expect(link).not.toHaveProperty('paymentUnderWay')
  })

  it('is not known where the key may not read it, and nothing else fails for that', async () => {
    const { fake, payments } = await stripeRig('hosted_invoice')
    fake.forbid('rak_payment_intent_read')
    const invoice = await payments.invoice(INVOICE, payers)
    expect(invoice).toMatchObject({ status: 'open', paymentUnderWay: null })
    fake.fault(ROUTES.invoice, answerBefore(500, refusal(500, {}).body))
    await payments.invoice(INVOICE).catch(() => {})
    expect(fake.requests.some(({ query }) => query.has('expand[]'))).toBe(true)
  })
})
