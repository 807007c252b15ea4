import { type Invoice, type LinkRequest, unpayable } from '../../../domain/payment-link.ts'
import type { Ran } from '../../../domain/outcome.ts'
import { Problem, type Refusal } from '../../../domain/problem.ts'
import type { Payments } from '../../../ports/index.ts'
import { providerHttp } from '../../provider-http.ts'
import { STRIPE_VERSION, misconfigured } from './errors.ts'
import { type HostedInvoice, type Read, readInvoice, readPreviewed } from './invoice.ts'
import { createLink, findLink, isOpen, readLink } from './links.ts'

/** `hosted_invoice`: the invoice's own page, which settles it when paid. `payment_link`: a new link that does not. */
export type LinkStyle = 'hosted_invoice' | 'payment_link'

export interface StripeSettings {
  /** A restricted key of the practice; of the test mode or live, the adapter is the same. */
  secretKey: string
  /** Another host for rehearsal; Stripe itself if left out. */
  baseUrl?: string | undefined
  /** The longest wait for one answer of Stripe. */
  timeoutMs: number
  fetch: typeof fetch
  style: LinkStyle
}

const STRIPE = 'https://api.stripe.com'

/** Stripe as the payment provider. The style is part of `via`: a preview made under one is not committed under another. */
export function stripePayments({ secretKey, baseUrl, timeoutMs, fetch, style }: StripeSettings): Payments {
  const ask = providerHttp({
    baseUrl: (baseUrl ?? STRIPE).replace(/\/$/, ''),
    headers: { Authorization: `Bearer ${secretKey}`, 'Stripe-Version': STRIPE_VERSION },
    timeoutMs,
    fetch,
  })
  const hosted = style === 'hosted_invoice'

  /** Nothing is made: to give the link is to read the invoice, so there is never a doubt. */
  async function hostedLink(request: LinkRequest): Promise<Ran> {
    const read = await readPreviewed(ask, request)
    if (read.is !== 'found') return read
    const page = pageOf(read.found)
    if (page.is === 'none') return { is: 'busy', refusal: page.refusal }
    return { is: 'ok', facts: { payment_link_id: `pl_${request.invoiceId}`, url: page.url } }
  }

  return {
    mode: 'live',
    via: `stripe:${style}`,
    reconciliation: hosted ? 'automatic' : 'manual',

    async invoice(invoiceId, linksOf): Promise<Invoice | undefined> {
      const found = foundIn(await readInvoice(ask, invoiceId, linksOf))
      if (!found) return undefined
      const { invoice } = found
      // What a commit could not give is said before anybody is asked to confirm it.
      const page = hosted && !unpayable(invoice) ? pageOf(found) : undefined
      if (page?.is === 'none') throw new Problem(page.refusal)
      return invoice
    },

    async link(paymentLinkId) {
      const made = paymentLinkId.startsWith('plink_')
        ? foundIn(await readLink(ask, paymentLinkId))
        : undefined
      const invoiceId = made ? made.metadata['invoice_id'] : /^pl_(in_\w+)$/.exec(paymentLinkId)?.[1]
      const read = invoiceId === undefined ? undefined : foundIn(await readInvoice(ask, invoiceId))
      if (!read) return undefined
      const { invoice } = read
      return { invoice, active: !unpayable(invoice) && (made ? isOpen(made) : true) }
    },

    async createLink(request, marker, sendBefore = Infinity) {
      if (hosted) return hostedLink(request)
      const read = await readPreviewed(ask, request)
      return read.is === 'found' ? createLink(ask, request, read.found.invoice, { marker, sendBefore }) : read
    },

    findLink: (request, marker) => (hosted ? hostedLink(request) : findLink(ask, request, marker)),
  }
}

/** What was read, or nothing where there is no such thing. Raises what kept it from being asked. */
function foundIn<T>(read: Read<T>): T | undefined {
  if (read.is === 'failed') throw new Problem(read.refusal)
  return read.is === 'found' ? read.found : undefined
}

/** The invoice's own page, which must be one of Stripe's. */
function pageOf({ page }: HostedInvoice): { is: 'page'; url: string } | { is: 'none'; refusal: Refusal } {
  const url = page !== null && URL.canParse(page) ? new URL(page) : undefined
  if (url?.protocol === 'https:' && /(?:^|\.)stripe\.com$/.test(url.hostname))
    return { is: 'page', url: url.href }
  const refusal = misconfigured(
    'Stripe gives no payment page of its own for this invoice. Check in Stripe that its page can be opened, or set PAYMENT_LINK_STYLE to payment_link.',
  )
  return { is: 'none', refusal }
}
