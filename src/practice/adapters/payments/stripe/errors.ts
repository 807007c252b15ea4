import * as z from 'zod'

import type { Refusal } from '../../../../core/domain/problem/problem.ts'
import {
  type ErrorRow,
  among,
  between,
  firstRow,
  busyFor,
  misconfigured,
  unknownForm,
} from '../../error-table.ts'
import { type ProviderResponse, secondsToWait } from '../../provider-http.ts'

/** The version of Stripe's API that this adapter is written for; sent with every request. */
export const STRIPE_VERSION = '2026-10-28.endive'

/** The meaning of a response. All but `answered` and `unclear` prove that Stripe refused before it began to act. */
type Meaning =
  | 'answered'
  | 'missing'
  | 'busy'
  | 'key refused'
  | 'not permitted'
  | 'account'
  | 'rule'
  | 'amount'
  | 'not understood'
  | 'unclear'

interface StripeError {
  type?: string | undefined
  code?: string | undefined
  message: string
}

interface Row extends ErrorRow<'any', StripeError> {
  means: Meaning
}

const refused = between(400, 499)
const hasType = (type: string) => (error: StripeError) => error.type === type
const hasCode =
  (...codes: string[]) =>
  (error: StripeError) =>
    codes.includes(error.code ?? '')
/** In Stripe's own words: a bare 400 or 404 may come from something in between. */
const invalidRequest = hasType('invalid_request_error')

const isMissing = hasCode('resource_missing')
const keyIsNotGood = hasCode('api_key_expired', 'platform_api_key_expired', 'secret_key_required')
const isOfAccount = hasCode('testmode_charges_only', 'account_invalid', 'livemode_mismatch')
const isOfAmount = hasCode(
  'amount_too_small',
  'amount_too_large',
  'invalid_charge_amount_no_decimal_compatible',
  'currency_not_supported',
)

const ROWS: readonly Row[] = [
  { status: between(200, 299), means: 'answered' },
  // Stripe may have begun to act, and a repeat of a saved 500 proves nothing either.
  { status: between(500, 599), means: 'unclear' },
  { status: refused, says: hasType('idempotency_error'), means: 'unclear' },
  { status: refused, says: hasCode('idempotency_key_in_use'), means: 'unclear' },
  // It may still be approved in Stripe.
  { status: refused, says: hasCode('approval_required'), means: 'unclear' },
  { status: refused, says: hasCode('lock_timeout'), means: 'busy' },
  { status: among(429), means: 'busy' },
  { status: among(401), means: 'key refused' },
  { status: refused, says: keyIsNotGood, means: 'key refused' },
  { status: refused, says: isOfAccount, means: 'account' },
  { status: refused, says: hasCode('action_blocked'), means: 'rule' },
  { status: among(403), means: 'not permitted' },
  {
    status: among(404),
    says: (error) => invalidRequest(error) && isMissing(error),
    means: 'missing',
  },
  { status: among(400), says: isOfAmount, means: 'amount' },
  { status: among(400, 404), says: invalidRequest, means: 'not understood' },
]

const text = z.string().optional().catch(undefined)
const errorSchema = z.object({
  // Read for the name of a permission only, and never shown.
  error: z.object({ type: text, code: text, message: z.string().catch('') }),
})

export const errorIn = (body: unknown): StripeError =>
  errorSchema.safeParse(body).data?.error ?? { message: '' }

/** The meaning of a response; one that fits no row is unclear. */
export function meaningOf(response: ProviderResponse): Meaning {
  if (response.status === 'no answer') return 'unclear'
  const { status, body } = response
  return firstRow(ROWS, { status, action: 'any', error: errorIn(body) })?.means ?? 'unclear'
}

/** Whether Stripe repeated its answer to an earlier request under the same idempotency key. */
export const isReplay = (response: ProviderResponse): boolean =>
  response.status !== 'no answer' && response.headers.get('Idempotent-Replayed') === 'true'

/** For a response that does not say how long to wait; Stripe's limits count by the second. */
const WAIT_SECONDS = 5

export const LATER = busyFor(WAIT_SECONDS)

/** A refusal that the owner can fix. */
export const ownerMustFix = (detail: string): Refusal =>
  misconfigured(`${detail} Nothing was done.`)

/** The refusal for a response without a usable result; `needed` is the permission that the request takes. */
export function refusalOf(response: ProviderResponse, needed: Permission): Refusal {
  switch (meaningOf(response)) {
    case 'busy':
      return busyFor(waitIn(response))
    case 'key refused':
      return ownerMustFix(
        'Stripe does not accept the key of the practice: it is wrong, revoked, expired, or a publishable one. Set PAYMENT_PROVIDER_SECRET_KEY to a valid restricted key.',
      )
    case 'not permitted':
      return ownerMustFix(lackOf(messageIn(response), needed))
    case 'account':
      return ownerMustFix(
        'The Stripe account cannot do this in the mode of its key: check that the account is activated, and that key and invoice are both test or both live.',
      )
    case 'rule':
      return ownerMustFix('A rule of the Stripe account blocks what this key asked for.')
    case 'missing':
    case 'amount':
    case 'not understood':
      return ownerMustFix(
        `Stripe did not accept the form of the request (API version ${STRIPE_VERSION}); this service needs an update.`,
      )
    case 'answered':
      // A body that is not JSON comes from something in between, and passes.
      return isJson(response) ? ownerMustFix(unknownForm('Stripe')) : LATER
    case 'unclear':
      return LATER
  }
}

const isJson = (response: ProviderResponse): boolean =>
  response.status !== 'no answer' && response.body !== undefined

const messageIn = (response: ProviderResponse): string =>
  response.status === 'no answer' ? '' : errorIn(response.body).message

const waitIn = (response: ProviderResponse): number =>
  (response.status === 'no answer'
    ? undefined
    : secondsToWait(response.headers, ['Retry-After'], Date.now())) ?? WAIT_SECONDS

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
  rak_webhook_read: 'Webhook Endpoints: Write',
  rak_webhook_write: 'Webhook Endpoints: Write',
} as const

export type Permission = keyof typeof PERMISSIONS

/** The permission to add: the one Stripe names, if known, else what the request needs. */
export function lackOf(message: string, needed: Permission): string {
  const names = Object.keys(PERMISSIONS) as Permission[]
  const named = names.find((name) => new RegExp(`\\b${name}\\b`).test(message)) ?? needed
  return `The Stripe key of the practice lacks a permission: give it “${PERMISSIONS[named]}” (${named}).`
}
