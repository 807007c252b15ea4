import { type BookingState, bookingIdOf, providerIdOf } from '../../../domain/booking.ts'
import type { Facts } from '../../../domain/facts.ts'
import { Problem } from '../../../domain/problem/problem.ts'
import { isoUtc, providerZoneSchema } from '../../../domain/time/time.ts'
import { type CalendlyEvent, type CalendlyInvitee, inviteesSchema, oneEventSchema } from './schemas.ts'
import type { CalendlyClient } from './client.ts'
import { misconfigured } from '../../error-table.ts'
import { DOWN, FIX } from './errors.ts'

const scope = 'scheduled_events:read'
const MAX_INVITEE_PAGES = 2

const GROUP = misconfigured(
  'This booking is one seat of a Calendly group event, and the API can only cancel the whole event, for all who come. Change it in Calendly by hand.',
)

/** Several people attend, or could: one invitee does not represent the booking. */
export function isGroup({ status, invitees_counter }: CalendlyEvent): boolean {
  const { limit, active } = invitees_counter ?? {}
  return status === 'active' && ((limit ?? 1) > 1 || (active ?? 1) > 1)
}

export const stateOf = ({ status }: CalendlyEvent): BookingState =>
  status === 'active' ? 'confirmed' : 'cancelled'

/** When it was made; null where it does not say. */
export const createdAt = ({ created_at }: CalendlyEvent): number | null => Date.parse(created_at) || null

export const factsOf = (event: CalendlyEvent): Facts => ({
  booking_id: bookingIdOf(event.uri),
  state: stateOf(event),
  start_time: isoUtc(event.start_time),
  end_time: isoUtc(event.end_time),
})

export type BookingReads = ReturnType<typeof bookingReads>

export function bookingReads(client: CalendlyClient) {
  const pathOf = (eventId: string) => `/scheduled_events/${encodeURIComponent(eventId)}`

  /** The invitees of an event; not `complete` if there are more, or the event is not found. */
  const inviteesOf = (eventId: string) =>
    client.list({ path: `${pathOf(eventId)}/invitees`, scope, schema: inviteesSchema }, MAX_INVITEE_PAGES)

  return {
    inviteesOf,

    /** Undefined if there is no such event, or the id is malformed. */
    async event(bookingId: string): Promise<CalendlyEvent | undefined> {
      const id = providerIdOf(bookingId)
      if (id === undefined) return undefined
      // A 400 to a read by id can only mean the id.
      const found = await client.read({ path: pathOf(id), scope, schema: oneEventSchema, noneOn: [400] })
      if (found && found.resource.uri !== id) throw new Problem(misconfigured(FIX.form))
      return found?.resource
    },

    /** Raises `provider_misconfigured` for a seat in a group, which cannot be cancelled alone. */
    refuseGroup(event: CalendlyEvent): void {
      if (isGroup(event)) throw new Problem(GROUP)
    },

    /** The invitee who attends; of a cancelled event, the one who would have attended. */
    async invitee(eventId: string): Promise<CalendlyInvitee | undefined> {
      const { items, complete } = await inviteesOf(eventId)
      if (items.length === 0 && !complete) throw new Problem(DOWN)
      return items.find(({ status }) => status === 'active') ?? items[0]
    },

    /** An IANA zone: the invitee's, else the host's, else UTC. */
    async zoneOf(invitee: CalendlyInvitee | undefined): Promise<string> {
      const theirs = providerZoneSchema.safeParse(invitee?.timezone)
      if (theirs.success) return theirs.data
      const host = await client.user().catch(() => undefined)
      return providerZoneSchema.safeParse(host?.timezone).data ?? 'UTC'
    },
  }
}
