import * as z from 'zod'

import type { Sentence } from '../../core/confirm/mutation.ts'
import { displayAmount } from '../../core/domain/money.ts'
import { NOT_SENT } from '../../core/domain/outcome.ts'
import {
  type Invoice,
  type MadeLink,
  type Reconciliation,
  invoiceStatusSchema,
  reconciliationSchema,
  unpayable,
} from '../../core/domain/payment-link.ts'
import { recordId, recordKey, recordedAt } from '../../core/domain/records.ts'
import { HOUR } from '../../core/domain/time/duration.ts'
import { dateIn, instantOf, localDay, spokenTime } from '../../core/domain/time/time.ts'
import type { Ports } from '../../core/ports/services.ts'
import { emailIndex } from './client/identity.ts'
import { invoiceIdOf } from './invoice-by-number.ts'
import { defineMutation, recordWrite } from './operation.ts'
import {
  type EarlierLink,
  completedLinks,
  earlierLinkWarnings,
  otherOpenLinks,
} from './payment-link-warnings.ts'
import { hostForms, namedObject, numberAsText, orNull, textOrNull, textField } from './schemas.ts'

/** The provider makes one link per marker for this long, so a doubtful create may be sent again. */
const SAME_MARKER_WINDOW = 23 * HOUR

/** An invoice as a link is made for it. */
export const invoiceFields = {
  invoice_id: z.string().meta({
    description: 'The invoice, by the id of the payment provider.',
    examples: ['in_mock_open'],
  }),
  invoice_number: textOrNull,
  amount: z
    .int()
    .describe(
      'What the link is for: what is left to pay when it is made, in minor units of the currency.',
    ),
  currency: textField('ISO 4217, lower case.'),
  amount_display: z.string(),
  reconciliation: reconciliationSchema,
}

const invoiceSchema = z.object(invoiceFields)

/** When an invoice is due. */
export const dueFields = {
  due_date: orNull(z.string().meta({ format: 'date' })).describe(
    'The due date, in the zone of the practice.',
  ),
  due_date_text: textOrNull.describe('The due date in words.'),
}

export const dueOf = (dueAt: number | null, timezone: string) => ({
  due_date: dueAt === null ? null : dateIn(dueAt, timezone),
  due_date_text: dueAt === null ? null : localDay(dueAt, timezone),
})

export const payerField = textOrNull.describe('Initials only.')

/** What is left to pay on an invoice, as its provider counts it now. */
export const remainingFields = {
  amount_remaining: z.int().describe('What is left to pay, in minor units of the currency.'),
  amount_remaining_display: z.string(),
}

export const remainingOf = ({ amount, currency }: Invoice) => ({
  amount_remaining: amount,
  amount_remaining_display: displayAmount(amount, currency),
})

/** The same, and what was paid on it. */
export const balanceFields = {
  ...remainingFields,
  amount_paid: z.int().describe('What has been paid so far, in minor units of the currency.'),
  amount_paid_display: z.string(),
}

export const balanceOf = (invoice: Invoice) => ({
  ...remainingOf(invoice),
  amount_paid: invoice.amountPaid,
  amount_paid_display: displayAmount(invoice.amountPaid, invoice.currency),
})

/** What a link itself charges. */
export const linkAmountFields = {
  link_amount: orNull(z.int()).describe(
    'What the link itself charges, in minor units of the currency; null where it is not known.',
  ),
  link_amount_display: textOrNull,
}

export const linkAmountOf = ({ charges, currency }: MadeLink) => ({
  link_amount: charges,
  link_amount_display: charges === null ? null : displayAmount(charges, currency),
})

export const linkIdField = z
  .string()
  .meta({ description: 'The payment link.', examples: ['pl_in_mock_open'] })

const madeSchema = z.object({
  payment_link_id: z.string(),
  url: z.string(),
  used_up: z.boolean().default(false),
  failures: z.number().optional(),
})

export const EXAMPLE_LEFT = { amount_remaining: 25000, amount_remaining_display: '$250.00' }
export const EXAMPLE_BALANCE = { ...EXAMPLE_LEFT, amount_paid: 0, amount_paid_display: '$0.00' }

const EXAMPLE_INVOICE = {
  invoice_id: 'in_mock_open',
  invoice_number: 'MOCK-0001',
  amount: 25000,
  currency: 'usd',
  amount_display: '$250.00',
  reconciliation: 'automatic',
}

export const EXAMPLE_LINK = {
  payment_link_id: 'pl_in_mock_open',
  url: 'https://connector.example.com/mock/checkout/in_mock_open',
  state: 'active' as const,
  ...EXAMPLE_INVOICE,
}

/** Under which a record of a link is found by its invoice. */
const invoiceIndex = (invoiceId: string) => `invoice:${invoiceId}`

/** How many earlier links of one invoice are looked at, the newest first. */
const MOST_EARLIER = 10

/** The ids of the links that were made here for an invoice, the newest first, with when that was. */
async function madeHere(
  invoiceId: string,
  { records, payments }: Pick<Ports, 'records' | 'payments'>,
): Promise<Map<string, number>> {
  const entries = await records.newestWith(
    [invoiceIndex(invoiceId)],
    'payment_link',
    payments.mode,
    MOST_EARLIER,
  )
  return new Map(entries.map(({ key, value }) => [recordId(key), instantOf(recordedAt(value))]))
}

/** The page of an invoice is one, and ends with its invoice: no earlier link is given again. */
const isPageOfInvoice = ({ payments }: Pick<Ports, 'payments'>) =>
  payments.reconciliation === 'automatic'

/** The links that were made here for an invoice before, as they are at the provider now. */
async function earlierLinks(
  invoiceId: string,
  ports: Pick<Ports, 'records' | 'payments' | 'practice'>,
): Promise<EarlierLink[]> {
  const made = await madeHere(invoiceId, ports)
  if (made.size === 0) return []
  const links = await ports.payments.madeLinks([...made.keys()])
  return links.map((link) => ({
    ...link,
    madeOn: localDay(made.get(link.paymentLinkId) ?? 0, ports.practice.timezone),
  }))
}

const idsOf = (links: readonly EarlierLink[]) =>
  links
    .map(({ paymentLinkId }) => paymentLinkId)
    .toSorted()
    .join(' ')

interface InvoiceAndLinks {
  invoice: Invoice
  /** Null where that could not be read. */
  earlier: EarlierLink[] | null
}

/** What a person should know of the invoice itself. */
const invoiceWarnings = (invoice: Invoice, reconciliation: Reconciliation): Sentence[] => [
  invoice.status === 'partly_paid' && 'The invoice is partly paid; the link is for what is left.',
  invoice.paymentUnderWay &&
    'A payment of this invoice is under way already, such as a bank debit, which takes ' +
      'days: ask the practice before it is paid again.',
  invoice.paymentUnderWay === null &&
    'It is not known whether a payment of this invoice, such as a bank debit, is under way ' +
      'already: ask the practice before it is paid again.',
  invoice.automaticCollection && 'The provider will also try to collect this amount by itself.',
  invoice.automaticCollection === null &&
    'It is not known whether the provider will also try to collect this amount by itself.',
  reconciliation === 'manual' &&
    'Paying this link does not settle the invoice, whose own payment page stays open.',
  reconciliation === 'manual' &&
    invoice.paysOtherAccount &&
    'The money of this invoice goes to another account than the practice’s own ' +
      '(on_behalf_of or transfer_data); this link would pay the practice’s own account. ' +
      'Ask the practice first.',
  invoice.testMode && 'The invoice is in the test mode of the provider; no real money can be paid.',
]

/** Of a tool: many hosts write its arguments from a command line, and write digits as a number. */
const MAY_LACK_ZEROS =
  'The invoice number came as a number, which has no zeros before it: check that it is the number ' +
  'on the invoice, or send it as text.'

export const createPaymentLink = defineMutation({
  name: 'create_payment_link',
  title: 'Create a payment link',
  description:
    'Creates a payment link (a hosted page on which an invoice can be paid), in two calls, ' +
    'preview and commit. Use this when an invoice is to be paid. find_invoices finds the ' +
    'invoice of a payer, and says which are open. The preview shows what is ' +
    'left to pay. Returns the url to give to the payer, and the payment_link_id. Moves no ' +
    'money by itself, and cannot make or change an invoice.',
  scope: 'payments:write',
  route: 'POST /v1/payment-links',
  provider: 'payments',
  destructive: false,
  problems: ['invoice_not_found', 'invoice_not_payable'],
  input: z.strictObject({
    invoice_id: invoiceFields.invoice_id
      .describe('The invoice, by the id of the payment provider or the number printed on it.')
      .register(hostForms, { read: numberAsText }),
  }),
  preview: namedObject('PreviewedPaymentLink', {
    ...invoiceFields,
    invoice_status: invoiceStatusSchema,
    ...dueFields,
    payer: payerField,
  }),
  committed: namedObject('PaymentLink', {
    payment_link_id: linkIdField,
    url: z.url().describe('The hosted page on which the invoice can be paid.'),
    state: z
      .enum(['active', 'used_up'])
      .describe(
        'used_up: the link was made, but the answer of the provider was lost, and the link ' +
          'was already paid when it was found.',
      ),
    ...invoiceFields,
  }),
  async facts({ invoice_id: named }, { ports, refuse, keyId, sentAs, mayRead, isPreview }) {
    const { payments, practice, keyring } = ports
    const { reconciliation } = payments
    const isPage = isPageOfInvoice(ports)
    // Of an own page they are from before PAYMENT_LINK_STYLE was changed: a preview warns of them.
    const earlierOf = async (id: string) => {
      if (!isPage) return earlierLinks(id, ports)
      return isPreview ? earlierLinks(id, ports).catch(() => null) : []
    }
    const linksOf = async (email: string) => emailIndex(await keyring(), keyId, email)
    const invoiceNamed = async (id: string): Promise<InvoiceAndLinks | undefined> => {
      const [read, before] = await Promise.allSettled([
        payments.invoice(id, linksOf),
        earlierOf(id),
      ])
      if (read.status === 'rejected') throw read.reason
      const invoice = read.value
      if (!invoice) return undefined
      const refusal = unpayable(invoice)
      if (refusal) throw refuse('invoice_not_payable', refusal)
      if (before.status === 'rejected') throw before.reason
      // The provider may know the invoice by another name, such as the address of its page.
      const isById = invoice.invoiceId === id
      return {
        invoice,
        earlier: isById ? before.value : await earlierOf(invoice.invoiceId),
      }
    }
    const byId = await invoiceNamed(named)
    const mayLackZeros = sentAs?.['/invoice_id'] === 'number'
    const numbered = byId ? undefined : await invoiceIdOf(named, payments, mayRead('payments:read'))
    const found = numbered ? await invoiceNamed(numbered.invoiceId) : byId
    if (!found) throw refuse('invoice_not_found')
    const { invoice, earlier } = found
    const pinnedLinks = isPage ? [] : (earlier ?? [])
    const pinned = {
      // From here on the id alone counts, however the invoice was named.
      invoice_id: invoice.invoiceId,
      invoice_number: invoice.number,
      invoice_status: invoice.status,
      amount: invoice.amount,
      currency: invoice.currency,
      // What changed is named as a person reads it, too: 25500 alone could be dollars.
      amount_display: displayAmount(invoice.amount, invoice.currency),
      due_date: dueOf(invoice.dueAt, practice.timezone).due_date,
      payer: invoice.payerInitials,
      automatic_collection: invoice.automaticCollection,
      payment_under_way: invoice.paymentUnderWay ?? null,
      pays_other_account: invoice.paysOtherAccount ?? false,
      test_mode: invoice.testMode,
      links_completed: idsOf(completedLinks(pinnedLinks)),
      other_links_open: idsOf(otherOpenLinks(pinnedLinks, invoice, reconciliation)),
    }
    const index = invoice.payerLinks ?? []
    return { pinned, index, invoice, earlier, numbered, mayLackZeros, reconciliation }
  },
  show(_input, facts, { practice }) {
    const { pinned, invoice, earlier, numbered, mayLackZeros, reconciliation } = facts
    const { invoice_id, invoice_number, amount, currency, amount_display } = pinned
    const preview = {
      invoice_id,
      invoice_number,
      amount,
      currency,
      amount_display,
      invoice_status: pinned.invoice_status,
      ...dueOf(invoice.dueAt, practice.timezone),
      payer: pinned.payer,
      reconciliation,
    }
    return {
      preview,
      summary: `Create a payment link for ${amount_display} on invoice ${invoice_number ?? invoice_id}.`,
      warnings: [
        numbered?.warning,
        numbered && mayLackZeros && MAY_LACK_ZEROS,
        earlierLinkWarnings(earlier, invoice, reconciliation),
        invoiceWarnings(invoice, reconciliation),
      ],
      sealed: [{ readers: ['approver'], texts: { invoice_number: invoice.wholeNumber } }],
    }
  },
  lockKeys: (pinned) => [`invoice:${pinned.invoice_id}`],
  steps: ({ invoice_id, invoice_number, amount, currency }) => {
    const request = { invoiceId: invoice_id, number: invoice_number, amount, currency }
    return [
      {
        retryWindowMs: SAME_MARKER_WINDOW,
        // Links that the provider lists no more are known from the records.
        execute: async ({ ports, marker, sendBefore }) => {
          if (isPageOfInvoice(ports)) return ports.payments.createLink(request, marker, sendBefore)
          const known = await madeHere(invoice_id, ports).catch(() => undefined)
          if (!known) return NOT_SENT
          return ports.payments.createLink(request, marker, sendBefore, [...known.keys()])
        },
        reconcile: ({ ports, marker }) => ports.payments.findLink(request, marker),
      },
    ]
  },
  result: ({ preview, stepResults }) => {
    const { used_up, payment_link_id, url } = madeSchema.parse(stepResults.at(-1))
    const state = used_up ? ('used_up' as const) : ('active' as const)
    return { payment_link_id, url, state, ...invoiceSchema.parse(preview) }
  },
  nextStep: ({ payment_link_id }, { now, practiceZone }) =>
    `The url is as of ${spokenTime(now, practiceZone, practiceZone)}; ` +
    'the payment provider may change it. ' +
    `get_payment_link (GET /v1/payment-links/${payment_link_id}) has today’s: ` +
    'read it before you give the url out later.',
  summary: ({ state, amount_display, invoice_number, invoice_id, url }) => {
    const link = `Payment link for ${amount_display} on invoice ${invoice_number ?? invoice_id}`
    switch (state) {
      case 'active':
        return `${link}: ${url}`
      case 'used_up':
        return `${link}: it was made, has been paid since, and cannot be used again.`
    }
  },
  // Anyone with the page's address sees the invoice, so the record goes without it.
  records: ({ url: _url, ...shown }, finished) => {
    const { failures: failures_before } = madeSchema.parse(finished.stepResults.at(-1))
    const kept = { ...shown, ...(failures_before !== undefined && { failures_before }) }
    return [
      recordWrite(recordKey('payment_link', shown.payment_link_id), kept, finished, {
        links: [...finished.index, invoiceIndex(shown.invoice_id)],
      }),
    ]
  },
  recordId: ['payment_link_id', 'invoice_id'],
  example: {
    input: { invoice_id: 'in_mock_open' },
    preview: {
      ...EXAMPLE_INVOICE,
      invoice_status: 'open',
      due_date: '2037-12-21',
      due_date_text: 'Monday, December 21, 2037',
      payer: 'J. D.',
    },
    result: EXAMPLE_LINK,
  },
})
