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

/** A reason that a provider can give. */
type RefusingReason = 'scheduling_provider_refuses' | 'payment_provider_refuses'

/**
 * A change that a provider took, or refused until the owner mends what `detail` says. `what` tells
 * it from others of its operation: a provider can refuse one kind of consult, or one currency.
 */
export interface TriedChange {
  operation: string
  what: string
  refused?: { reason: RefusingReason; detail: string }
}

/** A reason, and since when it holds, in epoch milliseconds. With `change`, only that change is refused. */
export interface Issue {
  reason: ProviderReason
  since: number
  change?: Pick<TriedChange, 'operation' | 'what'> & { detail: string }
}

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

/** The reasons that hold, each once. */
export const reasonsOf = ({ issues }: ProviderHealth): ProviderReason[] =>
  PROVIDER_REASONS.filter((one) => issues.some(({ reason }) => reason === one))

/**
 * The health after a check: a verdict replaces what was known, and without one it stays. A check
 * only reads. So it takes no refused change back, but what refuses it is why a change was refused,
 * too.
 */
export function withVerdicts(
  health: ProviderHealth,
  verdicts: Verdicts,
  now: number,
): ProviderHealth {
  const issues = PROVIDER_REASONS.flatMap((reason) => {
    const known = health.issues.filter((issue) => issue.reason === reason)
    const changes = known.filter(({ change }) => change !== undefined)
    const refuses = verdicts[reason] ?? known.length > changes.length
    return refuses ? [{ reason, since: known[0]?.since ?? now }] : changes
  })
  return { ...health, issues, checkedAt: now }
}

/**
 * The health after a change: one that is refused is an issue until the same is taken. The same
 * object if nothing differs.
 */
export function withChange(
  health: ProviderHealth,
  { operation, what, refused }: TriedChange,
  now: number,
): ProviderHealth {
  const isIt = (issue: Issue) => issue.change?.operation === operation && issue.change.what === what
  const known = health.issues.find(isIt)
  const others = health.issues.filter((issue) => !isIt(issue))
  if (!refused) return known ? { ...health, issues: others } : health
  const { reason, detail } = refused
  const isExplained = others.some((one) => one.reason === reason && one.change === undefined)
  // What was mended may show what else refuses it.
  if (isExplained || known?.change?.detail === detail) return health
  const issue = { reason, since: known?.since ?? now, change: { operation, what, detail } }
  return { ...health, issues: [...others, issue] }
}

const REFUSER: Record<RefusingReason, string> = {
  scheduling_provider_refuses: 'The scheduling provider',
  payment_provider_refuses: 'The payment provider',
}

/** What a provider refused, in a sentence; undefined for a reason that is no provider's. */
export const changeRefused = (reason: string, what: string): string | undefined =>
  reason in REFUSER
    ? `${REFUSER[reason as RefusingReason]} refused this change: ${what}.`
    : undefined
