import { globSync, readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

import { storagePage } from '../../../src/cli/reference/storage.ts'
import stored from '../../../src/cli/reference/stored.json' with { type: 'json' }
import { NO_ISSUES } from '../../../src/core/domain/provider-health.ts'
import { RECORD_KINDS } from '../../../src/core/domain/records.ts'

test('the reference of what is stored shows the self-check with the fields that it has', () => {
  const [, example = ''] = /`([^`]+)`/.exec(stored.Coordinator.values.self_check) ?? []
  expect(Object.keys(JSON.parse(example) as object)).toEqual(Object.keys(NO_ISSUES))
})

test('the reference has every kind of record', () => {
  const form = (key: string) => key.replaceAll(/<\w+>|\{\w+\}/g, '…')
  const described = Object.keys(stored.RECORDS_KV.keys).map(form)
  const kinds = Object.values(RECORD_KINDS).map(({ key }) => form(key))
  const missing = kinds.filter((kind) => !described.includes(kind))
  expect(missing, 'describe it in src/cli/reference/stored.json, then npm run docs').toEqual([])
})

test('the reference has every table that a statement creates', () => {
  const page = storagePage()
  const tables = globSync('durable-objects/**/*.ts').flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/CREATE TABLE IF NOT EXISTS (\w+)/g)].map(
      ([, name]) => name,
    ),
  )
  expect(tables.length).toBeGreaterThan(15)
  expect(tables.filter((name) => !page.includes(`Table \`${name}\``))).toEqual([])
})

test('the reference is not made while a column lacks its description, or a description its column', () => {
  const { deliveries } = stored.ProviderSync.tables
  const undescribed = {
    ...stored.ProviderSync.tables,
    deliveries: { ...deliveries, columns: { provider: '' } },
  }
  const invented = { keys: { kept: '', columns: { colour: '' } } }
  expect(() =>
    storagePage({ ...stored, ProviderSync: { about: '', tables: undescribed } }),
  ).toThrow(/: deliveries\.last_at$/)
  expect(() => storagePage({ ...stored, More: { about: '', tables: invented } })).toThrow(
    /: keys\.colour$/,
  )
})
