import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { StepOutcome } from '../../src/core/domain/outcome.ts'
import { calcomError, customField, rawError, SAYS } from '../support/fakes/calcom-bodies.ts'
import type { CalcomRoute } from '../support/fakes/calcom.ts'
import type { FakeAnswer } from '../support/fakes/http.ts'
import { CANARIES, type CalcomRig, JANE, NOW, slotAt, startCalcom } from './calcom-rig.ts'
import { busy, keepPrinted, misconfigured, refused } from './outcomes.ts'

let rig: CalcomRig
let id: string
let printed: unknown[]
beforeEach(async () => {
  printed = []
  keepPrinted(printed)
  rig = await startCalcom()
  id = await rig.book(5)
})
afterEach(async () => {
  vi.restoreAllMocks()
  expect(printed).toEqual([])
})

type Action = 'book' | 'cancel' | 'move'
const ACTIONS: Action[] = ['book', 'cancel', 'move']
const act: Record<Action, () => Promise<StepOutcome | undefined>> = {
  book: () =>
    rig.scheduling.book({ eventTypeId: rig.eventType.id, ...slotAt(0), invitee: JANE }, 'm.0'),
  cancel: () => rig.scheduling.cancel(id, `Because of ${JANE.name}`, 'm.0'),
  move: async () =>
    rig.scheduling.reschedule?.execute(
      { bookingId: id, eventTypeId: rig.eventType.id, ...slotAt(1) },
      'm.0',
    ),
}

const slotGone = refused('slot_unavailable')
const notActive = refused('booking_not_active')
const notFound = refused('booking_not_found')
/** An answer came, and may have come after an effect. */
const unknown = { is: 'unknown', answered: true }
const BETWEEN = busy('provider_busy', {
  detail: expect.stringMatching(/between this service and Cal\.com/) as string,
  next_step: expect.stringMatching(/^Try again .* tell the owner/) as string,
  retry_after_seconds: 60,
})
const KEY = misconfigured(/new API key/)
const RIGHT = misconfigured(/the scope BOOKING_WRITE/)
const VERSION = misconfigured(/no longer serves an endpoint in the API version/)
const REFUSED = misconfigured(/how the event type is set up/)
const TYPE = misconfigured(/knows no event type/)
/** It says nothing of other bookings, so that the owner is not alerted. */
const ofThisBooking = (says: RegExp) => ({ ...misconfigured(says), isOfRequest: true })
const ORPHAN = ofThisBooking(/event type of this booking was deleted/)
const NO_ATTENDEE = ofThisBooking(/does not find the person who booked/)
const BLOCKED = ofThisBooking(/does not let this invitee book/)
const CODE = ofThisBooking(/wants a code that it mails/)
const saying = (code: Parameters<typeof refused>[0], detail: RegExp) =>
  refused(code, {
    detail: expect.stringMatching(detail) as string,
    next_step: expect.any(String) as string,
  })
const LIMIT = refused('slot_unavailable', {
  detail: expect.stringMatching(/has reached the limit/) as string,
  next_step: expect.any(String) as string,
  free_slots: [],
})
const FULL = saying('slot_unavailable', /how many consults it takes in a day/)
const LATE = saying('booking_not_active', /so shortly before/)
const NO_HOST = misconfigured(/no host who is open/)
const HOSTLESS = ofThisBooking(/has no host/)
const UNPUBLISHED = misconfigured(/no bookings for the team/)
const OTHER_LENGTH = ofThisBooking(/its length no more.*cancel it and book it again/)
const UNMOVABLE = ofThisBooking(/does not allow moves/)
/** What the caller said is wrong, by its fields. */
const wrong = (...pointers: string[]) =>
  refused('validation_failed', {
    errors: pointers.map((pointer) => ({ pointer, detail: expect.any(String) as string })),
    next_step: expect.stringMatching(/under a new idempotency key/) as string,
  })

const LIMIT_WORDS = `Attendee with this email can't book because the maximum number of active bookings has been reached.`
const uid = 'fake1'
const NOBODY = 'no_available_users_found_error'
const BOUNDS = 'booking_time_out_of_bounds_error'
/** An error that a library of Cal.com throws: its code beside prose. */
const coded = (status: number, code: string, message = 'Words of next year.') =>
  calcomError(status, message, code)
const TOO_LATE = 'Rescheduling is not allowed within the minimum notice period before the event'
const WORDS_OUTSIDE = { error: { code: 'BadRequestException' }, message: SAYS.taken }
const ALREADY_CANCELLED = 'This booking has already been cancelled.'
const DECLINED = `Can't reschedule booking with uid=${uid} because it has been rejected.`
const missingAttendee = (email: string) =>
  `Attendee with e-mail ${email} for booking with uid=${uid} not found`
const MISSING = 'Missing required booking field response'
const WRONG = 'property is wrong'
const ZONE_WORDS = `attendee ${WRONG}, timeZone ${WRONG},timeZone must be a valid IANA time-zone `

/** As `getBookingResponsesSchema.ts` of its source writes them. */
const responses = (...fields: string[]) =>
  calcomError(400, fields.map((one) => `responses - ${one}, `).join(''), 'BAD_REQUEST')
const invalidOption = (value: string, slug: string) =>
  `Invalid option '${value}' for booking field '${slug}'. Allowed options are: Estate.`

const answered = (outcomes: object[], answers: Record<string, FakeAnswer>) =>
  Object.entries(answers).map(([what, answer]) => [what, answer, outcomes] as const)

/** What Cal.com answers, by what it comes to for a booking, a cancellation and a move of a booking that is active. */
const TABLE = [
  ...answered([KEY, KEY, KEY], {
    'a key that is none': calcomError(401, SAYS.key),
    'a key that is none, by its class': calcomError(401, 'words of next year'),
    'an OAuth token that has expired': calcomError(498, SAYS.expired, 'TokenExpiredException'),
  }),
  // What is not Cal.com's proves nothing about a key.
  ...answered([BETWEEN, BETWEEN, BETWEEN], {
    '401 of a proxy': { status: 401, body: '<html><h1>401 Authorization Required' },
    '403 of an outage': {
      status: 403,
      body: { message: 'At this time the service is unavailable.' },
    },
    '451': { status: 451, body: '<html>' },
  }),
  ...answered([RIGHT, RIGHT, RIGHT], {
    'a key of someone else': rawError(401, 'User not a host of this event'),
    'a right that is missing': calcomError(403, SAYS.scope),
  }),
  ...answered([unknown, LATE, LATE], {
    'a change that comes too late': rawError(403, TOO_LATE),
    'the same in minutes': rawError(403, 'Rescheduling is not allowed within 60 minutes before it'),
  }),
  ...answered([VERSION, VERSION, VERSION], {
    'an endpoint that is not there': calcomError(404, 'Cannot POST /v2/bookings'),
    'the same without its envelope': rawError(404, 'Cannot POST /v2/bookings'),
  }),
  ...answered([TYPE, unknown, ORPHAN], {
    'an event type that is not there': calcomError(404, SAYS.noType(4711)),
    'the same, from deeper inside': rawError(404, 'event_type_not_found_error'),
  }),
  // A move reads all of this before it acts.
  ...answered([unknown, unknown, ORPHAN], {
    'a booking without a kind': calcomError(404, `Booking with uid=${uid} is missing event type`),
  }),
  ...answered([unknown, unknown, NO_ATTENDEE], {
    'a booking whose attendee is gone': calcomError(404, missingAttendee(JANE.email)),
  }),
  ...answered([unknown, notFound, notFound], {
    'a booking that is not there': calcomError(404, SAYS.unknown(uid)),
  }),
  ...answered([slotGone, REFUSED, slotGone], {
    'a time that is taken': calcomError(400, SAYS.taken),
    'a time that is over': calcomError(400, SAYS.past),
    'the same in other words': calcomError(400, 'The start time is in the past'),
    'a time that is reserved': calcomError(400, 'This slot is already reserved'),
    'a move to a time that is over': calcomError(400, 'Cannot reschedule to a time in the past'),
    'a host who is not free': calcomError(400, 'User at given time is not available'),
    'a host who is busy': calcomError(400, 'Host is busy at this time'),
    'a time that is taken, as one word': calcomError(400, 'The timeslot has been taken'),
    'a time that is taken, with its words outside': { status: 400, body: WORDS_OUTSIDE },
  }),
  ...answered([slotGone, unknown, slotGone], {
    'a time that is taken, by a code outside': { status: 409, body: { code: NOBODY } },
    'a time that is taken, by a code in a sentence': rawError(400, `Error: ${NOBODY}.`),
    'a time out of bounds, by a code beside prose': coded(400, BOUNDS, 'Not at this time.'),
    'a code that its words contradict': coded(409, NOBODY, 'booker_email_blocked'),
    'a conflict without a reason': calcomError(409, 'Conflict', 'ConflictException'),
    'a time that a rule excludes': rawError(
      400,
      'booking_not_allowed_by_restriction_schedule_error',
    ),
  }),
  ...answered([LIMIT, REFUSED, LIMIT], {
    'too many bookings of one person': calcomError(400, LIMIT_WORDS),
  }),
  ...answered([CODE, unknown, CODE], {
    'an invitee who has to show a code': rawError(400, 'Email verification code is required'),
    'the same by its code': rawError(400, 'email_verification_required'),
  }),
  ...answered([BLOCKED, unknown, BLOCKED], {
    'an invitee who may not book': rawError(400, 'booker_email_blocked'),
    'an invitee who has to log in': coded(400, 'booker_email_requires_login'),
    'a domain that may not book': rawError(400, 'Emails from this domain are not allowed'),
  }),
  // Not the key: Cal.com says 401 and 403 of a limit, too.
  ...answered([FULL, unknown, FULL], {
    'the limit of a day, as 401': { status: 401, body: { message: 'booking_limit_reached' } },
    'the limit of hours': { status: 403, body: { message: 'duration_limit_reached' } },
  }),
  ...answered([BLOCKED, unknown, BLOCKED], {
    'an invitee who has to log in, as 500': coded(500, 'booker_email_requires_login'),
  }),
  ...answered([wrong('/invitee_email'), REFUSED, REFUSED], {
    'an address, by its field': calcomError(400, 'attendee.email must be an email'),
    'an address, in the details': {
      status: 400,
      body: {
        error: {
          code: 'BadRequestException',
          details: { message: ['attendee.email must be an email'] },
        },
      },
    },
    'an address, of a library': {
      status: 400,
      body: { code: 'BAD_REQUEST', message: 'responses.email - Invalid email, ' },
    },
    'a domain': responses('{email}exclude_emails_match_found_error_message'),
  }),
  ...answered([wrong('/invitee_name'), REFUSED, REFUSED], {
    'a name, deeper inside': responses('{name}Invalid string'),
    'no name': calcomError(400, 'Missing attendee name - it is required by the event type.'),
  }),
  ...answered([wrong('/phone'), REFUSED, REFUSED], {
    'a number for reminders': responses('{smsReminderNumber}invalid_number'),
    'the number of a call': responses('{location}invalid_number'),
    'the number of a call, by its field': calcomError(
      400,
      `location ${WRONG}, phone ${WRONG},phone must be a valid phone number `,
    ),
    'no number, in other words': calcomError(400, 'Attendee phone number is required'),
    'a number, as a code': calcomError(400, 'invalid_number'),
    'a number, in words': calcomError(400, 'Invalid attendee phone number'),
  }),
  ...answered([wrong('/phone'), unknown, REFUSED], {
    'a number, from deeper inside': rawError(400, 'responses - {phone}invalid_number, '),
  }),
  ...answered([wrong('/location'), REFUSED, REFUSED], {
    'a place': calcomError(
      400,
      'Booking location with type link not valid for event type with id=4711.',
    ),
    'the same, of the service': calcomError(400, `${MISSING}: location.value - it is required`),
  }),
  ...answered([wrong('/answers'), REFUSED, REFUSED], {
    'an option': calcomError(400, invalidOption('Tax', 'need')),
    'an option with signs of its own': calcomError(400, invalidOption(`a' {email} 'b`, 'need')),
    'several options': calcomError(
      400,
      `One or more invalid options for booking field 'x'. Allowed options are: .`,
    ),
    'a form': calcomError(
      400,
      `Invalid type for booking field 'n'. Expected type number, but received`,
    ),
    'a box that was not ticked': responses('{i-agree}error_required_field'),
    'a question without an answer': calcomError(400, `${MISSING}: size - it is required`),
    'a question called number': responses('{number}Invalid string'),
    'a part of a question': responses('{guest.name}Invalid string'),
    'a part of a part': calcomError(400, 'responses.foo.bar - Required, '),
    'an answer, by its field': calcomError(400, 'bookingFieldsResponses.need must be a string'),
  }),
  ...answered([wrong('/invitee_email', '/phone', '/answers'), REFUSED, REFUSED], {
    'three fields at once': responses(
      '{email}email_validation_error',
      '{attendeePhoneNumber}invalid_number',
      '{need}Invalid string',
    ),
  }),
  ...answered([REFUSED, REFUSED, UNMOVABLE], {
    'no moves': calcomError(400, 'This event type does not allow rescheduling'),
  }),
  ...answered([unknown, HOSTLESS, HOSTLESS], {
    'a booking without a host': rawError(400, 'User not found'),
    'a booking that no host has taken': rawError(404, 'Could not find original booking'),
  }),
  ...answered([UNPUBLISHED, unknown, UNPUBLISHED], {
    'a team that has not paid': coded(403, 'forbidden', 'team_is_unpublished'),
  }),
  ...answered([unknown, unknown, OTHER_LENGTH], {
    'a length that its kind has no more': rawError(400, SAYS.length),
  }),
  ...answered([unknown, unknown, unknown], {
    'a code of next year': coded(400, 'moon_in_wrong_phase_error'),
    'a redirect': { status: 307, body: '', headers: { Location: 'https://other.example' } },
    '404 of a proxy': { status: 404, body: '<html>404 Not Found' },
    '499 of a proxy': calcomError(499, SAYS.taken),
    '425': calcomError(425, SAYS.taken),
    'a success that is none': { status: 200, body: '<html>' },
    'a success without a booking': { status: 201, body: { status: 'success', data: null } },
  }),
  // That the booking was ended is not believed.
  ...answered([REFUSED, unknown, unknown], {
    'a booking that is cancelled': calcomError(400, SAYS.cancelled(uid)),
  }),
  ...answered([unknown, notActive, notActive], {
    'a booking that is over': rawError(400, 'Cannot cancel a booking that has already ended'),
    'a booking of the past': rawError(400, "Can't reschedule a booking in the past"),
  }),
  ...answered([unknown, ofThisBooking(/Allow them in Cal\.com/), unknown], {
    'a booking that may not be cancelled': rawError(
      400,
      'This event type does not allow cancellations',
    ),
  }),
  ...answered([REFUSED, unknown, unknown], {
    'a booking that cannot be moved': calcomError(400, SAYS.notMovable(uid)),
    'a booking that was declined': calcomError(400, DECLINED),
  }),
  ...answered([wrong('/timezone'), REFUSED, REFUSED], {
    'a zone that it does not know': calcomError(400, ZONE_WORDS),
  }),
  ...answered([REFUSED, REFUSED, REFUSED], {
    'a field that no caller has': responses('{title}error_required_field'),
    'a part of a field that no caller has': responses('{guests.0}Invalid email'),
    'an address that has to be typed twice': responses('{emailConfirmation}error_required_field'),
  }),
  ...answered([NO_HOST, REFUSED, NO_HOST], {
    'a team without hosts': calcomError(
      422,
      `Can't book this team event type because it has no hosts.`,
    ),
  }),
  ...answered([unknown, unknown, unknown], {
    'a payment that failed afterwards': rawError(409, 'payment_not_created_error'),
    'a record that is there already': coded(
      409,
      'CONFLICT',
      'Invalid Input: Trying to create a record that already exists.',
    ),
    'a record that is gone': coded(
      400,
      'BAD_REQUEST',
      'Invalid input: The referenced data does not exist.',
    ),
    'a booking that is cancelled, from deeper inside': rawError(400, ALREADY_CANCELLED),
    '400 of a class that is not known': calcomError(400, 'P2002', 'PrismaClientKnownRequestError'),
    '400 from deeper inside, after it acted': rawError(400, 'Missing payment credentials'),
    '500': calcomError(500, SAYS.taken),
    '503': { status: 503, body: '' },
  }),
]

describe('an error response of Cal.com', () => {
  it.each(TABLE)('about %s is read by the table', async (_what, answer, outcomes) => {
    const before = structuredClone(rig.fake.state.bookings)
    for (const [index, action] of ACTIONS.entries()) {
      // Twice: an endpoint that is not there is asked for in the newer version, too.
      const isAskedTwice = outcomes[index] === VERSION
      rig.fake.fault(action satisfies CalcomRoute, { before: answer }, isAskedTwice ? 2 : 1)
      expect({ [action]: await act[action]() }).toEqual({ [action]: outcomes[index] })
    }
    expect(rig.fake.state.bookings).toEqual(before)
  })

  it('about an answer names the question as the practice wrote it, and no name that it does not know', async () => {
    rig.fake.eventType.bookingFields.push(customField('need', false))
    const ran = async (slug: string) => {
      rig.fake.fault('book', { before: calcomError(400, invalidOption(JANE.name ?? '', slug)) })
      return JSON.stringify(await act.book())
    }
    expect(await ran('need')).toMatch(/an answer to “A question” that the scheduling provider/)
    expect(await ran('{email}')).not.toMatch(/email/)
    expect(await ran(JANE.name ?? '')).not.toMatch(CANARIES)
  })

  it.each([
    ['number', responses('{number}Invalid string')],
    ['phone', responses('{phone}invalid_number')],
    ['address', calcomError(400, `${MISSING}: address - it is required`)],
    ['guest.name', calcomError(400, `Invalid type for booking field 'guest.name'. Expected`)],
    ['guest', responses('{guest.name}Invalid string')],
    ['email.second', responses('{email.second}email_validation_error')],
    ['title', responses('{title}error_required_field')],
  ])('about a question called %s is about its answer', async (slug, before) => {
    rig.fake.eventType.bookingFields.push(customField(slug, false))
    rig.fake.fault('book', { before })
    const ran = await act.book()
    expect(ran).toEqual(wrong('/answers'))
    expect(JSON.stringify(ran)).toMatch(/an answer to “A question”/)
  })

  it.each([
    ['/phone', '{attendeePhoneNumber}invalid_number'],
    ['/invitee_email', '{email}email_validation_error'],
    ['/location', '{location.optionValue}Required'],
  ])('about %s stays one about that field beside questions with its names', async (field, says) => {
    for (const slug of ['number', 'optionValue', 'emails'])
      rig.fake.eventType.bookingFields.push(customField(slug, false))
    rig.fake.fault('book', { before: responses(says) })
    expect(await act.book()).toEqual(wrong(field))
  })

  it('is never passed on in its own words', async () => {
    const words = `${SAYS.taken}: ${JANE.email}, ${JANE.name}; Booking with uid=${JANE.email} not found`
    for (const status of [400, 401, 403, 404, 409, 422, 429, 500]) {
      for (const answer of [calcomError(status, words), rawError(status, words)]) {
        for (const action of ACTIONS) {
          rig.fake.fault(action, { before: answer })
          expect(JSON.stringify(await act[action]())).not.toMatch(CANARIES)
        }
      }
    }
  })
})

describe('a 429 of Cal.com', () => {
  const later = (seconds: number) => String(NOW / 1000 + seconds)
  const reset = (limit: string, remaining: string, seconds: number) => ({
    [`X-RateLimit-Remaining-${limit}`]: remaining,
    [`X-RateLimit-Reset-${limit}`]: later(seconds),
  })
  const wait = async (headers: Record<string, string>): Promise<unknown> => {
    rig.fake.fault('book', { before: { status: 429, body: 'ThrottlerException', headers } })
    const ran = await act.book()
    expect(ran).toMatchObject({ is: 'busy', refusal: { code: 'provider_busy', effect: 'none' } })
    return ran?.is === 'busy' ? ran.refusal.retry_after_seconds : undefined
  }

  it.each<[string, Record<string, string>, number]>([
    ['Retry-After in seconds', { 'Retry-After': '12' }, 12],
    ['the epoch of its reset', reset('Default', '0', 33), 33],
    ['a reset in seconds', { 'X-RateLimit-Reset-Default': '21' }, 21],
    ['a reset without a name', { 'X-RateLimit-Reset': later(8) }, 8],
    [
      'the limit that is used up, not another',
      { ...reset('Default', '0', 20), ...reset('Long', '400', 3000) },
      20,
    ],
    [
      'the longer of two that are used up',
      { ...reset('Default', '0', 20), ...reset('Long', '0', 300) },
      300,
    ],
    ['nothing', {}, 60],
  ])('says how long to wait, by %s', async (_what, headers, seconds) => {
    expect(await wait(headers)).toBe(seconds)
  })

  it('is the same for every mutation', async () => {
    for (const action of ACTIONS) {
      rig.fake.fault(action, { before: { status: 429, body: '', headers: { 'Retry-After': '9' } } })
      expect(await act[action]()).toEqual(busy('provider_busy', { retry_after_seconds: 9 }))
    }
  })
})
