import * as z from 'zod'
import type { Refusal } from '../../../domain/problem.ts'
import type { Heard } from '../../provider-http.ts'
import { type Permission, lackOf } from './key.ts'

/** The version of Stripe's API that this adapter is written for; sent with every request. */
export const STRIPE_VERSION = '2026-10-28.endive'

/**
 * What an answer of Stripe means. Everything but `answered` and `unclear` proves that this request had no effect:
 * Stripe refused it before it began to act.
 */
export type Meaning =
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

interface Row {
  /** The first and the last status of the row. */
  status: readonly [number, number]
  type?: string
  codes?: readonly string[]
  means: Meaning
}

const REFUSED = [400, 499] as const
const only = (status: number) => [status, status] as const

/** The first row that fits says what an answer means; what fits none is unclear. */
const ROWS: readonly Row[] = [
  { status: [200, 299], means: 'answered' },
  // It may have begun to act, and a repeat of a saved 500 proves nothing either.
  { status: [500, 599], means: 'unclear' },
  // Another request under this idempotency key was here before, or is still at work.
  { status: REFUSED, type: 'idempotency_error', means: 'unclear' },
  { status: REFUSED, codes: ['idempotency_key_in_use'], means: 'unclear' },
  // Somebody may still approve it in Stripe.
  { status: REFUSED, codes: ['approval_required'], means: 'unclear' },
  { status: REFUSED, codes: ['lock_timeout'], means: 'busy' },
  { status: only(429), means: 'busy' },
  { status: only(401), means: 'key refused' },
  {
    status: REFUSED,
    codes: ['api_key_expired', 'platform_api_key_expired', 'secret_key_required'],
    means: 'key refused',
  },
  {
    status: REFUSED,
    codes: ['testmode_charges_only', 'account_invalid', 'livemode_mismatch'],
    means: 'account',
  },
  { status: REFUSED, codes: ['action_blocked'], means: 'rule' },
  { status: only(403), means: 'not permitted' },
  { status: only(404), type: 'invalid_request_error', codes: ['resource_missing'], means: 'missing' },
  {
    status: only(400),
    codes: [
      'amount_too_small',
      'amount_too_large',
      'invalid_charge_amount_no_decimal_compatible',
      'currency_not_supported',
    ],
    means: 'amount',
  },
  // Only in Stripe's own words: a bare 400 or 404 may come from something in between.
  { status: only(400), type: 'invalid_request_error', means: 'not understood' },
  { status: only(404), type: 'invalid_request_error', means: 'not understood' },
]

const errorSchema = z.object({
  error: z.object({
    type: z.string().optional().catch(undefined),
    code: z.string().optional().catch(undefined),
    /** Read for the name of a permission only, never shown. */
    message: z.string().catch(''),
  }),
})

/** What Stripe meant, whatever came back. */
export function meaningOf(heard: Heard): Meaning {
  if (heard.status === 'no answer') return 'unclear'
  const { status } = heard
  const error = errorSchema.safeParse(heard.body).data?.error
  const row = ROWS.find(
    ({ status: [first, last], type, codes }) =>
      first <= status &&
      status <= last &&
      (type === undefined || type === error?.type) &&
      (codes === undefined || codes.includes(error?.code ?? '')),
  )
  return row?.means ?? 'unclear'
}

/** Whether Stripe only repeated what it had answered to an earlier request under the same idempotency key. */
export const isReplay = (heard: Heard): boolean =>
  heard.status !== 'no answer' && heard.headers.get('Idempotent-Replayed') === 'true'

/** How long to wait where Stripe does not say it; its limits count by the second. */
const WAIT_SECONDS = 5

export const later = (seconds = WAIT_SECONDS): Refusal => ({
  code: 'provider_busy',
  effect: 'none',
  retry_after_seconds: seconds,
})

/** A refusal that the owner of the practice can do something about. */
export const misconfigured = (detail: string): Refusal => ({
  code: 'provider_misconfigured',
  effect: 'none',
  detail: `${detail} Nothing was done.`,
})

/** The refusal for an answer that brought nothing; `needed` is the permission that the request takes. */
export function refusalOf(heard: Heard, needed: Permission): Refusal {
  switch (meaningOf(heard)) {
    case 'busy':
      return later(waitIn(heard))
    case 'key refused':
      return misconfigured(
        'Stripe does not accept the key of the practice: it is wrong, revoked, expired, or a publishable one. Set PAYMENT_PROVIDER_SECRET_KEY to a valid restricted key.',
      )
    case 'not permitted':
      return misconfigured(lackOf(messageIn(heard), needed))
    case 'account':
      return misconfigured(
        'The Stripe account cannot do this in the mode of its key: check that the account is activated, and that key and invoice are both test or both live.',
      )
    case 'rule':
      return misconfigured('A rule of the Stripe account blocks what this key asked for.')
    case 'missing':
    case 'amount':
    case 'not understood':
      return misconfigured(
        `Stripe did not accept the form of the request (API version ${STRIPE_VERSION}); this service needs an update.`,
      )
    case 'answered':
      // What is no JSON comes from something in between, and may pass.
      return isJson(heard)
        ? misconfigured(
            `Stripe answered in a form that this version does not know (API version ${STRIPE_VERSION}); this service needs an update.`,
          )
        : later()
    case 'unclear':
      return later()
  }
}

const isJson = (heard: Heard): boolean => heard.status !== 'no answer' && heard.body !== undefined

const messageIn = (heard: Heard): string =>
  heard.status === 'no answer' ? '' : (errorSchema.safeParse(heard.body).data?.error.message ?? '')

function waitIn(heard: Heard): number {
  const given = heard.status === 'no answer' ? null : heard.headers.get('Retry-After')
  return given !== null && /^\d{1,5}$/.test(given) ? Math.max(1, Number(given)) : WAIT_SECONDS
}
