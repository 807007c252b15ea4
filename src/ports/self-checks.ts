import type { PracticeHealth, ProviderReason, PendingAlert, Verdicts } from '../domain/provider-health.ts'

/** What is remembered of the looks at the providers. */
export interface SelfChecks {
  /** What is known to be wrong, and what needs a person. */
  health(): Promise<PracticeHealth>
  /** Whether it is time for another look, the last being at least so long ago; true for one of many who ask. */
  claimCheck(leastMs: number): Promise<boolean>
  /** Keeps what a look found; what the owner has still to be told, if anything. */
  recordVerdicts(verdicts: Verdicts): Promise<PendingAlert | undefined>
  /** The owner could not be told, and still knows only what was told before. */
  alertFailed(before: ProviderReason[]): Promise<void>
}
