import { Flow } from '../../src/core/confirm/flow.ts'
import type { Host } from '../../src/core/confirm/host.ts'
import type { AnyMutation } from '../../src/core/confirm/mutation.ts'
import {
  type FlowRecord,
  alarmAt,
  alarmMemory,
  isAtWork,
  takenUp,
} from '../../src/core/confirm/record.ts'
import { sha256Base64url } from '../../src/core/crypto/encoding.ts'
import { openKeyring } from '../../src/core/crypto/keyring.ts'
import type { AuditEntry } from '../../src/core/domain/audit/entry.ts'
import type { Action, Fault } from '../../src/core/domain/mock-booking.ts'
import { kindOf, recordKey } from '../../src/core/domain/records.ts'
import {
  type AppliedRules,
  EVERYBODY,
  NO_RULES,
  commitRefusalBy,
} from '../../src/core/domain/rules/house-rules.ts'
import { MINUTE } from '../../src/core/domain/time/duration.ts'
import { isoSeconds } from '../../src/core/domain/time/time.ts'
import type { AuditNote } from '../../src/core/ports/audit.ts'
import type {
  ConfirmationCall,
  ConfirmationReply,
  Decided,
  OperationStatus,
  WaitingApproval,
} from '../../src/core/ports/confirmation.ts'
import type { Keyring } from '../../src/core/ports/keyring.ts'
import type { NamedBooking } from '../../src/core/ports/provider-sync.ts'
import type { Ports } from '../../src/core/ports/services.ts'
import { mockPayments } from '../../src/practice/adapters/payments/mock.ts'
import { mockScheduling } from '../../src/practice/adapters/scheduling/mock.ts'
import { ERASED_CLIENT } from '../../src/practice/operations/client/identity.ts'
import { guardOf } from '../../src/practice/operations/guard.ts'
import { mutationNamed } from '../../src/practice/operations/index.ts'
import type { ReadPorts } from '../../src/practice/operations/operation.ts'
import { watched } from '../unit/core/confirm/watched.ts'
import { closingPorts } from './closed-ports.ts'
import { noQuota } from './fakes/provider-quota.ts'
import { emptyRecords } from './fakes/records.ts'
import { inMemoryCalendar, mockLedger } from './in-memory-calendar.ts'
import { PRACTICE } from './practice.ts'

/** Monday, November 23, 2026, 10:00 in New York. */
export const START = Date.parse('2026-11-23T15:00:00Z')
export const ORIGIN = 'https://connector.example.com'
export const PRACTICE_ZONE = 'America/New_York'
export const SECRET = 'the signing secret of these tests, 1st'

/** The id by which the log and the owner know a flow: as the platform makes it, never its name. */
export const operationIdOf = (name: string): string => name.split('').toReversed().join('')

/** The calls that change something at a provider. */
const MUTATIONS = ['book', 'cancel', 'createLink', 'execute']

const never = new Promise<never>(() => {})

const keyrings = new Map<string, Promise<Keyring>>()

/** Opened once, so that a race is decided by its scheduler and not by the speed of a hash. */
function keyringOf(secrets: [string, ...string[]]): Promise<Keyring> {
  const opened = keyrings.get(secrets.join()) ?? openKeyring(secrets)
  keyrings.set(secrets.join(), opened)
  return opened
}

/** Where a call to a provider is held up. */
export interface Stop {
  /** The call has come to where it is held up. */
  reached: Promise<void>
  go(): void
}

interface Disk {
  record?: FlowRecord | undefined
  alarm?: number | undefined
}

/** The parts of a backup, in the order in which they are copied. */
export interface FakeBackup {
  secrets: [string, ...string[]]
  rules: AppliedRules[]
  flows: [name: string, record: FlowRecord][]
  records: { stored: [string, object][]; answers: [string, string][] }
  log: [string, AuditEntry][]
}

interface Instance {
  flow: Flow
  /** What was written is durable. */
  durable(): Promise<void>
  /** Rejects when the instance dies. */
  died: Promise<never>
  kill(): void
}

/**
 * A practice with mock providers, and the confirmation objects of its callers: time, storage, alarms and crashes are in
 * the hands of the test. Writes are buffered, and nothing leaves an object before they are durable.
 */
export function practice(options: { ttlMs?: number; mutations?: readonly AnyMutation[] } = {}) {
  let clock = START
  let ids = 0
  const calendar = inMemoryCalendar()
  const ledger = mockLedger()
  const faults: { action: Action; fault: Fault; stays: boolean }[] = []
  const stops: { name: string; at: 'before' | 'after'; arrive(): void; wait: Promise<void> }[] = []
  const timers = new Set<{ at: number; ring(): void }>()
  const disks = new Map<string, Disk>()
  const instances = new Map<string, Instance>()
  const rows = new Map<string, string>()
  const tasks = new Set<Promise<void>>()
  const log: string[] = []
  const puts: { key: string; value: object }[] = []
  const stored = new Map<string, object>()
  const get = async (key: string) => (stored.has(key) ? JSON.stringify(stored.get(key)) : undefined)
  const entries = new Map<string, AuditEntry>()
  /** What each flow has ended with, as the records keep it beside what it made. */
  const answers = new Map<string, string>()

  const world = {
    calendar,
    ledger,
    secrets: [SECRET] as [string, ...string[]],
    /** Every call to a provider that left an object, in order. */
    log,
    puts,
    stored,
    deletedClients: new Set<string>(),
    /** The operations that the owner was alerted to, and how often one was taken off the list again. */
    alerted: [] as string[],
    calmed: 0,
    /** Errors that the flow did not foresee. */
    faults: [] as unknown[],
    /** What the Worker was asked to audit, since the flow changed nothing. */
    notes: [] as AuditNote[],
    /** How many of the next writes to the records store fail. */
    failingPuts: 0,
    /** How many of the next batches for the audit log fail: before they were appended, or only their answer. */
    failingAppends: 0,
    failsAfter: false,
    /** How often the audit log was asked to append. */
    appends: 0,
    /** What the audit log holds, the oldest first. */
    auditLog: () => [...entries.values()].sort((a, b) => a.at - b.at),
    tellingFails: false,
    /** What was kept before may have been lost. */
    isRestoredLately: false,
    /** The house rules that apply, and whether they do not come when a preview asks for them. */
    rules: [] as AppliedRules[],
    rulesHang: false,
    /** Whether the rules were seen before, so that there is a copy of them. */
    knowsRules: false,
    /** How often the house rules were asked for, besides by a commit. */
    rulesAsked: 0,
    /** The previews that wait for a person, by object, with the address of their page; and whether there are too many. */
    waiting: new Map<string, Omit<WaitingApproval, 'flow' | 'operation_id'> & { url: string }>(),
    tooManyWait: false,
    /** How often a record was written. */
    writes: 0,
    /** Buffered writes stay buffered while true. */
    slowDisk: false,
    /** What broke loose from a task; there must be none. */
    broken: [] as unknown[],
    /** Another adapter in place of the mock. */
    adapt: (ports: Ports): Ports => ports,
    /** Runs just before each step of a task, for races in a given order. */
    interleave: (name: string): Promise<void> => Promise.resolve(void name),
    /** Runs at each write of an object: once it is buffered, and once it is durable. */
    wrote: (name: string, how: 'buffered' | 'durable'): void => void [name, how],

    now: () => clock,
    mutations: () => log.filter((name) => MUTATIONS.includes(name)),

    /** The next calls of this action go wrong; the last one for good if it ends with `*`. */
    fail(action: Action, ...kinds: (Fault | `${Fault}*`)[]): void {
      for (const kind of kinds) {
        const fault = kind.replace('*', '') as Fault
        faults.push({ action, fault, stays: kind.endsWith('*') })
      }
    },
    allIsWell: (): void => void faults.splice(0),

    /** The next call of this name is held up: before it reaches the provider, or on its way back. */
    stop(at: 'before' | 'after', name: string): Stop {
      const { promise: reached, resolve: arrive } = Promise.withResolvers<void>()
      const { promise: wait, resolve: go } = Promise.withResolvers<void>()
      stops.push({ name, at, arrive, wait })
      return { reached, go }
    },

    /** Time passes, and waits time out. No alarm rings. */
    pass(ms: number): void {
      clock += ms
      for (const timer of [...timers].filter(({ at }) => at <= clock)) timer.ring()
    },
    timers: () => timers.size,
    /** Every task that an object keeps itself alive for has ended, the delivery after an answer too. */
    async idle(): Promise<void> {
      while (tasks.size > 0) await Promise.allSettled(tasks)
      for (const { durable, died } of instances.values())
        await Promise.race([durable(), died]).catch(() => undefined)
    },

    record: (name: string): FlowRecord | undefined => disks.get(name)?.record,
    alarmOf: (name: string): number | undefined => disks.get(name)?.alarm,

    /** The instance is gone, with its memory, its buffered writes and everything it still wanted to do. */
    crash(name: string): void {
      instances.get(name)?.kill()
      instances.delete(name)
    },

    /** The alarm rings, on time or late, or now though it is early; to be awaited until its work is done. */
    async ring(name: string, { early = false } = {}): Promise<void> {
      const disk = disks.get(name)
      if (disk?.alarm === undefined) throw new Error('no alarm is set')
      if (!early) clock = Math.max(clock, disk.alarm)
      delete disk.alarm
      const instance = awake(name)
      await Promise.race([instance.flow.alarm(), instance.died])
      await Promise.race([instance.durable(), instance.died])
      rearm(disk, clock + 1000)
    },

    /** What objects keep anything at all. */
    kept: (): Disk[] => [...disks.values()].filter(({ record }) => record !== undefined),

    /** Time passes, and every alarm rings that is due by then, in its order. */
    async until(end: number): Promise<void> {
      for (;;) {
        const due = [...disks].filter(([, { alarm }]) => alarm !== undefined && alarm <= end)
        const [next] = due.toSorted(([, a], [, b]) => a.alarm! - b.alarm!)
        if (!next) break
        await world.ring(next[0])
      }
      world.pass(Math.max(0, end - clock))
    },

    /** Whether an alarm is set for something else than the record's end of life. */
    near(name: string): boolean {
      const { record, alarm } = disks.get(name) ?? {}
      return alarm !== undefined && (record?.state === 'running' || record?.outbox !== undefined)
    },

    /** Lets alarm after alarm ring until none is near. Returns how many did. */
    async ringAll(name: string): Promise<number> {
      for (let rung = 0; ; rung++) {
        if (!world.near(name)) return rung
        if (rung > 40) throw new Error('the alarms never end')
        await world.ring(name)
      }
    },

    resolve: (name: string, happened: boolean, facts = {}, part?: string) =>
      awake(name).flow.resolve(happened, facts, part),

    async erase(name: string, clientId: string): Promise<boolean> {
      const instance = awake(name)
      const erased = await instance.flow.erase(clientId, ERASED_CLIENT)
      await instance.durable()
      return erased
    },
    approval: (name: string) => awake(name).flow.approval(),
    /** What its page shows once it has waited so long for a commit. */
    async approvalAfter(name: string, waitMs: number) {
      await awake(name).flow.taskDone(waitMs)
      return world.approval(name)
    },
    /** A person decides about the preview that waits here now, or about what they were shown of it before. */
    async decide(
      name: string,
      decision: Decided['decision'],
      seen?: Pick<Decided, 'id' | 'digest'>,
    ): Promise<string> {
      const shown = seen ?? (await world.approval(name))
      if (!shown) throw new Error('nothing waits here')
      const { id, digest } = shown
      const instance = awake(name)
      const decided = await instance.flow.decide({
        id,
        digest,
        decision,
        by: 'owner',
        proof: { credential: 'c' },
      })
      await instance.durable()
      return decided
    },
    doubt: (name: string) => awake(name).flow.doubt,
    isBusy: (name: string): boolean => awake(name).flow.busy,
    holds: (name: string, named: NamedBooking): boolean => awake(name).flow.holds(named),
    /** A webhook has named a booking that this flow may have made. */
    async look(name: string, bookingId: string): Promise<void> {
      const instance = awake(name)
      const named = { bookingId, movedFrom: undefined, carried: undefined, createdAt: null }
      await Promise.race([instance.flow.look(named), instance.died])
      await Promise.race([instance.durable(), instance.died])
    },
    /** Copies one part of a backup after the other; what is done between two of them may be in some and not in others. */
    backup: {
      flows: (): Pick<FakeBackup, 'secrets' | 'rules' | 'flows'> =>
        structuredClone({
          secrets: world.secrets,
          rules: world.rules,
          flows: [...disks].flatMap(([name, { record }]) =>
            record && isAtWork(record) ? [[name, record] as [string, FlowRecord]] : [],
          ),
        }),
      records: (): FakeBackup['records'] =>
        structuredClone({ stored: [...stored], answers: [...answers] }),
      log: (): FakeBackup['log'] => structuredClone([...entries]),
    },
    /** All is lost but what the providers have, and comes back from a backup: everybody paused, and every client link ended. */
    restore({ secrets, rules: kept, flows, records, log: logged }: FakeBackup): void {
      for (const name of instances.keys()) world.crash(name)
      disks.clear()
      rows.clear()
      world.waiting.clear()
      const paused = { caller: EVERYBODY, rules: { ...NO_RULES, paused: true } }
      world.secrets = secrets
      world.rules = [
        ...kept.filter(({ caller }) => caller !== EVERYBODY),
        { ...paused, pausedSince: clock, changesToday: 0 },
      ]
      world.isRestoredLately = true
      const fill = <K, V>(map: Map<K, V>, with_: readonly (readonly [K, V])[]): void => {
        map.clear()
        for (const [key, value] of with_) map.set(key, value)
      }
      fill(entries, logged)
      fill(answers, records.answers)
      fill(stored, records.stored)
      for (const [key, value] of records.stored)
        if (kindOf(key) === 'client_link')
          stored.set(key, { ...value, ended_by_restore_at: isoSeconds(clock) })
      for (const [name, record] of flows) {
        if (answers.has(name)) continue
        const end = [...entries.values()].find(
          ({ event, operation_id }) => event === 'commit' && operation_id === operationIdOf(name),
        )
        disks.set(name, { record: takenUp(record, end?.at) })
        awake(name)
      }
    },
    /** Puts a record in storage, as another version may have left it. */
    plant: (name: string, record: FlowRecord, alarm: number | undefined): void =>
      void disks.set(name, { record, alarm }),

    async status(name: string): Promise<OperationStatus> {
      const instance = awake(name)
      const status = await Promise.race([instance.flow.status(), instance.died])
      await Promise.race([instance.durable(), instance.died])
      return structuredClone(status)
    },

    async perform(name: string, call: ConfirmationCall): Promise<ConfirmationReply> {
      const instance = awake(name)
      const reply = await Promise.race([instance.flow.call(structuredClone(call)), instance.died])
      await Promise.race([instance.durable(), instance.died])
      return structuredClone(reply)
    },

    ports: async (): Promise<ReadPorts> => ({
      ...(await portsFor(async (_name, act) => act())),
      confirmations: world,
    }),
  }

  const awake = (name: string): Instance => {
    const known = instances.get(name)
    if (known) return known
    const started = start(name)
    instances.set(name, started)
    return started
  }

  const rearm = (disk: Disk, soonest: number): void => {
    const due = disk.record && alarmAt(disk.record, clock)
    if (disk.alarm === undefined && due !== undefined) disk.alarm = Math.max(due, soonest)
  }

  function start(name: string): Instance {
    const disk = disks.get(name) ?? {}
    disks.set(name, disk)
    rearm(disk, 0)
    let alive = true
    let buffered: Disk | undefined
    const { promise: died, reject } = Promise.withResolvers<never>()
    died.catch(() => {})

    const durable = async (): Promise<void> => {
      await Promise.resolve()
      while (alive && buffered && world.slowDisk) await new Promise((later) => setImmediate(later))
      if (!alive) return never
      if (!buffered) return
      Object.assign(disk, buffered)
      buffered = undefined
      world.wrote(name, 'durable')
      if (!alive) return never
    }
    /**
     * A call out of the object: it leaves once what was written until then is durable, and its answer finds no one if the
     * object died.
     */
    const outside = async <T>(what: string, act: () => Promise<T>): Promise<T> => {
      await (buffered ? durable() : Promise.resolve())
      if (!alive) return never
      await world.interleave(what)
      await heldUp(what, 'before')
      if (!alive) return never
      // The audit log is no provider.
      if (what !== 'append') log.push(what)
      const [came] = await Promise.allSettled([act()])
      await heldUp(what, 'after')
      if (!alive) return never
      if (came.status === 'rejected') throw came.reason
      return came.value
    }

    const memory = alarmMemory(() => clock)
    const clockOf: Host['clock'] = {
      now: () => clock,
      async withDeadline(promise, ms) {
        const { promise: late, resolve } = Promise.withResolvers<'late'>()
        const timer = { at: clock + ms, ring: () => resolve('late') }
        timers.add(timer)
        try {
          return await Promise.race([promise, late])
        } finally {
          timers.delete(timer)
        }
      },
    }
    const guard = guardOf({
      clock: clockOf,
      practiceZone: () => PRACTICE_ZONE,
      coordinator: {
        lastCopyOf: () => (world.knowsRules ? structuredClone(world.rules) : []),
        rulesOf() {
          world.rulesAsked += 1
          return world.rulesHang ? never : Promise.resolve(structuredClone(world.rules))
        },
        acquire: (lockKeys, change) =>
          outside('take', async () => {
            const refusal = commitRefusalBy(world.rules, change, clock, PRACTICE_ZONE)
            return refusal ?? takeAll(name, lockKeys)
          }),
      },
    })
    const host: Host = {
      name,
      operationId: operationIdOf(name),
      quota: noQuota,
      get isRestoredLately() {
        return world.isRestoredLately
      },
      clock: clockOf,
      guard,
      storage: {
        save(record, due) {
          world.writes += 1
          const alarm = memory.mustSet(due) ? due : (buffered ?? disk).alarm
          if (alive) buffered = { record: structuredClone(record), alarm }
          if (alive) world.wrote(name, 'buffered')
        },
        rang: () => memory.gone(),
        async forget() {
          if (!alive) return never
          memory.gone()
          buffered = { record: undefined, alarm: undefined }
          await durable()
        },
      },
      coordinator: {
        awaitApproval: (waiting, url) =>
          outside('await approval', async () => {
            if (world.tooManyWait) return false
            world.waiting.set(name, { ...waiting, url })
            return true
          }),
        clearApproval: (code) =>
          outside('clear approval', async () => {
            if (world.waiting.get(name)?.code === code) world.waiting.delete(name)
          }),
        clearUnresolved: () => outside('calm', async () => void (world.calmed += 1)),
      },
      audit: { append: (rows) => outside('append', async () => append(structuredClone(rows))) },
      confirmationTtlMs: options.ttlMs ?? 15 * MINUTE,
      practice: { timezone: PRACTICE_ZONE, eventTypes: [{ name: 'consult', id: 'consult' }] },
      newId: () => `id${String((ids += 1)).padStart(20, '0')}`,
      sha256: sha256Base64url,
      keepAlive(task) {
        const kept = Promise.race([task, died])
          .catch((thrown: unknown) => void (alive && world.broken.push(thrown)))
          .finally(() => tasks.delete(kept))
        tasks.add(kept)
      },
      alertOwner: ({ operation }) =>
        outside('tell', async () => {
          if (world.tellingFails) throw new Error('no one answers')
          world.alerted.push(operation)
          return true
        }),
      noteStep: () => {},
      noteFault: (thrown) => void world.faults.push(thrown),
      mutation(operation) {
        const found =
          options.mutations?.find((one) => one.name === operation) ?? mutationNamed(operation)
        return (
          found &&
          closingPorts(found, (what) => {
            throw new Error(`${what} is used after the facts were read`)
          })
        )
      },
      ports: () => portsFor(outside),
    }
    const kill = () => {
      alive = false
      reject(new Error('the object was reset'))
    }
    const adopted = world.isRestoredLately ? answers.get(name) : undefined
    const known = disk.record ?? (adopted && (JSON.parse(adopted) as FlowRecord))
    return { flow: new Flow(host, structuredClone(known || undefined)), durable, died, kill }
  }

  function append(rows: readonly AuditEntry[]): void {
    world.appends += 1
    const fails = world.failingAppends > 0
    if (fails) world.failingAppends -= 1
    if (!fails || world.failsAfter)
      for (const row of rows)
        if (!entries.has(`${row.at} ${row.id}`)) entries.set(`${row.at} ${row.id}`, row)
    if (fails) throw new Error('the audit log does not answer')
  }

  async function heldUp(name: string, at: 'before' | 'after'): Promise<void> {
    const index = stops.findIndex((stop) => stop.name === name && stop.at === at)
    if (index < 0) return
    const [stop] = stops.splice(index, 1)
    stop!.arrive()
    await stop!.wait
  }

  function takeAll(holder: string, targets: string[]): Promise<'taken' | 'held'> {
    const others = targets
      .map((target) => rows.get(target))
      .filter((other) => other && other !== holder)
    if (
      others.some(
        (other) =>
          instances.get(other!)?.flow.busy ?? disks.get(other!)?.record?.state === 'running',
      )
    )
      return Promise.resolve('held')
    for (const target of targets) rows.set(target, holder)
    return Promise.resolve('taken')
  }

  const nextFault = (action: Action): Fault => {
    const index = faults.findIndex((one) => one.action === action)
    const found = faults[index]
    if (!found) return 'ok'
    if (!found.stays) faults.splice(index, 1)
    return found.fault
  }

  async function portsFor(
    outside: <T>(name: string, act: () => Promise<T>) => Promise<T>,
  ): Promise<Ports> {
    const now = () => clock
    const scheduling = mockScheduling({
      calendar: () => calendar,
      timezone: PRACTICE_ZONE,
      faults: nextFault,
      now,
      contactsOf: () => Promise.resolve([]),
    })
    const payments = mockPayments({ origin: ORIGIN, faults: nextFault, ledger: () => ledger })
    const ports = world.adapt({
      practice: PRACTICE,
      scheduling,
      payments,
      records: {
        ...emptyRecords,
        async upsert(writes, flow, answer) {
          if (world.failingPuts > 0) {
            world.failingPuts -= 1
            throw new Error('the records store does not answer')
          }
          for (const { key, value } of writes) {
            puts.push({ key, value })
            stored.set(key, value)
          }
          if (answer !== undefined) answers.set(flow, answer)
        },
        get,
        registerFlow: async (clientId) =>
          world.deletedClients.has(clientId) ? null : get(recordKey('client', clientId)),
      },
      keyring: () => keyringOf(world.secrets),
      now,
    })
    return {
      ...ports,
      scheduling: watched(ports.scheduling, outside),
      payments: watched(ports.payments, outside),
      records: watched(ports.records, outside),
    }
  }

  return world
}

export type World = ReturnType<typeof practice>
