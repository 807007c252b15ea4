/** A booking of the mock provider. It holds no personal data, so even the rehearsal keeps the promise about it. */
export interface MockBooking {
  id: string
  event_type_id: string
  start: number
  end: number
  timezone: string
  masked_email: string
  initials: string | null
  marker: string
  cancelled_by: string | null
}
