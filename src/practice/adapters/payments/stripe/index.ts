import { maskEmail } from '../../../../core/domain/email.ts'
import { type StepOutcome, busy, ok } from '../../../../core/domain/outcome.ts'
import {
  type FoundInvoice,
  type Invoice,
  type InvoicesWanted,
  type LinkRequest,
  MOST_OPEN_INVOICES,
  MOST_OTHER_INVOICES,
  type PaymentLinkStatus,
  isWantedInvoice,
  linkStateOf,
  unpayable,
} from '../../../../core/domain/payment-link.ts'
import { Problem } from '../../../../core/domain/problem/problem.ts'
import type { Payments } from '../../../../core/ports/payments.ts'
import type { PaymentConnection } from '../../connection.ts'
import { providerHttp } from '../../provider-http.ts'
import {
  LATER,
  STRIPE_VERSION,
  bodyOf,
  isTestKey,
  lackIn,
  ownerMustFix,
  refusalOf,
} from './errors.ts'
import {
  type HostedInvoice,
  INVOICE_ID,
  type Lookup,
  type StripeRequest,
  createLink,
  endLink,
  findEnded,
  findLink,
  invoiceOf,
  invoiceSchema,
  linkPaymentUnderWay,
  madeLink,
  notFound,
  paymentUnderWay,
  readInvoice,
  readLink,
  readPreviewed,
  PAGE_SIZE,
  namedSchema,
  pageSchema,
  statedSchema,
} from './invoices-and-links.ts'

/** Stripe. The adapter's id has the link style: a preview under one style is not committed under another. */
export function stripePayments({ style, ...connection }: PaymentConnection): Payments {
  const request = stripeRequest(connection)
  const hosted = style === 'hosted_invoice'

  /** Reads the link from the invoice: nothing is created, so the outcome is always known. */
  async function hostedLink(wanted: LinkRequest): Promise<StepOutcome> {
    const read = await readPreviewed(request, wanted)
    if (read.is !== 'found') return read
    const url = pageOf(read.found)
    if (url === null) return busy(NO_PAGE)
    const before = await failuresBefore(read.found)
    return ok({ payment_link_id: `pl_${wanted.invoiceId}`, url, ...before })
  }

  /** How many payments of an invoice had failed before a link is made for it, where some had. */
  async function failuresBefore(found: HostedInvoice) {
    const isUnderWay = () => paymentUnderWay(request, found.invoice.invoiceId)
    const failures = await failuresOf(found, isUnderWay)
    return failures > 0 ? { failures } : {}
  }

  /**
   * The invoice's own page as a link. It is on as long as its invoice can be paid, and asks for
   * what is left.
   */
  async function pageLink(paymentLinkId: string, invoiceId: string): Promise<Missing | Seen> {
    const [read, underWay] = await Promise.all([
      readInvoice(request, invoiceId),
      paymentUnderWay(request, invoiceId),
    ])
    const invoice = orThrow(read)
    if (invoice.is === 'missing') return invoice
    const { found } = invoice
    const active = !unpayable(found.invoice)
    return {
      is: 'found',
      found,
      link: {
        paymentLinkId,
        invoiceId,
        active,
        isCompleted: underWay === true,
        charges: found.invoice.amount,
        currency: found.invoice.currency,
        url: active ? pageOf(found) : null,
        isOwn: false,
      },
      isUnderWay: async () => underWay,
    }
  }

  async function ownLink(paymentLinkId: string): Promise<Missing | Seen> {
    const read = orThrow(await readLink(request, paymentLinkId))
    if (read.is === 'missing') return read
    const made = madeLink(read.found)
    if (!made) return { is: 'missing' }
    const invoice = orThrow(await readInvoice(request, made.invoiceId))
    if (invoice.is === 'missing') return invoice
    const url = made.active ? read.found.url : null
    return {
      is: 'found',
      found: invoice.found,
      link: { ...made, url, isOwn: true },
      async isUnderWay() {
        const asked = await Promise.all([
          paymentUnderWay(request, made.invoiceId),
          linkPaymentUnderWay(request, read.found),
        ])
        return asked.includes(true) || (asked.includes(null) ? null : false)
      },
    }
  }

  async function readOf(paymentLinkId: string): Promise<Missing | Seen> {
    const [, invoiceId] = /^pl_(in_\w+)$/.exec(paymentLinkId) ?? []
    return invoiceId === undefined ? ownLink(paymentLinkId) : pageLink(paymentLinkId, invoiceId)
  }

  return {
    mode: 'live',
    isTest: isTestKey(connection.secretKey),
    adapterId: `stripe:${style}`,
    reconciliation: hosted ? 'automatic' : 'manual',

    async lackOfPayments() {
      const path = '/v1/payment_intents/pi_doctor0000000000000000'
      return lackIn(await request({ method: 'GET', path }), 'rak_payment_intent_read')
    },

    async invoice(named, linksOf): Promise<Invoice | undefined> {
      const invoiceId = IN_DASHBOARD.exec(named)?.[1] ?? named
      const [read, underWay] = await Promise.all([
        readInvoice(request, invoiceId, linksOf),
        linksOf && INVOICE_ID.test(invoiceId) ? paymentUnderWay(request, invoiceId) : undefined,
      ])
      const found = foundIn(read, 'invoice_not_found')
      if (!found) return undefined
      const { invoice } = found
      // A preview must not promise a link that a commit cannot give.
      if (hosted && !unpayable(invoice) && pageOf(found) === null) throw new Problem(NO_PAGE)
      return underWay === undefined ? invoice : { ...invoice, paymentUnderWay: underWay }
    },

    invoices: (wanted) => findInvoices(request, wanted),

    async link(paymentLinkId) {
      const read = await readOf(paymentLinkId)
      if (read.is === 'found') {
        const isUnderWay = (await read.isUnderWay()) === true
        const underWay = isUnderWay && { paymentUnderWay: true as const }
        return { ...read.link, ...underWay, invoice: read.found.invoice }
      }
      if (read.detail !== undefined) throw new Problem(notFound('payment_link_not_found', read))
      return undefined
    },

    async madeLinks(ids) {
      const reads = await Promise.all(ids.map((id) => readLink(request, id)))
      return reads.flatMap((read) => {
        const link = foundIn(read, 'payment_link_not_found')
        return link ? (madeLink(link) ?? []) : []
      })
    },

    async seen(paymentLinkId) {
      const read = await readOf(paymentLinkId)
      if (read.is !== 'found') return undefined
      const failures = await failuresOf(read.found, read.isUnderWay)
      return linkStateOf(read.link, read.found.invoice, failures)
    },

    async createLink(wanted, marker, sendBefore = Infinity, known = []) {
      if (hosted) return hostedLink(wanted)
      const read = await readPreviewed(request, wanted)
      if (read.is !== 'found') return read
      const before = await failuresBefore(read.found)
      const made = await createLink(request, wanted, read.found.invoice, {
        marker,
        sendBefore,
        known,
      })
      return made.is === 'ok' ? ok({ ...made.facts, ...before }) : made
    },

    endLink: (paymentLinkId) => endLink(request, paymentLinkId),
    findEnded: (paymentLinkId) => findEnded(request, paymentLinkId),
    async findLink(wanted, marker) {
      if (hosted) return hostedLink(wanted)
      const link = await findLink(request, wanted, marker)
      if (link.is !== 'ok') return link
      const read = await readInvoice(request, wanted.invoiceId)
      return read.is === 'found'
        ? ok({ ...link.facts, ...(await failuresBefore(read.found)) })
        : link
    },
  }
}

/** The address of an invoice in Stripe's dashboard, which people copy, in either mode. */
const IN_DASHBOARD = /^(?:https:\/\/)?dashboard\.stripe\.com\/(?:[\w/]+\/)?invoices\/(in_\w+)/

type Missing = Extract<Lookup<never>, { is: 'missing' }>
/** A link of ours, with its invoice. */
interface Seen {
  is: 'found'
  found: HostedInvoice
  link: Omit<PaymentLinkStatus, 'invoice'>
  /** Whether a payment of the invoice, or through the link, is under way; null where that is not known. */
  isUnderWay(): Promise<boolean | null>
}

/**
 * How many payments of an open invoice have failed. A bank debit counts as an attempt from its
 * beginning: an attempt before the last one has failed, and the last one has where no payment is
 * under way.
 */
async function failuresOf(
  { invoice, attempts }: HostedInvoice,
  isUnderWay: () => Promise<boolean | null>,
): Promise<number> {
  if (invoice.status !== 'open' || attempts === 0) return 0
  return (await isUnderWay()) === false ? attempts : attempts - 1
}

function orThrow<T>(read: Lookup<T>): Exclude<Lookup<T>, { is: 'failed' }> {
  if (read.is === 'failed') throw new Problem(read.refusal)
  return read
}

function foundIn<T>(
  lookup: Lookup<T>,
  code: 'invoice_not_found' | 'payment_link_not_found',
): T | undefined {
  const read = orThrow(lookup)
  if (read.is === 'found') return read.found
  if (read.detail !== undefined) throw new Problem(notFound(code, read))
  return undefined
}

/** The address of an invoice's own page; null where Stripe gives none on a host of its own. */
function pageOf({ page }: HostedInvoice): string | null {
  const url = URL.parse(page ?? '')
  const isStripes = url?.protocol === 'https:' && /(?:^|\.)stripe\.com$/.test(url.hostname)
  return isStripes ? url.href : null
}

const NO_PAGE = ownerMustFix(
  'Stripe gives no payment page of its own for this invoice. ' +
    'Check in Stripe that its page can be opened, or set PAYMENT_LINK_STYLE to ' +
    'payment_link.',
)

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

/** All pages of open invoices, and enough others to look at among them. */
const MOST_PAGES = (MOST_OPEN_INVOICES + MOST_OTHER_INVOICES) / PAGE_SIZE

const isOpen = (entry: unknown) => statedSchema.safeParse(entry).data?.status === 'open'

/**
 * Searches invoices. Stripe's list has no filter by number or address, and its search lags behind,
 * so the list is read and compared here: one to five requests where an open one is found or all
 * open ones are wanted. Raises a `Problem`.
 */
async function findInvoices(
  send: StripeRequest,
  wanted: InvoicesWanted,
): ReturnType<Payments['invoices']> {
  const open = await newest(send, 'open', MOST_OPEN_INVOICES, () => true)
  const found = matching(open.entries, wanted)
  if (found.invoices.length > 0 || wanted.number === undefined)
    return { ...found, complete: found.complete && open.complete }
  const others = await newest(send, undefined, MOST_OTHER_INVOICES, (one) => !isOpen(one))
  const ended = matching(others.entries, wanted)
  return {
    invoices: ended.invoices,
    complete: found.complete && open.complete && ended.complete && others.complete,
  }
}

/**
 * The newest entries of the list that count, at most so many; `complete` if the list has no others
 * that count.
 */
async function newest(
  send: StripeRequest,
  status: 'open' | undefined,
  most: number,
  counts: (entry: unknown) => boolean,
): Promise<{ entries: unknown[]; complete: boolean }> {
  const entries: unknown[] = []
  let after: string | undefined
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const query = { status, limit: String(PAGE_SIZE), starting_after: after }
    const response = await send({ method: 'GET', path: '/v1/invoices', query })
    const page = bodyOf(response, pageSchema)
    if (!page) throw new Problem(refusalOf(response, 'rak_invoice_read'))
    entries.push(...page.data.filter(counts))
    if (entries.length > most) return { entries: entries.slice(0, most), complete: false }
    if (!page.has_more) return { entries, complete: true }
    after = namedSchema.safeParse(page.data.at(-1)).data?.id
    // A list that goes on and does not say where must not look complete.
    if (after === undefined) throw new Problem(LATER)
    if (entries.length === most) return { entries, complete: false }
  }
  return { entries, complete: false }
}

/** Those that are wanted; not `complete` if an entry cannot be read and may be one of them. */
function matching(
  entries: readonly unknown[],
  wanted: InvoicesWanted,
): { invoices: FoundInvoice[]; complete: boolean } {
  let complete = true
  // Stripe may list one twice, on either side of a page.
  const invoices = new Map<string, FoundInvoice>()
  for (const entry of entries) {
    const { data } = invoiceSchema.safeParse(entry)
    const invoice = data && invoiceOf(data)
    if (!invoice || !INVOICE_ID.test(data.id)) {
      complete = false
      continue
    }
    const email = data.customer_email ?? null
    if (isWantedInvoice({ number: data.number, email }, wanted))
      invoices.set(data.id, { ...invoice, payerEmail: email === null ? null : maskEmail(email) })
  }
  return { invoices: [...invoices.values()], complete }
}
