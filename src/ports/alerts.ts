import type { WaitingApproval } from './approvals.ts'
import type { Unresolved } from './unresolved.ts'

/** An alert to the owner; times are RFC 3339, UTC. */
export type Alert =
  | ({ event: 'needs_attention' } & Omit<Unresolved, 'flow'>)
  | ({ event: 'approval_needed'; url: string } & Pick<WaitingApproval, 'operation_id' | 'operation' | 'code'>)
  /** A provider's webhook that worked cannot be kept working; `provider` is its name in the settings. */
  | { event: 'provider_hook_broken'; provider: string; reason: string }
  /** Deliveries to a webhook failed for so long that they stopped. */
  | { event: 'webhook_paused'; webhook_id: string; caller: string; since: string }
  | { event: 'degraded'; reasons: { reason: string; since: string }[] }
  | { event: 'recovered' }
