import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { StepOutcome } from '../../src/core/domain/outcome.ts'
import { calcomError, rawError, SAYS } from '../support/fakes/calcom-bodies.ts'
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
const unknown = { is: 'unknown' }
const KEY = misconfigured(/new API key/)
const RIGHT = misconfigured(/the scope BOOKING_WRITE/)
const VERSION = misconfigured(/no longer serves an endpoint in the API version/)
const REFUSED = misconfigured(/how the event type is set up/)
const TYPE = misconfigured(/knows no event type/)
const BLOCKED = misconfigured(/does not let this invitee book/)
const LIMIT = refused('slot_unavailable', {
  detail: expect.stringMatching(/has reached the limit/) as string,
})
const LATE = refused('booking_not_active', {
  detail: expect.stringMatching(/so shortly before/) as string,
})

const TEAM_TAKEN = 'One of the hosts either already has booking at this time or is not available'
const LIMIT_WORDS = `Attendee with this email can't book because the maximum number of active bookings has been reached.`
const uid = 'fake1'
const TOO_LATE = 'Rescheduling is not allowed within the minimum notice period before the event'
const WORDS_OUTSIDE = { error: { code: 'BadRequestException' }, message: SAYS.taken }
const ALREADY_CANCELLED = 'This booking has already been cancelled.'
const DECLINED = `Can't reschedule booking with uid=${uid} because it has been rejected.`
const MISSING = 'Missing required booking field response'
const WRONG = 'property is wrong'
const ZONE_WORDS = `attendee ${WRONG}, timeZone ${WRONG},timeZone must be a valid IANA time-zone `

const ZONE = refused('validation_failed', {
  errors: [{ pointer: '/timezone', detail: expect.any(String) as string }],
})

/** What Cal.com answers, by what it comes to for a booking, a cancellation and a move of a booking that is active. */
const TABLE: [outcomes: object[], answers: [string, FakeAnswer][]][] = [
  [
    [KEY, KEY, KEY],
    [
      ['a key that is none', calcomError(401, SAYS.key)],
      ['401 without words', { status: 401, body: '' }],
    ],
  ],
  [
    [RIGHT, RIGHT, RIGHT],
    [
      ['a key of somebody else', rawError(401, 'User not a host of this event')],
      ['a right that is missing', calcomError(403, SAYS.scope)],
      ['403 of a gateway', { status: 403, body: '<html>' }],
    ],
  ],
  [[RIGHT, RIGHT, LATE], [['a move that comes too late', rawError(403, TOO_LATE)]]],
  [
    [VERSION, VERSION, VERSION],
    [
      ['an endpoint that is not there', calcomError(404, 'Cannot POST /v2/bookings')],
      ['the same without its envelope', rawError(404, 'Cannot POST /v2/bookings')],
    ],
  ],
  [
    [TYPE, unknown, unknown],
    [
      ['an event type that is not there', calcomError(404, SAYS.noType(4711))],
      ['the same, from deeper inside', rawError(404, 'event_type_not_found_error')],
    ],
  ],
  [
    [unknown, notFound, notFound],
    [
      ['a booking that is not there', calcomError(404, SAYS.unknown(uid))],
      ['the same, of a move', calcomError(404, SAYS.unread(uid))],
    ],
  ],
  [
    [slotGone, REFUSED, slotGone],
    [
      ['a time that is taken', calcomError(400, SAYS.taken)],
      ['a time that is taken, of a team', calcomError(400, TEAM_TAKEN)],
      ['a time out of bounds', calcomError(400, SAYS.outOfBounds)],
      ['a time that is over', calcomError(400, SAYS.past)],
      ['a time that is taken, with its words outside', { status: 400, body: WORDS_OUTSIDE }],
    ],
  ],
  [
    [slotGone, unknown, slotGone],
    [
      ['a time that is taken, as 409', calcomError(409, SAYS.taken)],
      ['a time that is taken, by its code', rawError(409, 'no_available_users_found_error')],
      ['a time that is taken, at once', rawError(409, 'booking_conflict_error')],
      ['hosts who are not free', rawError(409, 'fixed_hosts_unavailable_for_booking')],
      [
        'a time that a rule excludes',
        rawError(400, 'booking_not_allowed_by_restriction_schedule_error'),
      ],
    ],
  ],
  [[LIMIT, REFUSED, LIMIT], [['too many bookings of one person', calcomError(400, LIMIT_WORDS)]]],
  [
    [BLOCKED, unknown, BLOCKED],
    [['an invitee who may not book', rawError(400, 'booker_email_blocked')]],
  ],
  // That the booking was ended is not believed.
  [
    [REFUSED, unknown, REFUSED],
    [['a booking that is cancelled', calcomError(400, SAYS.cancelled(uid))]],
  ],
  [
    [unknown, notActive, notActive],
    [['a booking that is over', rawError(400, 'Cannot cancel a booking that has already ended')]],
  ],
  [
    [unknown, misconfigured(/Allow them in Cal\.com/), unknown],
    [
      [
        'a booking that may not be cancelled',
        rawError(400, 'This event type does not allow cancellations'),
      ],
    ],
  ],
  [
    [REFUSED, REFUSED, unknown],
    [
      ['a booking that cannot be moved', calcomError(400, SAYS.notMovable(uid))],
      ['a booking that was declined', calcomError(400, DECLINED)],
    ],
  ],
  [[ZONE, REFUSED, REFUSED], [['a zone that it does not know', calcomError(400, ZONE_WORDS)]]],
  [
    [REFUSED, REFUSED, REFUSED],
    [
      ['a question without an answer', calcomError(400, `${MISSING}: size - it is required`)],
      [
        'a field that should not be there',
        calcomError(400, `x ${WRONG},property x should not exist `),
      ],
      [
        'a team without hosts',
        calcomError(422, `Can't book this team event type because it has no hosts.`),
      ],
    ],
  ],
  [
    [unknown, unknown, unknown],
    [
      ['404 of somebody else', { status: 404, body: { message: 'Not Found' } }],
      ['a payment that failed afterwards', rawError(409, 'payment_not_created_error')],
      ['a booking that is cancelled, from deeper inside', rawError(400, ALREADY_CANCELLED)],
      [
        'a booking that was declined, by its code',
        rawError(400, 'cancelled_bookings_cannot_be_rescheduled'),
      ],
      [
        '400 of a class that is not known',
        calcomError(400, 'P2002', 'PrismaClientKnownRequestError'),
      ],
      ['400 from deeper inside, after it acted', rawError(400, 'Missing payment credentials')],
      ['an error that is only a word', { status: 400, body: { error: 'no' } }],
      ['402', calcomError(402, 'pay')],
      ['408', { status: 408, body: '' }],
      ['418', { status: 418, body: '' }],
      ['500', calcomError(500, SAYS.taken)],
      ['503', { status: 503, body: '' }],
      ['504', calcomError(504, 'Gateway Timeout')],
      ['522', { status: 522, body: '<html>' }],
    ],
  ],
]

describe('an error response of Cal.com', () => {
  const rows = TABLE.flatMap(([outcomes, answers]) =>
    answers.map(([what, answer]) => [what, answer, outcomes] as const),
  )
  it.each(rows)('about %s is read by the table', async (_what, answer, outcomes) => {
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
    ['Retry-After as a date', { 'Retry-After': new Date(NOW + 45_000).toUTCString() }, 45],
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
    ['a reset that is over', { 'X-RateLimit-Reset-Default': later(-5) }, 1],
    ['nonsense', { 'X-RateLimit-Reset-Default': 'soon' }, 60],
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
