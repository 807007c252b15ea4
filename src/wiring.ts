import { postAlert } from './adapters/alert-webhook.ts'
import { deskClient } from './adapters/cloudflare/desk.ts'
import { deskDoubts } from './adapters/cloudflare/doubts.ts'
import { confirmationObjects } from './adapters/cloudflare/confirmations.ts'
import { kvRecords } from './adapters/cloudflare/records.ts'
import { scriptedFaults } from './adapters/mock-faults.ts'
import { mockPayments } from './adapters/payments/mock.ts'
import { mockScheduling } from './adapters/scheduling/mock.ts'
import { openKeyring } from './confirm/keyring.ts'
import type { Mode } from './domain/mode.ts'
import { problem } from './domain/problem.ts'
import type {
  Confirmations,
  Doubts,
  Keyring,
  Payments,
  Ports,
  Scheduling,
  Unresolved,
} from './ports/index.ts'
import type { Env } from './env.ts'
import { type Settings, settingsFrom } from './settings.ts'

/** Which adapter stands behind which port; cheap, and right even where nothing else is configured. */
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
  const { SIGNING_SECRET, SIGNING_SECRET_PREVIOUS } = settings
  if (SIGNING_SECRET === undefined) throw problem('not_configured', { detail: 'SIGNING_SECRET is not set.' })
  let keyring = keyrings.get(settings)
  if (!keyring) {
    keyring = openKeyring([SIGNING_SECRET, ...(SIGNING_SECRET_PREVIOUS ?? [])])
    keyrings.set(settings, keyring)
  }
  return keyring
}

/** What the operations use, chosen by the settings; `origin` is the public address of this service. */
export async function portsFrom(env: Env, origin: string): Promise<Ports> {
  const settings = settingsFrom(env)
  const keyring = await keyringFrom(settings)
  const now = () => Date.now()
  return {
    practice: settings.practice,
    scheduling: schedulingFrom(env, settings, now),
    payments: paymentsFrom(settings, origin),
    records: kvRecords(env.RECORDS),
    keyring,
    now,
  }
}

function schedulingFrom(env: Env, settings: Settings, now: () => number): Scheduling {
  if (settings.SCHEDULING_PROVIDER_TOKEN !== undefined) throw notBuilt('SCHEDULING_PROVIDER_TOKEN')
  const calendar = env.MOCK_CALENDAR.get(env.MOCK_CALENDAR.idFromName('calendar'))
  return mockScheduling({
    calendar,
    timezone: settings.PRACTICE_TIMEZONE,
    faults: scriptedFaults(settings.MOCK_FAULTS),
    now,
  })
}

function paymentsFrom(settings: Settings, origin: string): Payments {
  if (settings.PAYMENT_PROVIDER_SECRET_KEY !== undefined) throw notBuilt('PAYMENT_PROVIDER_SECRET_KEY')
  return mockPayments({ origin, faults: scriptedFaults(settings.MOCK_FAULTS) })
}

const notBuilt = (setting: string) =>
  problem('not_configured', {
    detail: `This version has no live adapter yet; unset ${setting} to use the mock.`,
  })

export const confirmationsFrom = (env: Env): Confirmations => confirmationObjects(env.CONFIRMATIONS)

/** The desk as one confirmation object sees it: takes all targets, unless one is held by another that is busy. */
export const deskFrom = (env: Env, holder: string) => deskClient(env.DESK, env.CONFIRMATIONS, holder)

export const doubtsFrom = (env: Env): Doubts => deskDoubts(env.DESK, env.CONFIRMATIONS)

/** Tells the owner by webhook, if one is set. */
export function sendAlert(env: Env, unresolved: Unresolved): Promise<boolean> {
  const { ALERT_WEBHOOK_URL, PROVIDER_TIMEOUT_SECONDS } = settingsFrom(env)
  return postAlert(ALERT_WEBHOOK_URL, unresolved, PROVIDER_TIMEOUT_SECONDS * 1000)
}

/** The invoices of the mock payment provider, for the page behind its links. */
export { mockInvoice } from './adapters/payments/mock.ts'
