import type { Facts } from '../domain/facts.ts'
import type { WaitingApproval } from './approvals.ts'

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
  ): Promise<'resolved' | 'nothing to resolve' | 'facts missing'>
}

/** An alert to the owner; times are RFC 3339, UTC. */
export type Alert =
  | ({ event: 'needs_attention' } & Omit<Unresolved, 'flow'>)
  | ({ event: 'approval_needed'; url: string } & Pick<
      WaitingApproval,
      'operation_id' | 'operation' | 'code'
    >)
  /** A provider's webhook that worked cannot be kept working; `provider` is its name in the settings. */
  | { event: 'provider_webhook_broken'; provider: string; reason: string }
  /** Deliveries to a webhook failed for so long that they stopped. */
  | { event: 'webhook_paused'; webhook_id: string; caller: string; since: string }
  /** No backup was made at night, thrice. */
  | { event: 'backup_failed'; since: string }
  | { event: 'degraded'; reasons: { reason: string; since: string }[] }
  | { event: 'recovered' }
  /** The owner tries whether alerts arrive. */
  | { event: 'test' }

const WORDS: Record<Alert['event'], string> = {
  needs_attention:
    'It is not known whether a change was made. Look in your calendar or payment provider, and say so on your page.',
  approval_needed: 'A change waits for your approval.',
  provider_webhook_broken: 'News of a provider does not arrive any more.',
  webhook_paused: 'A webhook could not be reached for so long that sending stopped.',
  backup_failed: 'No backup could be made for a night. Run npm run doctor.',
  degraded: 'Something needs you. Your page says what.',
  recovered: 'All is well again.',
  test: 'This is a test. Alerts arrive here.',
}

/** An alert as chat programs show it; the address is that of the page where it is decided. */
export const alertInWords = (alert: Alert): string =>
  [`Consult connector: ${WORDS[alert.event]}`, 'url' in alert ? alert.url : ''].join(' ').trim()
