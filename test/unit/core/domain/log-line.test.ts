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
  expect(at[0]).toMatch(/log-line\.test\.ts\b[^:]*:\d+:\d+$/)
  expect(said(new StoreError('full')).error).toBe('StoreError')
})

const changed = new Error('a')
changed.message = CANARY
const emptied = new Error(`${CANARY}\n    at jane (${CANARY}:1:1)`)
emptied.message = ''
const renamed = Object.assign(new Error('a'), { name: `Error of ${CANARY}` })

test.each([
  ['a message', new Error(CANARY)],
  ['a message of several lines', new Error(`${CANARY}\n    at ${CANARY} (jane.ts:1:1)`)],
  [
    'a message that reads as frames',
    new Error(`    at jane (${CANARY}:1:1)\n    at jane (a.ts:1:1)`),
  ],
  ['a message that was changed', changed],
  ['a message that was emptied', emptied],
  ['a name', renamed],
  ['a cause', new Error('a', { cause: CANARY })],
  ['a text', CANARY],
  ['an object', { name: CANARY, stack: `Error\n    at ${CANARY} (a.ts:1:1)` }],
])('nothing of %s is logged', (_what, thrown) => {
  const line = JSON.stringify(said(thrown))
  expect(line).not.toMatch(/canary|jane/i)
})

test.each([
  ['    at index.js:123:45', 'index.js:123:45'],
  ['    at file:///home/jane/app.js:1:2', 'app.js:1:2'],
  ['    at async Promise.all (C:\\Users\\jane\\app.js:1:2)', 'Promise.all app.js:1:2'],
  ['    at new Store (https://jane.example/a/worker.js:7:9)', 'Store worker.js:7:9'],
])('a frame without its folders: %s', (frame, place) => {
  const thrown = Object.assign(new Error('no'), { stack: `Error: no\n${frame}` })
  expect(said(thrown).at).toEqual([place])
})

test('an error without a stack, and a very long line, are logged soon', () => {
  expect(said(Object.assign(new Error('a'), { stack: 7 })).at).toEqual([])
  const stack = `Error: a\n    at ${'a'.repeat(100_000)}`
  const started = process.cpuUsage()
  expect(said(Object.assign(new Error('a'), { stack })).at).toEqual([])
  expect(process.cpuUsage(started).user).toBeLessThan(200_000)
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
