import { afterwards, type AppContext } from '../../api/http/app-env.ts'
import { auditEntry } from '../../core/domain/audit/entry.ts'
import {
  type DegradedReason,
  type ProviderReason,
  type Verdicts,
  reasonsOf,
} from '../../core/domain/provider-health.ts'
import { MINUTE } from '../../core/domain/time/duration.ts'
import type { Services } from '../../core/ports/services.ts'
import { settingsFrom } from '../../core/settings.ts'
import { VERSION } from '../../core/version.ts'
import type { Env } from '../../practice/env.ts'
import { ensureProviderWebhooks } from '../../practice/provider-sync/registering.ts'
import { keepVerdicts } from '../../practice/wiring/objects.ts'
import { WorkerServices } from '../../practice/wiring/services.ts'
import { type Finding, runChecks } from './check-runner.ts'
import { HEALTH_CHECKS, auditCheck } from './checks.ts'

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
  const wanted =
    occasion === 'recheck_providers'
      ? HEALTH_CHECKS.filter(({ id }) => PROVIDER_CHECKS.includes(id))
      : HEALTH_CHECKS
  const findings = await runChecks(wanted, { env, origin, services })
  // The coordinator itself may be broken; its own check reports that.
  const changed = await keepVerdicts(env, verdictsOf(findings)).catch(() => false)
  if (occasion === 'recheck_providers' && !changed) return findings
  const code = failedIn(findings)[0] ?? 'ok'
  const entry = auditEntry({
    id: crypto.randomUUID(),
    at: Date.now(),
    event: 'check',
    caller,
    operation: occasion,
    code,
    about: { version: VERSION },
  })
  const write = () => services.audit.append([entry])
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
