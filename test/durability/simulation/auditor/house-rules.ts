import type { Previewed } from '../../../../src/core/confirm/record.ts'
import {
  type AskedChange,
  type Rules,
  EVERYBODY,
  NO_RULES,
} from '../../../../src/core/domain/rules/house-rules.ts'
import { approvalLedger } from './approvals.ts'
import type { Invariant } from './invariants.ts'

/** A change that the coordinator has let begin. */
export interface Admitted extends Omit<AskedChange, 'approved'> {
  day: string
  flow: string
}

/** Whether a rule of a set asks for a person. */
const asksAPerson = (
  { approval }: Rules,
  { operation, amount = 0, currency = '' }: Admitted,
): boolean =>
  (approval ?? []).some(
    (rule) =>
      rule.level === 'person' &&
      ['*', operation].includes(rule.operation) &&
      (!rule.above || amount > (rule.above[currency] ?? -1)),
  )

/** The rules that were answered to the owner as in force, and the admitted changes; it counts independently. */
export function rulesLedger(report: (invariant: Invariant, what: string) => void) {
  const sure = new Map<string, Rules>()
  const counted: Admitted[] = []
  const { begins, ...approvals } = approvalLedger(report)
  /** The flows that were let in and have not begun since, and whether a rule asked for a person then. */
  const admitted = new Map<string, boolean>()
  const change = (caller: string, rules: Partial<Rules>) =>
    sure.set(caller, { ...NO_RULES, ...sure.get(caller), ...rules })

  return {
    ...approvals,

    /** The owner asks for other rules. Until the answer no one knows which of the two hold, so neither is held against it. */
    rulesAsked(caller: string, rules: Partial<Rules>): { answered(): void } {
      change(
        caller,
        Object.fromEntries(
          Object.keys(rules).map((name) => [name, name === 'paused' ? false : null]),
        ),
      )
      return { answered: () => void change(caller, rules) }
    },

    /** The coordinator has let a change begin, and has kept that it did. */
    admitted(one: Admitted): void {
      const sets = [EVERYBODY, one.caller].map((whose) => sure.get(whose) ?? NO_RULES)
      admitted.set(
        one.flow,
        sets.some((rules) => asksAPerson(rules, one)),
      )
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
          report(
            'I30',
            `${one.flow} is change ${today} of ${changes_a_day} that ${whose} has on ${one.day}`,
          )
      }
    },

    /** A flow has begun to act on a preview. */
    began(flow: string, preview: Previewed): void {
      begins(flow, preview, admitted.get(flow) ?? false)
      if (!admitted.delete(flow)) report('I29', `${flow} began without having been let in`)
    },
  }
}
