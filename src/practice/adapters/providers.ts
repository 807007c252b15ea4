import type { SchedulingProvider, PaymentProvider } from '../../core/domain/providers.ts'
import type { Payments } from '../../core/ports/payments.ts'
import type { ProviderWebhooks } from '../../core/ports/provider-webhooks.ts'
import type { Scheduling } from '../../core/ports/scheduling.ts'
import type { EventTypeChoice, SchedulingConnection, PaymentConnection } from './connection.ts'
import { stripePayments } from './payments/stripe/index.ts'
import { stripeWebhooks } from './payments/stripe/webhooks.ts'
import { calcomEventTypes } from './scheduling/calcom/event-type.ts'
import { calcomScheduling } from './scheduling/calcom/index.ts'
import { calcomWebhooks } from './scheduling/calcom/webhooks.ts'
import { calendlyEventTypes } from './scheduling/calendly/event-type.ts'
import { calendlyScheduling } from './scheduling/calendly/index.ts'
import { calendlyWebhooks } from './scheduling/calendly/webhooks.ts'

interface SchedulingAdapter {
  create(connection: SchedulingConnection): Scheduling
  webhooks?(connection: SchedulingConnection): ProviderWebhooks
  /** The event types that the token's user can offer, for setup. Raises a `Problem` as reads do. */
  eventTypes(connection: SchedulingConnection): Promise<EventTypeChoice[]>
}

export const SCHEDULING_ADAPTERS: Record<SchedulingProvider, SchedulingAdapter> = {
  calendly: {
    create: calendlyScheduling,
    webhooks: calendlyWebhooks,
    eventTypes: calendlyEventTypes,
  },
  calcom: { create: calcomScheduling, webhooks: calcomWebhooks, eventTypes: calcomEventTypes },
}

interface PaymentAdapter {
  create(connection: PaymentConnection): Payments
  webhooks?(connection: PaymentConnection): ProviderWebhooks
}

export const PAYMENT_ADAPTERS: Record<PaymentProvider, PaymentAdapter> = {
  stripe: { create: stripePayments, webhooks: stripeWebhooks },
}
