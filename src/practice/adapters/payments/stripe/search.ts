import * as z from 'zod'

import { maskEmail } from '../../../../core/domain/email.ts'
import {
  type FoundInvoice,
  type InvoicesWanted,
  MOST_OPEN_INVOICES,
  MOST_OTHER_INVOICES,
  isWantedInvoice,
} from '../../../../core/domain/payment-link.ts'
import { Problem } from '../../../../core/domain/problem/problem.ts'
import type { Payments } from '../../../../core/ports/payments.ts'
import { LATER, meaningOf, refusalOf } from './errors.ts'
import { type StripeRequest, INVOICE_ID, invoiceOf, invoiceSchema } from './invoices-and-links.ts'

const PAGE_SIZE = 100
/** All pages of open invoices, and enough others to look at among them. */
const MOST_PAGES = (MOST_OPEN_INVOICES + MOST_OTHER_INVOICES) / PAGE_SIZE

const pageSchema = z.lazy(() =>
  z.object({
    object: z.literal('list'),
    data: z.array(z.unknown()),
    has_more: z.boolean(),
  }),
)
const namedSchema = z.lazy(() => z.object({ id: z.string().regex(INVOICE_ID) }))
const statusSchema = z.lazy(() => z.object({ status: z.string() }))

const isOpen = (entry: unknown): boolean => statusSchema.safeParse(entry).data?.status === 'open'

/**
 * Searches invoices. Stripe's list has no filter by number or address, and its search lags behind,
 * so the list is read and compared here: one to five requests where an open one is found or all
 * open ones are wanted. Raises a `Problem`.
 */
export async function findInvoices(
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
    const page =
      response.status === 'no answer' ? undefined : pageSchema.safeParse(response.body).data
    if (meaningOf(response) !== 'answered' || !page)
      throw new Problem(refusalOf(response, 'rak_invoice_read'))
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
  const invoices: FoundInvoice[] = []
  for (const entry of entries) {
    const { data } = invoiceSchema.safeParse(entry)
    const invoice = data && invoiceOf(data)
    if (!invoice || !INVOICE_ID.test(data.id)) {
      complete = false
      continue
    }
    const email = typeof data.customer_email === 'string' ? data.customer_email : null
    if (isWantedInvoice({ number: data.number, email }, wanted))
      invoices.push({ ...invoice, payerEmail: email === null ? null : maskEmail(email) })
  }
  return { invoices, complete }
}
