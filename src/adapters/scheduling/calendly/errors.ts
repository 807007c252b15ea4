import type { Refusal } from '../../../domain/problem.ts'
import { type Heard, secondsToWait } from '../../provider-http.ts'
import { type CalendlyError, errorSchema } from './schemas.ts'

/** The rights this adapter needs; `scheduled_events:write` includes reading. */
export const SCOPES = [
  'users:read',
  'event_types:read',
  'availability:read',
  'scheduled_events:read',
  'scheduled_events:write',
] as const
export type CalendlyScope = (typeof SCOPES)[number]

const NEW_TOKEN =
  'Make a new personal access token in Calendly (Integrations, then API & Webhooks) with the scopes users:read, event_types:read, availability:read and scheduled_events:write, and set it as SCHEDULING_PROVIDER_TOKEN.'

/** What is wrong with the settings of the practice, in words for its owner. */
export const FIX = {
  token: `Calendly does not accept the token of the practice: it is wrong, or was revoked. ${NEW_TOKEN}`,
  plan: 'The Calendly plan of the practice does not allow bookings through the API. Upgrade the plan in Calendly, or take bookings on the scheduling page.',
  right:
    'The Calendly user whose token this is may not do that. Use a token of the host, or of an owner or administrator of the Calendly organization.',
  eventType:
    'Calendly knows no such event type, or does not show it to the user of the token. Put the id or the full URI of the event type into EVENT_TYPES; it is the last part of its address in the Calendly API.',
  location:
    'Calendly does not accept the location of this event type. Give the event type exactly one location: a video meeting, a call that the invitee makes, or a place with its address.',
  questions:
    'Calendly demands answers to questions of this event type. Make all its questions optional, or switch them off.',
  form: 'Calendly answered in a form that this version of the connector does not know. Check for an update of the connector; if there is none, tell whoever maintains it.',
  request:
    'Calendly does not accept the request as the event type is set up. Check in Calendly that the event type can be booked on its own page, then ask whoever maintains this service.',
} as const

const missingScopes = (scopes: readonly string[]): string =>
  `The Calendly token lacks the scope ${scopes.join(', ')}. ${NEW_TOKEN}`

export const misconfigured = (detail: string): Refusal => ({
  code: 'provider_misconfigured',
  effect: 'none',
  detail,
})
const wrongField = (pointer: string, detail: string): Refusal => ({
  code: 'validation_failed',
  effect: 'none',
  errors: [{ pointer, detail }],
})
const SLOT_TAKEN: Refusal = { code: 'slot_unavailable', effect: 'none' }
const NOT_ACTIVE: Refusal = { code: 'booking_not_active', effect: 'none' }
const NOT_FOUND: Refusal = { code: 'booking_not_found', effect: 'none' }

/** Where the provider does not say how long to wait. */
const WAIT = { limited: 60, down: 10 }
export const DOWN: Refusal = { code: 'provider_busy', effect: 'none', retry_after_seconds: WAIT.down }

/** What kind of request was answered, and the right it needs. */
export interface Asked {
  to: 'read' | 'book' | 'cancel'
  scope: CalendlyScope
}

/**
 * A refusal that may be due to the effect of the very request it answers, where that was delivered twice: something is in
 * the way, or no reason is given that could be told from that.
 */
export type Doubt = 'conflict' | 'unexplained'

interface Row {
  to?: Asked['to']
  status: (status: number) => boolean
  says?: (error: CalendlyError) => boolean
  is: 'refused' | 'busy'
  doubt?: Doubt
  refusal:
    | Refusal
    | ((facts: { error: CalendlyError; asked: Asked; headers: Headers; now: number }) => Refusal)
}

const among =
  (...statuses: number[]) =>
  (status: number) =>
    statuses.includes(status)
const any4xx = (status: number) => status >= 400 && status < 500 && status !== 408
/** Statuses that Calendly gives to what it did not do. */
const declined = among(400, 403, 404, 409, 410, 422)
const invalid = among(400, 422)

const words =
  (pattern: RegExp) =>
  ({ message, details }: CalendlyError) =>
    pattern.test([message, ...details.map((detail) => detail.message)].join('\n'))
const about = (pattern: RegExp) => (error: CalendlyError) =>
  words(pattern)(error) || error.details.some(({ parameter }) => pattern.test(parameter))
const field =
  (pattern: RegExp) =>
  ({ details }: CalendlyError) =>
    details.some(({ parameter }) => pattern.test(parameter))
const atStart = field(/start_time/i)
/** A start that is wrong whoever has the time. */
const tooEarly = (error: CalendlyError) => atStart(error) && words(/future|past/i)(error)

/**
 * Every answer that is proved to have had no effect; the first row that fits counts. An answer outside the 200s that
 * fits none (408, 5xx, a status that nobody documents) is `unknown`.
 */
const ROWS: readonly Row[] = [
  {
    status: among(429),
    is: 'busy',
    refusal: ({ headers, now }) => ({
      code: 'provider_busy',
      effect: 'none',
      retry_after_seconds: secondsToWait(headers, ['X-RateLimit-Reset', 'Retry-After'], now) ?? WAIT.limited,
    }),
  },
  { status: among(401), is: 'busy', refusal: misconfigured(FIX.token) },
  {
    to: 'book',
    status: any4xx,
    says: ({ details }) => details.some(({ code }) => code === 'already_filled'),
    is: 'refused',
    doubt: 'conflict',
    refusal: SLOT_TAKEN,
  },
  {
    status: among(403),
    says: ({ title, required_scopes }) => /insufficient scope/i.test(title) || required_scopes.length > 0,
    is: 'busy',
    refusal({ error, asked }) {
      const named = SCOPES.filter((scope) => error.required_scopes.includes(scope))
      return misconfigured(missingScopes(named.length > 0 ? named : [asked.scope]))
    },
  },
  {
    status: among(402, 403),
    says: words(/paid calendly|upgrade (your plan|to a paid)/i),
    is: 'busy',
    refusal: misconfigured(FIX.plan),
  },
  {
    to: 'cancel',
    status: declined,
    says: words(/already cancell?ed/i),
    is: 'refused',
    doubt: 'conflict',
    refusal: NOT_ACTIVE,
  },
  { to: 'cancel', status: declined, says: words(/in the past/i), is: 'refused', refusal: NOT_ACTIVE },
  { to: 'cancel', status: among(404, 410), is: 'refused', refusal: NOT_FOUND },
  { to: 'book', status: invalid, says: about(/location/i), is: 'busy', refusal: misconfigured(FIX.location) },
  {
    to: 'book',
    status: invalid,
    says: about(/question/i),
    is: 'busy',
    refusal: misconfigured(FIX.questions),
  },
  {
    to: 'book',
    status: declined,
    says: words(/filled|no longer|unavailable/i),
    is: 'refused',
    doubt: 'conflict',
    refusal: SLOT_TAKEN,
  },
  { to: 'book', status: among(409), is: 'refused', doubt: 'conflict', refusal: SLOT_TAKEN },
  { to: 'book', status: invalid, says: tooEarly, is: 'refused', refusal: SLOT_TAKEN },
  { to: 'book', status: invalid, says: atStart, is: 'refused', doubt: 'conflict', refusal: SLOT_TAKEN },
  {
    to: 'book',
    status: invalid,
    says: field(/email/i),
    is: 'refused',
    refusal: wrongField('/invitee_email', 'Expected a mail address that the scheduling provider accepts.'),
  },
  {
    to: 'book',
    status: invalid,
    says: field(/timezone/i),
    is: 'refused',
    refusal: wrongField('/timezone', 'Expected a time zone that the scheduling provider knows.'),
  },
  { status: among(403), is: 'busy', doubt: 'unexplained', refusal: misconfigured(FIX.right) },
  { to: 'book', status: among(404, 410), is: 'busy', refusal: misconfigured(FIX.eventType) },
  { status: invalid, is: 'busy', doubt: 'unexplained', refusal: misconfigured(FIX.request) },
]

export type Verdict =
  | { is: 'ok'; body: unknown }
  | { is: 'refused' | 'busy'; refusal: Refusal }
  | { is: 'unknown' }

function rowFor(heard: Heard, asked: Asked): { row: Row | undefined; error: CalendlyError } {
  const { status, body } = heard.status === 'no answer' ? { status: 0, body: undefined } : heard
  const error = errorSchema.safeParse(body).data ?? errorSchema.parse({})
  const row = ROWS.find(
    ({ to, status: fits, says }) => (to ?? asked.to) === asked.to && fits(status) && (says?.(error) ?? true),
  )
  return { row, error }
}

/** What a refusal leaves in doubt; undefined where it proves that nothing was done. */
export const doubtIn = (heard: Heard, asked: Asked): Doubt | undefined => rowFor(heard, asked).row?.doubt

/** What an answer proves. `ok` is only its status: the body still has to be parsed. */
export function verdictOn(heard: Heard, asked: Asked, now: number): Verdict {
  const { status } = heard
  if (status === 'no answer') return { is: 'unknown' }
  if (status >= 200 && status < 300) return { is: 'ok', body: heard.body }
  const { row, error } = rowFor(heard, asked)
  if (!row) return { is: 'unknown' }
  const { refusal } = row
  return {
    is: row.is,
    refusal: typeof refusal === 'function' ? refusal({ error, asked, headers: heard.headers, now }) : refusal,
  }
}
