import type { Provider } from '../src/domain/providers.ts'
import type { Hint } from '../src/ports/provider-webhooks.ts'

/** What the providers' webhooks were about, until it has been read at the provider: ids only, in tables of the event log. */
export class ProviderHints {
  readonly #storage: DurableObjectStorage
  readonly #sql: SqlStorage

  constructor(storage: DurableObjectStorage) {
    const { sql } = storage
    this.#storage = storage
    this.#sql = sql
    // The prefix of an id says what it names: bk_, in_ or plink_.
    sql.exec(
      'CREATE TABLE IF NOT EXISTS hints (target TEXT PRIMARY KEY, due INTEGER NOT NULL, hinted_at INTEGER NOT NULL) WITHOUT ROWID',
    )
    sql.exec(
      'CREATE TABLE IF NOT EXISTS deliveries (provider TEXT PRIMARY KEY, last_at INTEGER NOT NULL) WITHOUT ROWID',
    )
  }

  /**
   * Keeps each target once, due now. A target that waits already is due now too, and is marked as hinted at again, so that
   * whoever is reading it at the provider does not forget it.
   */
  add(provider: Provider, { bookings, invoices, links }: Hint, now: number): void {
    this.#storage.transactionSync(() => {
      this.#sql.exec('INSERT OR REPLACE INTO deliveries VALUES (?, ?)', provider, now)
      for (const target of [...bookings, ...invoices, ...links])
        this.#sql.exec('INSERT OR REPLACE INTO hints VALUES (?, ?, ?)', target, now, now)
    })
  }
}
