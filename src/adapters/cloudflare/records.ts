import type { Records } from '../../ports/index.ts'

/** The masked records in Workers KV: eventually consistent, so they are shown and never decide. */
export const kvRecords = (namespace: KVNamespace): Records => ({
  put: (key, value) => namespace.put(key, JSON.stringify(value)),
  get: (key) => namespace.get(key, 'json'),
})
