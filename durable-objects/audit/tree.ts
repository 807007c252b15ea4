import { KEPT_EVENTS, leafText } from '../../src/core/domain/audit/leaf.ts'
import {
  type MerkleTree,
  TILE,
  leafHash,
  merkleTree,
  merkleTreeOf,
} from '../../src/core/domain/audit/merkle-tree.ts'
import { base64 } from '../../src/core/domain/audit/signed-note.ts'
import type { Facts } from '../../src/core/domain/facts.ts'
import type { KeptLeaf, NumberedEntry } from '../../src/core/ports/audit.ts'
import { type Sql, raw } from '../shared/sql.ts'

const HASH_LENGTH = 32
/** The levels of the tree whose hashes are stored: of 256 leaves, of 256 of those, and so on. */
const STORED_LEVELS = [8, 16, 24]
const DROPPED_BELOW = 'dropped_below'
/** How many tiles are completed in one go. */
const COMPLETED_AT_ONCE = 64

const encoder = new TextEncoder()

/**
 * The Merkle tree whose leaves are the entries of the audit log. Nothing is hashed while entries
 * arrive: leaf hashes are made when they are asked for, and kept in tiles, which outlive the
 * entries.
 */
export class AuditTree {
  readonly #sql: Sql
  readonly #kv: SyncKvStorage
  /** The hashes of the last tile, as far as they were made. */
  #last: { n: number; hashes: Uint8Array[] } | undefined

  constructor(sql: Sql, kv: SyncKvStorage) {
    this.#sql = sql
    this.#kv = kv
    // A root is there once its 256 leaves are; until then only the hashes of leaves that were dropped.
    sql`
      CREATE TABLE IF NOT EXISTS tiles (level INTEGER, n INTEGER, root BLOB, hashes BLOB,
        PRIMARY KEY (level, n)) WITHOUT ROWID`
  }

  /** How many leaves there are. */
  get size(): number {
    return this.#sql<{
      size: number
    }>`SELECT COALESCE(MAX("index") + 1, 0) AS size FROM entries`[0]!.size
  }

  /** Entries below this number may be dropped, since an entry says so; the others are all there. */
  get droppedBelow(): number {
    return this.#kv.get<number>(DROPPED_BELOW) ?? 0
  }
  set droppedBelow(end: number) {
    this.#kv.put(DROPPED_BELOW, end)
  }

  /** The tree over all leaves, to be asked for roots and proofs of any size up to now. */
  get tree(): MerkleTree {
    const tiles = new Map<number, Promise<Uint8Array[]>>()
    return merkleTree(async (level, n) => {
      if (level > 0) return STORED_LEVELS.includes(level) ? this.#root(level, n) : undefined
      const tile = Math.floor(n / TILE)
      const hashes = tiles.get(tile) ?? this.#hashesOf(tile)
      tiles.set(tile, hashes)
      return (await hashes)[n % TILE]
    })
  }

  /** So many leaves from this one on, whole where their entry is still there. */
  leaves(from: number, count: number): KeptLeaf[] {
    const end = Math.min(from + count, this.size)
    const texts = new Map(this.#rows(from, end).map((row) => [row.index, leafText(entryOf(row))]))
    let tile: { n: number; hashes: Uint8Array[] } | undefined
    return Array.from({ length: Math.max(0, end - from) }, (_, at): KeptLeaf => {
      const i = from + at
      const leaf = texts.get(i)
      if (leaf !== undefined) return { i, leaf }
      const n = Math.floor(i / TILE)
      if (tile?.n !== n) tile = { n, hashes: this.#kept(n) }
      const hash = tile.hashes[i % TILE]
      if (!hash) throw new Error('an entry is missing, and so is its hash')
      return { i, hash: base64(hash) }
    })
  }

  /** Completes tiles, the oldest first; false if there are more to complete. */
  async complete() {
    for (let left = COMPLETED_AT_ONCE; left > 0; left--) {
      const next = this.#nextTile()
      if (!next) return true
      const { level, n } = next
      const isLowest = level === STORED_LEVELS[0]
      const below = isLowest ? await this.#hashesOf(n) : this.#rootsBelow(level, n)
      const root = await merkleTreeOf(below).root(TILE)
      this.#sql`
        INSERT OR REPLACE INTO tiles (level, n, root, hashes)
        VALUES (${level}, ${n}, ${bytesOf([root])}, ${isLowest ? bytesOf(below) : null})`
    }
    return false
  }

  /**
   * Drops the entries before this one, which all are in tiles that are complete but for the last,
   * whose hashes are kept first. Gives the rows that it wrote.
   */
  async drop(end: number): Promise<number> {
    const n = Math.floor(end / TILE)
    const open =
      end % TILE > 0 && !this.#root(STORED_LEVELS[0]!, n) ? await this.#hashesOf(n) : undefined
    if (open) {
      this.#sql`
        INSERT INTO tiles (level, n, root, hashes)
        VALUES (${STORED_LEVELS[0]!}, ${n}, NULL, ${bytesOf(open)})
        ON CONFLICT DO UPDATE SET hashes = excluded.hashes
        WHERE root IS NULL`
    }
    return this.#sql.written`DELETE FROM entries WHERE "index" < ${end} AND ${raw(IS_DROPPED)}`
  }

  /**
   * The entries from the first on that are all older than this: up to where so many of them can be
   * dropped, and how many before that are kept for good.
   */
  oldPrefix(before: number, atMost: number): { end: number; kept: number } {
    let prefix = { end: 0, kept: 0 }
    let [dropped, kept] = [0, 0]
    for (const { index, at, event } of this.#sql.each<Pick<EntryRow, 'index' | 'at' | 'event'>>`
      SELECT "index", at, event FROM entries ORDER BY "index"`) {
      if (at >= before || dropped === atMost) break
      if (KEPT_EVENTS.includes(event)) {
        kept += 1
        continue
      }
      dropped += 1
      prefix = { end: index + 1, kept }
    }
    return prefix
  }

  /** The tile that is to be completed next. */
  #nextTile(): { level: number; n: number } | undefined {
    let below = this.size
    for (const level of STORED_LEVELS) {
      const [last] = this.#sql<{ n: number }>`
        SELECT n FROM tiles
        WHERE level = ${level} AND root IS NOT NULL ORDER BY n DESC LIMIT 1`
      const n = last ? last.n + 1 : 0
      if ((n + 1) * TILE <= below) return { level, n }
      below = n
    }
    return undefined
  }

  /** The hashes of a tile's leaves: those that are kept, then those of the entries that are there. */
  async #hashesOf(n: number): Promise<Uint8Array[]> {
    const kept = this.#last?.n === n ? this.#last.hashes : this.#kept(n)
    if (kept.length === TILE) return kept
    const from = n * TILE + kept.length
    // Read at once, so that nothing is dropped in between.
    const rows = this.#rows(from, (n + 1) * TILE)
    if (rows.some(({ index }, at) => index !== from + at)) throw new Error('an entry is missing')
    const fresh = rows.map((row) => leafHash(encoder.encode(leafText(entryOf(row)))))
    const hashes = [...kept, ...(await Promise.all(fresh))]
    this.#last = { n, hashes }
    return hashes
  }

  #rows(from: number, end: number): EntryRow[] {
    return this.#sql<EntryRow>`
      SELECT ${COLUMNS} FROM entries
      WHERE "index" >= ${from} AND "index" < ${end} ORDER BY "index"`
  }

  #kept(n: number): Uint8Array[] {
    const [row] = this.#sql<{ hashes: ArrayBuffer }>`
      SELECT hashes FROM tiles WHERE level = ${STORED_LEVELS[0]!} AND n = ${n}`
    return row ? hashesIn(row.hashes) : []
  }

  #root(level: number, n: number): Uint8Array | undefined {
    const [row] = this.#sql<{ root: ArrayBuffer }>`
      SELECT root FROM tiles WHERE level = ${level} AND n = ${n} AND root IS NOT NULL`
    return row && new Uint8Array(row.root)
  }

  #rootsBelow(level: number, n: number): Uint8Array[] {
    return this.#sql<{ root: ArrayBuffer }>`
      SELECT root FROM tiles
      WHERE level = ${level - Math.log2(TILE)} AND n >= ${n * TILE} AND n < ${(n + 1) * TILE}
      ORDER BY n`.map(({ root }) => new Uint8Array(root))
  }
}

const IS_DROPPED = `event NOT IN (${KEPT_EVENTS.map((event) => `'${event}'`).join(', ')})`

function bytesOf(hashes: readonly Uint8Array[]): ArrayBuffer {
  const bytes = new Uint8Array(hashes.length * HASH_LENGTH)
  hashes.forEach((hash, at) => bytes.set(hash, at * HASH_LENGTH))
  return bytes.buffer
}

const hashesIn = (bytes: ArrayBuffer): Uint8Array[] =>
  Array.from(
    { length: bytes.byteLength / HASH_LENGTH },
    (_, at) => new Uint8Array(bytes.slice(at * HASH_LENGTH, (at + 1) * HASH_LENGTH)),
  )

/** An entry as its row has it. */
export type EntryRow = Omit<NumberedEntry, 'about'> & { about: string | null }

/** What is read of a row, without what a later version may have added to it before a rollback. */
export const COLUMNS = raw(
  '"index", at, id, event, caller, app, operation, code, record_id, operation_id, request_id, times, shown, about',
)

/** The entry of a row. */
export const entryOf = ({ about, ...row }: EntryRow): NumberedEntry => ({
  ...row,
  about: about === null ? null : (JSON.parse(about) as Facts),
})
