import * as z from 'zod'
import type { Facts } from '../../../domain/facts.ts'
import type { StepOutcome, LookupOutcome } from '../../../domain/outcome.ts'
import type { Invoice, LinkRequest } from '../../../domain/payment-link.ts'
import { isReplay, meaningOf, refusalOf } from './errors.ts'
import type { Lookup, StripeRequest } from './invoice.ts'

const PATH = '/v1/payment_links'
const PERMISSION = 'rak_payment_link_write'

/** Newest links come first, and a link that was lost or can be used again is recent. */
const MAX_PAGES = 3
const PAGE_SIZE = 100

const namedSchema = z.object({ id: z.string() })

export const LINK_ID = /^plink_\w{1,250}$/

/** Its metadata says what it is for, since its price cannot change. */
const linkSchema = z.object({
  id: z.string().regex(LINK_ID),
  object: z.literal('payment_link'),
  active: z.boolean(),
  // Any host: a practice may have given its links a domain of its own.
  url: z.url({ protocol: /^https$/ }),
  currency: z.string(),
  metadata: z.record(z.string(), z.string()),
  restrictions: z.object({ completed_sessions: z.object({ count: z.int(), limit: z.int() }) }).nullable(),
})
type Link = z.infer<typeof linkSchema>

const pageSchema = z.object({ data: z.array(z.unknown()), has_more: z.boolean() })

/** Makes a single-use link once per marker, or reuses an active one. Sends nothing if reads fail. */
export async function createLink(
  send: StripeRequest,
  request: LinkRequest,
  { status }: Invoice,
  { marker, sendBefore }: { marker: string; sendBefore: number },
): Promise<StepOutcome> {
  const known = await activeLink(send, (link) => isFor(link, request))
  if (known.is === 'failed') return { is: 'busy', refusal: known.refusal }
  if (known.is === 'found') return ok(known.found)
  // The reads above may have taken long, and Stripe keeps an idempotency key for a day only.
  if (Date.now() >= sendBefore) return { is: 'busy', refusal: { code: 'provider_busy', effect: 'none' } }
  const headers = { 'Idempotency-Key': marker }
  const response = await send({ method: 'POST', path: PATH, headers, body: formOf(request, marker) })
  switch (meaningOf(response)) {
    case 'unclear':
      return { is: 'unknown' }
    case 'answered':
      break
    case 'amount':
      return {
        is: 'refused',
        refusal: {
          code: 'invoice_not_payable',
          effect: 'none',
          invoice_status: status,
          detail: 'The payment provider makes no link for this amount in this currency.',
        },
      }
    default:
      return { is: 'busy', refusal: refusalOf(response, PERMISSION) }
  }
  const link = response.status === 'no answer' ? undefined : linkSchema.safeParse(response.body).data
  if (!link || link.metadata['commit_id'] !== marker || !isFor(link, request)) return { is: 'unknown' }
  if (!isReplay(response)) return link.active ? ok(link) : { is: 'unknown' }
  // A replay shows the past: the link may have been switched off or used up since.
  const now = await readLink(send, link.id)
  if (now.is !== 'found') return { is: 'unknown' }
  if (isUsedUp(now.found)) return ok(now.found, { used_up: true })
  return now.found.active ? ok(now.found) : { is: 'unknown' }
}

/** Finds the link that was made under a marker. The list may lag behind. */
export async function findLink(
  send: StripeRequest,
  request: LinkRequest,
  marker: string,
): Promise<LookupOutcome> {
  const found = await activeLink(
    send,
    (link) => link.metadata['commit_id'] === marker && isFor(link, request),
  )
  if (found.is === 'failed') return { is: 'busy', refusal: found.refusal }
  return found.is === 'found' ? ok(found.found) : { is: 'not_found' }
}

const ok = ({ id, url }: Link, more: Facts = {}): StepOutcome => ({
  is: 'ok',
  facts: { payment_link_id: id, url, ...more },
})

const isNotUsedUp = (restrictions: Link['restrictions']): boolean =>
  restrictions !== null && restrictions.completed_sessions.count < restrictions.completed_sessions.limit

const isUsedUp = ({ restrictions }: Link): boolean => restrictions !== null && !isNotUsedUp(restrictions)

/** Whether its page was used to the end. */
export const isCompleted = ({ restrictions }: Link): boolean =>
  (restrictions?.completed_sessions.count ?? 0) > 0

/** Switched on and not used up. */
export const isPayable = ({ active, restrictions }: Link): boolean => active && isNotUsedUp(restrictions)

const isFor = ({ metadata, currency, restrictions }: Link, request: LinkRequest): boolean =>
  metadata['invoice_id'] === request.invoiceId &&
  metadata['amount'] === String(request.amount) &&
  metadata['commit_id'] !== undefined &&
  currency === request.currency &&
  isNotUsedUp(restrictions)

/** The newest active link that is wanted, read by its id, since a list may lag behind. */
async function activeLink(send: StripeRequest, isWanted: (link: Link) => boolean): Promise<Lookup<Link>> {
  let after: string | undefined
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const response = await send({
      method: 'GET',
      path: PATH,
      query: { active: 'true', limit: String(PAGE_SIZE), starting_after: after },
    })
    const list = response.status === 'no answer' ? undefined : pageSchema.safeParse(response.body).data
    if (meaningOf(response) !== 'answered' || !list)
      return { is: 'failed', refusal: refusalOf(response, PERMISSION) }
    const links = list.data.flatMap((entry) => linkSchema.safeParse(entry).data ?? [])
    for (const { id } of links.filter(isWanted)) {
      const read = await readLink(send, id)
      if (read.is === 'failed') return read
      if (read.is === 'found' && read.found.active && isWanted(read.found)) return read
    }
    after = namedSchema.safeParse(list.data.at(-1)).data?.id
    if (!list.has_more || after === undefined) break
  }
  return { is: 'missing' }
}

export async function readLink(send: StripeRequest, id: string): Promise<Lookup<Link>> {
  const response = await send({ method: 'GET', path: `${PATH}/${encodeURIComponent(id)}` })
  const meaning = meaningOf(response)
  if (meaning === 'missing') return { is: 'missing' }
  const link = response.status === 'no answer' ? undefined : linkSchema.safeParse(response.body).data
  if (meaning !== 'answered' || link?.id !== id)
    return { is: 'failed', refusal: refusalOf(response, PERMISSION) }
  return { is: 'found', found: link }
}

/** Expands nothing: a missing permission can then only refuse the request, never hide a link. */
function formOf({ invoiceId, number, amount, currency }: LinkRequest, marker: string): URLSearchParams {
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
