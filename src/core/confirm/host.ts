import type { Refusal } from '../domain/problem/problem.ts'
import type { AppliedRules, AskedChange } from '../domain/rules/house-rules.ts'
import type { WaitingApproval } from '../ports/approvals.ts'
import type { AuditLog } from '../ports/audit.ts'
import type { Ports } from '../ports/services.ts'
import type { AnyMutation } from './mutation.ts'
import type { FlowRecord } from './record.ts'

/** What a flow needs of the object it lives in. */
export interface Host {
  /** The name of the flow, by which everything that is stored refers to it. Never shown: keys could be guessed by it. */
  name: string
  /** The id of the flow, for the audit log and the owner. */
  operationId: string
  clock: {
    now(): number
    /** The promise, or `late` after `ms` milliseconds; leaves no timer behind. */
    withDeadline<T>(promise: Promise<T>, ms: number): Promise<T | 'late'>
  }
  storage: {
    /** Saves the record and its alarm in one transaction; what is sent afterwards leaves only once it is durable. */
    save(record: FlowRecord, wakeAt: number | undefined): void
    forget(): Promise<void>
    /** The alarm rang, so none is set any more: the next save sets it anew. */
    rang(): void
  }
  coordinator: {
    /**
     * The house rules that apply to a caller, with what they have counted of today, apart from this flow: those of now, or
     * a copy that is ten seconds old at most.
     */
    rulesOf(caller: string, age: 'now' | 'copy'): Promise<AppliedRules[]>
    /**
     * Lets the change begin: takes all locks at once, unless one is held by another flow that is running, or a rule of the
     * house refuses the change.
     */
    acquire(lockKeys: string[], change: AskedChange): Promise<'taken' | 'held' | Refusal>
    /**
     * Puts a preview on the list of those that wait for a person, and alerts the owner with the address of its page; false
     * if too many wait already, and after too many declines the seconds until it may.
     */
    awaitApproval(
      waiting: Omit<WaitingApproval, 'flow' | 'operation_id'>,
      url: string,
    ): Promise<boolean | number>
    /** A person decided about the preview with this code, or nobody has to any more. */
    clearApproval(code: string): Promise<void>
    /** The outcome is known after all. */
    clearUnresolved(): Promise<void>
  }
  audit: Pick<AuditLog, 'append'>
  confirmationTtlMs: number
  /** What was kept before a restore may have been lost with it. */
  isRestoredLately: boolean
  /** The zone of the practice. */
  practiceZone: string
  newId(): string
  /** SHA-256 in base64url; of the host, so that a simulation has no time of its own in it. */
  sha256(text: string): Promise<string>
  /** Keeps the object alive while the task works, whoever hung up. */
  keepAlive(task: Promise<void>): void
  /** Tells the owner that a person has to find out the outcome; false if that did not work. */
  alertOwner(record: FlowRecord): Promise<boolean>
  mutation(operation: string): AnyMutation | undefined
  ports(origin: string): Promise<Ports>
}

/**
 * What an instance knows of its own alarm, so that one which is set for the right time is not set again: that would be
 * a write. It must be notified of every ring, since an alarm that rang is gone, also where it rang before its time.
 */
export function alarmMemory(now: () => number) {
  let set: number | undefined
  return {
    /** Whether a save has to set the alarm, or delete it: it is not known to be set for this time. */
    mustSet(due: number | undefined): boolean {
      if (due !== undefined && due === set && due > now()) return false
      set = due
      return true
    },
    /** The alarm rang or was deleted. */
    gone(): void {
      set = undefined
    },
  }
}
