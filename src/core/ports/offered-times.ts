/** The free times that client links offer, and the budget within which their pages ask the provider. */
export interface OfferedTimes {
  /** The free times of a kind of consult, at most 30 seconds old; `read` asks the provider. Raises `provider_busy`. */
  of(kind: string, read: () => Promise<number[]>): Promise<number[]>
  /** This time is not free any more. */
  drop(kind: string, start: number): void
  /** Takes one question to the provider out of the budget of all links together. Raises `provider_busy` where none is left. */
  spend(): Promise<void>
}
