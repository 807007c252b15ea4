import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** What a later version has added to each table and to each object that is stored as JSON. */
export const LATER = 'added_later'

/** The tables whose texts are answered byte for byte, or signed, so that no version adds to them. */
const AS_IT_IS = ['answers', 'entries']

/** The tables whose values are made afresh by each write, and never from what was stored. */
const WRITTEN_WHOLE = ['records']

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
    for (const sql of laterStatements(database)) database.exec(sql)
    added += tablesOf(database).length
    database.close()
  }
  return added
}

/**
 * What a later version does to a database: a column more in every table, and a field more in everything that is stored
 * as JSON, each with a value. It may have done so before.
 */
export const laterStatements = (database: DatabaseSync): string[] =>
  tablesOf(database).flatMap((table) => {
    const columns = columnsOf(database, table)
    return [
      ...(columns.includes(LATER) ? [] : [`ALTER TABLE "${table}" ADD COLUMN ${LATER} TEXT`]),
      ...jsonColumns(table, columns).map(
        ({ name, isJson }) =>
          `UPDATE "${table}" SET "${name}" = json_insert("${name}", '$.${LATER}', 'kept') WHERE ${isJson}`,
      ),
      `UPDATE "${table}" SET ${LATER} = 'kept'`,
    ]
  })

/** The columns with rows that the later version had added to, and that lack its field since another version wrote them. */
export const withoutLater = (database: DatabaseSync): string[] =>
  tablesOf(database).flatMap((table) => {
    const columns = columnsOf(database, table)
    if (!columns.includes(LATER) || WRITTEN_WHOLE.includes(table)) return []
    return jsonColumns(table, columns).flatMap(({ name, isJson }) => {
      const lacks = `${LATER} IS NOT NULL AND ${isJson} AND "${name}" ->> '$.${LATER}' IS NULL`
      return database.prepare(`SELECT 1 FROM "${table}" WHERE ${lacks}`).get()
        ? [`${table}.${name}`]
        : []
    })
  })

/** The tables of one of our objects; those of the runtime begin with a line. */
function tablesOf(database: DatabaseSync): string[] {
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as {
    name: string
  }[]
  return tables.map(({ name }) => name).filter((name) => !name.startsWith('_'))
}

function columnsOf(database: DatabaseSync, table: string): string[] {
  const columns = database.prepare(`SELECT name FROM pragma_table_info('${table}')`).all() as {
    name: string
  }[]
  return columns.map(({ name }) => name)
}

const jsonColumns = (table: string, columns: readonly string[]) =>
  (AS_IT_IS.includes(table) ? [] : columns).map((name) => ({
    name,
    isJson: `typeof("${name}") = 'text' AND substr("${name}", 1, 1) = '{' AND json_valid("${name}")`,
  }))
