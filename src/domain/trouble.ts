/** What makes `/health` say `degraded`: something that stays wrong until the owner mends it. */
export const TROUBLES = {
  scheduling_provider_refuses: 'The scheduling provider refuses the token, the plan or an event type.',
  payment_provider_refuses: 'The payment provider refuses the key.',
  storage_unreadable: 'What is known of the providers could not be read.',
} as const

export type Reason = keyof typeof TROUBLES
/** A reason that a look at the providers can find. */
export type ProviderReason = Exclude<Reason, 'storage_unreadable'>

export interface Trouble {
  reason: ProviderReason
  /** Epoch milliseconds. */
  since: number
}

/** What is kept of the looks at the providers. */
export interface Heard {
  troubles: Trouble[]
  /** The reasons that the owner was told last. */
  told: ProviderReason[]
  /** Epoch milliseconds; 0 for never. */
  lookedAt: number
}

/** The same, and how many operations need a person. */
export interface Health extends Heard {
  unresolved: number
}

/** What the owner has still to be told, and what the owner was told before. */
export interface Untold {
  troubles: Trouble[]
  before: ProviderReason[]
}

export const NOTHING_HEARD: Heard = { troubles: [], told: [], lookedAt: 0 }

/** Whether a provider refuses us; what a look could not find out is left out. */
export type Verdicts = Partial<Record<ProviderReason, boolean>>

/** What is known after a look: a verdict replaces what was known, and without one it stays. */
export function withVerdicts(heard: Heard, verdicts: Verdicts, now: number): Heard {
  const reasons: ProviderReason[] = ['scheduling_provider_refuses', 'payment_provider_refuses']
  const troubles = reasons.flatMap((reason) => {
    const known = heard.troubles.find((trouble) => trouble.reason === reason)
    const refuses = verdicts[reason] ?? known !== undefined
    return refuses ? [known ?? { reason, since: now }] : []
  })
  return { ...heard, troubles, lookedAt: now }
}
