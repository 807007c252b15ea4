import type { Anchor } from '../src/ports/anchors.ts'

type AnchorRow = Record<string, SqlStorageValue> & Omit<Anchor, 'proof'> & { proof: ArrayBuffer }

/** The checkpoints of the audit log that left the house, with what came back; kept for good. */
export class AuditAnchors {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
    sql.exec(
      'CREATE TABLE IF NOT EXISTS anchors (size INTEGER PRIMARY KEY, note TEXT NOT NULL, kind TEXT NOT NULL, at INTEGER NOT NULL, proof BLOB NOT NULL)',
    )
  }

  add({ size, note, kind, at, proof }: Anchor): void {
    this.#sql.exec(
      'INSERT OR IGNORE INTO anchors VALUES (?, ?, ?, ?, ?)',
      size,
      note,
      kind,
      at,
      proof.slice().buffer,
    )
  }

  /** The one that covers most entries. */
  last(): Anchor | undefined {
    return this.#read('ORDER BY size DESC LIMIT 1')[0]
  }

  /** Those that cover more entries than this, the smallest first. */
  after(size: number, count: number): Anchor[] {
    return this.#read('WHERE size > ? ORDER BY size LIMIT ?', size, count)
  }

  #read(which: string, ...given: number[]): Anchor[] {
    return this.#sql
      .exec<AnchorRow>(`SELECT size, note, kind, at, proof FROM anchors ${which}`, ...given)
      .toArray()
      .map((row) => ({ ...row, proof: new Uint8Array(row.proof) }))
  }
}
