import { postAlert } from './adapters/alert-webhook.ts'
import { auditObject } from './adapters/cloudflare/audit.ts'
import { clientDeletion, notedClients } from './adapters/cloudflare/clients.ts'
import { credentialsObject } from './adapters/cloudflare/credentials.ts'
import { deskClient } from './adapters/cloudflare/desk.ts'
import { deskDoubts } from './adapters/cloudflare/doubts.ts'
import { confirmationObjects } from './adapters/cloudflare/confirmations.ts'
import { countedLimits, noLimits } from './adapters/cloudflare/limits.ts'
import { ownerObject } from './adapters/cloudflare/owner.ts'
import { kvRecords } from './adapters/cloudflare/records.ts'
import { deskSelfChecks } from './adapters/cloudflare/self-checks.ts'
import { registerClient, registerObject } from './adapters/cloudflare/register.ts'
import { scriptedFaults } from './adapters/mock-faults.ts'
import { mockPayments } from './adapters/payments/mock.ts'
import { PAYMENT_ADAPTERS } from './adapters/payments/providers.ts'
import { mockScheduling } from './adapters/scheduling/mock.ts'
import { SCHEDULING_ADAPTERS } from './adapters/scheduling/providers.ts'
import { openKeyring } from './confirm/keyring.ts'
import type { Mode } from './domain/mode.ts'
import { problem } from './domain/problem.ts'
import type { Audit } from './ports/audit.ts'
import type { Credentials } from './ports/credentials.ts'
import type { Limits } from './ports/limits.ts'
import type { Owner } from './ports/owner.ts'
import type { SelfChecks } from './ports/self-checks.ts'
import type {
  ClientDeletion,
  Confirmations,
  Doubts,
  Keyring,
  Payments,
  Ports,
  Alert,
  Scheduling,
} from './ports/index.ts'
import type { Env } from './env.ts'
import { type Settings, settingsFrom } from './settings.ts'

/** Whether each port is live or a mock; works even if nothing else is configured. */
export function modesFrom(env: Env): { scheduling: Mode; payments: Mode } {
  const settings = settingsFrom(env)
  return {
    scheduling: settings.SCHEDULING_PROVIDER_TOKEN === undefined ? 'mock' : 'live',
    payments: settings.PAYMENT_PROVIDER_SECRET_KEY === undefined ? 'mock' : 'live',
  }
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

/**
 * What the operations use, chosen by the settings; `origin` is the public address of this service, `flow` the id of the
 * confirmation object that acts, where one does.
 */
export async function portsFrom(env: Env, origin: string, flow?: string): Promise<Ports> {
  const settings = settingsFrom(env)
  const keyring = await keyringFrom(settings)
  const now = () => Date.now()
  return {
    practice: settings.practice,
    scheduling: schedulingFrom(env, settings, now),
    payments: paymentsFrom(settings, origin),
    records: kvRecords(env, flow),
    register: registerClient(env.REGISTER),
    clients: notedClients(env.REGISTER, flow),
    keyring,
    now,
  }
}

/** The register as the deletion of a client needs it. */
export const registerFrom = (env: Env) => registerObject(env.REGISTER)

const liveSchedulingFrom = (token: string, settings: Settings, now: () => number): Scheduling =>
  SCHEDULING_ADAPTERS[settings.SCHEDULING_PROVIDER].create({
    token,
    baseUrl: settings.SCHEDULING_PROVIDER_BASE_URL,
    timeoutMs: settings.PROVIDER_TIMEOUT_SECONDS * 1000,
    fetch: ask,
    now,
    eventTypeIds: settings.practice.eventTypes.map(({ id }) => id),
  })

const schedulings = new WeakMap<Settings, Scheduling>()

/** One instance per settings, since an adapter may cache event types for a minute; none caches a person. */
function schedulingFrom(env: Env, settings: Settings, now: () => number): Scheduling {
  const token = settings.SCHEDULING_PROVIDER_TOKEN
  const scheduling =
    schedulings.get(settings) ??
    (token === undefined
      ? mockScheduling({
          calendar: () => env.MOCK_CALENDAR.get(env.MOCK_CALENDAR.idFromName('calendar')),
          timezone: settings.PRACTICE_TIMEZONE,
          faults: scriptedFaults(settings.MOCK_FAULTS),
          now,
        })
      : liveSchedulingFrom(token, settings, now))
  schedulings.set(settings, scheduling)
  return scheduling
}

/** The platform's own fetch, which must not be called as a method of anything else. */
const ask: typeof fetch = (input, init) => fetch(input, init)

function paymentsFrom(settings: Settings, origin: string): Payments {
  if (settings.PAYMENT_PROVIDER_SECRET_KEY !== undefined) {
    return PAYMENT_ADAPTERS[settings.PAYMENT_PROVIDER]({
      secretKey: settings.PAYMENT_PROVIDER_SECRET_KEY,
      baseUrl: settings.PAYMENT_PROVIDER_BASE_URL,
      timeoutMs: settings.PROVIDER_TIMEOUT_SECONDS * 1000,
      fetch: ask,
      style: settings.PAYMENT_LINK_STYLE,
    })
  }
  return mockPayments({ origin, faults: scriptedFaults(settings.MOCK_FAULTS) })
}

export const confirmationsFrom = (env: Env): Confirmations => confirmationObjects(env.CONFIRMATIONS)

/** The desk as one confirmation object sees it: takes all targets, unless one is held by another that is busy. */
export const deskFrom = (env: Env, holder: string) => deskClient(env.DESK, env.CONFIRMATIONS, holder)

export const auditFrom = (env: Env): Audit => auditObject(env.AUDIT)

export const clientDeletionFrom = (env: Env): ClientDeletion => clientDeletion(env.REGISTER, env.CLIENTS)

/** Erases what a flow keeps about a client; false if it cannot be read, after a rollback. */
export const eraseFlow = (env: Env, flow: string, clientId: string): Promise<boolean> =>
  flowObject(env, flow).erase(clientId)

/** Resolves once a flow has nothing under way, or after a while. */
export const restOfFlow = (env: Env, flow: string): Promise<void> => flowObject(env, flow).rest()

const flowObject = ({ CONFIRMATIONS }: Env, flow: string) =>
  CONFIRMATIONS.get(CONFIRMATIONS.idFromString(flow))

export const credentialsFrom = (env: Env): Credentials => credentialsObject(env.CREDENTIALS, Date.now)

export const ownerFrom = (env: Env): Owner => ownerObject(env.OWNER, Date.now)

/** The limits on the calls of each caller; `failed` hears of a counter that does not answer. */
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

export const doubtsFrom = (env: Env): Doubts => deskDoubts(env.DESK, env.CONFIRMATIONS)

export const selfChecksFrom = (env: Env): SelfChecks => deskSelfChecks(env.DESK, Date.now)

/** Tells the owner by webhook, if one is set. */
export function sendAlert(env: Env, event: Alert): Promise<boolean> {
  const { ALERT_WEBHOOK_URL, PROVIDER_TIMEOUT_SECONDS } = settingsFrom(env)
  return postAlert(ALERT_WEBHOOK_URL, event, PROVIDER_TIMEOUT_SECONDS * 1000)
}

/** The invoices of the mock payment provider, for the page behind its links. */
export { mockInvoice } from './adapters/payments/mock.ts'
