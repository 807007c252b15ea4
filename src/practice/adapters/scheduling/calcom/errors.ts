import type { StepOutcome, LookupOutcome } from '../../../../core/domain/outcome.ts'
import type { Refusal } from '../../../../core/domain/problem/problem.ts'
import {
  type ErrorRow,
  among,
  firstRow,
  UNKNOWN_ZONE,
  busyFor,
  misconfigured,
  unknownForm,
} from '../../error-table.ts'
import { type ProviderResponse, secondsToWait } from '../../provider-http.ts'
import { type CalcomError, errorIn } from './schemas.ts'

/** What the owner has to do, without Cal.com's words or a caller's values. */
export const ADVICE = {
  key: 'Cal.com does not accept the key in SCHEDULING_PROVIDER_TOKEN: it is mistyped, expired or revoked. Make a new API key in Cal.com under Settings, Developer, API keys, and set it.',
  eventTypeId:
    'The id of an event type in EVENT_TYPES is not a Cal.com event type id. It is the number in the address of the event type in Cal.com, such as 123456.',
  eventTypeGone:
    'Cal.com knows no event type with the id in EVENT_TYPES under this key. Check the id, and that the key belongs to the owner or a host of the event type.',
  form: unknownForm('Cal.com'),
  noEndpoint:
    'Cal.com no longer serves an endpoint in the API version that this version of the connector uses. Update the connector; if there is no newer version, tell its maintainer.',
  refused:
    'Cal.com refused the request because of how the event type is set up. Check the booking questions, the locations, the limits and the cancellation rules of the event type.',
  blocked:
    'Cal.com does not let this invitee book: the email address is on a blocklist, or has to be verified first. Check the booking restrictions in Cal.com.',
  uncancellable:
    'The event type of this booking does not allow cancellations. Allow them in Cal.com, or cancel the booking there.',
  series:
    'This booking is one of a series. The connector handles single bookings only; change it in Cal.com.',
  seats:
    'This booking has seats for several people. The connector handles bookings of one person only; change it in Cal.com.',
  orphan: 'The event type of this booking was deleted in Cal.com. Change the booking in Cal.com.',
} as const

export type Right = 'EVENT_TYPE_READ' | 'BOOKING_READ' | 'BOOKING_WRITE' | 'SCHEDULE_READ'

const missingRight = (right: Right): string =>
  `Cal.com refuses this action to the key in SCHEDULING_PROVIDER_TOKEN. An API key must belong to the owner or a host of the event type; an OAuth access token needs the scope ${right}.`

/** Why the API cannot book an event type honestly, and what to change. */
export const OBSTACLES = {
  price: 'It has a price: remove the price, or take bookings on its page.',
  seats: 'It offers seats: turn off "Offer seats".',
  recurring: 'It is recurring: turn off "Recurring event".',
  verification:
    'It verifies email addresses by a code: turn off "Requires booker email verification".',
  managed:
    'It is the template of a managed event type: put the id of the event type of one member into EVENT_TYPES.',
  location:
    'Its first location is one that the attendee has to supply, or that is not known here: put a location first that needs nothing from the attendee.',
  question: (slug: string | undefined) =>
    `It requires an answer to ${slug === undefined ? 'a booking question' : `the booking question "${slug}"`}: make it optional, or remove it.`,
}

export const cannotBook = (id: number, obstacles: string[]): string =>
  `Cal.com event type ${id} cannot be booked through the API as it is. ${obstacles.join(' ')}`

type Action = 'book' | 'cancel' | 'move'

type WithoutEffect = Extract<StepOutcome, { refusal: Refusal }>

const refused = (code: Refusal['code'], detail?: string): WithoutEffect => ({
  is: 'refused',
  refusal: { code, effect: 'none', ...(detail === undefined ? {} : { detail }) },
})
export const ownerMustFix = (detail: string): WithoutEffect => {
  return { is: 'busy', refusal: misconfigured(detail) }
}

export const notActive = refused('booking_not_active')
export const notFound = refused('booking_not_found')
const slotGone = refused('slot_unavailable')
const limitReached = refused(
  'slot_unavailable',
  'The practice limits how many open bookings of this kind one person can have, and this invitee has reached the limit; nothing was done.',
)
const tooLateToMove = refused(
  'booking_not_active',
  'The practice allows no move of a booking so shortly before it begins; nothing was done.',
)

interface Row extends ErrorRow<Action, CalcomError> {
  is: WithoutEffect
  /** Our own effect may refuse a request that was delivered twice; `certain`: the booking has changed. */
  conflict?: 'possible' | 'certain'
}

const words =
  (pattern: RegExp) =>
  (error: CalcomError): boolean =>
    pattern.test(error.words)

const NO_ROUTE = words(/^Cannot (GET|POST) /)
/** Cal.com's answer to a booking id that it never issued. */
export const NO_BOOKING = words(/^Booking with uid=.*not found/i)
const TAKEN = words(
  /already has booking at this time|no_available_users_found|hosts?_unavailable_for_booking|booking_conflict_error/i,
)
const OUT_OF_BOUNDS = words(
  /can't be booked at the "start" time|booking_time_out_of_bounds|not_allowed_by_restriction_schedule|book a meeting in the past/i,
)
const BOOKER_LIMIT = words(/maximum number of active bookings|booker_limit_exceeded/i)
const BOOKER_BLOCKED = words(/booker_email_(blocked|requires_login)/i)
const NO_TYPE = words(/^Event type .*not found|event_type_not_found_error/i)
const CANCELLED = words(/been cancelled already|already been cancelled/i)
const NOT_MOVABLE = words(
  /^Can't reschedule .*(cancelled|rejected|rescheduled already)|cancelled_bookings_cannot_be_rescheduled/i,
)
const OVER = words(/already ended/i)
const NO_CANCELLATIONS = words(/does not allow cancellations/i)
/** Cal.com's own validation; all these checks run before it acts. */
const VALIDATION = ({ code }: CalcomError): boolean =>
  /^(BadRequestException|UnprocessableEntityException)$/.test(code)

/** Errors without an effect. Others may come after Cal.com has acted: 408, 5xx, and those without a class. */
const ROWS: readonly Row[] = [
  {
    status: among(401),
    says: words(/not a host/i),
    is: ownerMustFix(missingRight('BOOKING_WRITE')),
  },
  { status: among(401), is: ownerMustFix(ADVICE.key) },
  {
    status: among(403),
    actions: ['move'],
    says: words(/minimum notice period/i),
    is: tooLateToMove,
  },
  { status: among(403), is: ownerMustFix(missingRight('BOOKING_WRITE')) },
  { status: among(404), says: NO_ROUTE, is: ownerMustFix(ADVICE.noEndpoint) },
  { status: among(404), actions: ['book'], says: NO_TYPE, is: ownerMustFix(ADVICE.eventTypeGone) },
  { status: among(404), actions: ['cancel', 'move'], says: NO_BOOKING, is: notFound },
  {
    status: among(400, 409),
    actions: ['book', 'move'],
    says: TAKEN,
    is: slotGone,
    conflict: 'possible',
  },
  {
    status: among(400),
    actions: ['book', 'move'],
    says: OUT_OF_BOUNDS,
    is: slotGone,
    conflict: 'possible',
  },
  {
    status: among(400),
    actions: ['book', 'move'],
    says: BOOKER_LIMIT,
    is: limitReached,
    conflict: 'possible',
  },
  {
    status: among(400),
    actions: ['book', 'move'],
    says: BOOKER_BLOCKED,
    is: ownerMustFix(ADVICE.blocked),
  },
  {
    status: among(400),
    actions: ['book'],
    says: words(/timeZone must be/i),
    is: { is: 'refused', refusal: UNKNOWN_ZONE },
  },
  { status: among(400), actions: ['cancel'], says: CANCELLED, is: notActive, conflict: 'certain' },
  {
    status: among(400),
    actions: ['cancel', 'move'],
    says: OVER,
    is: notActive,
    conflict: 'possible',
  },
  {
    status: among(400),
    actions: ['cancel'],
    says: NO_CANCELLATIONS,
    is: ownerMustFix(ADVICE.uncancellable),
  },
  { status: among(400), actions: ['move'], says: NOT_MOVABLE, is: notActive, conflict: 'certain' },
  // The words may be those of a conflict.
  {
    status: among(400, 422),
    says: VALIDATION,
    is: ownerMustFix(ADVICE.refused),
    conflict: 'possible',
  },
]

/** The outcome of a change without a clear success; reconciles first if our own effect may be the reason. */
export async function outcomeOf(
  action: Action,
  response: ProviderResponse,
  now: number,
  reconcile: () => Promise<LookupOutcome>,
): Promise<StepOutcome> {
  if (response.status === 'no answer') return { is: 'unknown' }
  const { status, headers, body } = response
  if (status === 429) return { is: 'busy', refusal: busyFor(waitIn(headers, now)) }
  const row = firstRow(ROWS, { status, action, error: errorIn(body) })
  if (!row) return { is: 'unknown' }
  if (!row.conflict) return row.is
  const seen = await reconcile()
  if (seen.is === 'ok' || seen.is === 'refused') return seen
  return seen.is === 'not_found' && row.conflict === 'possible' ? row.is : { is: 'unknown' }
}

const RETRY_READ = 5

/** The refusal for a read that failed. `gone` is for an endpoint that exists and a thing that does not. */
export function readRefusal(
  response: ProviderResponse,
  { right = 'BOOKING_READ', gone }: { right?: Right; gone?: string },
  now: number,
): Refusal {
  if (response.status === 'no answer') return busyFor(RETRY_READ)
  const { status, headers, body } = response
  if (status === 401) return misconfigured(ADVICE.key)
  if (status === 403) return misconfigured(missingRight(right))
  if (status === 429) return busyFor(waitIn(headers, now))
  if (status === 404)
    return misconfigured(gone !== undefined && !NO_ROUTE(errorIn(body)) ? gone : ADVICE.noEndpoint)
  if (status === 400 || status === 422) return misconfigured(ADVICE.refused)
  if (status < 300 && body !== undefined) return misconfigured(ADVICE.form)
  return busyFor(RETRY_READ)
}

const RATE_WINDOW_S = 60

/** The wait after a 429, in seconds. Each limit has its own headers; only a used-up limit counts. */
function waitIn(headers: Headers, now: number): number {
  const resets: string[] = []
  headers.forEach((_value, name) => {
    const [, limit] = /^x-ratelimit-reset(.*)$/i.exec(name) ?? []
    if (limit === undefined) return
    if (Number(headers.get(`x-ratelimit-remaining${limit}`) ?? 0) <= 0) resets.push(name)
  })
  return secondsToWait(headers, ['retry-after', ...resets], now) ?? RATE_WINDOW_S
}
