import { type OmittedField, withOmitted } from './contract-fields.ts'
import {
  type FakeAnswer,
  type FakeHandler,
  type FakeHttp,
  type FakeRequest,
  type Watch,
  fakeHttp,
} from './http.ts'
import { formTree } from './stripe-form.ts'
import {
  type FakeInvoice,
  type FakeLink,
  invoiceAnswer,
  linkAnswer,
  openInvoice,
} from './stripe-objects.ts'
import { stripeBody } from './webhook-bodies.ts'
import { type FakeWebhook, type FakeWebhooks, fakeWebhooks } from './webhooks.ts'

export const FAKE_KEY = 'rk_test_fake0123456789'

/** Stripe's own words hold a part of the key and the account; the fake's hold this too, so a leak shows. */
export const PROVIDER_TEXT = 'text-of-the-provider'

export const ROUTES = {
  invoice: 'GET /v1/invoices/:invoice',
  invoices: 'GET /v1/invoices',
  /** What an invoice has of payments besides those that stand in it: none, unless a test says so. */
  entries: 'GET /v1/invoice_payments',
  intent: 'GET /v1/payment_intents/:intent',
  /** Finds none, unless a test says so. */
  intents: 'GET /v1/payment_intents/search',
  list: 'GET /v1/payment_links',
  create: 'POST /v1/payment_links',
  link: 'GET /v1/payment_links/:payment_link',
  end: 'POST /v1/payment_links/:payment_link',
} as const

export const WEBHOOK_ROUTES = {
  list: 'GET /v2/core/event_destinations',
  create: 'POST /v2/core/event_destinations',
  remove: 'DELETE /v2/core/event_destinations/:id',
} as const

export interface FakeStripe extends FakeHttp {
  /** The settings of a connector that asks this one. */
  settings: Record<string, string>
  links: FakeLink[]
  webhooks: FakeWebhooks
  /** Adds an invoice, or changes one behind everybody's back. */
  set(invoiceId: string, change?: Partial<FakeInvoice>): void
  /** Someone pays a link; a single-use one is switched off by that. */
  pay(linkId: string): void
  switchOff(linkId: string): void
  /** Takes a permission from the key. */
  forbid(permission: string): void
  /** From now on the list does not show links that are made later. */
  freezeList(): void
  /** The next creates break inside: with or without their effect, the answer is a 500 that is saved under the key. */
  breakNextCreate(effect: 'with effect' | 'without effect'): void
  /** The next creates begin and are refused: that answer is saved under the key, too. */
  refuseNextCreate(answer: FakeAnswer): void
  /** The next create is carried out twice on its way, and answered with what the second time brings. */
  twice(): void
  /** Fields that are missing or null in every invoice and in every link. */
  omitted: Record<'invoice' | 'link', OmittedField[]>
  /** Creates wait inside until the returned function is called. */
  holdCreates(): () => void
}

interface Saved {
  text: string
  answer: FakeAnswer | undefined
}

/** A stateful Stripe: invoices, payment links, permissions and idempotency keys, on a real port of this machine. */
export async function fakeStripe(watch?: Watch, now: () => number = Date.now): Promise<FakeStripe> {
  const invoices = new Map<string, FakeInvoice>()
  const links: FakeLink[] = []
  const forbidden = new Set<string>()
  const keys = new Map<string, Saved>()
  const broken: ('with effect' | 'without effect' | FakeAnswer)[] = []
  let shownInList = Infinity
  let gate: Promise<void> | undefined
  let doubled = false
  const omitted: FakeStripe['omitted'] = { invoice: [], link: [] }
  const webhooks = fakeWebhooks('stripe', now)
  let destinations = 0
  const announce = (type: string, id: string) =>
    webhooks.announce(type, () => stripeBody(type, { id, type: type.split('.')[1]! }))
  const answerOf = (kind: 'invoice' | 'link', body: object) =>
    omitted[kind].reduce<unknown>(withOmitted, body)

  const guarded =
    (permission: string, handler: FakeHandler): FakeHandler =>
    (request) => {
      if (request.headers.authorization !== `Bearer ${FAKE_KEY}`)
        return refusal(401, { message: `Invalid API Key provided: ${PROVIDER_TEXT}` })
      if (forbidden.has(permission))
        return refusal(403, {
          message: `The provided key '${PROVIDER_TEXT}' does not have the required permissions for this endpoint on account 'acct_fake'. Having the '${permission}' permission would allow this request to continue.`,
        })
      return handler(request)
    }

  function getInvoice({ params, query }: FakeRequest): FakeAnswer {
    const invoice = invoices.get(params['invoice'] ?? '')
    if (!invoice) return missing('invoice')
    const isExpanded = query.has('expand[]')
    if (isExpanded && forbidden.has('rak_payment_intent_read'))
      return refusal(403, { code: 'more_permissions_required', message: PROVIDER_TEXT })
    const body = invoiceAnswer(invoice, isExpanded)
    return { status: 200, body: answerOf('invoice', body) }
  }

  /** The newest first, as Stripe lists them; one that was set later is newer. */
  function listInvoices({ query }: FakeRequest): FakeAnswer {
    const status = query.get('status')
    const asked = [...invoices.values()]
      .toReversed()
      .filter((invoice) => status === null || invoice.status === status)
    const after = query.get('starting_after')
    const from = asked.findIndex(({ id }) => id === after) + 1
    if (after !== null && from === 0) return missing('starting_after')
    const limit = Number(query.get('limit') ?? 10)
    const data = asked
      .slice(from, from + limit)
      .map((invoice) => answerOf('invoice', invoiceAnswer(invoice)))
    const has_more = asked.length > from + limit
    return { status: 200, body: { object: 'list', data, has_more, url: '/v1/invoices' } }
  }

  function getLink({ params }: FakeRequest): FakeAnswer {
    const link = links.find(({ id }) => id === params['payment_link'])
    return link
      ? { status: 200, body: answerOf('link', linkAnswer(link)) }
      : missing('payment_link')
  }

  function updateLink({ params, text }: FakeRequest): FakeAnswer {
    const link = links.find(({ id }) => id === params['payment_link'])
    if (!link) return missing('payment_link')
    const { active, ...others } = formTree(text)
    if (Object.keys(others).length > 0 || (active !== 'true' && active !== 'false'))
      return refusal(400, { code: 'parameter_unknown', message: PROVIDER_TEXT })
    link.active = active === 'true'
    announce('v1.payment_link.updated', link.id)
    return { status: 200, body: answerOf('link', linkAnswer(link)) }
  }

  function listLinks({ query }: FakeRequest): FakeAnswer {
    const all = links.slice(0, shownInList).toReversed()
    const asked = query.has('active')
      ? all.filter(({ active }) => String(active) === query.get('active'))
      : all
    const from = asked.findIndex(({ id }) => id === query.get('starting_after')) + 1
    const limit = Number(query.get('limit') ?? 10)
    const data = asked.slice(from, from + limit).map((link) => answerOf('link', linkAnswer(link)))
    const has_more = asked.length > from + limit
    return { status: 200, body: { object: 'list', data, has_more, url: '/v1/payment_links' } }
  }

  async function createLink(request: FakeRequest): Promise<FakeAnswer> {
    const key = String(request.headers['idempotency-key'] ?? `none-${keys.size}`)
    const saved = keys.get(key)
    if (saved && saved.text !== request.text)
      return refusal(400, {
        type: 'idempotency_error',
        message: 'Keys for idempotent requests can only be used with the same parameters.',
      })
    if (saved && !saved.answer)
      return refusal(409, { code: 'idempotency_key_in_use', message: `In use: ${PROVIDER_TEXT}` })
    if (saved?.answer) return { ...saved.answer, headers: { 'Idempotent-Replayed': 'true' } }
    const wrong = validate(request)
    // What fails validation never began, so it is not saved.
    if (wrong) return wrong
    const entry: Saved = { text: request.text, answer: undefined }
    keys.set(key, entry)
    await gate
    entry.answer = act(request)
    return entry.answer
  }

  function act(request: FakeRequest): FakeAnswer {
    const fault = broken.shift()
    if (typeof fault === 'object') return fault
    const failure = refusal(500, {
      type: 'api_error',
      message: `An error occurred: ${PROVIDER_TEXT}`,
    })
    if (fault === 'without effect') return failure
    const link = linkFrom(request, links.length + 1)
    links.push(link)
    return fault === 'with effect'
      ? failure
      : { status: 200, body: answerOf('link', linkAnswer(link)) }
  }

  /** The secret is in the answer of the create only, and only when it is included. */
  const destination = ({ id, url, events, isOn }: FakeWebhook, shown: object) => ({
    id,
    object: 'v2.core.event_destination',
    created: '2026-11-23T12:00:00.000Z',
    description: '',
    enabled_events: events,
    event_payload: 'thin',
    livemode: false,
    name: 'Consult connector',
    status: isOn ? 'enabled' : 'disabled',
    type: 'webhook_endpoint',
    webhook_endpoint: { ...shown, url },
  })

  function listDestinations({ query }: FakeRequest): FakeAnswer {
    const included = query.get('include[0]') === 'webhook_endpoint.url'
    const data = webhooks.hooks.map((hook) => ({
      ...destination(hook, {}),
      ...(included ? {} : { webhook_endpoint: null }),
    }))
    return { status: 200, body: { data, next_page_url: null, previous_page_url: null } }
  }

  function makeDestination({ body }: FakeRequest): FakeAnswer {
    const { enabled_events, event_payload, webhook_endpoint, include } = body as {
      enabled_events: string[]
      event_payload: string
      webhook_endpoint: { url: string }
      include?: string[]
    }
    if (event_payload !== 'thin') return refusal(400, { message: PROVIDER_TEXT })
    const number = (destinations += 1)
    const hook = {
      id: `ed_test_${number}`,
      url: webhook_endpoint.url,
      events: enabled_events,
      key: `whsec_fake${number}`,
      isOn: true,
    }
    webhooks.hooks.push(hook)
    const shown = include?.includes('webhook_endpoint.signing_secret')
      ? { signing_secret: hook.key }
      : {}
    return { status: 200, body: destination(hook, shown) }
  }

  function dropDestination({ params }: FakeRequest): FakeAnswer {
    const hook = webhooks.hooks.find(({ id }) => id === params['id'])
    if (!hook) return missing('id')
    webhooks.hooks.splice(webhooks.hooks.indexOf(hook), 1)
    return {
      status: 200,
      body: { id: hook.id, object: 'v2.core.event_destination', deleted: true },
    }
  }

  const linkNamed = (linkId: string): FakeLink => {
    const link = links.find(({ id }) => id === linkId)
    if (!link) throw new Error('no such link')
    return link
  }

  const http = await fakeHttp(
    {
      [ROUTES.invoice]: guarded('rak_invoice_read', getInvoice),
      [ROUTES.entries]: guarded('rak_invoice_read', () => ({
        status: 200,
        body: { object: 'list', data: [], has_more: false },
      })),
      [ROUTES.intents]: guarded('rak_payment_intent_read', () => ({
        status: 200,
        body: { object: 'search_result', data: [], has_more: false },
      })),
      [ROUTES.intent]: guarded('rak_payment_intent_read', () => missing('intent')),
      [ROUTES.invoices]: guarded('rak_invoice_read', listInvoices),
      [ROUTES.list]: guarded('rak_payment_link_read', listLinks),
      [ROUTES.create]: guarded('rak_payment_link_write', async (request) => {
        if (doubled) {
          doubled = false
          await createLink(request)
        }
        return createLink(request)
      }),
      [ROUTES.link]: guarded('rak_payment_link_read', getLink),
      [ROUTES.end]: guarded('rak_payment_link_write', updateLink),
      [WEBHOOK_ROUTES.list]: guarded('rak_webhook_read', listDestinations),
      [WEBHOOK_ROUTES.create]: guarded('rak_webhook_write', makeDestination),
      [WEBHOOK_ROUTES.remove]: guarded('rak_webhook_write', dropDestination),
    },
    watch,
  )
  return {
    ...http,
    settings: { PAYMENT_PROVIDER_SECRET_KEY: FAKE_KEY, PAYMENT_PROVIDER_BASE_URL: http.url },
    links,
    webhooks,
    set(invoiceId, change) {
      const before = invoices.get(invoiceId)
      const after = { ...(before ?? openInvoice(invoiceId)), ...change }
      invoices.set(invoiceId, after)
      if (before === undefined) return
      const ended = after.status === before.status ? undefined : ENDS[after.status ?? '']
      announce(`v1.invoice.${ended ?? 'updated'}`, invoiceId)
    },
    pay(linkId) {
      const link = linkNamed(linkId)
      link.paid += 1
      if (link.paid < link.limit) return
      link.active = false
      announce('v1.payment_link.updated', linkId)
    },
    switchOff(linkId) {
      linkNamed(linkId).active = false
      announce('v1.payment_link.updated', linkId)
    },
    forbid: (permission) => forbidden.add(permission),
    freezeList() {
      shownInList = links.length
    },
    twice() {
      doubled = true
    },
    omitted,
    breakNextCreate: (effect) => broken.push(effect),
    refuseNextCreate: (answer) => broken.push(answer),
    holdCreates() {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      return () => {
        gate = undefined
        resolve()
      }
    },
  }
}

/** The events of an invoice that has come to an end. */
const ENDS: Record<string, string> = {
  paid: 'paid',
  void: 'voided',
  uncollectible: 'marked_uncollectible',
}

/** An error in Stripe's form. */
export const refusal = (status: number, error: Record<string, string>): FakeAnswer => ({
  status,
  body: { error: { type: 'invalid_request_error', ...error } },
})

const missing = (param: string): FakeAnswer =>
  refusal(404, { code: 'resource_missing', param, message: `No such ${param}: ${PROVIDER_TEXT}` })

interface LinkForm {
  line_items?: { quantity?: string; price_data?: PriceData }[]
  metadata?: Record<string, string>
  payment_intent_data?: { metadata?: Record<string, string> }
  restrictions?: { completed_sessions?: { limit?: string } }
}
interface PriceData {
  currency?: string
  unit_amount?: string
  product_data?: { name?: string }
}

const KNOWN = [
  'line_items',
  'metadata',
  'payment_intent_data',
  'restrictions',
  'inactive_message',
  'expand',
]
const LEAST_AMOUNT = 50

const formOf = ({ text }: FakeRequest): LinkForm => formTree(text)

function validate(request: FakeRequest): FakeAnswer | undefined {
  const form = formOf(request)
  const unknown = Object.keys(form).find((name) => !KNOWN.includes(name))
  if (unknown)
    return refusal(400, { code: 'parameter_unknown', param: unknown, message: PROVIDER_TEXT })
  const [item] = form.line_items ?? []
  const { currency, unit_amount, product_data } = item?.price_data ?? {}
  if (!item?.quantity || !currency || !product_data?.name || !/^\d+$/.test(unit_amount ?? ''))
    return refusal(400, { code: 'parameter_missing', param: 'line_items', message: PROVIDER_TEXT })
  if (Number(unit_amount) < LEAST_AMOUNT)
    return refusal(400, { code: 'amount_too_small', param: 'line_items', message: PROVIDER_TEXT })
  return undefined
}

function linkFrom(request: FakeRequest, number: number): FakeLink {
  const { line_items, metadata, payment_intent_data, restrictions } = formOf(request)
  const price = line_items?.[0]?.price_data
  return {
    id: `plink_fake${number}`,
    url: `https://buy.stripe.com/test_fake${number}`,
    active: true,
    currency: price?.currency ?? '',
    amount: Number(price?.unit_amount),
    metadata: metadata ?? {},
    paymentMetadata: payment_intent_data?.metadata ?? {},
    paid: 0,
    limit: Number(restrictions?.completed_sessions?.limit ?? Infinity),
  }
}
