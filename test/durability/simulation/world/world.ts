import type { Flow } from '../../../../src/core/confirm/flow.ts'
import type { Host } from '../../../../src/core/confirm/host.ts'
import type { AnyMutation } from '../../../../src/core/confirm/mutation.ts'
import type { FlowRecord } from '../../../../src/core/confirm/record.ts'
import type { Decided } from '../../../../src/core/ports/confirmation.ts'
import type { Keyring } from '../../../../src/core/ports/keyring.ts'
import type { ProviderSources } from '../../../../src/core/ports/provider-sync.ts'
import type { Auditor } from '../auditor/auditor.ts'
import type { Fault } from '../fault-profile.ts'
import type { Tally } from '../tally.ts'
import type { AuditLog } from './audit.ts'
import type { Confirmation } from './confirmation.ts'
import type { CoordinatorMethods, CoordinatorState } from './coordinator.ts'
import type { Copies } from './copies.ts'
import type { DurableObject, Surroundings } from './durable-object.ts'
import type { EventLog } from './events.ts'
import type { LaterVersion } from './later-version.ts'
import type { PaymentProvider } from './payments.ts'
import type { Deliveries, RecordsObject } from './records.ts'
import type { SchedulingProvider } from './scheduling.ts'
import type { WebhookPlatform } from './subscribers.ts'

/** What a run drew for itself, once. */
export interface RunSettings {
  /** Calendly-like: cancel, then book. Calcom-like: moves a booking in one call. */
  scheduling: 'calendly' | 'calcom'
  /** How many bookings fit into one time. */
  hosts: number
  /** Bookings wait for the practice to accept them. */
  approves: boolean
  /** The kind of consult asks more than a name and an address. */
  asks: boolean
  /** People bring others to a consult that they book themselves. */
  guests: boolean
  /** The provider's plan takes only so many bookings through its interface. */
  limited: boolean
  linkStyle: 'hosted_invoice' | 'payment_link'
  confirmationTtlMs: number
  providerTimeoutMs: number
  webhook: boolean
  /** A booking shows under which marker it was made, or that it was made under none. */
  showsMarkers: boolean
}

/** A wrong way of doing it, switched in around the code under test. */
export interface Policy {
  name: string
  host?(host: Host): Host
  mutation?(mutation: AnyMutation): AnyMutation
  /** Every run has rules about approval, and not only a third of them. */
  asksPeople?: true
  /** In every run the version changes to and fro. */
  versions?: true
  /** What this version makes of a stored record. */
  opens?(record: FlowRecord | undefined): FlowRecord | undefined
  /** What a flow does when a webhook may be about it. */
  look?(flow: Flow, bookingId: string): Promise<unknown>
  /** How a person's decision is taken. */
  decide?(flow: Flow, decided: Decided): ReturnType<Flow['decide']>
  /** What the outbox of the records does. */
  deliveries?(deliveries: Deliveries): Deliveries
  /** What the audit log asks its database. */
  auditSql?(sql: string): string
  /** What the event log asks about a webhook. */
  sources?(sources: ProviderSources): ProviderSources
  /** What webhooks use of the platform. */
  webhooks?(platform: WebhookPlatform): WebhookPlatform
  /** Wrong ways of an adapter, in the models of the providers. */
  adapter?: {
    /** The length of an event type is read once a minute. */
    remembersLength?: true
    /** The other people of a booking are not sent. */
    leavesGuests?: true
    /** What the provider said of its limit is forgotten. */
    forgetsLimit?: true
  }
}

/** Everything of one run. */
export interface World extends Surroundings {
  settings: RunSettings
  policy: Policy
  auditor: Auditor
  tally: Tally
  /** In a run in which the version changes. */
  later: LaterVersion | undefined
  /** Those of the version that is deployed now; today's first. */
  secrets: readonly string[]
  keyring: Keyring
  objects: Map<string, Confirmation>
  /** A short name for the object with this hash. */
  nameOf(hash: string, key: string): string
  /** The object of this name; made if there is none. */
  object(name: string): Confirmation
  coordinator: DurableObject<CoordinatorState, CoordinatorMethods>
  scheduling: SchedulingProvider
  payments: PaymentProvider
  records: RecordsObject
  /** What KV holds of the records. */
  copies: Copies
  audit: AuditLog
  events: EventLog
  /** Someone is alerted that a change waits for approval. */
  alerted(object: string): void
  /** What befalls everything that is sent to a provider, until a moment. */
  outage: { fault: Fault; until: number } | undefined
}
