import {
  type LookupOutcome,
  NOT_UNDERSTOOD,
  type StepOutcome,
  UNKNOWN,
  busy,
  refused,
} from '../../../../core/domain/outcome.ts'
import type { Refusal } from '../../../../core/domain/problem/problem.ts'
import type { PublishedLimit } from '../../../../core/domain/provider-quota.ts'
import {
  TAKEN,
  TURNED_AWAY,
  among,
  type UnacceptedField,
  busyFor,
  isRefusal,
  misconfigured,
  ownerMustFix,
  turnedAway,
  unaccepted,
  unknownForm,
} from '../../error-table.ts'
import { type ProviderResponse, retryAfter, secondsToWait } from '../../provider-http.ts'
import { type CalcomError, errorIn } from './schemas.ts'

/**
 * The default of an API key, which Cal.com raises for some; its answers say how far. Source:
 * https://cal.com/docs/api-reference/v2/introduction, rate limits (November 2026).
 */
export const CALCOM_LIMIT: PublishedLimit = {
  requests: 120,
  seconds: 60,
  header: 'X-RateLimit-Limit-Default',
}

/** What the owner has to do, without Cal.com's words or a caller's values. */
export const ADVICE = {
  key:
    'Cal.com does not accept the key in SCHEDULING_PROVIDER_TOKEN: it is mistyped, expired ' +
    'or revoked. Make a new API key in Cal.com under Settings, Developer, API keys, and set ' +
    'it.',
  eventTypeId:
    'The id of an event type in EVENT_TYPES is not a Cal.com event type id. ' +
    'It is the number in the address of the event type in Cal.com, such as 123456.',
  eventTypeGone:
    'Cal.com knows no event type with the id in EVENT_TYPES under this key. ' +
    'Check the id, and that the key belongs to the owner or a host of the event type.',
  form: unknownForm('Cal.com'),
  noEndpoint:
    'Cal.com no longer serves an endpoint in the API version that this version of the ' +
    'connector uses. Update the connector; if there is no newer version, tell its ' +
    'maintainer.',
  refused:
    'Cal.com refused the request because of how the event type is set up. ' +
    'Check the booking questions, the locations, the limits and the cancellation rules of ' +
    'the event type.',
  blocked:
    'Cal.com does not let this invitee book under this email address: it is on a ' +
    'blocklist, or its holder has to log in. The invitee may have another address; ' +
    'the owner can check the booking restrictions in Cal.com.',
  wantsCode:
    'Cal.com wants a code that it mails to the address of the invitee, which no program can ' +
    'send. The invitee may have another address, or books in Cal.com.',
  noHost:
    'The event type has no host who is open then: it has no hosts, or one of its schedules ' +
    'is gone. Check hosts and availability of the event type in Cal.com.',
  uncancellable:
    'The event type of this booking does not allow cancellations. ' +
    'Allow them in Cal.com, or cancel the booking there.',
  unmovable:
    'The event type of this booking does not allow moves. Allow them in Cal.com, or move the booking there.',
  unpublished:
    'Cal.com takes no bookings for the team of this event type: it is not published, or its bill ' +
    'is not paid. The owner of the team mends that in Cal.com, under Billing.',
  hostless:
    'Cal.com does not change this booking: it has no host there, or a host declined it. Look at it ' +
    'in Cal.com, and change it there.',
  otherLength:
    'The event type of this booking has its length no more. Move the booking in Cal.com, or cancel ' +
    'it and book it again.',
  series:
    'This booking is one of a series. The connector handles single bookings only; change it in Cal.com.',
  seats:
    'This booking has seats for several people. The connector handles bookings of one ' +
    'person only; change it in Cal.com.',
  orphan: 'The event type of this booking was deleted in Cal.com. Change the booking in Cal.com.',
  noAttendee:
    'Cal.com does not find the person who booked among the attendees of this booking: the email ' +
    'address was changed there. Change the booking in Cal.com.',
} as const

export type Right = 'EVENT_TYPE_READ' | 'BOOKING_READ' | 'BOOKING_WRITE' | 'SCHEDULE_READ'

const missingRight = (right: Right) =>
  'Cal.com refuses this action to the key in SCHEDULING_PROVIDER_TOKEN. ' +
  'An API key must belong to the owner or a host of the event type; ' +
  `an OAuth access token needs the scope ${right}.`

/** Why the API cannot book an event type honestly, and what to change. */
export const OBSTACLES = {
  price: 'It has a price: remove the price, or take bookings on its page.',
  seats: 'It offers seats: turn off "Offer seats".',
  recurring: 'It is recurring: turn off "Recurring event".',
  verification:
    'It verifies email addresses by a code: turn off "Requires booker email verification".',
  managed:
    'It is the template of a managed event type: put the id of the event type of one ' +
    'member into EVENT_TYPES.',
  location:
    'Its first location is not known here, or the attendee has to name every one: put a ' +
    'location first that the practice decides, or a call to the number of the attendee.',
  email:
    'It hides the question for the email address, and Cal.com then leaves the address out: show ' +
    'that question.',
  answer:
    'It demands guests, or a number as an answer, which Cal.com takes on its own page alone: ' +
    'make that question optional, or one for a short text.',
}

export const cannotBook = (id: number, obstacles: string[]) =>
  `Cal.com event type ${id} cannot be booked through the API as it is. ${obstacles.join(' ')}`

type Action = 'book' | 'cancel' | 'move' | 'respond'

/** Of other bookings it says nothing: the practice wants it so, or has one booking to mend. */
const ofThisBooking = (detail: string): StepOutcome => ({
  ...ownerMustFix(detail),
  isOfRequest: true,
})

export const notActive = refused('booking_not_active')
export const notFound = refused('booking_not_found')
const notPending = refused('booking_not_pending')
const slotGone = refused('slot_unavailable')
const practiceIsFull = refused('slot_unavailable', {
  detail:
    'The practice limits how many consults it takes in a day, a week or a month, and that ' +
    'limit is reached at this time; nothing was done.',
  next_step:
    'Offer the person a time on another day or in another week. list_availability has them. ' +
    'Then send the chosen start_time under a new idempotency key.',
})
const bookerIsFull = refused('slot_unavailable', {
  detail:
    'The practice limits how many open bookings of this kind one person can have, and this ' +
    'invitee has reached the limit; nothing was done.',
  next_step:
    'Tell the person. An open booking of the invitee can be moved or cancelled; another time does not help.',
  free_slots: [],
})
const tooLate = refused('booking_not_active', {
  detail:
    'The practice allows no change of a booking so shortly before it begins; nothing was done.',
  next_step: 'Tell the person to call the practice.',
})

interface Meaning {
  /** The actions to which it can be the answer. */
  of: readonly Action[]
  is: StepOutcome
  /** Our own effect may refuse a request that was delivered twice; `certain`: the booking has changed. */
  conflict?: 'possible' | 'certain'
}

const BOOK = ['book'] as const
const TIMED = ['book', 'move'] as const
const CHANGED = ['cancel', 'move', 'respond'] as const
const ALL = ['book', 'cancel', 'move', 'respond'] as const

/** What a refusal of Cal.com can mean. */
const MEANINGS = {
  taken: { of: TIMED, is: slotGone, conflict: 'possible' },
  practice_limit: { of: TIMED, is: practiceIsFull, conflict: 'possible' },
  booker_limit: { of: TIMED, is: bookerIsFull, conflict: 'possible' },
  booker_blocked: { of: TIMED, is: ofThisBooking(ADVICE.blocked), conflict: 'possible' },
  // A kind that asks everybody for it is refused before.
  code_wanted: { of: TIMED, is: ofThisBooking(ADVICE.wantsCode), conflict: 'possible' },
  no_event_type: { of: BOOK, is: ownerMustFix(ADVICE.eventTypeGone) },
  orphan: { of: ['move'], is: ofThisBooking(ADVICE.orphan) },
  no_attendee: { of: ['move'], is: ofThisBooking(ADVICE.noAttendee) },
  hostless: { of: ['cancel', 'move'], is: ofThisBooking(ADVICE.hostless) },
  unpublished: { of: TIMED, is: ownerMustFix(ADVICE.unpublished) },
  other_length: { of: ['move'], is: ofThisBooking(ADVICE.otherLength), conflict: 'possible' },
  no_host: { of: TIMED, is: ownerMustFix(ADVICE.noHost), conflict: 'possible' },
  no_booking: { of: CHANGED, is: notFound },
  cancelled: { of: CHANGED, is: notActive, conflict: 'certain' },
  accepted: { of: ['respond'], is: notPending, conflict: 'possible' },
  over: { of: CHANGED, is: notActive, conflict: 'possible' },
  too_late: { of: CHANGED, is: tooLate, conflict: 'possible' },
  cannot_cancel: { of: ['cancel'], is: ofThisBooking(ADVICE.uncancellable) },
  cannot_move: { of: ['move'], is: ofThisBooking(ADVICE.unmovable), conflict: 'possible' },
  not_host: { of: ALL, is: ownerMustFix(missingRight('BOOKING_WRITE')) },
  key: { of: ALL, is: ownerMustFix(ADVICE.key) },
  no_endpoint: { of: ALL, is: ownerMustFix(ADVICE.noEndpoint) },
  /** The booking may exist by then. */
  after_acting: { of: ALL, is: NOT_UNDERSTOOD },
} as const satisfies Record<string, Meaning>

/**
 * The codes that Cal.com throws when it books, moves, cancels or answers:
 * `packages/lib/errorCodes.ts`, and the messages of its checks that are codes. Which status goes
 * with a code has changed over time, so the code alone counts.
 */
const CODES: Readonly<Record<string, keyof typeof MEANINGS>> = {
  no_available_users_found_error: 'taken',
  fixed_hosts_unavailable_for_booking: 'taken',
  round_robin_host_unavailable_for_booking: 'taken',
  round_robin_hosts_unavailable_for_booking: 'taken',
  hosts_unavailable_for_booking: 'taken',
  booking_conflict_error: 'taken',
  booking_conflict: 'taken',
  reserved_slot_not_first_in_line: 'taken',
  booking_time_out_of_bounds_error: 'taken',
  booking_not_allowed_by_restriction_schedule_error: 'taken',
  booking_limit_reached: 'practice_limit',
  duration_limit_reached: 'practice_limit',
  booker_limit_exceeded_error: 'booker_limit',
  booker_limit_exceeded_error_reschedule: 'booker_limit',
  booker_booking_limit_exceeded: 'booker_limit',
  booker_email_blocked: 'booker_blocked',
  booker_email_requires_login: 'booker_blocked',
  email_verification_required: 'code_wanted',
  invalid_verification_code: 'code_wanted',
  unable_to_validate_verification_code: 'code_wanted',
  event_type_not_found: 'no_event_type',
  event_type_not_found_error: 'no_event_type',
  event_type_no_hosts: 'no_host',
  // Under 403, with the code of one who may not (`BookingDataPreparationService.ts`).
  team_is_unpublished: 'unpublished',
  availability_not_found_in_schedule_error: 'no_host',
  restriction_schedule_not_found_error: 'no_host',
  booking_not_found_error: 'no_booking',
  access_token_is_expired: 'key',
  cancelled_bookings_cannot_be_rescheduled: 'cancelled',
  payment_not_created_error: 'after_acting',
  couldnt_charge_card_error: 'after_acting',
  couldnt_collect_card_error: 'after_acting',
  missing_payment_credential_error: 'after_acting',
  missing_payment_app_id_error: 'after_acting',
}

/**
 * What the codes mean to which it answers 500 before it acts, since its table of statuses lacks them
 * (`getServerErrorFromUnknown.ts`, 025791b9).
 */
const OF_BOOKER: readonly unknown[] = ['booker_blocked', 'code_wanted']

/**
 * Its words, where it sends no code: the API writes some out (`errors.service.ts`), and other
 * checks have none.
 */
const WORDS: readonly [RegExp, keyof typeof MEANINGS][] = [
  [/^Cannot (GET|POST) /, 'no_endpoint'],
  [/payment credential|payment app/i, 'after_acting'],
  // Of its database (`prisma-exception.filter.ts`, 9c477e49), under 409 and 400, at whatever step.
  [/a record that already exists|referenced data does not exist/i, 'after_acting'],
  [
    /already has booking at this time|booking.* already exists|reserved this booking time slot/i,
    'taken',
  ],
  [
    /can't be booked at the "start" time|book a meeting in the past|start time .*past|\bto a .*\bpast\b|minimum booking notice|booking window|out of bounds/i,
    'taken',
  ],
  [TAKEN, 'taken'],
  [/(booking|duration) limit.* reached|reached .*(booking|duration) limit/i, 'practice_limit'],
  [/maximum number of active bookings|booker booking limit/i, 'booker_limit'],
  [
    /cannot use this email|emails? .*((is|are) (blocked|not allowed)|requires login)|as spam/i,
    'booker_blocked',
  ],
  [/verification (code|required)/i, 'code_wanted'],
  // The second is its answer to a list (`bookings/get.handler.ts`, 004ed1bf).
  [/^Event type .*not found|requested event-types do not exist/i, 'no_event_type'],
  [/^Booking with uid=\S+ is missing event type/i, 'orphan'],
  [/^Attendee with e-?mail .*not found/i, 'no_attendee'],
  [/^Invalid event length/i, 'other_length'],
  // `handleCancelBooking.ts`, and of a move `originalRescheduledBookingUtils.ts`, which wants a known state.
  [/^User not found|^Could not find original booking/i, 'hostless'],
  [/\bno hosts\b/i, 'no_host'],
  [/^Booking (with uid=.*)?(was )?not found/i, 'no_booking'],
  [/been cancelled already|already (been )?(cancell?ed|rescheduled)/i, 'cancelled'],
  [/^Can't reschedule .*(cancelled|rejected|rescheduled already)/i, 'cancelled'],
  [/already (confirmed|accepted)/i, 'accepted'],
  [/already ended|\b(reschedul|cancel)\w* .*\bpast\b/i, 'over'],
  [
    /minimum (reschedul\w+ |cancell?ation )?notice|too close to|(?<!only .*)within \d+ (minute|hour|day)/i,
    'too_late',
  ],
  [/does not allow cancell?(ation|ing)/i, 'cannot_cancel'],
  [/does not allow reschedul|rescheduling is (disabled|not allowed)/i, 'cannot_move'],
  [
    /not a host|not allowed to (cancel|reschedule|book)|not authorized to confirm|checkBookingRequiresAuth/i,
    'not_host',
  ],
  [/ApiAuthStrategy|api key is|invalid (api key|access token)/i, 'key'],
]

/** Classes of Cal.com's own validation, which runs before it acts. */
const VALIDATION: readonly string[] = [
  'badrequestexception',
  'unprocessableentityexception',
  'bad_request',
  'bad_request_error',
  'unprocessable_content',
  'request_body_invalid_error',
  'zoderror',
]

const UNAUTHORIZED: readonly string[] = [
  'unauthorizedexception',
  'forbiddenexception',
  'unauthorized',
  'forbidden',
  'unauthorized_error',
  'forbidden_error',
]

const TOKENS = /[a-z]+(?:_[a-z]+)+/gi

/** What an error means: by its code, by a code in its words, by its words. */
function meaningOf({ codes, words }: CalcomError): keyof typeof MEANINGS | undefined {
  const inWords = (words.match(TOKENS) ?? []).map((token) => token.toLowerCase())
  const code = [...codes, ...inWords].find((one) => Object.hasOwn(CODES, one))
  if (code !== undefined) return CODES[code]
  return WORDS.find(([pattern]) => pattern.test(words))?.[1]
}

/** The fields of a booking, by the names that Cal.com has for them; every other one is a question. */
const FIELDS: Readonly<Record<string, UnacceptedField['field'] | 'none of the caller'>> = {
  email: 'email',
  name: 'name',
  firstname: 'name',
  lastname: 'name',
  timezone: 'zone',
  phonenumber: 'phone',
  attendeephonenumber: 'phone',
  smsremindernumber: 'phone',
  phone: 'phone',
  location: 'location',
  address: 'location',
  emailconfirmation: 'none of the caller',
  guests: 'none of the caller',
  reschedulereason: 'none of the caller',
  title: 'none of the caller',
}
/** Those that a question of the practice can be called, too. */
const ALSO_QUESTIONS: readonly string[] = ['timezone', 'phone', 'address', 'title']

/** A field that Cal.com refuses: its name, and the words about it. */
interface NamedField {
  /** With its part, if it has one: `location.optionValue`, `name,firstName`. */
  name: string
  says: string
  /** It stands where only the answers of a booking do. */
  isResponse: boolean
}

/** `getBookingResponsesSchema.ts`: "responses - {email}email_validation_error, ". */
const OF_RESPONSES =
  /\b(?:bookingFieldsR|r)esponses(?:\.([^{}\s,]+?) (?:- |must )|[\s,-]+\{([^{}\s]+)\})([^,\n]*)/g
/** `bookings.service.ts`, 2024-08-13. An option is a value of the caller, and may hold anything. */
const OF_SERVICE = [
  /^Missing required booking field response: (\S+) - (it is required)/,
  /^(?:Invalid option '[^]*'|One or more invalid options|Invalid type) for booking field '([^']+)'(\.)/,
]
/** "Missing attendee phone number - it is required by the event type." */
const MISSING =
  /^(?:Missing )?attendee (phone ?number|e-?mail|name|time ?zone)\b.*\b(?:required|or email)/i
const NO_PLACE =
  /^(?:Booking location with (?:type|integration) .* not valid|Invalid integration: )/
/**
 * The validation of the body: "attendee.email must be an email", "attendee property is wrong, email
 * property …".
 */
const OF_PART = /\b(?:attendee|location)(?:\.| property is wrong, ?)(\w+)/
const OF_WHOLE = /(?:^|[,\n] ?)(email|phoneNumber|timeZone) must /
const IN_WORDS = /\binvalid (?:attendee )?(email|phone ?number|time ?zone)/
const AS_CODE = /\binvalid_(email)\b|\binvalid_number\b|\b(email)_validation_error/
const OF_BODY = new RegExp(
  [OF_PART, OF_WHOLE, IN_WORDS, AS_CODE].map(({ source }) => source).join('|'),
  'gi',
)

function namedIn(words: string): NamedField[] {
  const service = OF_SERVICE.map((form) => form.exec(words)).find((found) => found !== null)
  if (service) return [{ name: service[1]!, says: service[2]!, isResponse: true }]
  const [, missing] = MISSING.exec(words) ?? []
  if (missing !== undefined) return [{ name: bare(missing), says: 'required', isResponse: false }]
  if (NO_PLACE.test(words)) return [{ name: 'location', says: '', isResponse: false }]
  const responses = [...words.matchAll(OF_RESPONSES)]
  if (responses.length > 0)
    return responses.map(([, plain = '', name = plain, says = '']) => {
      return { name, says, isResponse: true }
    })
  return [...words.matchAll(OF_BODY)].map(([, ...names]) => {
    // Without a name it is `invalid_number`.
    const name = bare(names.find((one) => one !== undefined) ?? 'phone')
    return { name, says: '', isResponse: false }
  })
}

const bare = (name: string) => name.replaceAll(/[ -]/g, '')

/**
 * What the caller said and Cal.com does not accept; undefined where no caller says it. A slug that
 * is no question's may be a value of the caller, and is not repeated.
 */
async function fieldIn(
  { name, says, isResponse }: NamedField,
  questionWith: QuestionWith,
): Promise<UnacceptedField | undefined> {
  const [whole = ''] = name.split(',')
  const [first = ''] = whole.split('.')
  const known = FIELDS[first.toLowerCase()]
  const isMissing = /(?<!characters )\brequired\b|required_field/i.test(says)
  const isOwn = known !== undefined && !ALSO_QUESTIONS.includes(first.toLowerCase())
  if (isResponse && !(isOwn && first === whole)) {
    const question = (await questionWith(whole)) ?? (isOwn ? undefined : await questionWith(first))
    if (known === undefined || question !== undefined)
      return { field: 'answers', question, isMissing }
  }
  if (known === undefined || known === 'none of the caller') return undefined
  // A place that is a call holds the number.
  const field = known === 'location' && /number/i.test(says) ? 'phone' : known
  return { field, isMissing }
}

const isOf = ({ classes }: CalcomError, wanted: readonly string[]) =>
  classes.some((one) => wanted.includes(one))

const betweenUs: Meaning = {
  of: ALL,
  is: busy(turnedAway('Cal.com')),
  conflict: 'possible',
}

/** What a 4xx proves of a change: nothing, where it is undefined. */
function provedBy(action: Action, status: number, error: CalcomError): Meaning | undefined {
  const named = meaningOf(error)
  const name = action === 'move' && named === 'no_event_type' ? 'orphan' : named
  const meaning: Meaning | undefined = name && MEANINGS[name]
  if (meaning?.of.includes(action)) return meaning
  if (TURNED_AWAY(status) && meaning === undefined) {
    if (!error.isEnveloped && !isOf(error, UNAUTHORIZED)) return betweenUs
    return status === 401 ? MEANINGS.key : MEANINGS.not_host
  }
  if (status === 409 && error.isEnveloped && (action === 'book' || action === 'move'))
    return MEANINGS.taken
  // The words may be those of a conflict.
  if ((status === 400 || status === 422) && isOf(error, VALIDATION))
    return { of: ALL, is: ownerMustFix(ADVICE.refused), conflict: 'possible' }
  return undefined
}

/** Whether a booking is refused for the other people on it, before it is made. */
export function refusesGuests(response: ProviderResponse): boolean {
  if (response.status !== 400 && response.status !== 422) return false
  return /\{guests\}|\bguests(\.\d+)? (property is wrong|must be)|\beach value in guests\b/.test(
    errorIn(response.body).words,
  )
}

type QuestionWith = (slug: string) => Promise<string | undefined>

/**
 * A booking is refused for what its caller said. A move says nothing of it: there the kind demands
 * by now what the booking does not have.
 */
async function ofFields(
  action: Action,
  status: number,
  { words }: CalcomError,
  questionWith: QuestionWith,
): Promise<Meaning | undefined> {
  if (!among(400, 422)(status) || (action !== 'book' && action !== 'move')) return undefined
  const named = await Promise.all(namedIn(words).map((field) => fieldIn(field, questionWith)))
  const fields = named.filter((field) => field !== undefined)
  if (fields.length === 0) return undefined
  if (action === 'move')
    return { of: TIMED, is: ownerMustFix(ADVICE.refused), conflict: 'possible' }
  return { of: BOOK, is: unaccepted(fields), conflict: 'possible' }
}

/**
 * The outcome of a change without a clear success; reconciles first if our own effect may be the
 * reason. `questionWith` gives the question of a booking by its slug.
 */
export async function outcomeOf(
  action: Action,
  response: ProviderResponse,
  now: number,
  reconcile: () => Promise<LookupOutcome>,
  questionWith: QuestionWith = async () => undefined,
): Promise<StepOutcome> {
  if (response.status === 'no answer') return UNKNOWN
  const { status, headers, body } = response
  if (status === 429) return busy(busyFor(waitIn(headers, now)))
  const error = errorIn(body)
  const isOfBooker = status === 500 && error.codes.some((code) => OF_BOOKER.includes(CODES[code]))
  const proved =
    isRefusal(status) || isOfBooker
      ? ((await ofFields(action, status, error, questionWith)) ?? provedBy(action, status, error))
      : undefined
  if (!proved) return NOT_UNDERSTOOD
  if (!proved.conflict) return proved.is
  const seen = await reconcile()
  if (seen.is === 'ok' || seen.is === 'refused') return seen
  return seen.is === 'not_found' && proved.conflict === 'possible' ? proved.is : NOT_UNDERSTOOD
}

const RETRY_READ = 5

/** Cal.com answers an expired OAuth access token with 498 (`token-expired.exception.ts` of its source). */
const KEY_REFUSED = among(401, 498)

/** The refusal for a read that failed. `gone` is for an endpoint that exists and a thing that does not. */
export function readRefusal(
  response: ProviderResponse,
  { right = 'BOOKING_READ', gone }: { right?: Right; gone?: string },
  now: number,
): Refusal {
  if (response.status === 'no answer') return busyFor(RETRY_READ)
  const { status, headers, body } = response
  if (status < 300) return body === undefined ? busyFor(RETRY_READ) : misconfigured(ADVICE.form)
  if (status === 429) return busyFor(waitIn(headers, now))
  if (!isRefusal(status)) return busyFor(retryAfter(response, now) ?? RETRY_READ)
  const error = errorIn(body)
  const isTheirs = error.isEnveloped || isOf(error, UNAUTHORIZED) || meaningOf(error) !== undefined
  if (!isTheirs) return TURNED_AWAY(status) ? turnedAway('Cal.com') : busyFor(RETRY_READ)
  if (KEY_REFUSED(status)) return misconfigured(ADVICE.key)
  if (status === 403) return misconfigured(missingRight(right))
  if (status === 404)
    return misconfigured(gone !== undefined && !isNoRoute(error) ? gone : ADVICE.noEndpoint)
  if (status === 400 || status === 422)
    return misconfigured(
      meaningOf(error) === 'no_event_type' ? ADVICE.eventTypeGone : ADVICE.refused,
    )
  return busyFor(RETRY_READ)
}

/** Whether it says that the endpoint is not there in this version. */
export const isNoRoute = (error: CalcomError) => meaningOf(error) === 'no_endpoint'

/** Whether this is the answer to a booking id that Cal.com never issued. */
export const isNoBooking = (error: CalcomError) => meaningOf(error) === 'no_booking'

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
