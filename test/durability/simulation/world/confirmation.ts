import { createHash } from 'node:crypto'

import { Flow } from '../../../../src/core/confirm/flow.ts'
import type { Host } from '../../../../src/core/confirm/host.ts'
import { type FlowRecord, alarmAt, alarmMemory } from '../../../../src/core/confirm/record.ts'
import type { Facts } from '../../../../src/core/domain/facts.ts'
import { isoSeconds } from '../../../../src/core/domain/time/time.ts'
import type {
  ApprovalView,
  ConfirmationCall,
  ConfirmationReply,
  Decided,
} from '../../../../src/core/ports/confirmation.ts'
import type { NamedBooking } from '../../../../src/core/ports/provider-sync.ts'
import type { Resolution } from '../../../../src/core/ports/unresolved.ts'
import { ERASED_CLIENT } from '../../../../src/practice/operations/client/identity.ts'
import { guardOf } from '../../../../src/practice/operations/guard.ts'
import { mutationNamed } from '../../../../src/practice/operations/index.ts'
import { closingPorts } from '../../../support/closed-ports.ts'
import { noQuota } from '../../../support/fakes/provider-quota.ts'
import type { Watched } from '../auditor/auditor.ts'
import type { Kept } from '../auditor/records.ts'
import { alarmClock } from './alarm-clock.ts'
import { coordinatorOf, namespaceOf, operationIdOf } from './cloudflare.ts'
import { type DurableObject, durableObject, type Instance, Reset } from './durable-object.ts'
import { type LaterVersion, addedTo, isNewer } from './later-version.ts'
import { followingNotification } from './network.ts'
import { PRACTICE, portsFor } from './ports.ts'
import type { World } from './world.ts'

/** One confirmation object: what durable-objects/confirmation.ts is around the real `Flow`. */
export interface Confirmation extends Watched {
  readonly object: DurableObject<Kept, Flow>
  readonly rings: number
  perform(call: ConfirmationCall, tag: string): Promise<ConfirmationReply>
  busy(): Promise<boolean>
  unresolved(): Promise<Flow['doubt']>
  look(named: NamedBooking | undefined): Promise<string | undefined>
  erase(clientId: string): Promise<boolean>
  approval(): Promise<ApprovalView | undefined>
  /** `leaves` is given the answer as it leaves. */
  decide(decided: Decided, leaves: (answer: Decision) => void): Promise<Decision>
  /** `judge` says at the last moment what the owner found out, or nothing. */
  resolve(
    judge: (record: FlowRecord) => { happened: boolean; facts: Facts } | undefined,
    part: string | undefined,
  ): Promise<Resolution>
}

type Decision = Awaited<ReturnType<Flow['decide']>>

/** How long a commit waits for its records to be written, as in durable-objects/confirmation.ts. */
const RECORDS_TIMEOUT_MS = 1000
/** The soonest an alarm is set again, as in durable-objects/confirmation.ts. */
const AT_ONCE = 1000

const HAS_BEGUN: ReadonlySet<unknown> = new Set(['running', 'done'])

export function confirmationObject(world: World, name: string): Confirmation {
  const { auditor, timeline } = world
  const ofLater = new WeakMap<Instance<Kept>, LaterVersion>()
  /** The record, as the version of an instance reads it. */
  const readBy = (instance: Instance<Kept>): FlowRecord | undefined => {
    const { record } = instance.value
    return ofLater.get(instance)?.read(record) ?? record
  }

  function rearm(instance: Instance<Kept>): void {
    instance.touch()
    if (instance.value.alarm !== undefined) return
    const { record } = instance.value
    const now = timeline.now + instance.skew
    const read = readBy(instance)
    const due = read && alarmAt(read, now)
    if (due === undefined) return
    instance.write({ record, alarm: { at: Math.max(due, now + AT_ONCE) } })
  }

  const object = durableObject<Kept, Flow>(world, {
    name,
    empty: { record: undefined, alarm: undefined },
    construct(instance) {
      const { later, policy } = world
      if (later?.isDeployed) ofLater.set(instance, later)
      const host = hostIn(world, instance, ofLater.get(instance))
      const record = readBy(instance)
      const flow = new Flow(
        policy.host?.(host) ?? host,
        policy.opens ? policy.opens(record) : record,
      )
      if (instance.value.record) rearm(instance)
      return flow
    },
    becameDurable(before, after) {
      auditor.durable(name, before, after, timeline.now)
      if (before.record?.state === 'previewed' && HAS_BEGUN.has(after.record?.state))
        auditor.began(name, before.record)
      if (before.record?.state === 'running' && after.record?.state === 'previewed')
        auditor.backedOut(after.record.id)
      clock.set(before.alarm, after.alarm)
    },
    ended: (instance) => clock.ended(instance),
    threw: (error) => {
      if (!(error instanceof Reset)) auditor.report('I19', `${name} threw ${String(error)}`)
    },
  })

  const clock = alarmClock(world, object, async (flow, instance) => {
    await flow.alarm()
    rearm(instance)
  })

  return {
    name,
    object,
    get disk() {
      return object.disk
    },
    get excused() {
      return clock.excused
    },
    get rings() {
      return clock.rings
    },
    perform(call, tag) {
      let arrival: ReturnType<typeof auditor.arrived>
      let kept: FlowRecord | undefined
      return object.call(
        `${call.confirm ? 'commit' : 'preview'} ${call.operation}`,
        async (flow, instance) => {
          const isForeign = isNewer(readBy(instance))
          const met = instance.value.record
          arrival = auditor.arrived({ object: name, call, tag, met, isForeign })
          const reply = await flow.call(call)
          instance.touch()
          kept = instance.value.record
          const { delivering } = flow
          if (reply.is === 'committed' && delivering)
            await within(world, instance, delivering, RECORDS_TIMEOUT_MS)
          return reply
        },
        (reply) => {
          timeline.note(`${name} says ${reply.is === 'refused' ? reply.refusal.code : reply.is}`)
          auditor.replied(arrival, reply, kept)
        },
      )
    },
    busy: () => object.call('busy?', (flow) => flow.busy),
    unresolved: () => object.call('unresolved?', (flow) => flow.doubt),
    look: (named) =>
      object.call(`look at ${named?.bookingId ?? 'an invoice'}`, async (flow, instance) => {
        await followingNotification.run(
          name,
          () => (named && world.policy.look?.(flow, named.bookingId)) ?? flow.look(named),
        )
        instance.touch()
        const { delivering } = flow
        if (delivering && flow.holds(named))
          await within(world, instance, delivering, RECORDS_TIMEOUT_MS)
        return flow.holds(named) ? name : undefined
      }),
    approval: () => object.call('approval?', (flow) => flow.approval()),
    decide: (decided, leaves) =>
      object.call(
        `decide: ${decided.decision}`,
        (flow) => world.policy.decide?.(flow, decided) ?? flow.decide(decided),
        leaves,
      ),
    erase: (clientId) => object.call('erase', (flow) => flow.erase(clientId, ERASED_CLIENT)),
    resolve: (judge, part) =>
      object.call('resolve', async (flow, instance) => {
        const record = readBy(instance)
        if (record?.state !== 'running' || isNewer(record)) return flow.resolve(true, {}, part)
        const word = judge(record)
        if (!word) return 'facts missing'
        const marker = `${record.id}.${record.step}${record.compensating ? 'u' : ''}`
        if (!word.happened)
          auditor.looked(
            marker,
            { is: 'refused', refusal: { code: 'resolved_by_owner', effect: 'none' } },
            'owner',
          )
        return flow.resolve(word.happened, word.facts, part)
      }),
  }
}

function within<T>(
  { timeline }: World,
  instance: Instance<Kept>,
  promise: Promise<T>,
  ms: number,
): Promise<T | 'late'> {
  const { promise: late, resolve } = Promise.withResolvers<'late'>()
  const off = timeline.after(ms, `${instance.name}: patience ends`, () => resolve('late'))
  return instance.own(Promise.race([promise, late]).finally(off))
}

function hostIn(world: World, instance: Instance<Kept>, ofLater: LaterVersion | undefined): Host {
  const { auditor, settings, random, timeline, faults } = world
  const now = () => timeline.now + instance.skew
  const out = <T>(send: () => Promise<T>): Promise<T> =>
    instance.own(
      new Promise<T>((resolve, reject) =>
        instance.release(() => void send().then(resolve, reject)),
      ),
    )
  const { rulesOf, acquire, ...coordinator } = coordinatorOf(
    () => ({
      acquire: (holder, lockKeys, seen, change) =>
        out(() =>
          world.coordinator.call('acquire', (rows) => rows.acquire(holder, lockKeys, seen, change)),
        ),
      appliedTo: (caller, flow) =>
        out(() => world.coordinator.call('rules?', (rows) => rows.appliedTo(caller, flow))),
      addUnresolved: (one) =>
        out(() => world.coordinator.call('addUnresolved', (rows) => rows.addUnresolved(one))),
      clearUnresolved: (id) =>
        out(() => world.coordinator.call('clearUnresolved', (rows) => rows.clearUnresolved(id))),
      approvals: {
        add: (waiting) =>
          out(() => world.coordinator.call('awaitApproval', (rows) => rows.awaitApproval(waiting))),
        remove: (id, code) =>
          out(() =>
            world.coordinator.call('clearApproval', (rows) => rows.clearApproval(id, code)),
          ),
      },
    }),
    namespaceOf((other) => ({ busy: () => out(() => world.object(other).busy()) })),
    instance.name,
  )
  const ports = portsFor(world, instance)
  const memory = alarmMemory(now)
  const clock: Host['clock'] = {
    now,
    withDeadline: (promise, ms) => within(world, instance, promise, ms),
  }

  return {
    name: instance.name,
    operationId: operationIdOf(instance.name),
    isRestoredLately: false,
    quota: noQuota,
    clock,
    storage: {
      save(record, wake) {
        const before = instance.value
        if (
          followingNotification.getStore() === instance.name &&
          before.record?.state === 'running' &&
          record.state === 'previewed'
        )
          auditor.report('I10', `${instance.name} was made to fail by a webhook`)
        const alarm = wake === undefined ? undefined : { at: wake }
        const kept = ofLater?.written(record, before.record) ?? record
        instance.write({ record: kept, alarm: memory.mustSet(wake) ? alarm : before.alarm })
        if (!ofLater) judgeOlder(auditor, instance.name, before.record, record)
        auditor.saved(instance.name, before, instance.value, now())
      },
      async forget() {
        memory.gone()
        if (!ofLater) judgeOlder(auditor, instance.name, instance.value.record, undefined)
        instance.write({ record: undefined, alarm: undefined })
        await out(() => Promise.resolve())
      },
      rang: () => memory.gone(),
    },
    guard: guardOf({
      clock,
      practiceZone: () => PRACTICE.timezone,
      // A copy lasts for seconds of the platform’s clock, which is not that of a simulation.
      coordinator: {
        acquire,
        lastCopyOf: () => [],
        rulesOf: (caller) => rulesOf(caller, 'now'),
      },
    }),
    coordinator: {
      ...coordinator,
      async awaitApproval(waiting) {
        const operation_id = operationIdOf(instance.name)
        const listed = { flow: instance.name, operation_id, ...waiting }
        const isListed = await coordinator.awaitApproval(listed)
        if (isListed) world.alerted(instance.name)
        return isListed
      },
    },
    audit: { append: (entries) => out(() => world.audit.append(entries)) },
    confirmationTtlMs: settings.confirmationTtlMs,
    practice: PRACTICE,
    newId: () => random.bytes(16).toString('base64url'),
    sha256: async (text) => createHash('sha256').update(text).digest('base64url'),
    keepAlive(task) {
      instance.tasks += 1
      task.then(
        () => (instance.tasks -= 1),
        (error: unknown) => {
          instance.tasks -= 1
          if (!(error instanceof Reset))
            auditor.report('I19', `a task of ${instance.name} threw ${String(error)}`)
        },
      )
    },
    noteStep() {},
    noteFault(thrown) {
      if (!(thrown instanceof Reset))
        auditor.report('I19', `${instance.name} met ${String(thrown)}`)
    },
    async alertOwner({ operation, state }) {
      auditor.alerted(instance.value.record)
      const unresolved = {
        flow: instance.name,
        operation_id: operationIdOf(instance.name),
        operation,
        since: isoSeconds(timeline.now),
      }
      if (state === 'running') await coordinator.addUnresolved(unresolved)
      auditor.scan('a log line', unresolved)
      if (!settings.webhook) return true
      return out(() => webhook(world, faults.strikes('webhookFails')))
    },
    mutation(operation) {
      const isUnknown = !ofLater && operation === world.later?.operation
      const mutation = isUnknown ? undefined : mutationNamed(operation)
      return (
        mutation &&
        closingPorts(world.policy.mutation?.(mutation) ?? mutation, (what) =>
          auditor.report('I38', `${operation} used ${what} after its facts were read`),
        )
      )
    },
    ports: () => ports(),
  }
}

/** This version writes a record in place of one that the later version may have written. */
function judgeOlder(
  { report }: World['auditor'],
  object: string,
  before: FlowRecord | undefined,
  after: FlowRecord | undefined,
): void {
  if (isNewer(before)) report('I42', `${object}: a newer record was written over`)
  // Only an end is written afresh.
  const isEnd = before?.state !== 'done' && after?.state === 'done'
  if (before?.id !== after?.id || isEnd || addedTo(before) === addedTo(after)) return
  report('I43', `${object} has lost the field of the later version`)
}

function webhook({ timeline, random, tally }: World, fails: boolean): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>()
  const rejects = fails && random.chance(0.5)
  timeline.after(random.int(10, 2000), 'the webhook answers', () => {
    tally.count('alerts')
    if (rejects) reject(new Error('fetch failed'))
    else resolve(!fails)
  })
  return promise
}
