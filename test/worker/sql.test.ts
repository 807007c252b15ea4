import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'

import { type Sql, part, raw, sqlOf } from '../../durable-objects/shared/sql.ts'

/** A table with two rows in a database of its own. */
const inTable = <T>(name: string, use: (sql: Sql) => T): Promise<T> =>
  runInDurableObject(env.MOCK_CALENDAR.getByName(name), (_calendar, { storage }) => {
    const sql = sqlOf(storage.sql)
    sql`CREATE TABLE things (id TEXT PRIMARY KEY, size INTEGER) WITHOUT ROWID`
    for (const [id, size] of [
      ['a', 1],
      ['b', 2],
    ] as const)
      sql`INSERT INTO things (id, size) VALUES (${id}, ${size})`
    return use(sql)
  })

test('a value is bound, so that text in it is never a part of the statement', async () => {
  const named = `x'; DROP TABLE things; --`
  const found = await inTable('bound', (sql) => {
    sql`INSERT INTO things (id, size) VALUES (${named}, ${null})`
    return sql<{ id: string; size: number | null }>`SELECT * FROM things WHERE id = ${named}`
  })
  expect(found).toEqual([{ id: named, size: null }])
})

test('a part brings its values to their place, and text of this code stands as it is', async () => {
  const found = await inTable('parts', (sql) => {
    const isSmall = part`size < ${2} AND id <> ${'c'}`
    return sql<{ id: string }>`
      SELECT id FROM ${raw('things')} WHERE id >= ${'a'} AND (${isSmall}) AND id <= ${'b'}`
  })
  expect(found).toEqual([{ id: 'a' }])
})

test('it says how many rows were written, and whether one is there', async () => {
  const said = await inTable('counts', (sql) => [
    sql.exists`things WHERE id = ${'a'}`,
    sql.exists`things WHERE id = ${'c'}`,
    sql.written`DELETE FROM things WHERE size > ${0}`,
    sql.exists`things`,
  ])
  expect(said).toEqual([true, false, 2, false])
})

test('rows that are taken one by one are read only as far as they are asked for', async () => {
  const first = await inTable('each', (sql) => {
    for (const { id } of sql.each<{ id: string }>`SELECT id FROM things ORDER BY id`) return id
    return undefined
  })
  expect(first).toBe('a')
})
