import type { SchedulingProvider } from '../../domain/providers.ts'
import type { Scheduling } from '../../ports/index.ts'
import type { EventTypeChoice, SchedulingConnection } from '../connection.ts'
import { calcomScheduling } from './calcom/index.ts'
import { calcomEventTypes } from './calcom/event-type.ts'
import { calendlyScheduling } from './calendly/index.ts'
import { calendlyEventTypes } from './calendly/event-type.ts'

interface SchedulingAdapter {
  create(connection: SchedulingConnection): Scheduling
  /** The event types that the token's user can offer, for setup. Raises a `Problem` as reads do. */
  eventTypes(connection: SchedulingConnection): Promise<EventTypeChoice[]>
}

/** The adapter of every scheduling provider in `domain/providers.ts`. */
export const SCHEDULING_ADAPTERS: Record<SchedulingProvider, SchedulingAdapter> = {
  calendly: { create: calendlyScheduling, eventTypes: calendlyEventTypes },
  calcom: { create: calcomScheduling, eventTypes: calcomEventTypes },
}
