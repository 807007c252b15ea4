import { expect, test } from 'vitest'

import { BoundedMap } from '../../../../src/core/domain/bounded-map.ts'
import { withTimeout } from '../../../../src/core/with-timeout.ts'

test('a bounded map drops the entry that was set longest ago', () => {
  const map = new BoundedMap<string, number>(2).set('a', 1).set('b', 2).set('a', 3).set('c', 4)
  expect([...map]).toEqual([
    ['a', 3],
    ['c', 4],
  ])
})

test('a promise that takes too long counts as late, and a failure is passed on', async () => {
  expect(await withTimeout(Promise.resolve(1), 1000)).toBe(1)
  expect(await withTimeout(new Promise(() => {}), 1)).toBe('late')
  await expect(withTimeout(Promise.reject(new Error('failed')), 1000)).rejects.toThrow('failed')
})
