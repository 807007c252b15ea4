export interface EventType {
  name: string
  /** The provider's own id. */
  id: string
}

/** The owner's words about the practice. */
export interface Practice {
  name: string
  /** IANA name of the default zone. */
  timezone: string
  schedulingPageUrl: string | null
  /** At least one; the first is the default. */
  eventTypes: readonly [EventType, ...EventType[]]
}
