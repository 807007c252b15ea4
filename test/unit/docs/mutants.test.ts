import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { MUTANTS } from '../../durability/mutants/mutants.ts'

const root = new URL('../../../', import.meta.url)

test('every mutant changes one place that is there, and names tests that are there', () => {
  const wrong = MUTANTS.flatMap(({ name, file, search, red }) => [
    ...(readFileSync(new URL(file, root), 'utf8').split(search).length === 2 ? [] : [`${name}: ${file}`]),
    ...red
      .map((path) => `test/${path.startsWith('worker/') ? '' : 'unit/'}${path}.test.ts`)
      .filter((path) => !existsSync(new URL(path, root)))
      .map((path) => `${name}: ${path}`),
  ])
  expect(MUTANTS.length).toBeGreaterThan(100)
  expect(wrong).toEqual([])
})
