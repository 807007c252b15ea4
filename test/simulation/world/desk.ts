import type { Unresolved } from '../../../src/ports/index.ts'
import { type DurableObject, durableObject, type Surroundings } from './durable-object.ts'

/** As in durable-objects/desk.ts. */
export interface Held {
  target: string
  holder: string
  seq: number
}

interface Row {
  holder: string
  seq: number
  until: number
}

export interface DeskState {
  targets: ReadonlyMap<string, Row>
  unresolved: ReadonlyMap<string, Unresolved>
}

/** The methods of durable-objects/desk.ts, over maps in place of SQL. */
export interface DeskMethods {
  take(holder: string, targets: string[], until: number, seen: Held[]): Held[]
  remember(unresolved: Unresolved): void
  calm(operationId: string): void
  unresolved(): Unresolved[]
}

export function deskObject(
  world: Surroundings,
  threw: (error: unknown) => void,
): DurableObject<DeskState, DeskMethods> {
  return durableObject<DeskState, DeskMethods>(world, {
    name: 'desk',
    empty: { targets: new Map(), unresolved: new Map() },
    threw,
    construct: (life) => ({
      take(holder, targets, until, seen) {
        const rows = targets.flatMap((target) => {
          const row = life.value.targets.get(target)
          return row ? [{ target, holder: row.holder, seq: row.seq }] : []
        })
        const asSeen = (row: Held) => seen.some(({ target, seq }) => target === row.target && seq === row.seq)
        const held = rows.filter((row) => row.holder !== holder && !asSeen(row))
        if (held.length > 0) return held
        const taken = new Map(life.value.targets)
        for (const target of targets) {
          taken.set(target, { holder, seq: (taken.get(target)?.seq ?? 0) + 1, until })
        }
        for (const [target, row] of taken) if (row.until < world.timeline.now) taken.delete(target)
        life.write({ ...life.value, targets: taken })
        return []
      },
      remember(unresolved) {
        if (life.value.unresolved.has(unresolved.operation_id)) return
        const listed = new Map(life.value.unresolved).set(unresolved.operation_id, unresolved)
        life.write({ ...life.value, unresolved: listed })
      },
      calm(operationId) {
        const listed = new Map(life.value.unresolved)
        if (listed.delete(operationId)) life.write({ ...life.value, unresolved: listed })
      },
      unresolved: () =>
        [...life.value.unresolved.values()].sort((one, other) => (one.since < other.since ? -1 : 1)),
    }),
  })
}
