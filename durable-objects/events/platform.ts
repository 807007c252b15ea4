import { auditEntry } from '../../src/core/domain/audit/entry.ts'
import { EVERYBODY } from '../../src/core/domain/rules/house-rules.ts'
import { ANONYMOUS_CALLER, TRIAL_CALLER } from '../../src/core/domain/scopes.ts'
import { isoSeconds } from '../../src/core/domain/time/time.ts'
import { settingsFrom } from '../../src/core/settings.ts'
import { abortedAfter, withTimeout } from '../../src/core/with-timeout.ts'
import type { Env } from '../../src/practice/env.ts'
import { practiceMode } from '../../src/practice/operations/operation.ts'
import {
  accessFrom,
  auditFrom,
  houseRulesFrom,
  sendAlert,
} from '../../src/practice/wiring/objects.ts'
import { keyringFrom, providerModesFrom } from '../../src/practice/wiring/providers.ts'
import type { SubscriptionRow } from './subscriptions.ts'

/** A request as it is sent. */
interface Delivery {
  url: string
  headers: Record<string, string>
  body: string
}

export type WebhookPlatform = ReturnType<typeof webhookPlatform>

/** What webhooks use of the platform, of the settings and of the other objects. */
export const webhookPlatform = (env: Env) => ({
  now: () => Date.now(),
  random: () => Math.random(),
  keyring: async () => keyringFrom(settingsFrom(env)),
  mode: () => practiceMode(providerModesFrom(env)),
  /** The public address of this service; undefined where the settings name none. */
  publicUrl: () => settingsFrom(env).PUBLIC_URL,
  /** Waits for a promise, so long at most. */
  withTimeout,
  callers: () => callersIn(env),
  /** Reports a subscription that stopped by itself; false, or a rejection, where that is to be done again. */
  report: (row: SubscriptionRow) => reported(row, env),
  /**
   * Sends a request, and answers what came back within `ms`; rejects with a TimeoutError where nothing
   * did.
   */
  post({ url, headers, body }: Delivery, ms: number) {
    const init = { method: 'POST', redirect: 'manual', headers, body } as const
    return abortedAfter(ms, (signal) => fetch(url, { ...init, signal }))
  },
})

/** What is known of those who have subscribed. */
async function callersIn(env: Env) {
  const access = accessFrom(env)
  const [keys, sets, hasOwner] = await Promise.all([
    access.listKeys(),
    houseRulesFrom(env).all(),
    access.owner.hasPasskeys(),
  ])
  const now = Date.now()
  const { OWNER_KEY_SHA256, TRIAL_KEY_SHA256, allowAnonymous } = settingsFrom(env)
  const good = new Set([
    // The owner makes webhooks in the console too, without the first key.
    ...(OWNER_KEY_SHA256 !== undefined || hasOwner ? ['owner'] : []),
    ...(allowAnonymous ? [ANONYMOUS_CALLER] : []),
    ...(allowAnonymous && TRIAL_KEY_SHA256 !== undefined ? [TRIAL_CALLER] : []),
    ...keys
      .filter(({ revoked_at, expires_at }) => revoked_at === null && (expires_at ?? Infinity) > now)
      .map(({ id }) => `key:${id}`),
  ])
  const paused = new Set(sets.filter(({ rules }) => rules.paused).map(({ caller }) => caller))
  return {
    /** Whether the credential of a caller holds. */
    isGood: (caller: string) => good.has(caller),
    /** Whether the owner has paused it, or everybody. */
    isPaused: (caller: string) => paused.has(EVERYBODY) || paused.has(caller),
  }
}

/**
 * Writes the audit entry of a subscription that stopped by itself, and alerts the owner; whether
 * the alert was taken.
 */
async function reported(
  { id, caller, state, unreported, stopped_at, failing_since, url }: SubscriptionRow,
  env: Env,
) {
  const at = stopped_at ?? 0
  await auditFrom(env).append([
    auditEntry({
      id: unreported ?? '',
      at,
      event: 'webhook',
      caller,
      operation: 'deliver_webhook',
      code: state,
      record_id: id,
    }),
  ])
  if (state !== 'paused' || url === '') return true
  const since = isoSeconds(failing_since ?? at)
  const alert = { event: 'webhook_paused', webhook_id: id, caller, since } as const
  console.error(JSON.stringify(alert))
  return sendAlert(env, alert)
}
