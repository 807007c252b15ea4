import type { WaitingApproval } from './approvals.ts'
import type { Facts } from '../domain/facts.ts'

/** An operation whose outcome a person has to find out. */
export interface Unresolved {
  /** The name of its flow, which is never shown. */
  flow: string
  operation_id: string
  operation: string
  /** RFC 3339, UTC. */
  since: string
}

/** The operations that need a person, and the owner's word on them. */
export interface UnresolvedOperations {
  list(): Promise<Unresolved[]>
  resolve(
    operationId: string,
    happened: boolean,
    facts: Facts,
  ): Promise<'settled' | 'not in doubt' | 'facts missing'>
}

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
