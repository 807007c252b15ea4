import { expect, test } from 'vitest'

import { faultLine } from '../../../../src/core/domain/log-line.ts'

const CANARY = 'jane@canary.example'
const said = (thrown: unknown) =>
  JSON.parse(faultLine(thrown, { operation_id: 'op' })) as { error: string; at: string[] }

class StoreError extends Error {
  override name = 'StoreError'
}

test('the class of a fault and the places that it came through are logged', () => {
  const { at, ...rest } = said(new TypeError('no such field'))
  expect(rest).toEqual({ event: 'fault', operation_id: 'op', error: 'TypeError' })
  expect(at[0]).toMatch(/log-line\.test\.ts:\d+:\d+$/)
  expect(said(new StoreError('full')).error).toBe('StoreError')
})

const changed = new Error('a')
changed.message = CANARY
const renamed = Object.assign(new Error('a'), { name: `Error of ${CANARY}` })

test.each([
  ['a message', new Error(CANARY)],
  ['a message of several lines', new Error(`${CANARY}\n    at ${CANARY} (jane.ts:1:1)`)],
  [
    'a message that reads as frames',
    new Error(`    at jane (${CANARY}:1:1)\n    at jane (a.ts:1:1)`),
  ],
  ['a message that was changed', changed],
  ['a name', renamed],
  ['a cause', new Error('a', { cause: CANARY })],
  ['a text', CANARY],
  ['an object', { name: CANARY, stack: `Error\n    at ${CANARY} (a.ts:1:1)` }],
])('nothing of %s is logged', (_what, thrown) => {
  const line = JSON.stringify(said(thrown))
  expect(line).not.toMatch(/canary|jane/i)
})

test('no path of a machine is logged, and no more than eight places', () => {
  const deep = (depth: number): never => {
    if (depth > 0) return deep(depth - 1)
    throw new Error('a')
  }
  const { at } = said(
    (() => {
      try {
        return deep(20)
      } catch (thrown) {
        return thrown
      }
    })(),
  )
  expect(at).toHaveLength(8)
  expect(at.join()).not.toMatch(/[/\\]/)
})
