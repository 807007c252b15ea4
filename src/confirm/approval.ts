import canonicalize from 'canonicalize'
import { fromBase64url } from '../crypto/encoding.ts'
import { MINUTE } from '../domain/duration.ts'
import type { Refusal } from '../domain/problem.ts'
import type { ApprovalView } from '../ports/approvals.ts'
import type { PreviewApproval } from '../ports/index.ts'
import type { FlowRecord, Previewed } from './record.ts'
import { type FlowEvent, type Reply, type Transition, refusalReply, update } from './events.ts'

/** What a preview needs before it can be committed: that a person approves it on our own page. */
export interface ApprovalNeed {
  level: 'person'
  /** Keyed digest of all that the page shows, so that an approval counts for nothing else. */
  digest: string
  /** The page; its address carries no authority. */
  url: string
  /** Since when it waits, in epoch milliseconds. */
  since: number
}

type DecidedEvent = Extract<FlowEvent, { type: 'decided' }>

/** What the digest of an approval is made of, as text. */
export const approvalText = (
  { operation, mode, id, shown }: Pick<Previewed, 'operation' | 'mode' | 'id' | 'shown'>,
  caller: string,
): string => canonicalize({ v: 1, id, operation, mode, caller, ...shown }) ?? ''

/** Crockford's Base32: no letter that is taken for a digit. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Four characters by which a person recognises the change in a chat and on the page: the first 20 bits of its digest. No secret. */
export function approvalCode({ digest }: Pick<ApprovalNeed, 'digest'>): string {
  const [first = 0, second = 0, third = 0] = fromBase64url(digest)
  const bits = (first << 12) | (second << 4) | (third >> 4)
  return [15, 10, 5, 0].map((shift) => LETTERS[(bits >> shift) & 31]).join('')
}

/** How often a caller may ask whether it is approved: more rarely once it waits for long. */
const ASK_AGAIN = { soon: 15, later: 60, laterAfter: 10 * MINUTE }

/** Whether the preview waits for a person: it can be committed only once one has approved it. */
export const isAwaitingApproval = (record: FlowRecord | undefined): record is Previewed =>
  record?.state === 'previewed' &&
  record.need !== undefined &&
  record.approvedAt === undefined &&
  !record.voidedBy

/** The refusal of a commit that nobody has approved; nothing where none is needed. */
export function pendingRefusal(record: Previewed, now: number): Refusal | undefined {
  const { need } = record
  if (!need || !isAwaitingApproval(record)) return undefined
  return {
    code: 'approval_pending',
    effect: 'none',
    approval_url: need.url,
    approval_code: approvalCode(need),
    retry_after_seconds: now - need.since < ASK_AGAIN.laterAfter ? ASK_AGAIN.soon : ASK_AGAIN.later,
  }
}

/** What the answer to a preview says of the approval that it needs. */
export const approvalOf = ({ need, approvedAt }: Previewed): PreviewApproval | undefined =>
  need && {
    required: need.level,
    status: approvedAt === undefined ? 'pending' : 'approved',
    code: approvalCode(need),
    url: need.url,
  }

/** All that a person is shown of a preview that needs approval, and what has become of it. */
export function approvalView(
  record: FlowRecord | undefined,
  operationId: string,
  now: number,
): ApprovalView | undefined {
  if (record?.state !== 'previewed') return undefined
  const {
    operation,
    mode,
    id,
    digest: shown,
    lifted,
    need = lifted,
    by,
    expiresAt: until,
    voidedBy,
    approvedAt,
    index,
  } = record
  const declined = voidedBy?.code === 'approval_declined'
  if (!need || (voidedBy && !declined)) return undefined
  return {
    operation_id: operationId,
    caller: by?.caller ?? 'unknown',
    operation,
    mode,
    code: approvalCode(need),
    since: need.since,
    until,
    status: declined
      ? 'declined'
      : now >= until
        ? 'expired'
        : lifted
          ? 'lifted'
          : approvedAt === undefined
            ? 'waiting'
            : 'approved',
    id,
    shown,
    digest: need.digest,
    addressIndex: index,
    ...record.shown,
  }
}

/** Whether a reply says that nobody has approved the change yet. */
export const isPending = (reply: Reply): boolean =>
  reply.is === 'refused' && reply.refusal.code === 'approval_pending'

/**
 * What waits for a person needs none any more. Its token is then enough, as it is for a preview that never needed one: the
 * commit asks the rules again, so one that is set meanwhile still counts. It can still be declined.
 */
export function onApprovalLifted(record: FlowRecord | undefined, id: string, now: number): Transition {
  if (!isAwaitingApproval(record) || record.id !== id || now >= record.expiresAt) return { record }
  const { need, ...kept } = record
  return update<Previewed>({ ...kept, ...(need && { lifted: need }) }, {})
}

/**
 * A person has decided. It counts only for the preview that was shown, while that can still be committed; a decline also
 * after an approval and where no rule asks any more, until the commit begins. A repeat changes nothing.
 */
export function onDecided(
  record: FlowRecord | undefined,
  { decided: { id, digest, decision, by, proof }, ttlMs }: DecidedEvent,
  now: number,
): Transition {
  const isGood =
    record?.state === 'previewed' &&
    record.id === id &&
    (record.need ?? record.lifted)?.digest === digest &&
    !record.voidedBy &&
    now < record.expiresAt
  if (!isGood) return { record }
  const evidence = { by, about: proof }
  if (decision === 'decline') {
    const voidedBy: Refusal = { code: 'approval_declined', effect: 'none' }
    return update(record, { voidedBy }, { reply: refusalReply(voidedBy), evidence })
  }
  if (!record.need || record.approvedAt !== undefined) return { record }
  return update(record, { approvedAt: now, expiresAt: Math.max(record.expiresAt, now + ttlMs) }, { evidence })
}
