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
  /** What the page of a client link shows above its button. */
  clientLinkNotice: string | null
  /** At least one; the first is the default. */
  eventTypes: readonly [EventType, ...EventType[]]
}
