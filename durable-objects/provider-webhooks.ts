import type { Provider } from '../src/domain/providers.ts'
import type { KeptWebhook } from '../src/ports/provider-webhooks.ts'

/** A secret that was replaced still verifies what is on its way, or what another run has made meanwhile. */
const SECRETS_KEPT = 2

type Row = { id: string | null; secrets: string; works: number; last_at: number | null }

/** What is kept of the webhook of each provider, in a table of the event log. */
export class ProviderWebhookTable {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
    sql.exec(
      'CREATE TABLE IF NOT EXISTS provider_webhooks (provider TEXT PRIMARY KEY, id TEXT, secrets TEXT NOT NULL, works INTEGER NOT NULL) WITHOUT ROWID',
    )
  }

  kept(provider: Provider): KeptWebhook {
    const [row] = this.#sql
      .exec<Row>(
        `SELECT id, secrets, works, (SELECT last_at FROM deliveries WHERE provider = ?1) AS last_at FROM
         (SELECT ?1 AS provider) LEFT JOIN provider_webhooks USING (provider)`,
        provider,
      )
      .toArray()
    return {
      id: row?.id ?? null,
      secrets: JSON.parse(row?.secrets ?? '[]') as string[],
      works: row?.works === 1,
      lastDelivery: row?.last_at ?? null,
    }
  }

  /** Keeps a sealed secret, with the id of the webhook that it belongs to; in place of the earlier one of the same webhook. */
  keepSecret(provider: Provider, id: string, sealed: string): void {
    const known = this.kept(provider)
    const earlier = known.id === id ? known.secrets.slice(1) : known.secrets
    const secrets = JSON.stringify([sealed, ...earlier].slice(0, SECRETS_KEPT))
    this.#sql.exec(
      'INSERT INTO provider_webhooks VALUES (?1, ?2, ?3, 0) ON CONFLICT DO UPDATE SET id = ?2, secrets = ?3',
      provider,
      id,
      secrets,
    )
  }

  keepWorks(provider: Provider, works: boolean): void {
    this.#sql.exec(
      "INSERT INTO provider_webhooks VALUES (?1, NULL, '[]', ?2) ON CONFLICT DO UPDATE SET works = ?2",
      provider,
      Number(works),
    )
  }
}
