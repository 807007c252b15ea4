import { env as bindings } from 'cloudflare:workers'

import { createApp } from './app/app.ts'
import { isDeployed, settingsFrom } from './core/settings.ts'
import { addMockActsRoute } from './owner/admin/mock-acts.ts'
import { weeklyCheck } from './owner/health/self-check.ts'
import type { Env } from './practice/env.ts'
import { theOne } from './practice/wiring/objects.ts'

export { Access } from '../durable-objects/access.ts'
export { AuditLog } from '../durable-objects/audit-log.ts'
export { Backup } from '../durable-objects/backup.ts'
export { Confirmation } from '../durable-objects/confirmation.ts'
export { Coordinator } from '../durable-objects/coordinator.ts'
export { EventLog } from '../durable-objects/event-log.ts'
export { MockCalendar } from '../durable-objects/mock-calendar.ts'
export { ProviderSync } from '../durable-objects/provider-sync.ts'
export { Records } from '../durable-objects/records.ts'

const app = createApp()
// A person acts on the mock only where everything runs on one machine: `npm start`.
if (!isDeployed(bindings)) addMockActsRoute(app)

/** The cron trigger of wrangler.toml by which a backup is made; the other one is the self-check. */
const NIGHTLY = '41 2 * * *'

/** The Worker: everything over HTTP is the app. While a restore fills it, nothing happens by itself. */
export default {
  fetch: app.fetch,
  async scheduled({ cron }, env) {
    if (settingsFrom(env).RESTORE_SHA256 !== undefined) return
    await (cron === NIGHTLY ? theOne(env, 'BACKUP')().nightly() : weeklyCheck(env))
  },
} satisfies ExportedHandler<Env>
