import type { StepOutcome } from '../../../../core/domain/outcome.ts'
import { type Invoice, type LinkRequest, unpayable } from '../../../../core/domain/payment-link.ts'
import { Problem, type Refusal } from '../../../../core/domain/problem/problem.ts'
import type { Payments } from '../../../../core/ports/payments.ts'
import type { PaymentConnection } from '../../connection.ts'
import { providerHttp } from '../../provider-http.ts'
import { isTestKey, ownerMustFix, STRIPE_VERSION } from './errors.ts'
import {
  type HostedInvoice,
  type Lookup,
  readInvoice,
  readPreviewed,
  createLink,
  findLink,
  isCompleted,
  isPayable,
  notFound,
  readLink,
} from './invoices-and-links.ts'

/** Stripe. The adapter's id has the link style: a preview under one style is not committed under another. */
export function stripePayments({ style, ...connection }: PaymentConnection): Payments {
  const request = stripeRequest(connection)
  const hosted = style === 'hosted_invoice'

  /** Reads the link from the invoice: nothing is created, so the outcome is always known. */
  async function hostedLink(wanted: LinkRequest): Promise<StepOutcome> {
    const read = await readPreviewed(request, wanted)
    if (read.is !== 'found') return read
    const page = pageOf(read.found)
    if (page.is === 'none') return { is: 'busy', refusal: page.refusal }
    return { is: 'ok', facts: { payment_link_id: `pl_${wanted.invoiceId}`, url: page.url } }
  }

  async function readOf(paymentLinkId: string) {
    const isMade = paymentLinkId.startsWith('plink_')
    const made = isMade
      ? foundIn(await readLink(request, paymentLinkId), 'payment_link_not_found')
      : undefined
    const invoiceId = made ? made.metadata['invoice_id'] : /^pl_(in_\w+)$/.exec(paymentLinkId)?.[1]
    const found =
      invoiceId === undefined
        ? undefined
        : foundIn(await readInvoice(request, invoiceId), 'payment_link_not_found')
    const isOn = made === undefined || isPayable(made)
    return found && { found, isOn, isCompleted: made !== undefined && isCompleted(made) }
  }

  return {
    mode: 'live',
    isTest: isTestKey(connection.secretKey),
    adapterId: `stripe:${style}`,
    reconciliation: hosted ? 'automatic' : 'manual',

    async invoice(invoiceId, linksOf): Promise<Invoice | undefined> {
      const found = foundIn(await readInvoice(request, invoiceId, linksOf), 'invoice_not_found')
      if (!found) return undefined
      const { invoice } = found
      // A preview must not promise a link that a commit cannot give.
      const page = hosted && !unpayable(invoice) ? pageOf(found) : undefined
      if (page?.is === 'none') throw new Problem(page.refusal)
      return invoice
    },

    async link(paymentLinkId) {
      const read = await readOf(paymentLinkId)
      return (
        read && {
          invoice: read.found.invoice,
          active: isActive(read),
          isCompleted: read.isCompleted,
        }
      )
    },

    async seen(paymentLinkId) {
      const read = await readOf(paymentLinkId).catch((thrown: unknown) => {
        // What is in the other mode of Stripe is followed no more.
        if (thrown instanceof Problem && thrown.refusal.code === 'payment_link_not_found')
          return undefined
        throw thrown
      })
      if (!read) return undefined
      const { invoiceId, status, amount, amountPaid, currency } = read.found.invoice
      const failures = status === 'open' ? read.found.attempts : 0
      const switchedOff = !unpayable(read.found.invoice) && !isActive(read) && !read.isCompleted
      return {
        paymentLinkId,
        invoiceId,
        status,
        amount,
        amountPaid,
        currency,
        failures,
        switchedOff,
      }
    },

    async createLink(wanted, marker, sendBefore = Infinity) {
      if (hosted) return hostedLink(wanted)
      const read = await readPreviewed(request, wanted)
      if (read.is !== 'found') return read
      return createLink(request, wanted, read.found.invoice, { marker, sendBefore })
    },

    findLink: (wanted, marker) => (hosted ? hostedLink(wanted) : findLink(request, wanted, marker)),
  }
}

const isActive = ({ found, isOn }: { found: HostedInvoice; isOn: boolean }): boolean =>
  isOn && !unpayable(found.invoice)

function foundIn<T>(
  read: Lookup<T>,
  code: 'invoice_not_found' | 'payment_link_not_found',
): T | undefined {
  if (read.is === 'failed') throw new Problem(read.refusal)
  if (read.is === 'found') return read.found
  if (read.detail !== undefined) throw new Problem(notFound(code, read))
  return undefined
}

function pageOf({
  page,
}: HostedInvoice): { is: 'page'; url: string } | { is: 'none'; refusal: Refusal } {
  const url = page !== null && URL.canParse(page) ? new URL(page) : undefined
  if (url?.protocol === 'https:' && /(?:^|\.)stripe\.com$/.test(url.hostname))
    return { is: 'page', url: url.href }
  const refusal = ownerMustFix(
    'Stripe gives no payment page of its own for this invoice. Check in Stripe that its page can be opened, or set PAYMENT_LINK_STYLE to payment_link.',
  )
  return { is: 'none', refusal }
}

export const stripeRequest = ({
  secretKey,
  baseUrl,
  timeoutMs,
  fetch,
}: Omit<PaymentConnection, 'style'>) =>
  providerHttp({
    baseUrl: (baseUrl ?? 'https://api.stripe.com').replace(/\/$/, ''),
    headers: { Authorization: `Bearer ${secretKey}`, 'Stripe-Version': STRIPE_VERSION },
    timeoutMs,
    fetch,
  })
