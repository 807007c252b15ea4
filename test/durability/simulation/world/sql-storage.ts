import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'

import { laterStatements, withoutLater } from '../../../support/kept-practice/later.ts'
import type { Kept } from '../auditor/records.ts'
import type { Instance } from './durable-object.ts'

/** What an object with a database keeps: the changes of its database, as their number, and its alarm. */
export interface SqlKept {
  changes: number
  alarm: Kept['alarm']
}

type Row = Record<string, unknown>

interface Cursor {
  toArray(): Row[]
  rowsWritten: number
}

/** What is used of the storage of an object on the platform. */
export interface SqlStorage {
  sql: { exec(sql: string, ...values: SQLInputValue[]): Cursor }
  transactionSync<T>(work: () => T): T
  setAlarm(at: number): Promise<void>
}

/** The database of one object, which can go back to any number of changes. */
export interface Database {
  storage(instance: Instance<SqlKept>): SqlStorage
  /** Takes back what was not yet durable when an instance ended. */
  rewind(changes: number): void
  /** A later version adds to what is there; returns how many changes there are, and what lacks what it had added. */
  addLater(): { changes: number; lost: string[] }
  query(sql: string, ...values: SQLInputValue[]): Row[]
  close(): void
}

export function databaseOf(): Database {
  /** The statements that made the tables, and those that changed something since. */
  const tables = new Set<string>()
  const log: { sql: string; values: SQLInputValue[] }[] = []
  let database = new DatabaseSync(':memory:')
  let statements = new Map<string, StatementSync>()

  function prepared(sql: string): StatementSync {
    const known = statements.get(sql) ?? database.prepare(sql)
    statements.set(sql, known)
    return known
  }
  const query = (sql: string, ...values: SQLInputValue[]): Row[] => prepared(sql).all(...values)

  return {
    // Before the first instance there is nothing.
    query: (sql, ...values) => (tables.size > 0 ? query(sql, ...values) : []),
    close: () => database.close(),
    rewind(changes) {
      if (log.length === changes) return
      log.length = changes
      database.close()
      database = new DatabaseSync(':memory:')
      statements = new Map()
      for (const sql of tables) database.exec(sql)
      for (const { sql, values } of log) prepared(sql).run(...values)
    },
    addLater() {
      const lost = withoutLater(database)
      for (const sql of laterStatements(database)) {
        database.exec(sql)
        log.push({ sql, values: [] })
      }
      statements = new Map()
      return { changes: log.length, lost }
    },
    storage(instance) {
      let isTransaction = false
      let next: SqlKept | undefined

      /** One write, or a part of the one that the transaction becomes. */
      function change(to: Partial<SqlKept>): void {
        next = { ...(next ?? instance.value), ...to }
        if (!isTransaction) commit()
      }
      function commit(): void {
        if (next) instance.write(next)
        next = undefined
      }

      return {
        sql: {
          exec(sql, ...values) {
            instance.touch()
            if (sql.startsWith('SELECT')) {
              const rows = query(sql, ...values)
              return { toArray: () => rows, rowsWritten: 0 }
            }
            if (sql.startsWith('CREATE')) tables.add(sql)
            if (sql.includes(' RETURNING ')) {
              const rows = query(sql, ...values)
              if (rows.length > 0) change({ changes: log.push({ sql, values }) })
              return { toArray: () => rows, rowsWritten: rows.length }
            }
            const rowsWritten = Number(prepared(sql).run(...values).changes)
            if (rowsWritten > 0) change({ changes: log.push({ sql, values }) })
            return { toArray: () => [], rowsWritten }
          },
        },
        transactionSync(work) {
          instance.touch()
          isTransaction = true
          const result = work()
          isTransaction = false
          commit()
          return result
        },
        setAlarm(at) {
          instance.touch()
          change({ alarm: { at } })
          return Promise.resolve()
        },
      }
    },
  }
}
