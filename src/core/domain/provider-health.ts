/** Why `/health` is `degraded`; each reason stays until the owner fixes it. */
export const DEGRADED_REASONS = {
  scheduling_provider_refuses:
    'The scheduling provider refuses the token, the plan or an event type.',
  payment_provider_refuses: 'The payment provider refuses the key.',
  backups_fail: 'No backup was kept for three nights.',
  storage_unreadable: 'The state of the providers could not be read.',
} as const

export type DegradedReason = keyof typeof DEGRADED_REASONS
/** A reason that a check of the providers, or a nightly backup, can find. */
export type ProviderReason = Exclude<DegradedReason, 'storage_unreadable'>

/** A reason, and since when it holds, in epoch milliseconds. */
type Issue = { reason: ProviderReason; since: number }

export interface ProviderHealth {
  issues: Issue[]
  alertedReasons: ProviderReason[]
  /** Epoch milliseconds; 0 for never. */
  checkedAt: number
}

/** The health of the providers, and how many operations need a person. */
export type PracticeHealth = ProviderHealth & { unresolved: number }

/** The issues of the next alert, and the reasons that the last one named. */
export type PendingAlert = { issues: Issue[]; alertedBefore: ProviderReason[] }

export const NO_ISSUES: ProviderHealth = { issues: [], alertedReasons: [], checkedAt: 0 }

/** Whether each reason holds; a check that found nothing out leaves its reason out. */
export type Verdicts = Partial<Record<ProviderReason, boolean>>

const PROVIDER_REASONS = (Object.keys(DEGRADED_REASONS) as DegradedReason[]).filter(
  (reason) => reason !== 'storage_unreadable',
)

/** The health after a check: a verdict replaces what was known, and without one it stays. */
export function withVerdicts(
  health: ProviderHealth,
  verdicts: Verdicts,
  now: number,
): ProviderHealth {
  const issues = PROVIDER_REASONS.flatMap((reason) => {
    const known = health.issues.find((issue) => issue.reason === reason)
    const refuses = verdicts[reason] ?? known !== undefined
    return refuses ? [known ?? { reason, since: now }] : []
  })
  return { ...health, issues, checkedAt: now }
}
