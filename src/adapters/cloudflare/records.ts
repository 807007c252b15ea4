import * as z from 'zod'
import type { Register } from '../../../durable-objects/register.ts'
import type { Records } from '../../ports/index.ts'
import { registerObject } from './register.ts'

/** What a record says besides what is shown: its ties, or the key of a record with the same ones. They go into the register only. */
const recordSchema = z.object({
  mode: z.string().catch('none'),
  contact_mac: z.string().nullish(),
  tied_like: z.string().nullish(),
})

/**
 * The masked records: in Workers KV, which is eventually consistent, so they are shown and never decide; and in the
 * register, for those who want to see at once what they have just made. A record counts as written when it is in both.
 */
export const kvRecords = (namespace: KVNamespace, register: DurableObjectNamespace<Register>): Records => ({
  async put(key, value) {
    const { mode, contact_mac, tied_like } = recordSchema.parse(value)
    const text = JSON.stringify({ ...value, contact_mac: undefined, tied_like: undefined })
    const ties = contact_mac ? contact_mac.split(' ') : []
    await Promise.all([
      namespace.put(key, text),
      registerObject(register).put(key, mode, text, ties, tied_like ?? ''),
    ])
  },
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
