import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'

import { laterStatements, withoutLater } from '../../../support/kept-practice/later.ts'

type Row = Record<string, unknown>
type Given = SQLInputValue | ArrayBuffer

/** What the audit log uses of its storage on the platform. */
interface Storage {
  sql: {
    exec(
      sql: string,
      ...values: Given[]
    ): Iterable<Row> & { toArray(): Row[]; one(): Row | undefined; rowsWritten: number }
  }
  kv: { get(name: string): unknown; put(name: string, value: unknown): void }
  transactionSync<T>(work: () => T): T
  getAlarm(): Promise<number | null>
  setAlarm(at: number): Promise<void>
}

/** The storage of the audit log. What is written is one transaction, which is made durable or lost as a whole. */
export interface AuditStorage {
  storage: Storage
  begin(): void
  end(how: 'COMMIT' | 'ROLLBACK'): void
  /** Takes the alarm, if it is due. */
  rings(now: number): boolean
  addLater(): string[]
  close(): void
}

/** An empty storage; `statement` may change what the log asks of it. */
export function auditStorage(
  firstAlarm: number,
  statement = (sql: string): string => sql,
): AuditStorage {
  const database = new DatabaseSync(':memory:')
  database.exec('CREATE TABLE _kept (name TEXT PRIMARY KEY, value TEXT NOT NULL)')
  const statements = new Map<string, StatementSync>()
  function prepared(sql: string): StatementSync {
    const known = statements.get(sql) ?? database.prepare(statement(sql))
    statements.set(sql, known)
    return known
  }
  const kv: Storage['kv'] = {
    get(name) {
      const row = prepared('SELECT value FROM _kept WHERE name = ?').get(name) as
        | { value: string }
        | undefined
      return row && JSON.parse(row.value)
    },
    put: (name, value) =>
      void prepared('INSERT OR REPLACE INTO _kept VALUES (?, ?)').run(name, JSON.stringify(value)),
  }
  kv.put('alarm', firstAlarm)

  return {
    storage: {
      sql: {
        exec(sql, ...given) {
          const values = given.map((value) =>
            value instanceof ArrayBuffer ? new Uint8Array(value) : value,
          )
          const reads = sql.startsWith('SELECT')
          const rows = reads ? (prepared(sql).all(...values) as Row[]) : []
          const rowsWritten = reads ? 0 : Number(prepared(sql).run(...values).changes)
          return {
            toArray: () => rows,
            one: () => rows[0],
            rowsWritten,
            [Symbol.iterator]: () => rows[Symbol.iterator](),
          }
        },
      },
      kv,
      transactionSync: (work) => work(),
      getAlarm: async () => kv.get('alarm') as number | null,
      setAlarm: async (at) => kv.put('alarm', at),
    },
    begin: () => database.exec('BEGIN'),
    end: (how) => database.exec(how),
    rings(now) {
      const alarm = kv.get('alarm') as number | null
      if (alarm === null || alarm > now) return false
      kv.put('alarm', null)
      return true
    },
    /** A later version adds to what is there; returns what lacks what it had added. */
    addLater(): string[] {
      const lost = withoutLater(database)
      for (const sql of laterStatements(database)) database.exec(sql)
      statements.clear()
      return lost
    },
    close: () => database.close(),
  }
}
