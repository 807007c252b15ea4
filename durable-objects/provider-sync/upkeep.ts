import type { Provider } from '../../src/core/domain/providers.ts'
import { DAY, HOUR } from '../../src/core/domain/time/duration.ts'
import type { KeptWebhook, MadeWebhook } from '../../src/core/ports/provider-webhooks.ts'
import type { Env } from '../../src/practice/env.ts'
import { ensureProviderHooks } from '../../src/practice/provider-sync/registering.ts'
import { modesFrom } from '../../src/practice/wiring/providers.ts'
import type { AlarmPart } from '../shared/shared-alarm.ts'

/** Checks the webhooks at the providers once a day, and makes anew what is missing: a provider disables one without a word. */
export class WebhookUpkeep implements AlarmPart {
  readonly #sql: SqlStorage
  readonly #env: Env
  /** When they were last checked, as far as it was read. */
  #at: number | undefined

  constructor(sql: SqlStorage, env: Env) {
    this.#sql = sql
    this.#env = env
    sql.exec(
      'CREATE TABLE IF NOT EXISTS webhook_upkeep (one INTEGER PRIMARY KEY, at INTEGER NOT NULL)',
    )
  }

  dueAt(): number | undefined {
    if (!Object.values(modesFrom(this.#env)).includes('live')) return undefined
    this.#at ??= this.#sql.exec<{ at: number }>('SELECT at FROM webhook_upkeep').toArray()[0]?.at
    // The deploy command has just registered them.
    if (this.#at === undefined) this.#checked(Date.now())
    return this.#at! + DAY
  }

  async ring(): Promise<void> {
    // What ends with its instance is done again in an hour: it may have deleted one and not made the next.
    this.#checked(Date.now() - DAY + HOUR)
    try {
      await ensureProviderHooks(this.#env)
    } finally {
      // What fails is tried again tomorrow, not every minute.
      this.#checked(Date.now())
    }
  }

  #checked(now: number): void {
    this.#sql.exec('INSERT OR REPLACE INTO webhook_upkeep VALUES (1, ?)', now)
    this.#at = now
  }
}

/**
 * How many are remembered of each provider. The secret of one that was replaced still verifies what is on its way, or what
 * another run has made meanwhile; and one that could not be deleted yet is still known as ours.
 */
const MOST_MADE = 3

type Row = { made: string; works: number; last_at: number | null }

/** What is kept of the webhook of each provider, in a table of `ProviderSync`. */
export class ProviderWebhookTable {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
    sql.exec(
      'CREATE TABLE IF NOT EXISTS provider_webhooks (provider TEXT PRIMARY KEY, made TEXT NOT NULL, works INTEGER NOT NULL) WITHOUT ROWID',
    )
  }

  kept(provider: Provider): KeptWebhook {
    const [row] = this.#sql
      .exec<Row>(
        `SELECT made, works, (SELECT last_at FROM deliveries WHERE provider = ?1) AS last_at FROM
         (SELECT ?1 AS provider) LEFT JOIN provider_webhooks USING (provider)`,
        provider,
      )
      .toArray()
    return {
      made: JSON.parse(row?.made ?? '[]') as MadeWebhook[],
      works: row?.works === 1,
      lastDelivery: row?.last_at ?? null,
    }
  }

  /** Keeps one as the newest, in place of what was kept of it before. */
  keep(provider: Provider, made: MadeWebhook): void {
    const others = this.kept(provider).made.filter(({ id }) => id !== made.id)
    this.#sql.exec(
      'INSERT INTO provider_webhooks VALUES (?1, ?2, 0) ON CONFLICT DO UPDATE SET made = ?2',
      provider,
      JSON.stringify([made, ...others].slice(0, MOST_MADE)),
    )
  }

  keepWorks(provider: Provider, works: boolean): void {
    this.#sql.exec(
      "INSERT INTO provider_webhooks VALUES (?1, '[]', ?2) ON CONFLICT DO UPDATE SET works = ?2",
      provider,
      Number(works),
    )
  }
}
