import type { PracticeHealth, ProviderReason, PendingAlert, Verdicts } from '../domain/provider-health.ts'

/** What is remembered of the looks at the providers. */
export interface SelfChecks {
  /** What is known to be wrong, and what needs a person. */
  health(): Promise<PracticeHealth>
  /** Whether it is time for another look, the last being at least so long ago; true for one of many who ask. */
  claimCheck(leastMs: number): Promise<boolean>
  /** Keeps what a check found. Returns the alert that is still to be sent, if any. */
  recordVerdicts(verdicts: Verdicts): Promise<PendingAlert | undefined>
  /** The alert could not be sent; the owner knows only what was sent before. */
  alertFailed(before: ProviderReason[]): Promise<void>
}
