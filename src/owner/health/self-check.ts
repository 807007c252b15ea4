import { afterwards, type AppContext } from '../../api/http/app-env.ts'
import { auditEntry } from '../../core/domain/audit/entry.ts'
import { isLoopback } from '../../core/domain/origin.ts'
import { problem } from '../../core/domain/problem/problem.ts'
import {
  type DegradedReason,
  type ProviderReason,
  type Verdicts,
  reasonsOf,
} from '../../core/domain/provider-health.ts'
import { MINUTE, SECOND } from '../../core/domain/time/duration.ts'
import type { Services } from '../../core/ports/services.ts'
import { settingsFrom } from '../../core/settings.ts'
import { VERSION } from '../../core/version.ts'
import { abortedAfter } from '../../core/with-timeout.ts'
import type { Env } from '../../practice/env.ts'
import { ensureProviderWebhooks } from '../../practice/provider-sync/registering.ts'
import {
  keepVerdicts,
  accessFrom,
  auditFrom,
  eventLogFrom,
  providerHealthFrom,
  providerSyncFrom,
  recordsFrom,
  theOne,
} from '../../practice/wiring/objects.ts'
import { WorkerServices } from '../../practice/wiring/services.ts'
import { type Finding, runChecks } from './check-runner.ts'
import { healthChecks, auditCheck, type HealthProbe } from './checks.ts'

/** While a reason holds, reading `/health` checks the providers again, at most this often. */
const RECHECK_AFTER = 15 * MINUTE

const SHOWN_BY: Partial<Record<ProviderReason, readonly string[]>> = {
  scheduling_provider_refuses: ['scheduling', 'event_types'],
  payment_provider_refuses: ['payments'],
}

const PROVIDER_CHECKS: readonly string[] = Object.values(SHOWN_BY).flat()

/** Who asked: the owner, the cron trigger, or a call that a provider refused. */
type Occasion = 'examine_installation' | 'weekly_check' | 'recheck_providers'

/** Runs the checks, records the providers' health, alerts the owner to a change, and audits. Never throws. */
export async function selfCheck(
  env: Env,
  origin: string,
  occasion: Occasion,
  caller = 'none',
): Promise<Finding[]> {
  const services = servicesFrom(env, origin)
  const all = healthChecks(BINDINGS)
  const wanted =
    occasion === 'recheck_providers' ? all.filter(({ id }) => PROVIDER_CHECKS.includes(id)) : all
  const findings = await runChecks(wanted, healthProbeOf(services, env, origin))
  // The coordinator itself may be broken; its own check reports that.
  const changed = await keepVerdicts(env, verdictsOf(findings)).catch(() => false)
  if (occasion === 'recheck_providers' && !changed) return findings
  const code = failedIn(findings)[0] ?? 'ok'
  const about = { version: VERSION }
  const entry = {
    id: crypto.randomUUID(),
    at: Date.now(),
    caller,
    operation: occasion,
    code,
    about,
  }
  const write = () => services.audit.append([auditEntry({ ...entry, event: 'check' })])
  return [...findings, ...(await runChecks([auditCheck], write, findings))]
}

/** The task of the cron trigger: registers webhooks, runs the checks and logs one line with the result. */
export async function weeklyCheck(env: Env) {
  // The checks report a webhook that cannot be registered.
  await ensureProviderWebhooks(env).catch(() => {})
  const failed = failedIn(await selfCheck(env, publicOrigin(env), 'weekly_check'))
  console.log(JSON.stringify({ event: 'check', code: failed[0] ?? 'ok', failed }))
}

const failedIn = (findings: Finding[]) =>
  findings.filter(({ state }) => state === 'failed').map(({ id }) => id)

/** Checks the providers again unless that was just done: after a refusal, and while a reason holds. */
export async function recheckProviders(env: Env) {
  if (!settingsFrom(env).isLive) return
  const origin = publicOrigin(env)
  if (await servicesFrom(env, origin).selfChecks.claimCheck(RECHECK_AFTER))
    await selfCheck(env, origin, 'recheck_providers')
}

const servicesFrom = (env: Env, origin: string): Services => new WorkerServices(env, () => origin)

const publicOrigin = (env: Env) => {
  try {
    return settingsFrom(env).PUBLIC_URL ?? ''
  } catch {
    return ''
  }
}

/** The verdicts of the findings; there is none for a provider that is busy or was not asked. */
function verdictsOf(findings: Finding[]): Verdicts {
  const verdicts: Verdicts = {}
  for (const [reason, ids] of Object.entries(SHOWN_BY) as [ProviderReason, readonly string[]][]) {
    const shown = findings.filter(({ id }) => ids.includes(id))
    if (shown.some(({ code }) => code === 'provider_misconfigured')) verdicts[reason] = true
    else if (shown.every(({ state }) => state === 'ok')) verdicts[reason] = false
  }
  return verdicts
}

/** What needs the owner, for /health. While a reason holds, it starts another check. Never throws. */
export async function healthOf(
  c: AppContext,
): Promise<{ reasons: DegradedReason[]; needs_attention: number | null }> {
  const known = await c.var.services.selfChecks.health().catch(() => undefined)
  if (known === undefined) return { reasons: ['storage_unreadable'], needs_attention: null }
  const { issues, alertedReasons, unresolved } = known
  if (issues.length > 0 || alertedReasons.length > 0) afterwards(c, recheckProviders(c.env))
  return { reasons: reasonsOf(known), needs_attention: unresolved }
}

/**
 * Written, read and gone within a minute: that a namespace can be read says nothing of whether it
 * can be written.
 */
async function kvRoundTrip(namespace: KVNamespace) {
  const key = `doctor:${crypto.randomUUID()}`
  await namespace.put(key, 'probe', { expirationTtl: 60 })
  if ((await namespace.get(key)) !== 'probe') throw new Error('a value did not come back')
  await namespace.delete(key)
}

type Counter = {
  [Binding in keyof Env]-?: Env[Binding] extends RateLimit ? Binding : never
}[keyof Env]
type Trip = (env: Env) => Promise<unknown>

const COUNTERS: Record<Counter, true> = {
  READS_LOW: true,
  READS_NORMAL: true,
  READS_HIGH: true,
  CHANGES_LOW: true,
  CHANGES_NORMAL: true,
  CHANGES_HIGH: true,
}

/**
 * A call of something that changes nothing. A binding that is not here, or among the counters, does
 * not compile.
 */
const ROUND_TRIPS: Record<Exclude<keyof Env, Counter | 'BACKUPS'> | 'rate_limits', Trip> = {
  ACCESS: async (env) => accessFrom(env).owner.passkeys(),
  AUDIT_LOG: async (env) => auditFrom(env).page({ limit: 1 }),
  BACKUP: async (env) => theOne(env, 'BACKUP')().status(),
  RECORDS_KV: ({ RECORDS_KV }) => kvRoundTrip(RECORDS_KV),
  OAUTH_KV: ({ OAUTH_KV }) => kvRoundTrip(OAUTH_KV),
  CONFIRMATIONS: async ({ CONFIRMATIONS }) =>
    CONFIRMATIONS.get(CONFIRMATIONS.idFromName('doctor')).busy(),
  COORDINATOR: async (env) => providerHealthFrom(env),
  EVENT_LOG: async (env) => eventLogFrom(env).page({ types: [], limit: 1 }),
  MOCK_CALENDAR: async (env) => theOne(env, 'MOCK_CALENDAR')().taken(0, 0),
  PROVIDER_SYNC: async (env) => providerSyncFrom(env).overdueNotifications(),
  RECORDS: async (env) => recordsFrom(env).known([]),
  rate_limits: (env) =>
    Promise.all(
      (Object.keys(COUNTERS) as Counter[]).map((name) => env[name].limit({ key: 'doctor' })),
    ),
}

/** The bindings to which a round trip is made. */
export const BINDINGS = Object.keys(ROUND_TRIPS)

/** What the Worker sees of itself; `origin` is its public address. */
function healthProbeOf(services: Services, env: Env, origin: string): HealthProbe {
  const bindings = Object.entries(ROUND_TRIPS).map(
    ([name, trip]) => [name, () => trip(env)] as const,
  )
  return {
    origin,
    isLoopback: origin !== '' && isLoopback(origin),
    settings() {
      const { allowAnonymous, ALLOW_ANONYMOUS, ...settings } = settingsFrom(env)
      const { MOCK_FAULTS, ALERT_WEBHOOK_URL, signingSecrets, practice } = settings
      if (signingSecrets.length === 0)
        throw problem('not_configured', { detail: 'SIGNING_SECRET is not set.' })
      const notAllowed = ALLOW_ANONYMOUS === 'true' ? ('ignored' as const) : ('refused' as const)
      return {
        schedulingPageUrl: practice.schedulingPageUrl,
        anonymous: allowAnonymous ? 'allowed' : notAllowed,
        hasMockFaults: MOCK_FAULTS.length > 0,
        alerts: ALERT_WEBHOOK_URL !== undefined,
      }
    },
    services,
    backup: async () => theOne(env, 'BACKUP')().status(),
    bindings: Object.fromEntries(bindings),
    async statusOf(url) {
      const timeoutMs = settingsFrom(env).PROVIDER_TIMEOUT_SECONDS * SECOND
      return abortedAfter(timeoutMs, async (signal) => {
        const response = await fetch(url, { redirect: 'manual', signal })
        await response.body?.cancel()
        return response.status
      })
    },
  }
}
