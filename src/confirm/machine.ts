import type { Facts } from '../domain/facts.ts'
import type { Change, Refusal } from '../domain/problem.ts'
import { erased } from './erased.ts'
import { acknowledge } from './outbox.ts'
import type { FlowRecord, Previewed } from './record.ts'
import { alarmed, begin, finish, heard, resume, settled, told } from './running.ts'
import type { Call, Event, Heard, Out, PlanOf } from './transition.ts'
import { IN_PROGRESS, doubt, refuse, said, spend } from './transition.ts'

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
      if (event.how === 'check')
        return record.at === 'previewed' ? checked(record, event, now, planOf) : { record }
      return record.at === 'running' ? heard(record, event, now, planOf) : { record }
    case 'alarm':
      return alarmed(record, event.live, now, planOf)
    case 'outbox_delivered':
      // No change of the flow: a step that is under way is still answered.
      return { record: record && acknowledge(record, event.delivered, event.ok, now) }
    case 'told':
      return record?.at === 'running' ? told(record, event.ok) : { record }
    case 'subject_erased':
      return record ? erased(record, event.subject, event.refusal) : { record }
    case 'settled':
      return record?.at === 'running' ? settled(record, event, now, planOf) : { record }
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
  if (record.at === 'done') return { record, say: { ...record.answer, replayed: true } }
  if (record.at === 'running') {
    if (call.live) return call.confirm ? { record, todo: 'join' } : { record, say: said(IN_PROGRESS) }
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
  // What the preview before has still to deliver outlives it.
  const outbox = record?.outbox && { outbox: record.outbox }
  return {
    record: { v: 1, ...fresh, ...outbox, at: 'previewed', seq: (record?.seq ?? 0) + 1 },
    say: { is: 'preview' },
  }
}

/** The live facts were read again, just before the first send. */
function checked(record: Previewed, { heard: h }: Heard, now: number, planOf: PlanOf): Out {
  if (record.spent || now >= record.expiresAt) return { record, say: refuse('confirmation_expired') }
  if (h.is === 'refused') return spend(record, h.refusal)
  if (h.is === 'busy') return { record, say: said(h.refusal) }
  if (h.is !== 'ok') return { record, say: refuse('provider_busy') }
  const changes = changesBetween(record.pinned, h.facts)
  if (changes.length > 0) return spend(record, { code: 'preview_stale', effect: 'none', changes })
  if (planOf(record).rules.length === 0) return finish(record, 'committed', now, planOf)
  return begin(record, now)
}

/** A preview that can no longer be committed: spent, expired, or made under a secret that is gone. */
const used = (record: Previewed, { fingerprints }: Pick<Call, 'fingerprints'>, now: number): boolean =>
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
