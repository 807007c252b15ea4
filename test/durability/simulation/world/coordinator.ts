import type { Unresolved } from '../../../../src/ports/index.ts'
import { type DurableObject, durableObject, type Surroundings } from './durable-object.ts'
import { DAY } from '../../../../src/domain/duration.ts'

const KEEP_LOCKS = 60 * DAY

/** As in durable-objects/coordinator.ts. */
export interface LockRow {
  lockKey: string
  holder: string
  seq: number
}

interface Row {
  holder: string
  seq: number
  until: number
}

export interface CoordinatorState {
  locks: ReadonlyMap<string, Row>
  unresolved: ReadonlyMap<string, Unresolved>
}

/** The methods of durable-objects/coordinator.ts, over maps in place of SQL. */
export interface CoordinatorMethods {
  acquire(holder: string, lockKeys: string[], seen: LockRow[]): LockRow[]
  addUnresolved(unresolved: Unresolved): void
  clearUnresolved(operationId: string): void
  unresolved(): Unresolved[]
}

export function coordinatorObject(
  world: Surroundings,
  threw: (error: unknown) => void,
): DurableObject<CoordinatorState, CoordinatorMethods> {
  return durableObject<CoordinatorState, CoordinatorMethods>(world, {
    name: 'coordinator',
    empty: { locks: new Map(), unresolved: new Map() },
    threw,
    construct: (life) => ({
      acquire(holder, lockKeys, seen) {
        const rows = lockKeys.flatMap((lockKey) => {
          const row = life.value.locks.get(lockKey)
          return row ? [{ lockKey, holder: row.holder, seq: row.seq }] : []
        })
        const asSeen = (row: LockRow) =>
          seen.some(({ lockKey, seq }) => lockKey === row.lockKey && seq === row.seq)
        const held = rows.filter((row) => row.holder !== holder && !asSeen(row))
        if (held.length > 0) return held
        const taken = new Map(life.value.locks)
        for (const lockKey of lockKeys) {
          taken.set(lockKey, {
            holder,
            seq: (taken.get(lockKey)?.seq ?? 0) + 1,
            until: world.timeline.now + KEEP_LOCKS,
          })
        }
        for (const [lockKey, row] of taken) if (row.until < world.timeline.now) taken.delete(lockKey)
        life.write({ ...life.value, locks: taken })
        return []
      },
      addUnresolved(unresolved) {
        if (life.value.unresolved.has(unresolved.operation_id)) return
        const listed = new Map(life.value.unresolved).set(unresolved.operation_id, unresolved)
        life.write({ ...life.value, unresolved: listed })
      },
      clearUnresolved(operationId) {
        const listed = new Map(life.value.unresolved)
        if (listed.delete(operationId)) life.write({ ...life.value, unresolved: listed })
      },
      unresolved: () =>
        [...life.value.unresolved.values()].sort((one, other) => (one.since < other.since ? -1 : 1)),
    }),
  })
}
