import { expect, inject, test } from 'vitest'

import { sizeOf } from '../bench/weight.ts'
import { schemasAtStart } from '../support/schemas-at-start.ts'

const KIB = 1024
/** Far below the 3 MiB that the free plan takes; each isolate parses all of it before its first answer. */
const BUDGET = 530 * KIB

/** What it is today, and a little more: each new operation adds its request. */
const MOST_SCHEMAS = 1250

test('the bundle stays within 530 KiB, minified and gzipped', async () => {
  const { gzip, packages } = await sizeOf(inject('workerScript'), inject('workerInputs'))
  const costs = packages.map(
    ({ name, bytes }) => `${(bytes / KIB).toFixed(1).padStart(8)} KiB  ${name}`,
  )
  const report = `${(gzip / KIB).toFixed(1)} KiB gzipped; before that, by package:`
  expect(gzip, [report, ...costs].join('\n')).toBeLessThan(BUDGET)
})

test(
  'an isolate starts with at most 1,250 schemas, all ours: what few isolates use is lazy',
  { tags: 'slow' },
  async () => {
    const { all, ours, byFile } = await schemasAtStart()
    const most = byFile
      .slice(0, 15)
      .map(([file, schemas]) => `${String(schemas).padStart(6)}  ${file}`)
    const report = `${ours} of ours; the most by file:\n${most.join('\n')}\nPut z.lazy around what a start does not need (docs/decisions/0082).`
    expect(ours, report).toBeLessThan(MOST_SCHEMAS)
    // Else they were not counted.
    expect(ours).toBeGreaterThan(1000)
    expect(all, 'a library builds schemas while it starts').toBe(ours)
  },
)
