import type { PaymentConnection } from '../../connection.ts'
import { providerHttp } from '../../provider-http.ts'
import { STRIPE_VERSION } from './errors.ts'

/** Sends requests to Stripe with the key of the practice. */
export const stripeRequest = ({ secretKey, baseUrl, timeoutMs, fetch }: Omit<PaymentConnection, 'style'>) =>
  providerHttp({
    baseUrl: (baseUrl ?? 'https://api.stripe.com').replace(/\/$/, ''),
    headers: { Authorization: `Bearer ${secretKey}`, 'Stripe-Version': STRIPE_VERSION },
    timeoutMs,
    fetch,
  })
