import { DurableObject } from 'cloudflare:workers'

import { base64, fromBase64 } from '../../src/core/domain/audit/signed-note.ts'
import type { Cell, CopiedPage, CopyPlace } from '../../src/core/ports/backup.ts'
import type { Env } from '../../src/practice/env.ts'
import { type Sql, sqlOf } from './sql.ts'

/** What ends by itself, or is good for one installation only. */
const NOT_COPIED =
  'approvals attempts ended_grants invitations salt tickets used_challenges used_tokens'.split(' ')
/**
 * About how many characters a page has. An object answers other calls between two pages; a page
 * waits behind these calls, so a backup beside many callers needs few pages.
 */
const PAGE = 256_000

/** An object whose tables and values are in a backup, and come back from one. */
export abstract class CopiedObject extends DurableObject<Env> {
  protected readonly sql: Sql = sqlOf(this.ctx.storage.sql)

  /**
   * A page of what is kept, from the beginning or after a place: nothing that is numbered later
   * than the first page.
   */
  copy(place?: CopyPlace): CopiedPage & { next?: CopyPlace } {
    const known = this.#tables()
    const newest =
      place?.newest ??
      known.map(({ t, isKeyed }) => (isKeyed ? null : this.#number('MAX(rowid)', t)))
    const page: CopiedPage = { values: place ? {} : this.#values(), tables: [] }
    let { table, after } = place ?? { table: 0, after: [] }
    let length = 0
    for (; table < known.length; table++, after = []) {
      const { t, columns } = known[table]!
      const keys = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk)
      const key = keys.map(({ name }) => `"${name}"`).join(', ')
      const isAfter =
        after.length === 0 ? 'TRUE' : `(${key}) > (${after.map(() => '?').join(', ')})`
      const isIn = newest[table] === null ? isAfter : `rowid <= ${newest[table]} AND ${isAfter}`
      const rows: Cell[][] = []
      page.tables.push({ t, c: columns.map(({ name }) => name), rows })
      const sql = `SELECT * FROM ${t} WHERE ${isIn} ORDER BY ${key}`
      for (const row of this.ctx.storage.sql.exec(sql, ...after.map(valueOf))) {
        rows.push(columns.map(({ name }) => cellOf(row[name]!)))
        length += JSON.stringify(rows.at(-1)).length
        if (length > PAGE)
          return {
            ...page,
            next: { table, newest, after: keys.map(({ name }) => cellOf(row[name]!)) },
          }
      }
    }
    return page
  }

  /** How many rows each table has. */
  rowCounts(): Record<string, number> {
    return Object.fromEntries(this.#tables().map(({ t }) => [t, this.#number('COUNT(*)', t)]))
  }

  /**
   * Writes a page of a backup, all or nothing; a repeat changes nothing. False if a table or column
   * is not known here.
   */
  restoreRows({ values, tables }: CopiedPage) {
    const { storage } = this.ctx
    const known = new Map(
      this.#tables().map(({ t, columns }) => [t, columns.map(({ name }) => name)]),
    )
    if (
      !tables.every(
        ({ t, c }) => c.length > 0 && c.every((column) => known.get(t)?.includes(column)),
      )
    )
      return false
    storage.transactionSync(() => {
      for (const [name, value] of Object.entries(values)) storage.kv.put(name, JSON.parse(value))
      for (const { t, c, rows } of tables) {
        const columns = c.map((column) => `"${column}"`).join(', ')
        const sql = `INSERT OR REPLACE INTO ${t} (${columns}) VALUES (${c.map(() => '?').join(', ')})`
        for (const row of rows) storage.sql.exec(sql, ...row.map(valueOf))
      }
    })
    return true
  }

  #tables() {
    const { sql } = this.ctx.storage
    const tables = sql.exec<{ t: string; isKeyed: number }>(
      "SELECT name AS t, sql LIKE '%WITHOUT ROWID' AS isKeyed FROM sqlite_master WHERE " +
        "type = 'table' ORDER BY name",
    )
    const columns = 'SELECT name, pk FROM pragma_table_info(?)'
    return [...tables]
      .filter(({ t }) => !t.startsWith('_') && !NOT_COPIED.includes(t))
      .map((one) => ({
        ...one,
        columns: [...sql.exec<{ name: string; pk: number }>(columns, one.t)],
      }))
  }

  #number(what: string, table: string): number {
    return this.ctx.storage.sql
      .exec<{ n: number }>(`SELECT COALESCE(${what}, 0) AS n FROM ${table}`)
      .one().n
  }

  #values(): Record<string, string> {
    const kept = [...this.ctx.storage.kv.list()].filter(([name]) => !NOT_COPIED.includes(name))
    return Object.fromEntries(kept.map(([name, value]) => [name, JSON.stringify(value)]))
  }
}

const cellOf = (value: SqlStorageValue): Cell =>
  value instanceof ArrayBuffer ? { b: base64(new Uint8Array(value)) } : value

const valueOf = (cell: Cell): SqlStorageValue =>
  typeof cell === 'object' && cell !== null ? fromBase64(cell.b).buffer : cell
