import { cp, mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { deserialize } from 'node:v8'

import type { Answer } from './answers.ts'
import type { Place } from './scanner.ts'

/** What the evidence needs of a KV namespace. */
interface Records {
  list(options: { cursor?: string }): Promise<{ keys: { name: string }[]; cursor?: string }>
  get(key: string): Promise<string | null>
}

/** Something that a Durable Object keeps: a stored value or a row of a table. */
export interface Stored {
  /** The class of the object. */
  object: string
  /** The name of the stored value, or of the table. */
  thing: string
  value: unknown
}

export const placeOf = (place: string, text: string): Place => ({ place, bytes: Buffer.from(text) })

/** An answer with all that came over the wire. */
export const answerPlace = ({ asked, status, headers, text }: Answer): Place =>
  placeOf(asked, [status, ...headers.flat(), text].join('\n'))

/** Every record: its key and its value. */
export async function recordsIn(namespace: Records): Promise<{ key: string; value: string }[]> {
  const records = []
  let cursor: string | undefined
  do {
    const page = await namespace.list(cursor === undefined ? {} : { cursor })
    for (const { name } of page.keys)
      records.push({ key: name, value: (await namespace.get(name)) ?? '' })
    cursor = page.cursor
  } while (cursor)
  return records
}

/** The raw bytes of every file under a folder, and the names of the files. */
export async function filesUnder(folder: string): Promise<Place[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const names = files.map((file) => relative(folder, file))
  const bytes = await Promise.all(files.map((file) => readFile(file)))
  return [
    placeOf('file names', names.join('\n')),
    ...names.map((place, i) => ({ place, bytes: bytes[i]! })),
  ]
}

/**
 * All that the Durable Objects of a stopped connector keep, read with SQLite from a copy of its folder: to open a
 * database is to tidy it up.
 */
export async function durableObjectsUnder(
  folder: string,
): Promise<{ stored: Stored[]; names: string[] }> {
  const copy = await mkdtemp(join(tmpdir(), 'consult-connector-evidence-'))
  try {
    await cp(folder, copy, { recursive: true })
    const files = (await readdir(copy, { recursive: true }))
      .filter((file) => /(^|[\\/])do[\\/].*\.sqlite$/.test(file))
      .map((file) => join(copy, file))
    const stored: Stored[] = []
    const names: string[] = []
    for (const file of files) {
      const database = new DatabaseSync(file)
      if (basename(file) === 'metadata.sqlite') names.push(...namesIn(database))
      else {
        const object = basename(dirname(file)).split('-').at(-1)!
        stored.push(...storedIn(database).map((one) => ({ object, ...one })))
      }
      database.close()
    }
    return { stored, names }
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

const tablesIn = (database: DatabaseSync): string[] =>
  database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
    .all()
    .map(({ name }) => String(name))

function rowsIn(database: DatabaseSync, table: string) {
  const select = database.prepare(`SELECT * FROM "${table}"`)
  select.setReadBigInts(true)
  return select.all()
}

function storedIn(database: DatabaseSync): Omit<Stored, 'object'>[] {
  return tablesIn(database).flatMap((table) => {
    // Alarms and counters of the platform; they are scanned as raw bytes only.
    if (table === '_cf_METADATA') return []
    return rowsIn(database, table).map((row) =>
      table === '_cf_KV'
        ? { thing: String(row['key']), value: deserialize(row['value'] as Uint8Array) as unknown }
        : { thing: table, value: { ...row } },
    )
  })
}

/** The texts in the register of alarms, the names of the objects among them. */
const namesIn = (database: DatabaseSync): string[] =>
  tablesIn(database).flatMap((table) =>
    rowsIn(database, table).flatMap((row) =>
      Object.values(row).filter((value) => typeof value === 'string'),
    ),
  )

/** A stored value as text; numbers of any size included. */
export const textOf = (value: unknown): string =>
  JSON.stringify(value, (_name, inner: unknown) =>
    typeof inner === 'bigint' ? String(inner) : inner,
  )
