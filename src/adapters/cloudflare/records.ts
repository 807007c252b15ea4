import type { Records } from '../../ports/index.ts'

/** The masked records in Workers KV: eventually consistent, so they are shown and never decide. */
export const kvRecords = (namespace: KVNamespace): Records => ({
  put: (key, value) => namespace.put(key, JSON.stringify(value)),
  get: (key) => namespace.get(key, 'json'),
  async keys(prefix) {
    const found: string[] = []
    for (let cursor: string | undefined; ;) {
      const page = await namespace.list({ prefix, ...(cursor !== undefined && { cursor }) })
      found.push(...page.keys.map(({ name }) => name))
      if (page.list_complete) return found
      cursor = page.cursor
    }
  },
})
