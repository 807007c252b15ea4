import { postAlert } from '../adapters/alert-webhook.ts'
import { accessObject } from '../adapters/cloudflare/access.ts'
import { auditLogObject, eventLogObject, providerSyncObject } from '../adapters/cloudflare/stub.ts'
import {
  coordinatorObject,
  coordinatorOf,
  houseRulesOf,
  coordinatorSelfChecks,
} from '../adapters/cloudflare/coordinator.ts'
import { countedLimits, noLimits } from '../adapters/cloudflare/limits.ts'
import type { PendingAlert, Verdicts } from '../domain/provider-health.ts'
import { isoSeconds } from '../domain/time/time.ts'
import type { Access } from '../ports/access.ts'
import type { AuditLog } from '../ports/audit.ts'
import type { EventLog } from '../ports/events.ts'
import type { ProviderSync } from '../ports/provider-sync.ts'
import type { HouseRules } from '../ports/house-rules.ts'
import type { Limits } from '../ports/services.ts'
import type { ClientErasure, Records } from '../ports/records.ts'
import type { Alert } from '../ports/alerts.ts'
import type { Env } from '../env.ts'
import { settingsFrom } from '../settings.ts'
import { SECOND } from '../domain/time/duration.ts'

/** The masked records, in their one object. */
export const recordsFrom = ({ RECORDS }: Env): Records & ClientErasure =>
  RECORDS.get(RECORDS.idFromName('records'))

/** The coordinator as one confirmation object uses it: takes all locks, unless one is held by another that is busy. */
export const coordinatorFrom = (env: Env, holder: string) =>
  coordinatorOf(env.COORDINATOR, env.CONFIRMATIONS, holder)

export const houseRulesFrom = ({ COORDINATOR }: Env): HouseRules => houseRulesOf(COORDINATOR)

/** What is known of the providers' health. */
export const providerHealthFrom = (env: Env) => coordinatorObject(env.COORDINATOR).providerHealth.read()

export const auditFrom = (env: Env): AuditLog => auditLogObject(env.AUDIT_LOG)

export const eventLogFrom = (env: Env): EventLog => eventLogObject(env.EVENT_LOG)

export const providerSyncFrom = (env: Env): ProviderSync => providerSyncObject(env.PROVIDER_SYNC)

/** Erases what a flow keeps about a client; false if it cannot be read, after a rollback. */
export const eraseFlow = ({ CONFIRMATIONS }: Env, flow: string, clientId: string): Promise<boolean> =>
  CONFIRMATIONS.getByName(flow).erase(clientId)

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
