import type { Ran, Seen } from '../../../domain/outcome.ts'
import type { Heard } from '../../provider-http.ts'
import { ADVICE, missingRight, wrongVersion } from './messages.ts'
import { saidIn } from './schemas.ts'
import { busy, misconfigured, notActive, notFound, type Refused, refused, waitIn } from './outcomes.ts'

type Action = 'book' | 'cancel' | 'move'

/**
 * What a refusal says of our own effect, where a request was carried out twice on its way and its second answer came
 * back. `possible`: that effect may be what refuses us. `certain`: somebody has changed the booking, perhaps we.
 */
type Conflict = 'possible' | 'certain'

interface Row {
  status: readonly number[]
  /** By default every action. */
  actions?: readonly Action[]
  /** The class Cal.com gives the error. */
  code?: RegExp
  /** What its words contain. */
  words?: RegExp
  is: Refused
  conflict?: Conflict
}

/** What an API version without this endpoint answers. */
export const NO_ROUTE = /^Cannot (GET|POST) /
/** What Cal.com answers for an id that it never gave. */
export const NO_BOOKING = /^Booking with uid=.*not found/i

const TAKEN =
  /already has booking at this time|no_available_users_found|hosts?_unavailable_for_booking|booking_conflict_error/i
const OUT_OF_BOUNDS =
  /can't be booked at the "start" time|booking_time_out_of_bounds|not_allowed_by_restriction_schedule|book a meeting in the past/i
const BOOKER_LIMIT = /maximum number of active bookings|booker_limit_exceeded/i
const BOOKER_BLOCKED = /booker_email_(blocked|requires_login)/i
const NO_TYPE = /^Event type .*not found|event_type_not_found_error/i
const CANCELLED = /been cancelled already|already been cancelled/i
const NOT_MOVABLE =
  /^Can't reschedule .*(cancelled|rejected|rescheduled already)|cancelled_bookings_cannot_be_rescheduled/i
const OVER = /already ended/i

const limitReached = refused(
  'slot_unavailable',
  'The practice limits how many open bookings of this kind one person can have, and this invitee has reached the limit; nothing was done.',
)
const tooLateToMove = refused(
  'booking_not_active',
  'The practice allows no move of a booking so shortly before it begins; nothing was done.',
)
const wrongZone: Refused = {
  is: 'refused',
  refusal: {
    code: 'validation_failed',
    effect: 'none',
    errors: [{ pointer: '/timezone', detail: 'Expected a time zone that the scheduling provider knows.' }],
  },
}
const slotGone = refused('slot_unavailable')

/**
 * What the error answers to mutations mean: the first row that fits; 429 stands apart. What fits none is unknown, 408
 * and every 5xx above all. Cal.com tells most of its 400s apart by words only. The checks that carry its own classes
 * (the last row) all come before it acts; of the errors without a class some come afterwards.
 */
const VERDICTS: readonly Row[] = [
  { status: [401], words: /not a host/i, is: misconfigured(missingRight('BOOKING_WRITE')) },
  { status: [401], is: misconfigured(ADVICE.key) },
  { status: [403], actions: ['move'], words: /minimum notice period/i, is: tooLateToMove },
  { status: [403], is: misconfigured(missingRight('BOOKING_WRITE')) },
  { status: [404], words: NO_ROUTE, is: misconfigured(wrongVersion('CALCOM_BOOKINGS_VERSION')) },
  { status: [404], actions: ['book'], words: NO_TYPE, is: misconfigured(ADVICE.eventTypeGone) },
  { status: [404], actions: ['cancel', 'move'], words: NO_BOOKING, is: notFound },
  { status: [400, 409], actions: ['book', 'move'], words: TAKEN, is: slotGone, conflict: 'possible' },
  { status: [400], actions: ['book', 'move'], words: OUT_OF_BOUNDS, is: slotGone, conflict: 'possible' },
  { status: [400], actions: ['book', 'move'], words: BOOKER_LIMIT, is: limitReached, conflict: 'possible' },
  { status: [400], actions: ['book', 'move'], words: BOOKER_BLOCKED, is: misconfigured(ADVICE.blocked) },
  { status: [400], actions: ['book'], words: /timeZone must be/i, is: wrongZone },
  { status: [400], actions: ['cancel'], words: CANCELLED, is: notActive, conflict: 'certain' },
  { status: [400], actions: ['cancel', 'move'], words: OVER, is: notActive, conflict: 'possible' },
  {
    status: [400],
    actions: ['cancel'],
    words: /does not allow cancellations/i,
    is: misconfigured(ADVICE.uncancellable),
  },
  { status: [400], actions: ['move'], words: NOT_MOVABLE, is: notActive, conflict: 'certain' },
  {
    status: [400, 422],
    code: /^(BadRequestException|UnprocessableEntityException)$/,
    is: misconfigured(ADVICE.refused),
    // Words that are not known here may be those of a conflict.
    conflict: 'possible',
  },
]

/**
 * Reads an answer to a mutation that is not a success it could believe. Where our own effect may be what refuses us, it
 * looks once for that effect before it judges.
 */
export async function verdictOn(
  action: Action,
  heard: Heard,
  now: number,
  look: () => Promise<Seen>,
): Promise<Ran> {
  if (heard.status === 'no answer') return { is: 'unknown' }
  const { status, headers, body } = heard
  if (status === 429) return busy(waitIn(headers, now))
  const { code, words } = saidIn(body)
  const row = VERDICTS.find(
    (one) =>
      one.status.includes(status) &&
      (one.actions?.includes(action) ?? true) &&
      (one.code?.test(code) ?? true) &&
      (one.words?.test(words) ?? true),
  )
  if (!row) return { is: 'unknown' }
  if (!row.conflict) return row.is
  const seen = await look()
  if (seen.is === 'ok' || seen.is === 'refused') return seen
  return seen.is === 'absent' && row.conflict === 'possible' ? row.is : { is: 'unknown' }
}
