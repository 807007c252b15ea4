import { globSync, readFileSync } from 'node:fs'

import type { FlowRecord } from '../../core/confirm/record.ts'
import { GENERATED, code, markdownPage, markdownTable } from './markdown.ts'
import stored from './stored.json' with { type: 'json' }

type FieldOf<T> = T extends unknown ? keyof T : never
type FlowField = FieldOf<FlowRecord> | 'name' | 'operationId'
type Described = keyof typeof stored.Confirmation.fields
/** Fails to compile where a field of a flow has no description, or a description no field. */
const fields: [FlowField, Described] extends [Described, FlowField]
  ? Record<FlowField, string>
  : never = stored.Confirmation.fields

interface Place {
  about: string
  keys?: Record<string, { holds: string; kept: string; written: string }>
  tables?: Record<string, { kept: string; columns: Record<string, string> }>
  values?: Record<string, string>
}

const OBJECTS = `${import.meta.dirname}/../../../durable-objects/**/*.ts`
/** Where one text goes on in the next line of the source. */
const CONTINUED = /' \+\n\s*'/g
const TABLE =
  /[ '](\w+) \((("?\w+"? (?:TEXT|INTEGER|BLOB|REAL)[^(]*?)(?:,\s*PRIMARY KEY \([^)]*\))?)\)/g

/**
 * The columns of each table that a statement of a Durable Object creates, by `table.column`, as they
 * are declared.
 */
export function createdColumns(): Map<string, string> {
  const tables = globSync(OBJECTS).flatMap((path) => [
    ...readFileSync(path, 'utf8').replaceAll(CONTINUED, '').matchAll(TABLE),
  ])
  return new Map(
    tables.flatMap(([, table, , columns = '']) =>
      columns.split(',').map((column): [string, string] => {
        const [name = '', ...declared] = column.trim().split(/\s+/)
        return [`${table}.${name.replaceAll('"', '')}`, declared.join(' ')]
      }),
    ),
  )
}

/**
 * Every table, column, value and key that is stored. It fails where the descriptions and the tables
 * differ.
 */
export function storagePage(places: Record<string, Place> = stored): string {
  const tablesDescribed = Object.values(places).flatMap(({ tables = {} }) => Object.entries(tables))
  const described = tablesDescribed.flatMap(([table, { columns }]) =>
    Object.keys(columns).map((column) => `${table}.${column}`),
  )
  const created = [...createdColumns().keys()]
  const wrong = [...described, ...created].filter(
    (one) => !described.includes(one) || !created.includes(one),
  )
  if (wrong.length > 0)
    throw new Error(`Not described in stored.json, or not created: ${wrong.join(', ')}`)
  return markdownPage(
    '# Everything that is stored',
    GENERATED,
    '[What is stored](../storage.md) says what this means for your clients. ' +
      'Email addresses and names are masked, and tokens and keys are hashed, wherever they ' +
      'appear.',
    ...Object.entries(places).flatMap(([name, { about, keys = {}, tables = {}, values = {} }]) => [
      `## ${code(name)}`,
      about,
      named('key', ['what it holds', 'kept', 'written when'], keys),
      name === 'Confirmation' ? named('field', ['what it is'], fields) : '',
      ...Object.entries(tables).flatMap(([table, { kept, columns }]) => [
        `Table ${code(table)}. Kept: ${kept}.`,
        named('column', ['what it is'], columns),
      ]),
      named('value', ['what it is'], values),
    ]),
  )
}

const named = (
  kind: string,
  head: string[],
  rows: Record<string, string | Record<string, string>>,
) =>
  markdownTable(
    [kind, ...head],
    Object.entries(rows).map(([name, row]) => [
      code(name),
      ...Object.values(typeof row === 'string' ? [row] : row),
    ]),
  )
