import { confirmationName } from '../../core/confirm/token.ts'
import { BoundedMap } from '../../core/domain/bounded-map.ts'
import type { Provider } from '../../core/domain/providers.ts'
import type { UnreviewedAccess } from '../../core/ports/access.ts'
import type { Subscriptions } from '../../core/ports/events.ts'
import type { ProviderSources } from '../../core/ports/provider-sync.ts'
import type { Ports, Services } from '../../core/ports/services.ts'
import { type Settings, settingsFrom } from '../../core/settings.ts'
import {
  approvalsOf,
  coordinatorSelfChecks,
  lookOf,
  offeredTimes,
  unresolvedOperations,
} from '../adapters/cloudflare/coordinator.ts'
import { confirmationObjects, stubOf } from '../adapters/cloudflare/stub.ts'
import { mockPages } from '../adapters/mock-pages.ts'
import { mockWebhooks } from '../adapters/mock.ts'
import { rememberingBookings, rememberingInvoices } from '../adapters/not-found.ts'
import type { Env } from '../env.ts'
import { callerOfLink, foundCompletion } from '../operations/invite-client.ts'
import {
  recordsFrom,
  theOne,
  houseRulesFrom,
  auditFrom,
  eventLogFrom,
  providerSyncFrom,
  accessFrom,
  sendAlert,
} from './objects.ts'
import {
  providerModesFrom,
  providerQuotaFrom,
  keyringFrom,
  webhooksFrom,
  mockCalendarFrom,
  mockKeyFrom,
  schedulingFrom,
  paymentsFrom,
} from './providers.ts'

// Not `Date.now` itself: an adapter keeps what it is given, also where a test replaces the clock.
const now = () => Date.now()

/** Nearly all calls come by one address; a trial has two or three. */
const MOST_ADDRESSES = 4
const known = new WeakMap<Settings, BoundedMap<string, Ports>>()

/**
 * What an operation works with at this address, chosen by the settings. It is made once in an
 * isolate: nothing in it belongs to a request, and each call looks its object up.
 */
export function portsFrom(env: Env, origin: string): Ports {
  const settings = settingsFrom(env)
  let byOrigin = known.get(settings)
  if (!byOrigin) known.set(settings, (byOrigin = new BoundedMap(MOST_ADDRESSES)))
  let ports = byOrigin.get(origin)
  if (!ports) byOrigin.set(origin, (ports = madePorts(env, settings, origin)))
  return ports
}

function madePorts(env: Env, settings: Settings, origin: string): Ports {
  const scheduling = schedulingFrom(env, settings, now)
  const payments = paymentsFrom(env, settings, origin)
  const memory = { keyring: () => keyringFrom(settings), now }
  return {
    ...memory,
    practice: settings.practice,
    scheduling: scheduling.mode === 'live' ? rememberingBookings(scheduling, memory) : scheduling,
    payments: payments.mode === 'live' ? rememberingInvoices(payments, memory) : payments,
    records: recordsFrom(env),
  }
}

/** What the Worker works with for one request. Exported for the test that shows what each request builds. */
export class WorkerServices implements Services {
  readonly #env: Env
  readonly #origin: () => string
  readonly #after: (work: Promise<unknown>) => void
  #knownPorts: Ports | undefined
  readonly now = now

  /**
   * `origin` is asked for where an address is needed: a request must be refusable without one.
   * `after` keeps the work that follows the answer alive.
   */
  constructor(env: Env, origin: () => string, after: (work: Promise<unknown>) => void = () => {}) {
    this.#env = env
    this.#origin = origin
    this.#after = after
  }

  get #settings(): Settings {
    return settingsFrom(this.#env)
  }

  get #ports(): Ports {
    return (this.#knownPorts ??= portsFrom(this.#env, this.#origin()))
  }

  get practice() {
    return this.#ports.practice
  }

  get scheduling() {
    return this.#ports.scheduling
  }

  get payments() {
    return this.#ports.payments
  }

  get keyring() {
    return this.#ports.keyring
  }

  get records() {
    return recordsFrom(this.#env)
  }

  get modes() {
    return providerModesFrom(this.#env)
  }

  get confirmations() {
    return confirmationObjects(this.#env.CONFIRMATIONS)
  }

  get access() {
    return accessFrom(this.#env)
  }

  get audit() {
    return auditFrom(this.#env)
  }

  get events() {
    return eventLogFrom(this.#env)
  }

  get providerSync() {
    return providerSyncFrom(this.#env)
  }

  get subscriptions() {
    return stubOf<Subscriptions>(theOne(this.#env, 'EVENT_LOG'))
  }

  get unresolved() {
    return unresolvedOperations(theOne(this.#env, 'COORDINATOR'), this.#env.CONFIRMATIONS)
  }

  get approvals() {
    return approvalsOf(theOne(this.#env, 'COORDINATOR'), this.#env.CONFIRMATIONS)
  }

  get clientErasure() {
    return recordsFrom(this.#env)
  }

  get houseRules() {
    return houseRulesFrom(this.#env)
  }

  get providerQuota() {
    return providerQuotaFrom(this.#env, this.#after)
  }

  get offeredTimes() {
    const { now, providerQuota } = this
    return offeredTimes(theOne(this.#env, 'COORDINATOR'), now, this.#env.COORDINATOR, providerQuota)
  }

  get selfChecks() {
    return coordinatorSelfChecks(theOne(this.#env, 'COORDINATOR'), this.now, this.#env.COORDINATOR)
  }

  get backups() {
    const backup = theOne(this.#env, 'BACKUP')
    const wasRestored = this.#settings.RESTORED_AT !== undefined
    return {
      status: async () => backup().status(),
      restored: async () => (wasRestored ? backup().restored() : undefined),
    }
  }

  get mockWebhooks() {
    return Object.values(this.#settings.modes).includes('mock') ? mockWebhooks : undefined
  }

  get mockPages() {
    return mockPages({
      calendar: () => mockCalendarFrom(this.#env),
      modes: () => this.#settings.modes,
      practice: () => this.practice,
      key: () => mockKeyFrom(this.#env),
    })
  }

  webhooksOf(provider: Provider) {
    return webhooksFrom(this.#settings, provider)
  }

  get isLive() {
    return this.#settings.isLive
  }

  async unreviewedAccess(): Promise<UnreviewedAccess[]> {
    return this.isLive ? this.access.unreviewed() : []
  }

  get enrolmentHash() {
    return this.#settings.OWNER_ENROLMENT_SHA256
  }

  get trialHash() {
    return this.#trial?.TRIAL_LINK_SHA256
  }

  get trialKeyHash() {
    return this.#trial?.TRIAL_KEY_SHA256
  }

  /** The settings, where this is a local trial without a real provider. */
  get #trial(): Settings | undefined {
    const settings = this.#settings
    return settings.allowAnonymous && !settings.isLive ? settings : undefined
  }

  get alertHost() {
    const { ALERT_WEBHOOK_URL } = this.#settings
    return ALERT_WEBHOOK_URL === undefined ? undefined : new URL(ALERT_WEBHOOK_URL).host
  }

  sendTestAlert() {
    return sendAlert(this.#env, { event: 'test' }).catch(() => false)
  }

  get hasOwnerKey() {
    return this.#settings.OWNER_KEY_SHA256 !== undefined
  }
}

/** What is asked to find out what a provider's webhook was about. */
export const providerSourcesFrom = (env: Env): ProviderSources => {
  const { practice, scheduling, payments, records } = portsFrom(env, '')
  return {
    practice,
    scheduling,
    payments,
    known: (keys) => records.known(keys),
    async completeLink(linkId, bookingId, at) {
      const flow = await confirmationName(callerOfLink(linkId), linkId)
      await records.upsert([foundCompletion(linkId, bookingId, at)], flow)
    },
    look: (lockKeys, named) =>
      lookOf(theOne(env, 'COORDINATOR'), env.CONFIRMATIONS, lockKeys, named),
  }
}
