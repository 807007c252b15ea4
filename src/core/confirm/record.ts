import type { AuditEntry } from '../domain/audit/entry.ts'
import type { Facts } from '../domain/facts.ts'
import type { Mode } from '../domain/mode.ts'
import type { Refusal } from '../domain/problem/problem.ts'
import type { Scope } from '../domain/scopes.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../domain/time/duration.ts'
import type { AuditBy } from '../ports/audit.ts'
import type { ApprovalDecision, Shown } from '../ports/confirmation.ts'
import type { RecordWrite } from '../ports/records.ts'

/** How long the machine waits, in milliseconds. */
export const SCHEDULE = {
  /** Waits before the alarm reconciles or delivers again; after the last one a person is needed. */
  backoff: [15 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 12 * HOUR],
  /** How many waits a later step that could not be sent gets before the earlier one is undone. */
  maxStepRetries: 3,
  /** The longest wait that a provider is granted between two tries of a later step. */
  longestProviderWait: 5 * MINUTE,
  /** How long a task may work before the alarm asks whether it is still alive. */
  taskLease: 15 * SECOND,
  /** When an alarm delivers what no commit has delivered before. */
  firstRedelivery: MINUTE,
  /** How often it tries once the backoff is used up. */
  lateRedelivery: DAY,
  /** How often the owner is alerted again until the alert was delivered. */
  realertEvery: HOUR,
  /** How often the alarm asks whether the version that can carry on is deployed. */
  otherVersion: HOUR,
  /** How long a record lives after its end, or after its preview expired. */
  retain: 30 * DAY,
} as const

export type FinalReply = { is: 'committed'; body: object } | { is: 'refused'; refusal: Refusal }

/** What a preview shows, and what has to hold at its commit. */
interface Contents {
  shown: Shown
  pinned: Facts
  /**
   * The keys by which the records of this change are found later. Nothing that is shown depends on
   * them.
   */
  index: readonly string[]
}

/** What is stored about one change, from its preview on. */
interface About {
  operation: string
  mode: Mode
  /** The adapter that the facts were read through; no other one may carry the change on. */
  adapterId: string
  origin: string
  /** The id of the secret under which fingerprint, token and keyed hashes are made. */
  keyId: string
  fingerprint: string
  /** Fingerprints of the request as it was sent and with its defaults. Builds before have none. */
  forms?: string | undefined
  /**
   * A keyed hash of each field, to name the ones that differ where the key is used for other
   * values.
   */
  fields?: Readonly<Record<string, string>>
  /** 128 random bits: the nonce of the token and the root of the markers. */
  id: string
  expiresAt: number
  /**
   * The sealed texts of the preview, which `shown` has as null, and, if a person has to approve,
   * what only the approval page shows whole. Emptied at the end: commit, refusal, decline or expiry.
   */
  sealedText?: string | undefined
  /** The field of the sealed text that a step sends. */
  sends?: string | undefined
  /** Digest of what was shown; only who has the token can test a guess against it. */
  digest: string
  /** The approval that the commit needs, and how it was decided. Missing if the token is enough. */
  need?: ApprovalNeed
  /**
   * The read scopes that a caller needs to see this preview, because it shows what they protect.
   */
  discloses?: readonly Scope[]
  /** Whose data this is, where it belongs to someone who can be erased. */
  subject: string | null
  /**
   * No approval is needed, because the address is that of a known client. The commit checks that
   * again.
   */
  isKnownClient?: true
  /** The booking, client, invoice or link that it is about. */
  recordId: string | null
  /** Who last moved it, for the audit log. */
  by: AuditBy
  /** What the audit log says of who commits it. */
  audit?: Facts | undefined
  /** It is committed at once, so that no preview of another payload replaces it. */
  isFinal?: true | undefined
}

export interface NewPreview extends About, Contents {}

/** What every state keeps. */
interface Kept extends About {
  v: 1
  /** Counts the changes, so that a result for an earlier state is ignored. */
  seq: number
  outbox?: Outbox
}

/** A preview, committed by no one so far. */
export interface Previewed extends Kept, Contents {
  state: 'previewed'
  /** Why the token of this preview is void, and since when if its commit was refused. */
  voidedBy?: Refusal
  voidedAt?: number
  /** When the first of its sends left, of which each was proved without effect. */
  firstTried?: number
}

/**
 * A commit whose steps are under way. `unconfirmedSends` counts sends that are not proved without
 * effect.
 */
export interface Running extends Kept, Contents {
  state: 'running'
  step: number
  /** The step before is being compensated. */
  compensating: boolean
  unconfirmedSends: number
  firstSent: number
  firstTried?: number
  lastSent: number
  lookups: number
  /** The provider answered a send of this step, and its answer did not say whether it was made. */
  answered?: true | undefined
  /** When the next alarm is due. None after the last wait, once the owner was alerted. */
  nextAlarmAt?: number | undefined
  /**
   * Reconciling has ended, and a person has to find out the outcome; pending until the owner is
   * alerted.
   */
  escalation?: 'pending' | 'sent' | undefined
  /** Why a later step was not done when it was last tried, while the first part is made. */
  turnedAway?: Refusal
  /** The owner was alerted that only the first part is made; the steps go on. */
  ownerKnows?: true
  /** What each finished step learnt. */
  stepResults: Facts[]
  /** The audit log knows that the outcome is in doubt. */
  unresolvedLogged?: true
  /** It comes from a backup, and what followed may be lost: it only looks, and sends nothing. */
  restored?: true
  /** Of one that comes from a backup: when it ended, by the log of that backup. */
  endedAt?: number
}

/** A commit that has ended: only its answer is left. */
export interface Done extends Kept {
  state: 'done'
  answer: FinalReply
  endedAt: number
  /** What differs from what the preview showed, for the audit log. */
  differs?: readonly string[]
}

/** Everything stored about one idempotency key: masked, versioned, one storage key. */
export type FlowRecord = Previewed | Running | Done

/**
 * A record as it is stored, with the name of its flow, and the id that the flow keeps in every
 * installation.
 */
export type KeptFlow = FlowRecord & { name: string; operationId: string }

/**
 * Whether a backup needs the flow itself: it is running, or has items to deliver. Otherwise its
 * answer is in the records.
 */
export const isAtWork = (record: FlowRecord) =>
  record.state === 'running' || (record.state === 'done' && record.outbox !== undefined)

/** A flow of a backup as it continues after a restore; `endedAt` is its end by the log, in epoch ms. */
export const takenUp = <Kept extends FlowRecord>(flow: Kept, endedAt: number | undefined): Kept =>
  flow.state === 'running'
    ? { ...flow, restored: true, ...(endedAt !== undefined && { endedAt }) }
    : flow

/** When the flow itself must go on. It is forgotten only once its outbox is empty. */
export function dueAt(record: FlowRecord): number | undefined {
  switch (record.state) {
    case 'previewed':
      if (record.sealedText !== undefined) return record.expiresAt
      return record.outbox ? undefined : record.expiresAt + SCHEDULE.retain
    case 'running':
      return record.nextAlarmAt
    case 'done':
      return record.outbox ? undefined : record.endedAt + SCHEDULE.retain
  }
}

/** Whether a person has approved it, and has not declined it since. */
export const isApproved = ({ need }: Pick<FlowRecord, 'need'>) => need?.decision?.is === 'approved'

/**
 * The versions of the record that this code can read. One is added when older code could misread a
 * record.
 */
const READABLE: readonly unknown[] = [1]

/**
 * Whether this code may act on a record. After a rollback a newer version may have written it:
 * never guess.
 */
export const isReadable = (record: FlowRecord) => READABLE.includes(record.v)

/** When an object with this record is woken; a record of another version is tried every hour. */
export const alarmAt = (record: FlowRecord, now: number): number | undefined =>
  isReadable(record) ? nextAlarmOf(record) : now + SCHEDULE.otherVersion

/** When the object must be woken: the only source of alarms, so no transition can forget one. */
export function nextAlarmOf(record: FlowRecord): number | undefined {
  const wakes = [dueAt(record), record.outbox?.wakeAt].filter((wake) => wake !== undefined)
  return wakes.length > 0 ? Math.min(...wakes) : undefined
}

/**
 * What an instance knows of its own alarm, so that one which is set for the right time is not set
 * again: that would be a write. It must be notified of every ring, since an alarm that rang is
 * gone, also where it rang before its time.
 */
export function alarmMemory(now: () => number) {
  let set: number | undefined
  return {
    /** Whether a save has to set the alarm, or delete it: it is not known to be set for this time. */
    mustSet(due: number | undefined) {
      if (due !== undefined && due === set && due > now()) return false
      set = due
      return true
    },
    /** The alarm rang or was deleted. */
    gone() {
      set = undefined
    },
  }
}

/** What a preview needs before it can be committed: that a person approves it on our own page. */
export interface ApprovalNeed {
  level: 'person'
  /** Keyed digest of all that the page shows, so that an approval counts for nothing else. */
  digest: string
  /** The page; its address carries no authority. */
  url: string
  /** Since when it waits, in epoch milliseconds. */
  since: number
  /**
   * A host was asked to open the page. It is asked only once, because some hosts cannot read the
   * question and would never see the refusal.
   */
  pageOffered?: true
  /** No rule asks for an approval any more. A person can still decline it. */
  lifted?: true
  /** What a person decided, the last one if they approved it first. */
  decision?: ApprovalDecision
}

/** An entry on its way to the audit log, without what every entry of this flow shares. */
export type AuditRow = Pick<
  AuditEntry,
  'id' | 'at' | 'event' | 'code' | 'record_id' | 'app' | 'request_id' | 'times' | 'shown'
> &
  /** Where someone else than the caller of the flow acted. */
  Partial<Pick<AuditEntry, 'caller' | 'about'>>

/**
 * A masked record on its way to the records, an entry on its way to the audit log, or an alert on
 * its way to the owner; kept until it is there.
 */
export type OutboxItem =
  | ({ kind: 'record'; id: string } & RecordWrite)
  | ({
      kind: 'audit'
      /** It may be there already, so it never changes again. */ sent?: true
    } & AuditRow)
  /** Only the first part of the change is made, and nothing more is tried. */
  | { kind: 'alert'; id: 'alert' }

/** What a record has still to deliver, in one order, on one schedule. */
export interface Outbox {
  items: OutboxItem[]
  /** When an alarm delivers it. */
  wakeAt: number
  /** Deliveries that failed since the last one that worked. */
  attempts: number
}
