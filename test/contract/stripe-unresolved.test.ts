import { afterEach, describe, expect, it, vi } from 'vitest'

import type { LinkRequest } from '../../src/core/domain/payment-link.ts'
import { answerBefore, resetAfter, resetBefore } from '../support/fakes/http.ts'
import { FAKE_KEY, type FakeStripe, ROUTES, refusal } from '../support/fakes/stripe.ts'
import { busy, misconfigured } from './outcomes.ts'
import { INVOICE, stripeRig, tooMany } from './stripe-rig.ts'

const rig = () => stripeRig('payment_link')
const creates = (fake: FakeStripe) => fake.requests.filter(({ method }) => method === 'POST')
const linkIs = (id: string) => ({ is: 'ok', facts: { payment_link_id: id } })

/** Links of other invoices, as a busy practice has them; the newest come last. */
async function otherLinks(
  fake: FakeStripe,
  make: (request: LinkRequest) => Promise<unknown>,
  count: number,
) {
  fake.set('in_1Other')
  await make({ invoiceId: 'in_1Other', number: null, amount: 12_345, currency: 'usd' })
  const [pattern] = fake.links.splice(-1)
  if (!pattern) throw new Error('no link was made')
  for (let number = 0; number < count; number += 1)
    fake.links.push({ ...pattern, id: `plink_other${number}` })
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe('a create whose reads take too long', () => {
  it('is not sent any more: the deadline is checked after them', async () => {
    const { fake, payments, request } = await rig()
    const sendBefore = 60_000
    // The minute passes while the links are read.
    const hasRead = () => fake.requests.some(({ path }) => path === '/v1/payment_links')
    vi.spyOn(Date, 'now').mockImplementation(() => (hasRead() ? sendBefore : 0))
    expect(await payments.createLink(request, 'one.0', sendBefore)).toEqual(busy('provider_busy'))
    expect(creates(fake)).toEqual([])
    expect(await payments.createLink(request, 'one.0', sendBefore + 1)).toMatchObject(
      linkIs('plink_fake1'),
    )
  })
})

describe('a create whose answer was lost', () => {
  it('is found by its marker', async () => {
    const { fake, payments, request } = await rig()
    fake.fault(ROUTES.create, resetAfter)
    expect(await payments.createLink(request, 'one.0')).toEqual({ is: 'unknown' })
    expect(await payments.findLink(request, 'one.0')).toMatchObject(linkIs('plink_fake1'))
    expect(await payments.findLink(request, 'two.0')).toEqual({ is: 'not_found' })
  })

  it('is repeated by Stripe itself under the same marker, even while the list lags behind', async () => {
    const { fake, payments, request } = await rig()
    fake.freezeList()
    fake.fault(ROUTES.create, resetAfter)
    expect(await payments.createLink(request, 'one.0')).toEqual({ is: 'unknown' })
    expect(await payments.findLink(request, 'one.0')).toEqual({ is: 'not_found' })
    expect(await payments.createLink(request, 'one.0')).toMatchObject(linkIs('plink_fake1'))
    expect(creates(fake)).toHaveLength(2)
    expect(fake.links).toHaveLength(1)
  })

  it('is unknown while the first request is still at work, and the same link afterwards', async () => {
    const { fake, payments, request } = await rig()
    const release = fake.holdCreates()
    const first = payments.createLink(request, 'one.0')
    await expect.poll(() => creates(fake).length).toBe(1)
    expect(await payments.createLink(request, 'one.0')).toEqual({ is: 'unknown' })
    release()
    expect(await first).toMatchObject(linkIs('plink_fake1'))
    expect(await payments.createLink(request, 'one.0')).toMatchObject(linkIs('plink_fake1'))
    expect(fake.links).toHaveLength(1)
  })

  it.each(['with effect', 'without effect'] as const)(
    'is still unknown when Stripe repeats a 500 that it saved %s',
    async (effect) => {
      const { fake, payments, request } = await rig()
      fake.freezeList()
      fake.breakNextCreate(effect)
      expect(await payments.createLink(request, 'one.0')).toEqual({ is: 'unknown' })
      expect(await payments.createLink(request, 'one.0')).toEqual({ is: 'unknown' })
      expect(creates(fake)).toHaveLength(2)
      expect(fake.links).toHaveLength(effect === 'with effect' ? 1 : 0)
    },
  )

  it('is found in the list behind a stored 500', async () => {
    const { fake, payments, request } = await rig()
    fake.breakNextCreate('with effect')
    expect(await payments.createLink(request, 'one.0')).toEqual({ is: 'unknown' })
    expect(await payments.findLink(request, 'one.0')).toMatchObject(linkIs('plink_fake1'))
  })

  it('is not believed when the link was switched off since', async () => {
    const { fake, payments, request } = await rig()
    fake.freezeList()
    fake.fault(ROUTES.create, resetAfter)
    await payments.createLink(request, 'one.0')
    fake.switchOff('plink_fake1')
    expect(await payments.createLink(request, 'one.0')).toEqual({ is: 'unknown' })
    expect(await payments.findLink(request, 'one.0')).toEqual({ is: 'not_found' })
  })

  it('is proved by a repeat when the link was used since, and answered as used', async () => {
    const { fake, payments, request } = await rig()
    fake.freezeList()
    fake.fault(ROUTES.create, resetAfter)
    await payments.createLink(request, 'one.0')
    fake.pay('plink_fake1')
    expect(await payments.createLink(request, 'one.0')).toMatchObject({
      is: 'ok',
      facts: { payment_link_id: 'plink_fake1', used_up: true },
    })
    expect(fake.links).toHaveLength(1)
  })

  it('is one link when the request is carried out twice on its way', async () => {
    const { fake, payments, request } = await rig()
    fake.twice()
    expect(await payments.createLink(request, 'one.0')).toMatchObject(linkIs('plink_fake1'))
    expect(fake.links).toHaveLength(1)
  })

  it('with other parameters under the same marker stays unknown', async () => {
    const { fake, payments, request } = await rig()
    fake.freezeList()
    fake.fault(ROUTES.create, resetAfter)
    await payments.createLink(request, 'one.0')
    fake.set(INVOICE, { amount_remaining: 12_000 })
    expect(await payments.createLink({ ...request, amount: 12_000 }, 'one.0')).toEqual({
      is: 'unknown',
    })
    expect(fake.links).toHaveLength(1)
  })

  it.each([
    ['reset', resetBefore, 'provider_busy'],
    ['429', tooMany, 'provider_busy'],
    ['500', answerBefore(500, {}), 'provider_busy'],
    ['garbage', answerBefore(200, '<html>'), 'provider_busy'],
    ['another form', answerBefore(200, []), 'provider_misconfigured'],
    ['403', answerBefore(403, refusal(403, {}).body), 'provider_misconfigured'],
    ['403 of something in between', answerBefore(403, {}), 'provider_busy'],
  ])('is not called absent by a failed lookup: %s', async (_why, fault, code) => {
    const { fake, payments, request } = await rig()
    fake.fault(ROUTES.list, fault)
    expect(await payments.findLink(request, 'one.0')).toMatchObject({
      is: 'busy',
      refusal: { code },
    })
  })
})

describe('the same invoice and amount', () => {
  it.each([
    ['was paid', (fake: FakeStripe) => fake.pay('plink_fake1')],
    ['was switched off', (fake: FakeStripe) => fake.switchOff('plink_fake1')],
  ])('gets a new link when the first %s', async (_why, end) => {
    const { fake, payments, request } = await rig()
    await payments.createLink(request, 'one.0')
    end(fake)
    expect(await payments.createLink(request, 'two.0')).toMatchObject(linkIs('plink_fake2'))
  })

  it('gets a new link when the list still shows one that is gone', async () => {
    const { fake, payments, request } = await rig()
    await payments.createLink(request, 'one.0')
    const headers = { Authorization: `Bearer ${FAKE_KEY}` }
    const page = await (await fetch(`${fake.url}/v1/payment_links`, { headers })).json()
    fake.switchOff('plink_fake1')
    fake.fault(ROUTES.list, answerBefore(200, page))
    expect(await payments.createLink(request, 'two.0')).toMatchObject(linkIs('plink_fake2'))
  })

  it.each([
    ['another amount', { amount_remaining: 12_000 }, { amount: 12_000 }],
    ['another currency', { currency: 'eur' }, { currency: 'eur' }],
  ])('are not %s', async (_what, change, changed) => {
    const { fake, payments, request } = await rig()
    await payments.createLink(request, 'one.0')
    fake.set(INVOICE, change)
    expect(await payments.createLink({ ...request, ...changed }, 'two.0')).toMatchObject(
      linkIs('plink_fake2'),
    )
  })

  it.each([{ invoice_id: INVOICE }, { invoice_id: INVOICE, amount: '12345' }])(
    'are not claimed by a link that someone else made with %j',
    async (metadata) => {
      const { fake, payments, request } = await rig()
      await payments.createLink(request, 'one.0')
      const [link] = fake.links
      if (link) link.metadata = metadata
      expect(await payments.createLink(request, 'two.0')).toMatchObject(linkIs('plink_fake2'))
    },
  )

  it('is found behind hundreds of other links, but the search ends', async () => {
    const { fake, payments, request } = await rig()
    const make = (other: LinkRequest) => payments.createLink(other, 'other.0')
    await payments.createLink(request, 'one.0')
    await otherLinks(fake, make, 250)
    fake.requests.length = 0
    expect(await payments.createLink(request, 'two.0')).toMatchObject(linkIs('plink_fake1'))
    expect(fake.requests.filter(({ path }) => path === '/v1/payment_links')).toHaveLength(3)
    await otherLinks(fake, make, 100)
    fake.requests.length = 0
    expect(await payments.findLink(request, 'one.0')).toEqual({ is: 'not_found' })
    expect(fake.requests.map(({ query }) => query.get('active'))).toEqual(['true', 'true', 'true'])
  })

  it('is looked up with the permission that making a link needs anyway', async () => {
    const { fake, payments, request } = await rig()
    fake.forbid('rak_payment_link_read')
    expect(await payments.createLink(request, 'one.0')).toMatchObject(
      misconfigured(/“Payment Links: Write”/),
    )
  })
})
