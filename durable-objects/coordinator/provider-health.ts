import { RpcTarget } from 'cloudflare:workers'

import {
  type PendingAlert,
  type ProviderHealth,
  type ProviderReason,
  type Verdicts,
  NO_ISSUES,
  withVerdicts,
} from '../../src/core/domain/provider-health.ts'

const SELF_CHECK = 'self_check'

/**
 * What the last check of the providers found, and what the owner was alerted to, in the storage of
 * the coordinator.
 */
export class ProviderHealthStore extends RpcTarget {
  readonly #kv: SyncKvStorage

  constructor(kv: SyncKvStorage) {
    super()
    this.#kv = kv
  }

  read(): ProviderHealth {
    return this.#kv.get<ProviderHealth>(SELF_CHECK) ?? NO_ISSUES
  }

  /** Whether the last check is so long ago that it is time for another; if so, this is the one. */
  claimCheck(leastMs: number): boolean {
    const now = Date.now()
    const known = this.read()
    if (now - known.checkedAt < leastMs) return false
    this.#kv.put(SELF_CHECK, { ...known, checkedAt: now })
    return true
  }

  /**
   * Keeps what a check found. Answers with the issues there are now if the owner has not been
   * alerted of just these, which from then on counts as done, and with those that the last alert
   * named.
   */
  record(verdicts: Verdicts): PendingAlert | undefined {
    const known = withVerdicts(this.read(), verdicts, Date.now())
    const reasons = known.issues.map(({ reason }) => reason)
    this.#kv.put(SELF_CHECK, { ...known, alertedReasons: reasons })
    if (reasons.join() === known.alertedReasons.join()) return undefined
    return { issues: known.issues, alertedBefore: known.alertedReasons }
  }

  /** The alert did not arrive, so the owner knows only of these: the next check alerts again. */
  alertFailed(before: ProviderReason[]): void {
    this.#kv.put(SELF_CHECK, { ...this.read(), alertedReasons: before })
  }
}
