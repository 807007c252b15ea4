import type { PaymentProvider } from '../../domain/providers.ts'
import type { Payments } from '../../ports/index.ts'
import type { PaymentConnection } from '../connection.ts'
import { stripePayments } from './stripe/index.ts'

/** The adapter of every payment provider in `domain/providers.ts`. */
export const PAYMENT_ADAPTERS: Record<PaymentProvider, (connection: PaymentConnection) => Payments> = {
  stripe: stripePayments,
}
