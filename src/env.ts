import type { Audit } from '../durable-objects/audit.ts'
import type { Confirmation } from '../durable-objects/confirmation.ts'
import type { Credentials } from '../durable-objects/credentials.ts'
import type { Desk } from '../durable-objects/desk.ts'
import type { MockCalendar } from '../durable-objects/mock-calendar.ts'
import type { Records } from '../durable-objects/records.ts'
import type { Owner } from '../durable-objects/owner.ts'

/** The bindings of wrangler.toml; the settings beside them are read by `settingsFrom` only. */
export interface Env {
  AUDIT: DurableObjectNamespace<Audit>
  CONFIRMATIONS: DurableObjectNamespace<Confirmation>
  CREDENTIALS: DurableObjectNamespace<Credentials>
  DESK: DurableObjectNamespace<Desk>
  MOCK_CALENDAR: DurableObjectNamespace<MockCalendar>
  OAUTH_KV: KVNamespace
  OWNER: DurableObjectNamespace<Owner>
  RECORDS: DurableObjectNamespace<Records>
  RECORDS_KV: KVNamespace
  READS_LOW: RateLimit
  READS_NORMAL: RateLimit
  READS_HIGH: RateLimit
  CHANGES_LOW: RateLimit
  CHANGES_NORMAL: RateLimit
  CHANGES_HIGH: RateLimit
}
