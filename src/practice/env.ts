import type { Access } from '../../durable-objects/access.ts'
import type { AuditLog } from '../../durable-objects/audit-log.ts'
import type { Backup } from '../../durable-objects/backup.ts'
import type { Confirmation } from '../../durable-objects/confirmation.ts'
import type { Coordinator } from '../../durable-objects/coordinator.ts'
import type { EventLog } from '../../durable-objects/event-log.ts'
import type { MockCalendar } from '../../durable-objects/mock-calendar.ts'
import type { ProviderSync } from '../../durable-objects/provider-sync.ts'
import type { Records } from '../../durable-objects/records.ts'

/** The bindings of wrangler.toml; the settings beside them are read by `settingsFrom` only. */
export interface Env {
  ACCESS: DurableObjectNamespace<Access>
  AUDIT_LOG: DurableObjectNamespace<AuditLog>
  BACKUP: DurableObjectNamespace<Backup>
  /** Not in wrangler.toml: `npm run deploy` adds it where the owner said yes, and `startLocal` always. */
  BACKUPS?: R2Bucket
  CONFIRMATIONS: DurableObjectNamespace<Confirmation>
  COORDINATOR: DurableObjectNamespace<Coordinator>
  EVENT_LOG: DurableObjectNamespace<EventLog>
  MOCK_CALENDAR: DurableObjectNamespace<MockCalendar>
  OAUTH_KV: KVNamespace
  PROVIDER_SYNC: DurableObjectNamespace<ProviderSync>
  RECORDS: DurableObjectNamespace<Records>
  RECORDS_KV: KVNamespace
  READS_LOW: RateLimit
  READS_NORMAL: RateLimit
  READS_HIGH: RateLimit
  CHANGES_LOW: RateLimit
  CHANGES_NORMAL: RateLimit
  CHANGES_HIGH: RateLimit
}
