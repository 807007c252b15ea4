import type { Provider } from '../../src/core/domain/providers.ts'
import type { KeptWebhook, MadeWebhook } from '../../src/core/ports/provider-webhooks.ts'
import { type Sql, sqlOf } from '../shared/sql.ts'

/**
 * How many are remembered of each provider. The secret of one that was replaced still verifies what
 * is on its way, or what another run has made meanwhile; and one that could not be deleted yet is
 * still known as ours.
 */
const MOST_MADE = 3

type Row = { made: string; works: number; last_at: number | null }

/** What is kept of the webhook of each provider, in a table of `ProviderSync`. */
export class ProviderWebhookTable {
  readonly #sql: Sql

  constructor(sql: SqlStorage) {
    this.#sql = sqlOf(sql)
    sql.exec(
      'CREATE TABLE IF NOT EXISTS provider_webhooks (provider TEXT PRIMARY KEY, ' +
        'made TEXT NOT NULL, works INTEGER NOT NULL) WITHOUT ROWID',
    )
  }

  kept(provider: Provider): KeptWebhook {
    const [row] = this.#sql<Row>`
      SELECT made, works, (SELECT last_at FROM deliveries WHERE provider = ${provider}) AS last_at
      FROM (SELECT ${provider} AS provider) LEFT
      JOIN provider_webhooks USING (provider)`
    return {
      made: JSON.parse(row?.made ?? '[]') as MadeWebhook[],
      works: row?.works === 1,
      lastDelivery: row?.last_at ?? null,
    }
  }

  /** Keeps one as the newest, in place of what was kept of it before. */
  keep(provider: Provider, made: MadeWebhook): void {
    const others = this.kept(provider).made.filter(({ id }) => id !== made.id)
    this.#sql`
      INSERT INTO provider_webhooks (provider, made, works)
      VALUES (${provider}, ${JSON.stringify([made, ...others].slice(0, MOST_MADE))}, 0)
      ON CONFLICT DO UPDATE SET made = ${JSON.stringify([made, ...others].slice(0, MOST_MADE))}`
  }

  keepWorks(provider: Provider, works: boolean): void {
    this.#sql`
      INSERT INTO provider_webhooks (provider, made, works)
      VALUES (${provider}, '[]', ${Number(works)})
      ON CONFLICT DO UPDATE SET works = ${Number(works)}`
  }
}
