import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'

import { SECOND } from '../../src/core/domain/time/duration.ts'
import { emptyStorage } from './empty-storage.ts'

test('empties an object that has left the memory, as each does that was idle for ten seconds', async () => {
  const access = () => env.ACCESS.getByName('access')
  const kept = () => runInDurableObject(access(), (_object, { storage }) => storage.kv.get('kept'))
  await runInDurableObject(access(), (_object, { storage }) => storage.kv.put('kept', true))
  await evictDurableObject(access())
  const began = performance.now()
  // So much later that an object may be gone.
  performance.now = () => began + 20 * SECOND
  await emptyStorage()
  Reflect.deleteProperty(performance, 'now')
  expect(await kept()).toBe(undefined)
})
