import type { PendingAlert, TriedChange, Verdicts } from '../../core/domain/provider-health.ts'
import { SECOND } from '../../core/domain/time/duration.ts'
import { isoSeconds } from '../../core/domain/time/time.ts'
import type { Access } from '../../core/ports/access.ts'
import type { AuditLog } from '../../core/ports/audit.ts'
import type { EventLog } from '../../core/ports/events.ts'
import type { HouseRules } from '../../core/ports/house-rules.ts'
import type { ProviderSync } from '../../core/ports/provider-sync.ts'
import type { ClientErasure, Records } from '../../core/ports/records.ts'
import type { Limits, SelfChecks } from '../../core/ports/services.ts'
import type { Alert } from '../../core/ports/unresolved.ts'
import { settingsFrom, settingsOrNone } from '../../core/settings.ts'
import { postAlert } from '../adapters/alerts.ts'
import { accessObject } from '../adapters/cloudflare/access.ts'
import {
  coordinatorOf,
  houseRulesOf,
  coordinatorSelfChecks,
} from '../adapters/cloudflare/coordinator.ts'
import { countedLimits, noLimits } from '../adapters/cloudflare/limits.ts'
import { locationHintOf } from '../adapters/cloudflare/location-hint.ts'
import { stubOf } from '../adapters/cloudflare/stub.ts'
import { forgetNotFound } from '../adapters/not-found.ts'
import type { Env } from '../env.ts'

/** The objects of which a practice has one, by their names. */
const ONE = {
  ACCESS: 'access',
  AUDIT_LOG: 'audit-log',
  BACKUP: 'backup',
  COORDINATOR: 'coordinator',
  EVENT_LOG: 'event-log',
  MOCK_CALENDAR: 'calendar',
  PROVIDER_SYNC: 'provider-sync',
  RECORDS: 'records',
} as const

type Near = DurableObjectNamespaceGetDurableObjectOptions | undefined
const near = new WeakMap<Env, { options: Near }>()

/** Where an object is made: near the practice. Settings that are wrong keep nothing from being looked up. */
function nearPractice(env: Env): Near {
  const known = near.get(env)
  if (known) return known.options
  const zone = settingsOrNone(env)?.practice.timezone
  const locationHint = zone && locationHintOf(zone)
  const options = locationHint ? { locationHint } : undefined
  near.set(env, { options })
  return options
}

/**
 * Looks up an object of which a practice has one. The first call makes it, near the practice; there
 * it stays.
 */
export const theOne =
  <Binding extends keyof typeof ONE>(env: Env, binding: Binding) =>
  (): ReturnType<Env[Binding]['getByName']> => {
    const objects: Pick<DurableObjectNamespace, 'get' | 'idFromName'> = env[binding]
    return objects.get(objects.idFromName(ONE[binding]), nearPractice(env)) as ReturnType<
      Env[Binding]['getByName']
    >
  }

/** The masked records, in their one object. */
export const recordsFrom = (env: Env) => stubOf<Records & ClientErasure>(theOne(env, 'RECORDS'))

/**
 * The coordinator as one confirmation object uses it: takes all locks, unless one is held by
 * another that is busy.
 */
export const coordinatorFrom = (env: Env, holder: string) =>
  coordinatorOf(theOne(env, 'COORDINATOR'), env.CONFIRMATIONS, holder)

export const houseRulesFrom = (env: Env): HouseRules => houseRulesOf(theOne(env, 'COORDINATOR'))

export const auditFrom = (env: Env) => stubOf<AuditLog>(theOne(env, 'AUDIT_LOG'))

export const eventLogFrom = (env: Env) => stubOf<EventLog>(theOne(env, 'EVENT_LOG'))

export function providerSyncFrom(env: Env): ProviderSync {
  const object = theOne(env, 'PROVIDER_SYNC')
  return stubOf<ProviderSync>(object, {
    async notify(...given) {
      forgetNotFound()
      await object().notify(...given)
    },
  })
}

/** Erases what a flow keeps about a client; false if it cannot be read, after a rollback. */
export const eraseFlow = (
  { CONFIRMATIONS }: Env,
  flow: string,
  clientId: string,
): Promise<boolean> => CONFIRMATIONS.getByName(flow).erase(clientId)

const access = new WeakMap<Env, Access>()

/** Keys, the owner and grants; made once for an environment. */
export function accessFrom(env: Env): Access {
  // Not `Date.now` itself: a test that replaces the clock gets its own back afterwards.
  const known = access.get(env) ?? accessObject(theOne(env, 'ACCESS'), () => Date.now())
  access.set(env, known)
  return known
}

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
  const settings = settingsFrom(env)
  const { PUBLIC_URL } = settings
  return postAlert(event, {
    to: settings.ALERT_WEBHOOK_URL,
    page: PUBLIC_URL === undefined ? undefined : new URL('/owner', PUBLIC_URL).href,
    title: settings.practice.name,
    timeoutMs: settings.PROVIDER_TIMEOUT_SECONDS * SECOND,
  })
}

/** Logs what the owner has to know, and tells them. Whether that arrived; it never rejects. */
export function raiseAlert(env: Env, alert: Alert): Promise<boolean> {
  console.error(JSON.stringify(alert))
  return sendAlert(env, alert).catch(() => false)
}

/** Keeps what a look found, and alerts the owner to a change. Whether something changed. */
export const keepVerdicts = (env: Env, verdicts: Verdicts): Promise<boolean> =>
  alertAfter(env, (selfChecks) => selfChecks.recordVerdicts(verdicts))

/** The same of a change that a provider took or refused. */
export const keepChange = (env: Env, change: TriedChange): Promise<boolean> =>
  alertAfter(env, (selfChecks) => selfChecks.recordChange(change))

async function alertAfter(
  env: Env,
  record: (selfChecks: SelfChecks) => Promise<PendingAlert | undefined>,
) {
  const selfChecks = coordinatorSelfChecks(theOne(env, 'COORDINATOR'), Date.now, env.COORDINATOR)
  const pending = await record(selfChecks)
  if (pending === undefined) return false
  const alert = alertOf(pending)
  if (!(await raiseAlert(env, alert))) await selfChecks.alertFailed(pending.alertedBefore)
  return true
}

function alertOf({ issues }: PendingAlert): Alert {
  if (issues.length === 0) return { event: 'recovered' }
  const reasons = issues.map(({ reason, since, change }) => ({
    reason,
    since: isoSeconds(since),
    ...(change && { operation: change.operation }),
  }))
  return { event: 'degraded', reasons }
}
