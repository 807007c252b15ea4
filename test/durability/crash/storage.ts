import { existsSync, globSync, readdirSync, statSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { deserialize } from 'node:v8'

import type { FlowRecord } from '../../../src/core/confirm/record.ts'

/** The database of one object, and the changes that are not in it yet. */
const OBJECT = /^[0-9a-f]{64}\.sqlite(-wal)?$/
const OBJECTS = join('do', 'consult-connector-Confirmation')
const ALARMS = ['metadata.sqlite', 'metadata.sqlite-wal']

const existing = (folder: string, names: string[]) =>
  names.filter((name) => existsSync(join(folder, name)))

/** What is kept of one operation on disk. */
export interface Stored {
  record: FlowRecord
  /** Something will wake its object. */
  alarm: boolean
  /** The id of its object. */
  object: string
}

/**
 * Reads the records of the operations as a dead connector left them on disk, by their random ids. A copy is read, so that
 * the next connector finds everything as it was; what has not changed since the last time is not read again.
 */
export function recordReader(storage: string): () => Promise<Map<string, Stored>> {
  const folder = join(storage, OBJECTS)
  const seen = new Map<string, number>()
  const byObject = new Map<string, FlowRecord>()

  return async () => {
    const files = existsSync(folder) ? readdirSync(folder).filter((name) => OBJECT.test(name)) : []
    const changed = new Set<string>()
    for (const name of files) {
      const { mtimeMs } = statSync(join(folder, name))
      if (seen.get(name) !== mtimeMs) changed.add(name.replace(/-wal$/, ''))
      seen.set(name, mtimeMs)
    }
    const copied = files.filter((name) => changed.has(name.replace(/-wal$/, '')))
    const alarms = new Set<unknown>()
    await withCopies(folder, [...copied, ...existing(folder, ALARMS)], (copies) => {
      for (const id of valuesOf(
        join(copies, 'metadata.sqlite'),
        'SELECT actor_id FROM _cf_ALARM',
      )) {
        alarms.add(`${String(id)}.sqlite`)
      }
      for (const name of changed) {
        for (const value of valuesOf(
          join(copies, name),
          "SELECT value FROM _cf_KV WHERE key = 'flow'",
        )) {
          byObject.set(name, deserialize(value as Uint8Array) as FlowRecord)
        }
      }
    })
    return new Map(
      [...byObject].map(([name, record]) => [
        record.id,
        { record, alarm: alarms.has(name), object: name.replace(/\.sqlite$/, '') },
      ]),
    )
  }
}

/** The keys of all records that were delivered, and are in KV, or still to be copied there. */
export async function deliveredKeys(storage: string): Promise<Set<string>> {
  const records = join(storage, 'do', 'consult-connector-Records')
  const copied = await textsIn(
    join(storage, 'kv', 'miniflare-KVNamespaceObject'),
    'SELECT key FROM _mf_entries',
  )
  const waiting = await textsIn(
    records,
    "SELECT key FROM outbox WHERE kind = 'copy' UNION SELECT key FROM records WHERE seq > COALESCE((SELECT copied FROM progress), 0)",
  )
  const delivered = await textsIn(records, 'SELECT key FROM records WHERE value IS NOT NULL')
  return new Set([...delivered].filter((key) => copied.has(key) || waiting.has(key)))
}

/** What a query finds in the databases of a folder. */
async function textsIn(folder: string, query: string): Promise<Set<string>> {
  const found = new Set<string>()
  if (!existsSync(folder)) return found
  const files = readdirSync(folder).filter((name) => OBJECT.test(name))
  await withCopies(folder, files, (copies) => {
    for (const name of files.filter((one) => one.endsWith('.sqlite'))) {
      for (const text of valuesOf(join(copies, name), query)) found.add(String(text))
    }
  })
  return found
}

/** The names of the entries of one kind in the audit log, by the object in which it happened. */
export async function entriesInAuditLog(
  storage: string,
  event: string,
): Promise<Map<string, Set<string>>> {
  const folder = join(storage, 'do', 'consult-connector-AuditLog')
  const entries = new Map<string, Set<string>>()
  if (!existsSync(folder)) return entries
  const files = readdirSync(folder).filter((name) => OBJECT.test(name))
  await withCopies(folder, files, (copies) => {
    for (const name of files.filter((one) => one.endsWith('.sqlite'))) {
      const query = `SELECT operation_id || ' ' || at || ' ' || id FROM entries WHERE event = '${event}'`
      for (const value of valuesOf(join(copies, name), query)) {
        const [object, ...entry] = String(value).split(' ')
        entries.set(object!, (entries.get(object!) ?? new Set()).add(entry.join(' ')))
      }
    }
  })
  return entries
}

/** The files of a storage in which one of these texts can be read. Nothing may be running. */
export async function filesWith(storage: string, texts: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const name of globSync(join('**', '*'), { cwd: storage })) {
    const path = join(storage, name)
    if (!statSync(path).isFile()) continue
    const bytes = await readFile(path)
    const text = texts.find((one) => bytes.includes(one))
    if (text !== undefined) found.push(`${name}: ${text}`)
  }
  return found
}

/** Loses every alarm of the operations, as the instance that an alarm woke may take it along. Nothing may be running. */
export function loseAlarms(storage: string): void {
  for (const file of globSync(join(storage, OBJECTS, '*.sqlite'))) {
    change(file, '_cf_ALARM', 'DELETE FROM _cf_ALARM')
    change(file, '_cf_METADATA', 'UPDATE _cf_METADATA SET value = NULL WHERE key = 1')
  }
}

function change(file: string, table: string, statement: string): void {
  const database = new DatabaseSync(file)
  try {
    const [known] = database.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').all(table)
    if (known) database.exec(statement)
  } finally {
    database.close()
  }
}

async function withCopies(
  folder: string,
  names: string[],
  read: (copies: string) => void,
): Promise<void> {
  const copies = await mkdtemp(join(tmpdir(), 'crash-read-'))
  try {
    await Promise.all(names.map((name) => cp(join(folder, name), join(copies, name))))
    read(copies)
  } finally {
    await rm(copies, { recursive: true, force: true })
  }
}

/** The first column of what a database answers; nothing where the table is not there yet. */
function valuesOf(file: string, query: string): unknown[] {
  const database = new DatabaseSync(file)
  try {
    return database
      .prepare(query)
      .all()
      .map((row) => Object.values(row)[0])
  } catch {
    return []
  } finally {
    database.close()
  }
}
