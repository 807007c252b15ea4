import { createApp } from './app/app.ts'
import type { Env } from './env.ts'
import { weeklyCheck } from './health/self-check.ts'

export { Access } from '../durable-objects/access.ts'
export { AuditLog } from '../durable-objects/audit-log.ts'
export { Confirmation } from '../durable-objects/confirmation.ts'
export { Coordinator } from '../durable-objects/coordinator.ts'
export { EventLog } from '../durable-objects/event-log.ts'
export { MockCalendar } from '../durable-objects/mock-calendar.ts'
export { ProviderSync } from '../durable-objects/provider-sync.ts'
export { Records } from '../durable-objects/records.ts'

const app = createApp()

/** The Worker: everything over HTTP is the app, and the cron trigger of wrangler.toml is the self-check. */
export default {
  fetch: app.fetch,
  scheduled: (_event, env) => weeklyCheck(env),
} satisfies ExportedHandler<Env>
