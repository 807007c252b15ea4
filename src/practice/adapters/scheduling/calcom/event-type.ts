import * as z from 'zod'

import {
  type Acceptance,
  type Closed,
  type EventTypeDetails,
  LOCATIONS,
  type Location,
  inPerson,
  publicText,
  video,
} from '../../../../core/domain/event-type.ts'
import { currencySchema, exponentOf } from '../../../../core/domain/money.ts'
import { DAY, HOUR, MINUTE } from '../../../../core/domain/time/duration.ts'
import type { EventTypeChoice, SchedulingConnection } from '../../connection.ts'
import { lenientList } from '../../lenient-list.ts'
import { calcomClient } from './client.ts'
import { OBSTACLES } from './errors.ts'
import type { CalcomClosed, CalcomEventType, CalcomLocation } from './schemas.ts'

/** Locations that need nothing from the attendee. Without any, Cal.com uses its own video. */
const OWN_LOCATIONS: readonly string[] = [
  'address',
  'link',
  'integration',
  'phone',
  'organizersDefaultApp',
]

/** Questions that every booking answers, or that Cal.com fills in itself. */
const ANSWERED: readonly string[] = ['name', 'email', 'location', 'rescheduleReason']

/** The id of an event type as a number; undefined if the settings hold something else. */
export const eventTypeNumber = (id: string): number | undefined =>
  /^[1-9]\d{0,14}$/.test(id) ? Number(id) : undefined

/** What the owner has to change before the API can book this event type honestly; empty if nothing. */
export function obstaclesIn(eventType: CalcomEventType): string[] {
  const { price, seats, seatsPerTimeSlot, recurrence, schedulingType, locations, bookingFields } =
    eventType
  // Cal.com takes the first location if the request names none.
  const [first] = locations ?? []
  const unanswered = (bookingFields ?? []).filter(
    ({ slug, required, hidden, isDefault }) =>
      required === true && !ANSWERED.includes(slug) && !(isDefault === true && hidden === true),
  )
  const found: [boolean, string][] = [
    [(price ?? 0) > 0, OBSTACLES.price],
    [(seats?.seatsPerTimeSlot ?? seatsPerTimeSlot ?? 0) > 0, OBSTACLES.seats],
    [!!recurrence && recurrence.disabled !== true, OBSTACLES.recurring],
    [eventType.requiresBookerEmailVerification === true, OBSTACLES.verification],
    [schedulingType?.toLowerCase() === 'managed', OBSTACLES.managed],
    [first !== undefined && !OWN_LOCATIONS.includes(first.type), OBSTACLES.location],
    ...unanswered.map(({ slug }): [boolean, string] => [true, OBSTACLES.question(shownSlug(slug))]),
  ]
  return found.filter(([applies]) => applies).map(([, words]) => words)
}

export const detailsOf = (eventType: CalcomEventType): EventTypeDetails => ({
  title: publicText(eventType.title),
  minutes: eventType.lengthInMinutes,
  location: shownLocation(eventType.locations?.[0]),
  price: priceOf(eventType),
  bookable: obstaclesIn(eventType).length === 0,
  acceptance: acceptanceOf(eventType),
  moves: closedOf(eventType.disableRescheduling),
  cancellations: closedOf(eventType.disableCancelling),
})

const UNITS: Readonly<Record<string, number>> = {
  minute: MINUTE,
  hour: HOUR,
  day: DAY,
  week: 7 * DAY,
}

/** Whether the host accepts bookings by hand: a policy that is not known may be one that asks. */
function acceptanceOf({ confirmationPolicy: policy }: CalcomEventType): Acceptance {
  if (!policy || policy.disabled === true) return 'none'
  if (policy.type !== 'time') return 'always'
  const { count, unit } = policy.noticeThreshold ?? {}
  const ms = UNITS[unit?.toLowerCase().replace(/s$/, '') ?? '']
  return ms === undefined || count === undefined ? 'always' : { withinMs: count * ms }
}

/** When a kind of consult is closed to moves or cancellations. */
function closedOf(setting: CalcomClosed): Closed {
  if (setting?.disabled === true) return 'always'
  const minutes = setting?.minutesBefore ?? 0
  return minutes > 0 ? { withinMs: minutes * MINUTE } : 'never'
}

const VIDEO_APPS: Readonly<Record<string, string>> = {
  'cal-video': 'Cal Video',
  'google-meet': 'Google Meet',
  zoom: 'Zoom',
  'office365-video': 'Microsoft Teams',
  'webex-video': 'Webex',
  jitsi: 'Jitsi',
}

/** The first location, which a booking gets; null if there is none, or of an unknown kind. */
function shownLocation(first: CalcomLocation | undefined): Location | null {
  switch (first?.type) {
    case 'integration': {
      const app = first.integration ?? ''
      const name = VIDEO_APPS[app]
      if (name !== undefined) return video(name)
      return app.endsWith('-video') ? video() : LOCATIONS.link
    }
    case 'organizersDefaultApp':
    case 'link':
      return LOCATIONS.link
    case 'address':
      return inPerson(first.public === true ? first.address : null)
    case 'phone':
      return LOCATIONS.inviteeCalls
    case 'attendeePhone':
      return LOCATIONS.practiceCalls
    case 'attendeeAddress':
    case 'attendeeDefined':
      return LOCATIONS.byInvitee
    default:
      return null
  }
}

/** Null for 0, since a fee may be paid elsewhere, and where Cal.com may count minor units its own way. */
function priceOf({ price, currency }: CalcomEventType): EventTypeDetails['price'] {
  const code = currencySchema.safeParse(currency).data
  if (!price || !Number.isSafeInteger(price) || price < 0 || code === undefined) return null
  const isKnown =
    Intl.supportedValuesOf('currency').includes(code.toUpperCase()) && exponentOf(code) <= 2
  return isKnown ? { amount: price, currency: code } : null
}

const shownSlug = (slug: string): string | undefined =>
  /^[a-zA-Z0-9_-]{1,40}$/.test(slug) ? slug : undefined

const meSchema = z.object({ data: z.object({ username: z.string() }) })
const listSchema = z.object({
  data: lenientList(z.object({ id: z.number(), title: z.string(), lengthInMinutes: z.number() })),
})

/** The event types of the key's user, for setup. */
export async function calcomEventTypes(
  connection: SchedulingConnection,
): Promise<EventTypeChoice[]> {
  const client = calcomClient(connection)
  const about = { group: 'eventTypes', right: 'EVENT_TYPE_READ' } as const
  const { data: me } = await client.read({ ...about, path: '/v2/me', schema: meSchema })
  const query = { username: me.username }
  const { data } = await client.read({
    ...about,
    path: '/v2/event-types',
    query,
    schema: listSchema,
  })
  return data.read.map(({ id, title, lengthInMinutes }) => ({
    id: String(id),
    title,
    minutes: lengthInMinutes,
  }))
}
