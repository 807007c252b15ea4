import { problem } from '../../../domain/problem.ts'
import type { CalendlyEventType } from './schemas.ts'
import { misconfigured } from './errors.ts'

/** What a booking of an event type has to say about its place; nothing where the provider chooses. */
export type BookingLocation = { kind: string; location?: string }

const WITHOUT_WORDS: readonly string[] = [
  'inbound_call',
  'zoom_conference',
  'google_conference',
  'gotomeeting_conference',
  'microsoft_teams_conference',
  'webex_conference',
]
const WITH_WORDS: readonly string[] = ['physical', 'custom']
const BY_INVITEE: readonly string[] = ['ask_invitee', 'outbound_call']

/**
 * How an event type is booked. Raises `provider_misconfigured` naming all that the owner must change, where it cannot
 * be booked without making something up.
 */
export function bookableAs(eventType: CalendlyEventType): { minutes: number; location?: BookingLocation } {
  const place = placeOf(eventType)
  const changes = [...changesTo(eventType), ...('change' in place ? [place.change] : [])]
  if (changes.length > 0) {
    throw problem(
      'provider_misconfigured',
      misconfigured(
        `This Calendly event type cannot be booked through the API as it is set up. Change it in Calendly, or name another one in EVENT_TYPES: ${changes.join('; ')}.`,
      ),
    )
  }
  return { minutes: eventType.duration, ...('location' in place ? { location: place.location } : {}) }
}

/** Whether the user hosts what is booked, and nobody else can. */
export const isHostedBy = (user: string, { profile, pooling_type }: CalendlyEventType): boolean =>
  profile?.owner === user && pooling_type === null

function changesTo(eventType: CalendlyEventType): string[] {
  const required = (eventType.custom_questions ?? []).filter((one) => one.enabled && one.required).length
  const wrong: [boolean, string][] = [
    [!eventType.active || typeof eventType.deleted_at === 'string', 'switch it on, if it still exists'],
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

function placeOf({
  locations,
  pooling_type,
}: CalendlyEventType): { location: BookingLocation } | { change: string } | object {
  const [only, ...others] = locations ?? []
  if (!only) return {}
  const byInvitee = [only, ...others].some(({ kind }) => BY_INVITEE.includes(kind))
  const another = { change: 'choose a location that the invitee does not have to supply' }
  // The host who is picked brings the place along; to name one is refused.
  if (pooling_type === 'round_robin') return byInvitee ? another : {}
  if (others.length > 0) return { change: 'leave it exactly one location, since nobody is there to choose' }
  if (byInvitee) return another
  if (WITHOUT_WORDS.includes(only.kind)) return { location: { kind: only.kind } }
  if (!WITH_WORDS.includes(only.kind)) return { change: 'choose a location of another kind' }
  const words = only.location?.trim() ?? ''
  if (words === '') return { change: 'fill in the address or description of its location' }
  return { location: { kind: only.kind, location: words } }
}
