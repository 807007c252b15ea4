import type { Mode } from '../domain/mode.ts'
import type { Practice } from '../domain/practice.ts'
import type {
  PendingAlert,
  PracticeHealth,
  ProviderReason,
  TriedChange,
  Verdicts,
} from '../domain/provider-health.ts'
import type { QuotaUse } from '../domain/provider-quota.ts'
import type { Provider } from '../domain/providers.ts'
import type { CallKind } from '../domain/rate-limit.ts'
import type { Access, UnreviewedAccess } from './access.ts'
import type { AuditLog } from './audit.ts'
import type { BackupStatus, EndedRestore } from './backup.ts'
import type { Approvals, Confirmations } from './confirmation.ts'
import type { EventLog, Subscriptions } from './events.ts'
import type { HouseRules } from './house-rules.ts'
import type { Keyring } from './keyring.ts'
import type { Payments } from './payments.ts'
import type { Delivery, Notification, ProviderSync, ProviderWebhooks } from './provider-sync.ts'
import type { ClientErasure, Records } from './records.ts'
import type { OfferedTimes, Scheduling } from './scheduling.ts'
import type { UnresolvedOperations } from './unresolved.ts'

/**
 * Everything the Worker uses from outside for one request; each is built when it is first used. A
 * function asks for the part that it is about, or for a `Pick` of it, and not for all.
 */
export interface Services
  extends Ports, ChangeServices, AccessServices, LogServices, ProviderServices, HealthServices {}

/** What a change goes through, and what waits for a person. */
export interface ChangeServices {
  confirmations: Confirmations
  houseRules: HouseRules
  approvals: Approvals
  unresolved: UnresolvedOperations
  offeredTimes: OfferedTimes
  clientErasure: ClientErasure
}

/** Who may act. */
export interface AccessServices {
  access: Access
  /**
   * Those who were let in while every provider was a mock, for the owner to review now that one is
   * live; none before.
   */
  unreviewedAccess(): Promise<UnreviewedAccess[]>
  /** Whether the first key of the owner is set. */
  hasOwnerKey: boolean
  /** SHA-256 of the enrolment token that is good now, in hex. */
  enrolmentHash: string | undefined
  /**
   * SHA-256 of the token of the trial link, in hex; only in a local trial in which every provider
   * is a mock.
   */
  trialHash: string | undefined
  /** SHA-256 of the key of the trial, in hex; in the same trial only. */
  trialKeyHash: string | undefined
}

/** What is recorded of each act, and who gets a message of it. */
export interface LogServices {
  audit: AuditLog
  events: EventLog
  subscriptions: Subscriptions
}

/** What there is of the providers beside the calls to them. */
export interface ProviderServices {
  /** Known from the settings alone; no provider is built for it. */
  modes: ProviderModes
  /** Whether any provider is live. */
  isLive: boolean
  providerQuota: ProviderQuota
  providerSync: ProviderSync
  /** The webhooks of a provider; undefined for one that has none, is not in use, or is replaced by a mock. */
  webhooksOf(provider: Provider): ProviderWebhooks | undefined
  /** The webhooks of the mocks; undefined where none is in use. */
  mockWebhooks: Pick<ProviderWebhooks, 'read' | 'makesSecret'> | undefined
  /**
   * The mock of a provider, where a mock is in use: what a person does on its page, which the real
   * providers do themselves.
   */
  mockPages: MockPages
}

/** How the connector is, and who is alerted. */
export interface HealthServices {
  selfChecks: SelfChecks
  /** When backups were made, and from which one this connector was restored; undefined where it was not. */
  backups: {
    status(): Promise<BackupStatus>
    restored(): Promise<EndedRestore | undefined>
  }
  /** The host to which alerts are posted; undefined where no one is alerted. */
  alertHost: string | undefined
  /** Posts an alert that says that it is a test; whether it arrived. */
  sendTestAlert(): Promise<boolean>
}

/** What an operation may use. */
export interface Ports {
  practice: Practice
  scheduling: Scheduling
  payments: Payments
  records: Records
  /** Opened when it is first used. Raises `not_configured` without a signing secret. */
  keyring(): Promise<Keyring>
  now(): number
}

/** Whether each provider is real; all that the mode of an answer is made from. */
export interface ProviderModes {
  scheduling: { mode: Mode }
  payments: { mode: Mode }
}

/** Counts the calls of each caller. A counter that fails lets the call pass. */
export interface Limits {
  /** The header RateLimit-Policy of every answer to a caller; undefined while nothing is counted. */
  policies: string | undefined
  /** Counts one call. Raises `rate_limited`. */
  count(caller: string, kind: CallKind): Promise<void>
}

/** The stored results of the checks of the providers. */
export interface SelfChecks {
  /** The known issues, and the operations that need a person. */
  health(): Promise<PracticeHealth>
  /** Whether the last check is at least `leastMs` ago; true for one of many callers. */
  claimCheck(leastMs: number): Promise<boolean>
  /** Keeps what a check found. Returns the alert that is still to be sent, if any. */
  recordVerdicts(verdicts: Verdicts): Promise<PendingAlert | undefined>
  /** Keeps that a provider took a change, or refused it, in the same way. */
  recordChange(change: TriedChange): Promise<PendingAlert | undefined>
  /** The alert could not be sent; the owner knows only what was sent before. */
  alertFailed(before: ProviderReason[]): Promise<void>
}

/** Something that a person does on the page of a mock provider. Times are epoch milliseconds. */
export type MockAct =
  | { act: 'book'; start: number }
  | { act: 'move'; bookingId: string; start: number }
  | { act: 'cancel'; bookingId: string }
  | { act: 'no_show'; bookingId: string; isOn: boolean }
  | { act: 'pay'; invoiceId: string; how: 'paid' | 'failed' | 'void' | 'submitted' }

/** The pages of the mock providers. */
export interface MockPages {
  /** What the act was about, or why it was not done: the provider is live, or there is nothing to act on. */
  act(
    act: MockAct,
  ): Promise<Pick<Notification, 'bookings' | 'invoices'> | 'not a mock' | 'taken' | 'not there'>
  /** The signed webhook that a mock sends about it. */
  delivery(about: Pick<Notification, 'bookings' | 'invoices'>): Promise<Delivery>
}

/** Shares out the requests that the providers allow, so that one caller cannot use them up. */
export interface ProviderQuota {
  /**
   * Runs what may ask providers, counts the requests for this caller, and reports them afterwards.
   * A request that has to wait raises `rate_limited` before it is sent; a `reserved` one never does.
   */
  use<T>(by: { caller: string; use: QuotaUse }, run: () => Promise<T>): Promise<T>
}
