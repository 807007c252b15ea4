import type { Access } from './access.ts'
import type { Approvals } from './approvals.ts'
import type { AuditLog } from './audit.ts'
import type { EventLog } from './events.ts'
import type { HouseRules } from './house-rules.ts'
import type { Confirmations, UnresolvedOperations, Ports, ProviderModes } from './index.ts'
import type { Provider } from '../domain/providers.ts'
import type { MockPages } from './mock-pages.ts'
import type { ProviderWebhooks } from './provider-webhooks.ts'
import type { ClientErasure } from './records.ts'
import type { SelfChecks } from './self-checks.ts'
import type { Subscriptions } from './subscriptions.ts'

/** Everything the Worker uses from outside for one request; each is built when it is first used. */
export interface Services extends Ports {
  /** Known from the settings alone; no provider is built for it. */
  modes: ProviderModes
  confirmations: Confirmations
  access: Access
  audit: AuditLog
  events: EventLog
  subscriptions: Subscriptions
  doubts: UnresolvedOperations
  approvals: Approvals
  clientErasure: ClientErasure
  houseRules: HouseRules
  selfChecks: SelfChecks
  /** The webhooks of a provider; undefined for one that is not in use, or replaced by a mock. */
  webhooksOf(provider: Provider): ProviderWebhooks | undefined
  /** The webhooks of the mocks; undefined where none is in use. */
  mockWebhooks: Pick<ProviderWebhooks, 'read' | 'makesSecret'> | undefined
  /** The mock of a provider, where a mock is in use: what a person does on its page, which the real providers do themselves. */
  mockPages: MockPages
  /** SHA-256 of the enrolment token that is good now, in hex. */
  enrolmentHash: string | undefined
  /** SHA-256 of the token of the trial link, in hex; only in a local trial in which every provider is a mock. */
  trialHash: string | undefined
  /** Whether the first key of the owner is set. */
  hasOwnerKey: boolean
}
