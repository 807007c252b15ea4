import { DAY, MINUTE, SECOND } from '../../../src/core/domain/time/duration.ts'
import { dateIn, zoneClock } from '../../../src/core/domain/time/time.ts'
import {
  bookingBody,
  calcomError,
  defaultFields,
  eventTypeBody,
  type FakeAttendee,
  type FakeBooking,
  type FakeEventType,
  rawError,
  OWNER,
  SAYS,
  type BookingBodyOptions,
} from './calcom-bodies.ts'
import {
  cursorPageOf,
  keptPlace,
  pageOf,
  refusedBody,
  slotsBody,
  unansweredIn,
} from './calcom-rules.ts'
import { type OmittedField, withOmitted } from './contract-fields.ts'
import {
  type FakeAnswer,
  type FakeHttp,
  type FakeRequest,
  type Fault,
  fakeHttp,
  type Watch,
} from './http.ts'
import { calcomBody, calcomTemplateBody } from './webhook-bodies.ts'
import { type FakeWebhook, type FakeWebhooks, fakeWebhooks } from './webhooks.ts'

/** The API versions that Cal.com serves today, by group of endpoints. */
const VERSIONS = {
  slots: ['2024-09-04'],
  eventTypes: ['2024-06-14'],
  bookings: ['2024-08-13', '2026-02-25'],
  lists: ['2024-08-13', '2026-02-25', '2026-05-01'],
}

type Right = 'EVENT_TYPE_READ' | 'BOOKING_READ' | 'BOOKING_WRITE' | 'SCHEDULE_READ'

/** Of a booking that several hosts have together, each but the first is an attendee. */
const OTHER_HOST: FakeAttendee = {
  name: 'Dr. Second',
  email: 'second-host@practice.example',
  timeZone: 'America/New_York',
}

/** What a test may change at any time. */
export interface FakeCalcomState extends BookingBodyOptions {
  /** The clock; the real one by default. */
  now(): number
  token: string
  /** API versions that are no longer served. */
  retired: readonly string[]
  rights: Set<Right>
  eventTypes: FakeEventType[]
  bookings: FakeBooking[]
  /** Hours of the day, in UTC, in which every day has open times. */
  hours: { from: number; to: number }
  /** The form of open times: with their ends, without, or as bare starts. */
  slotForm: 'range' | 'starts' | 'strings'
  /** Lists show only what was there at this moment of their history; undefined: they are fresh. */
  listsStopAt: number | undefined
  pageSize: number
  /** The newer sender of webhooks takes no template. */
  ignoresTemplates: boolean
  /** The user whose key this is may not see to webhooks. */
  refusesWebhooks: boolean
  /** Fields that are missing, null or cut in every booking. */
  omitted: OmittedField[]
  /** Whether the key is one of a host, who alone may answer a request. */
  hostsBookings: boolean
  /** Whether the key is one of a member of the team, who sees no bookings of other hosts. */
  isMember: boolean
  /** The address under which the attendee of a new booking is kept, in place of the one that was sent. */
  rewrites: string | undefined
  /** Whether a search by address tells upper from lower case. */
  caseCounts: boolean
  /** Whether a moved booking keeps its length. */
  keepsLength: boolean
}

const ROUTES = {
  slots: 'GET /v2/slots',
  eventTypes: 'GET /v2/event-types',
  eventType: 'GET /v2/event-types/:id',
  bookings: 'GET /v2/bookings',
  booking: 'GET /v2/bookings/:uid',
  teamBookings: 'GET /v2/teams/:id/bookings',
  book: 'POST /v2/bookings',
  cancel: 'POST /v2/bookings/:uid/cancel',
  move: 'POST /v2/bookings/:uid/reschedule',
  confirm: 'POST /v2/bookings/:uid/confirm',
  decline: 'POST /v2/bookings/:uid/decline',
} as const
export type CalcomRoute = keyof typeof ROUTES

type Doubled = 'book' | 'cancel' | 'move' | 'confirm' | 'decline'

const WEBHOOK_ROUTES = {
  list: 'GET /v2/webhooks',
  create: 'POST /v2/webhooks',
  remove: 'DELETE /v2/webhooks/:id',
} as const

export interface FakeCalcom extends Pick<FakeHttp, 'url' | 'fetch' | 'requests' | 'calm' | 'stop'> {
  state: FakeCalcomState
  eventType: FakeEventType
  /** The settings of a connector that asks this one. */
  settings: Record<string, string>
  fault(route: CalcomRoute, fault: Fault, times?: number): void
  /** The next request of this kind is carried out twice on its way, and answered with what the second time brings. */
  twice(route: Doubled): void
  /** Someone books on Cal.com's page: the first event type, unless another one is named. */
  bookOnPage(
    start: number,
    attendee: FakeAttendee,
    responses?: object,
    type?: FakeEventType,
  ): FakeBooking
  /** The host accepts a request there. */
  acceptOnPage(uid: string): void
  /** Someone moves, cancels or declines there. */
  moveOnPage(uid: string, start: number, reason?: string): FakeBooking
  endOnPage(uid: string, reason?: string, status?: 'cancelled' | 'rejected'): void
  /** The host says that the attendee did not come. */
  noShowOnPage(uid: string): void
  webhooks: FakeWebhooks
  faultOfWebhooks(route: keyof typeof WEBHOOK_ROUTES, fault: Fault, times?: number): void
  /** Whether lists still tell what happens from now on. */
  lists(fresh: boolean): void
}

/** A Cal.com with one event type of half an hour, open from 14:00 to 18:00 UTC every day. */
export async function fakeCalcom(
  changes: Partial<FakeCalcomState> = {},
  watch?: Watch,
): Promise<FakeCalcom> {
  const eventType: FakeEventType = {
    id: 4711,
    lengthInMinutes: 30,
    locations: [{ type: 'integration', integration: 'cal-video' }],
    bookingFields: defaultFields(),
    recurrence: null,
    seats: { disabled: true },
    price: 0,
    hidden: false,
    requiresBookerEmailVerification: false,
    disableCancelling: { disabled: false },
    confirms: false,
    foreign: false,
  }
  const state: FakeCalcomState = {
    now: () => Date.now(),
    token: 'cal_live_fake',
    retired: [],
    rights: new Set<Right>(['EVENT_TYPE_READ', 'BOOKING_READ', 'BOOKING_WRITE', 'SCHEDULE_READ']),
    eventTypes: [eventType],
    bookings: [],
    hours: { from: 14, to: 18 },
    slotForm: 'range',
    listsStopAt: undefined,
    pageSize: 100,
    ignoresTemplates: false,
    refusesWebhooks: false,
    omitted: [],
    hostsBookings: true,
    isMember: false,
    caseCounts: true,
    keepsLength: true,
    rewrites: undefined,
    silent: false,
    displayEmail: undefined,
    ...changes,
  }
  let hooksMade = 0
  const webhooks = fakeWebhooks('calcom', () => state.now())
  const announce = (trigger: string, of: Parameters<typeof calcomBody>[1]) =>
    webhooks.announce(trigger, ({ template }) =>
      template === undefined || state.ignoresTemplates
        ? calcomBody(trigger, of)
        : calcomTemplateBody(trigger, of),
    )
  const isActive = ({ status }: FakeBooking) => status !== 'cancelled' && status !== 'rejected'
  const isFree = (start: number, end: number, except?: string) =>
    start >= state.now() &&
    !state.bookings.some(
      (one) => one.uid !== except && isActive(one) && one.start < end && start < one.end,
    )
  /** Such a period ends with a day of the person who asks or books (`isOutOfBounds.tsx`, 03670679). */
  const isTooFar = ({ rollingDays = 400 }: FakeEventType, start: number, zone: string) =>
    dateIn(start, zone) > dateIn(state.now() + rollingDays * DAY, zone)
  const typeWith = (id: unknown) => state.eventTypes.find((one) => String(one.id) === String(id))
  const bookingWith = (uid: string | undefined) => state.bookings.find((one) => one.uid === uid)
  const answerOf = (booking: FakeBooking) =>
    state.omitted.reduce<unknown>(withOmitted, bookingBody(booking, state))
  const success = (status: number, data: unknown): FakeAnswer => ({
    status,
    body: { status: 'success', data },
  })

  function add(type: FakeEventType, start: number, rest: Partial<FakeBooking>): FakeBooking {
    const id = state.bookings.length + 1
    const people = (rest.attendees ?? []).filter((one) => one !== OTHER_HOST)
    const booking: FakeBooking = {
      id,
      uid: `fake${id}`.padEnd(22, 'Zz9'),
      eventTypeId: type.id,
      start,
      end: start + type.lengthInMinutes * MINUTE,
      created: state.now(),
      status: type.confirms ? 'pending' : 'accepted',
      metadata: {},
      ...rest,
      attendees: type.schedulingType === 'collective' ? [...people, OTHER_HOST] : people,
    }
    state.bookings.push(booking)
    const { uid, rescheduledFromUid: old } = booking
    if (old) announce('BOOKING_RESCHEDULED', { uid, rescheduleUid: old })
    else announce(type.confirms ? 'BOOKING_REQUESTED' : 'BOOKING_CREATED', { uid })
    return booking
  }

  /** Where hosts accept or take turns, Cal.com answers with the booking that the person has then, as if it were made now. */
  const existing = (
    { id, confirms, schedulingType }: FakeEventType,
    start: number,
    email: unknown,
  ) =>
    confirms || schedulingType === 'roundRobin'
      ? state.bookings.find(
          (one) =>
            isActive(one) &&
            one.eventTypeId === id &&
            one.start === start &&
            one.attendees[0]?.email === email,
        )
      : undefined

  /** What stands against a booking at this time, in Cal.com's order. */
  function unbookable(
    type: FakeEventType,
    start: number,
    except?: string,
    minutes = type.lengthInMinutes,
  ): FakeAnswer | undefined {
    if (!Number.isFinite(start))
      return calcomError(400, 'start property is wrong,start must be a valid ISO 8601 date string ')
    if (start < state.now()) return calcomError(400, SAYS.past)
    // `validateEventLength.ts` of its source, after the bounds of its time.
    if (!(type.lengthInMinutesOptions ?? [type.lengthInMinutes]).includes(minutes))
      return rawError(400, SAYS.length)
    const hour = new Date(start).getUTCHours()
    const isLate = new Date(start + minutes * MINUTE - 1).getUTCHours() >= state.hours.to
    const open = hour >= state.hours.from && !isLate
    return open && isFree(start, start + minutes * MINUTE, except)
      ? undefined
      : calcomError(400, SAYS.taken)
  }

  function book({ body }: FakeRequest): FakeAnswer {
    const wrong = refusedBody('book', body)
    if (wrong) return wrong
    const {
      eventTypeId,
      start,
      attendee,
      metadata = {},
      bookingFieldsResponses = {},
      location,
      guests,
    } = body as {
      eventTypeId: number
      start: string
      attendee: FakeAttendee
      metadata?: Record<string, unknown>
      bookingFieldsResponses?: Record<string, unknown>
      location?: { type: string; phone?: string }
      guests?: string[]
    }
    const type = typeWith(eventTypeId)
    if (!type) return calcomError(404, SAYS.noType(eventTypeId))
    const same = existing(type, Date.parse(start), attendee.email)
    if (same) return success(201, answerOf(same))
    const missing = unansweredIn(type, bookingFieldsResponses)
    if (missing !== undefined)
      return calcomError(
        400,
        `Missing required booking field response: ${missing} - it is required`,
      )
    if (isTooFar(type, Date.parse(start), attendee.timeZone))
      return calcomError(400, SAYS.outOfBounds)
    const against = unbookable(type, Date.parse(start))
    if (against) return against
    const place = location ?? type.locations[0]
    const booking = add(type, Date.parse(start), {
      attendees: [
        { ...attendee, email: state.rewrites ?? attendee.email },
        ...(guests ?? []).map((email) => ({ ...attendee, name: '', email })),
      ],
      metadata,
      responses: {
        ...bookingFieldsResponses,
        ...(place && { location: keptPlace(place) }),
        ...(guests && { guests }),
      },
    })
    if (type.recurrence === null) return success(201, answerOf(booking))
    booking.recurringBookingUid = 'series-of-the-fake'
    return success(201, [answerOf(booking)])
  }

  function cancel({ params, body }: FakeRequest): FakeAnswer {
    const uid = params['uid'] ?? ''
    const wrong = refusedBody('cancel', body)
    if (wrong) return wrong
    const booking = bookingWith(uid)
    if (!booking) return calcomError(404, SAYS.unknown(uid))
    if (!isActive(booking)) return calcomError(400, SAYS.cancelled(uid))
    if (booking.end <= state.now())
      return rawError(400, 'Cannot cancel a booking that has already ended')
    if (typeWith(booking.eventTypeId)?.disableCancelling.disabled)
      return rawError(400, 'This event type does not allow cancellations')
    booking.status = 'cancelled'
    booking.cancellationReason = (body as { cancellationReason?: string }).cancellationReason ?? ''
    announce('BOOKING_CANCELLED', { uid })
    return success(200, answerOf(booking))
  }

  /**
   * As `confirm.handler.ts` of Cal.com's source does it: only a booking that was accepted already is refused, so one that was
   * cancelled or declined is accepted all the same. The reason of a decline is kept and returned nowhere.
   */
  function respond({ params, body }: FakeRequest, status: 'accepted' | 'rejected'): FakeAnswer {
    const uid = params['uid'] ?? ''
    const booking = bookingWith(uid)
    const wrong = status === 'rejected' ? refusedBody('decline', body) : undefined
    if (wrong) return wrong
    if (!booking) return calcomError(404, SAYS.unread(uid))
    if (!state.hostsBookings)
      return calcomError(401, 'User is not authorized to confirm this booking', 'TRPCError')
    if (booking.status === 'accepted')
      return calcomError(400, 'Booking already confirmed', 'TRPCError')
    booking.status = status
    const { reason } = (body ?? {}) as { reason?: string }
    if (reason !== undefined) booking.rejectionReason = reason
    announce(status === 'accepted' ? 'BOOKING_CREATED' : 'BOOKING_REJECTED', { uid })
    return success(200, answerOf(booking))
  }

  function move({ params, body }: FakeRequest): FakeAnswer {
    const uid = params['uid'] ?? ''
    const wrong = refusedBody('move', body)
    if (wrong) return wrong
    const booking = bookingWith(uid)
    const type = typeWith(booking?.eventTypeId)
    if (!booking || !type) return calcomError(404, SAYS.unread(uid))
    if (booking.rescheduledToUid) return calcomError(400, SAYS.moved(uid, booking.rescheduledToUid))
    if (!isActive(booking)) return calcomError(400, SAYS.notMovable(uid))
    const { start, reschedulingReason } = body as { start: string; reschedulingReason?: string }
    const same = existing(type, Date.parse(start), booking.attendees[0]?.email)
    if (same && same.uid !== uid) return success(201, answerOf(same))
    const length = state.keepsLength ? (booking.end - booking.start) / MINUTE : undefined
    const against = unbookable(type, Date.parse(start), uid, length)
    if (against) return against
    const next = replace(booking, type, Date.parse(start), reschedulingReason)
    // Its host moves it, so it is accepted (`getRequiresConfirmationFlags.ts` of its source, 5b6d63e6).
    if (state.hostsBookings) next.status = 'accepted'
    return success(201, answerOf(next))
  }

  /** A move keeps attendee and metadata; the old booking is cancelled and points to the new one. */
  function replace(
    old: FakeBooking,
    type: FakeEventType,
    start: number,
    reason?: string,
  ): FakeBooking {
    const next = add(type, start, {
      // Before 2026 it took that of its kind.
      ...(state.keepsLength && { end: start + old.end - old.start }),
      attendees: old.attendees,
      metadata: old.metadata,
      responses: old.responses ?? {},
      rescheduledFromUid: old.uid,
      ...(reason === undefined ? {} : { reschedulingReason: reason }),
    })
    old.status = 'cancelled'
    old.rescheduledToUid = next.uid
    return next
  }

  /** Guests are attendees, so a search by address finds them too. */
  const hasAttendee = ({ attendees }: FakeBooking, wanted: string | null) =>
    wanted === null ||
    attendees.some(({ email }) =>
      state.caseCounts ? email === wanted : email.toLowerCase() === wanted.toLowerCase(),
    )

  function list({ query, headers }: FakeRequest): FakeAnswer {
    const statuses = query.get('status')?.split(',') ?? ['upcoming']
    const matches = ({ status, end }: FakeBooking, wanted: string) => {
      const active = status !== 'cancelled' && status !== 'rejected'
      if (wanted === 'cancelled') return !active
      if (wanted === 'unconfirmed') return status === 'pending'
      return (
        active &&
        (wanted === 'upcoming' ? end >= state.now() : wanted === 'past' && end <= state.now())
      )
    }
    const at = (name: string, otherwise: number) => Date.parse(query.get(name) ?? '') || otherwise
    const types = (query.get('eventTypeIds') ?? query.get('eventTypeId'))?.split(',')
    const inOrder = (list: FakeBooking[]) =>
      query.get('sortStart') === 'asc' ? list.toSorted((a, b) => a.start - b.start) : list
    const found = inOrder(state.bookings.slice(0, state.listsStopAt))
      .filter(({ hosts = [OWNER] }) => !state.isMember || hosts.includes(OWNER))
      .filter((one) => types?.includes(String(one.eventTypeId)) ?? true)
      .filter((one) => hasAttendee(one, query.get('attendeeEmail')))
      .filter((one) => one.start >= at('afterStart', 0) && one.end <= at('beforeEnd', Infinity))
      .filter((one) => statuses.some((wanted) => matches(one, wanted)))
    const isNewer = headers['cal-api-version'] !== '2024-08-13'
    const { page, pagination } = isNewer
      ? cursorPageOf(found, query, state.pageSize)
      : pageOf(found, query, state.pageSize)
    return { status: 200, body: { status: 'success', data: page.map(answerOf), pagination } }
  }

  function slots({ query }: FakeRequest): FakeAnswer {
    const type = typeWith(query.get('eventTypeId'))
    if (!type) return calcomError(404, 'Event Type not found')
    const [from, end] = [Date.parse(query.get('start') ?? ''), Date.parse(query.get('end') ?? '')]
    if (!Number.isFinite(from) || !Number.isFinite(end))
      return calcomError(400, 'start property is wrong')
    // As Cal.com does (055a93e7): an end at midnight in UTC is the end of the day that begins then.
    const to = end % DAY === 0 ? end + DAY - SECOND : end
    const except = query.get('bookingUidToReschedule') ?? undefined
    // Any duration is taken as it is (`slots-input.service.ts` of its source, 5b6d63e6).
    const length = Number(query.get('duration') ?? type.lengthInMinutes) * MINUTE
    const frequency = type.slotInterval ? type.slotInterval * MINUTE : length
    const starts: number[] = []
    // The grid begins with the question, or now, on steps of the hour in its zone (`slots.ts`, 043abcc0).
    const step =
      ([60, 30, 20, 15, 10, 5].find((one) => (frequency / MINUTE) % one === 0) ?? 1) * MINUTE
    const soonest = state.now() + (type.minimumBookingNotice ?? 0) * MINUTE
    const zone = query.get('timeZone') ?? 'UTC'
    const { offset } = zoneClock(state.now(), zone)
    const onGrid = (at: number) => Math.ceil((at + offset) / step) * step - offset
    for (let day = Math.floor(from / DAY) * DAY; day <= to; day += DAY) {
      const opens = onGrid(Math.max(day + state.hours.from * 60 * MINUTE, from, soonest))
      for (
        let start = opens;
        start + length <= day + state.hours.to * 60 * MINUTE;
        start += frequency
      ) {
        if (isTooFar(type, start, zone)) continue
        if (start <= to && start > state.now() && isFree(start, start + length, except))
          starts.push(start)
      }
    }
    const form = query.get('format') === 'range' ? state.slotForm : 'starts'
    return { status: 200, body: { data: slotsBody(starts, length, form), status: 'success' } }
  }

  const ofWebhooks =
    (handle: (request: FakeRequest) => FakeAnswer) =>
    (request: FakeRequest): FakeAnswer => {
      if (request.headers.authorization !== `Bearer ${state.token}`)
        return calcomError(401, SAYS.key)
      return state.refusesWebhooks ? calcomError(403, SAYS.scope) : handle(request)
    }
  // The secret stands in every answer.
  const webhookBody = ({ id, url, events, key, isOn, template }: FakeWebhook) => ({
    id,
    userId: 1,
    subscriberUrl: url,
    triggers: events,
    active: isOn,
    secret: key,
    payloadTemplate: template ?? null,
  })

  function makeWebhook({ body }: FakeRequest): FakeAnswer {
    const { active, subscriberUrl, triggers, secret, payloadTemplate } = body as {
      active: boolean
      subscriberUrl: string
      triggers: string[]
      secret?: string
      payloadTemplate?: string
    }
    if (webhooks.hooks.some(({ url }) => url === subscriberUrl))
      return calcomError(409, 'Webhook with this subscriberUrl already exists for this user')
    const hook = {
      id: `hook${(hooksMade += 1)}`,
      url: subscriberUrl,
      events: triggers,
      key: secret ?? '',
      isOn: active,
      template: payloadTemplate,
    }
    webhooks.hooks.push(hook)
    return success(201, webhookBody(hook))
  }

  function dropWebhook({ params }: FakeRequest): FakeAnswer {
    const hook = webhooks.hooks.find(({ id }) => id === params['id'])
    if (!hook) return calcomError(404, 'Webhook not found')
    webhooks.hooks.splice(webhooks.hooks.indexOf(hook), 1)
    return success(200, webhookBody(hook))
  }

  const doubled = new Set<Doubled>()
  const mutation = (name: Doubled, act: (request: FakeRequest) => FakeAnswer) =>
    guarded('bookings', 'BOOKING_WRITE', (request) => {
      if (doubled.delete(name)) act(request)
      return act(request)
    })

  /** Cal.com's router, its keys and its rights, before anything else is looked at. */
  const guarded =
    (group: keyof typeof VERSIONS, right: Right, handle: (request: FakeRequest) => FakeAnswer) =>
    (request: FakeRequest): FakeAnswer => {
      const { method, path, headers } = request
      const version = String(headers['cal-api-version'] ?? '')
      const isLegacy =
        (group === 'bookings' || group === 'lists') &&
        version !== '2024-09-04' &&
        !/\/(reschedule|confirm|decline)$/.test(path)
      const isServed = VERSIONS[group].includes(version) && !state.retired.includes(version)
      if (!isServed && !isLegacy) return calcomError(404, `Cannot ${method} ${path}`)
      if (headers.authorization !== `Bearer ${state.token}`) return calcomError(401, SAYS.key)
      if (!state.rights.has(right)) return calcomError(403, SAYS.scope)
      if (isServed) return handle(request)
      // An unknown version gets the handlers of the oldest: they act, and answer in another form.
      if (method === 'POST' && path === '/v2/bookings')
        return calcomError(400, 'Bad Request Exception')
      const { status } = handle(request)
      const old =
        path === '/v2/bookings'
          ? { bookings: [], recurringInfo: [], totalCount: 0 }
          : { bookingId: 1 }
      return status < 300 ? success(status, old) : calcomError(status, 'Not as before')
    }

  const server = await fakeHttp(
    {
      [WEBHOOK_ROUTES.list]: ofWebhooks(() => success(200, webhooks.hooks.map(webhookBody))),
      [WEBHOOK_ROUTES.create]: ofWebhooks(makeWebhook),
      [WEBHOOK_ROUTES.remove]: ofWebhooks(dropWebhook),
      [ROUTES.slots]: guarded('slots', 'SCHEDULE_READ', slots),
      [ROUTES.eventTypes]: guarded('eventTypes', 'EVENT_TYPE_READ', () =>
        success(200, state.eventTypes.map(eventTypeBody)),
      ),
      [ROUTES.eventType]: guarded('eventTypes', 'EVENT_TYPE_READ', ({ params }) => {
        const type = typeWith(params['id'])
        return type && !type.foreign
          ? success(200, eventTypeBody(type))
          : calcomError(404, SAYS.noType(params['id']))
      }),
      [ROUTES.bookings]: guarded('lists', 'BOOKING_READ', list),
      [ROUTES.teamBookings]: guarded('lists', 'BOOKING_READ', (request) =>
        state.isMember ? calcomError(403, SAYS.role) : list(request),
      ),
      [ROUTES.booking]: guarded('bookings', 'BOOKING_READ', ({ params }) => {
        const uid = params['uid'] ?? ''
        const series = state.bookings.filter((one) => one.recurringBookingUid === uid)
        if (series.length > 0) return success(200, series.map(answerOf))
        const booking = bookingWith(uid)
        return booking ? success(200, answerOf(booking)) : calcomError(404, SAYS.unread(uid))
      }),
      [ROUTES.book]: mutation('book', book),
      [ROUTES.cancel]: mutation('cancel', cancel),
      [ROUTES.move]: mutation('move', move),
      [ROUTES.confirm]: mutation('confirm', (request) => respond(request, 'accepted')),
      [ROUTES.decline]: mutation('decline', (request) => respond(request, 'rejected')),
    },
    watch,
  )

  function bookingOnPage(uid: string): FakeBooking {
    const booking = bookingWith(uid)
    if (!booking) throw new Error('no such booking')
    return booking
  }

  return {
    ...server,
    state,
    eventType,
    settings: {
      SCHEDULING_PROVIDER: 'calcom',
      SCHEDULING_PROVIDER_TOKEN: state.token,
      SCHEDULING_PROVIDER_BASE_URL: server.url,
      EVENT_TYPES: JSON.stringify({ consult: { id: String(eventType.id) } }),
    },
    webhooks,
    fault: (route, fault, times) => server.fault(ROUTES[route], fault, times),
    faultOfWebhooks: (route, fault, times) => server.fault(WEBHOOK_ROUTES[route], fault, times),
    twice: (route) => void doubled.add(route),
    bookOnPage: (start, attendee, responses = {}, type = eventType) =>
      add(type, start, { attendees: [attendee], responses: { ...responses } }),
    moveOnPage: (uid, start, reason) => replace(bookingOnPage(uid), eventType, start, reason),
    endOnPage(uid, reason, status = 'cancelled') {
      const booking = bookingOnPage(uid)
      booking.status = status
      if (reason !== undefined) booking.cancellationReason = reason
      announce(status === 'cancelled' ? 'BOOKING_CANCELLED' : 'BOOKING_REJECTED', { uid })
    },
    acceptOnPage(uid) {
      bookingOnPage(uid).status = 'accepted'
      announce('BOOKING_CREATED', { uid })
    },
    noShowOnPage: (uid) =>
      announce('BOOKING_NO_SHOW_UPDATED', { bookingUid: bookingOnPage(uid).uid }),
    lists(fresh) {
      state.listsStopAt = fresh ? undefined : state.bookings.length
    },
  }
}
