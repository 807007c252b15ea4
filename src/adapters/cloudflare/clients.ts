import type { Client } from '../../../durable-objects/client.ts'
import { clientOfKey } from '../../domain/client.ts'
import type { ClientDeletion, Clients, Records } from '../../ports/index.ts'

type Objects = DurableObjectNamespace<Client>

const objectOf = (objects: Objects, clientId: string) => objects.get(objects.idFromName(clientId))

/** Who may write about whom, asked of the object of each client; `flow` is who asks. */
export const clientObjects = (objects: Objects, flow: string | undefined): Clients => ({
  async isDeleted(clientId) {
    const client = objectOf(objects, clientId)
    return flow === undefined ? (await client.holdings()).deleted : client.note(flow)
  },
})

/** The records, with those about a client written by the object of that client. */
export const routedRecords = (records: Records, objects: Objects, flow: string | undefined): Records => ({
  ...records,
  async put(key, value) {
    const clientId = clientOfKey(key)
    if (clientId === undefined || flow === undefined) return records.put(key, value)
    if (!(await objectOf(objects, clientId).put(flow, key, value))) throw new Error('not written')
  },
})

export const clientDeletion = (objects: Objects): ClientDeletion => ({
  holdings: async (clientId) => objectOf(objects, clientId).holdings(),
  delete: async (clientId, by) => objectOf(objects, clientId).delete(clientId, by),
})
