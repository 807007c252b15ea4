import { RpcTarget } from 'cloudflare:workers'

import { base64url, hmac } from '../../src/core/crypto/encoding.ts'
import { DAY, MINUTE, SECOND } from '../../src/core/domain/time/duration.ts'
import type { Access, Guess, Quota } from '../../src/core/ports/access.ts'
import type { Served } from '../../src/practice/adapters/cloudflare/stub.ts'
import type { Sql } from '../shared/sql.ts'

const FREE_FAILURES = 3
const FIRST_WAIT = 5 * SECOND
const LONGEST_WAIT = 15 * MINUTE
/** How many networks are counted at a time, of each kind, and how many make room for the next. */
const MOST_NETWORKS = 1000
const MAKE_ROOM = 100

type Attempt = { times: number; waitUntil: number; until: number }

/**
 * Counts what each network asks for, and its wrong answers. What strangers cause to be written is
 * bounded by their number.
 */
export class Attempts extends RpcTarget implements Served<Access['attempts']> {
  readonly #sql: Sql
  readonly #kv: SyncKvStorage
  readonly #wake: () => void
  readonly #networks = new Map<Quota | Guess, number>()

  /** `wake` sees to it that what ends is dropped. */
  constructor(sql: Sql, kv: SyncKvStorage, wake: () => void) {
    super()
    this.#sql = sql
    this.#kv = kv
    this.#wake = wake
    sql`
      CREATE TABLE IF NOT EXISTS attempts (kind TEXT, network TEXT, times INTEGER NOT NULL,
        wait_until INTEGER NOT NULL, until INTEGER NOT NULL,
        PRIMARY KEY (kind, network)) WITHOUT ROWID`
  }

  /** Seconds to wait if there were too many in the window, else 0. */
  async countCall(quota: Quota, network: string, most: number, windowMs: number) {
    const name = await this.#nameOf(network)
    const now = Date.now()
    const known = this.#known(quota, name, now)
    const { times, until } = known ?? { times: 0, until: now + windowMs }
    if (times >= most) return seconds(until - now)
    this.#keep(quota, name, { times: times + 1, waitUntil: 0, until }, known === undefined)
    return 0
  }

  /**
   * Seconds to wait, in which case it is not counted, else 0: the first few are free, then each
   * doubles the delay.
   */
  async countFailure(guess: Guess, network: string) {
    const name = await this.#nameOf(network)
    const now = Date.now()
    const known = this.#known(guess, name, now)
    if (known && known.waitUntil > now) return seconds(known.waitUntil - now)
    const times = (known?.times ?? 0) + 1
    const over = times - FREE_FAILURES
    const wait = over < 0 ? 0 : Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(over, 20))
    this.#keep(guess, name, { times, waitUntil: now + wait, until: now + DAY }, known === undefined)
    return 0
  }

  /** Rows were dropped: the rows that are left are counted again. */
  dropped() {
    this.#networks.clear()
  }

  #known(kind: Quota | Guess, name: string, now: number): Attempt | undefined {
    return this.#sql<Attempt>`
      SELECT times, wait_until AS waitUntil, until FROM attempts
      WHERE kind = ${kind} AND network = ${name} AND until > ${now}`[0]
  }

  /** Where too many networks are counted, those that would be forgotten first are forgotten now. */
  #keep(kind: Quota | Guess, name: string, { times, waitUntil, until }: Attempt, isNew: boolean) {
    if (isNew) {
      const counted = this.#networks.get(kind) ?? this.#count(kind)
      const isFull = counted >= MOST_NETWORKS
      if (isFull)
        this.#sql`
          DELETE FROM attempts
          WHERE kind = ${kind}
          AND network IN (SELECT network FROM attempts WHERE kind = ${kind}
            ORDER BY until LIMIT ${MAKE_ROOM})`
      this.#networks.set(kind, counted + 1 - (isFull ? MAKE_ROOM : 0))
    }
    this.#sql`
      INSERT OR REPLACE INTO attempts (kind, network, times, wait_until, until)
      VALUES (${kind}, ${name}, ${times}, ${waitUntil}, ${until})`
    this.#wake()
  }

  /** A network under a key that only this object has, so that the table shows no one's address. */
  async #nameOf(network: string) {
    let salt = this.#kv.get<Uint8Array>('salt')
    if (!salt) {
      salt = crypto.getRandomValues(new Uint8Array(32))
      this.#kv.put('salt', salt)
    }
    const mac = await hmac(salt, new TextEncoder().encode(network))
    return base64url(mac.slice(0, 16))
  }

  #count(kind: Quota | Guess): number {
    return this.#sql<{ n: number }>`SELECT count(*) AS n FROM attempts WHERE kind = ${kind}`[0]!.n
  }
}

const seconds = (milliseconds: number) => Math.ceil(milliseconds / SECOND)
