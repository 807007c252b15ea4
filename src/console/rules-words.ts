import { ALL_OPERATIONS, type ApprovalRule } from '../domain/approval.ts'
import type { Rules } from '../domain/house-rules.ts'
import { displayAmount } from '../domain/money.ts'
import { spokenHours } from '../domain/working-hours.ts'
import { MUTATIONS } from '../operations/index.ts'
import type { FormRules } from './rules-form.ts'

/** By which clock hours are said. */
export interface Clock {
  now: number
  zone: string
}

/** What each rule is called on the page, in its order. */
export const RULE_TITLES = {
  max_link: 'Largest payment link',
  hours: 'Hours for changes',
  operations: 'Changes that may be made',
  changes_a_day: 'Changes a day',
  approval: 'Changes that a person approves first',
} as const satisfies Record<keyof FormRules, string>

const titleOf = new Map(MUTATIONS.map(({ name, title }) => [name, title]))

/** A rule in words; null where there is none. */
export function ruleInWords(rules: FormRules, name: keyof FormRules, { now, zone }: Clock): string | null {
  const { max_link, hours, operations, changes_a_day, approval } = rules
  switch (name) {
    case 'max_link':
      return (
        max_link &&
        Object.entries(max_link)
          .map(([currency, most]) => displayAmount(most, currency))
          .join(', or ')
      )
    case 'hours':
      return hours && spokenHours(hours, now, zone)
    case 'operations':
      return operations && (operations.map((one) => titleOf.get(one) ?? one).join(', ') || 'none')
    case 'changes_a_day':
      return changes_a_day === null ? null : `at most ${changes_a_day.toLocaleString('en-US')}`
    case 'approval':
      return (
        approval &&
        (approval
          .filter(({ level }) => level === 'person')
          .map(approvedInWords)
          .join(', ') ||
          'none')
      )
  }
}

function approvedInWords({ operation, above }: ApprovalRule): string {
  const amounts = Object.entries(above ?? {}).map(([currency, most]) => displayAmount(most, currency))
  const what = operation === ALL_OPERATIONS ? 'every change' : (titleOf.get(operation) ?? operation)
  return amounts.length === 0 ? what : `${what} above ${amounts.join(' or ')}`
}

const NAMES = Object.keys(RULE_TITLES) as (keyof FormRules)[]

/** The rules that there are, in words. */
export const rulesInWords = (rules: FormRules, clock: Clock): { title: string; words: string }[] =>
  NAMES.flatMap((name) => {
    const words = ruleInWords(rules, name, clock)
    return words === null ? [] : [{ title: RULE_TITLES[name], words }]
  })

/** What differs between two sets, a sentence for each rule: what it was and what it will be. */
export const changesInWords = (before: Rules, after: Rules, clock: Clock): string[] =>
  NAMES.flatMap((name) => {
    const [was, will] = [before, after].map((rules) => ruleInWords(rules, name, clock) ?? 'no rule')
    return was === will ? [] : [`${RULE_TITLES[name]}: ${will} (until now: ${was}).`]
  })
