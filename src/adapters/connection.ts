import { SECOND } from '../domain/time/duration.ts'
export interface SchedulingConnection {
  token: string
  /** Another host, for tests; the provider's own if left out. */
  baseUrl?: string | undefined
  /** The deadline of each call. */
  timeoutMs: number
  fetch: typeof fetch
  now(): number
  /** The ids of the event types as the settings spell them. */
  eventTypeIds?: readonly string[]
}

/** `hosted_invoice`: the invoice's own page, which settles it when paid. `payment_link`: a new link that does not. */
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
}

/** Whether a provider counts the bounds of a window in is not known, so lists ask for a little more and filter. */
export const LIST_MARGIN_MS = SECOND
