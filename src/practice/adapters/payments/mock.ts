import { maskEmail } from '../../../core/domain/email.ts'
import type { MockLink, MockPayment, NewMockLink } from '../../../core/domain/mock-booking.ts'
import { NOT_FOUND, type StepOutcome, ok, refused } from '../../../core/domain/outcome.ts'
import {
  type Invoice,
  type LinkRequest,
  type MadeLink,
  isWantedInvoice,
  linkStateOf,
  mockCheckoutPath,
  unpayable,
} from '../../../core/domain/payment-link.ts'
import type { Payments } from '../../../core/ports/payments.ts'
import type { LinkStyle } from '../connection.ts'
import { type Faults, readFault, underFault } from '../mock.ts'

/** The payer of all mock invoices, so that a client with this email address finds them. */
const PAYER = 'jordan@example.com'

const invoiceOf = (
  name: string,
  number: string | null,
  status: Invoice['status'],
  [amount, amountPaid]: [number, number],
): Invoice => ({
  invoiceId: `in_mock_${name}`,
  number,
  status,
  amount,
  amountPaid,
  currency: 'usd',
  dueAt: Date.UTC(2030, 0, 15, 17),
  payerInitials: 'J. D.',
  automaticCollection: false,
  testMode: false,
})

const MOCK_INVOICES: readonly Invoice[] = [
  invoiceOf('open', 'MOCK-0001', 'open', [25_000, 0]),
  invoiceOf('paid', 'MOCK-0002', 'paid', [0, 25_000]),
  invoiceOf('void', 'MOCK-0003', 'void', [25_000, 0]),
  { ...invoiceOf('draft', null, 'draft', [25_000, 0]), dueAt: null },
  invoiceOf('partly_paid', 'MOCK-0004', 'partly_paid', [10_000, 15_000]),
  { ...invoiceOf('jpy', 'MOCK-0005', 'open', [12_500, 0]), currency: 'jpy' },
]

const VOIDED = refused('invoice_not_payable', { invoice_status: 'void' })
const GONE = refused('payment_link_not_found')

interface MockLedger {
  payment(invoiceId: string): Promise<MockPayment | undefined>
  makeLink(link: NewMockLink): Promise<MockLink>
  link(id: string): Promise<MockLink | undefined>
  linkUnder(marker: string): Promise<MockLink | undefined>
  endLink(id: string): Promise<void>
}

/** The mock payment provider: its links lead to a page of this service that says that it is a mock. */
export function mockPayments({
  origin,
  faults,
  ledger,
  style = 'hosted_invoice',
}: {
  origin: string
  faults: Faults
  ledger(): MockLedger
  style?: LinkStyle
}): Payments {
  const urlOf = (invoiceId: string) => origin + mockCheckoutPath(invoiceId)
  const asItIs = async (invoice: Invoice) => {
    const payment = await ledger().payment(invoice.invoiceId)
    const now = payment ? { ...invoice, ...statusAfter(invoice, payment) } : invoice
    return { now, failures: payment?.failures ?? 0 }
  }

  const read = async (invoiceId: string) => {
    const fault = readFault(faults, 'invoice')
    const invoice = mockInvoice(invoiceId)
    if (!invoice) return undefined
    const { now, failures } = await asItIs(invoice)
    return { invoice: fault === 'changed' ? { ...now, amount: now.amount + 500 } : now, failures }
  }

  async function readLink(paymentLinkId: string) {
    if (paymentLinkId.startsWith('pl_')) {
      const found = await read(paymentLinkId.slice(3))
      if (!found) return undefined
      const { invoiceId, amount, currency } = found.invoice
      const active = !unpayable(found.invoice)
      const link = { paymentLinkId, invoiceId, active, isCompleted: false, currency }
      return { ...found, link: { ...link, charges: amount, isOwn: false } }
    }
    const made = await ledger().link(paymentLinkId)
    const found = made && (await read(made.invoice_id))
    return found && { ...found, link: { ...madeLink(made), isOwn: true } }
  }

  const makeLink = async (
    { invoiceId, amount, currency }: LinkRequest,
    marker: string,
  ): Promise<StepOutcome> => {
    const failures = (await ledger().payment(invoiceId))?.failures ?? 0
    const made = { url: urlOf(invoiceId), ...(failures > 0 && { failures }) }
    if (style === 'hosted_invoice') return ok({ payment_link_id: `pl_${invoiceId}`, ...made })
    const { id } = await ledger().makeLink({ invoice_id: invoiceId, amount, currency, marker })
    return ok({ payment_link_id: id, ...made })
  }

  return {
    mode: 'mock',
    isTest: false,
    adapterId: style === 'hosted_invoice' ? 'mock' : `mock:${style}`,
    reconciliation: style === 'hosted_invoice' ? 'automatic' : 'manual',
    async invoice(invoiceId, linksOf) {
      const found = await read(invoiceId)
      return found && { ...found.invoice, ...(linksOf && { payerLinks: await linksOf(PAYER) }) }
    },
    async invoices(wanted) {
      readFault(faults, 'invoice')
      const all = await Promise.all(MOCK_INVOICES.map(async (one) => (await asItIs(one)).now))
      const found = all
        .filter(({ number }) => isWantedInvoice({ number, email: PAYER }, wanted))
        .map((invoice) => ({ ...invoice, payerEmail: maskEmail(PAYER) }))
      const open = found.filter(({ status }) => status === 'open' || status === 'partly_paid')
      const isByNumber = open.length === 0 && wanted.number !== undefined
      return { invoices: isByNumber ? found : open, complete: true }
    },
    async link(paymentLinkId) {
      const found = await readLink(paymentLinkId)
      if (!found) return undefined
      const { invoice, link } = found
      return { ...link, invoice, url: link.active ? urlOf(link.invoiceId) : null }
    },
    async madeLinks(ids) {
      const own = ids.filter((id) => !id.startsWith('pl_'))
      const links = await Promise.all(own.map((id) => ledger().link(id)))
      return links.flatMap((link) => (link ? madeLink(link) : []))
    },
    async seen(paymentLinkId) {
      const found = await readLink(paymentLinkId)
      return found && linkStateOf(found.link, found.invoice, found.failures)
    },
    createLink: (request, marker) =>
      underFault(faults, 'link', VOIDED, () => makeLink(request, marker)),
    async findLink(request, marker) {
      if (style === 'hosted_invoice') return makeLink(request, marker)
      return (await ledger().linkUnder(marker)) ? makeLink(request, marker) : NOT_FOUND
    },
    endLink: (paymentLinkId) =>
      underFault(faults, 'end_link', GONE, async () => {
        await ledger().endLink(paymentLinkId)
        return ok()
      }),
    async findEnded(paymentLinkId) {
      const link = await ledger().link(paymentLinkId)
      if (!link) return GONE
      return link.active ? NOT_FOUND : ok()
    },
  }
}

const madeLink = ({ id, invoice_id, amount, currency, active, completed }: MockLink): MadeLink => ({
  paymentLinkId: id,
  invoiceId: invoice_id,
  active: active === 1,
  isCompleted: completed === 1,
  charges: amount,
  currency,
})

function statusAfter({ amount, amountPaid }: Invoice, { status }: MockPayment): Partial<Invoice> {
  if (status === 'paid') return { status, amount: 0, amountPaid: amountPaid + amount }
  return status === 'void' ? { status } : {}
}

export const mockInvoice = (invoiceId: string): Invoice | undefined =>
  MOCK_INVOICES.find((invoice) => invoice.invoiceId === invoiceId)
