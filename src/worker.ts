import { createApp } from './app/app.ts'
import type { Env } from './env.ts'
import { weeklyCheck } from './health/self-check.ts'

export { Audit } from '../durable-objects/audit.ts'
export { Confirmation } from '../durable-objects/confirmation.ts'
export { Credentials } from '../durable-objects/credentials.ts'
export { Desk } from '../durable-objects/desk.ts'
export { MockCalendar } from '../durable-objects/mock-calendar.ts'
export { Owner } from '../durable-objects/owner.ts'
export { Records } from '../durable-objects/records.ts'

const app = createApp()

/** The Worker: everything over HTTP is the app, and the cron trigger of wrangler.toml is the self-check. */
export default {
  fetch: app.fetch,
  scheduled: (_event, env) => weeklyCheck(env),
} satisfies ExportedHandler<Env>
