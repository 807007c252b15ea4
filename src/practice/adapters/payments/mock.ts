import type { MockPayment } from '../../../core/domain/mock-booking.ts'
import { type Invoice, mockCheckoutPath, unpayable } from '../../../core/domain/payment-link.ts'
import type { Payments } from '../../../core/ports/payments.ts'
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

const VOIDED = { code: 'invoice_not_payable', invoice_status: 'void' } as const

interface MockLedger {
  payment(invoiceId: string): Promise<MockPayment | undefined>
}

/** The mock payment provider: its link is a page of this service that says that it is a mock. */
export function mockPayments({
  origin,
  faults,
  ledger,
}: {
  origin: string
  faults: Faults
  ledger(): MockLedger
}): Payments {
  const linkTo = (invoiceId: string) => ({
    payment_link_id: `pl_${invoiceId}`,
    url: origin + mockCheckoutPath(invoiceId),
  })
  const read = async (invoiceId: string) => {
    const fault = readFault(faults, 'invoice')
    const invoice = mockInvoice(invoiceId)
    if (!invoice) return undefined
    const payment = await ledger().payment(invoiceId)
    const now = payment ? { ...invoice, ...statusAfter(invoice, payment) } : invoice
    const failures = payment?.failures ?? 0
    return { invoice: fault === 'changed' ? { ...now, amount: now.amount + 500 } : now, failures }
  }
  const ofLink = async (paymentLinkId: string) =>
    paymentLinkId.startsWith('pl_') ? read(paymentLinkId.slice(3)) : undefined
  return {
    mode: 'mock',
    isTest: false,
    adapterId: 'mock',
    reconciliation: 'automatic',
    async invoice(invoiceId, linksOf) {
      const found = await read(invoiceId)
      return found && { ...found.invoice, ...(linksOf && { payerLinks: await linksOf(PAYER) }) }
    },
    async link(paymentLinkId) {
      const found = await ofLink(paymentLinkId)
      return (
        found && { invoice: found.invoice, active: !unpayable(found.invoice), isCompleted: false }
      )
    },
    async seen(paymentLinkId) {
      const found = await ofLink(paymentLinkId)
      if (!found) return undefined
      const { invoiceId, status, amount, amountPaid, currency } = found.invoice
      const seen = { paymentLinkId, invoiceId, status, amount, amountPaid, currency }
      return { ...seen, failures: found.failures, switchedOff: false }
    },
    createLink: ({ invoiceId }) =>
      underFault(faults, 'link', VOIDED, () =>
        Promise.resolve({ is: 'ok', facts: linkTo(invoiceId) }),
      ),
    findLink: ({ invoiceId }) => Promise.resolve({ is: 'ok', facts: linkTo(invoiceId) }),
  }
}

const statusAfter = ({ amount, amountPaid }: Invoice, { status }: MockPayment): Partial<Invoice> =>
  status === 'paid'
    ? { status, amount: 0, amountPaid: amountPaid + amount }
    : status === 'void'
      ? { status }
      : {}

export const mockInvoice = (invoiceId: string): Invoice | undefined =>
  MOCK_INVOICES.find((invoice) => invoice.invoiceId === invoiceId)
