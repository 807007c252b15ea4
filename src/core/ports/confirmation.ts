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
 * restore it may be gone with what came after the backup. `newer`: only a newer version, which was taken back, knows it.
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
