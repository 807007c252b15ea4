import type { Facts } from '../../../src/domain/facts.ts'
import type {
  ConfirmationCall,
  ConfirmationReply,
  Confirmations,
  Doubts,
  Clients as DeletedClients,
  Records,
  Unresolved,
} from '../../../src/ports/index.ts'
import type { Register } from '../../../src/ports/register.ts'
import type { LockRow } from './coordinator.ts'
import type { Kv } from './records.ts'
import type { RegisterMethods } from './register.ts'

interface Namespace<Stub> {
  idFromName(name: string): string
  idFromString(id: string): string
  get(id: string): Stub
}

/** What became of the owner's word. */
export type Word = Awaited<ReturnType<Doubts['settle']>>

/** What the clients of the service need of the coordinator and of the other objects. */
export interface CoordinatorStub {
  acquire(holder: string, lockKeys: string[], seen: LockRow[]): Promise<LockRow[]>
  addUnresolved(unresolved: Unresolved): Promise<void>
  clearUnresolved(operationId: string): Promise<void>
}

/** A namespace whose objects are found by their own names. */
export const namespaceOf = <Stub>(get: (name: string) => Stub): Namespace<Stub> => ({
  idFromName: (name) => name,
  idFromString: (id) => id,
  get,
})

/** The methods of an object as they are called from outside. */
type Remote<T> = {
  [K in keyof T]: T[K] extends (...args: infer A) => infer R ? (...args: A) => Promise<R> : never
}

/** The register, called from outside. */
export type RegisterStub = Remote<RegisterMethods>

interface Clients {
  kvRecords(
    places: {
      RECORDS: Kv
      REGISTER: Namespace<RegisterStub>
      CLIENTS: Namespace<{ eraseToo(flow: string): Promise<void> }>
    },
    flow: string | undefined,
  ): Records
  notedClients(register: Namespace<RegisterStub>, flow: string | undefined): DeletedClients
  registerClient(register: Namespace<RegisterStub>): Register
  coordinatorOf(
    desks: Namespace<CoordinatorStub>,
    confirmations: Namespace<{ busy(): Promise<boolean> }>,
    holder: string,
  ): {
    acquire(lockKeys: string[]): Promise<'taken' | 'held'>
    addUnresolved(unresolved: Unresolved): Promise<void>
    clearUnresolved(): Promise<void>
  }
  unresolvedOperations(
    desks: Namespace<Pick<CoordinatorStub, 'clearUnresolved'> & { unresolved(): Promise<Unresolved[]> }>,
    confirmations: Namespace<{
      unresolved(): Promise<boolean>
      settle(happened: boolean, facts: Facts): Promise<Word>
    }>,
  ): Doubts
  confirmationObjects(
    namespace: Namespace<{ perform(call: ConfirmationCall): Promise<ConfirmationReply> }>,
  ): Confirmations
}

// By address, since these are typed by the Workers' types, which do not go together with those of Node.
const load = (path: string) => import(new URL(path, import.meta.url).href) as Promise<Partial<Clients>>

/** The real clients of the objects and of the records, over namespaces of the simulation. */
export const {
  coordinatorOf,
  unresolvedOperations,
  confirmationObjects,
  kvRecords,
  notedClients,
  registerClient,
} = {
  ...(await load('../../../src/adapters/cloudflare/coordinator.ts')),
  ...(await load('../../../src/adapters/cloudflare/doubts.ts')),
  ...(await load('../../../src/adapters/cloudflare/confirmations.ts')),
  ...(await load('../../../src/adapters/cloudflare/records.ts')),
  ...(await load('../../../src/adapters/cloudflare/clients.ts')),
  ...(await load('../../../src/adapters/cloudflare/register.ts')),
} as Clients
