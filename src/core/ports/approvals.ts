import type { Answered } from '../domain/booking-asks.ts'
import type { Facts } from '../domain/facts.ts'
import type { Mode } from '../domain/mode.ts'
import type { KnownStatus, Shown } from './confirmation.ts'

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
export interface WaitingChange extends WaitingApproval, Pick<Shown, 'summary' | 'preview'> {}

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
