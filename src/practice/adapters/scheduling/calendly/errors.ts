import {
  NOT_UNDERSTOOD,
  UNKNOWN,
  type WithoutEffect,
  busy,
  refused,
} from '../../../../core/domain/outcome.ts'
import type { Refusal } from '../../../../core/domain/problem/problem.ts'
import type { PublishedLimit } from '../../../../core/domain/provider-quota.ts'
import { DAY, HOUR } from '../../../../core/domain/time/duration.ts'
import {
  type ErrorRow,
  OF_A_TIME,
  TAKEN,
  TURNED_AWAY,
  type UnacceptedField,
  among,
  busyFor,
  firstRow,
  isRefusal,
  misconfigured,
  ownerMustFix,
  turnedAway,
  unaccepted,
  unknownForm,
} from '../../error-table.ts'
import { type ProviderResponse, retryAfter, secondsToWait } from '../../provider-http.ts'
import { type CalendlyError, errorIn, isCalendlys } from './schemas.ts'

/**
 * The limit of a free plan; a paid plan has 500, and every answer says which. Source:
 * https://developer.calendly.com/api-docs/overview/rate-limits (November 2026).
 */
export const CALENDLY_LIMIT: PublishedLimit = {
  requests: 50,
  seconds: 60,
  header: 'X-RateLimit-Limit',
}

/** The scopes this adapter needs; `scheduled_events:write` includes reading. */
export const CALENDLY_SCOPES = [
  'users:read',
  'event_types:read',
  'availability:read',
  'scheduled_events:read',
  'scheduled_events:write',
] as const
export type CalendlyScope = (typeof CALENDLY_SCOPES)[number]

const NEW_TOKEN =
  'Make a new personal access token in Calendly (Integrations, then API & Webhooks) with ' +
  'the scopes users:read, event_types:read, availability:read and scheduled_events:write, ' +
  'and set it as SCHEDULING_PROVIDER_TOKEN.'

/** What the owner has to do, without Calendly's own words. */
export const FIX = {
  token: `Calendly does not accept the token of the practice: it is wrong, or was revoked. ${NEW_TOKEN}`,
  plan:
    'The Calendly plan of the practice does not allow bookings through the API. ' +
    'Upgrade the plan in Calendly, or take bookings on the scheduling page.',
  right:
    'The Calendly user whose token this is may not do that. ' +
    'Use a token of the host, or of an owner or administrator of the Calendly organization.',
  eventType:
    'Calendly knows no such event type, or does not show it to the user of the token. ' +
    'Put the id or the full URI of the event type into EVENT_TYPES; ' +
    'it is the last part of its address in the Calendly API.',
  location:
    'Calendly does not accept the location of this event type. ' +
    'Give the event type exactly one location: a video meeting, a call that the invitee ' +
    'makes, or a place with its address.',
  form: unknownForm('Calendly'),
  request:
    'Calendly does not accept the request, and does not say why. Check in Calendly that the event ' +
    'type can be booked on its own page, and in a booking the answers and the telephone number; ' +
    'then ask the maintainer of this service.',
} as const

const missingScopes = (scopes: readonly string[]) =>
  `The Calendly token lacks the scope ${scopes.join(', ')}. ${NEW_TOKEN}`

const SLOT_TAKEN = refused('slot_unavailable')
const NOT_ACTIVE = refused('booking_not_active')

/** The other people on a booking are not accepted. */
export const GUESTS_REFUSED: Refusal = misconfigured(
  'Calendly does not accept the guests of this booking. Change it in Calendly.',
)

const WAIT = { limited: 60, down: 10 }
export const DOWN = busyFor(WAIT.down)

/** The same, by an answer that may say for how long. */
export const downFor = (response: ProviderResponse, now: number): Refusal =>
  busyFor(retryAfter(response, now) ?? WAIT.down)

export interface CalendlyRequest {
  action: 'read' | 'book' | 'cancel'
  scope: CalendlyScope
  /** The body of a booking. */
  sent?: SentBooking
}

/** What a booking says besides the invitee, as it is sent. */
export interface SentBooking {
  location?: { kind: string }
  questions_and_answers?: readonly { question: string }[]
}

/** Why our own first delivery may be the reason: something is in the way, or no reason is given. */
type Doubt = 'conflict' | 'unexplained'

/** A page of a proxy is none, and proves nothing. */
const isJson = (body: unknown) => typeof body === 'object' && body !== null

/** An error, beside the booking to which it is the answer. */
interface Answered extends CalendlyError {
  sent: SentBooking
}

interface Row extends ErrorRow<CalendlyRequest['action'], Answered> {
  means:
    | WithoutEffect
    | ((given: {
        error: Answered
        request: CalendlyRequest
        headers: Headers
        now: number
      }) => WithoutEffect)
  doubt?: Doubt
}

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
const tooEarly = (error: CalendlyError) =>
  (atStart(error) && words(/future|past/i)(error)) ||
  words(/start time .*(future|past)|(?:scheduling|booking) notice/i)(error)

/** Its bookings have limits by the day too, so that the reset of one is believed up to a day. */
const LONGEST_RESET_MS = { book: DAY, other: HOUR }

/** The wait in seconds: Calendly's reset, or another one, which is believed up to an hour. */
function waitIn(headers: Headers, now: number, of: keyof typeof LONGEST_RESET_MS): number {
  const reset = secondsToWait(headers, ['X-RateLimit-Reset'], now, LONGEST_RESET_MS[of]) ?? 0
  const after = secondsToWait(headers, ['Retry-After'], now) ?? 0
  return Math.max(reset, after) || WAIT.limited
}

/**
 * For how many seconds Calendly takes no more bookings, by its answer to one: its plan limits them by
 * the minute, the hour and the day. Undefined where that does not say so, as that of an outage.
 */
export function fullAfter(response: ProviderResponse, now: number): number | undefined {
  if (response.status === 'no answer') return undefined
  const { status, headers } = response
  const left = headers.get('X-RateLimit-Remaining')?.trim()
  if (status === 429 || left === '0') return waitIn(headers, now, 'book')
  return left !== undefined || status < 300 ? 0 : undefined
}

const BOOK = ['book'] as const
const CANCEL = ['cancel'] as const
export const lacksScope = ({ title, required_scopes }: CalendlyError) =>
  /insufficient scope/i.test(title) || required_scopes.length > 0

const BY_WORDS: readonly [RegExp, UnacceptedField['field']][] = [
  [/phone|reminder_number/i, 'phone'],
  [/e-?mail/i, 'email'],
  [/time_?\s?zone/i, 'zone'],
  [/name(?:$| (?:can't|cannot|is|must))/i, 'name'],
]

/**
 * The field of the caller that an entry of an error is about; undefined where it is another one.
 * Words without a parameter count as one.
 */
function fieldOf(
  { parameter, message }: Pick<CalendlyError['details'][number], 'parameter' | 'message'>,
  { location, questions_and_answers: answers = [] }: SentBooking,
): UnacceptedField | undefined {
  const named = parameter || message
  const isMissing = /\b(blank|required|missing)\b/i.test(message)
  if (
    /questions?_?\s?(and_?\s?)?answers?|\bquestion_\d|required question|\banswer\b/i.test(named)
  ) {
    const [, at] = /answers\D*(\d+)/i.exec(parameter) ?? []
    // Its words may begin with the question: "Phone Number is not a valid phone number".
    const [begun] = answers
      .map(({ question }) => question)
      .filter((question) => message.startsWith(`${question} `))
      .toSorted((one, other) => other.length - one.length)
    return { field: 'answers', question: at ? answers[Number(at)]?.question : begun, isMissing }
  }
  // A place that the event type does not have has the same parameter, and is not the caller's.
  const isPlaceOfInvitee =
    /location(?:_configuration)?\W+location\W*$/i.test(parameter) && !/\bchoice\b/i.test(message)
  if (isPlaceOfInvitee && (location?.kind === 'outbound_call' || /phone|number/i.test(message)))
    return { field: 'phone', isMissing }
  if (isPlaceOfInvitee && location?.kind === 'ask_invitee') return { field: 'location', isMissing }
  if (/location|guest/i.test(named)) return undefined
  const [, field] = BY_WORDS.find(([pattern]) => pattern.test(named)) ?? []
  return field && { field, isMissing }
}

/** What the caller said and Calendly does not accept; empty where it is something else. */
function unacceptedIn({ message, details, sent }: Answered): UnacceptedField[] {
  const said = details.length > 0 ? details : [{ parameter: '', message }]
  return said.flatMap((one) => fieldOf(one, sent) ?? [])
}

const isFilled = ({ details }: CalendlyError) =>
  details.some(({ code }) =>
    /^(?:already_filled|slot_(?:not_available|unavailable|taken))$/i.test(code),
  )
const GONE = words(
  new RegExp(
    `${TAKEN.source}|${OF_A_TIME}(?:filled|no longer|unavailable|already (?:booked|scheduled)|` +
      'event is full|cannot be (?:booked|scheduled) at|\\b(?:conflicts? with|overlap)|(?<!\\b(?:requests?|rate) )\\blimit\\b(?!.*\\brequests?\\b).* reached|' +
      'maximum number of (?:events|meetings))',
    'im',
  ),
)
/** Words about a time that is taken may speak of guests, too, and our own booking may be why. */
const OF_GUESTS = words(
  /^(?![^]*(?:\b(?:time|slot|already|busy)\b|available|conflict|overlap))[^]*guest/i,
)
const NEEDS_PLAN = words(/paid (calendly|accounts?|plans?)|upgrade (your plan|to)\b/i)

/** Every error that proves that nothing happened; others (408, 5xx, undocumented ones) are unknown. */
const ROWS: readonly Row[] = [
  {
    // A first delivery of this very request may be what used the limit up.
    actions: BOOK,
    status: among(429),
    means: ({ headers, now }) => busy(busyFor(waitIn(headers, now, 'book'))),
    doubt: 'unexplained',
  },
  {
    status: among(429),
    means: ({ headers, now }) => busy(busyFor(waitIn(headers, now, 'other'))),
  },
  { status: among(401), means: ownerMustFix(FIX.token) },
  { actions: BOOK, status: isRefusal, says: isFilled, means: SLOT_TAKEN, doubt: 'conflict' },
  {
    status: among(403),
    says: lacksScope,
    means({ error, request }) {
      const named = CALENDLY_SCOPES.filter((scope) => error.required_scopes.includes(scope))
      return ownerMustFix(missingScopes(named.length > 0 ? named : [request.scope]))
    },
  },
  { status: among(402, 403), says: NEEDS_PLAN, means: ownerMustFix(FIX.plan) },
  {
    actions: CANCEL,
    status: declined,
    says: words(/(already|was|is|been) cancell?ed/i),
    means: NOT_ACTIVE,
    doubt: 'conflict',
  },
  {
    actions: CANCEL,
    status: declined,
    says: words(/in the past|has passed/i),
    means: NOT_ACTIVE,
  },
  {
    actions: CANCEL,
    status: among(404, 410),
    says: isCalendlys,
    means: refused('booking_not_found'),
  },
  {
    actions: BOOK,
    status: invalid,
    says: (error) => unacceptedIn(error).length > 0,
    means: ({ error }) => unaccepted(unacceptedIn(error)),
  },
  {
    actions: BOOK,
    status: invalid,
    says: (error) => field(/guest/i)(error) || (OF_GUESTS(error) && !atStart(error)),
    means: busy(GUESTS_REFUSED),
  },
  { actions: BOOK, status: invalid, says: about(/location/i), means: ownerMustFix(FIX.location) },
  { actions: BOOK, status: declined, says: GONE, means: SLOT_TAKEN, doubt: 'conflict' },
  { actions: BOOK, status: among(409), means: SLOT_TAKEN, doubt: 'conflict' },
  { actions: BOOK, status: invalid, says: tooEarly, means: SLOT_TAKEN },
  { actions: BOOK, status: invalid, says: atStart, means: SLOT_TAKEN, doubt: 'conflict' },
  { status: among(403), means: ownerMustFix(FIX.right), doubt: 'unexplained' },
  { actions: BOOK, status: among(404, 410), says: isCalendlys, means: ownerMustFix(FIX.eventType) },
  { status: invalid, means: ownerMustFix(FIX.request), doubt: 'unexplained' },
]

export type CalendlyResult =
  | { is: 'ok'; body: unknown }
  | (WithoutEffect & { doubt?: Doubt })
  | { is: 'unknown'; answered?: true }

/** What a response proves. `ok` is only its status: the body still has to be parsed. */
export function resultOf(
  response: ProviderResponse,
  request: CalendlyRequest,
  now: number,
): CalendlyResult {
  if (response.status === 'no answer') return UNKNOWN
  const { status, headers, body } = response
  if (status >= 200 && status < 300) return { is: 'ok', body }
  const error = { ...errorIn(body), sent: request.sent ?? {} }
  const isReadable = isJson(body) || status === 429
  const asked = { status, action: request.action, error }
  const row = isReadable ? firstRow(ROWS, asked) : undefined
  // What is not Calendly's proves nothing about a token.
  if (TURNED_AWAY(status) && !isCalendlys(error) && row?.says === undefined)
    return { ...busy(turnedAway('Calendly')), doubt: 'unexplained' }
  if (!row) return NOT_UNDERSTOOD
  const { means, doubt } = row
  const outcome = typeof means === 'function' ? means({ error, request, headers, now }) : means
  return { ...outcome, ...(doubt && { doubt }) }
}
