import type { Context } from 'hono'
import { selfCheck } from '../health/self-check.ts'
import type { Finding } from '../health/check-runner.ts'
import type { AppEnv } from '../http/app-env.ts'
import type { Act } from './acts.ts'
import { passkeyItem } from './items-load.ts'
import { type Visit, part, shellOf } from './load.ts'
import type { RefusedForm } from './rules-section.ts'
import { ownerSettingsPage } from './settings.ts'

/** The page of the settings; after a form that was refused, or after a check, with what came of it. */
export async function showSettings(
  c: Context<AppEnv>,
  visit: Visit,
  { refused, findings }: { refused?: RefusedForm; findings?: Finding[] } = {},
): Promise<string> {
  const { access } = c.var.services
  const [shell, passkeys] = await Promise.all([
    shellOf(c, '/owner/settings', visit),
    part(async () => (await access.passkeys()).map(passkeyItem)),
  ])
  return ownerSettingsPage({ shell, passkeys, refused, findings })
}

/** Has the connector examine itself, and shows what it found. */
export const examine: Act = async (c, { session }) => {
  const findings = await selfCheck(c.env, c.var.site().origin, 'examine_installation', c.var.log.caller)
  return c.html(await showSettings(c, { session }, { findings }))
}
