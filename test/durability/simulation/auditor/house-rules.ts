import { type Rules, EVERYBODY, NO_RULES } from '../../../../src/domain/house-rules.ts'
import type { Invariant } from './invariants.ts'

/** A change that the coordinator has let begin. */
export interface Admitted {
  day: string
  caller: string
  flow: string
  operation: string
}

/** The rules that were answered to the owner as in force, and the admitted changes; it counts independently. */
export function rulesLedger(report: (invariant: Invariant, what: string) => void) {
  const sure = new Map<string, Rules>()
  const counted: Admitted[] = []
  /** The flows that were let in and have not begun since. */
  const admitted = new Set<string>()
  const change = (caller: string, rules: Partial<Rules>) =>
    sure.set(caller, { ...NO_RULES, ...sure.get(caller), ...rules })

  return {
    /** The owner asks for other rules. Until the answer nobody knows which of the two hold, so neither is held against it. */
    rulesAsked(caller: string, rules: Partial<Rules>): { answered(): void } {
      change(
        caller,
        Object.fromEntries(Object.keys(rules).map((name) => [name, name === 'paused' ? false : null])),
      )
      return { answered: () => void change(caller, rules) }
    },

    /** The coordinator has let a change begin, and has kept that it did. */
    admitted(one: Admitted): void {
      admitted.add(one.flow)
      const isNew = !counted.some(({ day, flow }) => day === one.day && flow === one.flow)
      if (isNew) counted.push(one)
      for (const whose of [EVERYBODY, one.caller]) {
        const { paused, operations, changes_a_day } = sure.get(whose) ?? NO_RULES
        const today = counted.filter(
          ({ day, caller }) => day === one.day && (whose === EVERYBODY || caller === whose),
        ).length
        if (paused) report('I29', `${one.flow} was let in though ${whose} is paused`)
        if (operations && !operations.includes(one.operation))
          report('I30', `${one.flow} was let in though ${whose} may not ${one.operation}`)
        if (isNew && changes_a_day !== null && today > changes_a_day)
          report('I30', `${one.flow} is change ${today} of ${changes_a_day} that ${whose} has on ${one.day}`)
      }
    },

    /** A flow has begun to act. */
    began(flow: string): void {
      if (!admitted.delete(flow)) report('I29', `${flow} began without having been let in`)
    },
  }
}
