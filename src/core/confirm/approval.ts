import canonicalize from 'canonicalize'

import { fromBase64url } from '../crypto/encoding.ts'
import { APPROVAL_TTL_MS, MOST_DECLINES, MOST_WAITING, approvalUrl } from '../domain/approval.ts'
import { type Refusal, problem } from '../domain/problem/problem.ts'
import { MINUTE } from '../domain/time/duration.ts'
import type { PreviewApproval } from '../ports/confirmation.ts'
import type { Keyring } from '../ports/keyring.ts'
import type { Host } from './host.ts'
import {
  type ApprovalNeed,
  type FlowRecord,
  type NewPreview,
  type Previewed,
  isApproved,
} from './record.ts'
import { type SealedField, macsOfTexts } from './sealed.ts'
import { type FlowEvent, type Reply, type Transition, refusalReply, update } from './transition.ts'

type DecidedEvent = Extract<FlowEvent, { type: 'decided' }>

const TOO_MANY_WAIT =
  `${MOST_WAITING} changes of this caller wait for approval already; nothing was done. ` +
  'Ask the person to decide those first.'

const TOO_MANY_DECLINED =
  `A person declined ${MOST_DECLINES} changes of this caller within an hour, so it may ask ` +
  'for its next approval an hour later; nothing was done. ' +
  'Ask the person what they want instead.'

/**
 * The digest of all that the page of an approval shows, under the secret of the preview; `texts` are
 * those that are kept sealed.
 */
export async function approvalDigest(
  keyring: Keyring,
  preview: NewPreview,
  texts: readonly SealedField[],
): Promise<string> {
  const macs = await macsOfTexts(keyring, preview, texts)
  return keyring.mac(preview.keyId, 'approval', approvalText(preview, macs))
}

/** The text whose digest an approval is about; `macs` are keyed hashes of the texts that are kept sealed. */
export const approvalText = (
  {
    operation,
    mode,
    id,
    shown,
    by,
  }: Pick<NewPreview, 'operation' | 'mode' | 'id' | 'shown' | 'by'>,
  macs: readonly string[],
) => canonicalize({ v: 1, id, operation, mode, caller: by.caller, ...shown, sealed: macs }) ?? ''

/**
 * The preview, which can be committed only once a person has approved it. It is listed for them
 * before it is kept: one that no one can find would wait in vain. Raises `rate_limited` for a caller
 * of whom too many wait, or were declined.
 */
export async function needingPerson(
  preview: NewPreview,
  digest: string,
  { clock, operationId, coordinator }: Host,
): Promise<NewPreview> {
  const now = clock.now()
  const url = approvalUrl(preview.origin, operationId)
  const need: ApprovalNeed = { level: 'person', digest, url, since: now }
  const expiresAt = Math.max(preview.expiresAt, now + APPROVAL_TTL_MS)
  const { by, operation, shown } = preview
  const code = approvalCode(need)
  const waiting = { caller: by.caller, operation, code, since: now, until: expiresAt }
  const isListed = await coordinator.awaitApproval(waiting, url, shown.preview)
  if (isListed === true) return { ...preview, need, expiresAt }
  const [detail, wait] = isListed === false ? [TOO_MANY_WAIT, 60] : [TOO_MANY_DECLINED, isListed]
  throw problem('rate_limited', { detail, retry_after_seconds: wait })
}

const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** The first 20 bits of the digest: a person recognises the change by them in a chat and on the page. */
export function approvalCode({ digest }: ApprovalNeed): string {
  const [first = 0, second = 0, third = 0] = fromBase64url(digest)
  const bits = (first << 12) | (second << 4) | (third >> 4)
  return [15, 10, 5, 0].map((shift) => LETTERS[(bits >> shift) & 31]).join('')
}

/** How often a caller may ask whether it is approved, in seconds; less often after ten minutes. */
const ASK_AGAIN = { soon: 15, later: 60, laterAfter: 10 * MINUTE }

/** Whether the preview waits for a person: it can be committed only once one has approved it. */
export const isAwaitingApproval = (
  record: FlowRecord | undefined,
): record is Previewed & { need: ApprovalNeed } =>
  record?.state === 'previewed' &&
  record.need !== undefined &&
  !record.need.lifted &&
  !record.need.decision &&
  !record.voidedBy

/** The refusal of a commit that still needs an approval; undefined if it needs none. */
export function pendingRefusal(record: Previewed, now: number): Refusal | undefined {
  if (!isAwaitingApproval(record)) return undefined
  const { need } = record
  return {
    code: 'approval_pending',
    effect: 'none',
    approval_url: need.url,
    approval_code: approvalCode(need),
    retry_after_seconds: now - need.since < ASK_AGAIN.laterAfter ? ASK_AGAIN.soon : ASK_AGAIN.later,
  }
}

/** The reply to such a commit; a host that can open the page is asked to do so the first time. */
export function pendingReply(
  record: Previewed,
  now: number,
  opensPages = false,
): Transition | undefined {
  const refusal = pendingRefusal(record, now)
  if (!refusal) return undefined
  const { need } = record
  if (!need || !opensPages || need.pageOffered) return { record, reply: refusalReply(refusal) }
  const reply: Reply = { is: 'refused', refusal, replayed: false, openPage: true }
  return update(record, { need: { ...need, pageOffered: true } }, { reply })
}

/** The part of the answer to a preview that is about its approval. */
export function approvalOf({ need }: Previewed): PreviewApproval | undefined {
  if (!need || need.lifted) return undefined
  const status = isApproved({ need }) ? 'approved' : 'pending'
  return { required: need.level, status, code: approvalCode(need), url: need.url }
}

/** Whether a reply says that the change still waits for an approval. */
export const isPending = (reply: Reply) =>
  reply.is === 'refused' && reply.refusal.code === 'approval_pending'

/** Ends the need for an approval: the token is enough. The commit asks the rules again, with later ones. */
export function onApprovalLifted(
  record: FlowRecord | undefined,
  id: string,
  now: number,
): Transition {
  if (!isAwaitingApproval(record) || record.id !== id || now >= record.expiresAt) return { record }
  return update(record, { need: { ...record.need, lifted: true } })
}

/** Counts for the shown preview only, while it can be committed. A decline also counts after an approval. */
export function onDecided(
  record: FlowRecord | undefined,
  { decided: { id, digest, decision, by, proof }, ttlMs }: DecidedEvent,
  now: number,
): Transition {
  const need = record?.need
  const isGood =
    record?.state === 'previewed' &&
    record.id === id &&
    need?.digest === digest &&
    !record.voidedBy &&
    now < record.expiresAt
  if (!isGood) return { record }
  const evidence = { by, about: proof }
  if (decision === 'decline') {
    const voidedBy: Refusal = { code: 'approval_declined', effect: 'none' }
    const declined = { ...need, decision: { is: 'declined', by, at: now } } as const
    const change = { voidedBy, sealedText: undefined, need: declined }
    return update(record, change, { reply: refusalReply(voidedBy), evidence })
  }
  if (need.lifted || need.decision) return { record }
  const approved = { ...need, decision: { is: 'approved', by, at: now } } as const
  const expiresAt = Math.max(record.expiresAt, now + ttlMs)
  return update(record, { need: approved, expiresAt }, { evidence })
}
