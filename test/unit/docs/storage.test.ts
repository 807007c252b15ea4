import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { NO_ISSUES } from '../../../src/domain/provider-health.ts'

test('docs/storage.md shows the value of the self-check with the fields that it has', async () => {
  const page = await readFile(new URL('../../../docs/storage.md', import.meta.url), 'utf8')
  const [, example = ''] = /one value, `self_check`[^`]*`([^`]+)`/.exec(page) ?? []
  expect(Object.keys(JSON.parse(example) as object)).toEqual(Object.keys(NO_ISSUES))
})
