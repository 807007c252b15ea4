import type { Health, ProviderReason, Untold, Verdicts } from '../domain/trouble.ts'

/** What is remembered of the looks at the providers. */
export interface SelfChecks {
  /** What is known to be wrong, and what needs a person. */
  health(): Promise<Health>
  /** Whether it is time for another look, the last being at least so long ago; true for one of many who ask. */
  mayLook(leastMs: number): Promise<boolean>
  /** Keeps what a look found; what the owner has still to be told, if anything. */
  found(verdicts: Verdicts): Promise<Untold | undefined>
  /** The owner could not be told, and still knows only what was told before. */
  notTold(before: ProviderReason[]): Promise<void>
}
