import { RpcTarget } from 'cloudflare:workers'

import {
  type PendingAlert,
  type ProviderHealth,
  type ProviderReason,
  type TriedChange,
  type Verdicts,
  NO_ISSUES,
  reasonsOf,
  withChange,
  withVerdicts,
} from '../../src/core/domain/provider-health.ts'

const SELF_CHECK = 'self_check'

const hasRefusedChange = ({ issues }: ProviderHealth): boolean =>
  issues.some(({ change }) => change !== undefined)

/**
 * What the last check of the providers found, which changes they refuse, and what the owner was
 * alerted to, in the storage of the coordinator.
 */
export class ProviderHealthStore extends RpcTarget {
  readonly #kv: SyncKvStorage
  /** Whether a provider refuses a change. It is kept here, because every change that begins asks. */
  knowsRefusedChange: boolean

  constructor(kv: SyncKvStorage) {
    super()
    this.#kv = kv
    this.knowsRefusedChange = hasRefusedChange(this.read())
  }

  read(): ProviderHealth {
    return this.#kv.get<ProviderHealth>(SELF_CHECK) ?? NO_ISSUES
  }

  /** Whether the last check is so long ago that it is time for another; if so, this is the one. */
  claimCheck(leastMs: number) {
    const now = Date.now()
    const known = this.read()
    if (now - known.checkedAt < leastMs) return false
    this.#kv.put(SELF_CHECK, { ...known, checkedAt: now })
    return true
  }

  /** Keeps what a check found. Answers with the alert that is to be sent, as `#keep` does. */
  record(verdicts: Verdicts): PendingAlert | undefined {
    return this.#keep(withVerdicts(this.read(), verdicts, Date.now()))
  }

  /** Keeps that a provider took a change, or refused it. */
  recordChange(change: TriedChange): PendingAlert | undefined {
    const before = this.read()
    const after = withChange(before, change, Date.now())
    return after === before ? undefined : this.#keep(after)
  }

  /**
   * Answers with the issues there are now if the owner has not been alerted of just their reasons,
   * which from then on counts as done, and with those that the last alert named.
   */
  #keep(health: ProviderHealth): PendingAlert | undefined {
    const { issues, alertedReasons } = health
    const reasons = reasonsOf(health)
    this.knowsRefusedChange = hasRefusedChange(health)
    this.#kv.put(SELF_CHECK, { ...health, alertedReasons: reasons })
    if (reasons.join() === alertedReasons.join()) return undefined
    return { issues, alertedBefore: alertedReasons }
  }

  /** The alert did not arrive, so the owner knows only of these: the next check alerts again. */
  alertFailed(before: ProviderReason[]) {
    this.#kv.put(SELF_CHECK, { ...this.read(), alertedReasons: before })
  }
}
