import * as z from 'zod'

import { displayAmount } from '../../core/domain/money.ts'
import { withCommas } from '../../core/domain/plural.ts'
import { ALL_OPERATIONS, type ApprovalRule } from '../../core/domain/rules/approval.ts'
import {
  EVERYBODY,
  type KeptRules,
  NO_RULES,
  type Rules,
  askedChange,
  refusalBy,
  rulesSchemaFor,
  wantsPerson,
} from '../../core/domain/rules/house-rules.ts'
import { spokenHours } from '../../core/domain/rules/working-hours.ts'
import type { WaitingChange } from '../../core/ports/confirmation.ts'
import { MUTATIONS, mutationNamed } from './index.ts'

const namesOf = (mutations: typeof MUTATIONS) => mutations.map(({ name }) => name)

export const WITH_AMOUNT = namesOf(MUTATIONS.filter(({ preview }) => 'amount' in preview.shape))

/** The changes that go to an address which the caller brings. */
export const WITH_ADDRESS = namesOf(MUTATIONS.filter(({ namesAddress }) => namesAddress))

/** A set of house rules, as the owner sends it. */
export const rulesSchema = z.lazy(() =>
  rulesSchemaFor(namesOf(MUTATIONS), WITH_AMOUNT, WITH_ADDRESS).meta({
    id: 'HouseRules',
    description:
      'The limits that the owner sets in addition to scopes. ' +
      'Send every rule: leaving one out is refused, so that no rule is lifted by mistake.',
    examples: [{ ...NO_RULES, max_link: { usd: 50000 }, changes_a_day: 100 }],
  }),
)

/** The rules that a form sets; pausing is a button of its own. */
export type FormRules = Omit<Rules, 'paused'>

/** When a rule is said, and in which zone. */
interface Clock {
  now: number
  zone: string
}

/** What each rule is called, for a person. */
export const RULE_TITLES = {
  max_link: 'Largest payment link',
  hours: 'Hours for changes',
  operations: 'Changes that may be made',
  changes_a_day: 'Changes a day',
  approval: 'Changes that a person approves first',
} as const satisfies Record<keyof FormRules, string>

const titleOf = new Map(MUTATIONS.map(({ name, title }) => [name, title]))

const amountsIn = (limits: Record<string, number>) =>
  Object.entries(limits).map(([currency, most]) => displayAmount(most, currency))

const RULES_IN_WORDS: {
  [Name in keyof FormRules]: (rule: NonNullable<FormRules[Name]>, clock: Clock) => string
} = {
  max_link: (limits) => amountsIn(limits).join(', or ') || 'no payment links',
  hours: (hours, { now, zone }) => spokenHours(hours, now, zone),
  // In one order, or the same rule would be shown as another.
  operations: (names) =>
    names
      .map((one) => titleOf.get(one) ?? one)
      .toSorted()
      .join(', ') || 'none',
  changes_a_day: (most) => `at most ${withCommas(most)}`,
  approval: (rules) =>
    rules
      .filter(({ level }) => level === 'person')
      .map(approvedInWords)
      .toSorted()
      .join(', ') || 'none',
}

function ruleInWords<Name extends keyof FormRules>(
  rules: FormRules,
  name: Name,
  clock: Clock,
): string | null {
  const rule = rules[name]
  return rule === null ? null : RULES_IN_WORDS[name](rule, clock)
}

function approvedInWords({ operation, above, unless }: ApprovalRule) {
  const known = unless === undefined ? '' : ' unless the client is known'
  const amounts = amountsIn(above ?? {})
  const aboveThem = amounts.length === 0 ? '' : ` above ${amounts.join(' or ')}`
  const what = operation === ALL_OPERATIONS ? 'every change' : (titleOf.get(operation) ?? operation)
  return `${what}${aboveThem}${known}`
}

const NAMES = Object.keys(RULE_TITLES) as (keyof FormRules)[]

/** The rules that are set, each with what it says. */
export const rulesInWords = (rules: FormRules, clock: Clock): { title: string; words: string }[] =>
  NAMES.flatMap((name) => {
    const words = ruleInWords(rules, name, clock)
    return words === null ? [] : [{ title: RULE_TITLES[name], words }]
  })

/** What differs between two sets, a sentence for each rule: what it was and what it will be. */
export const changesInWords = (before: Rules, after: Rules, clock: Clock) =>
  NAMES.flatMap((name) => {
    const [was, will] = [before, after].map((rules) => ruleInWords(rules, name, clock) ?? 'no rule')
    return was === will ? [] : [`${RULE_TITLES[name]}: ${will} (until now: ${was}).`]
  })

type Waiting = Pick<WaitingChange, 'caller' | 'operation' | 'preview'>

/** A change that waits, and the sets that apply to it, as the rules ask for them. */
function underRules(all: readonly KeptRules[], { caller, operation, preview }: Waiting) {
  const mutation = mutationNamed(operation)
  const facts = { ...preview, parts: mutation?.parts?.(preview) ?? null }
  const address = mutation?.namesAddress?.(preview) ? ('new' as const) : undefined
  return {
    sets: all.filter((set) => [EVERYBODY, caller].includes(set.caller)),
    change: { ...askedChange(caller, operation, facts), address },
  }
}

/**
 * Whether a change that waited for a person needs none under these sets: its caller's next commit
 * makes it.
 */
export function needsNoPerson(all: readonly KeptRules[], waiting: Waiting): boolean {
  const { sets, change } = underRules(all, waiting)
  return !wantsPerson(sets, change)
}

/**
 * The sentence that says why these sets forbid a waiting change now; undefined if they allow it. It
 * leaves out their count of the day.
 */
export function forbiddenNow(all: readonly KeptRules[], waiting: Waiting, { now, zone }: Clock) {
  const { sets, change } = underRules(all, waiting)
  const counted = sets.map((set) => ({ ...set, changesToday: 0 }))
  const refusal = refusalBy(counted, change, now, zone)
  return refusal?.code === 'paused'
    ? 'The agent is paused: it can make this change only once it is resumed.'
    : refusal?.rule && `The rules do not allow this change now. ${refusal.rule.allows}`
}

/** Rules to begin with, all of a set but whether it is paused. */
export interface Preset {
  title: string
  /** For whom it is, in a sentence. */
  text: string
  rules: Omit<Rules, 'paused'>
}

const { paused: _paused, ...NONE } = NO_RULES

const byPerson = (names: readonly string[], more: Partial<ApprovalRule> = {}): ApprovalRule[] =>
  names.map((operation) => ({ operation, ...more, level: 'person' }))

/*
 * Each set is derived from what the operations say of themselves, so that one that is added later
 * is in it from the first day.
 */

/** The changes that end something, and name no address that could tell a known client. */
const ENDS = MUTATIONS.filter(({ destructive }) => destructive)
  .map(({ name }) => name)
  .filter((name) => !WITH_ADDRESS.includes(name))

/** The sets that the owner can choose in one press. None holds until then. */
export const PRESETS = [
  {
    title: 'Careful',
    text:
      'You approve what goes to people that you do not know yet, payment links, and what ' +
      'ends a consult, a request or a link.',
    rules: {
      ...NONE,
      approval: [
        ...byPerson(WITH_ADDRESS, { unless: 'known_client' }),
        ...byPerson(WITH_AMOUNT),
        ...byPerson(ENDS),
      ],
    },
  },
  {
    title: 'Tax practice',
    text:
      'You approve larger payment links, and what ends a consult, a request or a link. ' +
      'Agents make at most 100 changes a day.',
    rules: {
      ...NONE,
      changes_a_day: 100,
      approval: [...byPerson(WITH_AMOUNT, { above: { usd: 50_000 } }), ...byPerson(ENDS)],
    },
  },
  {
    title: 'Only reads',
    text: 'Agents change nothing. They read what you ticked for them.',
    rules: { ...NONE, operations: [] },
  },
] as const satisfies readonly Preset[]

/** The set that is offered first: it leaves small things to the agents. */
export const TO_BEGIN_WITH: Preset = PRESETS[1]
