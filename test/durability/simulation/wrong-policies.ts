import type {
  AnyMutation,
  FactsContext,
  ReadFacts,
  Step,
} from '../../../src/core/confirm/mutation.ts'
import { isReadable } from '../../../src/core/confirm/record.ts'
import type { Facts } from '../../../src/core/domain/facts.ts'
import type { StepOutcome } from '../../../src/core/domain/outcome.ts'
import type { Invariant } from './auditor/invariants.ts'
import { withAdded } from './world/later-version.ts'
import type { Policy } from './world/world.ts'

type AnyStep = Step<object, Facts>

const noEffect: StepOutcome = {
  is: 'refused',
  refusal: { code: 'slot_unavailable', effect: 'none' },
}

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

type Host = Parameters<NonNullable<Policy['host']>>[0]
/** The same host, of which one part does some things in another way. */
const withPart =
  <Part extends 'storage' | 'guard' | 'coordinator' | 'audit'>(
    part: Part,
    change: (part: Host[Part], host: Host) => Partial<Host[Part]>,
  ) =>
  (host: Host): Host => ({ ...host, [part]: { ...host[part], ...change(host[part], host) } })

const after = <T, A extends unknown[]>(act: (...args: A) => Promise<T>, turn: (outcome: T) => T) =>
  (async (...args: A) => turn(await act(...args))) as typeof act

/** Fails a few turns later, whatever becomes of the promise. */
async function impatient<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  for (let turns = 0; turns < 10; turns++) await Promise.resolve()
  throw new Error('no answer yet')
}

/** Ways of doing it that look right and are wrong; the auditor must catch each of them. */
export const WRONG_POLICIES = {
  /** 0: the record is written after the call. */
  recordAfterCall: {
    name: 'record after the call',
    host: withPart('storage', (storage) => ({
      save: (record, wakeAt) => record.state !== 'running' && storage.save(record, wakeAt),
    })),
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
      execute: after(step.execute, (outcome) => (outcome.is === 'unknown' ? noEffect : outcome)),
    })),
  },
  /** E: one look that finds nothing means that it failed. */
  emptyLookIsFailure: {
    name: 'an empty look is failure',
    mutation: withSteps((step) => ({
      ...step,
      reconcile: after(step.reconcile, (outcome) =>
        outcome.is === 'not_found' ? noEffect : outcome,
      ),
    })),
  },
  /** No one asks what other keys are about. */
  noCoordinator: {
    name: 'no coordinator',
    host: withPart('guard', () => ({ begin: () => Promise.resolve('taken' as const) })),
  },
  /** The look for a restored booking finds the new one too. */
  sharedMarker: {
    name: 'one marker for all steps',
    mutation: withSteps((step) => ({
      ...step,
      execute: (at, input) =>
        step.execute({ ...at, marker: at.marker.replace(/\d+u?$/, '0') }, input),
      reconcile: (at) => step.reconcile({ ...at, marker: at.marker.replace(/\d+u?$/, '0') }),
    })),
  },
  /** An entry that could not be appended to the audit log is forgotten. */
  auditedOnce: {
    name: 'the audit log is written once, and never again',
    host: withPart('audit', (audit) => ({
      append: (entries) => audit.append(entries).catch(() => {}),
    })),
  },
  /** Each delivery of an entry is an entry. */
  auditedTwice: {
    name: 'an audit entry is written again under another id',
    host: withPart('audit', (audit, host) => ({
      append: (entries) =>
        audit.append(entries.map((one) => ({ ...one, id: `${one.id} ${host.newId()}` }))),
    })),
  },
  /** What arrives again is counted in the entry that is there. */
  countsRepeats: {
    name: 'an audit entry that arrives again is counted',
    auditSql: (sql) =>
      sql.startsWith('INSERT OR IGNORE INTO entries')
        ? `${sql.replace('OR IGNORE ', '')} WHERE TRUE ON CONFLICT DO UPDATE SET times = times + 1`
        : sql,
  },
  /** Once old entries are dropped, numbers are given a second time. */
  countsEntries: {
    name: 'audit entries are numbered by how many there are',
    auditSql: (sql) => sql.replace('SELECT COALESCE(MAX("index") + 1, 0), ?', 'SELECT COUNT(*), ?'),
  },
  /** The check before the send knows the length of a minute ago. */
  remembersLength: { name: 'the length is remembered', adapter: { remembersLength: true } },
  /** The other people on a booking are left behind when it moves. */
  leavesGuests: { name: 'the other people stay behind', adapter: { leavesGuests: true } },
  /** A move says nothing of another length. */
  hidesLength: {
    name: 'another length is not said',
    mutation: (mutation) => ({
      ...mutation,
      show(input, facts, context) {
        const shown = mutation.show(input, facts, context)
        return { ...shown, summary: shown.summary.replace(/, for \d+ minutes instead of \d+/, '') }
      },
    }),
  },
  /** A move begins though no booking is taken. */
  forgetsLimit: { name: 'the limit is forgotten', adapter: { forgetsLimit: true } },
  /** The owner hears of nothing. */
  alertsNobody: {
    name: 'no one is alerted',
    host: (host) => ({ ...host, alertOwner: () => Promise.resolve(true) }),
  },
  /** Only the records are erased, and not the data that the flows keep. */
  leavesFlows: {
    name: 'a deletion does not reach the flows',
    deliveries: (deliveries) => ({ ...deliveries, eraseFlow: () => Promise.resolve(true) }),
  },
  /** What could not be published is forgotten. */
  publishedOnce: {
    name: 'events are published once, and never again',
    deliveries: (deliveries) => ({
      ...deliveries,
      publish: (events) => deliveries.publish(events).catch(() => {}),
    }),
  },
  /** The newest is published first. */
  publishedBackwards: {
    name: 'the event of the newest record is published first',
    deliveries: (deliveries) => ({
      ...deliveries,
      publish: (events) => deliveries.publish(events.toReversed()),
    }),
  },
  /** A webhook is believed at once: no one asks whether a change of ours is under way, or its record. */
  believesWebhooks: {
    name: 'believes webhooks',
    sources: (sources) => ({ ...sources, look: async () => undefined, known: async () => [] }),
  },
  /** What the provider has now is not read. */
  readsNothing: {
    name: 'reads nothing',
    sources: (sources) => ({
      ...sources,
      scheduling: { ...sources.scheduling, seen: async () => undefined },
    }),
  },
  /** A webhook has a change in doubt do all that a repeat of its call would do. */
  resolvesByWebhook: {
    name: 'a change in doubt is reconciled for a webhook as for a caller',
    look: (flow) => flow.status(),
  },
  /** The place in the log moves when a delivery is sent, and not when it has arrived. */
  movesBeforeTheAnswer: {
    name: 'a webhook goes on before the answer',
    webhooks: (platform) => ({
      ...platform,
      async post(delivery, ms) {
        void platform.post(delivery, ms).catch(() => {})
        return { status: 200, headers: { get: () => null } }
      },
    }),
  },
  /** An endpoint that is gone for good is tried again like one that is down. */
  sendsOnAfterGone: {
    name: 'a webhook goes on after a 410',
    webhooks: (platform) => ({
      ...platform,
      post: after(platform.post, (answer) =>
        answer.status === 410 ? { ...answer, status: 503 } : answer,
      ),
    }),
  },
  /** A receiver that does not answer soon is sent the same event again. */
  doesNotWait: {
    name: 'a webhook is sent again while it is under way',
    webhooks: (platform) => ({
      ...platform,
      post: (delivery) => impatient(platform.post(delivery, 15_000)),
    }),
  },
  /** No one asks whether the key still holds. */
  ignoresEndedKeys: {
    name: 'a webhook outlives its key',
    webhooks: (platform) => ({
      ...platform,
      callers: async () => ({ ...(await platform.callers()), isGood: () => true }),
    }),
  },
  /** No one asks whether the caller is paused. */
  ignoresPauses: {
    name: 'a webhook of a caller that is paused is sent',
    webhooks: (platform) => ({
      ...platform,
      callers: async () => ({ ...(await platform.callers()), isPaused: () => false }),
    }),
  },
  /** Every change is sent to the coordinator as approved. */
  approvesItself: {
    name: 'a change begins without asking whether a person has to approve it',
    asksPeople: true,
    host: withPart('guard', (guard) => ({
      begin: (lockKeys, change) => guard.begin(lockKeys, change, true),
    })),
  },
  /** Whatever the page showed, what waits now is decided. */
  takesAnyDigest: {
    name: 'an approval is taken for whatever waits',
    asksPeople: true,
    async decide(flow, decided) {
      const view = await flow.approval()
      return flow.decide(view ? { ...decided, id: view.id, digest: view.digest } : decided)
    },
  },
  /** The provider is sent what the commit brought, and not what its preview showed. */
  sendsWhatCame: {
    name: 'the text for the client is taken from the call',
    mutation: withSteps((step) => ({
      ...step,
      execute: (at, input) => {
        const { reason = null } = (input ?? {}) as { reason?: string | null }
        return step.execute({ ...at, clientText: reason }, input)
      },
    })),
  },
  /** A preview reads more while it is shown. */
  showReads: {
    name: 'what a preview shows is read while it is shown',
    mutation: (mutation) => ({
      ...mutation,
      facts: async (input, reading) => ({ ...(await mutation.facts(input, reading)), reading }),
      show(input, facts, context) {
        const { reading } = facts as ReadFacts & { reading: FactsContext }
        void reading.ports.records.get('client:cl_1')
        return mutation.show(input, facts, context)
      },
    }),
  },
  /** A preview that was refused or declined keeps what it would have sent. */
  keepsText: {
    name: 'the text for the client stays in a preview that is used up',
    host: withPart('storage', (storage) => ({
      save: (record, wakeAt) =>
        storage.save(
          'sealedText' in record && record.sealedText === undefined
            ? { ...record, sealedText: 'kept' }
            : record,
          wakeAt,
        ),
    })),
  },
  /** A person is answered that it is declined, and nothing is kept of that. */
  dropsDeclines: {
    name: 'a decline is not kept',
    asksPeople: true,
    decide: async (flow, decided) =>
      decided.decision === 'decline' ? 'declined' : flow.decide(decided),
  },
  /** What waits can be found by no one. */
  listsNothing: {
    name: 'what waits for a person is not listed',
    host: withPart('coordinator', () => ({ awaitApproval: () => Promise.resolve(true) })),
  },
  /** A record is written with the fields that this version knows. */
  dropsAddedFields: {
    name: 'what a later version added is dropped',
    versions: true,
    host: withPart('storage', (storage) => ({
      save: (record, wakeAt) => storage.save(withAdded(record, undefined), wakeAt),
    })),
  },
  /** What cannot be read is not there. */
  newerIsAbsent: {
    name: 'a record of a later version counts as absent',
    versions: true,
    opens: (record) => (record && isReadable(record) ? record : undefined),
  },
  /** Alarms are left to chance. */
  noAlarm: {
    name: 'no alarm with the record',
    host: withPart('storage', (storage) => ({ save: (record) => storage.save(record, undefined) })),
  },
} as const satisfies Record<string, Policy>

/** The invariants by which a run with each is caught. */
export const CAUGHT_BY: Record<keyof typeof WRONG_POLICIES, readonly Invariant[]> = {
  recordAfterCall: ['I2'],
  sendAgainAtOnce: ['I1'],
  timeoutIsFailure: ['I8', 'I10'],
  emptyLookIsFailure: ['I8', 'I10'],
  noCoordinator: ['I22', 'I29'],
  sharedMarker: ['I2', 'I15'],
  noAlarm: ['I2', 'I18'],
  remembersLength: ['I26'],
  leavesGuests: ['I39'],
  hidesLength: ['I40'],
  forgetsLimit: ['I41'],
  alertsNobody: ['I41'],
  leavesFlows: ['I27'],
  auditedOnce: ['I25'],
  auditedTwice: ['I25'],
  countsRepeats: ['I35'],
  countsEntries: ['I35'],
  publishedOnce: ['I33'],
  publishedBackwards: ['I33'],
  believesWebhooks: ['I34'],
  readsNothing: ['I34'],
  resolvesByWebhook: ['I3'],
  movesBeforeTheAnswer: ['I36'],
  sendsOnAfterGone: ['I36'],
  doesNotWait: ['I36'],
  ignoresEndedKeys: ['I36'],
  ignoresPauses: ['I36'],
  approvesItself: ['I31'],
  takesAnyDigest: ['I31'],
  sendsWhatCame: ['I37'],
  showReads: ['I38'],
  keepsText: ['I37'],
  dropsDeclines: ['I32'],
  listsNothing: ['I18'],
  dropsAddedFields: ['I43'],
  newerIsAbsent: ['I42'],
}
