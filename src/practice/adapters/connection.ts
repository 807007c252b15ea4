import type { BookingField } from '../../core/domain/booking-asks.ts'

export interface SchedulingConnection {
  token: string
  /** Another host, for tests. */
  baseUrl?: string | undefined
  /** The deadline of each call. */
  timeoutMs: number
  fetch: typeof fetch
  now(): number
  eventTypeIds?: readonly string[]
}

/**
 * `hosted_invoice`: the invoice's own page, which settles it when paid. `payment_link`: a new link
 * that does not.
 */
export type LinkStyle = 'hosted_invoice' | 'payment_link'

export interface PaymentConnection {
  secretKey: string
  baseUrl?: string | undefined
  timeoutMs: number
  fetch: typeof fetch
  style: LinkStyle
}

/** An event type as its owner knows it. */
export interface EventTypeChoice {
  id: string
  title: string
  minutes: number
  /** The fields that a booking of it needs besides name and address; missing where it needs none. */
  asks?: readonly BookingField[]
}
