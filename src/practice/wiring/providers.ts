import { shortMac } from '../../core/crypto/encoding.ts'
import { openKeyring } from '../../core/crypto/keyring.ts'
import { caselessEmail } from '../../core/domain/email.ts'
import { problem } from '../../core/domain/problem/problem.ts'
import type { Provider } from '../../core/domain/providers.ts'
import { SECOND } from '../../core/domain/time/duration.ts'
import type { Keyring } from '../../core/ports/keyring.ts'
import type { Payments } from '../../core/ports/payments.ts'
import type { ProviderWebhooks } from '../../core/ports/provider-sync.ts'
import type { Scheduling } from '../../core/ports/scheduling.ts'
import type { ProviderModes, ProviderQuota } from '../../core/ports/services.ts'
import { type Settings, settingsFrom } from '../../core/settings.ts'
import type { PaymentConnection, SchedulingConnection } from '../adapters/connection.ts'
import {
  scriptedFaults,
  type Notify,
  mockDelivery,
  mockNotify,
  mockWebhooks,
} from '../adapters/mock.ts'
import { mockPayments } from '../adapters/payments/mock.ts'
import { countedFetch, providerQuota } from '../adapters/provider-quota.ts'
import { PAYMENT_ADAPTERS, SCHEDULING_ADAPTERS } from '../adapters/providers.ts'
import { mockScheduling } from '../adapters/scheduling/mock.ts'
import type { Env } from '../env.ts'
import { webhookKey } from '../provider-sync/keys.ts'
import { providerSyncFrom, theOne } from './objects.ts'

/** Whether each provider is live or a mock, as operations ask for it. */
export function providerModesFrom(env: Env): ProviderModes {
  const { scheduling, payments } = settingsFrom(env).modes
  return { scheduling: { mode: scheduling }, payments: { mode: payments } }
}

/** A mock allows any number of requests. */
const UNCOUNTED: ProviderQuota = { use: (_by, run) => run() }

/** Shares out what the providers allow; `after` is given the work that follows the answer. */
export function providerQuotaFrom(
  env: Env,
  after: (work: Promise<unknown>) => void,
): ProviderQuota {
  return settingsFrom(env).isLive ? providerQuota(theOne(env, 'COORDINATOR'), after) : UNCOUNTED
}

const keyrings = new WeakMap<Settings, Promise<Keyring>>()

/** The keyring of the signing secrets, opened once. Raises `not_configured` without a secret. */
export function keyringFrom(settings: Settings): Promise<Keyring> {
  const [signing, ...earlier] = settings.signingSecrets
  if (signing === undefined)
    throw problem('not_configured', { detail: 'SIGNING_SECRET is not set.' })
  let keyring = keyrings.get(settings)
  if (!keyring) {
    keyring = openKeyring([signing, ...earlier])
    keyrings.set(settings, keyring)
  }
  return keyring
}

const schedulingConnection = (
  token: string,
  settings: Settings,
  now: () => number,
): SchedulingConnection => ({
  token,
  baseUrl: settings.SCHEDULING_PROVIDER_BASE_URL,
  timeoutMs: settings.PROVIDER_TIMEOUT_SECONDS * SECOND,
  fetch: countedFetch(
    settings.SCHEDULING_PROVIDER,
    SCHEDULING_ADAPTERS[settings.SCHEDULING_PROVIDER].limit,
    ask,
  ),
  now,
  eventTypeIds: settings.practice.eventTypes.map(({ id }) => id),
})

const paymentConnection = (secretKey: string, settings: Settings): PaymentConnection => ({
  secretKey,
  baseUrl: settings.PAYMENT_PROVIDER_BASE_URL,
  timeoutMs: settings.PROVIDER_TIMEOUT_SECONDS * SECOND,
  fetch: countedFetch(
    settings.PAYMENT_PROVIDER,
    PAYMENT_ADAPTERS[settings.PAYMENT_PROVIDER].limit,
    ask,
  ),
  style: settings.PAYMENT_LINK_STYLE,
})

/** The webhooks of a provider that is live now, if it has any. */
export function webhooksFrom(settings: Settings, provider: Provider): ProviderWebhooks | undefined {
  const { SCHEDULING_PROVIDER_TOKEN: token, PAYMENT_PROVIDER_SECRET_KEY: key } = settings
  if (provider === settings.SCHEDULING_PROVIDER && token !== undefined)
    return SCHEDULING_ADAPTERS[provider].webhooks?.(schedulingConnection(token, settings, Date.now))
  if (provider === settings.PAYMENT_PROVIDER && key !== undefined)
    return PAYMENT_ADAPTERS[provider].webhooks?.(paymentConnection(key, settings))
  return undefined
}

/** The mock provider's own object. */
export const mockCalendarFrom = (env: Env) => theOne(env, 'MOCK_CALENDAR')()

/** What the mocks sign their webhooks with. */
export async function mockKeyFrom(env: Env): Promise<string> {
  const keyring = await keyringFrom(settingsFrom(env))
  return webhookKey(keyring, keyring.current, 'mock')
}

/**
 * The mock sends webhooks of its changes only where `MOCK_FAULTS` names them; each is signed and
 * verified.
 */
function notifying(env: Env, { MOCK_FAULTS }: Settings): { notify?: Notify } {
  if (!MOCK_FAULTS.some(({ action }) => action === 'notification')) return {}
  const faults = scriptedFaults(MOCK_FAULTS)
  const send = async (about: Parameters<typeof mockDelivery>[0]) => {
    const key = await mockKeyFrom(env)
    const notification = await mockWebhooks.read(await mockDelivery(about, key), [key], Date.now())
    if (notification !== 'refused') await providerSyncFrom(env).notify('mock', notification)
  }
  return { notify: mockNotify(send, () => faults('notification')) }
}

/** By which the mock finds the bookings of an address, under every signing secret. */
const mockContacts = (settings: Settings) => async (email: string) => {
  const keyring = await keyringFrom(settings)
  const { current, ids } = keyring
  const inOrder = [current, ...ids.filter((id) => id !== current)]
  const address = caselessEmail(email)
  return Promise.all(
    inOrder.map(async (id) => `${id}:${await shortMac(keyring, id, 'mock invitee', address)}`),
  )
}

const schedulings = new WeakMap<Settings, Scheduling>()

/** One instance per settings, since an adapter may cache event types for a minute; none caches a person. */
export function schedulingFrom(env: Env, settings: Settings, now: () => number): Scheduling {
  const token = settings.SCHEDULING_PROVIDER_TOKEN
  const scheduling =
    schedulings.get(settings) ??
    (token === undefined
      ? mockScheduling({
          calendar: () => mockCalendarFrom(env),
          timezone: settings.PRACTICE_TIMEZONE,
          faults: scriptedFaults(settings.MOCK_FAULTS),
          now,
          contactsOf: mockContacts(settings),
          ...notifying(env, settings),
        })
      : SCHEDULING_ADAPTERS[settings.SCHEDULING_PROVIDER].create(
          schedulingConnection(token, settings, now),
        ))
  schedulings.set(settings, scheduling)
  return scheduling
}

/** The platform's own fetch, which must not be called as a method of anything else. */
export const ask: typeof fetch = (input, init) => fetch(input, init)

export function paymentsFrom(env: Env, settings: Settings, origin: string): Payments {
  const { PAYMENT_PROVIDER, PAYMENT_PROVIDER_SECRET_KEY: key } = settings
  if (key !== undefined)
    return PAYMENT_ADAPTERS[PAYMENT_PROVIDER].create(paymentConnection(key, settings))
  return mockPayments({
    origin,
    faults: scriptedFaults(settings.MOCK_FAULTS),
    ledger: () => mockCalendarFrom(env),
    style: settings.PAYMENT_LINK_STYLE,
  })
}

/** The invoices of the mock payment provider, for the page behind its links. */
export { mockInvoice } from '../adapters/payments/mock.ts'
