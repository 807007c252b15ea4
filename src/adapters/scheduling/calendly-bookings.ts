import type { Slot } from '../../domain/availability.ts'
import { providerIdOf } from '../../domain/booking.ts'
import { problem } from '../../domain/problem.ts'
import { isoUtc, zoneSchema } from '../../domain/time.ts'
import {
  type CalendlyEvent,
  type CalendlyInvitee,
  eventTypeIdIn,
  eventsSchema,
  inviteesSchema,
  oneEventSchema,
} from './calendly-answers.ts'
import type { CalendlyClient } from './calendly-client.ts'
import { misconfigured } from './calendly-refusals.ts'

const scope = 'scheduled_events:read'
const MARGIN = 1000
/** How far a look goes: it must end, and stay well below the 50 requests that a Worker on the free plan may make. */
const MOST = { pagesOfEvents: 3, pagesOfInvitees: 2, eventsAsked: 10 }

const GROUP = misconfigured(
  'This booking is one seat of a Calendly group event, and the API can only cancel the whole event, for all who come. Change it in Calendly by hand.',
)

/** Several people come, or could: what is known of one of them does not tell the booking. */
export function isGroup({ status, invitees_counter }: CalendlyEvent): boolean {
  const { limit, active } = invitees_counter ?? {}
  return status === 'active' && ((limit ?? 1) > 1 || (active ?? 1) > 1)
}

/** Reads bookings that exist: by id, or by the marker that went with them. */
export function calendlyBookings(client: CalendlyClient) {
  const pathOf = (eventId: string) => `/scheduled_events/${encodeURIComponent(eventId)}`

  const inviteesOf = (eventId: string) =>
    client.list({ path: `${pathOf(eventId)}/invitees`, scope, schema: inviteesSchema }, MOST.pagesOfInvitees)

  async function carries(event: CalendlyEvent, marker: string): Promise<boolean | 'perhaps'> {
    const { items, complete } = await inviteesOf(event.uri)
    if (items.some((invitee) => invitee.tracking?.utm_content === marker)) return true
    return complete ? false : 'perhaps'
  }

  async function markedAmong(
    { start }: Slot,
    whose: { user: string } | { organization: string },
    eventTypeId: string | undefined,
    marker: string,
  ): Promise<CalendlyEvent | 'none' | 'perhaps'> {
    const { items, complete } = await client.list(
      {
        path: '/scheduled_events',
        query: {
          ...whose,
          // Whether the bounds belong to the window is not known, hence the margin.
          min_start_time: isoUtc(start - MARGIN),
          max_start_time: isoUtc(start + MARGIN),
        },
        scope,
        schema: eventsSchema,
      },
      MOST.pagesOfEvents,
    )
    const likely = items.filter((event) => event.event_type === eventTypeId)
    const others = items.filter((event) => event.event_type !== eventTypeId)
    const asked = [...likely, ...others].slice(0, MOST.eventsAsked)
    let certain = complete && asked.length === items.length
    for (const event of asked) {
      const carried = await carries(event, marker)
      if (carried === true) return event
      if (carried === 'perhaps') certain = false
    }
    return certain ? 'none' : 'perhaps'
  }

  return {
    /** The event behind a booking id; undefined if there is none, or the id is malformed. */
    async event(bookingId: string): Promise<CalendlyEvent | undefined> {
      const id = providerIdOf(bookingId)
      if (id === undefined) return undefined
      // A 400 to a read by id can only mean the id.
      const found = await client.read({ path: pathOf(id), scope, schema: oneEventSchema, noneOn: [400] })
      return found?.resource
    },

    /** Raises `provider_misconfigured` for a seat in a group, which cannot be given up alone. */
    refuseGroup(event: CalendlyEvent): void {
      if (isGroup(event)) throw problem('provider_misconfigured', GROUP)
    },

    /** The one who comes; of a cancelled event, the one who would have come. */
    async invitee(eventId: string): Promise<CalendlyInvitee | undefined> {
      const { items } = await inviteesOf(eventId)
      return items.find(({ status }) => status === 'active') ?? items[0]
    },

    /** The event booked under this marker. The organization is asked too, where the host may be another user. */
    async marked(
      slot: Slot,
      eventTypeNamed: string,
      marker: string,
    ): Promise<CalendlyEvent | 'none' | 'perhaps'> {
      const me = await client.user()
      const eventTypeId = eventTypeIdIn(eventTypeNamed)
      const own = await markedAmong(slot, { user: me.uri }, eventTypeId, marker)
      if (typeof own === 'object') return own
      const { eventType } = await client.eventType(eventTypeNamed)
      const isOwn = eventType.profile?.owner === me.uri && (eventType.pooling_type ?? null) === null
      if (isOwn) return own
      return markedAmong(slot, { organization: me.current_organization }, eventTypeId, marker)
    },

    /** A zone of the database: the invitee's, else the host's, else UTC. */
    async zoneOf(invitee: CalendlyInvitee | undefined): Promise<string> {
      const theirs = zoneSchema.safeParse(invitee?.timezone)
      if (theirs.success) return theirs.data
      const host = await client.user().catch(() => undefined)
      return zoneSchema.safeParse(host?.timezone).data ?? 'UTC'
    },
  }
}
