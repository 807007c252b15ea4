import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'

import { laterStatements, withoutLater } from '../../../support/kept-practice/later.ts'
import type { Timeline } from '../timeline.ts'
import type { LogInstance } from './subscribers.ts'

type Row = Record<string, unknown>

/** What the event log, and what follows the providers, use of their storage on the platform. */
interface Storage extends Alarm {
  sql: { exec(sql: string, ...values: SQLInputValue[]): { toArray(): Row[] } }
  transactionSync<T>(work: () => T): T
}
interface Alarm {
  getAlarm(): Promise<number | null>
  setAlarm(at: number): Promise<void>
}

/** What is seen of what the log writes. */
interface Watched {
  appended?(event: unknown, place: number): void
  keptWebhook?(id: string, row: unknown): void
  rings(): Promise<void>
}

/** The storage of such an object, over all of its instances: what is written is durable at once, and its alarm is an event of the run. */
export function eventStorage(timeline: Timeline, name: string, watched: Watched) {
  const database = new DatabaseSync(':memory:')
  const statements = new Map<string, StatementSync>()
  function query(sql: string, ...values: SQLInputValue[]): Row[] {
    const statement = statements.get(sql) ?? database.prepare(sql)
    statements.set(sql, statement)
    return statement.all(...values) as Row[]
  }
  function watch(sql: string, values: SQLInputValue[], rows: Row[]): void {
    const [first, second, , fourth] = values as string[]
    if (sql.startsWith('INSERT OR IGNORE INTO log'))
      for (const { seq } of rows) watched.appended?.(JSON.parse(fourth!), Number(seq))
    if (sql.startsWith('INSERT INTO webhooks')) watched.keptWebhook?.(first!, JSON.parse(second!))
  }

  let planned: { at: number; callOff(): void } | undefined
  const alarm: Alarm = {
    getAlarm: async () => planned?.at ?? null,
    async setAlarm(at) {
      planned?.callOff()
      const callOff = timeline.after(
        at - timeline.now,
        `${name} wakes`,
        () => {
          planned = undefined
          void watched.rings()
        },
        'aside',
      )
      planned = { at, callOff }
    },
  }

  return {
    alarm,
    query: (sql: string, ...values: SQLInputValue[]) => query(sql, ...values),
    /** A later version adds to what is there; returns what lacks what it had added. */
    addLater(): string[] {
      const lost = withoutLater(database)
      for (const sql of laterStatements(database)) database.exec(sql)
      statements.clear()
      return lost
    },
    close: () => database.close(),
    /** As one instance reaches it; each wait for it may be the last. */
    storageFor: ({ waits }: LogInstance): Storage => ({
      sql: {
        exec(sql, ...values) {
          // The tables are there once the first instance has made them.
          if (sql.startsWith('CREATE') && statements.has(sql)) return { toArray: () => [] }
          const rows = query(sql, ...values)
          watch(sql, values, rows)
          return { toArray: () => rows }
        },
      },
      transactionSync: (work) => work(),
      getAlarm: () => waits(alarm.getAlarm()),
      setAlarm: (at) => waits(alarm.setAlarm(at)),
    }),
  }
}
