import * as z from 'zod'

import { caselessEmail } from './email.ts'
import type { Refusal } from './problem/problem.ts'

/** The status of an invoice; a client can pay only `open` and `partly_paid` ones. */
export const invoiceStatusSchema = z.enum([
  'draft',
  'open',
  'partly_paid',
  'paid',
  'void',
  'uncollectible',
])
type InvoiceStatus = z.infer<typeof invoiceStatusSchema>

const WHY_NOT_PAYABLE: Record<Exclude<InvoiceStatus, 'open' | 'partly_paid'>, string> = {
  draft: 'The invoice is still a draft. It can be paid once the practice has sent it.',
  paid: 'The invoice is paid already; there is nothing left to pay.',
  void: 'The invoice was voided and will not be collected.',
  uncollectible: 'The practice has written the invoice off as uncollectible.',
}

/** An invoice as the payment provider returns it. Amounts are in minor units, times in epoch milliseconds. */
export interface Invoice {
  invoiceId: string
  /** Null where it does not look like one or carries a person. */
  number: string | null
  /** The number where it carries a person: for who approves alone, sealed until the decision. */
  wholeNumber?: string
  status: InvoiceStatus
  /** The amount that is left to pay. */
  amount: number
  amountPaid: number
  /** ISO 4217, lower case. */
  currency: string
  dueAt: number | null
  payerInitials: string | null
  /** What the caller derives from the payer's email address; the address itself is never passed on. */
  payerLinks?: readonly string[]
  /** Whether the provider collects the amount by itself, too; null where that is not known. */
  automaticCollection: boolean | null
  /**
   * A payment such as a bank debit is under way, and can still fail. Null where that is not known,
   * missing where it was not asked for.
   */
  paymentUnderWay?: boolean | null
  /** Its money goes to another account than the practice's own. */
  paysOtherAccount?: true
  /** Whether it is from the provider's own test mode, where no real money moves. */
  testMode: boolean
}

/** An invoice in a search, with its payer's email address masked. */
export interface FoundInvoice extends Invoice {
  payerEmail: string | null
}

/** Which invoices are searched for; with neither, all that are open. */
export interface InvoicesWanted {
  /** The number that is printed on the invoice, upper or lower case. */
  number?: string | undefined
  /** The payer's email address, upper or lower case. Personal data: compared, and dropped. */
  payerEmail?: string | undefined
}

/** How many invoices a search looks at, the newest first. */
export const MOST_OPEN_INVOICES = 500
export const MOST_OTHER_INVOICES = 300

/** The longest text that is looked up as an invoice number. */
export const LONGEST_INVOICE_NUMBER = 100

const INVOICE_WORD =
  '(?:(?:the|my|our|your|this|open|unpaid|la|mi|su) )?' +
  '(?:invoice|inv|bill|statement|factura|fact|facture|rechnung|ref)'
const NUMBER_WORD = '(?:number|num|no|nro?|n[.]?[ºo°]|numero|n[uú]m(?:ero)?|id)'
/**
 * What people write before the number of an invoice: `Invoice no. 12`, `#12`, `Factura: 12`. In
 * `INV-12` and `INV_12` it is a part of the number.
 */
const BEFORE_NUMBER = new RegExp(
  `^(?:${INVOICE_WORD}(?:[. ]{1,2}|[:#] ?| ?(?=[:#]))|${NUMBER_WORD}(?:[.: ]+(?:(?:is|es) )?|(?=#))|[#:] ?)+(?=.)`,
  'u',
)
/** The file in which an invoice was mailed. */
const FILE_NAME = /^(?:(?:invoice|factura)[-_ ])?(.+?)(?: ?\(\d+\))?\.pdf$/
/** Signs around a number that was quoted, or that ended a sentence. */
const AROUND_NUMBER = /^["'“”‘’«»`([*<]+|(?<=^\d+)\.0$|["'“”‘’«»`)\]*.,;:!?>]+$/gu

/**
 * One form for equal invoice numbers, since people copy them out of letters and mails: without case, without
 * invisible signs, with one sign for every dash, and without the word for an invoice or a `#` before it.
 */
export const comparedNumber = (text: string) =>
  text
    .replaceAll(/№|\bn[º°]/giu, '#')
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[\p{Pd}\u2212]/gu, '-')
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .toLowerCase()
    .replaceAll(AROUND_NUMBER, '')
    .replace(FILE_NAME, '$1')
    .replace(BEFORE_NUMBER, '')
    .replaceAll(AROUND_NUMBER, '')
    .trim()

/**
 * Numbers that a person could take for one another: without signs between, accents, and zeros
 * before digits.
 */
export const isNearNumber = (one: string, other: string) =>
  lettersOfNumber(one) !== '' && lettersOfNumber(one) === lettersOfNumber(other)

const lettersOfNumber = (text: string) =>
  comparedNumber(text)
    .replace(/^inv(?:oice)?(?=[^a-z])/, '')
    .normalize('NFD')
    .replaceAll(/(?<=\d)o|o(?=[\do]*\d)/g, '0')
    .replaceAll(/(?<!\d)0+(?=\d)/g, '')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Whether an invoice, as the provider has it, is one of those that are wanted. */
export const isWantedInvoice = (
  { number, email }: { number: string | null; email: string | null },
  { number: wanted, payerEmail }: InvoicesWanted,
) =>
  (wanted === undefined || isSame(number, wanted, comparedNumber)) &&
  (payerEmail === undefined || isSame(email, payerEmail, caselessEmail))

/** Nothing is the same as an empty text. */
function isSame(one: string | null, other: string, form: (text: string) => string) {
  const compared = form(one ?? '')
  return compared !== '' && compared === form(other)
}

/**
 * A link that was made for an invoice. It is a thing of its own: it goes on as it is when its
 * invoice changes.
 */
export interface MadeLink {
  paymentLinkId: string
  invoiceId: string
  /** Someone can pay through it now. */
  active: boolean
  /**
   * A person completed its page; of the invoice's own page, a payment of the invoice is under way,
   * no matter who began it. A bank debit can still fail, and a link of its own settles no invoice.
   */
  isCompleted: boolean
  /** What its page asks, in minor units; null where it cannot be known. */
  charges: number | null
  /** ISO 4217, lower case. */
  currency: string
}

/** A payment link with its invoice. */
export interface PaymentLinkStatus extends MadeLink {
  /** The address of its page now; null where it cannot be paid. */
  url: string | null
  /** It can be ended by itself; the invoice's own page ends with its invoice. */
  isOwn: boolean
  /** A payment, such as a bank debit, is known to be under way, through the link or of the invoice. */
  paymentUnderWay?: true
  invoice: Invoice
}

/** A link and its invoice as the payment provider has them now. */
export interface ProviderLinkState extends Pick<
  Invoice,
  'invoiceId' | 'status' | 'amount' | 'amountPaid' | 'currency'
> {
  paymentLinkId: string
  /** How often a payment was tried and failed, as far as the provider counts it. */
  failures: number
  /** The practice switched the link off; false where it was used up. */
  switchedOff: boolean
  /** As of the link; whether the money arrives is not known by that. */
  isCompleted: boolean
}

/** The same of a link that was read with its invoice. */
export const linkStateOf = (
  { paymentLinkId, active, isCompleted }: MadeLink,
  invoice: Invoice,
  failures: number,
): ProviderLinkState => {
  const { invoiceId, status, amount, amountPaid, currency } = invoice
  const switchedOff = !unpayable(invoice) && !active && !isCompleted
  return {
    paymentLinkId,
    invoiceId,
    status,
    amount,
    amountPaid,
    currency,
    failures,
    switchedOff,
    isCompleted,
  }
}

export const paymentStatusSchema = z
  .enum(['unpaid', 'partly_paid', 'paid', 'submitted'])
  .describe(
    'Whether the invoice is paid, as far as the provider says so. ' +
      'submitted: a person completed the link’s page, or a payment of the invoice, such as a ' +
      'debit that the provider began, is under way. Only the provider’s own pages show ' +
      'whether the money has arrived and the invoice is settled.',
  )

export function paymentStatus(
  link: Pick<PaymentLinkStatus, 'invoice' | 'isCompleted'>,
): z.infer<typeof paymentStatusSchema> {
  const { status, amountPaid } = link.invoice
  if (status === 'paid') return status
  if (link.isCompleted) return 'submitted'
  // What was written off may have been paid in part.
  return amountPaid > 0 ? 'partly_paid' : 'unpaid'
}

/** The invoice to make a link for, as the preview showed it. */
export type LinkRequest = Pick<Invoice, 'invoiceId' | 'number' | 'amount' | 'currency'>

/** Why an invoice cannot be paid; undefined if it can. */
export function unpayable({ status, amount }: Invoice): Refusal | undefined {
  const refusal = { code: 'invoice_not_payable', effect: 'none', invoice_status: status } as const
  if (status !== 'open' && status !== 'partly_paid')
    return { ...refusal, detail: WHY_NOT_PAYABLE[status] }
  return amount > 0
    ? undefined
    : { ...refusal, detail: 'There is nothing left to pay on the invoice.' }
}

export const reconciliationSchema = z
  .enum(['automatic', 'manual'])
  .describe('automatic: paying settles the invoice. manual: the practice has to mark it as paid.')
export type Reconciliation = z.infer<typeof reconciliationSchema>

/** The path of the page on which a mock invoice can be "paid". */
export const mockCheckoutPath = <Id extends string>(invoiceId: Id): `/mock/checkout/${Id}` =>
  `/mock/checkout/${invoiceId}`
