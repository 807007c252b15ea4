import { DAY, MINUTE } from '../../../src/core/domain/time/duration.ts'
import {
  type FakeEvent,
  type FakeEventType,
  type FakeInvitee,
  HOST_ID,
  INVALID,
  NOT_ALLOWED,
  NOT_FOUND,
  OTHER_HOST_ID,
  answersRefused,
  cancellationBody,
  eventBody,
  eventTypeBody,
  eventTypeUri,
  fieldsOf,
  inviteeBody,
  inviteeUri,
  placeRefused,
  refusal,
  textOrNull,
  userBody,
  userUri,
  webhookBody,
  wrong,
} from './calendly-bodies.ts'
import {
  type FakeAnswer,
  type FakeHandler,
  type FakeHttp,
  type FakeRequest,
  type Fault,
  fakeHttp,
  type Watch,
} from './http.ts'
import { calendlyBody } from './webhook-bodies.ts'
import { type FakeWebhooks, fakeWebhooks } from './webhooks.ts'

const NO_PLAN = {
  'too small, old text':
    'The Scheduling API is only available on paid Calendly plans. Upgrade your plan to access this feature.',
  'too small, new text': 'Please upgrade to a paid Calendly account.',
}
const TRACKING = [
  'utm_campaign',
  'utm_source',
  'utm_medium',
  'utm_content',
  'utm_term',
  'salesforce_uuid',
]

/** What a test may change at any time. */
export interface FakeCalendlyState {
  /** The clock; the real one by default. */
  now(): number
  token: string
  scopes: Set<string>
  /** `old` and `new` are the two texts with which a plan is said to be too small. */
  plan: 'good' | keyof typeof NO_PLAN
  /** The token's user may list the organization. */
  admin: boolean
  timezone: string
  eventTypes: FakeEventType[]
  events: FakeEvent[]
  /** Hours of the day, in UTC, in which every day has open times. */
  hours: { from: number; to: number }
  /** Lists show only what was there at this moment of their history; undefined: they are fresh. */
  listsStopAt: number | undefined
  pageSize: number
  /** How the answer to a slot that is taken looks. */
  filled: FakeAnswer
  /** How the answer to a cancellation of what is cancelled looks. */
  alreadyCancelled: FakeAnswer
  /** Whether a search by address tells upper from lower case. */
  caseCounts: boolean
}

export interface FakeCalendly extends Pick<
  FakeHttp,
  'url' | 'fetch' | 'requests' | 'calm' | 'stop'
> {
  state: FakeCalendlyState
  eventType: FakeEventType
  /** The settings of a connector that asks this one. */
  settings: Record<string, string>
  fault(route: CalendlyRoute, fault: Fault, times?: number): void
  faultOfWebhooks(route: keyof typeof WEBHOOK_ROUTES, fault: Fault, times?: number): void
  /** From now on every answer of this route is changed so; without a change they are whole again. */
  distort(route: CalendlyRoute, change?: (body: unknown) => unknown): void
  /** The last answer of each route, before it was distorted. */
  answers: Map<CalendlyRoute, unknown>
  /** Someone books on the scheduling page: the first event type, unless another one is named. Returns the id of the event. */
  bookOnPage(
    start: number,
    invitee: { email: string; name: string; timezone: string | null } & Partial<
      Pick<FakeInvitee, 'answers' | 'reminderNumber'>
    >,
    place?: FakeEvent['place'],
    type?: FakeEventType,
  ): string
  /** Someone cancels on the scheduling page. */
  cancelOnPage(id: string, reason?: string | null, by?: 'host' | 'invitee'): void
  /** Someone moves there: a new event, and the old one cancelled. Returns the id of the new one. */
  moveOnPage(id: string, start: number): string
  /** The host says that the invitee did not come, or takes it back. */
  noShowOnPage(id: string, what?: 'created' | 'deleted'): void
  webhooks: FakeWebhooks
  /** From now on lists do not show what is new. */
  staleLists(): void
  freshLists(): void
}

/** The routes of the fake, by the names under which faults and gaps are ordered. */
export const ROUTES = {
  me: 'GET /users/me',
  eventTypes: 'GET /event_types',
  eventType: 'GET /event_types/:uuid',
  times: 'GET /event_type_available_times',
  book: 'POST /invitees',
  events: 'GET /scheduled_events',
  event: 'GET /scheduled_events/:uuid',
  invitees: 'GET /scheduled_events/:uuid/invitees',
  cancel: 'POST /scheduled_events/:uuid/cancellation',
} as const
export type CalendlyRoute = keyof typeof ROUTES

const WEBHOOK_ROUTES = {
  list: 'GET /webhook_subscriptions',
  create: 'POST /webhook_subscriptions',
  remove: 'DELETE /webhook_subscriptions/:uuid',
} as const

/** A Calendly that remembers, with the rules and refusals of the real one as far as they are known. */
export async function fakeCalendly(
  given: Partial<FakeCalendlyState> = {},
  watch?: Watch,
): Promise<FakeCalendly> {
  const eventType: FakeEventType = {
    id: 'TYPE0000000000AA',
    active: true,
    kind: 'solo',
    booking_method: 'instant',
    pooling_type: null,
    is_paid: false,
    deleted_at: null,
    duration: 30,
    owner: HOST_ID,
    locations: [{ kind: 'zoom_conference' }],
    questions: [{ name: 'Anything to prepare?', enabled: true, required: false }],
    hosts: 1,
  }
  const state: FakeCalendlyState = {
    now: () => Date.now(),
    token: 'fake-calendly-token',
    scopes: new Set([
      'users:read',
      'event_types:read',
      'availability:read',
      'scheduled_events:write',
    ]),
    plan: 'good',
    admin: true,
    timezone: 'America/New_York',
    eventTypes: [eventType],
    events: [],
    hours: { from: 14, to: 22 },
    listsStopAt: undefined,
    pageSize: 100,
    filled: {
      status: 400,
      body: {
        title: 'Invalid Argument',
        message: 'The supplied parameters are invalid.',
        // As it was seen in production in October 2026.
        details: [
          {
            parameter: 'event.start_time',
            message: 'That start time has been filled',
            code: 'already_filled',
          },
        ],
      },
    },
    alreadyCancelled: refusal(403, 'Permission Denied', 'Event is already canceled'),
    caseCounts: true,
    ...given,
  }
  let made = 0
  const newId = (prefix: string) => `${prefix}${String((made += 1)).padStart(12, '0')}`

  const activeAt = (start: number, end: number) =>
    state.events.filter(
      (event) => event.status === 'active' && event.start < end && start < event.end,
    )
  const isOpen = (type: FakeEventType, start: number) => {
    const end = start + type.duration * MINUTE
    const ofDay = (start % DAY) / MINUTE
    return (
      start > state.now() &&
      ofDay % type.duration === 0 &&
      ofDay >= state.hours.from * 60 &&
      ofDay + type.duration <= state.hours.to * 60 &&
      activeAt(start, end).length < type.hosts
    )
  }
  const add = (
    type: FakeEventType,
    start: number,
    invitee: Omit<FakeInvitee, 'id' | 'status'>,
    old?: FakeEvent,
  ) => {
    const busy = activeAt(start, start + type.duration * MINUTE).map(({ host }) => host)
    const event: FakeEvent = {
      id: newId('EVNT'),
      eventType: type.id,
      host: busy.includes(type.owner) ? OTHER_HOST_ID : type.owner,
      start,
      end: start + type.duration * MINUTE,
      limit: type.kind === 'group' ? 10 : 1,
      made: state.now(),
      status: 'active',
      place: type.locations?.[0] ?? null,
      invitees: [{ ...invitee, id: newId('INVT'), status: 'active' }],
    }
    state.events.push(event)
    if (old === undefined) announce('invitee.created', { event: event.id })
    return event
  }
  const webhooks = fakeWebhooks('calendly', () => state.now())
  const announce = (event: string, of: Parameters<typeof calendlyBody>[1]) =>
    webhooks.announce(event, () => calendlyBody(event, of))
  const listed = () => state.events.slice(0, state.listsStopAt)

  /** Refuses who may not, before anything else is looked at. */
  const guarded =
    (scope: string, handle: (request: FakeRequest) => FakeAnswer) =>
    (request: FakeRequest): FakeAnswer => {
      const headers = {
        'X-RateLimit-Limit': '500',
        'X-RateLimit-Remaining': '499',
        'X-RateLimit-Reset': '60',
      }
      if (request.headers.authorization !== `Bearer ${state.token}`)
        return { ...refusal(401, 'Unauthenticated', 'The access token is invalid'), headers }
      const [, name = ''] = /^(\w+):/.exec(scope) ?? []
      if (
        !state.scopes.has(scope) &&
        !(scope.endsWith(':read') && state.scopes.has(`${name}:write`))
      ) {
        const body = {
          title: 'Insufficient scope',
          message: 'The token lacks a scope',
          required_scopes: [scope],
        }
        return { status: 403, body, headers }
      }
      return { headers, ...handle(request) }
    }

  const typeOf = (uri: unknown) => state.eventTypes.find((type) => eventTypeUri(type) === uri)
  const eventOf = ({ params }: FakeRequest) => state.events.find(({ id }) => id === params['uuid'])

  function openTimes({ query }: FakeRequest): FakeAnswer {
    const type = typeOf(query.get('event_type'))
    if (!type) return NOT_FOUND
    const from = Date.parse(query.get('start_time') ?? '')
    const to = Date.parse(query.get('end_time') ?? '')
    if (!(from >= state.now()) || !(to > from) || to - from > 31 * DAY) return INVALID
    const step = type.duration * MINUTE
    const collection: object[] = []
    for (let start = Math.ceil(from / step) * step; start < to; start += step) {
      if (isOpen(type, start))
        collection.push({
          status: 'available',
          invitees_remaining: 1,
          start_time: new Date(start).toISOString(),
          scheduling_url: 'https://calendly.com/practice/consult',
        })
    }
    return { status: 200, body: { collection } }
  }

  function book({ body }: FakeRequest): FakeAnswer {
    if (state.plan !== 'good') return refusal(403, 'Permission Denied', NO_PLAN[state.plan])
    const {
      event_type,
      start_time,
      invitee,
      location,
      tracking,
      questions_and_answers,
      event_guests,
    } = fieldsOf(body)
    const type = typeOf(event_type)
    if (!type) return NOT_FOUND
    const { email, name, first_name, timezone } = fieldsOf(invitee)
    const start = Date.parse(String(start_time))
    if (!Number.isFinite(start)) return wrong('start_time', 'is not a time')
    if (typeof email !== 'string' || !email.includes('@'))
      return wrong('invitee.email', 'is not an address')
    if (typeof timezone !== 'string') return wrong('invitee.timezone', 'is missing')
    if (typeof name !== 'string' && typeof first_name !== 'string')
      return wrong('invitee.name', 'is missing')
    const tracked = fieldsOf(tracking)
    const missing = tracking === undefined ? undefined : TRACKING.find((key) => !(key in tracked))
    if (missing !== undefined) return wrong(`tracking.${missing}`, `${missing} is missing`)
    if (Array.isArray(event_guests) && event_guests.length > 10)
      return wrong('event_guests', 'has more than 10')
    const place = placeRefused(type, location)
    if (place) return place
    const unanswered = answersRefused(type, questions_and_answers)
    if (unanswered) return unanswered
    if (!isOpen(type, start)) return state.filled
    const event = add(type, start, {
      email,
      name: String(name ?? first_name),
      timezone,
      tracking: Object.fromEntries(TRACKING.map((key) => [key, textOrNull(tracked[key])])),
      answers: (questions_and_answers ?? []) as FakeInvitee['answers'],
      reminderNumber: textOrNull(fieldsOf(invitee)['text_reminder_number']),
    })
    event.place = (location ?? event.place) as FakeEvent['place']
    event.guests = (event_guests ?? []) as string[]
    return { status: 201, body: { resource: inviteeBody(event, event.invitees[0]!) } }
  }

  const hasInvitee = ({ invitees }: FakeEvent, wanted: string | null) =>
    wanted === null ||
    invitees.some(({ email }) =>
      state.caseCounts ? email === wanted : email.toLowerCase() === wanted.toLowerCase(),
    )

  function list({ query }: FakeRequest): FakeAnswer {
    const user = query.get('user')
    const organization = query.get('organization')
    if (user === null && organization === null) return INVALID
    if (!state.admin && organization !== null) return NOT_ALLOWED
    if (organization === null && user !== userUri(HOST_ID)) return NOT_ALLOWED
    const from = Date.parse(query.get('min_start_time') ?? '1970-01-01T00:00:00Z')
    const to = Date.parse(query.get('max_start_time') ?? '2199-01-01T00:00:00Z')
    const found = listed().filter(
      (event) =>
        (user === null || userUri(event.host) === user) &&
        event.start > from &&
        event.start < to &&
        hasInvitee(event, query.get('invitee_email')) &&
        (query.get('status') ?? event.status) === event.status,
    )
    const sorted =
      query.get('sort') === 'start_time:asc' ? found.toSorted((a, b) => a.start - b.start) : found
    return paged(query, sorted, eventBody)
  }

  function cancel(request: FakeRequest): FakeAnswer {
    const event = eventOf(request)
    if (!event) return NOT_FOUND
    if (event.status === 'canceled') return state.alreadyCancelled
    if (event.start <= state.now()) return refusal(403, 'Permission Denied', 'Event in the past')
    end(event, textOrNull(fieldsOf(request.body)['reason']), 'host')
    return { status: 201, body: { resource: event.cancellation } }
  }

  function end(
    event: FakeEvent,
    reason: string | null,
    canceler_type: string,
    next?: FakeEvent,
  ): void {
    event.status = 'canceled'
    for (const invitee of event.invitees) invitee.status = 'canceled'
    event.cancellation = cancellationBody(reason, canceler_type, state.now())
    if (next === undefined) return announce('invitee.canceled', { event: event.id })
    const [from, to] = [event.invitees[0]!, next.invitees[0]!]
    from.movedTo = inviteeUri(next, to)
    to.movedFrom = inviteeUri(event, from)
    announce('invitee.canceled', { event: event.id, next: next.id })
    announce('invitee.created', { event: next.id, old: event.id })
  }

  function paged<T>(query: URLSearchParams, items: T[], bodyOf: (item: T) => object): FakeAnswer {
    const from = Number(query.get('page_token') ?? 0)
    if (!Number.isInteger(from)) return INVALID
    const size = Math.min(Number(query.get('count') ?? 20), state.pageSize)
    const next = from + size < items.length ? String(from + size) : null
    const pagination = {
      count: Math.min(size, items.length - from),
      // Never to be followed: only the token counts.
      next_page: next === null ? null : 'https://elsewhere.example/steal-the-token',
      previous_page: null,
      next_page_token: next,
      previous_page_token: null,
    }
    return {
      status: 200,
      body: { collection: items.slice(from, from + size).map(bodyOf), pagination },
    }
  }

  const ofHook = (uuid: string | undefined) => webhooks.hooks.find(({ id }) => id === uuid)

  function listHooks({ query }: FakeRequest): FakeAnswer {
    const scope = query.get('scope')
    if (query.get('organization') === null || scope === null) return INVALID
    if (scope === 'user' && query.get('user') !== userUri(HOST_ID)) return NOT_ALLOWED
    if (scope === 'organization' && !state.admin) return NOT_ALLOWED
    return paged(
      query,
      webhooks.hooks.filter((hook) => hook.scope === scope),
      webhookBody,
    )
  }

  function makeHook({ body }: FakeRequest): FakeAnswer {
    const { url, events, organization, scope, user, signing_key } = fieldsOf(body)
    if (typeof url !== 'string' || !Array.isArray(events) || typeof organization !== 'string')
      return INVALID
    if (scope === 'organization' ? !state.admin : user !== userUri(HOST_ID)) return NOT_ALLOWED
    if (webhooks.hooks.some((hook) => hook.url === url && hook.scope === scope))
      return refusal(409, 'Already Exists', 'Hook with this url already exists')
    const hook = {
      id: newId('HOOK'),
      url,
      events: events.map(String),
      key: textOrNull(signing_key) ?? '',
      isOn: true,
      scope: String(scope),
    }
    webhooks.hooks.push(hook)
    return { status: 201, body: { resource: webhookBody(hook) } }
  }

  function dropHook({ params }: FakeRequest): FakeAnswer {
    const hook = ofHook(params['uuid'])
    if (!hook) return NOT_FOUND
    webhooks.hooks.splice(webhooks.hooks.indexOf(hook), 1)
    return { status: 204 }
  }

  const changes = new Map<CalendlyRoute, (body: unknown) => unknown>()
  const answers = new Map<CalendlyRoute, unknown>()
  const distorted = new WeakSet<FakeAnswer>()
  const distorting = (handlers: Record<CalendlyRoute, FakeHandler>): Record<string, FakeHandler> =>
    Object.fromEntries(
      (Object.keys(ROUTES) as CalendlyRoute[]).map((route) => [
        ROUTES[route],
        async (request) => {
          const answer = await handlers[route](request)
          answers.set(route, answer.body)
          const change = changes.get(route)
          if (!change) return answer
          const changed = { ...answer, body: change(answer.body) }
          distorted.add(changed)
          return changed
        },
      ]),
    )

  function existing(id: string): FakeEvent {
    const event = state.events.find((one) => one.id === id)
    if (!event) throw new Error('no such event')
    return event
  }

  const found = (body: object | undefined): FakeAnswer =>
    body ? { status: 200, body: { resource: body } } : NOT_FOUND

  const server = await fakeHttp(
    {
      [WEBHOOK_ROUTES.list]: guarded('webhooks:read', listHooks),
      [WEBHOOK_ROUTES.create]: guarded('webhooks:write', makeHook),
      [WEBHOOK_ROUTES.remove]: guarded('webhooks:write', dropHook),
      ...distorting({
        me: guarded('users:read', () => found(userBody(state.timezone))),
        eventTypes: guarded('event_types:read', ({ query }) => {
          const owner = query.get('user')
          if (owner === null && query.get('organization') === null)
            return refusal(400, 'Invalid Argument', 'user or organization is required')
          const owned = state.eventTypes.filter(
            (type) => owner === null || userUri(type.owner) === owner,
          )
          return paged(query, owned, eventTypeBody)
        }),
        eventType: guarded('event_types:read', ({ params }) => {
          const type = state.eventTypes.find(({ id }) => id === params['uuid'])
          return found(type && eventTypeBody(type))
        }),
        times: guarded('availability:read', openTimes),
        book: guarded('scheduled_events:write', book),
        events: guarded('scheduled_events:read', list),
        event: guarded('scheduled_events:read', (request) => {
          const event = eventOf(request)
          return found(event && eventBody(event))
        }),
        invitees: guarded('scheduled_events:read', (request) => {
          const event = eventOf(request)
          if (!event) return NOT_FOUND
          return paged(request.query, event.invitees, (invitee) => inviteeBody(event, invitee))
        }),
        cancel: guarded('scheduled_events:write', cancel),
      }),
    },
    // A distorted answer may break the contract: that is what it is for.
    watch && ((request, answer) => void (distorted.has(answer) || watch(request, answer))),
  )
  return {
    ...server,
    state,
    eventType,
    settings: {
      SCHEDULING_PROVIDER_TOKEN: state.token,
      SCHEDULING_PROVIDER_BASE_URL: server.url,
      EVENT_TYPES: JSON.stringify({ consult: { id: eventType.id } }),
    },
    answers,
    webhooks,
    fault: (route, fault, times) => server.fault(ROUTES[route], fault, times),
    faultOfWebhooks: (route, fault, times) => server.fault(WEBHOOK_ROUTES[route], fault, times),
    distort(route, change) {
      if (change) changes.set(route, change)
      else changes.delete(route)
    },
    bookOnPage(
      start,
      { email, name, timezone, answers = [], reminderNumber = null },
      place,
      type = eventType,
    ) {
      const event = add(type, start, {
        email,
        name,
        timezone,
        tracking: Object.fromEntries(TRACKING.map((key) => [key, null])),
        answers,
        reminderNumber,
      })
      event.place = place ?? event.place
      return event.id
    },
    cancelOnPage: (id, reason = null, by = 'invitee') => end(existing(id), reason, by),
    moveOnPage(id, start) {
      const old = existing(id)
      const next = add(eventType, start, { ...old.invitees[0]! }, old)
      end(old, null, 'invitee', next)
      return next.id
    },
    noShowOnPage: (id, what = 'created') =>
      announce(`invitee_no_show.${what}`, { noShow: existing(id).id }),
    staleLists() {
      state.listsStopAt = state.events.length
    },
    freshLists() {
      state.listsStopAt = undefined
    },
  }
}
