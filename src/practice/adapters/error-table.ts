import type { Said } from '../../core/domain/booking.ts'
import { type Asked, demandsMore, unsaid } from '../../core/domain/event-type.ts'
import { type WithoutEffect, busy, refused } from '../../core/domain/outcome.ts'
import { type FieldError, Problem, type Refusal } from '../../core/domain/problem/problem.ts'

/** One row of an error table: when it fits, and (in the adapter's own columns) what it means. */
export interface ErrorRow<Action, Body> {
  status: (status: number) => boolean
  actions?: readonly Action[]
  says?: (error: Body) => boolean
}

/** The first row that fits an error. An error that fits none is unknown: it may have had an effect. */
export const firstRow = <Row extends ErrorRow<Action, Body>, Action, Body>(
  rows: readonly Row[],
  { status, action, error }: { status: number; action: Action; error: Body },
): Row | undefined =>
  rows.find(
    (row) =>
      row.status(status) && (row.actions?.includes(action) ?? true) && (row.says?.(error) ?? true),
  )

export const among =
  (...statuses: number[]) =>
  (status: number) =>
    statuses.includes(status)

export const between = (first: number, last: number) => (status: number) =>
  first <= status && status <= last

/** A refusal that the owner can fix; `detail` says how. */
export const misconfigured = (detail: string): Refusal => {
  return { code: 'provider_misconfigured', effect: 'none', detail }
}

/** The outcome of what the owner has to mend first. */
export const ownerMustFix = (detail: string) => busy(misconfigured(detail))

/** Raises `provider_misconfigured` where a booking does not say all that its kind asks. */
export function refuseUnsaid(asks: Asked, said: Said | undefined) {
  const missing = unsaid(asks, said)
  if (missing.length > 0) throw new Problem(misconfigured(demandsMore(missing)))
}

/** A refusal that may be temporary. */
export const busyFor = (seconds: number): Refusal => {
  return { code: 'provider_busy', effect: 'none', retry_after_seconds: seconds }
}

/** What a caller says about an invitee, by the field of the request that says it. */
const SAID = {
  email: ['/invitee_email', 'an email address'],
  name: ['/invitee_name', 'a name'],
  zone: ['/timezone', 'a time zone'],
  phone: ['/phone', 'a telephone number'],
  location: ['/location', 'a location'],
  answers: ['/answers', 'an answer'],
} as const

/** A field of the caller that a scheduling provider does not accept. */
export interface UnacceptedField {
  field: keyof typeof SAID
  /** The provider wants it, and got none. */
  isMissing: boolean
  /** The question as the practice wrote it, where that is known. */
  question?: string | undefined
}

const CORRECT_IT =
  'Correct the fields that are listed, with the person, and send the request with confirm=false ' +
  'under a new idempotency key. If it is refused again, tell the owner of the practice.'

/** The refusal of what the caller said, each of it once; `fields` is not empty. No value is repeated. */
export function unaccepted(fields: readonly UnacceptedField[]): WithoutEffect {
  const errors = new Map<string, FieldError>()
  for (const { field, isMissing, question } of fields) {
    const [pointer, what] = SAID[field]
    const which = question === undefined ? what : `${what} to “${question}”`
    const detail = isMissing
      ? `Required: ${which}.`
      : `Expected ${which} that the scheduling provider accepts.`
    errors.set(pointer + detail, { pointer, detail })
  }
  return refused('validation_failed', { errors: [...errors.values()], next_step: CORRECT_IT })
}

/** Statuses with which a firewall or a proxy turns a request away before the provider sees it. */
export const TURNED_AWAY = among(401, 403, 407, 451)

/**
 * A 4xx that the provider itself may have sent before it acted. A proxy sends the others when it
 * gave up waiting.
 */
export const isRefusal = (status: number) =>
  between(400, 499)(status) && !among(408, 425, 499)(status)

/**
 * A request that was turned away by an answer that is not the provider's: that proves nothing about
 * a key.
 */
export const turnedAway = (label: string): Refusal => ({
  ...busyFor(60),
  detail:
    `Something between this service and ${label}, such as a firewall or a proxy, refused the ` +
    `request, with an answer that is not one of ${label}'s. Nothing was done.`,
  next_step:
    'Try again after retry_after_seconds, with the same idempotency key. ' +
    'If it happens again, tell the owner of the practice.',
})

/**
 * What begins a line about a time that is taken. The words of an outage or of a plan can be the same:
 * `At this time the service is unavailable`.
 */
export const OF_A_TIME =
  '^(?!.*\\b(?:service|server|system|api|account|plan|feature|token|time ?zone)\\b).*'
const NOT_FREE =
  '(?:(?:not|no longer) available|unavailable|(?:(?:already|been|just|is|was) )+(?:booked|taken|reserved))'
/** How it is said that a time is taken. */
export const TAKEN = new RegExp(
  `${OF_A_TIME}\\b(?:(?:time)?(?:slot|time)\\b.* ${NOT_FREE}|` +
    `(?:hosts?|users?|organizers?)\\b.* (?:${NOT_FREE}|busy\\b|out of office))`,
  'im',
)

/** The advice for a response that is JSON, but not in the form this adapter was written for. */
export const unknownForm = (label: string) =>
  `${label} answered in a form that this version of the connector does not know. ` +
  'Update the connector; if there is no newer version, tell its maintainer.'
