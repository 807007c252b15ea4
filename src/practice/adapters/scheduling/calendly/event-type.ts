import * as z from 'zod'

import {
  type EventTypeDetails,
  LOCATIONS,
  type Location,
  inPerson,
  publicText,
  video,
} from '../../../../core/domain/event-type.ts'
import { Problem } from '../../../../core/domain/problem/problem.ts'
import type { EventTypeChoice, SchedulingConnection } from '../../connection.ts'
import { misconfigured } from '../../error-table.ts'
import { type CalendlyClient, calendlyClient } from './client.ts'
import { type CalendlyEventType, pageSchemaOf } from './schemas.ts'

type BookingLocation = { kind: string; location?: string }

const WITHOUT_TEXT: readonly string[] = [
  'inbound_call',
  'zoom_conference',
  'google_conference',
  'gotomeeting_conference',
  'microsoft_teams_conference',
  'webex_conference',
]
const WITH_TEXT: readonly string[] = ['physical', 'custom']
const BY_INVITEE: readonly string[] = ['ask_invitee', 'outbound_call']

/** How to book an event type. Raises `provider_misconfigured` with all that the owner must change. */
export function bookableAs(eventType: CalendlyEventType): {
  minutes: number
  location?: BookingLocation
} {
  const place = locationOf(eventType)
  const changes = allChangesTo(eventType)
  const advice = `This Calendly event type cannot be booked through the API as it is set up. Change it in Calendly, or name another one in EVENT_TYPES: ${changes.join('; ')}.`
  if (changes.length > 0) throw new Problem(misconfigured(advice))
  return {
    minutes: eventType.duration,
    ...('location' in place ? { location: place.location } : {}),
  }
}

/** An event type as it is set up. Calendly does not say what it costs. */
export const detailsOf = (eventType: CalendlyEventType): EventTypeDetails => ({
  title: publicText(eventType.name),
  minutes: eventType.duration,
  location: shownLocation(eventType),
  price: null,
  bookable: allChangesTo(eventType).length === 0,
})

const SHOWN: Readonly<Record<string, Location>> = {
  zoom_conference: video('Zoom'),
  google_conference: video('Google Meet'),
  gotomeeting_conference: video('GoTo Meeting'),
  microsoft_teams_conference: video('Microsoft Teams'),
  webex_conference: video('Webex'),
  inbound_call: LOCATIONS.inviteeCalls,
  outbound_call: LOCATIONS.practiceCalls,
  ask_invitee: LOCATIONS.byInvitee,
  custom: LOCATIONS.arranged,
}

/** The only location; null if there are several, each host has another, or it is not known. */
function shownLocation({ locations, pooling_type }: CalendlyEventType): Location | null {
  const [only, ...others] = locations ?? []
  if (!only || others.length > 0 || pooling_type === 'round_robin') return null
  return only.kind === 'physical' ? inPerson(only.location) : (SHOWN[only.kind] ?? null)
}

const isHostedBy = (user: string, { profile, pooling_type }: CalendlyEventType): boolean =>
  profile?.owner === user && pooling_type === null

/** Whether the token's user is the only possible host; else bookings are read of the whole organization. */
export async function isOwn(client: CalendlyClient, named: string): Promise<boolean> {
  const { uri } = await client.user()
  return isHostedBy(uri, (await client.eventType(named)).eventType)
}

/** Whether a booking of one of these event types may be with another host than the token's user. */
export async function hasOtherHosts(
  client: CalendlyClient,
  eventTypeIds: readonly string[],
): Promise<boolean> {
  for (const named of eventTypeIds) if (!(await isOwn(client, named))) return true
  return false
}

function allChangesTo(eventType: CalendlyEventType): string[] {
  const place = locationOf(eventType)
  return [...changesTo(eventType), ...('change' in place ? [place.change] : [])]
}

function changesTo(eventType: CalendlyEventType): string[] {
  const required = (eventType.custom_questions ?? []).filter(
    (one) => one.enabled && one.required,
  ).length
  const wrong: [boolean, string][] = [
    [
      !eventType.active || typeof eventType.deleted_at === 'string',
      'switch it on, if it still exists',
    ],
    [
      eventType.kind !== 'solo',
      'make it one-on-one (a cancellation of a group event would cancel all who come)',
    ],
    [
      (eventType.booking_method ?? 'instant') !== 'instant',
      'make it bookable at once, since a poll leaves the time open',
    ],
    [eventType.is_paid === true, 'take off its price, since the API cannot pay'],
    [
      required > 0,
      `make all its questions optional or switch them off (${required} ${required === 1 ? 'is' : 'are'} required)`,
    ],
  ]
  return wrong.filter(([is]) => is).map(([, change]) => change)
}

function locationOf({
  locations,
  pooling_type,
}: CalendlyEventType): { location: BookingLocation } | { change: string } | object {
  const [only, ...others] = locations ?? []
  if (!only) return {}
  const byInvitee = [only, ...others].some(({ kind }) => BY_INVITEE.includes(kind))
  const another = { change: 'choose a location that the invitee does not have to supply' }
  // Each host has another location; Calendly refuses a booking that names one.
  if (pooling_type === 'round_robin') return byInvitee ? another : {}
  if (others.length > 0)
    return { change: 'leave it exactly one location, since the connector cannot choose' }
  if (byInvitee) return another
  if (WITHOUT_TEXT.includes(only.kind)) return { location: { kind: only.kind } }
  if (!WITH_TEXT.includes(only.kind)) return { change: 'choose a location of another kind' }
  const text = only.location?.trim() ?? ''
  if (text === '') return { change: 'fill in the address or description of its location' }
  return { location: { kind: only.kind, location: text } }
}

const MAX_PAGES = 5
const pageSchema = pageSchemaOf(
  z.object({
    uri: z.string(),
    name: z.string().nullish(),
    duration: z.number(),
    active: z.boolean(),
  }),
)

/** The active event types of the token's user, for setup. */
export async function calendlyEventTypes(
  connection: SchedulingConnection,
): Promise<EventTypeChoice[]> {
  const client = calendlyClient(connection)
  const { uri } = await client.user()
  const query = { user: uri, active: 'true' }
  const scope = 'event_types:read'
  const { items } = await client.list(
    { path: '/event_types', query, scope, schema: pageSchema },
    MAX_PAGES,
  )
  return items
    .filter(({ active }) => active)
    .map(({ uri: id, name, duration }) => ({
      id,
      title: name ?? 'without a name',
      minutes: duration,
    }))
}
