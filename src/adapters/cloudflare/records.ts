import * as z from 'zod'
import type { Client } from '../../../durable-objects/client.ts'
import type { Register } from '../../../durable-objects/register.ts'
import { clientOfKey } from '../../domain/client.ts'
import type { Records } from '../../ports/index.ts'
import { clientObject } from './clients.ts'
import { registerObject } from './register.ts'

const recordSchema = z.object({ mode: z.string().catch('none') })

/** Where records go, and who hears of one that comes too late. */
interface Places {
  RECORDS: KVNamespace
  REGISTER: DurableObjectNamespace<Register>
  CLIENTS: DurableObjectNamespace<Client>
}

/**
 * The masked records: in Workers KV, which is eventually consistent, so they are shown and never decide; and in the
 * register, for those who want to see at once what they have just made. A record counts as written when it is in both.
 * `flow` is who writes: what it writes about a client is noted with the client, and goes nowhere once that is deleted.
 */
export const kvRecords = ({ RECORDS, REGISTER, CLIENTS }: Places, flow: string | undefined): Records => ({
  async put({ key, value, links = [], copyLinksFrom = '' }) {
    const { mode } = recordSchema.parse(value)
    const text = JSON.stringify(value)
    const entered = async () => registerObject(REGISTER).put(key, mode, text, [...links], copyLinksFrom, flow)
    const clientId = clientOfKey(key)
    if (clientId === undefined) await Promise.all([RECORDS.put(key, text), entered()])
    else if (flow === undefined) throw new Error('a record of a client is written by a flow')
    // The register decides first; a deletion that it learns of from then on waits for this flow to come to rest.
    else if (await entered()) await RECORDS.put(key, text)
    // The answer of this flow tells of the client, too.
    else await clientObject(CLIENTS, clientId).eraseToo(flow)
  },
  get: (key) => RECORDS.get(key, 'json'),
  async keys(prefix) {
    const found: string[] = []
    for (let cursor: string | undefined; ;) {
      const page = await RECORDS.list({ prefix, ...(cursor !== undefined && { cursor }) })
      found.push(...page.keys.map(({ name }) => name))
      if (page.list_complete) return found
      cursor = page.cursor
    }
  },
})
