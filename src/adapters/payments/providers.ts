import type { PaymentProvider } from '../../domain/providers.ts'
import type { Payments } from '../../ports/index.ts'
import type { ProviderWebhooks } from '../../ports/provider-webhooks.ts'
import type { PaymentConnection } from '../connection.ts'
import { stripePayments } from './stripe/index.ts'
import { stripeWebhooks } from './stripe/webhooks.ts'

interface PaymentAdapter {
  create(connection: PaymentConnection): Payments
  webhooks(connection: PaymentConnection): ProviderWebhooks
}

/** The adapter of every payment provider in `domain/providers.ts`. */
export const PAYMENT_ADAPTERS: Record<PaymentProvider, PaymentAdapter> = {
  stripe: { create: stripePayments, webhooks: stripeWebhooks },
}
