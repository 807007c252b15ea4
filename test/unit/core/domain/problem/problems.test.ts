import { globSync, readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

import { PROBLEMS } from '../../../../../src/core/domain/problem/problems.ts'

test('every code is expected by a test that calls the connector, a flow or an adapter', () => {
  const tests = globSync('test/{contract,e2e,security,worker,unit/core/confirm}/**/*.ts')
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n')
  const untold = Object.keys(PROBLEMS).filter((code) => !tests.includes(`'${code}'`))
  expect(untold, 'write a test that is refused so').toEqual([])
})
