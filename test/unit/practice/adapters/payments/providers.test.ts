import { globSync, readFileSync } from 'node:fs'

import { describe, expect, test } from 'vitest'

import { SETUP_USAGE } from '../../../../../src/cli/setup/arguments.ts'
import {
  PAYMENT_PROVIDERS,
  SCHEDULING_PROVIDERS,
  namesOf,
} from '../../../../../src/core/domain/providers.ts'
import { settingsFrom } from '../../../../../src/core/settings.ts'
import {
  PAYMENT_ADAPTERS,
  SCHEDULING_ADAPTERS,
} from '../../../../../src/practice/adapters/providers.ts'

describe('the registry of providers', () => {
  const names = [...namesOf(SCHEDULING_PROVIDERS), ...namesOf(PAYMENT_PROVIDERS)]

  test('has an adapter for every provider, and no other', () => {
    expect(Object.keys(SCHEDULING_ADAPTERS)).toEqual(Object.keys(SCHEDULING_PROVIDERS))
    expect(Object.keys(PAYMENT_ADAPTERS)).toEqual(Object.keys(PAYMENT_PROVIDERS))
  })

  test('decides what the settings accept', () => {
    for (const name of namesOf(SCHEDULING_PROVIDERS))
      expect(settingsFrom({ SCHEDULING_PROVIDER: name }).SCHEDULING_PROVIDER).toBe(name)
    for (const name of namesOf(PAYMENT_PROVIDERS))
      expect(settingsFrom({ PAYMENT_PROVIDER: name }).PAYMENT_PROVIDER).toBe(name)
    expect(() => settingsFrom({ SCHEDULING_PROVIDER: 'another' })).toThrow()
  })

  test('decides what npm run setup offers', () => {
    for (const name of names) expect(SETUP_USAGE).toContain(name)
  })

  test.each(names)('is the only place that names %s, besides its adapter', (name) => {
    const files = globSync('src/**/*.ts').filter((file) =>
      readFileSync(file, 'utf8').includes(`'${name}'`),
    )
    expect(
      files.filter(
        (file) => !file.includes(`/${name}/`) && file !== 'src/core/domain/providers.ts',
      ),
    ).toEqual([])
  })

  test.each(names)('leads to a documentation page of %s', (name) => {
    expect(readFileSync(`docs/providers/${name}.md`, 'utf8')).not.toBe('')
  })
})
