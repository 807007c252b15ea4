import { readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

import { VERSION } from '../../../src/core/version.ts'
import { mistakes, newestNotes, promised } from '../../support/shapes/promise.ts'
import { servedShapes } from '../../support/shapes/served.ts'

test('what was promised still holds, and what was added is noted', async () => {
  expect(mistakes(await servedShapes()).join('\n')).toBe('')
})

test('package.json, the notes and the shapes are those of the version of the code', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  expect(version, 'src/core/version.ts and package.json have the same version.').toBe(VERSION)
  expect(newestNotes().version, 'docs/changes.md begins with the version of the code.').toBe(
    VERSION,
  )
  expect(
    promised().version,
    'A version has a new number: write its shapes with test/support/shapes/write.ts.',
  ).toBe(VERSION)
})
