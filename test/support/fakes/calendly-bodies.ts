import type { FakeAnswer } from './http.ts'
import type { FakeWebhook } from './webhooks.ts'

const NAMES = 'https://api.calendly.com'
const ORGANIZATION = `${NAMES}/organizations/ORGA0000000000AA`
const CREATED = '2026-01-02T03:04:05.000000Z'
const WITH_WORDS = ['physical', 'outbound_call', 'ask_invitee', 'custom']

/** The user whose token is used, and another host of the same organization. */
export const HOST_ID = 'HOST0000000000AA'
export const OTHER_HOST_ID = 'HOST0000000000BB'

export interface FakeEventType {
  id: string
  /** `Consult` unless it has another. */
  name?: string
  active: boolean
  kind: string
  booking_method: string
  pooling_type: string | null
  is_paid: boolean
  deleted_at: string | null
  duration: number
  /** The id of the user it belongs to. */
  owner: string
  locations: { kind: string; location?: string }[] | null
  questions: FakeQuestion[]
  /** How many hosts can take the same time. */
  hosts: number
}

export interface FakeQuestion {
  name: string
  enabled: boolean
  required: boolean
  /** `string` unless it has another. */
  type?: string
  answer_choices?: string[]
  include_other?: boolean
}

export interface FakeAnswerOfInvitee {
  question: string
  answer: string
  position: number
}

export interface FakeEvent {
  id: string
  eventType: string
  host: string
  start: number
  end: number
  limit: number
  made: number
  status: 'active' | 'canceled'
  cancellation?: ReturnType<typeof cancellationBody>
  /** As it was booked, in the words of a request. */
  place: { kind: string; location?: string } | null
  invitees: FakeInvitee[]
  /** The email addresses of other people on it. */
  guests?: string[]
}

export interface FakeInvitee {
  id: string
  email: string
  name: string
  timezone: string | null
  status: 'active' | 'canceled'
  tracking: Record<string, string | null>
  answers: FakeAnswerOfInvitee[]
  reminderNumber: string | null
  /** The invitees of the events from which and to which someone moved on the page. */
  movedFrom?: string
  movedTo?: string
}

export const userUri = (id: string): string => `${NAMES}/users/${id}`
export const eventTypeUri = ({ id }: { id: string }): string => `${NAMES}/event_types/${id}`
const eventUri = (id: string): string => `${NAMES}/scheduled_events/${id}`
const isoOf = (ms: number): string => new Date(ms).toISOString().replace('Z', '000Z')

export const refusal = (
  status: number,
  title: string,
  message: string,
  details?: object[],
): FakeAnswer => ({
  status,
  body: { title, message, ...(details ? { details } : {}) },
})
export const NOT_FOUND = refusal(
  404,
  'Resource Not Found',
  'The server could not find the requested resource.',
)
export const INVALID = refusal(400, 'Invalid Argument', 'The supplied parameters are invalid.')
export const NOT_ALLOWED = refusal(
  403,
  'Permission Denied',
  'You do not have permission to access this resource.',
)
export const wrong = (parameter: string, message: string): FakeAnswer =>
  refusal(400, 'Invalid Argument', 'The supplied parameters are invalid.', [{ parameter, message }])

/** Checked before the time is looked at, so a wrong place hides every other mistake. */
export function placeRefused(type: FakeEventType, location: unknown): FakeAnswer | undefined {
  const { kind, location: words } = fieldsOf(location)
  if (type.pooling_type === 'round_robin' || !type.locations || type.locations.length === 0)
    return location === undefined ? undefined : WRONG_PLACE
  const isMissing = WITH_WORDS.includes(String(kind)) && typeof words !== 'string'
  const isTheirs = type.locations.some((one) => one.kind === kind)
  return isTheirs && !isMissing ? undefined : WRONG_PLACE
}

/** As it was seen in production in October 2026, also for other mistakes than the kind. */
const WRONG_PLACE = refusal(
  400,
  'Invalid Argument',
  'Specified location kind is not configured for this event type.',
  [
    {
      parameter: 'event.location_configuration.location',
      message: 'invalid location choice',
      code: 'invalid_location_choice',
    },
  ],
)

/** Answers are checked by the exact words of their question, and by its choices. */
export function answersRefused(type: FakeEventType, given: unknown): FakeAnswer | undefined {
  const answers = (Array.isArray(given) ? given : []).map(fieldsOf)
  for (const { question, answer, position } of answers) {
    const asked = type.questions.find(({ name, enabled }) => enabled && name === question)
    if (!asked || typeof position !== 'number' || typeof answer !== 'string') return INVALID
    const choices = (asked.answer_choices ?? []).map((one) => one.trim())
    if (
      choices.length > 0 &&
      !asked.include_other &&
      !answer.split('\n').every((one) => choices.includes(one))
    )
      return INVALID
  }
  const isAnswered = (name: string) =>
    answers.some(({ question, answer }) => question === name && answer !== '')
  return type.questions.some((one) => one.enabled && one.required && !isAnswered(one.name))
    ? refusal(400, 'Invalid Argument', 'Required Questions and Answers cannot be blank.')
    : undefined
}

/** Calendly names some places of an event in other words than those of a request. */
const PLACES: Record<string, string> = {
  zoom_conference: 'zoom',
  gotomeeting_conference: 'gotomeeting',
}

export const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
export const textOrNull = (value: unknown): string | null =>
  typeof value === 'string' ? value : null

export const userBody = (timezone: string): object => ({
  uri: userUri(HOST_ID),
  name: 'Hester Host',
  slug: 'hester-host',
  email: 'hester@practice.example',
  scheduling_url: 'https://calendly.com/hester-host',
  timezone,
  time_notation: '12h',
  avatar_url: null,
  created_at: CREATED,
  updated_at: CREATED,
  current_organization: ORGANIZATION,
  resource_type: 'User',
  locale: 'en',
})

export const eventTypeBody = (type: FakeEventType): object => ({
  uri: eventTypeUri(type),
  name: type.name ?? 'Consult',
  slug: 'consult',
  active: type.active,
  kind: type.kind,
  type: 'StandardEventType',
  booking_method: type.booking_method,
  pooling_type: type.pooling_type,
  duration: type.duration,
  duration_options: null,
  scheduling_url: 'https://calendly.com/hester-host/consult',
  profile: { type: 'User', name: 'Hester Host', owner: userUri(type.owner) },
  locations: type.locations,
  custom_questions: type.questions.map((question, position) => ({
    type: 'string',
    answer_choices: [],
    include_other: false,
    ...question,
    position,
  })),
  is_paid: type.is_paid,
  secret: false,
  admin_managed: false,
  locale: 'en',
  position: 0,
  color: '#8247f5',
  description_plain: null,
  description_html: null,
  internal_note: null,
  created_at: CREATED,
  updated_at: CREATED,
  deleted_at: type.deleted_at,
})

export const eventBody = (event: FakeEvent): object => ({
  uri: eventUri(event.id),
  name: 'Consult',
  status: event.status,
  start_time: isoOf(event.start),
  end_time: isoOf(event.end),
  event_type: eventTypeUri({ id: event.eventType }),
  location: event.place
    ? {
        type: PLACES[event.place.kind] ?? event.place.kind,
        ...(event.place.location !== undefined && { location: event.place.location }),
        ...(event.place.kind.endsWith('_conference') && { status: 'processing' }),
      }
    : { type: 'custom', location: null },
  invitees_counter: {
    total: event.invitees.length,
    active: event.invitees.filter(({ status }) => status === 'active').length,
    limit: event.limit,
  },
  event_memberships: [{ user: userUri(event.host) }],
  event_guests: (event.guests ?? []).map((email) => ({ email })),
  calendar_event: {},
  created_at: isoOf(event.made),
  updated_at: isoOf(event.made),
  ...(event.cancellation ? { cancellation: event.cancellation } : {}),
})

export const cancellationBody = (reason: string | null, canceler_type: string, now: number) => ({
  canceled_by: 'Someone',
  reason,
  canceler_type,
  created_at: isoOf(now),
})

export const inviteeUri = (event: FakeEvent, invitee: FakeInvitee): string =>
  `${eventUri(event.id)}/invitees/${invitee.id}`

export const inviteeBody = (event: FakeEvent, invitee: FakeInvitee): object => ({
  uri: inviteeUri(event, invitee),
  email: invitee.email,
  first_name: null,
  last_name: null,
  name: invitee.name,
  status: invitee.status,
  questions_and_answers: invitee.answers,
  timezone: invitee.timezone,
  event: eventUri(event.id),
  created_at: isoOf(event.made),
  updated_at: isoOf(event.made),
  tracking: invitee.tracking,
  text_reminder_number: invitee.reminderNumber,
  rescheduled: invitee.movedTo !== undefined,
  old_invitee: invitee.movedFrom ?? null,
  new_invitee: invitee.movedTo ?? null,
  cancel_url: `https://calendly.com/cancellations/${invitee.id}`,
  reschedule_url: `https://calendly.com/reschedulings/${invitee.id}`,
  routing_form_submission: null,
  payment: null,
  no_show: null,
  reconfirmation: null,
  scheduling_method: 'api',
  invitee_scheduled_by: null,
  ...(event.cancellation ? { cancellation: event.cancellation } : {}),
})

export const webhookBody = ({
  id,
  url,
  events,
  isOn,
  failingSince,
  scope,
}: FakeWebhook): object => ({
  uri: `${NAMES}/webhook_subscriptions/${id}`,
  callback_url: url,
  created_at: CREATED,
  updated_at: CREATED,
  retry_started_at: failingSince === undefined ? null : isoOf(failingSince),
  state: isOn ? 'active' : 'disabled',
  events,
  scope,
  organization: ORGANIZATION,
  user: scope === 'user' ? userUri(HOST_ID) : null,
  creator: userUri(HOST_ID),
})
