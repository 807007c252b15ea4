import { DAY, HOUR } from '../../src/core/domain/time/duration.ts'
import type { Env } from '../../src/practice/env.ts'
import { ensureProviderWebhooks } from '../../src/practice/provider-sync/registering.ts'
import { modesFrom } from '../../src/practice/wiring/providers.ts'
import type { AlarmPart } from '../shared/shared-alarm.ts'
import { type Sql, sqlOf } from '../shared/sql.ts'

/**
 * Checks the webhooks at the providers once a day, and registers missing ones again: a provider
 * disables one without notice.
 */
export class WebhookUpkeep implements AlarmPart {
  readonly #sql: Sql
  readonly #env: Env
  /** When they were last checked, as far as it was read. */
  #at: number | undefined

  constructor(sql: SqlStorage, env: Env) {
    this.#sql = sqlOf(sql)
    this.#env = env
    sql.exec(
      'CREATE TABLE IF NOT EXISTS webhook_upkeep (one INTEGER PRIMARY KEY, at INTEGER NOT NULL)',
    )
  }

  dueAt(): number | undefined {
    if (!Object.values(modesFrom(this.#env)).includes('live')) return undefined
    this.#at ??= this.#sql<{ at: number }>`SELECT at FROM webhook_upkeep`[0]?.at
    // The deploy command has just registered them.
    if (this.#at === undefined) this.#checked(Date.now())
    return this.#at! + DAY
  }

  async ring(): Promise<void> {
    // What ends with its instance is done again in an hour: it may have deleted one and not made the next.
    this.#checked(Date.now() - DAY + HOUR)
    try {
      await ensureProviderWebhooks(this.#env)
    } finally {
      // What fails is tried again tomorrow, not every minute.
      this.#checked(Date.now())
    }
  }

  #checked(now: number): void {
    this.#sql`INSERT OR REPLACE INTO webhook_upkeep (one, at) VALUES (1, ${now})`
    this.#at = now
  }
}
