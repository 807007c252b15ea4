import type { PublishedLimit } from '../../core/domain/provider-quota.ts'
import type { SchedulingProvider, PaymentProvider } from '../../core/domain/providers.ts'
import type { Payments } from '../../core/ports/payments.ts'
import type { ProviderWebhooks } from '../../core/ports/provider-sync.ts'
import type { Scheduling } from '../../core/ports/scheduling.ts'
import type { EventTypeChoice, SchedulingConnection, PaymentConnection } from './connection.ts'
import { STRIPE_LIMIT } from './payments/stripe/errors.ts'
import { stripePayments } from './payments/stripe/index.ts'
import { stripeWebhooks } from './payments/stripe/webhooks.ts'
import { CALCOM_LIMIT } from './scheduling/calcom/errors.ts'
import { calcomEventTypes } from './scheduling/calcom/event-type.ts'
import { calcomScheduling } from './scheduling/calcom/index.ts'
import { calcomWebhooks } from './scheduling/calcom/webhooks.ts'
import { CALENDLY_LIMIT } from './scheduling/calendly/errors.ts'
import { calendlyEventTypes } from './scheduling/calendly/event-type.ts'
import { calendlyScheduling } from './scheduling/calendly/index.ts'
import { calendlyWebhooks } from './scheduling/calendly/webhooks.ts'

interface SchedulingAdapter {
  limit: PublishedLimit
  create(connection: SchedulingConnection): Scheduling
  webhooks?(connection: SchedulingConnection): ProviderWebhooks
  /** The event types that the token's user can offer, for setup. Raises a `Problem` as reads do. */
  eventTypes(connection: SchedulingConnection): Promise<EventTypeChoice[]>
}

export const SCHEDULING_ADAPTERS: Record<SchedulingProvider, SchedulingAdapter> = {
  calendly: {
    limit: CALENDLY_LIMIT,
    create: calendlyScheduling,
    webhooks: calendlyWebhooks,
    eventTypes: calendlyEventTypes,
  },
  calcom: {
    limit: CALCOM_LIMIT,
    create: calcomScheduling,
    webhooks: calcomWebhooks,
    eventTypes: calcomEventTypes,
  },
}

interface PaymentAdapter {
  limit: PublishedLimit
  create(connection: PaymentConnection): Payments
  webhooks?(connection: PaymentConnection): ProviderWebhooks
}

export const PAYMENT_ADAPTERS: Record<PaymentProvider, PaymentAdapter> = {
  stripe: { limit: STRIPE_LIMIT, create: stripePayments, webhooks: stripeWebhooks },
}
