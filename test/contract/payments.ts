import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { currencySchema } from '../../src/core/domain/money.ts'
import type { LookupOutcome } from '../../src/core/domain/outcome.ts'
import type { Invoice, LinkRequest } from '../../src/core/domain/payment-link.ts'
import type { Payments } from '../../src/core/ports/payments.ts'
import { TURNED_AWAY, busy, keepPrinted, observed, refusalOf } from './outcomes.ts'
import type { ProviderFault } from './scheduling.ts'

/** One adapter with a provider of its own behind it, in which the payer of every invoice is `PAYER`. */
export interface PaymentsRig {
  payments: Payments
  /** The ids of invoices in these statuses; `yen` is open and in Japanese yen. */
  invoices: Record<'open' | 'partly_paid' | 'paid' | 'void' | 'draft' | 'yen', string>
  fail(action: 'invoice' | 'link', fault: ProviderFault): void
  /** How many links the provider holds that can be paid, besides the invoices' own pages. */
  made(): number
  /** How many requests the provider was asked that may have changed something. */
  changes(): number
}

export const PAYER = { name: 'Jane Canarybird', email: 'jane.canary@practice-client.example' }
const CANARIES = /jane\.canary|jane%2ecanary|canarybird|text-of-the-provider/i

/** What every payments adapter promises; the mock keeps it too, or a trial would prove nothing. */
export function paymentsContract(name: string, make: () => Promise<PaymentsRig>): void {
  describe(`${name} keeps the contract of the payments port`, () => {
    let rig: PaymentsRig
    let payments: Payments
    let shown: unknown[]

    beforeEach(async () => {
      rig = await make()
      shown = []
      keepPrinted(shown)
      payments = observed(rig.payments, shown)
    })
    afterEach(async () => {
      vi.restoreAllMocks()
      expect(shown.length).toBeGreaterThan(0)
      expect(JSON.stringify(shown)).not.toMatch(CANARIES)
    })

    async function invoiceOf(id = rig.invoices.open): Promise<Invoice> {
      const invoice = await payments.invoice(id)
      if (!invoice) throw new Error('the rig lacks an invoice')
      return invoice
    }
    const requestOf = ({ invoiceId, number, amount, currency }: Invoice): LinkRequest => ({
      invoiceId,
      number,
      amount,
      currency,
    })
    const openRequest = async () => requestOf(await invoiceOf())

    describe('an invoice', () => {
      it('gives what is left to pay in minor units, and its currency in lower case', async () => {
        const invoice = await invoiceOf()
        expect(invoice).toMatchObject({ invoiceId: rig.invoices.open, status: 'open' })
        expect(invoice.amount).toBeGreaterThan(0)
        expect(Number.isSafeInteger(invoice.amount)).toBe(true)
        expect(currencySchema.parse(invoice.currency)).toBe(invoice.currency)
        expect([true, false, null]).toContain(invoice.automaticCollection)
      })

      it('gives its due date in epoch milliseconds', async () => {
        const { dueAt } = await invoiceOf()
        expect(dueAt).toBeGreaterThan(Date.UTC(2000, 0))
        expect(dueAt).toBeLessThan(Date.UTC(2100, 0))
      })

      it('shows only the initials of its payer', async () => {
        expect((await invoiceOf()).payerInitials).toMatch(/^(\p{Lu}\. ?)+$/u)
      })

      it.each(['open', 'partly_paid', 'paid', 'void', 'draft'] as const)(
        'that is %s is said to be so',
        async (status) => {
          expect((await invoiceOf(rig.invoices[status])).status).toBe(status)
        },
      )

      it('that is paid has nothing left to pay', async () => {
        expect((await invoiceOf(rig.invoices.paid)).amount).toBe(0)
      })

      it('in yen counts yen, not hundredths', async () => {
        expect(await invoiceOf(rig.invoices.yen)).toMatchObject({ currency: 'jpy', amount: 12_500 })
      })

      it.each([
        'in_0123456789abcdef',
        '',
        'in_',
        'in_../payment_links',
        'in_%2e%2e',
        'in_a b',
        'in_a?expand=x',
        'bk_0123456789abcdef',
        `in_${'x'.repeat(300)}`,
      ])('is not found under the id %j', async (id) => {
        expect(await payments.invoice(id)).toBeUndefined()
      })

      it.each(TURNED_AWAY)(
        'cannot be read from a provider that is %s, and the code says so',
        async (fault) => {
          rig.fail('invoice', fault)
          expect(await refusalOf(payments.invoice(rig.invoices.open))).toMatchObject({
            code: `provider_${fault}`,
            effect: 'none',
          })
          expect((await invoiceOf()).status).toBe('open')
        },
      )
    })

    describe('a link', () => {
      it('has an id and an address', async () => {
        const { payment_link_id, url } = factsIn(
          await payments.createLink(await openRequest(), 'one.0'),
        )
        expect(payment_link_id).toMatch(/^p(l|link)_\w+$/)
        expect(new URL(String(url)).protocol).toBe('https:')
      })

      it.each(['open', 'partly_paid', 'yen'] as const)(
        'is given for an invoice that is %s',
        async (which) => {
          const request = requestOf(await invoiceOf(rig.invoices[which]))
          expect((await payments.createLink(request, 'one.0')).is).toBe('ok')
        },
      )

      it('is made once per marker', async () => {
        const request = await openRequest()
        const ran = await payments.createLink(request, 'one.0')
        expect(await payments.createLink(request, 'one.0')).toEqual(ran)
        expect(rig.made()).toBeLessThanOrEqual(1)
      })

      it('is the same for the same invoice and amount, no matter who asks', async () => {
        const request = await openRequest()
        const facts = factsIn(await payments.createLink(request, 'one.0'))
        expect(factsIn(await payments.createLink(request, 'two.0'))).toEqual(facts)
        expect(rig.made()).toBeLessThanOrEqual(1)
      })

      it('of one invoice is not that of another', async () => {
        const facts = factsIn(await payments.createLink(await openRequest(), 'one.0'))
        const other = requestOf(await invoiceOf(rig.invoices.partly_paid))
        expect(factsIn(await payments.createLink(other, 'two.0'))['url']).not.toBe(facts['url'])
      })

      it('is found again by a lookup', async () => {
        const request = await openRequest()
        const ran = await payments.createLink(request, 'one.0')
        expect(await payments.findLink(request, 'one.0')).toEqual(ran)
      })

      it.each(['lost before', 'lost after'] as const)(
        'whose answer is %s its effect is no failure: a lookup or a repeat finds it, once',
        async (fault) => {
          const request = await openRequest()
          rig.fail('link', fault)
          const ran = await payments.createLink(request, 'one.0')
          expect(ran.is).toMatch(/^(unknown|busy)$/)
          // `busy` claims that nothing happened.
          if (ran.is === 'busy') expect(rig.made()).toBe(0)
          const seen = await payments.findLink(request, 'one.0')
          const again = seen.is === 'not_found' ? await payments.createLink(request, 'one.0') : seen
          expect(factsIn(again)['payment_link_id']).toBeTruthy()
          expect(rig.made()).toBeLessThanOrEqual(1)
        },
      )

      it.each(TURNED_AWAY)(
        'that a provider turns away as %s has no effect, and may be asked for again',
        async (fault) => {
          const request = await openRequest()
          rig.fail('link', fault)
          const ran = await payments.createLink(request, 'one.0')
          expect(ran).toMatchObject(busy(`provider_${fault}`))
          if (fault === 'busy')
            expect(ran).toMatchObject({ refusal: { retry_after_seconds: expect.any(Number) } })
          expect(rig.made()).toBe(0)
          expect((await payments.createLink(request, 'one.0')).is).toBe('ok')
        },
      )
    })

    describe('a link by itself', () => {
      const made = async () =>
        String(factsIn(await payments.createLink(await openRequest(), 'one.0'))['payment_link_id'])

      it('says what it charges, that it is on, and where its page is', async () => {
        const { invoiceId, amount, currency } = await invoiceOf()
        const link = await payments.link(await made())
        expect(link).toMatchObject({ invoiceId, charges: amount, currency })
        expect(link).toMatchObject({ active: true, isCompleted: false, invoice: { invoiceId } })
        expect(new URL(link?.url ?? '').protocol).toBe('https:')
      })

      it('is ended once and for all where it can be, and a repeat changes nothing', async () => {
        const id = await made()
        if (!(await payments.link(id))?.isOwn) return
        expect((await payments.findEnded(id, 'end.0')).is).toBe('not_found')
        for (const _time of ['first', 'repeat'])
          expect(await payments.endLink(id, 'end.0')).toEqual({ is: 'ok', facts: {} })
        expect(await payments.findEnded(id, 'end.0')).toEqual({ is: 'ok', facts: {} })
        expect(await payments.link(id)).toMatchObject({ active: false, url: null })
        expect(await payments.madeLinks([id])).toMatchObject([{ active: false }])
        const next = factsIn(await payments.createLink(await openRequest(), 'two.0'))
        expect(next['payment_link_id']).not.toBe(id)
      })

      it.each(['plink_0123456789abcdef', 'plink_../x', 'pl_in_mock_open', ''])(
        'is not among those that stand by themselves under the id %j',
        async (id) => expect(await payments.madeLinks([id])).toEqual([]),
      )
    })

    describe('a link as the log of events follows it', () => {
      const linkOf = async () =>
        String(factsIn(await payments.createLink(await openRequest(), 'one.0'))['payment_link_id'])

      it('is the state of its invoice, and nothing of the payer', async () => {
        const { invoiceId, amount, amountPaid, currency } = await invoiceOf()
        const paymentLinkId = await linkOf()
        expect(await payments.seen(paymentLinkId)).toEqual({
          paymentLinkId,
          invoiceId,
          status: 'open',
          amount,
          amountPaid,
          currency,
          failures: 0,
          switchedOff: false,
          isCompleted: false,
        })
      })

      it('is read and looked for by reads alone', async () => {
        const request = await openRequest()
        const paymentLinkId = await linkOf()
        const before = rig.changes()
        await payments.seen(paymentLinkId)
        for (const marker of ['one.0', 'another.0']) await payments.findLink(request, marker)
        expect(rig.changes()).toBe(before)
      })

      it.each(['pl_in_0123456789abcdef', 'plink_0123456789abcdef', 'pl_../invoices', 'bk_1', ''])(
        'is not there under the id %j',
        async (id) => expect((await payments.seen(id)) ?? 'nothing').toBe('nothing'),
      )
    })
  })
}

function factsIn(seen: LookupOutcome) {
  expect(seen).toMatchObject({ is: 'ok' })
  return seen.is === 'ok' ? seen.facts : {}
}
