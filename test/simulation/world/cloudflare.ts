import type { Facts } from '../../../src/domain/facts.ts'
import type {
  ConfirmationCall,
  ConfirmationReply,
  Confirmations,
  Doubts,
  Unresolved,
} from '../../../src/ports/index.ts'
import type { Held } from './desk.ts'

interface Namespace<Stub> {
  idFromName(name: string): string
  idFromString(id: string): string
  get(id: string): Stub
}

/** What became of the owner's word. */
export type Word = Awaited<ReturnType<Doubts['settle']>>

/** What the clients of the service need of a desk and of the other objects. */
export interface DeskStub {
  take(holder: string, targets: string[], until: number, seen: Held[]): Promise<Held[]>
  remember(unresolved: Unresolved): Promise<void>
  calm(operationId: string): Promise<void>
}

/** A namespace whose objects are found by their own names. */
export const namespaceOf = <Stub>(get: (name: string) => Stub): Namespace<Stub> => ({
  idFromName: (name) => name,
  idFromString: (id) => id,
  get,
})

interface Clients {
  deskClient(
    desks: Namespace<DeskStub>,
    confirmations: Namespace<{ busy(): Promise<boolean> }>,
    holder: string,
  ): {
    take(targets: string[]): Promise<'taken' | 'held'>
    remember(unresolved: Unresolved): Promise<void>
    calm(): Promise<void>
  }
  deskDoubts(
    desks: Namespace<Pick<DeskStub, 'calm'> & { unresolved(): Promise<Unresolved[]> }>,
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

/** The real clients of the objects, over namespaces of the simulation. */
export const { deskClient, deskDoubts, confirmationObjects } = {
  ...(await load('../../../src/adapters/cloudflare/desk.ts')),
  ...(await load('../../../src/adapters/cloudflare/doubts.ts')),
  ...(await load('../../../src/adapters/cloudflare/confirmations.ts')),
} as Clients
