/** A booking of the mock provider. It holds no personal data, so even the mock keeps that promise. */
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

/** A question to the calendar of the mock provider; times in epoch milliseconds. */
export interface MockBookingsWanted {
  from: number
  to: number
  active: boolean
  cancelled: boolean
  eventTypeIds: string[]
  /** Start and id of the last one that is known already. */
  after: number
  afterId: string
  most: number
}
