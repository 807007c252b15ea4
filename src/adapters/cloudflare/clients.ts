import type { Client } from '../../../durable-objects/client.ts'
import type { Register } from '../../../durable-objects/register.ts'
import type { ClientDeletion, Clients } from '../../ports/index.ts'
import { registerObject } from './register.ts'

type Objects = DurableObjectNamespace<Client>
type Registers = DurableObjectNamespace<Register>

/** The object that erases a client. Only a deletion leads to it: a client that nobody deletes has none. */
export const clientObject = (objects: Objects, clientId: string) => objects.get(objects.idFromName(clientId))

/** Which clients are deleted, as the register knows; `flow` is who asks. */
export const notedClients = (register: Registers, flow: string | undefined): Clients => ({
  isDeleted: async (clientId) => registerObject(register).note(clientId, flow),
})

export const clientDeletion = (register: Registers, objects: Objects): ClientDeletion => ({
  async holdings(clientId) {
    const held = await registerObject(register).holdings(clientId)
    // Of a client that the register has never heard of, an object of an earlier version may know.
    if (held.deleted || held.keys.length > 0) return held
    return clientObject(objects, clientId).holdings()
  },
  delete: async (clientId, by) => clientObject(objects, clientId).delete(clientId, by),
})
