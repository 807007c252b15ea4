import { OBSTACLES } from './messages.ts'
import type { CalcomEventType } from './schemas.ts'

/** Locations that need nothing from the attendee. Without any, Cal.com uses its own video. */
const OWN_LOCATIONS: readonly string[] = ['address', 'link', 'integration', 'phone', 'organizersDefaultApp']

/** Questions that every booking answers, or that Cal.com fills by itself. */
const ANSWERED: readonly string[] = ['name', 'email', 'location', 'rescheduleReason']

/** The id of an event type as Cal.com counts them, or undefined if the settings hold something else. */
export const eventTypeNumber = (id: string): number | undefined =>
  /^[1-9]\d{0,14}$/.test(id) ? Number(id) : undefined

/** What the owner has to change before the API can book this event type honestly; empty when nothing. */
export function obstaclesIn(eventType: CalcomEventType): string[] {
  const { price, seats, seatsPerTimeSlot, recurrence, schedulingType, locations, bookingFields } = eventType
  // Without a location in the request Cal.com takes the first.
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
  return found.filter(([stands]) => stands).map(([, words]) => words)
}

/** The name of a question, unless it is some other text. */
const shownSlug = (slug: string): string | undefined =>
  /^[a-zA-Z0-9_-]{1,40}$/.test(slug) ? slug : undefined
