type Bound = SqlStorageValue | SqlPart

/**
 * A part of a statement with its values, to be put into another one; and text of this code, such as
 * the name of a table.
 */
export class SqlPart {
  readonly text: string
  readonly values: SqlStorageValue[]

  constructor({ text, values }: Pick<SqlPart, 'text' | 'values'>) {
    this.text = text
    this.values = values
  }
}

/** The text of a template with a place for each value, and the values. */
function written(strings: TemplateStringsArray, bound: Bound[]): Pick<SqlPart, 'text' | 'values'> {
  let text = strings[0]!
  const values: SqlStorageValue[] = []
  for (const [i, one] of bound.entries()) {
    const isPart = one instanceof SqlPart
    text += (isPart ? one.text : '?') + strings[i + 1]!
    if (isPart) values.push(...one.values)
    else values.push(one)
  }
  return { text, values }
}

/** A part of a statement. */
export const part = (strings: TemplateStringsArray, ...bound: Bound[]): SqlPart =>
  new SqlPart(written(strings, bound))

/** A list of values behind `IN`. It is bound as one value, so it may be long. */
export const among = (values: readonly (string | number)[]): SqlPart =>
  part`(SELECT value FROM json_each(${JSON.stringify(values)}))`

/** Text of this code that is put into a statement as it is. Never a value: a value is bound. */
export const raw = (text: string): SqlPart => new SqlPart({ text, values: [] })

/**
 * The database of an object, to be written to as a template: each value is bound, and none becomes
 * part of the text.
 *
 * @example
 * this.#sql<{ name: string }>`SELECT name FROM keys WHERE id = ${id}`
 */
export interface Sql {
  /** Runs a statement; its rows. */
  <Row extends object>(strings: TemplateStringsArray, ...bound: Bound[]): Row[]
  /** The rows one by one: those after the last that is asked for are not read. */
  each<Row extends object>(strings: TemplateStringsArray, ...bound: Bound[]): Iterable<Row>
  /** Runs a statement; how many rows it wrote, those of indexes too. */
  written(strings: TemplateStringsArray, ...bound: Bound[]): number
  /** Whether there is such a row: a table, perhaps with a condition. */
  exists(strings: TemplateStringsArray, ...bound: Bound[]): boolean
}

/** The database of an object as a template. */
export function sqlOf(storage: Pick<SqlStorage, 'exec'>): Sql {
  const run = (strings: TemplateStringsArray, bound: Bound[]) => {
    const { text, values } = written(strings, bound)
    return storage.exec(text.trim(), ...values)
  }
  // Most statements go this way, so it is one call.
  const rows = <Row extends object>(strings: TemplateStringsArray, ...bound: Bound[]) => {
    const { text, values } = written(strings, bound)
    return storage.exec(text.trim(), ...values).toArray() as Row[]
  }
  return Object.assign(rows, {
    each: <Row extends object>(strings: TemplateStringsArray, ...bound: Bound[]) =>
      run(strings, bound) as unknown as Iterable<Row>,
    written: (strings: TemplateStringsArray, ...bound: Bound[]) => run(strings, bound).rowsWritten,
    exists: (strings: TemplateStringsArray, ...bound: Bound[]) =>
      rows`SELECT 1 FROM ${part(strings, ...bound)} LIMIT 1`.length > 0,
  })
}
