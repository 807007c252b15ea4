import type { SchedulingProvider } from '../../domain/providers.ts'
import type { Scheduling } from '../../ports/index.ts'
import type { ProviderWebhooks } from '../../ports/provider-webhooks.ts'
import type { EventTypeChoice, SchedulingConnection } from '../connection.ts'
import { calcomScheduling } from './calcom/index.ts'
import { calcomEventTypes } from './calcom/event-type.ts'
import { calcomWebhooks } from './calcom/webhooks.ts'
import { calendlyScheduling } from './calendly/index.ts'
import { calendlyEventTypes } from './calendly/event-type.ts'
import { calendlyWebhooks } from './calendly/webhooks.ts'

interface SchedulingAdapter {
  create(connection: SchedulingConnection): Scheduling
  webhooks(connection: SchedulingConnection): ProviderWebhooks
  /** The event types that the token's user can offer, for setup. Raises a `Problem` as reads do. */
  eventTypes(connection: SchedulingConnection): Promise<EventTypeChoice[]>
}

/** The adapter of every scheduling provider in `domain/providers.ts`. */
export const SCHEDULING_ADAPTERS: Record<SchedulingProvider, SchedulingAdapter> = {
  calendly: { create: calendlyScheduling, webhooks: calendlyWebhooks, eventTypes: calendlyEventTypes },
  calcom: { create: calcomScheduling, webhooks: calcomWebhooks, eventTypes: calcomEventTypes },
}
