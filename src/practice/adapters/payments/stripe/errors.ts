import * as z from 'zod'

import type { Refusal } from '../../../../core/domain/problem/problem.ts'
import type { PublishedLimit } from '../../../../core/domain/provider-quota.ts'
import {
  type ErrorRow,
  among,
  between,
  firstRow,
  busyFor,
  misconfigured,
  turnedAway,
  unknownForm,
} from '../../error-table.ts'
import { type ProviderResponse, retryAfter } from '../../provider-http.ts'

/** The version of Stripe's API that this adapter is written for; sent with every request. */
export const STRIPE_VERSION = '2026-10-28.endive'

/**
 * The limit of each endpoint, and in a sandbox of the whole account. Source:
 * https://docs.stripe.com/rate-limits (November 2026).
 */
export const STRIPE_LIMIT: PublishedLimit = { requests: 25, seconds: 1 }

/**
 * The meaning of a response. All but `answered`, `in between` and `unclear` prove that Stripe
 * refused before it began to act.
 */
type Meaning = (typeof ROWS)[number]['means']

interface StripeError {
  /** Whether it is an error in Stripe's form at all. */
  isStripes: boolean
  type?: string | undefined
  code?: string | undefined
  param?: string | undefined
  message: string
}

type Row = ErrorRow<'any', StripeError> & { means: string }

const refused = between(400, 499)
const hasType = (type: string) => (error: StripeError) => error.type === type
const hasCode =
  (...codes: string[]) =>
  (error: StripeError) =>
    codes.includes(error.code ?? '')
/** In Stripe's own words: a bare 400 or 404 may come from something in between. */
const invalidRequest = hasType('invalid_request_error')
/** Prose changes with every version of the API, so it decides only where there is no code. */
const inProse =
  (pattern: RegExp) =>
  ({ code, message, type }: StripeError) =>
    code === undefined && type === 'invalid_request_error' && pattern.test(message)

const isMissing = hasCode('resource_missing')
/** Stripe has no code of its own for this. */
const isOfOtherMode = ({ message }: StripeError) =>
  /similar object exists in (?:live|test) mode/i.test(message)
const keyIsNotGood = hasCode('api_key_expired', 'platform_api_key_expired', 'secret_key_required')
const isOfAccount = hasCode(
  'testmode_charges_only',
  'account_invalid',
  'livemode_mismatch',
  'platform_account_required',
)
const isOfAmount = hasCode(
  'amount_too_small',
  'amount_too_large',
  'invalid_charge_amount_no_decimal_compatible',
  'currency_not_supported',
)
/** The connector sends an amount as whole minor units, so Stripe refuses its size or its currency. */
const isOfAmountSent = ({ code = 'parameter_invalid', param = '' }: StripeError) =>
  code.startsWith('parameter_invalid') && /unit_amount|\[currency\]/.test(param)
/** Stripe does not know the request in this form; its other codes are about an account or a value. */
const isOfForm = ({ code = '' }: StripeError) => /^parameter_|^url_/.test(code)
/** A key can be limited to IP addresses, and a Worker has none of its own. */
const isOfIpAddress = ({ message }: StripeError) => /\bIP address/i.test(message)
/**
 * A key of a whole organization works only with the account named beside it
 * (docs.stripe.com/keys/organization-api-keys; Stripe's words: stripe-python pull request 1660).
 */
const isOfOrganization = ({ message }: StripeError) => /\bOrganization API key/i.test(message)

const ROWS = [
  { status: between(200, 299), means: 'answered' },
  // Stripe may have begun to act, and a repeat of a saved 500 proves nothing either.
  { status: between(500, 599), means: 'unclear' },
  { status: refused, says: hasType('idempotency_error'), means: 'unclear' },
  { status: refused, says: hasCode('idempotency_key_in_use'), means: 'unclear' },
  // It may still be approved in Stripe.
  { status: refused, says: hasCode('approval_required'), means: 'unclear' },
  { status: refused, says: hasCode('lock_timeout'), means: 'busy' },
  { status: among(429), means: 'busy' },
  // A page or the JSON of something else proves nothing about the key.
  { status: among(401, 403), says: ({ isStripes }) => !isStripes, means: 'in between' },
  { status: among(401, 403), says: isOfIpAddress, means: 'key elsewhere' },
  { status: refused, says: isOfOrganization, means: 'key of organization' },
  { status: among(401), means: 'key refused' },
  { status: refused, says: keyIsNotGood, means: 'key refused' },
  { status: refused, says: hasCode('more_permissions_required'), means: 'not permitted' },
  { status: refused, says: isOfAccount, means: 'account' },
  { status: refused, says: hasCode('action_blocked'), means: 'rule' },
  { status: among(403), means: 'not permitted' },
  {
    status: among(400, 404),
    says: (error) => invalidRequest(error) && isOfOtherMode(error),
    means: 'other mode',
  },
  {
    status: among(404),
    says: (error) => invalidRequest(error) && isMissing(error),
    means: 'missing',
  },
  { status: among(400), says: isOfAmount, means: 'amount' },
  { status: among(400), says: isOfAmountSent, means: 'amount' },
  { status: among(400), says: inProse(/business name|account name/i), means: 'business name' },
  { status: among(400), says: inProse(/valid payment method types/i), means: 'payment methods' },
  {
    status: among(400),
    says: inProse(/unknown parameter|missing required param|unrecognized request url/i),
    means: 'not understood',
  },
  {
    status: among(400),
    says: inProse(
      /amount (?:must|is too|due)|total amount|minimum (?:charge )?amount|at least .*\d|no more than .*\d|invalid currency|currency is not/i,
    ),
    means: 'amount',
  },
  {
    status: among(400),
    says: inProse(
      /activat|terms of service|account (?:has been|is) (?:rejected|restricted|closed)|charges? (?:are|is) not enabled|cannot (?:currently )?make (?:live )?charges|verif/i,
    ),
    means: 'account',
  },
  {
    status: among(400),
    says: (error) => invalidRequest(error) && !isMissing(error) && !isOfForm(error),
    means: 'unexplained',
  },
  { status: among(400, 404), says: invalidRequest, means: 'not understood' },
] as const satisfies readonly Row[]

const text = z.lazy(() => z.string().optional().catch(undefined))
const errorSchema = z.lazy(() =>
  z.object({
    // The message is read for the name of a permission and where there is no code, and never shown.
    error: z.object({ type: text, code: text, param: text, message: z.string().catch('') }),
  }),
)

export function errorIn(body: unknown): StripeError {
  const error = errorSchema.safeParse(body).data?.error
  return error ? { isStripes: true, ...error } : { isStripes: false, message: '' }
}

/** The meaning of a response; one that fits no row is unclear. */
export function meaningOf(response: ProviderResponse): Meaning {
  if (response.status === 'no answer') return 'unclear'
  const { status, body } = response
  return firstRow(ROWS, { status, action: 'any', error: errorIn(body) })?.means ?? 'unclear'
}

/** What was answered, in this form; undefined where it has another one, and of a refusal. */
export const bodyOf = <T>(response: ProviderResponse, schema: z.ZodType<T>): T | undefined =>
  response.status === 'no answer' || meaningOf(response) !== 'answered'
    ? undefined
    : schema.safeParse(response.body).data

const PROVE_NOTHING: readonly Meaning[] = ['answered', 'in between', 'unclear']
/** Whether a response proves that Stripe refused before it began to act. */
export const isRefused = (response: ProviderResponse) =>
  !PROVE_NOTHING.includes(meaningOf(response))

/** Whether Stripe repeated its answer to an earlier request under the same idempotency key. */
export const isReplay = (response: ProviderResponse) =>
  response.status !== 'no answer' && response.headers.get('Idempotent-Replayed') === 'true'

/** For a response that does not say how long to wait; Stripe's limits count by the second. */
const WAIT_SECONDS = 5

export const LATER = busyFor(WAIT_SECONDS)

/** A refusal that the owner can fix. */
export const ownerMustFix = (detail: string): Refusal =>
  misconfigured(`${detail} Nothing was done.`)

/**
 * Whether this key is of Stripe's test mode, where no real money moves. Its form says so
 * (docs.stripe.com/keys).
 */
export const isTestKey = (secretKey: string) => /^[a-z]+_(?:org_)?test_/.test(secretKey)

/** What a refusal says of something that Stripe has in the other mode only, as its words say. */
export function otherModeDetail(response: ProviderResponse): string {
  const isLive = /exists in live mode/i.test(messageIn(response))
  const [its, ours] = isLive ? ['live', 'test'] : ['test', 'live']
  return (
    `It is of Stripe’s ${its} mode, and the practice uses a ${ours} key ` +
    `(PAYMENT_PROVIDER_SECRET_KEY), which sees only ${ours} data.`
  )
}

/** What the owner can mend, where one sentence says it all. */
const OWNER_MENDS = {
  'key refused':
    'Stripe does not accept the key of the practice: it is wrong, revoked, expired, or ' +
    'a publishable one. Set PAYMENT_PROVIDER_SECRET_KEY to a valid restricted key.',
  account:
    'The Stripe account cannot do this in the mode of its key: check that the account ' +
    'is activated, and that key and invoice are both test or both live.',
  'business name':
    'The Stripe account has no business name yet, which a payment page shows. ' +
    'Set it in Stripe under Settings → Business.',
  'payment methods':
    'The Stripe account has no payment method switched on for the currency of the invoice. ' +
    'Switch one on in Stripe under Settings → Payment methods.',
  'key elsewhere':
    'The Stripe key of the practice is limited to IP addresses, and this service has none of ' +
    'its own. Take that limit off in Stripe under Developers → API keys.',
  'key of organization':
    'The Stripe key of the practice is one of a whole organization. ' +
    'Set PAYMENT_PROVIDER_SECRET_KEY to a restricted key of the practice’s own account.',
  rule: 'A rule of the Stripe account blocks what this key asked for.',
  unexplained:
    'Stripe refused the request for a reason that this service does not know. Most often the ' +
    'account lacks something that a payment page needs, or the amount cannot be charged. ' +
    'Stripe’s dashboard says what, under Developers → Logs.',
} as const satisfies Partial<Record<Meaning, string>>

/** The refusal for a response without a usable result; `needed` is the permission that the request takes. */
export function refusalOf(response: ProviderResponse, needed: Permission): Refusal {
  const meaning = meaningOf(response)
  switch (meaning) {
    case 'busy':
    case 'unclear':
      return busyFor(waitIn(response))
    case 'not permitted':
      return ownerMustFix(lackOf(messageIn(response), needed))
    case 'other mode':
      return ownerMustFix(otherModeDetail(response))
    case 'missing':
    case 'amount':
    case 'not understood':
      return ownerMustFix(
        `Stripe did not accept the form of the request (API version ${STRIPE_VERSION}); ` +
          'this service needs an update.',
      )
    case 'in between':
      return turnedAway('Stripe')
    case 'answered':
      // A body that is not JSON comes from something in between, and passes.
      return isJson(response) ? ownerMustFix(unknownForm('Stripe')) : LATER
    default:
      return ownerMustFix(OWNER_MENDS[meaning])
  }
}

const isJson = (response: ProviderResponse) =>
  response.status !== 'no answer' && response.body !== undefined

const messageIn = (response: ProviderResponse) =>
  response.status === 'no answer' ? '' : errorIn(response.body).message

const waitIn = (response: ProviderResponse) => retryAfter(response, Date.now()) ?? WAIT_SECONDS

/** The permissions that a restricted key may lack: Stripe's internal name, and the name in its dashboard. */
const PERMISSIONS = {
  rak_invoice_read: 'Invoices: Read',
  rak_payment_link_read: 'Payment Links: Write',
  rak_payment_link_write: 'Payment Links: Write',
  rak_product_read: 'Products: Read',
  rak_product_write: 'Products: Write',
  rak_plan_read: 'Prices: Read',
  rak_plan_write: 'Prices: Write',
  rak_price_read: 'Prices: Read',
  rak_price_write: 'Prices: Write',
  rak_payment_intent_read: 'PaymentIntents: Read',
  rak_charge_read: 'Charges and Refunds: Read',
  rak_checkout_session_read: 'Checkout Sessions: Read',
  rak_checkout_session_write: 'Checkout Sessions: Write',
  rak_customer_read: 'Customers: Read',
  rak_webhook_read: 'Webhook Endpoints: Write',
  rak_webhook_write: 'Webhook Endpoints: Write',
} as const

export type Permission = keyof typeof PERMISSIONS

const NAMES = Object.keys(PERMISSIONS) as Permission[]
const NAMED = /\b(?:rak_)?([a-z]+(?:_[a-z]+)*_(?:read|write))\b/g
const IN_DASHBOARD = /"([A-Z][A-Za-z ]*?):? (Read|Write)"/g

/**
 * The permissions that Stripe's words name: by its internal names, with or without their prefix, or
 * as its dashboard does.
 */
function namedIn(message: string): (Permission | undefined)[] {
  const internal = [...message.matchAll(NAMED)].map(([, name]) =>
    NAMES.find((one) => one === `rak_${name}`),
  )
  if (internal.length > 0) return internal
  return [...message.matchAll(IN_DASHBOARD)].map(([, resource, level]) =>
    // Its internal name ends in the level, too, where another one needs more than it says.
    NAMES.find(
      (one) =>
        PERMISSIONS[one] === `${resource}: ${level}` && one.endsWith(`_${level!.toLowerCase()}`),
    ),
  )
}

/** The same of a response; undefined where no permission is what it lacks. */
export const lackIn = (response: ProviderResponse, needed: Permission): string | undefined =>
  meaningOf(response) === 'not permitted' ? lackOf(messageIn(response), needed) : undefined

/**
 * The permission to add: what Stripe names, or what the request needs where it names none. Stripe's
 * own words are not passed on, so of one that is not in the list it says only that there is
 * another.
 */
export function lackOf(message: string, needed: Permission): string {
  const named = namedIn(message)
  const known = [...new Set(named.filter((name) => name !== undefined))]
  const give = (...names: Permission[]) =>
    names.map((name) => `“${PERMISSIONS[name]}” (${name})`).join(' and ')
  if (known.length > 0 || named.length === 0)
    return (
      'The Stripe key of the practice lacks a permission: give it ' +
      `${give(...(known.length > 0 ? known : [needed]))}.`
    )
  return (
    'The Stripe key of the practice lacks a permission that this connector does not know by ' +
    'name; Stripe’s dashboard names it, under Developers → Logs. ' +
    `The request also needs ${give(needed)}.`
  )
}
