// Long, since everything that is chosen by the settings and built from the bindings is built here.
import { postAlert } from './adapters/alert-webhook.ts'
import { accessObject } from './adapters/cloudflare/access.ts'
import { auditLogObject } from './adapters/cloudflare/audit.ts'
import { approvalsOf } from './adapters/cloudflare/approvals.ts'
import { eventLogObject, subscriptionsObject } from './adapters/cloudflare/event-log.ts'
import { coordinatorObject, coordinatorOf, houseRulesOf, lookOf } from './adapters/cloudflare/coordinator.ts'
import { unresolvedOperations } from './adapters/cloudflare/unresolved.ts'
import { confirmationObjects } from './adapters/cloudflare/confirmations.ts'
import { countedLimits, noLimits } from './adapters/cloudflare/limits.ts'
import { coordinatorSelfChecks } from './adapters/cloudflare/self-checks.ts'
import { scriptedFaults } from './adapters/mock-faults.ts'
import { mockPages } from './adapters/mock-pages.ts'
import { type Notify, mockDelivery, mockNotify, mockWebhooks } from './adapters/mock-webhooks.ts'
import { mockPayments } from './adapters/payments/mock.ts'
import type { PaymentConnection, SchedulingConnection } from './adapters/connection.ts'
import { PAYMENT_ADAPTERS } from './adapters/payments/providers.ts'
import { timestampAnchors } from './adapters/anchors/timestamp.ts'
import { mockScheduling } from './adapters/scheduling/mock.ts'
import { SCHEDULING_ADAPTERS } from './adapters/scheduling/providers.ts'
import { openKeyring } from './crypto/keyring.ts'
import type { Mode } from './domain/mode.ts'
import type { Practice } from './domain/practice.ts'
import { problem } from './domain/problem.ts'
import type { PendingAlert, Verdicts } from './domain/provider-health.ts'
import { isoSeconds } from './domain/time.ts'
import type { Provider } from './domain/providers.ts'
import type { Access } from './ports/access.ts'
import type { Anchors } from './ports/anchors.ts'
import type { Approvals } from './ports/approvals.ts'
import type { AuditLog } from './ports/audit.ts'
import type { EventLog, ProviderSources } from './ports/events.ts'
import type { HouseRules } from './ports/house-rules.ts'
import type { Limits } from './ports/limits.ts'
import type { ClientErasure, Records } from './ports/records.ts'
import type { SelfChecks } from './ports/self-checks.ts'
import type { Subscriptions } from './ports/subscriptions.ts'
import type {
  Alert,
  Confirmations,
  UnresolvedOperations,
  Keyring,
  Payments,
  Ports,
  ProviderModes,
  Scheduling,
} from './ports/index.ts'
import { webhookKey } from './hooks/keys.ts'
import type { MockPages } from './ports/mock-pages.ts'
import type { ProviderWebhooks } from './ports/provider-webhooks.ts'
import type { Services } from './ports/services.ts'
import type { Env } from './env.ts'
import { type Settings, settingsFrom } from './settings.ts'
import { SECOND } from './domain/duration.ts'

/** Whether each port is live or a mock; works even if nothing else is configured. */
export function modesFrom(env: Env): { scheduling: Mode; payments: Mode } {
  const settings = settingsFrom(env)
  return {
    scheduling: settings.SCHEDULING_PROVIDER_TOKEN === undefined ? 'mock' : 'live',
    payments: settings.PAYMENT_PROVIDER_SECRET_KEY === undefined ? 'mock' : 'live',
  }
}

/** The same, as operations ask for it. */
export function providerModesFrom(env: Env): ProviderModes {
  const { scheduling, payments } = modesFrom(env)
  return { scheduling: { mode: scheduling }, payments: { mode: payments } }
}

const keyrings = new WeakMap<Settings, Promise<Keyring>>()

/** The keyring of the signing secrets, opened once. Raises `not_configured` without a secret. */
export function keyringFrom(settings: Settings): Promise<Keyring> {
  const [signing, ...earlier] = settings.signingSecrets
  if (signing === undefined) throw problem('not_configured', { detail: 'SIGNING_SECRET is not set.' })
  let keyring = keyrings.get(settings)
  if (!keyring) {
    keyring = openKeyring([signing, ...earlier])
    keyrings.set(settings, keyring)
  }
  return keyring
}

/** What the operations use, chosen by the settings; each is built when it is first used. */
class LazyPorts implements Ports {
  readonly #env: Env
  readonly #origin: () => string
  #payments: Payments | undefined

  constructor(env: Env, origin: () => string) {
    this.#env = env
    this.#origin = origin
  }

  get practice(): Practice {
    return settingsFrom(this.#env).practice
  }

  get scheduling(): Scheduling {
    return schedulingFrom(this.#env, settingsFrom(this.#env), this.now)
  }

  get payments(): Payments {
    return (this.#payments ??= paymentsFrom(this.#env, settingsFrom(this.#env), this.#origin()))
  }

  get records(): Records {
    return recordsFrom(this.#env)
  }

  // Getters of functions, so that both can be taken out of the object.
  get keyring(): () => Promise<Keyring> {
    return () => keyringFrom(settingsFrom(this.#env))
  }

  get now(): () => number {
    return Date.now
  }
}

/** What a confirmation object works with; `origin` is the public address of this service. */
export const portsFrom = (env: Env, origin: string): Ports => new LazyPorts(env, () => origin)

/** What the Worker works with for one request. Exported for the test that shows what each request builds. */
export class WorkerServices extends LazyPorts implements Services {
  readonly #env: Env

  /** `origin` is asked for where an address is needed: a request must be refusable without one. */
  constructor(env: Env, origin: () => string) {
    super(env, origin)
    this.#env = env
  }

  get modes(): ProviderModes {
    return providerModesFrom(this.#env)
  }

  get confirmations(): Confirmations {
    return confirmationObjects(this.#env.CONFIRMATIONS)
  }

  get access(): Access {
    return accessFrom(this.#env)
  }

  get audit(): AuditLog {
    return auditFrom(this.#env)
  }

  get events(): EventLog {
    return eventLogFrom(this.#env)
  }

  get subscriptions(): Subscriptions {
    return subscriptionsObject(this.#env.EVENT_LOG)
  }

  get doubts(): UnresolvedOperations {
    return unresolvedOperations(this.#env.COORDINATOR, this.#env.CONFIRMATIONS)
  }

  get approvals(): Approvals {
    return approvalsOf(this.#env.COORDINATOR, this.#env.CONFIRMATIONS)
  }

  get clientErasure(): ClientErasure {
    return recordsFrom(this.#env)
  }

  get houseRules(): HouseRules {
    return houseRulesFrom(this.#env)
  }

  get selfChecks(): SelfChecks {
    return coordinatorSelfChecks(this.#env.COORDINATOR, this.now)
  }

  get mockWebhooks() {
    return Object.values(modesFrom(this.#env)).includes('mock') ? mockWebhooks : undefined
  }

  get mockPages(): MockPages {
    return mockPages({
      calendar: () => mockCalendarFrom(this.#env),
      modes: () => modesFrom(this.#env),
      practice: () => settingsFrom(this.#env).practice,
      key: () => mockKeyFrom(this.#env),
    })
  }

  webhooksOf(provider: Provider): ProviderWebhooks | undefined {
    return webhooksFrom(settingsFrom(this.#env), provider)
  }

  get enrolmentHash(): string | undefined {
    return settingsFrom(this.#env).OWNER_ENROLMENT_SHA256
  }

  get trialHash(): string | undefined {
    const { allowAnonymous, TRIAL_LINK_SHA256 } = settingsFrom(this.#env)
    const isLive = Object.values(modesFrom(this.#env)).includes('live')
    return allowAnonymous && !isLive ? TRIAL_LINK_SHA256 : undefined
  }

  get hasOwnerKey(): boolean {
    return settingsFrom(this.#env).OWNER_KEY_SHA256 !== undefined
  }
}

/** The masked records, in their one object. */
export const recordsFrom = ({ RECORDS }: Env): Records & ClientErasure =>
  RECORDS.get(RECORDS.idFromName('records'))

const schedulingConnection = (
  token: string,
  settings: Settings,
  now: () => number,
): SchedulingConnection => ({
  token,
  baseUrl: settings.SCHEDULING_PROVIDER_BASE_URL,
  timeoutMs: settings.PROVIDER_TIMEOUT_SECONDS * SECOND,
  fetch: ask,
  now,
  eventTypeIds: settings.practice.eventTypes.map(({ id }) => id),
})

const paymentConnection = (secretKey: string, settings: Settings): PaymentConnection => ({
  secretKey,
  baseUrl: settings.PAYMENT_PROVIDER_BASE_URL,
  timeoutMs: settings.PROVIDER_TIMEOUT_SECONDS * SECOND,
  fetch: ask,
  style: settings.PAYMENT_LINK_STYLE,
})

/** The webhooks of a provider that is live now. */
function webhooksFrom(settings: Settings, provider: Provider): ProviderWebhooks | undefined {
  const { SCHEDULING_PROVIDER_TOKEN: token, PAYMENT_PROVIDER_SECRET_KEY: key } = settings
  if (provider === settings.SCHEDULING_PROVIDER && token !== undefined)
    return SCHEDULING_ADAPTERS[provider].webhooks(schedulingConnection(token, settings, Date.now))
  if (provider === settings.PAYMENT_PROVIDER && key !== undefined)
    return PAYMENT_ADAPTERS[provider].webhooks(paymentConnection(key, settings))
  return undefined
}

/** The mock provider's own object. */
export const mockCalendarFrom = ({ MOCK_CALENDAR }: Env) =>
  MOCK_CALENDAR.get(MOCK_CALENDAR.idFromName('calendar'))

/** What the mocks sign their webhooks with. */
async function mockKeyFrom(env: Env): Promise<string> {
  const keyring = await keyringFrom(settingsFrom(env))
  return webhookKey(keyring, keyring.current, 'mock')
}

/** The mock sends webhooks of its changes only where `MOCK_FAULTS` names them; each is signed and verified. */
function notifying(env: Env, { MOCK_FAULTS }: Settings): { notify?: Notify } {
  if (!MOCK_FAULTS.some(({ action }) => action === 'hook')) return {}
  const faults = scriptedFaults(MOCK_FAULTS)
  const send = async (about: Parameters<typeof mockDelivery>[0]) => {
    const key = await mockKeyFrom(env)
    const hint = await mockWebhooks.read(await mockDelivery(about, key), [key], Date.now())
    if (hint !== 'refused') await eventLogFrom(env).hint('mock', hint)
  }
  return { notify: mockNotify(send, () => faults('hook')) }
}

const schedulings = new WeakMap<Settings, Scheduling>()

/** One instance per settings, since an adapter may cache event types for a minute; none caches a person. */
function schedulingFrom(env: Env, settings: Settings, now: () => number): Scheduling {
  const token = settings.SCHEDULING_PROVIDER_TOKEN
  const scheduling =
    schedulings.get(settings) ??
    (token === undefined
      ? mockScheduling({
          calendar: () => mockCalendarFrom(env),
          timezone: settings.PRACTICE_TIMEZONE,
          faults: scriptedFaults(settings.MOCK_FAULTS),
          now,
          ...notifying(env, settings),
        })
      : SCHEDULING_ADAPTERS[settings.SCHEDULING_PROVIDER].create(schedulingConnection(token, settings, now)))
  schedulings.set(settings, scheduling)
  return scheduling
}

/** The platform's own fetch, which must not be called as a method of anything else. */
const ask: typeof fetch = (input, init) => fetch(input, init)

function paymentsFrom(env: Env, settings: Settings, origin: string): Payments {
  const { PAYMENT_PROVIDER, PAYMENT_PROVIDER_SECRET_KEY: key } = settings
  if (key !== undefined) return PAYMENT_ADAPTERS[PAYMENT_PROVIDER].create(paymentConnection(key, settings))
  return mockPayments({
    origin,
    faults: scriptedFaults(settings.MOCK_FAULTS),
    ledger: () => mockCalendarFrom(env),
  })
}

/** The coordinator as one confirmation object uses it: takes all locks, unless one is held by another that is busy. */
export const coordinatorFrom = (env: Env, holder: string) =>
  coordinatorOf(env.COORDINATOR, env.CONFIRMATIONS, holder)

export const houseRulesFrom = ({ COORDINATOR }: Env): HouseRules => houseRulesOf(COORDINATOR)

/** What is known of the providers' health. */
export const providerHealthFrom = (env: Env) => coordinatorObject(env.COORDINATOR).providerHealth()

export const auditFrom = (env: Env): AuditLog => auditLogObject(env.AUDIT_LOG)

/** What the event log asks to find out what a provider's webhook was about. */
export const providerSourcesFrom = (env: Env): ProviderSources => {
  const { practice, scheduling, payments, records } = portsFrom(env, '')
  return {
    practice,
    scheduling,
    payments,
    known: (keys) => records.known(keys),
    look: (lockKeys, bookingId) => lookOf(env.COORDINATOR, env.CONFIRMATIONS, lockKeys, bookingId),
  }
}

export const eventLogFrom = (env: Env): EventLog => eventLogObject(env.EVENT_LOG)

/** Erases what a flow keeps about a client; false if it cannot be read, after a rollback. */
export const eraseFlow = ({ CONFIRMATIONS }: Env, flow: string, clientId: string): Promise<boolean> =>
  CONFIRMATIONS.get(CONFIRMATIONS.idFromString(flow)).erase(clientId)

export const accessFrom = (env: Env): Access => accessObject(env.ACCESS, Date.now)

/** The limits on the calls of each caller; `failed` is called for a counter that does not answer. */
export function limitsFrom(env: Env, failed: () => void): Limits {
  const rate = settingsFrom(env).RATE_LIMITS
  if (rate === 'off') return noLimits
  const counters = {
    low: { reads: env.READS_LOW, changes: env.CHANGES_LOW },
    normal: { reads: env.READS_NORMAL, changes: env.CHANGES_NORMAL },
    high: { reads: env.READS_HIGH, changes: env.CHANGES_HIGH },
  }
  return countedLimits(rate, counters[rate], failed)
}

/** Tells the owner by webhook, if one is set. */
export function sendAlert(env: Env, event: Alert): Promise<boolean> {
  const { ALERT_WEBHOOK_URL, PROVIDER_TIMEOUT_SECONDS } = settingsFrom(env)
  return postAlert(ALERT_WEBHOOK_URL, event, PROVIDER_TIMEOUT_SECONDS * SECOND)
}

/** Keeps what a look found, and alerts the owner to a change. Whether something changed. */
export async function keepVerdicts(env: Env, verdicts: Verdicts): Promise<boolean> {
  const selfChecks = coordinatorSelfChecks(env.COORDINATOR, Date.now)
  const pending = await selfChecks.recordVerdicts(verdicts)
  if (pending === undefined) return false
  const alert = alertOf(pending)
  console.error(JSON.stringify(alert))
  const arrived = await sendAlert(env, alert).catch(() => false)
  if (!arrived) await selfChecks.alertFailed(pending.alertedBefore)
  return true
}

function alertOf({ issues }: PendingAlert): Alert {
  if (issues.length === 0) return { event: 'recovered' }
  const reasons = issues.map(({ reason, since }) => ({ reason, since: isoSeconds(since) }))
  return { event: 'degraded', reasons }
}

/** Where checkpoints of the audit log are sent; undefined where nowhere. */
export function anchorsFrom(env: Env): Anchors | undefined {
  const { TIMESTAMP_URL: url, PROVIDER_TIMEOUT_SECONDS } = settingsFrom(env)
  return url === undefined
    ? undefined
    : timestampAnchors({ url, timeoutMs: PROVIDER_TIMEOUT_SECONDS * SECOND, fetch: ask })
}

/** The invoices of the mock payment provider, for the page behind its links. */
export { mockInvoice } from './adapters/payments/mock.ts'
