import {
  type PendingAlert,
  type ProviderHealth,
  type ProviderReason,
  type Verdicts,
  NO_ISSUES,
  withVerdicts,
} from '../../src/domain/provider-health.ts'

const SELF_CHECK = 'self_check'

/** What the last check of the providers found, and what the owner was alerted to, in the storage of the coordinator. */
export class ProviderHealthStore {
  readonly #kv: SyncKvStorage

  constructor(kv: SyncKvStorage) {
    this.#kv = kv
  }

  read(): ProviderHealth {
    return this.#kv.get<ProviderHealth>(SELF_CHECK) ?? NO_ISSUES
  }

  claimCheck(leastMs: number, now: number): boolean {
    const known = this.read()
    if (now - known.checkedAt < leastMs) return false
    this.#kv.put(SELF_CHECK, { ...known, checkedAt: now })
    return true
  }

  /**
   * Keeps what a check found. Answers with the issues there are now if the owner has not been alerted of just these,
   * which from then on counts as done, and with those that the last alert named.
   */
  record(verdicts: Verdicts, now: number): PendingAlert | undefined {
    const known = withVerdicts(this.read(), verdicts, now)
    const reasons = known.issues.map(({ reason }) => reason)
    this.#kv.put(SELF_CHECK, { ...known, alertedReasons: reasons })
    if (reasons.join() === known.alertedReasons.join()) return undefined
    return { issues: known.issues, alertedBefore: known.alertedReasons }
  }

  alertFailed(before: ProviderReason[]): void {
    this.#kv.put(SELF_CHECK, { ...this.read(), alertedReasons: before })
  }
}
