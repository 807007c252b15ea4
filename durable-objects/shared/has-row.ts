/** Whether there is such a row: `rows` is a table, perhaps with a condition. */
export const hasRow = (sql: SqlStorage, rows: string, ...values: SqlStorageValue[]): boolean =>
  sql.exec(`SELECT 1 FROM ${rows} LIMIT 1`, ...values).toArray().length > 0
