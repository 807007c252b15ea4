import type { FlowRecord } from '../../../../src/core/confirm/record.ts'
import type { FlowEvent } from '../../../../src/core/confirm/transition.ts'
import { Violation } from './provider-model.ts'
import { LIFETIME } from './shapes.ts'

/** What a person has said of each preview, as the search knows it without asking the machine. */
export interface Word {
  /** The previews that a person approved, and those that were declined while they could still be committed. */
  approved: readonly string[]
  declined: readonly string[]
  /** The previews about which no rule asked for a person any more, as the rules were read. */
  lifted: readonly string[]
  /** The preview that was shown before this one, which a page may still show. */
  outdated?: string
}

type LiftedEvent = Extract<FlowEvent, { type: 'approval_lifted' }>
type DecidedEvent = Extract<FlowEvent, { type: 'decided' }>

/** The digest of a preview: another one for each. */
export const digestOf = (id: string): string => `digest of ${id}`

/** The need of a preview while a rule asks for a person. */
export const needOf = (id: string, now: number) =>
  ({ level: 'person', digest: digestOf(id), url: '', since: now }) as const

const decided = (id: string, digest: string, decision: 'approve' | 'decline'): DecidedEvent => ({
  type: 'decided',
  decided: { id, digest, decision, by: 'owner', proof: {} },
  ttlMs: LIFETIME,
})

/** All that a person can send about this record: a decision about it, or about what an outdated page shows. */
export function decisionsOn(
  { id }: FlowRecord,
  { outdated }: Word,
): [what: string, event: DecidedEvent][] {
  const now: [string, DecidedEvent][] = [
    ['approve', decided(id, digestOf(id), 'approve')],
    ['decline', decided(id, digestOf(id), 'decline')],
  ]
  if (outdated === undefined) return now
  return [
    ...now,
    ['approve with an outdated digest', decided(id, digestOf(outdated), 'approve')],
    ['approve with an outdated id', decided(outdated, digestOf(id), 'approve')],
    ['approve an outdated preview', decided(outdated, digestOf(outdated), 'approve')],
    ['decline an outdated preview', decided(outdated, digestOf(outdated), 'decline')],
  ]
}

/** A decision must change nothing but the preview that it is about; returns what has been said from now on. */
export function judgeDecision(
  word: Word,
  before: FlowRecord | undefined,
  after: FlowRecord | undefined,
  { decided: { id, digest, decision } }: DecidedEvent,
  now: number,
): Word {
  const isLifted = word.lifted.includes(id)
  const isWhole = digest === digestOf(id)
  const isOpen =
    before?.state === 'previewed' &&
    before.id === id &&
    !(isLifted && decision === 'approve') &&
    !before.voidedBy &&
    now < before.expiresAt
  if (after !== before && !(isWhole && isOpen))
    throw new Violation(
      `a decision changed what it is not about, which is ${before?.state ?? 'nothing'}`,
    )
  if (!isWhole) return word
  if (decision === 'approve') return { ...word, approved: [...new Set([...word.approved, id])] }
  return isOpen ? { ...word, declined: [...new Set([...word.declined, id])] } : word
}

/** All that can arrive once the rules were read and none asks for a person: about this preview, or the one before it. */
export const liftsOf = ({ id }: FlowRecord, { outdated }: Word): LiftedEvent[] =>
  [id, ...(outdated === undefined ? [] : [outdated])].map((one) => ({
    type: 'approval_lifted',
    id: one,
  }))

/** It must change nothing but a preview that waits, and of that only what it needs; returns what has been lifted from now on. */
export function judgeLift(
  word: Word,
  before: FlowRecord | undefined,
  after: FlowRecord | undefined,
  { id }: LiftedEvent,
  now: number,
): Word {
  const waits =
    before?.state === 'previewed' &&
    before.id === id &&
    ![...word.approved, ...word.declined, ...word.lifted].includes(id) &&
    now < before.expiresAt
  if (!waits && after !== before)
    throw new Violation(
      `a lifted approval changed what does not wait, which is ${before?.state ?? 'nothing'}`,
    )
  return waits ? { ...word, lifted: [...word.lifted, id] } : word
}

/**
 * What holds in every state of a record that a person has to approve: it begins only if they approved just this preview, or
 * no rule asks for them any more, and never once they declined it.
 */
export function judgeApproval(
  { approved, declined, lifted }: Word,
  { state, id, need }: FlowRecord,
): void {
  const hasBegun = state === 'running' || state === 'done'
  const isApproved = approved.includes(id)
  if (
    (hasBegun && !isApproved && !lifted.includes(id)) ||
    (need?.decision?.is === 'approved' && !isApproved)
  )
    throw new Violation('begun, or approved, though no one approved this preview')
  if (hasBegun && declined.includes(id)) throw new Violation('begun though it was declined')
}
