import { MOST_WAITING } from '../../../../src/core/domain/approval.ts'
import {
  type LockHolders,
  LATELY_MS,
  anyTimeOf,
  formerHolders,
} from '../../../../src/core/domain/lock-holders.ts'
import type { Refusal } from '../../../../src/core/domain/problem/problem.ts'
import {
  type AppliedRules,
  type AskedChange,
  type Rules,
  EVERYBODY,
  NO_RULES,
  commitRefusalBy,
} from '../../../../src/core/domain/rules/house-rules.ts'
import { DAY } from '../../../../src/core/domain/time/duration.ts'
import { dateIn } from '../../../../src/core/domain/time/time.ts'
import type { WaitingApproval } from '../../../../src/core/ports/confirmation.ts'
import type { Unresolved } from '../../../../src/core/ports/unresolved.ts'
import type { Auditor } from '../auditor/auditor.ts'
import { type DurableObject, durableObject, type Surroundings } from './durable-object.ts'
import { PRACTICE } from './ports.ts'

const KEEP_LOCKS = 60 * DAY

/** As in durable-objects/coordinator.ts. */
export interface LockRow {
  lockKey: string
  holder: string
  seq: number
}

/** As in durable-objects/coordinator.ts. */
export type Acquired =
  | { is: 'taken' }
  | { is: 'held'; rows: LockRow[] }
  | { is: 'refused'; refusal: Refusal }

interface Row extends LockHolders {
  seq: number
  until: number
}

/** A change that was counted. */
interface Counted {
  day: string
  caller: string
  flow: string
}

export interface CoordinatorState {
  locks: ReadonlyMap<string, Row>
  unresolved: ReadonlyMap<string, Unresolved>
  rules: ReadonlyMap<string, Rules>
  counted: readonly Counted[]
  approvals: ReadonlyMap<string, WaitingApproval>
}

/** The methods of durable-objects/coordinator.ts, over maps in place of SQL. */
export interface CoordinatorMethods {
  acquire(holder: string, lockKeys: string[], seen: LockRow[], change: AskedChange): Acquired
  holders(lockKeys: string[], madeAt: number | null): string[]
  appliedTo(caller: string, flow: string): AppliedRules[]
  change(caller: string, rules: Partial<Rules>): void
  addUnresolved(unresolved: Unresolved): void
  clearUnresolved(flow: string): void
  unresolved(): Unresolved[]
  awaitApproval(waiting: WaitingApproval): boolean
  clearApproval(flow: string, code: string): void
  waitingApprovals(): WaitingApproval[]
}

export function coordinatorObject(
  world: Surroundings & { auditor: Auditor },
  threw: (error: unknown) => void,
): DurableObject<CoordinatorState, CoordinatorMethods> {
  const takenLately = (locks: CoordinatorState['locks'], kind: string, madeAt: number) =>
    [...locks].flatMap(([lockKey, { holder, until }]) =>
      lockKey.startsWith(kind) && Math.abs(until - madeAt - KEEP_LOCKS) < LATELY_MS ? [holder] : [],
    )
  const today = () => dateIn(world.timeline.now, PRACTICE.timezone)
  return durableObject<CoordinatorState, CoordinatorMethods>(world, {
    name: 'coordinator',
    empty: {
      locks: new Map(),
      unresolved: new Map(),
      rules: new Map(),
      counted: [],
      approvals: new Map(),
    },
    threw,
    construct: (instance) => ({
      acquire(holder, lockKeys, seen, change) {
        const { now } = world.timeline
        const refusal = commitRefusalBy(
          this.appliedTo(change.caller, holder),
          change,
          now,
          PRACTICE.timezone,
        )
        if (refusal) return { is: 'refused', refusal }
        const rows = lockKeys.flatMap((lockKey) => {
          const row = instance.value.locks.get(lockKey)
          return row ? [{ lockKey, holder: row.holder, seq: row.seq }] : []
        })
        const asSeen = (row: LockRow) =>
          seen.some(({ lockKey, seq }) => lockKey === row.lockKey && seq === row.seq)
        const held = rows.filter((row) => row.holder !== holder && !asSeen(row))
        if (held.length > 0) return { is: 'held', rows: held }
        const taken = new Map(instance.value.locks)
        for (const lockKey of lockKeys) {
          taken.set(lockKey, {
            holder,
            seq: (taken.get(lockKey)?.seq ?? 0) + 1,
            until: now + KEEP_LOCKS,
            former: formerHolders(taken.get(lockKey), holder),
          })
        }
        for (const [lockKey, row] of taken) if (row.until < now) taken.delete(lockKey)
        const one = { day: today(), caller: change.caller, flow: holder }
        const isCounted = instance.value.counted.some(
          ({ day, flow }) => day === one.day && flow === holder,
        )
        const counted = isCounted ? instance.value.counted : [...instance.value.counted, one]
        instance.write({ ...instance.value, locks: taken, counted })
        // If this write is lost, so is the answer.
        const { approved: _said, ...asked } = change
        instance.release(() => world.auditor.admitted({ ...asked, ...one }))
        return { is: 'taken' }
      },
      holders: (lockKeys, madeAt) => [
        ...new Set(
          lockKeys.flatMap((lockKey) => {
            const kind = anyTimeOf(lockKey)
            if (kind !== undefined)
              return [
                ...takenLately(instance.value.locks, kind, madeAt ?? world.timeline.now),
                ...instance.value.unresolved.keys(),
              ]
            const row = instance.value.locks.get(lockKey)
            return row ? [row.holder, ...row.former] : []
          }),
        ),
      ],
      appliedTo: (caller, flow) =>
        [EVERYBODY, caller].flatMap((whose) => {
          const rules = instance.value.rules.get(whose)
          const counts = (one: Counted) =>
            one.day === today() &&
            one.flow !== flow &&
            (whose === EVERYBODY || one.caller === whose)
          const changesToday = instance.value.counted.filter(counts).length
          return rules ? [{ caller: whose, rules, pausedSince: null, changesToday }] : []
        }),
      change(caller, rules) {
        const before = instance.value.rules.get(caller) ?? NO_RULES
        const kept = new Map(instance.value.rules).set(caller, { ...before, ...rules })
        instance.write({ ...instance.value, rules: kept })
      },
      addUnresolved(unresolved) {
        if (instance.value.unresolved.has(unresolved.flow)) return
        const listed = new Map(instance.value.unresolved).set(unresolved.flow, unresolved)
        instance.write({ ...instance.value, unresolved: listed })
      },
      clearUnresolved(flow) {
        const listed = new Map(instance.value.unresolved)
        if (listed.delete(flow)) instance.write({ ...instance.value, unresolved: listed })
      },
      awaitApproval(waiting) {
        const listed = [...instance.value.approvals.values()]
        const others = listed.filter(
          ({ caller, flow, until }) =>
            caller === waiting.caller && flow !== waiting.flow && until > world.timeline.now,
        )
        if (others.length >= MOST_WAITING) return false
        const approvals = new Map(instance.value.approvals).set(waiting.flow, waiting)
        instance.write({ ...instance.value, approvals })
        return true
      },
      clearApproval(flow, code) {
        const approvals = new Map(instance.value.approvals)
        if (approvals.get(flow)?.code !== code) return
        approvals.delete(flow)
        instance.write({ ...instance.value, approvals })
      },
      waitingApprovals: () =>
        [...instance.value.approvals.values()].filter(({ until }) => until > world.timeline.now),
      unresolved: () =>
        [...instance.value.unresolved.values()].sort((one, other) =>
          one.since < other.since ? -1 : 1,
        ),
    }),
  })
}
