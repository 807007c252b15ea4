import type { AnyMutation, Step } from '../../../src/confirm/mutation.ts'
import type { Facts } from '../../../src/domain/facts.ts'
import type { StepOutcome, LookupOutcome } from '../../../src/domain/outcome.ts'
import type { Policy } from './world/world.ts'

type AnyStep = Step<object, Facts>

const noEffect: StepOutcome = { is: 'refused', refusal: { code: 'slot_unavailable', effect: 'none' } }

/** The same operation with steps that run, or look, in another way; their undo too. */
const withSteps =
  (change: (step: AnyStep) => AnyStep) =>
  (mutation: AnyMutation): AnyMutation => ({
    ...mutation,
    steps: (pinned) =>
      mutation.steps(pinned).map((step) => ({
        ...change(step),
        ...(step.compensate ? { compensate: change(step.compensate) } : {}),
      })),
  })

const after = <T extends LookupOutcome, A extends unknown[]>(
  act: (...args: A) => Promise<T>,
  turn: (heard: T) => T,
) => (async (...args: A) => turn(await act(...args))) as typeof act

/** Ways of doing it that look right and are wrong; the auditor must catch each of them. */
export const WRONG_POLICIES = {
  /** 0: the record is written after the call. */
  recordAfterCall: {
    name: 'record after the call',
    host: (host) => ({
      ...host,
      save: (record, wakeAt) => record.state !== 'running' && host.save(record, wakeAt),
    }),
  },
  /** A: written ahead, looked for, and sent again at once when it is not there. */
  sendAgainAtOnce: {
    name: 'write-ahead, look, send again at once',
    mutation: withSteps((step) => ({ ...step, retryWindowMs: Infinity })),
  },
  /** D: no answer in time means that it failed. */
  timeoutIsFailure: {
    name: 'timeout is failure',
    mutation: withSteps((step) => ({
      ...step,
      execute: after(step.execute, (heard) => (heard.is === 'unknown' ? noEffect : heard)),
    })),
  },
  /** E: one look that finds nothing means that it failed. */
  emptyLookIsFailure: {
    name: 'an empty look is failure',
    mutation: withSteps((step) => ({
      ...step,
      reconcile: after(step.reconcile, (heard) => (heard.is === 'not_found' ? noEffect : heard)),
    })),
  },
  /** Nobody asks what other keys are about. */
  noCoordinator: {
    name: 'no coordinator',
    host: (host) => ({
      ...host,
      acquire: () => Promise.resolve('taken' as const),
    }),
  },
  /** The look for a restored booking finds the new one too. */
  sharedMarker: {
    name: 'one marker for all steps',
    mutation: withSteps((step) => ({
      ...step,
      execute: (at, input) => step.execute({ ...at, marker: `${at.marker.split('.')[0]}.0` }, input),
      reconcile: (at) => step.reconcile({ ...at, marker: `${at.marker.split('.')[0]}.0` }),
    })),
  },
  /** What the trail could not be told is forgotten. */
  trailOnce: {
    name: 'the trail is told once',
    host: (host) => ({
      ...host,
      append: (entries) => host.append(entries).catch(() => {}),
    }),
  },
  /** Each telling of an entry is an entry. */
  trailTwice: {
    name: 'the trail is told again under another name',
    host: (host) => ({
      ...host,
      append: (entries) => host.append(entries.map((one) => ({ ...one, id: `${one.id} ${host.newId()}` }))),
    }),
  },
  /** What refuses us is somebody else's doing. */
  believesConflicts: { name: 'a conflict is believed', adapter: { believesConflicts: true } },
  /** What is not said to be ours is not ours. */
  takesNullForForeign: { name: 'null is somebody else', adapter: { takesNullForForeign: true } },
  /** The check before the send knows the length of a minute ago. */
  remembersLength: { name: 'the length is remembered', adapter: { remembersLength: true } },
  /** Only the records are erased, and not the data that the flows keep. */
  leavesFlows: {
    name: 'a deletion does not reach the flows',
    deliveries: (deliveries) => ({ ...deliveries, eraseFlow: () => Promise.resolve(true) }),
  },
  /** The copies in KV are not deleted. */
  leavesCopies: {
    name: 'a deletion does not reach the copies',
    deliveries: (deliveries) => ({ ...deliveries, delete: () => Promise.resolve() }),
  },
  /** Alarms are left to chance. */
  noAlarm: {
    name: 'no alarm with the record',
    host: (host) => ({
      ...host,
      save: (record) => host.save(record, undefined),
    }),
  },
} as const satisfies Record<string, Policy>
