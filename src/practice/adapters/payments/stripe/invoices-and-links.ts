import * as z from 'zod'

import { emailSchema } from '../../../../core/domain/email.ts'
import type { Facts } from '../../../../core/domain/facts.ts'
import { publicInvoiceNumber } from '../../../../core/domain/invoice-number.ts'
import { currencySchema } from '../../../../core/domain/money.ts'
import { initials } from '../../../../core/domain/name.ts'
import {
  type LookupOutcome,
  NOT_FOUND,
  NOT_SENT,
  type StepOutcome,
  UNKNOWN,
  busy,
  ok,
  refused,
} from '../../../../core/domain/outcome.ts'
import {
  type Invoice,
  type LinkRequest,
  type MadeLink,
  invoiceStatusSchema,
  unpayable,
} from '../../../../core/domain/payment-link.ts'
import type { Change, Refusal } from '../../../../core/domain/problem/problem.ts'
import { SECOND } from '../../../../core/domain/time/duration.ts'
import type { ProviderResponse, providerHttp } from '../../provider-http.ts'
import { lenient, lenientText, word } from '../../provider-schemas.ts'
import {
  LATER,
  type Permission,
  bodyOf,
  isRefused,
  isReplay,
  meaningOf,
  otherModeDetail,
  ownerMustFix,
  refusalOf,
} from './errors.ts'

export type StripeRequest = ReturnType<typeof providerHttp>

/** The result of a read: the thing, that there is none, or why it failed. */
export type Lookup<T> =
  | { is: 'found'; found: T }
  /** With the words for a caller where it is known to be elsewhere. */
  | { is: 'missing'; detail?: string }
  | { is: 'failed'; refusal: Refusal }

/** An invoice, and the address of its hosted page as Stripe gives it. */
export interface HostedInvoice {
  invoice: Invoice
  page: string | null
  attempts: number
}

export const INVOICE_ID = /^in_\w{1,250}$/

/** The last second of the year 9998 in UTC: later ones have no date in our form in every zone. */
const LATEST = 253_370_764_799
// Lazy: many isolates never read an answer of Stripe. Each schema is built at its first use.

/** Seconds since 1970. A number that is no moment of ours is no due date. */
const momentSchema = z.lazy(() => z.int().positive().max(LATEST).nullable().catch(null))
/** Minor units. Stripe has them below zero where a credit is larger than what is owed. */
const amountSchema = z.lazy(() => z.int().transform((minor) => Math.max(0, minor)))

export const invoiceSchema = z.lazy(() =>
  z.object({
    id: z.string(),
    object: z.literal('invoice'),
    // Any text: Stripe may add a status, and an unknown one gets a message of its own.
    status: word().nullable(),
    number: z.string().nullable(),
    amount_paid: amountSchema,
    amount_remaining: amountSchema,
    currency: currencySchema,
    due_date: momentSchema,
    customer_name: lenientText.transform((name) => name ?? null),
    account_name: lenientText,
    customer_email: lenientText,
    collection_method: z.string(),
    auto_advance: z.boolean().nullish(),
    next_payment_attempt: z.unknown().optional(),
    attempt_count: lenient(z.int().min(0)),
    hosted_invoice_url: z.string().nullish(),
    // API versions differ in where they have them, or leave them out.
    on_behalf_of: z.unknown().optional(),
    transfer_data: z.unknown().optional(),
    livemode: z.boolean().nullish(),
  }),
)

type StripeInvoice = z.infer<typeof invoiceSchema>

const readSchema = z.lazy(() => z.union([z.object({ deleted: z.literal(true) }), invoiceSchema]))

/** What is read in this form; `needed` is the permission that it takes. */
async function readAt<T>(
  send: StripeRequest,
  path: string,
  needed: Permission,
  schema: z.ZodType<T>,
): Promise<Lookup<T>> {
  const response = await send({ method: 'GET', path })
  const found = bodyOf(response, schema)
  if (found !== undefined) return { is: 'found', found }
  switch (meaningOf(response)) {
    case 'missing':
      return { is: 'missing' }
    case 'other mode':
      return { is: 'missing', detail: otherModeDetail(response) }
    default:
      return { is: 'failed', refusal: refusalOf(response, needed) }
  }
}

/** Reads an invoice. A malformed id is missing, without a request. */
export async function readInvoice(
  send: StripeRequest,
  invoiceId: string,
  linksOf?: (email: string) => Promise<readonly string[]>,
): Promise<Lookup<HostedInvoice>> {
  if (!INVOICE_ID.test(invoiceId)) return { is: 'missing' }
  const path = `/v1/invoices/${encodeURIComponent(invoiceId)}`
  const read = await readAt(send, path, 'rak_invoice_read', readSchema)
  if (read.is !== 'found') return read
  const { found: data } = read
  if ('deleted' in data) return { is: 'missing' }
  if (data.id !== invoiceId) return { is: 'failed', refusal: LATER }
  const invoice = invoiceOf(data)
  if (!invoice) return { is: 'failed', refusal: UNKNOWN_STATUS }
  const email = emailSchema.safeParse(data.customer_email).data
  const found = {
    invoice: {
      ...invoice,
      ...(linksOf && email !== undefined ? { payerLinks: await linksOf(email) } : {}),
      ...(invoice.number === null && data.number !== null && { wholeNumber: data.number }),
    },
    page: data.hosted_invoice_url ?? null,
    attempts: data.attempt_count ?? 0,
  }
  return { is: 'found', found }
}

const UNKNOWN_STATUS = ownerMustFix(
  'The invoice has a status in Stripe that this service does not know.',
)

/** The invoice in our words; undefined if it has a status that is not known. */
export function invoiceOf(data: StripeInvoice): Invoice | undefined {
  const status = statusOf(data)
  if (!status) return undefined
  return {
    invoiceId: data.id,
    number: publicInvoiceNumber(data.number, {
      // Without a name the address is all that tells whose name a number holds.
      payer: data.customer_name ?? data.customer_email ?? null,
      practice: data.account_name ?? '',
    }),
    status,
    amount: data.amount_remaining,
    amountPaid: data.amount_paid,
    currency: data.currency,
    dueAt: data.due_date === null ? null : data.due_date * SECOND,
    payerInitials: data.customer_name === null ? null : initials(data.customer_name),
    automaticCollection: isCollected(data),
    ...((data.on_behalf_of ?? data.transfer_data ?? null) !== null && {
      paysOtherAccount: true as const,
    }),
    testMode: data.livemode === false,
  }
}

/**
 * Whether Stripe collects an invoice by itself. Of a method that it added since, and of an
 * `auto_advance` that it leaves out, that is not known.
 */
function isCollected({
  collection_method: method,
  auto_advance: isOn,
  next_payment_attempt: next,
}: Pick<StripeInvoice, 'collection_method' | 'auto_advance' | 'next_payment_attempt'>) {
  const isPlanned = isOn === true || (next ?? null) !== null
  if (method === 'send_invoice' || (isOn === false && !isPlanned)) return false
  return method === 'charge_automatically' && isPlanned ? true : null
}

/** Statuses of a PaymentIntent in which its payer has done everything, and the money has not come yet. */
const UNDER_WAY: readonly string[] = ['processing', 'requires_capture']
/** Those in which nothing is under way. Of a status that Stripe added since, that is not known. */
const AT_REST: readonly string[] = [
  'requires_payment_method',
  'requires_confirmation',
  'canceled',
  'succeeded',
]
/**
 * What is awaited of a payer who has left the page: small deposits into the account that a debit is to be
 * taken from, or a notice before a card is charged (`next_action.type` in npm stripe 23.1.0).
 */
const AWAITED: readonly string[] = ['verify_with_microdeposits', 'card_await_notification']
/** What a payer does on the page itself. After all others, such as a voucher, the money may be on its way. */
const ON_PAGE = /^use_stripe_sdk$|(^|_)redirect(_|$)|_qr_code$|_authorize$/

/** An entry of a list, as far as it says how it stands. Each is read alone. */
export const statedSchema = z.lazy(() => z.object({ status: word() }))
const intentSchema = z.lazy(() =>
  z.object({
    status: word(),
    next_action: z.object({ type: word() }).nullish().catch({ type: '' }),
  }),
)
/** Of a payment of an invoice at Stripe; others are charges and records. */
const paidBySchema = z.lazy(() => z.object({ payment: z.object({ payment_intent: z.unknown() }) }))
const entriesSchema = z.lazy(() =>
  z.object({ data: z.array(z.unknown()), has_more: z.boolean().nullish().catch(true) }),
)
const paymentsSchema = z.lazy(() => z.object({ payments: entriesSchema }))

/** Statuses of an entry that has ended. */
const ENDED_ENTRY: readonly string[] = ['paid', 'canceled']

/** Whether the payment of an entry is under way; null where it does not say. */
function isUnderWay(entry: unknown): boolean | null {
  const read = statedSchema.safeParse(entry).data
  if (!read) return null
  if (ENDED_ENTRY.includes(read.status)) return false
  return isIntentUnderWay(paidBySchema.safeParse(entry).data?.payment.payment_intent)
}

/** The same of a PaymentIntent. */
function isIntentUnderWay(intent: unknown): boolean | null {
  const read = intentSchema.safeParse(intent).data
  if (!read) return null
  const { status, next_action: next } = read
  if (status !== 'requires_action')
    return UNDER_WAY.includes(status) || (AT_REST.includes(status) ? false : null)
  if (!next || ON_PAGE.test(next.type)) return false
  return AWAITED.includes(next.type) || null
}

const MOST_ENTRY_PAGES = 3

/** The entries of an invoice on a page; the first page is part of the invoice. */
async function entriesOf(
  send: StripeRequest,
  invoiceId: string,
  after: string | undefined,
): Promise<z.infer<typeof entriesSchema> | undefined> {
  const first = {
    path: `/v1/invoices/${encodeURIComponent(invoiceId)}`,
    query: { 'expand[]': 'payments.data.payment.payment_intent' },
  }
  const later = {
    path: '/v1/invoice_payments',
    query: {
      invoice: invoiceId,
      starting_after: after,
      limit: String(PAGE_SIZE),
      'expand[]': 'data.payment.payment_intent',
    },
  }
  const response = await send({ method: 'GET', ...(after === undefined ? first : later) })
  return after === undefined
    ? bodyOf(response, paymentsSchema)?.payments
    : bodyOf(response, entriesSchema)
}

/**
 * Whether a payment of the invoice is under way; null where that is not known: Stripe does not say,
 * or the key may not read it, which nothing else needs.
 */
export async function paymentUnderWay(
  send: StripeRequest,
  invoiceId: string,
): Promise<boolean | null> {
  let isKnown = true
  let after: string | undefined
  for (let page = 0; page < MOST_ENTRY_PAGES; page += 1) {
    const read = await entriesOf(send, invoiceId, after)
    if (!read) return null
    const found = read.data.map(isUnderWay)
    if (found.includes(true)) return true
    isKnown &&= !found.includes(null)
    if (read.has_more !== true) return isKnown ? false : null
    after = namedSchema.safeParse(read.data.at(-1)).data?.id
    if (after === undefined) return null
  }
  return null
}

/**
 * Whether someone's payment through a link of ours is under way, of which its invoice knows nothing;
 * null where that is not known. It is found by the link's marker; Stripe's search lags by a minute.
 */
export async function linkPaymentUnderWay(
  send: StripeRequest,
  { restrictions, metadata: { commit_id: marker = '' } }: Link,
): Promise<boolean | null> {
  if (!restrictions?.completed_sessions.count) return false
  if (!/^[\w.-]+$/.test(marker)) return null
  const query = { query: `metadata["commit_id"]:"${marker}"` }
  const response = await send({ method: 'GET', path: '/v1/payment_intents/search', query })
  const found = (bodyOf(response, pageSchema)?.data ?? []).map(isIntentUnderWay)
  if (found.includes(true)) return true
  return found.length > 0 && !found.includes(null) ? false : null
}

const statusSchema = z.lazy(() => invoiceStatusSchema.exclude(['partly_paid']))

function statusOf({ status, amount_paid }: StripeInvoice): Invoice['status'] | undefined {
  if (status === 'open' && amount_paid > 0) return 'partly_paid'
  return statusSchema.safeParse(status).data
}

/** The refusal of something that is missing, with where it is if that is known. */
export const notFound = (
  code: 'invoice_not_found' | 'payment_link_not_found',
  { detail }: { detail?: string },
): Refusal => ({
  code,
  effect: 'none',
  ...(detail !== undefined && { detail, next_step: ASK_FOR_KEY }),
})

const ASK_FOR_KEY =
  'Tell the owner of the practice: invoices and the key of the connector have to be of one mode of Stripe.'

/** Reads the invoice again; refused if it can no longer be paid, or has changed since the preview. */
export async function readPreviewed(
  send: StripeRequest,
  request: LinkRequest,
): Promise<
  Extract<Lookup<HostedInvoice>, { is: 'found' }> | Extract<StepOutcome, { refusal: Refusal }>
> {
  const read = await readInvoice(send, request.invoiceId)
  if (read.is === 'missing') return { is: 'refused', refusal: notFound('invoice_not_found', read) }
  if (read.is === 'failed') return busy(read.refusal)
  const refusal = unpayable(read.found.invoice) ?? changesSince(request, read.found.invoice)
  return refusal ? { is: 'refused', refusal } : read
}

function changesSince(request: LinkRequest, invoice: Invoice): Refusal | undefined {
  const changes: Change[] = (['amount', 'currency'] as const)
    .filter((field) => request[field] !== invoice[field])
    .map((field) => ({ field, was: request[field], now: invoice[field] }))
  return changes.length > 0 ? { code: 'preview_stale', effect: 'none', changes } : undefined
}

/** The most that Stripe lists at once. */
export const PAGE_SIZE = 100

const PATH = '/v1/payment_links'
const PERMISSION = 'rak_payment_link_write'

/** Newest links come first, and a link that was lost or can be used again is recent. */
const MAX_PAGES = 3

export const namedSchema = z.lazy(() => z.object({ id: z.string() }))

export const LINK_ID = /^plink_\w{1,250}$/

/** Its metadata says what it is for, since its price cannot change. */
const linkSchema = z.lazy(() =>
  z.object({
    id: z.string().regex(LINK_ID),
    object: z.literal('payment_link'),
    active: z.boolean(),
    // Any host: a practice may have given its links a domain of its own.
    url: z.url({ protocol: /^https$/ }),
    currency: z.string(),
    metadata: z.record(z.string(), z.string()),
    restrictions: z
      .object({ completed_sessions: z.object({ count: z.int(), limit: z.int() }) })
      .nullable(),
  }),
)
type Link = z.infer<typeof linkSchema>

export const pageSchema = z.lazy(() =>
  z.object({ data: z.array(z.unknown()), has_more: z.boolean() }),
)

/** Makes a single-use link once per marker, or reuses an active one. Sends nothing if reads fail. */
export async function createLink(
  send: StripeRequest,
  request: LinkRequest,
  { status }: Invoice,
  {
    marker,
    sendBefore,
    known: ids,
  }: { marker: string; sendBefore: number; known: readonly string[] },
): Promise<StepOutcome> {
  const isWanted = (link: Link) => isFor(link, request)
  const own = await knownLink(send, ids, isWanted)
  const known = own.is === 'missing' ? await activeLink(send, isWanted) : own
  if (known.is === 'failed') return busy(known.refusal)
  if (known.is === 'found') return linkMade(known.found)
  // The reads above may have taken long, and Stripe keeps an idempotency key for a day only.
  if (Date.now() >= sendBefore) return NOT_SENT
  const response = await made(send, formOf(request, marker), marker)
  switch (meaningOf(response)) {
    case 'in between':
    case 'unclear':
      return UNKNOWN
    case 'answered':
      break
    case 'amount':
      return refused('invoice_not_payable', { invoice_status: status, detail: NO_SUCH_AMOUNT })
    default:
      return busy(refusalOf(response, PERMISSION))
  }
  const link = bodyOf(response, linkSchema)
  if (!link || link.metadata['commit_id'] !== marker || !isFor(link, request)) return UNKNOWN
  if (!isReplay(response)) return link.active ? linkMade(link) : UNKNOWN
  // A replay shows the past: the link may have been switched off or used up since.
  const now = await readLink(send, link.id)
  if (now.is !== 'found') return UNKNOWN
  if (isUsedUp(now.found)) return linkMade(now.found, { used_up: true })
  return now.found.active ? linkMade(now.found) : UNKNOWN
}

const NO_SUCH_AMOUNT = 'The payment provider makes no link for this amount in this currency.'

/** A commit can be repeated while its token is good; each repeat after a refusal adds one key. */
const MOST_KEYS = 10

/**
 * The answer to a link that is made under a marker. Stripe repeats a refusal under its idempotency
 * key for a day, also once its cause is mended (https://docs.stripe.com/api/idempotent_requests).
 * Nothing was made under that key, so the next one is sent. Which keys are sent depends on Stripe's
 * answers alone, so a request that is sent twice is under the same key.
 */
async function made(
  send: StripeRequest,
  body: URLSearchParams,
  marker: string,
): Promise<ProviderResponse> {
  for (let keys = 1; ; keys += 1) {
    const headers = { 'Idempotency-Key': keys === 1 ? marker : `${marker}.${keys}` }
    const response = await send({ method: 'POST', path: PATH, headers, body })
    if (!isReplay(response) || !isRefused(response) || keys === MOST_KEYS) return response
  }
}

/** Finds the link that was made under a marker. The list may lag behind. */
export async function findLink(
  send: StripeRequest,
  request: LinkRequest,
  marker: string,
): Promise<LookupOutcome> {
  const isIt = (link: Link) => link.metadata['commit_id'] === marker && isFor(link, request)
  const found = await activeLink(send, isIt)
  if (found.is === 'failed') return busy(found.refusal)
  return found.is === 'found' ? linkMade(found.found) : NOT_FOUND
}

const linkMade = ({ id, url }: Link, more: Facts = {}): StepOutcome =>
  ok({ payment_link_id: id, url, ...more })

const isUsedUp = ({ restrictions }: Link) =>
  restrictions !== null &&
  restrictions.completed_sessions.count >= restrictions.completed_sessions.limit

/** Switched on and not used up. */
const isPayable = (link: Link) => link.active && !isUsedUp(link)

const isFor = (link: Link, { invoiceId, amount, currency }: LinkRequest) =>
  link.metadata['invoice_id'] === invoiceId &&
  link.metadata['amount'] === String(amount) &&
  link.metadata['commit_id'] !== undefined &&
  link.currency === currency &&
  link.restrictions !== null &&
  !isUsedUp(link)

/** The first of these links that is active and wanted. */
async function knownLink(
  send: StripeRequest,
  ids: readonly string[],
  isWanted: (link: Link) => boolean,
): Promise<Lookup<Link>> {
  for (const id of ids) {
    const read = await readLink(send, id)
    if (read.is === 'failed') return read
    if (read.is === 'found' && read.found.active && isWanted(read.found)) return read
  }
  return { is: 'missing' }
}

/** The newest active link that is wanted, read by its id, since a list may lag behind. */
async function activeLink(
  send: StripeRequest,
  isWanted: (link: Link) => boolean,
): Promise<Lookup<Link>> {
  let after: string | undefined
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = { active: 'true', limit: String(PAGE_SIZE), starting_after: after }
    const response = await send({ method: 'GET', path: PATH, query })
    const list = bodyOf(response, pageSchema)
    if (!list) return { is: 'failed', refusal: refusalOf(response, PERMISSION) }
    const links = list.data.flatMap((entry) => linkSchema.safeParse(entry).data ?? [])
    const ids = links.filter(isWanted).map(({ id }) => id)
    const known = await knownLink(send, ids, isWanted)
    if (known.is !== 'missing') return known
    after = namedSchema.safeParse(list.data.at(-1)).data?.id
    if (!list.has_more || after === undefined) break
  }
  return { is: 'missing' }
}

export async function readLink(send: StripeRequest, id: string): Promise<Lookup<Link>> {
  if (!LINK_ID.test(id)) return { is: 'missing' }
  const read = await readAt(send, `${PATH}/${encodeURIComponent(id)}`, PERMISSION, linkSchema)
  return read.is === 'found' && read.found.id !== id ? { is: 'failed', refusal: LATER } : read
}

/** A link that this connector made, as it is by itself; undefined for any other. Its price cannot change. */
export function madeLink(link: Link): MadeLink | undefined {
  const { invoice_id, amount, commit_id } = link.metadata
  if (invoice_id === undefined || commit_id === undefined) return undefined
  return {
    paymentLinkId: link.id,
    invoiceId: invoice_id,
    active: isPayable(link),
    isCompleted: (link.restrictions?.completed_sessions.count ?? 0) > 0,
    charges: amount !== undefined && /^\d{1,15}$/.test(amount) ? Number(amount) : null,
    currency: link.currency,
  }
}

/** Switches a link off. It needs no key of Stripe's: to do it again changes nothing. */
export async function endLink(send: StripeRequest, id: string): Promise<StepOutcome> {
  const response = await send({
    method: 'POST',
    path: `${PATH}/${encodeURIComponent(id)}`,
    body: new URLSearchParams({ active: 'false' }),
  })
  switch (meaningOf(response)) {
    case 'answered': {
      const link = bodyOf(response, linkSchema)
      return link?.id === id && !link.active ? ok() : UNKNOWN
    }
    case 'missing':
    case 'other mode':
      return { is: 'refused', refusal: notFound('payment_link_not_found', {}) }
    case 'in between':
    case 'unclear':
      return UNKNOWN
    default:
      return busy(refusalOf(response, PERMISSION))
  }
}

/** Whether a link is off now: a link that is off is what was wanted, no matter who did it. */
export async function findEnded(send: StripeRequest, id: string): Promise<LookupOutcome> {
  const read = await readLink(send, id)
  if (read.is === 'failed') return busy(read.refusal)
  if (read.is === 'missing')
    return { is: 'refused', refusal: notFound('payment_link_not_found', read) }
  return read.found.active ? NOT_FOUND : ok()
}

/** Expands nothing: a missing permission can then only refuse the request, never hide a link. */
function formOf(
  { invoiceId, number, amount, currency }: LinkRequest,
  marker: string,
): URLSearchParams {
  const name = `Invoice ${number ?? invoiceId}`
  return new URLSearchParams({
    'line_items[0][quantity]': '1',
    'line_items[0][price_data][currency]': currency,
    'line_items[0][price_data][unit_amount]': String(amount),
    'line_items[0][price_data][product_data][name]': name,
    'restrictions[completed_sessions][limit]': '1',
    inactive_message: 'This payment link is no longer valid.',
    'metadata[invoice_id]': invoiceId,
    'metadata[amount]': String(amount),
    'metadata[commit_id]': marker,
    'payment_intent_data[description]': name,
    'payment_intent_data[metadata][invoice_id]': invoiceId,
    'payment_intent_data[metadata][commit_id]': marker,
  })
}
