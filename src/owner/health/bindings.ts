import { isLoopback } from '../../core/domain/origin.ts'
import { problem } from '../../core/domain/problem/problem.ts'
import { SECOND } from '../../core/domain/time/duration.ts'
import type { Services } from '../../core/ports/services.ts'
import { settingsFrom } from '../../core/settings.ts'
import { abortedAfter } from '../../core/with-timeout.ts'
import type { Env } from '../../practice/env.ts'
import {
  accessFrom,
  auditFrom,
  eventLogFrom,
  providerHealthFrom,
  providerSyncFrom,
  recordsFrom,
  theOne,
} from '../../practice/wiring/objects.ts'
import type { HealthProbe } from './checks.ts'

/**
 * Written, read and gone within a minute: that a namespace can be read says nothing of whether it
 * can be written.
 */
async function kvRoundTrip(namespace: KVNamespace): Promise<void> {
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
export function healthProbeOf(services: Services, env: Env, origin: string): HealthProbe {
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
