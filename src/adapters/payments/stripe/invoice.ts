import * as z from 'zod'
import { currencySchema } from '../../../domain/money.ts'
import { initials } from '../../../domain/name.ts'
import {
  type Invoice,
  type LinkRequest,
  invoiceStatusSchema,
  unpayable,
} from '../../../domain/payment-link.ts'
import type { StepOutcome } from '../../../domain/outcome.ts'
import type { Change, Refusal } from '../../../domain/problem/problem.ts'
import type { providerHttp } from '../../provider-http.ts'
import { LATER, meaningOf, ownerMustFix, refusalOf } from './errors.ts'
import { SECOND } from '../../../domain/time/duration.ts'

export type StripeRequest = ReturnType<typeof providerHttp>

/** The result of a read: the thing, that there is none, or why it failed. */
export type Lookup<T> = { is: 'found'; found: T } | { is: 'missing' } | { is: 'failed'; refusal: Refusal }

/** An invoice, and the address of its hosted page as Stripe gives it. */
export interface HostedInvoice {
  invoice: Invoice
  page: string | null
  /** How many payments failed while it is open. */
  attempts: number
}

export const INVOICE_ID = /^in_\w{1,250}$/

const invoiceSchema = z.object({
  id: z.string(),
  object: z.literal('invoice'),
  // Any text: Stripe may add a status, and an unknown one gets a message of its own.
  status: z.string().nullable(),
  number: z.string().nullable(),
  amount_paid: z.int(),
  amount_remaining: z.int(),
  currency: currencySchema,
  due_date: z.int().nullable(),
  customer_name: z.string().nullable(),
  customer_email: z.unknown(),
  collection_method: z.string(),
  auto_advance: z.boolean().nullish(),
  next_payment_attempt: z.int().nullable(),
  attempt_count: z.int().nullish().catch(null),
  hosted_invoice_url: z.string().nullish(),
  livemode: z.boolean().nullish(),
})

const emailSchema = z.email()

/** Up to four short words, one of them with a digit. */
const NUMBER = /^(?=.{1,40}$)(?=.*\d)[\w./-]+(?: [\w./-]+){0,3}$/

/** An invoice number is free text that a model reads and the payer sees: only a real number stays. */
const shownNumber = (text: string | null): string | null => (text !== null && NUMBER.test(text) ? text : null)

const deletedSchema = z.object({ deleted: z.literal(true) })

/** Reads an invoice. A malformed id is missing, without a request. */
export async function readInvoice(
  send: StripeRequest,
  invoiceId: string,
  linksOf?: (email: string) => Promise<readonly string[]>,
): Promise<Lookup<HostedInvoice>> {
  if (!INVOICE_ID.test(invoiceId)) return { is: 'missing' }
  const response = await send({ method: 'GET', path: `/v1/invoices/${encodeURIComponent(invoiceId)}` })
  const meaning = meaningOf(response)
  const failed = { is: 'failed', refusal: refusalOf(response, 'rak_invoice_read') } as const
  if (meaning === 'missing') return { is: 'missing' }
  if (meaning !== 'answered' || response.status === 'no answer') return failed
  if (deletedSchema.safeParse(response.body).success) return { is: 'missing' }
  const { data } = invoiceSchema.safeParse(response.body)
  if (!data) return failed
  if (data.id !== invoiceId) return { is: 'failed', refusal: LATER }
  const status = statusOf(data)
  if (!status) {
    const refusal = ownerMustFix('The invoice has a status in Stripe that this service does not know.')
    return { is: 'failed', refusal }
  }
  const email = emailSchema.safeParse(data.customer_email).data
  const invoice = {
    invoiceId,
    number: shownNumber(data.number),
    status,
    amount: data.amount_remaining,
    amountPaid: data.amount_paid,
    currency: data.currency,
    dueAt: data.due_date === null ? null : data.due_date * SECOND,
    ...(linksOf && email !== undefined ? { payerLinks: await linksOf(email) } : {}),
    payerInitials: data.customer_name === null ? null : initials(data.customer_name),
    automaticCollection:
      data.collection_method === 'charge_automatically' &&
      // A missing `auto_advance` is not off.
      (data.auto_advance !== false || data.next_payment_attempt !== null),
    testMode: data.livemode === false,
  }
  const found = { invoice, page: data.hosted_invoice_url ?? null, attempts: data.attempt_count ?? 0 }
  return { is: 'found', found }
}

function statusOf({ status, amount_paid }: z.infer<typeof invoiceSchema>): Invoice['status'] | undefined {
  if (status === 'open' && amount_paid > 0) return 'partly_paid'
  return invoiceStatusSchema.exclude(['partly_paid']).safeParse(status).data
}

/** Reads the invoice again; refused if it can no longer be paid, or has changed since the preview. */
export async function readPreviewed(
  send: StripeRequest,
  request: LinkRequest,
): Promise<Extract<Lookup<HostedInvoice>, { is: 'found' }> | Extract<StepOutcome, { refusal: Refusal }>> {
  const read = await readInvoice(send, request.invoiceId)
  if (read.is === 'missing') return { is: 'refused', refusal: { code: 'invoice_not_found', effect: 'none' } }
  if (read.is === 'failed') return { is: 'busy', refusal: read.refusal }
  const refusal = unpayable(read.found.invoice) ?? changesSince(request, read.found.invoice)
  return refusal ? { is: 'refused', refusal } : read
}

function changesSince(request: LinkRequest, invoice: Invoice): Refusal | undefined {
  const changes: Change[] = (['amount', 'currency'] as const)
    .filter((field) => request[field] !== invoice[field])
    .map((field) => ({ field, was: request[field], now: invoice[field] }))
  return changes.length > 0 ? { code: 'preview_stale', effect: 'none', changes } : undefined
}
