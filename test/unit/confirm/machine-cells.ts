import { next } from '../../../src/confirm/machine.ts'
import type { Answer, Done, FlowRecord, Fresh, Previewed, Running } from '../../../src/confirm/record.ts'
import type { Call, Event, Out, Plan, Rule } from '../../../src/confirm/transition.ts'
import type { Seen } from '../../../src/domain/outcome.ts'
import type { Refusal } from '../../../src/domain/problem.ts'

export const NOW = 1_000_000
export const EXPIRES = NOW + 900_000
export const OPERATION = 'book_consult'
export const FINGERPRINTS = { today: 'fingerprint' }

const once: Rule = { alone: false, repeatMs: 0, settleMs: Infinity }

/** A booking: the payload is needed, and it is never sent again on doubt. */
export const oneStep: readonly Rule[] = [once]
/** A move: cancel, then book; the cancel can be taken back. Both can be done by an alarm. */
export const twoSteps: readonly Rule[] = [
  { alone: true, repeatMs: Infinity, settleMs: Infinity, undo: { ...once, alone: true } },
  { ...once, alone: true },
]
/** A change that is the commit itself. */
export const noSteps: readonly Rule[] = []

const CODES = { compensated: 'reschedule_restored', partial: 'partially_applied' } as const

export const planFor = (rules: readonly Rule[], records = true): Plan => ({
  rules,
  finish: (record, end) => ({
    answer:
      end === 'committed'
        ? { is: 'committed', body: { learnt: record.at === 'running' ? record.learnt : [] } }
        : { is: 'refused', refusal: { code: CODES[end], effect: 'partial' } },
    records: records ? [{ key: 'record', mode: 'mock', value: { end } }] : [],
    recordId: null,
  }),
})

/** One event through the machine. */
export const step = (
  record: FlowRecord | undefined,
  event: Event,
  {
    rules = oneStep,
    now = NOW,
    records = true,
  }: { rules?: readonly Rule[]; now?: number; records?: boolean } = {},
): Out => next(record, event, now, () => planFor(rules, records))

export const fresh = (more: Partial<Fresh> = {}): Fresh => ({
  operation: OPERATION,
  mode: 'mock',
  origin: '',
  keyId: 'today',
  fingerprint: 'fingerprint',
  id: 'id of this preview',
  expiresAt: EXPIRES,
  shown: { preview: { shown: true }, summary: 'What would be done.', warnings: [] },
  digest: 'digest of what was shown',
  index: [],
  subject: null,
  recordId: null,
  pinned: { via: 'mock', amount: 1, invitee_mac: 'm1' },
  ...more,
})

export const previewed = (more: Partial<Previewed> = {}): Previewed => ({
  v: 1,
  ...fresh(),
  seq: 1,
  at: 'previewed',
  ...more,
})

/** The first step was sent just now. */
export const running = (more: Partial<Running> = {}): Running => ({
  ...previewed(),
  at: 'running',
  seq: 2,
  step: 0,
  undo: false,
  tries: 1,
  firstSent: NOW,
  lastSent: NOW,
  looks: 0,
  learnt: [],
  wake: NOW + 15_000,
  ...more,
})

/** The second step was sent just now. */
export const secondStep = (more: Partial<Running> = {}): Running =>
  running({ step: 1, learnt: [{}], ...more })

/** The first step is being taken back. */
export const undoing = (more: Partial<Running> = {}): Running =>
  running({ undo: true, learnt: [{}], ...more })

export const committed: Answer = { is: 'committed', body: { learnt: [{ booking_id: 'bk_1' }] } }

export function done(more: Partial<Done> = {}): Done {
  const { shown: _shown, pinned: _pinned, index: _index, ...kept } = previewed()
  return { ...kept, at: 'done', seq: 3, answer: committed, endedAt: NOW, ...more }
}

export const call = (more: Partial<Call> = {}): Call => ({
  type: 'call',
  operation: OPERATION,
  confirm: false,
  token: { id: 'id of this preview' },
  fingerprints: FINGERPRINTS,
  live: false,
  ...more,
})
export const commit = (more: Partial<Call> = {}): Call => call({ confirm: true, ...more })

export const taken: Refusal = { code: 'slot_unavailable', effect: 'none' }
export const busyRefusal: Refusal = { code: 'provider_busy', effect: 'none', retry_after_seconds: 5 }
export const ok: Seen = { is: 'ok', facts: { booking_id: 'bk_1' } }
export const refused: Seen = { is: 'refused', refusal: taken }
export const busy: Seen = { is: 'busy', refusal: busyRefusal }
export const absent: Seen = { is: 'absent' }
export const unknown: Seen = { is: 'unknown' }

export const heard = (
  record: FlowRecord,
  how: 'check' | 'run' | 'find',
  what: Seen,
  payload = true,
): Extract<Event, { type: 'heard' }> => ({ type: 'heard', how, seq: record.seq, heard: what, payload })

export const saysDoubt = {
  is: 'refused',
  refusal: { code: 'outcome_unknown', effect: 'unknown' },
  replayed: false,
}
export const says = (code: string, effect = 'none', replayed = false) => ({
  is: 'refused',
  refusal: { code, effect },
  replayed,
})
