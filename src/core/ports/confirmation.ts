import type { Answered } from '../domain/booking-asks.ts'
import type { Facts } from '../domain/facts.ts'
import type { Mode } from '../domain/mode.ts'
import type { Refusal } from '../domain/problem/problem.ts'
import type { Scope } from '../domain/scopes.ts'
import type { AuditBy } from './audit.ts'

/** The JSON type in which a host sent a text field of a tool, by JSON pointer. */
export type SentAs = Readonly<Record<string, 'boolean' | 'number' | 'list'>>

/** One call of a mutation, as its confirmation object is asked it. The input crosses in memory only. */
export interface ConfirmationCall {
  operation: string
  input: object
  /** The input in the form that is fingerprinted. It crosses in memory only, too. */
  compared?: object
  confirm: boolean
  /** The nonce of a token that is genuine for this object; `missing` or `invalid` otherwise. */
  token: { id: string } | 'missing' | 'invalid'
  /** The fingerprint of the payload under each id of the keyring. */
  fingerprints: Readonly<Record<string, string>>
  /** The same of its forms, with a blank between them. A build before sends none. */
  forms?: Readonly<Record<string, string>> | undefined
  /** The public address of this service, for addresses in the answer. */
  origin: string
  /** The caller's scopes now: a preview shows only what the caller may read. */
  scopes: readonly Scope[]
  /**
   * A preview that no one commits yet gives way to this one, though it is of another payload or
   * operation. Only our own pages ask so, on which a person may go back and change what they typed.
   */
  revisable?: true | undefined
  /**
   * The owner tightens something: its preview is committed in the same call, and nothing comes
   * between the two.
   */
  atOnce?: true | undefined
  /**
   * How long a commit that no one has approved waits for a person to decide, in milliseconds; it
   * does not by default.
   */
  approvalWaitMs?: number | undefined
  /** Whether its host can open the page of an approval. */
  opensPages?: boolean | undefined
  /** Of a tool call: what a host sent in another type than the field's. It crosses in memory only. */
  sentAs?: SentAs | undefined
  /** For the audit log. */
  by: AuditBy
}

export interface Shown {
  preview: object
  summary: string
  warnings: string[]
}

/** The approval that a preview needs, as its answer says it. */
export interface PreviewApproval {
  required: 'person'
  status: 'pending' | 'approved'
  code: string
  url: string
}

/**
 * `audited`: the object keeps the entry for the audit log; of any other reply the Worker writes
 * one. `waited`: it waited for a person or for another call, and the caller's credential may have
 * ended meanwhile. `operationId`: the id by which the log and the owner know the flow; missing
 * where its object does not answer.
 */
export type ConfirmationReply = { audited?: true; waited?: true; operationId?: string } &
  /** The wait has ended: what came of it is known to a repeat of the call. */
  (
    | { is: 'ask_again' }
    | ({
        is: 'preview'
        mode: Mode
        id: string
        keyId: string
        expiresAt: number
        /** Where a person has to approve it. */
        approval?: PreviewApproval
      } & Shown)
    | { is: 'committed'; body: object; replayed: boolean }
    /** `openPage`: the host is asked to open the page of the approval, once a preview. */
    | { is: 'refused'; refusal: Refusal; replayed: boolean; openPage?: true }
  )

/**
 * The status of the change under an idempotency key, with the answer or refusal that a repeat of
 * its commit gets now; `waited` and `operationId` as in a `ConfirmationReply`. `lost`: after a
 * restore it may be gone with what came after the backup. `newer`: only a newer version, which was
 * taken back, knows it.
 */
export type OperationStatus = { waited?: true; operationId?: string } & (
  | { is: 'never_seen'; lost?: true }
  | { is: 'newer'; refusal: Refusal }
  | KnownStatus
)

/** The status of a change of which something is kept. */
export interface KnownStatus {
  is:
    | 'previewed'
    | 'awaiting_approval'
    | 'running'
    | 'committed'
    | 'failed'
    | 'outcome_unknown'
    | 'expired'
  operation: string
  mode: Mode
  /** When its preview ends, or ended, in epoch milliseconds. */
  expiresAt: number
  body?: object
  refusal?: Refusal
  /** A person has approved it. */
  approved?: true
  /** When the change ended, in epoch milliseconds. */
  endedAt?: number
}

/**
 * The confirmation objects, one per (caller, idempotency key). A call never throws: an unknown
 * outcome is answered as unknown.
 */
export interface Confirmations {
  perform(name: string, call: ConfirmationCall): Promise<ConfirmationReply>
  /** Looks at the provider first where the outcome is in doubt. Keeps nothing where nothing was kept. */
  status(name: string): Promise<OperationStatus>
}

/** A preview that waits for a person, as the list knows it: nothing of what it shows. */
export interface WaitingApproval {
  /** The name of its flow, which is never shown. */
  flow: string
  operation_id: string
  caller: string
  operation: string
  /** By which a person recognises it. */
  code: string
  /** Since when it waits, and until when it can be approved; epoch milliseconds. */
  since: number
  until: number
}

/** One that waits, with what a person recognises it by. */
export interface WaitingChange extends WaitingApproval, Pick<Shown, 'summary' | 'preview'> {
  mode: Mode
}

/** A text of a preview that is kept sealed; also the answers of an invitee, beside their questions. */
export type SealedText = string | readonly Answered[]

/** What a person decided, who they are in the audit log, and when, in epoch milliseconds. */
export interface ApprovalDecision {
  is: 'approved' | 'declined'
  by: string
  at: number
}

/** All that the page shows of a change that waits for a person, and later of what became of it. */
export interface ApprovalView
  extends WaitingApproval, Shown, Pick<KnownStatus, 'endedAt' | 'refusal'> {
  mode: Mode
  /** `lifted`: no rule asks for a person any more, and it can only be declined. */
  status:
    | ('waiting' | 'approved' | 'declined' | 'lifted')
    | Exclude<KnownStatus['is'], 'previewed' | 'awaiting_approval'>
  decision?: ApprovalDecision
  /** The preview, the digest of what its caller was shown, and that of what this page shows. */
  id: string
  shown: string
  digest: string
  /**
   * By field of the preview what this page alone shows whole: names, answers, and addresses with
   * their whole domain.
   */
  whole: Readonly<Record<string, SealedText>>
  /** The field of the preview whose text is sent to the client. */
  sends?: string
  /** The result that its caller was given, masked, once it was made and while that is kept. */
  made?: object
  /** Keyed hashes of the email address that the change is for; none where it has none. */
  addressIndex: readonly string[]
}

/** What a person decided about exactly this preview, and what proves it. */
export interface Decided {
  id: string
  digest: string
  decision: 'approve' | 'decline'
  by: string
  proof: Facts
}

/** The changes that a person has to approve. */
export interface Approvals {
  /** Those that wait, the oldest first. */
  waiting(): Promise<WaitingChange[]>
  /**
   * What there is to decide, or what became of it; undefined where nothing is kept of it, or no
   * person had to approve it. Waits so long for a commit that is at work, in milliseconds.
   */
  read(operationId: string, waitMs?: number): Promise<ApprovalView | undefined>
  /**
   * Decides. `ended` where the preview is no longer the one that was shown, or can no longer be
   * committed.
   */
  decide(asked: WaitingApproval, decided: Decided): Promise<'approved' | 'declined' | 'ended'>
  /** How many changes of a caller were declined in the last 30 days. */
  declined(caller: string): Promise<number>
  /** Counts that someone compares an address with that of a preview; false where that was done too often. */
  countComparison(asked: Pick<WaitingApproval, 'flow' | 'code'>): Promise<boolean>
}
