import * as z from 'zod'

import type { Facts } from '../domain/facts.ts'
import { DEGRADED_REASONS, changeRefused } from '../domain/provider-health.ts'
import { instantOf, localTime } from '../domain/time/time.ts'
import type { WaitingApproval } from './confirmation.ts'

/** An operation whose outcome a person has to find out. */
export interface Unresolved {
  /** The name of its flow, which is never shown. */
  flow: string
  operation_id: string
  operation: string
  /** RFC 3339, UTC. */
  since: string
  /** Which part of it is in doubt now, as a question; missing where it has one part. */
  part?: string
}

/** What the owner's word led to. `other part`: they were not asked about what is in doubt now. */
export type Resolution =
  | 'resolved'
  | 'nothing to resolve'
  | 'other part'
  | 'facts missing'
  | 'newer version'

/** The operations that need a person, and the owner's word on them. */
export interface UnresolvedOperations {
  list(): Promise<Unresolved[]>
  resolve(
    operationId: string,
    happened: boolean,
    facts: Facts,
    part: string | undefined,
  ): Promise<Resolution>
}

/** An alert to the owner; times are RFC 3339, UTC. */
export type Alert =
  /** `half_done`: the outcome is known, and only its first part is made so far. */
  | ({ event: 'needs_attention'; half_done?: true } & Omit<Unresolved, 'flow'>)
  | ({ event: 'approval_needed'; url: string } & Pick<
      WaitingApproval,
      'operation_id' | 'operation' | 'code'
    > & {
        /** What it is about, in a few words without personal data: an amount and invoice, or a time. */
        fact: string
      })
  /** A provider's webhook that worked cannot be kept working; `provider` is its name in the settings. */
  | { event: 'provider_webhook_broken'; provider: string; reason: string }
  /** Deliveries to a webhook failed for so long that they stopped. */
  | { event: 'webhook_paused'; webhook_id: string; caller: string; since: string }
  /** No backup was made at night, thrice. */
  | { event: 'backup_failed'; since: string }
  /** `operation`: only this change is refused. */
  | { event: 'degraded'; reasons: { reason: string; since: string; operation?: string }[] }
  | { event: 'recovered' }
  /** The owner tries whether alerts arrive. */
  | { event: 'test' }

/** At most so many characters: a lock screen shows no more. */
const LONGEST_TEXT = 120

const said = (operation: string) => operation.replaceAll('_', ' ')

const WORDS: { [E in Alert['event']]: (alert: Extract<Alert, { event: E }>) => string } = {
  needs_attention: ({ operation, half_done }) =>
    half_done
      ? `A client has no appointment now: ${said(operation)}. The old time is given up, the new one not booked.`
      : `Outcome not known: ${said(operation)}. Look in your calendar or at your payment provider.`,
  approval_needed: ({ code, operation, fact }) =>
    `Approve ${code}: ${[said(operation), fact].filter(Boolean).join(', ')}`,
  provider_webhook_broken: ({ provider }) =>
    `News from ${provider} no longer arrives. Your page says what to do.`,
  webhook_paused: () =>
    'A webhook is paused: nothing arrived there for three days, or its secret is lost.',
  backup_failed: () => 'No backup was made for three nights. Run npm run doctor.',
  degraded: ({ reasons: [first, ...more] }) =>
    `Needs you: ${first ? reasonInWords(first) : ''}${more.length > 0 ? ` And ${more.length} more.` : ''}`,
  recovered: () => 'All is well again.',
  test: () => 'Test: alerts arrive here.',
}

function reasonInWords({ reason, operation }: { reason: string; operation?: string }) {
  const refused = operation && changeRefused(reason, said(operation))
  if (refused) return `${refused} Your page says what to do.`
  return reason in DEGRADED_REASONS
    ? DEGRADED_REASONS[reason as keyof typeof DEGRADED_REASONS]
    : 'your page says what.'
}

/** An alert in at most 120 characters, the code and the fact first, without a client. */
export function alertInWords(alert: Alert): string {
  const text = WORDS[alert.event](alert as never)
  return text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT - 1)}…`
}

const factsSchema = z.lazy(() =>
  z.looseObject({
    amount_display: z.string().optional(),
    invoice_number: z.string().nullish(),
    start_time: z.string().optional(),
  }),
)

/** What a preview is about, for an alert: its amount and invoice, or its time in the zone of the practice. */
export function alertFact(preview: unknown, zone: string): string {
  const { data = {} } = factsSchema.safeParse(preview)
  const { amount_display, invoice_number, start_time } = data
  const time =
    start_time &&
    localTime(instantOf(start_time), zone)
      .replaceAll(/([A-Z][a-z]{2})[a-z]+/g, '$1')
      .replace(/, \d{4}/, '')
  return [amount_display, invoice_number, time].filter(Boolean).join(', ')
}
