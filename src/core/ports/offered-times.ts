import type { EventTypeDetails } from '../domain/event-type.ts'

/**
 * What a client link offers of a kind of consult: its free times, in epoch ms, and what the
 * practice says of it.
 */
export interface Offer {
  times: readonly number[]
  details: EventTypeDetails
}

/**
 * The free times that client links offer of each kind of consult, by the provider's own id of it,
 * and the budget within which their pages ask the provider.
 */
export interface OfferedTimes {
  /**
   * What is offered of a kind of consult, at most 30 seconds old; `read` asks the provider. Raises
   * `rate_limited` where the budget is used up.
   */
  of(kind: string, read: () => Promise<Offer>): Promise<Offer>
  /** What was read last of a kind of consult, however old; undefined where nothing was. It asks nothing. */
  known(kind: string): EventTypeDetails | undefined
  /** What was read of a kind of consult is not so any more. */
  forget(kind: string): void
  /** This time is not free any more. */
  drop(kind: string, start: number): void
  /**
   * Takes one question to the provider out of the budget of all links together. Raises
   * `rate_limited` where none is left.
   */
  spend(): Promise<void>
}
