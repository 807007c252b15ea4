import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** What a later version has added to each table and to each object that is stored as JSON. */
export const LATER = 'added_later'

/** The tables whose texts are answered byte for byte, or signed, so that no version adds to them. */
const AS_IT_IS = ['answers', 'entries']

/**
 * Changes the storage in a folder as a later version would that has a column more in every table, and a field more in
 * everything that is stored as JSON.
 */
export function addLater(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(({ name }) => name.endsWith('.sqlite') && name !== 'metadata.sqlite')
    .map(({ parentPath, name }) => join(parentPath, name))
  let added = 0
  for (const file of files) {
    const database = new DatabaseSync(file)
    for (const table of tablesOf(database)) {
      addToJson(database, table)
      database.exec(`ALTER TABLE "${table}" ADD COLUMN ${LATER} TEXT DEFAULT 'kept'`)
      added++
    }
    database.close()
  }
  return added
}

/** The tables of one of our objects; those of the runtime begin with a line. */
function tablesOf(database: DatabaseSync): string[] {
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as {
    name: string
  }[]
  return tables.map(({ name }) => name).filter((name) => !name.startsWith('_'))
}

function addToJson(database: DatabaseSync, table: string): void {
  if (AS_IT_IS.includes(table)) return
  const columns = database.prepare(`SELECT name FROM pragma_table_info('${table}')`).all() as {
    name: string
  }[]
  for (const { name } of columns)
    database.exec(
      `UPDATE "${table}" SET "${name}" = json_insert("${name}", '$.${LATER}', 'kept') ` +
        `WHERE typeof("${name}") = 'text' AND substr("${name}", 1, 1) = '{' AND json_valid("${name}")`,
    )
}
