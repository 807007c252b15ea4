import * as z from 'zod'
import type { Facts } from '../../../domain/facts.ts'
import type { Ran, Seen } from '../../../domain/outcome.ts'
import type { Invoice, LinkRequest } from '../../../domain/payment-link.ts'
import { isReplay, meaningOf, refusalOf } from './errors.ts'
import type { Ask, Read } from './invoice.ts'

const PATH = '/v1/payment_links'
const PERMISSION = 'rak_payment_link_write'

/** The newest links come first, and both a lost one and one worth using again are recent: no need to read further. */
const MOST_PAGES = 3
const PAGE_SIZE = 100

/** Whatever it is, it has an id, and a list goes on after it. */
const namedSchema = z.object({ id: z.string() })

/** A link as Stripe tells it. What it is for stands in its metadata: its price cannot change once it is made. */
const linkSchema = z.object({
  id: z.string().regex(/^plink_\w{1,250}$/),
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

/**
 * Makes a single-use link, once per marker: the marker is the idempotency key. An active link for the same invoice and
 * amount is used again. Nothing is sent if that could not be found out, or was found out too late.
 */
export async function createLink(
  ask: Ask,
  request: LinkRequest,
  { status }: Invoice,
  { marker, sendBefore }: { marker: string; sendBefore: number },
): Promise<Ran> {
  const known = await activeLink(ask, (link) => isFor(link, request))
  if (known.is === 'failed') return { is: 'busy', refusal: known.refusal }
  if (known.is === 'found') return ok(known.found)
  // The reads above may have taken long, and Stripe knows the marker for a day only.
  if (Date.now() >= sendBefore) return { is: 'busy', refusal: { code: 'provider_busy', effect: 'none' } }
  const headers = { 'Idempotency-Key': marker }
  const heard = await ask({ method: 'POST', path: PATH, headers, body: formOf(request, marker) })
  switch (meaningOf(heard)) {
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
      return { is: 'busy', refusal: refusalOf(heard, PERMISSION) }
  }
  const link = heard.status === 'no answer' ? undefined : linkSchema.safeParse(heard.body).data
  if (!link || link.metadata['commit_id'] !== marker || !isFor(link, request)) return { is: 'unknown' }
  if (!isReplay(heard)) return link.active ? ok(link) : { is: 'unknown' }
  // A repeated answer tells what was; the link may have been switched off since, or used up, which the repeat proves was ours.
  const now = await readLink(ask, link.id)
  if (now.is !== 'found') return { is: 'unknown' }
  if (isUsedUp(now.found)) return ok(now.found, { used_up: true })
  return now.found.active ? ok(now.found) : { is: 'unknown' }
}

/** Looks for the link that was made under a marker. It may be missing from the list and exist all the same. */
export async function findLink(ask: Ask, request: LinkRequest, marker: string): Promise<Seen> {
  const found = await activeLink(ask, (link) => link.metadata['commit_id'] === marker && isFor(link, request))
  if (found.is === 'failed') return { is: 'busy', refusal: found.refusal }
  return found.is === 'found' ? ok(found.found) : { is: 'absent' }
}

const ok = ({ id, url }: Link, more: Facts = {}): Ran => ({
  is: 'ok',
  // Stripe does not settle the invoice when such a link is paid.
  facts: { payment_link_id: id, url, reconciliation: 'manual', ...more },
})

const isNotUsedUp = (restrictions: Link['restrictions']): boolean =>
  restrictions !== null && restrictions.completed_sessions.count < restrictions.completed_sessions.limit

const isUsedUp = ({ restrictions }: Link): boolean => restrictions !== null && !isNotUsedUp(restrictions)

/** Whether a link is switched on and not used up. */
export const isOpen = ({ active, restrictions }: Link): boolean => active && isNotUsedUp(restrictions)

/** Made by this service for this invoice and amount, and not used up. */
const isFor = ({ metadata, currency, restrictions }: Link, request: LinkRequest): boolean =>
  metadata['invoice_id'] === request.invoiceId &&
  metadata['amount'] === String(request.amount) &&
  metadata['commit_id'] !== undefined &&
  currency === request.currency &&
  isNotUsedUp(restrictions)

/** The newest active link that is wanted, read by its id: a list may lag behind. */
async function activeLink(ask: Ask, isWanted: (link: Link) => boolean): Promise<Read<Link>> {
  let after: string | undefined
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const heard = await ask({
      method: 'GET',
      path: PATH,
      query: { active: 'true', limit: String(PAGE_SIZE), starting_after: after },
    })
    const list = heard.status === 'no answer' ? undefined : pageSchema.safeParse(heard.body).data
    if (meaningOf(heard) !== 'answered' || !list)
      return { is: 'failed', refusal: refusalOf(heard, PERMISSION) }
    // Links of other kinds stand between ours.
    const links = list.data.flatMap((entry) => linkSchema.safeParse(entry).data ?? [])
    for (const { id } of links.filter(isWanted)) {
      const read = await readLink(ask, id)
      if (read.is === 'failed') return read
      if (read.is === 'found' && read.found.active && isWanted(read.found)) return read
    }
    after = namedSchema.safeParse(list.data.at(-1)).data?.id
    if (!list.has_more || after === undefined) break
  }
  return { is: 'missing' }
}

/** Reads a link by its id. */
export async function readLink(ask: Ask, id: string): Promise<Read<Link>> {
  const heard = await ask({ method: 'GET', path: `${PATH}/${encodeURIComponent(id)}` })
  const meaning = meaningOf(heard)
  if (meaning === 'missing') return { is: 'missing' }
  const link = heard.status === 'no answer' ? undefined : linkSchema.safeParse(heard.body).data
  if (meaning !== 'answered' || link?.id !== id)
    return { is: 'failed', refusal: refusalOf(heard, PERMISSION) }
  return { is: 'found', found: link }
}

/**
 * The amount goes through untouched: invoice and link both count in minor units. Nothing is expanded in the answer, so a
 * permission that the key lacks can refuse the request only, never the answer to a link that was made.
 */
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
