import type { Facts } from '../domain/facts.ts'
import type { Change, Refusal } from '../domain/problem/problem.ts'
import { onApprovalLifted, onDecided, pendingReply } from './approval.ts'
import { acknowledge } from './outbox.ts'
import type { FlowRecord, Previewed } from './record.ts'
import {
  onAlarm,
  begin,
  finish,
  onStepResult,
  resume,
  onResolvedByOwner,
  onOwnerAlerted,
} from './running.ts'
import { isSamePayload } from './token.ts'
import {
  type CallEvent,
  type FlowEvent,
  type StepResultEvent,
  type Transition,
  type At,
  IN_PROGRESS,
  unknownReply,
  refuse,
  refusalReply,
  voidPreview,
  update,
} from './transition.ts'

/**
 * The one place where a flow changes its state: the next record, at most one reply and one command.
 */
export function next(record: FlowRecord | undefined, event: FlowEvent, at: At): Transition {
  switch (event.type) {
    case 'call':
      return onCall(record, event, at)
    case 'prepared':
      return onPrepared(record, event, at)
    case 'step_result':
      if (!record || record.seq !== event.seq) return { record }
      if (event.how === 'check')
        return record.state === 'previewed' ? onChecked(record, event, at) : { record }
      return record.state === 'running' ? onStepResult(record, event, at) : { record }
    case 'alarm':
      return onAlarm(record, event.live, at)
    case 'outbox_delivered':
      return { record: record && acknowledge(record, event.delivered, event.ok, at.now) }
    case 'owner_alerted':
      return record?.state === 'running' ? onOwnerAlerted(record, event.ok) : { record }
    case 'subject_erased':
      return record ? onClientErased(record, event.subject, event.refusal) : { record }
    case 'decided':
      return onDecided(record, event, at.now)
    case 'approval_lifted':
      return onApprovalLifted(record, event.id, at.now)
    case 'resolved_by_owner':
      return record?.state === 'running' ? onResolvedByOwner(record, event, at) : { record }
  }
}

function onCall(record: FlowRecord | undefined, call: CallEvent, at: At): Transition {
  if (!record) {
    if (!call.confirm) return { record, command: 'prepare' }
    const code = call.token === 'missing' ? 'confirmation_token_missing' : 'preview_required'
    return { record, reply: refuse(code) }
  }
  if (!samePayload(record, call.operation, call)) {
    if (isRevision(record, call.revisable) && !call.confirm) return { record, command: 'prepare' }
    // Without the secret the payloads cannot be compared.
    const unreadable = record.operation === call.operation && !(record.keyId in call.fingerprints)
    const effect = unreadable ? effectSoFar(record) : 'none'
    return { record, reply: refuse('idempotency_key_reused', { effect }) }
  }
  const readable = record.state !== 'previewed' || record.keyId in call.fingerprints
  if (call.confirm && call.token !== 'missing' && !readable) {
    return { record, reply: refuse('confirmation_expired') }
  }
  if (call.confirm && typeof call.token === 'string') {
    const code =
      call.token === 'missing' ? 'confirmation_token_missing' : 'confirmation_token_invalid'
    return { record, reply: refuse(code, { effect: effectSoFar(record) }) }
  }
  if (record.state === 'done') return { record, reply: { ...record.answer, replayed: true } }
  if (record.state === 'running') {
    if (call.live)
      return call.confirm
        ? { record, command: 'join' }
        : { record, reply: refusalReply(IN_PROGRESS) }
    return call.confirm ? resume(record, at.now) : { record, reply: unknownReply(record, at.now) }
  }
  if (!call.confirm) {
    const isGood = !used(record, call, at.now) && mayBeShown(record, call)
    return isGood ? { record, reply: { is: 'preview' } } : { record, command: 'prepare' }
  }
  if (typeof call.token === 'string' || call.token.id !== record.id)
    return { record, reply: refuse('confirmation_expired') }
  if (record.voidedBy)
    return { record, reply: { is: 'refused', refusal: record.voidedBy, replayed: true } }
  if (used(record, call, at.now)) return { record, reply: refuse('confirmation_expired') }
  const pending = pendingReply(record, at.now, call.opensPages)
  if (pending) return pending
  return { record, command: call.live ? 'join' : 'check' }
}

function onPrepared(
  record: FlowRecord | undefined,
  { fresh, scopes = [], revisable, ...compared }: Extract<FlowEvent, { type: 'prepared' }>,
  at: At,
): Transition {
  const replaces =
    !record ||
    (samePayload(record, fresh.operation, compared)
      ? record.state === 'previewed' &&
        (used(record, compared, at.now) || !mayBeShown(record, { scopes }))
      : isRevision(record, revisable))
  if (!replaces) {
    const call = { operation: fresh.operation, confirm: false, token: 'missing' } as const
    const live = record.state === 'running'
    return onCall(record, { ...compared, ...call, type: 'call', scopes, live }, at)
  }
  // The outbox of the earlier preview is kept until it is delivered.
  const outbox = record?.outbox && { outbox: record.outbox }
  return {
    record: { v: 1, ...fresh, ...outbox, state: 'previewed', seq: (record?.seq ?? 0) + 1 },
    reply: { is: 'preview' },
  }
}

function onChecked(record: Previewed, { outcome }: StepResultEvent, at: At): Transition {
  if (record.voidedBy || at.now >= record.expiresAt)
    return { record, reply: refuse('confirmation_expired') }
  const pending = pendingReply(record, at.now)
  if (pending) return pending
  if (outcome.is === 'refused') return voidPreview(record, outcome.refusal, at.now)
  if (outcome.is === 'busy') return { record, reply: refusalReply(outcome.refusal) }
  if (outcome.is !== 'ok') return { record, reply: refuse('provider_busy') }
  const changes = changesBetween(record.pinned, outcome.facts)
  if (changes.length > 0)
    return voidPreview(record, { code: 'preview_stale', effect: 'none', changes }, at.now)
  if (at.planOf(record).rules.length === 0) return finish(record, 'committed', at)
  return begin(record, at.now)
}

/**
 * Whether the caller may still read all of the preview; its scopes can be fewer than when it was
 * made.
 */
const mayBeShown = ({ discloses = [] }: Previewed, { scopes = [] }: Pick<CallEvent, 'scopes'>) =>
  discloses.every((scope) => scopes.includes(scope))

/**
 * A preview that can no longer be committed: spent, expired, or made under a secret that is gone.
 */
const used = (record: Previewed, { fingerprints }: Pick<CallEvent, 'fingerprints'>, now: number) =>
  record.voidedBy !== undefined || now >= record.expiresAt || !(record.keyId in fingerprints)

/**
 * A fingerprint under a removed secret proves nothing: only a flow that sent nothing may start
 * again.
 */
const samePayload = (
  record: FlowRecord,
  operation: string,
  compared: Pick<CallEvent, 'fingerprints' | 'forms'>,
) =>
  record.operation === operation &&
  (record.keyId in compared.fingerprints
    ? isSamePayload(record, compared)
    : record.state === 'previewed')

/**
 * Whether a preview of another payload may replace this record. Only our own pages may do so, and
 * only if the record is a preview that is not final.
 */
const isRevision = (record: FlowRecord, isRevisable = false) =>
  isRevisable && record.state === 'previewed' && !record.isFinal

function effectSoFar(record: FlowRecord): Refusal['effect'] {
  if (record.state === 'previewed') return 'none'
  if (record.state === 'running') return 'unknown'
  return record.answer.is === 'refused' ? record.answer.refusal.effect : 'done'
}

function changesBetween(pinned: Facts, fresh: Facts): Change[] {
  return Object.keys(pinned)
    .filter((field) => pinned[field] !== fresh[field])
    .map((field) =>
      field.endsWith('_mac')
        ? { field: field.slice(0, -'_mac'.length) }
        : { field, was: pinned[field] ?? null, now: fresh[field] ?? null },
    )
}

/** Erases a client's data from a record: the preview, the answer and undelivered records. */
function onClientErased(record: FlowRecord, subject: string, refusal: Refusal): Transition {
  if (record.subject !== subject) return { record }
  if (record.state === 'previewed')
    return record.outbox ? emptied(record) : { record: undefined, command: 'forget' }
  // A running record needs its preview. What it makes is refused at its end, and then it is erased.
  if (record.state === 'running') return { record }
  const { outbox, need, fields: _fields, ...kept } = record
  const items = outbox?.items.filter(({ kind }) => kind === 'audit') ?? []
  // Without the nonce no one can test a guess against the digest.
  const gone = { id: '', digest: '', subject: null, recordId: null }
  const decided = need && { need: { ...need, digest: '' } }
  const empty = { ...kept, ...gone, ...decided, answer: { is: 'refused', refusal } as const }
  return update(outbox && items.length > 0 ? { ...empty, outbox: { ...outbox, items } } : empty, {})
}

/**
 * A preview whose entries the audit log does not have yet: it is emptied now, and deleted once the
 * log has them.
 */
function emptied({
  voidedBy: _spent,
  need: _need,
  sealedText: _text,
  fields: _fields,
  ...kept
}: Previewed): Transition {
  const empty: Previewed = {
    ...kept,
    id: '',
    digest: '',
    subject: null,
    recordId: null,
    pinned: {},
    index: [],
    expiresAt: 0,
    shown: { preview: {}, summary: '', warnings: [] },
  }
  return update(empty, {})
}
