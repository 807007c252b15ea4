/** The reasons for which `/health` is `degraded`: each stays until the owner fixes it. */
export const DEGRADED_REASONS = {
  scheduling_provider_refuses: 'The scheduling provider refuses the token, the plan or an event type.',
  payment_provider_refuses: 'The payment provider refuses the key.',
  audit_log_not_anchored: 'The audit log was not anchored for three days.',
  storage_unreadable: 'What is known of the providers could not be read.',
} as const

export type DegradedReason = keyof typeof DEGRADED_REASONS
/** A reason that a look at the providers, or at the anchors of the audit log, can find. */
export type ProviderReason = Exclude<DegradedReason, 'storage_unreadable'>

export interface Issue {
  reason: ProviderReason
  /** Epoch milliseconds. */
  since: number
}

export interface ProviderHealth {
  issues: Issue[]
  alertedReasons: ProviderReason[]
  /** Epoch milliseconds; 0 for never. */
  checkedAt: number
}

/** The same, and how many operations need a person. */
export interface PracticeHealth extends ProviderHealth {
  unresolved: number
}

/** What the next alert says, and what the last one said. */
export interface PendingAlert {
  issues: Issue[]
  alertedBefore: ProviderReason[]
}

export const NO_ISSUES: ProviderHealth = { issues: [], alertedReasons: [], checkedAt: 0 }

/** Whether a provider refuses us; what a look could not find out is left out. */
export type Verdicts = Partial<Record<ProviderReason, boolean>>

/** What is known after a look: a verdict replaces what was known, and without one it stays. */
export function withVerdicts(health: ProviderHealth, verdicts: Verdicts, now: number): ProviderHealth {
  const reasons: ProviderReason[] = [
    'scheduling_provider_refuses',
    'payment_provider_refuses',
    'audit_log_not_anchored',
  ]
  const issues = reasons.flatMap((reason) => {
    const known = health.issues.find((issue) => issue.reason === reason)
    const refuses = verdicts[reason] ?? known !== undefined
    return refuses ? [known ?? { reason, since: now }] : []
  })
  return { ...health, issues, checkedAt: now }
}
