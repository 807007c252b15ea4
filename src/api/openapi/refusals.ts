import { effectsOf } from '../../core/domain/problem/problem.ts'
import { PROBLEMS, type Asked, type ProblemCode } from '../../core/domain/problem/problems.ts'
import type { ShownRefusal } from './doc-page.ts'

/** What a caller can do about a refusal. */
export const REMEDIES = {
  request: 'Your request: correct it',
  facts: 'The facts changed: look again',
  owner: 'The owner decides: ask',
  wait: 'Wait: send the same call again',
} as const

export type Remedy = keyof typeof REMEDIES

/** What to do about each refusal. One that is missing here does not compile. */
export const REMEDY_OF: Record<ProblemCode, Remedy> = {
  idempotency_key_missing: 'request',
  idempotency_key_invalid: 'request',
  idempotency_key_reused: 'request',
  validation_failed: 'request',
  sensitive_data_refused: 'request',
  confirmation_token_missing: 'request',
  confirmation_token_invalid: 'request',
  preview_required: 'request',
  booking_not_found: 'request',
  client_not_found: 'request',
  invoice_not_found: 'request',
  payment_link_not_found: 'request',
  client_link_not_found: 'request',
  webhook_not_found: 'request',
  webhook_url_refused: 'request',
  too_many_webhooks: 'request',
  not_found: 'request',
  method_not_allowed: 'request',
  payload_too_large: 'request',
  unsupported_media_type: 'request',
  confirmation_expired: 'facts',
  preview_stale: 'facts',
  slot_unavailable: 'facts',
  booking_not_active: 'facts',
  booking_not_pending: 'facts',
  invoice_not_payable: 'facts',
  payment_link_not_active: 'facts',
  reschedule_restored: 'facts',
  partially_applied: 'facts',
  resolved_by_owner: 'facts',
  unauthenticated: 'owner',
  insufficient_scope: 'owner',
  address_not_allowed: 'owner',
  paused: 'owner',
  house_rule: 'owner',
  approval_pending: 'owner',
  approval_declined: 'owner',
  not_configured: 'owner',
  provider_misconfigured: 'owner',
  commit_in_progress: 'wait',
  duplicate_in_doubt: 'wait',
  rate_limited: 'wait',
  internal_error: 'wait',
  provider_busy: 'wait',
  outcome_unknown: 'wait',
  receipt_pending: 'wait',
}

/** A refusal as a page explains it to a caller who asked for this. */
export function shownRefusal(code: ProblemCode, asked?: Asked): ShownRefusal {
  const { title, status, retryable = false, instead, ...texts } = PROBLEMS[code]
  const told = asked === undefined || asked === 'commit' ? texts : { ...texts, ...instead?.[asked] }
  const effects = effectsOf(code)
  const marks = [
    ...(retryable ? ['same call again'] : []),
    ...(effects[0] === 'unknown' ? ['not known'] : []),
    ...(effects[0] === 'partial' ? ['half done'] : []),
  ]
  const effect = effects.map((one) => `\`${one}\``).join(' or ')
  const facts = `Status ${status}, \`retryable: ${retryable}\`, \`effect\` ${effect}`
  return { code, title, detail: told.detail, nextStep: told.next_step, marks, facts }
}

/** The refusals of most routes: a page names them after its own. */
const OF_ALL: readonly ProblemCode[] = [
  'unauthenticated',
  'insufficient_scope',
  'address_not_allowed',
  'paused',
  'rate_limited',
  'internal_error',
  'not_configured',
  'provider_busy',
  'provider_misconfigured',
  'validation_failed',
  'payload_too_large',
  'unsupported_media_type',
  'idempotency_key_missing',
  'idempotency_key_invalid',
  'idempotency_key_reused',
  'sensitive_data_refused',
  'confirmation_token_missing',
  'confirmation_token_invalid',
  'preview_required',
  'preview_stale',
  'commit_in_progress',
  'duplicate_in_doubt',
  'approval_declined',
  'resolved_by_owner',
]

/** The refusals of a route: those that a caller should expect of it, and the others. */
export function usualFirst(codes: readonly ProblemCode[]) {
  const usual = codes.filter((code) => !OF_ALL.includes(code))
  return { usual, others: codes.filter((code) => !usual.includes(code)) }
}
