import type { HappenedEvent, Topic } from '../domain/events/topics.ts'

/** An event as the log keeps it. */
export interface LoggedEvent extends HappenedEvent {
  id: string
}

/** Asks for at most so many events: those after a place, or the newest. */
export interface EventQuery {
  types: readonly Topic[]
  after?: number | undefined
  limit: number
}

/** Events in the order of the log, the newest last. */
export interface EventPage {
  events: LoggedEvent[]
  next: number
  /** Whether the log has already dropped events after the place that was asked for. */
  truncated: boolean
}

/** What happened in the last 30 days, in the order in which the records were written. */
export interface EventLog {
  /** Appends new events in this order, so a repeat is harmless. Rejects on failure. */
  append(events: readonly HappenedEvent[]): Promise<void>
  /** `unknown place`: the log never came that far. */
  page(query: EventQuery): Promise<EventPage | 'unknown place'>
  /** The events of commits after a place in the log, for following the providers. */
  commits(after: number): Promise<CommitEvents>
}

/** A piece of what commits have published. */
export interface CommitEvents {
  events: LoggedEvent[]
  next: number
  isEnd: boolean
  hasSubscribers: boolean
}
