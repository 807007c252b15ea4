import type { StepOutcome } from '../../../../src/core/domain/outcome.ts'
import {
  type Invoice,
  type LinkRequest,
  type MadeLink,
  type ProviderLinkState,
  isWantedInvoice,
  linkStateOf,
} from '../../../../src/core/domain/payment-link.ts'
import { Problem } from '../../../../src/core/domain/problem/problem.ts'
import { HOUR } from '../../../../src/core/domain/time/duration.ts'
import type { Payments } from '../../../../src/core/ports/payments.ts'
import type { Random } from '../../../support/random.ts'
import type { Timeline } from '../timeline.ts'
import type { Exchange } from './network.ts'

/** The provider knows a marker for a day; what leaves is there within the hour, or never. */
const MARKER_KNOWN = 24 * HOUR
const LANDS_WITHIN = HOUR - 60_000

interface Link {
  id: string
  request: LinkRequest
  marker: string
  active: boolean
  madeAt: number
  /** Lists show it only from then on. */
  listedFrom: number
}

/** The truth at the payment provider, and what people do there by hand. */
export interface PaymentProvider {
  invoices: Map<string, Invoice>
  /** The link with this id; the page of an invoice is for whatever is left to pay. */
  linkNamed(id: string): { invoiceId: string; amount?: number; active?: boolean } | undefined
  /** The ids of the links that were made. */
  linkIds(): string[]
  port(exchange: Exchange, style: string, blind: () => boolean): Payments
  byHand(): void
  /** The listener is given the invoice with which something happened. */
  watch(listener: (invoiceId: string) => void): void
  /** A link, or the page of an invoice, as it is now. */
  seen(id: string): ProviderLinkState | undefined
}

const tooLate: StepOutcome = { is: 'busy', refusal: { code: 'provider_busy', effect: 'none' } }

const notPayable = ({ status, amount }: Invoice): StepOutcome | undefined =>
  (status === 'open' || status === 'partly_paid') && amount > 0
    ? undefined
    : {
        is: 'refused',
        refusal: { code: 'invoice_not_payable', effect: 'none', invoice_status: status },
      }

export function paymentProvider(
  { timeline, random }: { timeline: Timeline; random: Random },
  invoices: Map<string, Invoice>,
): PaymentProvider {
  const links = new Map<string, Link>()
  const failures = new Map<string, number>()
  let changed: (invoiceId: string) => void = () => {}

  const linkOf = ({ id }: { id: string }): StepOutcome => ({
    is: 'ok',
    facts: { payment_link_id: id, url: `https://pay.example.com/${id}` },
  })
  const isFor = ({ request }: Link, { invoiceId, amount }: LinkRequest) =>
    request.invoiceId === invoiceId && request.amount === amount
  const listed = (wanted: (link: Link) => boolean, blind: () => boolean) =>
    [...links.values()].find(
      (link) => link.active && wanted(link) && link.listedFrom <= timeline.now && !blind(),
    )
  const made = ({ id, request, active }: Link): MadeLink => ({
    paymentLinkId: id,
    invoiceId: request.invoiceId,
    active,
    isCompleted: false,
    charges: request.amount,
    currency: request.currency,
  })

  /** Someone pays or fails to, or the practice changes the invoice. What is paid or void stays so. */
  function act(invoiceId: string): void {
    const invoice = invoices.get(invoiceId)!
    const change = random.weighted([
      [3, { status: 'partly_paid' as const, amount: Math.max(0, invoice.amount - 500) }],
      [2, { status: 'paid' as const, amount: 0 }],
      [1, { status: 'void' as const }],
      [2, { automaticCollection: !invoice.automaticCollection }],
      [2, undefined],
    ])
    if (invoice.status === 'paid' || invoice.status === 'void') return
    if (change) invoices.set(invoiceId, { ...invoice, ...change })
    else failures.set(invoiceId, (failures.get(invoiceId) ?? 0) + 1)
    changed(invoiceId)
  }

  function create(request: LinkRequest, marker: string): { ran: StepOutcome; effect?: string } {
    const known = [...links.values()].find((link) => link.marker === marker)
    if (known && timeline.now - known.madeAt < MARKER_KNOWN) return { ran: linkOf(known) }
    const id = `plink_${links.size + 1}`
    const lag = random.chance(0.3) ? random.int(0, 300_000) : 0
    const listedFrom = timeline.now + lag
    links.set(id, { id, request, marker, active: true, madeAt: timeline.now, listedFrom })
    if (random.chance(0.7))
      timeline.after(random.int(0, 12 * HOUR), 'the payer acts', () => act(request.invoiceId))
    return { ran: linkOf({ id }), effect: id }
  }

  return {
    invoices,
    linkIds: () => [...links.keys()],
    linkNamed(id) {
      const link = links.get(id)
      if (link) return { ...link.request, active: link.active }
      const invoice = invoices.get(id.replace(/^pl_/, ''))
      return invoice && id.startsWith('pl_') ? { invoiceId: invoice.invoiceId } : undefined
    },
    byHand: () => act(random.pick([...invoices.keys()])),
    watch: (listener) => void (changed = listener),
    seen(id) {
      const link = links.get(id)
      const invoiceId = link?.request.invoiceId ?? id.replace(/^pl_/, '')
      const invoice = invoices.get(invoiceId)
      if (!invoice) return undefined
      const one = link ? made(link) : { paymentLinkId: id, active: true, isCompleted: false }
      return linkStateOf(one as MadeLink, invoice, failures.get(invoiceId) ?? 0)
    },
    port({ ask, look, mutate }, style, blind) {
      const hosted = style === 'hosted_invoice'
      /** The invoice as it was previewed, read again. */
      async function previewed({
        invoiceId,
        amount,
      }: LinkRequest): Promise<StepOutcome | 'as previewed'> {
        try {
          const invoice = await ask('an invoice', () => invoices.get(invoiceId))
          if (!invoice)
            return { is: 'refused', refusal: { code: 'invoice_not_found', effect: 'none' } }
          const moved = invoice.amount !== amount
          if (moved)
            return {
              is: 'refused',
              refusal: { code: 'preview_stale', effect: 'none', changes: [] },
            }
          return notPayable(invoice) ?? 'as previewed'
        } catch (thrown) {
          if (thrown instanceof Problem) return { is: 'busy', refusal: thrown.refusal }
          throw thrown
        }
      }
      const page = async (request: LinkRequest): Promise<StepOutcome> => {
        const read = await previewed(request)
        return read === 'as previewed' ? linkOf({ id: `pl_${request.invoiceId}` }) : read
      }
      return {
        mode: 'live',
        isTest: false,
        adapterId: `stripe:${style}`,
        reconciliation: hosted ? 'automatic' : 'manual',
        link: (id) =>
          ask('a link', () => {
            const link = links.get(id)
            const invoice = link && invoices.get(link.request.invoiceId)
            return link && invoice && { ...made(link), invoice, isOwn: true, url: null }
          }),
        madeLinks: (ids) =>
          ask('links', () =>
            ids.flatMap((id) => {
              const link = links.get(id)
              return link ? made(link) : []
            }),
          ),
        endLink: (id, marker) =>
          mutate({
            act: 'end',
            marker,
            target: id,
            land() {
              const link = links.get(id)
              if (!link)
                return {
                  ran: {
                    is: 'refused',
                    refusal: { code: 'payment_link_not_found', effect: 'none' },
                  },
                }
              const wasActive = link.active
              link.active = false
              changed(link.request.invoiceId)
              return { ran: { is: 'ok', facts: {} }, ...(wasActive && { effect: id }) }
            },
          }),
        findEnded: (id, marker) =>
          look(marker, () =>
            links.get(id)?.active === false ? { is: 'ok', facts: {} } : { is: 'not_found' },
          ),
        seen: () => Promise.resolve(undefined),
        invoices: (wanted) =>
          ask('invoices', () => ({
            invoices: [...invoices.values()]
              .filter(({ number }) => isWantedInvoice({ number, email: null }, wanted))
              .map((invoice) => ({ ...invoice, payerEmail: null })),
            complete: true,
          })),
        invoice: (invoiceId) => ask('an invoice', () => invoices.get(invoiceId)),
        async createLink(request, marker, sendBefore = Infinity, ids = []) {
          if (hosted) return page(request)
          const read = await previewed(request)
          if (read !== 'as previewed') return read
          const known = await ask('the links', () => ({
            link:
              ids
                .flatMap((id) => links.get(id) ?? [])
                .find((one) => one.active && isFor(one, request)) ??
              listed((one) => isFor(one, request), blind),
          }))
          if (known.link) return linkOf(known.link)
          if (timeline.now >= sendBefore) return tooLate
          return mutate({
            act: 'link',
            marker,
            target: request.invoiceId,
            land: () => create(request, marker),
            landsWithin: LANDS_WITHIN,
          })
        },
        findLink: (request, marker) =>
          hosted
            ? page(request)
            : look(marker, () => {
                const link = listed((one) => one.marker === marker, blind)
                return link ? linkOf(link) : { is: 'not_found' }
              }),
      }
    },
  }
}
