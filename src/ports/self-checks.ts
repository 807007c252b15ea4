import type { PracticeHealth, ProviderReason, PendingAlert, Verdicts } from '../domain/provider-health.ts'

/** The stored results of the checks of the providers. */
export interface SelfChecks {
  /** The known issues, and the operations that need a person. */
  health(): Promise<PracticeHealth>
  /** Whether the last check is at least `leastMs` ago; true for one of many callers. */
  claimCheck(leastMs: number): Promise<boolean>
  /** Keeps what a check found. Returns the alert that is still to be sent, if any. */
  recordVerdicts(verdicts: Verdicts): Promise<PendingAlert | undefined>
  /** The alert could not be sent; the owner knows only what was sent before. */
  alertFailed(before: ProviderReason[]): Promise<void>
}
