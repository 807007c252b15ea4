import type { Facts } from '../domain/facts.ts'
import type { Change, Refusal } from '../domain/problem.ts'
import { erased } from './erased.ts'
import type { FlowRecord } from './record.ts'
import { alarmed, delivered, finish, heard, resume, send, settled, told } from './running.ts'
import type { Call, Event, Heard, Out, PlanOf } from './transition.ts'
import { doubt, refuse, said, spend } from './transition.ts'

const inProgress = { effect: 'unknown', retry_after_seconds: 2 } as const

/**
 * The confirm-before-commit machine: from a record, an event and the time to the next record, at most one thing to say
 * and one thing to do. It is the only place where a flow changes its state. Checked by test/unit/machine.test.ts.
 */
export function next(record: FlowRecord | undefined, event: Event, now: number, planOf: PlanOf): Out {
  switch (event.type) {
    case 'call':
      return called(record, event, now, planOf)
    case 'prepared':
      return prepared(record, event, now, planOf)
    case 'heard':
      if (!record || record.seq !== event.seq) return { record }
      return event.how === 'check' ? checked(record, event, now, planOf) : heard(record, event, now, planOf)
    case 'alarm':
      return alarmed(record, event.live, now, planOf)
    case 'delivered':
      return record ? delivered(record, event.ok, now) : { record }
    case 'told':
      return record ? told(record, event.ok) : { record }
    case 'erased':
      return record ? erased(record, event.clientId) : { record }
    case 'settled':
      return record ? settled(record, event.happened, event.facts, now, planOf) : { record }
  }
}

function called(record: FlowRecord | undefined, call: Call, now: number, planOf: PlanOf): Out {
  if (!record) {
    if (!call.confirm) return { record, todo: 'prepare' }
    return {
      record,
      say: refuse(call.token === 'missing' ? 'confirmation_token_missing' : 'preview_required'),
    }
  }
  if (!samePayload(record, call.operation, call.fingerprints)) {
    // Under a secret that is gone nobody can tell whether it is the same payload after all.
    const unreadable = record.operation === call.operation && !(record.keyId in call.fingerprints)
    const effect = unreadable ? effectSoFar(record) : 'none'
    return { record, say: refuse('idempotency_key_reused', { effect }) }
  }
  const readable = record.at !== 'previewed' || record.keyId in call.fingerprints
  if (call.confirm && call.token !== 'missing' && !readable) {
    return { record, say: refuse('confirmation_expired') }
  }
  if (call.confirm && typeof call.token === 'string') {
    const code = call.token === 'missing' ? 'confirmation_token_missing' : 'confirmation_token_invalid'
    return { record, say: refuse(code, { effect: effectSoFar(record) }) }
  }
  if (record.at === 'done') return { record, say: { ...record.answer!, replayed: true } }
  if (record.at === 'running') {
    if (call.live)
      return call.confirm
        ? { record, todo: 'join' }
        : { record, say: refuse('commit_in_progress', inProgress) }
    return call.confirm ? resume(record, true, now, planOf) : { record, say: doubt(record, now) }
  }
  if (!call.confirm)
    return used(record, call, now) ? { record, todo: 'prepare' } : { record, say: { is: 'preview' } }
  if (typeof call.token === 'string' || call.token.id !== record.id)
    return { record, say: refuse('confirmation_expired') }
  if (record.spent) return { record, say: { is: 'refused', refusal: record.spent, replayed: true } }
  if (used(record, call, now)) return { record, say: refuse('confirmation_expired') }
  return { record, todo: call.live ? 'join' : 'check' }
}

function prepared(
  record: FlowRecord | undefined,
  { fresh, fingerprints }: Extract<Event, { type: 'prepared' }>,
  now: number,
  planOf: PlanOf,
): Out {
  const replaces =
    !record ||
    (record.at === 'previewed' &&
      samePayload(record, fresh.operation, fingerprints) &&
      used(record, { fingerprints }, now))
  if (!replaces) {
    const live = record.at === 'running'
    const call: Call = {
      type: 'call',
      confirm: false,
      operation: fresh.operation,
      token: 'missing',
      fingerprints,
      live,
    }
    return called(record, call, now, planOf)
  }
  const start = { step: 0, undo: false, tries: 0, firstSent: 0, lastSent: 0, looks: 0, learnt: [] }
  // What the trail is still to know of the preview before outlives it.
  const waiting = record?.trail && { trail: record.trail }
  return {
    record: { v: 1, ...fresh, ...start, ...waiting, at: 'previewed', seq: (record?.seq ?? 0) + 1 },
    say: { is: 'preview' },
  }
}

/** The live facts were read again, just before the first send. */
function checked(record: FlowRecord, { heard: h }: Heard, now: number, planOf: PlanOf): Out {
  if (record.at !== 'previewed') return { record }
  if (record.spent || now >= record.expiresAt) return { record, say: refuse('confirmation_expired') }
  if (h.is === 'refused') return spend(record, h.refusal)
  if (h.is === 'busy') return { record, say: said(h.refusal) }
  if (h.is !== 'ok') return { record, say: refuse('provider_busy') }
  const changes = changesBetween(record.pinned ?? {}, h.facts)
  if (changes.length > 0) return spend(record, { code: 'preview_stale', effect: 'none', changes })
  if (planOf(record).rules.length === 0) return finish(record, 'committed', now, planOf)
  return send({ ...record, at: 'running' }, now)
}

/** A preview that can no longer be committed: spent, expired, or made under a secret that is gone. */
const used = (record: FlowRecord, { fingerprints }: Pick<Call, 'fingerprints'>, now: number): boolean =>
  record.spent !== undefined || now >= record.expiresAt || !(record.keyId in fingerprints)

/**
 * Same operation and same payload. A fingerprint under a secret that is gone proves nothing: where nothing was sent yet
 * it may start afresh, else it is refused.
 */
const samePayload = (record: FlowRecord, operation: string, fingerprints: Call['fingerprints']): boolean =>
  record.operation === operation &&
  (record.keyId in fingerprints
    ? fingerprints[record.keyId] === record.fingerprint
    : record.at === 'previewed')

function effectSoFar(record: FlowRecord): Refusal['effect'] {
  if (record.at === 'previewed') return 'none'
  if (record.at === 'running') return 'unknown'
  return record.answer?.is === 'refused' ? record.answer.refusal.effect : 'done'
}

/** What a record is found again by later; nothing that a preview shows hangs on it. */
const CONTACT = 'contact_mac'

function changesBetween(pinned: Facts, fresh: Facts): Change[] {
  return Object.keys(pinned)
    .filter((field) => pinned[field] !== fresh[field] && field !== CONTACT)
    .map((field) =>
      field.endsWith('_mac')
        ? { field: field.slice(0, -'_mac'.length) }
        : { field, was: pinned[field] ?? null, now: fresh[field] ?? null },
    )
}
