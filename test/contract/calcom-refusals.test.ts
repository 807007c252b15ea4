// Long, since it has every refusal of Cal.com with the answer that it becomes.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { StepOutcome } from '../../src/domain/outcome.ts'
import { calcomError, rawError, SAYS } from '../support/fakes/calcom-bodies.ts'
import type { CalcomRoute } from '../support/fakes/calcom.ts'
import type { FakeAnswer } from '../support/fakes/http.ts'
import { CANARIES, type CalcomRig, JANE, NOW, slotAt, startCalcom } from './calcom-rig.ts'

let rig: CalcomRig
let id: string
let printed: unknown[]
beforeEach(async () => {
  printed = []
  for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const)
    vi.spyOn(console, method).mockImplementation((...words) => void printed.push(words))
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
  book: () => rig.scheduling.book({ eventTypeId: rig.eventType.id, ...slotAt(0), invitee: JANE }, 'm.0'),
  cancel: () => rig.scheduling.cancel(id, `Because of ${JANE.name}`, 'm.0'),
  move: async () =>
    rig.scheduling.reschedule?.execute({ bookingId: id, eventTypeId: rig.eventType.id, ...slotAt(1) }, 'm.0'),
}

const misconfigured = (detail: RegExp) => ({
  is: 'busy',
  refusal: {
    code: 'provider_misconfigured',
    effect: 'none',
    detail: expect.stringMatching(detail) as string,
  },
})
const refused = (code: string) => ({ is: 'refused', refusal: { code, effect: 'none' } })
const slotGone = refused('slot_unavailable')
const notActive = refused('booking_not_active')
const unknown = { is: 'unknown' }
const KEY = misconfigured(/new API key/)
const RIGHT = misconfigured(/the scope BOOKING_WRITE/)
const VERSION = misconfigured(/no longer serves an endpoint in the API version/)
const REFUSED = misconfigured(/how the event type is set up/)
const TYPE = misconfigured(/knows no event type/)
const BLOCKED = misconfigured(/does not let this invitee book/)
const LIMIT = {
  is: 'refused',
  refusal: {
    code: 'slot_unavailable',
    effect: 'none',
    detail: expect.stringMatching(/has reached the limit/) as string,
  },
}
const LATE = {
  is: 'refused',
  refusal: {
    code: 'booking_not_active',
    effect: 'none',
    detail: expect.stringMatching(/so shortly before/) as string,
  },
}

const TEAM_TAKEN = 'One of the hosts either already has booking at this time or is not available'
const LIMIT_WORDS = `Attendee with this email can't book because the maximum number of active bookings has been reached.`
const uid = 'fake1'

const ZONE = {
  is: 'refused',
  refusal: {
    code: 'validation_failed',
    effect: 'none',
    errors: [{ pointer: '/timezone', detail: expect.any(String) as string }],
  },
}

/**
 * Each row: what Cal.com answers, and what it comes to for a booking, a cancellation and a move of a booking that is
 * active. That this one was ended, as some rows say, is then not believed.
 */
const TABLE: [string, FakeAnswer, object, object, object][] = [
  ['a key that is none', calcomError(401, SAYS.key), KEY, KEY, KEY],
  ['401 without words', { status: 401, body: '' }, KEY, KEY, KEY],
  ['a key of somebody else', rawError(401, 'User not a host of this event'), RIGHT, RIGHT, RIGHT],
  ['a right that is missing', calcomError(403, SAYS.scope), RIGHT, RIGHT, RIGHT],
  ['403 of a gateway', { status: 403, body: '<html>' }, RIGHT, RIGHT, RIGHT],
  [
    'a move that comes too late',
    rawError(403, 'Rescheduling is not allowed within the minimum notice period before the event'),
    RIGHT,
    RIGHT,
    LATE,
  ],
  ['an endpoint that is not there', calcomError(404, 'Cannot POST /v2/bookings'), VERSION, VERSION, VERSION],
  ['the same without its envelope', rawError(404, 'Cannot POST /v2/bookings'), VERSION, VERSION, VERSION],
  ['an event type that is not there', calcomError(404, SAYS.noType(4711)), TYPE, unknown, unknown],
  ['the same, from deeper inside', rawError(404, 'event_type_not_found_error'), TYPE, unknown, unknown],
  [
    'a booking that is not there',
    calcomError(404, SAYS.unknown(uid)),
    unknown,
    refused('booking_not_found'),
    refused('booking_not_found'),
  ],
  [
    'the same, of a move',
    calcomError(404, SAYS.unread(uid)),
    unknown,
    refused('booking_not_found'),
    refused('booking_not_found'),
  ],
  ['404 of somebody else', { status: 404, body: { message: 'Not Found' } }, unknown, unknown, unknown],
  ['a time that is taken', calcomError(400, SAYS.taken), slotGone, REFUSED, slotGone],
  ['a time that is taken, as 409', calcomError(409, SAYS.taken), slotGone, unknown, slotGone],
  ['a time that is taken, of a team', calcomError(400, TEAM_TAKEN), slotGone, REFUSED, slotGone],
  [
    'a time that is taken, by its code',
    rawError(409, 'no_available_users_found_error'),
    slotGone,
    unknown,
    slotGone,
  ],
  ['a time that is taken, at once', rawError(409, 'booking_conflict_error'), slotGone, unknown, slotGone],
  [
    'hosts who are not free',
    rawError(409, 'fixed_hosts_unavailable_for_booking'),
    slotGone,
    unknown,
    slotGone,
  ],
  ['a payment that failed afterwards', rawError(409, 'payment_not_created_error'), unknown, unknown, unknown],
  ['a time out of bounds', calcomError(400, SAYS.outOfBounds), slotGone, REFUSED, slotGone],
  ['a time that is over', calcomError(400, SAYS.past), slotGone, REFUSED, slotGone],
  [
    'a time that is taken, with its words outside',
    { status: 400, body: { error: { code: 'BadRequestException' }, message: SAYS.taken } },
    slotGone,
    REFUSED,
    slotGone,
  ],
  [
    'a time that a rule excludes',
    rawError(400, 'booking_not_allowed_by_restriction_schedule_error'),
    slotGone,
    unknown,
    slotGone,
  ],
  ['too many bookings of one person', calcomError(400, LIMIT_WORDS), LIMIT, REFUSED, LIMIT],
  ['an invitee who may not book', rawError(400, 'booker_email_blocked'), BLOCKED, unknown, BLOCKED],
  ['a booking that is cancelled', calcomError(400, SAYS.cancelled(uid)), REFUSED, unknown, REFUSED],
  [
    'the same, from deeper inside',
    rawError(400, 'This booking has already been cancelled.'),
    unknown,
    unknown,
    unknown,
  ],
  [
    'a booking that is over',
    rawError(400, 'Cannot cancel a booking that has already ended'),
    unknown,
    notActive,
    notActive,
  ],
  [
    'a booking that may not be cancelled',
    rawError(400, 'This event type does not allow cancellations'),
    unknown,
    misconfigured(/Allow them in Cal\.com/),
    unknown,
  ],
  ['a booking that cannot be moved', calcomError(400, SAYS.notMovable(uid)), REFUSED, REFUSED, unknown],
  [
    'a booking that was declined',
    calcomError(400, `Can't reschedule booking with uid=${uid} because it has been rejected.`),
    REFUSED,
    REFUSED,
    unknown,
  ],
  [
    'the same by its code',
    rawError(400, 'cancelled_bookings_cannot_be_rescheduled'),
    unknown,
    unknown,
    unknown,
  ],
  [
    'a question without an answer',
    calcomError(400, 'Missing required booking field response: size - it is required'),
    REFUSED,
    REFUSED,
    REFUSED,
  ],
  [
    'a zone that it does not know',
    calcomError(
      400,
      'attendee property is wrong, timeZone property is wrong,timeZone must be a valid IANA time-zone ',
    ),
    ZONE,
    REFUSED,
    REFUSED,
  ],
  [
    'a field that should not be there',
    calcomError(400, 'x property is wrong,property x should not exist '),
    REFUSED,
    REFUSED,
    REFUSED,
  ],
  [
    'a team without hosts',
    calcomError(422, `Can't book this team event type because it has no hosts.`),
    REFUSED,
    REFUSED,
    REFUSED,
  ],
  [
    '400 of a class that is not known',
    calcomError(400, 'P2002', 'PrismaClientKnownRequestError'),
    unknown,
    unknown,
    unknown,
  ],
  [
    '400 from deeper inside, after it acted',
    rawError(400, 'Missing payment credentials'),
    unknown,
    unknown,
    unknown,
  ],
  ['an error that is only a word', { status: 400, body: { error: 'no' } }, unknown, unknown, unknown],
  ['402', calcomError(402, 'pay'), unknown, unknown, unknown],
  ['408', { status: 408, body: '' }, unknown, unknown, unknown],
  ['418', { status: 418, body: '' }, unknown, unknown, unknown],
  ['500', calcomError(500, SAYS.taken), unknown, unknown, unknown],
  ['503', { status: 503, body: '' }, unknown, unknown, unknown],
  ['504', calcomError(504, 'Gateway Timeout'), unknown, unknown, unknown],
  ['522', { status: 522, body: '<html>' }, unknown, unknown, unknown],
]

describe('an error response of Cal.com', () => {
  it.each(TABLE)('about %s is read by the table', async (_what, answer, ...outcomes) => {
    const before = structuredClone(rig.fake.state.bookings)
    for (const [index, action] of ACTIONS.entries()) {
      rig.fake.fault(action satisfies CalcomRoute, { before: answer })
      expect({ [action]: await act[action]() }).toEqual({ [action]: outcomes[index] })
    }
    expect(rig.fake.state.bookings).toEqual(before)
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
  const wait = async (headers: Record<string, string>): Promise<unknown> => {
    rig.fake.fault('book', { before: { status: 429, body: 'ThrottlerException', headers } })
    const ran = await act.book()
    expect(ran).toMatchObject({ is: 'busy', refusal: { code: 'provider_busy', effect: 'none' } })
    return ran?.is === 'busy' ? ran.refusal.retry_after_seconds : undefined
  }

  it.each<[string, Record<string, string>, number]>([
    ['Retry-After in seconds', { 'Retry-After': '12' }, 12],
    ['Retry-After as a date', { 'Retry-After': new Date(NOW + 45_000).toUTCString() }, 45],
    [
      'the epoch of its reset',
      { 'X-RateLimit-Remaining-Default': '0', 'X-RateLimit-Reset-Default': later(33) },
      33,
    ],
    ['a reset in seconds', { 'X-RateLimit-Reset-Default': '21' }, 21],
    ['a reset without a name', { 'X-RateLimit-Reset': later(8) }, 8],
    [
      'the limit that is used up, not another',
      {
        'X-RateLimit-Remaining-Default': '0',
        'X-RateLimit-Reset-Default': later(20),
        'X-RateLimit-Remaining-Long': '400',
        'X-RateLimit-Reset-Long': later(3000),
      },
      20,
    ],
    [
      'the longer of two that are used up',
      {
        'X-RateLimit-Remaining-Default': '0',
        'X-RateLimit-Reset-Default': later(20),
        'X-RateLimit-Remaining-Long': '0',
        'X-RateLimit-Reset-Long': later(300),
      },
      300,
    ],
    ['a reset that is over', { 'X-RateLimit-Reset-Default': later(-5) }, 1],
    ['nonsense', { 'X-RateLimit-Reset-Default': 'soon' }, 60],
    ['nothing', {}, 60],
  ])('says how long to wait, by %s', async (_what, headers, seconds) => {
    expect(await wait(headers)).toBe(seconds)
  })

  it('is the same for every mutation', async () => {
    for (const action of ACTIONS) {
      rig.fake.fault(action, { before: { status: 429, body: '', headers: { 'Retry-After': '9' } } })
      expect(await act[action]()).toEqual({
        is: 'busy',
        refusal: { code: 'provider_busy', effect: 'none', retry_after_seconds: 9 },
      })
    }
  })
})
