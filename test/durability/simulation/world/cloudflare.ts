import type { Facts } from '../../../../src/core/domain/facts.ts'
import type { Refusal } from '../../../../src/core/domain/problem/problem.ts'
import type { AppliedRules, AskedChange } from '../../../../src/core/domain/rules/house-rules.ts'
import type {
  ApprovalView,
  Approvals,
  ConfirmationCall,
  ConfirmationReply,
  Confirmations,
  Decided,
  WaitingApproval,
} from '../../../../src/core/ports/confirmation.ts'
import type {
  Resolution,
  UnresolvedOperations,
  Unresolved,
} from '../../../../src/core/ports/unresolved.ts'
import type { Acquired, LockRow } from './coordinator.ts'

interface Namespace<Stub> {
  idFromName(name: string): string
  get(id: string): Stub
  getByName(name: string): Stub
}

/** What the clients of the service need of the coordinator and of the other objects. */
export interface CoordinatorStub {
  acquire(
    holder: string,
    lockKeys: string[],
    seen: LockRow[],
    change: AskedChange,
  ): Promise<Acquired>
  appliedTo(caller: string, flow: string): Promise<AppliedRules[]>
  addUnresolved(unresolved: Unresolved): Promise<void>
  clearUnresolved(flow: string): Promise<void>
  approvals: {
    add(waiting: WaitingApproval): Promise<boolean>
    remove(flow: string, code: string): Promise<void>
  }
}

/** The id by which the log and the owner know a flow: never its name. */
export const operationIdOf = (name: string): string => `id of ${name}`

/** A namespace whose objects are found by their own names. */
export const namespaceOf = <Stub>(get: (name: string) => Stub): Namespace<Stub> => ({
  idFromName: (name) => name,
  get,
  getByName: get,
})

interface Clients {
  coordinatorOf(
    coordinator: () => CoordinatorStub,
    confirmations: Namespace<{ busy(): Promise<boolean> }>,
    holder: string,
  ): {
    rulesOf(caller: string, age: 'now'): Promise<AppliedRules[]>
    acquire(lockKeys: string[], change: AskedChange): Promise<'taken' | 'held' | Refusal>
    addUnresolved(unresolved: Unresolved): Promise<void>
    clearUnresolved(): Promise<void>
    awaitApproval(waiting: WaitingApproval): Promise<boolean>
    clearApproval(code: string): Promise<void>
  }
  unresolvedOperations(
    coordinator: () => Pick<CoordinatorStub, 'clearUnresolved'> & {
      unresolved(): Promise<Unresolved[]>
    },
    confirmations: Namespace<{
      unresolved(): Promise<{ part?: string } | undefined>
      resolve(happened: boolean, facts: Facts, part: string | undefined): Promise<Resolution>
    }>,
  ): UnresolvedOperations
  approvalsOf(
    coordinator: () => {
      approvals: Pick<CoordinatorStub['approvals'], 'remove'> & {
        flowOf(operationId: string): Promise<string | undefined>
        waiting(): Promise<WaitingApproval[]>
        decided(one: WaitingApproval, decision: 'approved' | 'declined'): Promise<void>
      }
    },
    confirmations: Namespace<{
      approval(): Promise<ApprovalView | undefined>
      decide(decided: Decided): ReturnType<Approvals['decide']>
    }>,
  ): Approvals
  confirmationObjects(
    namespace: Namespace<{ perform(call: ConfirmationCall): Promise<ConfirmationReply> }>,
  ): Confirmations
}

// By address, since these are typed by the Workers' types, which do not go together with those of Node.
const load = (path: string) =>
  import(new URL(path, import.meta.url).href) as Promise<Partial<Clients>>

/** The real clients of the objects, over namespaces of the simulation. */
export const { coordinatorOf, unresolvedOperations, approvalsOf, confirmationObjects } = {
  ...(await load('../../../../src/practice/adapters/cloudflare/coordinator.ts')),
  ...(await load('../../../../src/practice/adapters/cloudflare/stub.ts')),
} as Clients
