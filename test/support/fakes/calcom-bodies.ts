import type { FakeAnswer } from './http.ts'

/** An event type as Cal.com tells it, with what a test may change; see `eventTypeBody` for the rest. */
export interface FakeEventType {
  id: number
  lengthInMinutes: number
  /** Where its bookings may have one of several lengths. */
  lengthInMinutesOptions?: number[]
  /** How many days ahead it can be booked. */
  rollingDays?: number
  /** The minutes from one of its times to the next, where that is not its length. */
  slotInterval?: number
  /** How many minutes there are at least from now to its first time. */
  minimumBookingNotice?: number
  locations: { type: string; [detail: string]: unknown }[]
  bookingFields: object[]
  recurrence: object | null
  seats: object
  price: number
  /** Settings in another form than the usual one. */
  confirmationPolicy?: unknown
  disableRescheduling?: unknown
  /** Dollars unless it has another. */
  currency?: string
  /** Its apps, which charge a price or do something else. */
  metadata?: object
  /** `Consult` unless it has another. */
  title?: string
  hidden: boolean
  requiresBookerEmailVerification: boolean
  disableCancelling: { disabled: boolean }
  schedulingType?: 'roundRobin' | 'collective' | 'managed'
  /** Bookings wait for the host. */
  confirms: boolean
  /** It belongs to someone else than the user of the key, whom Cal.com tells that there is none. */
  foreign: boolean
}

export interface FakeBooking {
  id: number
  uid: string
  eventTypeId: number
  start: number
  end: number
  created: number
  status: 'accepted' | 'pending' | 'cancelled' | 'rejected' | 'awaiting_host'
  attendees: FakeAttendee[]
  /** The addresses of the guests, as Cal.com lists them beside the attendees. */
  guests?: string[]
  /** The ids of its hosts, as Cal.com returns them; by default that of the owner alone. */
  hosts?: readonly unknown[]
  metadata: Record<string, unknown>
  /** What was answered, by the slugs of the questions. */
  responses?: Record<string, unknown>
  cancellationReason?: string
  /** Why the host declined; no answer has it. */
  rejectionReason?: string
  reschedulingReason?: string
  rescheduledFromUid?: string
  rescheduledToUid?: string
  recurringBookingUid?: string
}

export interface FakeAttendee {
  name: string
  email: string
  timeZone: string
  seatUid?: string
  phoneNumber?: string
}

/** The questions every event type has; the title is asked of no one. */
export const defaultFields = (): object[] => [
  {
    isDefault: true,
    type: 'name',
    slug: 'name',
    label: 'Your name',
    placeholder: '',
    required: true,
  },
  {
    isDefault: true,
    type: 'email',
    slug: 'email',
    label: 'Email',
    placeholder: '',
    required: true,
  },
  {
    isDefault: true,
    type: 'text',
    slug: 'title',
    required: true,
    hidden: true,
    label: '',
    placeholder: '',
  },
  { isDefault: true, type: 'textarea', slug: 'notes', required: false, hidden: false },
  { isDefault: true, type: 'multiemail', slug: 'guests', required: false, hidden: false },
  { isDefault: true, type: 'textarea', slug: 'rescheduleReason', required: false, hidden: false },
]

/** A question of the practice's own. */
export const customField = (
  slug: string,
  required: boolean,
  hidden = false,
  type = 'text',
): object => ({
  isDefault: false,
  type,
  slug,
  label: 'A question',
  placeholder: '',
  required,
  hidden,
})

/** The user of the key. */
export const OWNER = 7
const TEAM = 12

export function eventTypeBody({
  confirms,
  rollingDays: _window,
  foreign: _foreign,
  confirmationPolicy,
  disableRescheduling,
  metadata = {},
  ...fields
}: FakeEventType): object {
  return {
    title: 'Consult',
    currency: 'usd',
    minimumBookingNotice: 0,
    slotInterval: null,
    ...fields,
    ...(fields.schedulingType && { teamId: TEAM }),
    slug: 'consult',
    description: '',
    disableGuests: false,
    beforeEventBuffer: 0,
    afterEventBuffer: 0,
    metadata,
    lockTimeZoneToggleOnBookingPage: false,
    forwardParamsSuccessRedirect: null,
    successRedirectUrl: null,
    isInstantEvent: false,
    scheduleId: null,
    bookingRequiresAuthentication: false,
    confirmationPolicy: confirmationPolicy === undefined ? policyOf(confirms) : confirmationPolicy,
    disableRescheduling:
      disableRescheduling === undefined ? { disabled: false } : disableRescheduling,
    bookerActiveBookingsLimit: { disabled: true },
    ownerId: OWNER,
    users: [{ id: OWNER, name: 'Dr. Host', username: 'host' }],
    bookingUrl: 'https://cal.com/host/consult',
  }
}

const policyOf = (confirms: boolean): object =>
  confirms ? { type: 'always', blockUnconfirmedBookingsInBooker: true } : { disabled: true }

const HOST = {
  id: OWNER,
  name: 'Dr. Host',
  email: 'host@practice.example',
  displayEmail: 'host@practice.example',
  username: 'host',
  timeZone: 'America/New_York',
}
const iso = (ms: number): string => new Date(ms).toISOString()

/** What a booking body leaves out or replaces. */
export interface BookingBodyOptions {
  /** Without the reasons that were given. */
  silent: boolean
  /** Shown instead of each attendee's address. */
  displayEmail: string | undefined
}

/** A booking as Cal.com returns it. */
export function bookingBody(
  booking: FakeBooking,
  { silent, displayEmail }: BookingBodyOptions,
): object {
  const { start, end, created, attendees, cancellationReason, reschedulingReason, ...rest } =
    booking
  const { responses, rejectionReason: _hidden, ...fields } = rest
  const guests = booking.guests ?? responses?.['guests']
  return {
    ...fields,
    ...(silent ? {} : { cancellationReason: cancellationReason ?? '' }),
    ...(silent || reschedulingReason === undefined ? {} : { reschedulingReason }),
    title: `Consult between Dr. Host and ${attendees[0]?.name ?? ''}`,
    description: '',
    hosts: (booking.hosts ?? [HOST.id]).map((id) => ({ ...HOST, id })),
    start: iso(start),
    end: iso(end),
    duration: (end - start) / 60_000,
    eventType: { id: booking.eventTypeId, slug: 'consult' },
    location: 'integrations:daily',
    meetingUrl: 'integrations:daily',
    absentHost: false,
    createdAt: iso(created),
    updatedAt: iso(created),
    icsUid: `${booking.uid}@Cal.com`,
    attendees: attendees.map((attendee) => ({
      ...attendee,
      displayEmail: displayEmail ?? attendee.email,
      language: 'en',
      absent: false,
      ...(attendee.seatUid === undefined ? {} : { bookingFieldsResponses: {} }),
    })),
    ...(guests !== undefined && { guests }),
    bookingFieldsResponses: {
      email: attendees[0]?.email,
      displayEmail: displayEmail ?? attendees[0]?.email,
      name: attendees[0]?.name,
      ...responses,
      ...(guests !== undefined && { guests, displayGuests: guests }),
      ...(!silent && reschedulingReason && { rescheduledReason: reschedulingReason }),
    },
  }
}

const CLASSES: Record<number, [string, string]> = {
  400: ['BadRequestException', 'Bad Request'],
  401: ['UnauthorizedException', 'Unauthorized'],
  403: ['ForbiddenException', 'Forbidden'],
  404: ['NotFoundException', 'Not Found'],
  409: ['ConflictException', 'Conflict'],
  422: ['UnprocessableEntityException', 'Unprocessable Entity'],
}

/** An error in Cal.com's envelope. */
export function calcomError(
  status: number,
  message: string,
  code = CLASSES[status]?.[0],
): FakeAnswer {
  const details = { message, error: CLASSES[status]?.[1], statusCode: status }
  const body = {
    status: 'error',
    timestamp: '2026-11-23T12:00:00.000Z',
    path: '/v2/somewhere',
    error: { code, message, details },
  }
  return { status, body }
}

/** An error from deeper inside, as it goes out without the envelope. */
export const rawError = (statusCode: number, message: string): FakeAnswer => ({
  status: statusCode,
  body: { statusCode, message },
})

export const SAYS = {
  taken: 'User either already has booking at this time or is not available',
  length: 'Invalid event length',
  past: 'Attempting to book a meeting in the past.',
  outOfBounds:
    "The event type can't be booked at the \"start\" time provided. This could be because it's too soon (violating the minimum booking notice) or too far in the future (outside the event's scheduling window).",
  key: 'ApiAuthStrategy - api key - Your api key is not valid',
  expired: 'ACCESS_TOKEN_IS_EXPIRED',
  scope: 'insufficient scope: the access token lacks a required scope',
  role: `RolesGuard - user with id=${OWNER} does not have the minimum required role=TEAM_ADMIN within team with id=${TEAM}.`,
  metadata:
    'Metadata must have at most 50 keys, each key up to 40 characters, and string values up to 500 characters.',
  noType: (id: unknown) => `Event type with id ${String(id)} not found.`,
  unread: (uid: string) => `Booking with uid=${uid} was not found in the database`,
  unknown: (uid: string) => `Booking with uid=${uid} not found`,
  cancelled: (uid: string) =>
    `Can't cancel booking with uid=${uid} because it has been cancelled already. Please provide uid of a booking that is not cancelled.`,
  notMovable: (uid: string) =>
    `Can't reschedule booking with uid=${uid} because it has been cancelled. Please provide uid of a booking that is not cancelled.`,
  moved: (uid: string, to: string) =>
    `Can't reschedule booking with uid=${uid} because it has been cancelled and rescheduled already to booking with uid=${to}. You probably want to reschedule ${to} instead by passing it within the request URL.`,
}
