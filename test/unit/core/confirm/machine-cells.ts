import { next } from '../../../../src/core/confirm/machine.ts'
import type {
  FinalReply,
  Done,
  FlowRecord,
  NewPreview,
  Previewed,
  Running,
} from '../../../../src/core/confirm/record.ts'
import type {
  CallEvent,
  FlowEvent,
  Transition,
  Plan,
  StepRule,
} from '../../../../src/core/confirm/transition.ts'
import type { LookupOutcome } from '../../../../src/core/domain/outcome.ts'
import type { Refusal } from '../../../../src/core/domain/problem/problem.ts'

export const NOW = 1_000_000
export const EXPIRES = NOW + 900_000
const OPERATION = 'book_consult'
export const FINGERPRINTS = { today: 'fingerprint' }

/** What no rule says is careful: never repeated, absence never final. */
const once: StepRule = {}

/** A booking: the payload is needed, and it is never sent again on doubt. */
export const oneStep: readonly StepRule[] = [once]
/** A move: cancel, then book; the cancel can be taken back. */
export const twoSteps: readonly StepRule[] = [
  {
    retryWindowMs: Infinity,
    compensate: once,
  },
  once,
]
/** A change that is the commit itself. */
export const noSteps: readonly StepRule[] = []

const CODES = { compensated: 'reschedule_restored', partial: 'partially_applied' } as const

const planFor = (rules: readonly StepRule[], records = true): Plan => ({
  rules,
  finish: (record, end) => ({
    answer:
      end === 'committed'
        ? {
            is: 'committed',
            body: { learnt: record.state === 'running' ? record.stepResults : [] },
          }
        : { is: 'refused', refusal: { code: CODES[end], effect: 'partial' } },
    records: records ? [{ key: 'record', mode: 'mock', value: { end } }] : [],
    recordId: null,
  }),
})

/** One event through the machine. */
export const step = (
  record: FlowRecord | undefined,
  event: FlowEvent,
  {
    rules = oneStep,
    now = NOW,
    records = true,
  }: { rules?: readonly StepRule[]; now?: number; records?: boolean } = {},
): Transition => next(record, event, { now, planOf: () => planFor(rules, records) })

export const fresh = (more: Partial<NewPreview> = {}): NewPreview => ({
  operation: OPERATION,
  mode: 'mock',
  adapterId: 'mock',
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
  by: { caller: 'tester', app: null, request_id: null },
  pinned: { status: 'open', amount: 1, invitee_mac: 'm1' },
  ...more,
})

export const previewed = (more: Partial<Previewed> = {}): Previewed => ({
  v: 1,
  ...fresh(),
  seq: 1,
  state: 'previewed',
  ...more,
})

/** The first step was sent just now. */
export const running = (more: Partial<Running> = {}): Running => ({
  ...previewed(),
  state: 'running',
  seq: 2,
  step: 0,
  compensating: false,
  unconfirmedSends: 1,
  firstSent: NOW,
  lastSent: NOW,
  lookups: 0,
  stepResults: [],
  nextAlarmAt: NOW + 15_000,
  ...more,
})

/** The second step was sent just now. */
export const secondStep = (more: Partial<Running> = {}): Running =>
  running({ step: 1, stepResults: [{}], ...more })

/** The first step is being taken back. */
export const undoing = (more: Partial<Running> = {}): Running =>
  running({ compensating: true, stepResults: [{}], ...more })

export const committed: FinalReply = { is: 'committed', body: { learnt: [{ booking_id: 'bk_1' }] } }

export function done(more: Partial<Done> = {}): Done {
  const { shown: _shown, pinned: _pinned, index: _index, ...kept } = previewed()
  return { ...kept, state: 'done', seq: 3, answer: committed, endedAt: NOW, ...more }
}

export const call = (more: Partial<CallEvent> = {}): CallEvent => ({
  type: 'call',
  operation: OPERATION,
  confirm: false,
  token: { id: 'id of this preview' },
  fingerprints: FINGERPRINTS,
  live: false,
  ...more,
})
export const commit = (more: Partial<CallEvent> = {}): CallEvent => call({ confirm: true, ...more })

export const taken: Refusal = { code: 'slot_unavailable', effect: 'none' }
export const busyRefusal: Refusal = {
  code: 'provider_busy',
  effect: 'none',
  retry_after_seconds: 5,
}
export const ok: LookupOutcome = { is: 'ok', facts: { booking_id: 'bk_1' } }
export const refused: LookupOutcome = { is: 'refused', refusal: taken }
export const busy: LookupOutcome = { is: 'busy', refusal: busyRefusal }
export const absent: LookupOutcome = { is: 'not_found' }
export const unknown: LookupOutcome = { is: 'unknown' }

export const stepResult = (
  record: FlowRecord,
  how: 'check' | 'execute' | 'reconcile',
  what: LookupOutcome,
  payload = true,
): Extract<FlowEvent, { type: 'step_result' }> => ({
  type: 'step_result',
  how,
  seq: record.seq,
  outcome: what,
  payload,
})

export const saysUnknown = {
  is: 'refused',
  refusal: { code: 'outcome_unknown', effect: 'unknown' },
  replayed: false,
}
export const says = (code: string, effect = 'none', replayed = false) => ({
  is: 'refused',
  refusal: { code, effect },
  replayed,
})
