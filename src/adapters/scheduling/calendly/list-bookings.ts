import { BOOKINGS_ON_PAGE, type Booking, type BookingsWanted } from '../../../domain/booking.ts'
import { problem } from '../../../domain/problem.ts'
import { isoUtc } from '../../../domain/time.ts'
import type { Scheduling } from '../../../ports/index.ts'
import { type CalendlyEvent, eventTypeIdIn, eventsSchema, nextPage } from './schemas.ts'
import { isGroup, stateOf } from './booking.ts'
import type { CalendlyClient } from './client.ts'
import { isHostedBy } from './event-type.ts'
import { DOWN, FIX, misconfigured } from './errors.ts'

/** Whether the bounds belong to the window is not known, hence the margin. */
const MARGIN = 1000
/** How many invitees are asked for at a time; a Worker may have six connections open. */
const AT_A_TIME = 5

/**
 * Lists bookings by Calendly's own paging. The list tells no invitees, so each booking is asked for them: `told` reads
 * one. If one of these reads fails, the page does.
 */
export function calendlyListing(
  client: CalendlyClient,
  told: (event: CalendlyEvent) => Promise<Booking>,
): Scheduling['bookings'] {
  /** The list of the user, unless the host of an event type may be another one. */
  async function whose(eventTypeIds: readonly string[]) {
    const me = await client.user()
    for (const named of eventTypeIds) {
      const { eventType } = await client.eventType(named)
      if (!isHostedBy(me.uri, eventType)) return { organization: me.current_organization }
    }
    return { user: me.uri }
  }

  return async ({ from, to, states, eventTypeIds }, place) => {
    const statuses = statusesFor(states)
    if (statuses === 'none') return { bookings: [], notShown: 0, next: undefined }
    const page = await client.read({
      path: '/scheduled_events',
      query: {
        ...(await whose(eventTypeIds)),
        ...(statuses === 'all' ? {} : { status: statuses }),
        sort: 'start_time:asc',
        min_start_time: isoUtc(from - MARGIN),
        max_start_time: isoUtc(to + MARGIN),
        count: String(BOOKINGS_ON_PAGE),
        page_token: place,
      },
      scope: 'scheduled_events:read',
      schema: eventsSchema,
      // A 400 to a later page can only mean its token.
      noneOn: place === undefined ? [] : [400],
    })
    if (!page && place !== undefined) return 'unknown place'
    if (!page) throw problem('provider_busy', DOWN)
    const next = nextPage(page)
    // A list that does not say whether it goes on must not look as if it ended.
    if (next === undefined) throw problem('provider_misconfigured', misconfigured(FIX.form))
    const ids = eventTypeIds.map(eventTypeIdIn)
    const wanted = page.collection.filter(
      (event) =>
        event.start_time >= from &&
        event.start_time < to &&
        ids.includes(event.event_type) &&
        states.includes(stateOf(event)),
    )
    const single = wanted.filter((event) => !isGroup(event))
    const bookings: Booking[] = []
    for (let at = 0; at < single.length; at += AT_A_TIME)
      bookings.push(...(await Promise.all(single.slice(at, at + AT_A_TIME).map(told))))
    return {
      bookings,
      notShown: wanted.length - single.length,
      next: next ?? undefined,
    }
  }
}

/** Calendly knows no bookings that wait for the host. */
function statusesFor(states: BookingsWanted['states']): 'active' | 'canceled' | 'all' | 'none' {
  const [active, cancelled] = [states.includes('confirmed'), states.includes('cancelled')]
  if (active && cancelled) return 'all'
  if (active) return 'active'
  return cancelled ? 'canceled' : 'none'
}
