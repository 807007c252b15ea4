import type { Facts } from '../domain/facts.ts'
import type { LookupOutcome } from '../domain/outcome.ts'
import type { Practice } from '../domain/practice.ts'
import type { Refusal } from '../domain/problem/problem.ts'
import type { AuditLog } from '../ports/audit.ts'
import type { WaitingApproval } from '../ports/confirmation.ts'
import type { Ports, ProviderQuota } from '../ports/services.ts'
import type { AnyMutation } from './mutation.ts'
import type { FlowRecord, Running } from './record.ts'

/** A change that a flow is about to preview or to begin. */
export interface GuardedChange {
  caller: string
  operation: string
  pinned: Facts
  /** Whether it goes to an email address that its caller brings, and whether that is a known client's. */
  address?: 'new' | 'known' | undefined
}

/** What the rules say of a change that is previewed. */
export interface Verdict {
  refusal?: Refusal | undefined
  /** A sentence for the preview. */
  warning?: string | undefined
  /** A person has to approve it before it can be committed. */
  wantsPerson: boolean
  /** It would need no person if its address were a known client's. */
  passesKnownClients: boolean
}

/** The rules for one caller. */
export interface CallerRules {
  /** The refusal of everything that this caller asks for. */
  paused?: Refusal | undefined
  verdict(change: GuardedChange): Verdict
}

/** Says which changes may be made. The flow knows none of the rules by which it decides. */
export interface Guard {
  /**
   * The rules for a preview, which may be some seconds old, and none where they do not come soon:
   * the commit asks again. Never rejects.
   */
  rulesFor(call: Pick<GuardedChange, 'caller' | 'operation'>): Promise<CallerRules>
  /**
   * Whether the rules paused this caller when they were last seen here: then nothing is read before
   * they are asked.
   */
  lastSeenPaused(call: Pick<GuardedChange, 'caller' | 'operation'>): boolean
  /**
   * Lets the change begin, in one step: counts it and takes all locks at once, unless another flow
   * that is running holds one, or a rule of this moment refuses it. `approved`: a person has
   * approved it.
   */
  begin(
    lockKeys: string[],
    change: GuardedChange,
    approved: boolean,
  ): Promise<'taken' | 'held' | Refusal>
  /** Whether a rule of this moment wants a person for the change; also where the rules do not come soon. */
  stillWantsPerson(change: GuardedChange): Promise<boolean>
}

/** What a flow needs of the object it lives in. */
export interface Host {
  /**
   * The name of the flow, by which everything that is stored refers to it. Never shown: keys could
   * be guessed by it.
   */
  name: string
  /** The id of the flow, for the audit log and the owner. */
  operationId: string
  clock: {
    now(): number
    /** The promise, or `late` after `ms` milliseconds; leaves no timer behind. */
    withDeadline<T>(promise: Promise<T>, ms: number): Promise<T | 'late'>
  }
  storage: {
    /**
     * Saves the record and its alarm in one transaction; what is sent afterwards leaves only once
     * it is durable.
     */
    save(record: FlowRecord, wakeAt: number | undefined): void
    forget(): Promise<void>
    /** The alarm rang, so none is set any more: the next save sets it again. */
    rang(): void
  }
  guard: Guard
  coordinator: {
    /**
     * Puts a preview on the list of those that wait for a person, and alerts the owner with the
     * address of its page and what it is about; false if too many wait already, and after too many
     * declines the seconds until it may.
     */
    awaitApproval(
      waiting: Omit<WaitingApproval, 'flow' | 'operation_id'>,
      url: string,
      preview: unknown,
    ): Promise<boolean | number>
    /** A person decided about the preview with this code, or no one has to any more. */
    clearApproval(code: string): Promise<void>
    /** The outcome is known after all. */
    clearUnresolved(): Promise<void>
  }
  audit: Pick<AuditLog, 'append'>
  confirmationTtlMs: number
  /** What was kept before a restore may have been lost with it. */
  isRestoredLately: boolean
  practice: Pick<Practice, 'timezone' | 'eventTypes'>
  newId(): string
  /** SHA-256 in base64url; of the host, so that a simulation has no time of its own in it. */
  sha256(text: string): Promise<string>
  /** Keeps the object alive while the task works, even if the caller hung up. */
  keepAlive(task: Promise<void>): void
  /**
   * Alerts the owner: a person has to find out the outcome, or only the first part of the change is
   * made. False if that did not work.
   */
  alertOwner(record: FlowRecord): Promise<boolean>
  /** Notes an error that no one foresaw, so that it can be mended. Needs no `this`, and never throws. */
  noteFault(this: void, thrown: unknown): void
  /** Notes how a step that was sent ended. Needs no `this`, and never throws. */
  noteStep(this: void, record: Running, outcome: LookupOutcome): void
  mutation(operation: string): AnyMutation | undefined
  ports(origin: string): Promise<Ports>
  quota: ProviderQuota
}
