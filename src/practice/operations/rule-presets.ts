import type { ApprovalRule } from '../../core/domain/rules/approval.ts'
import { NO_RULES, type Rules } from '../../core/domain/rules/house-rules.ts'
import { WITH_ADDRESS, WITH_AMOUNT } from './house-rules.ts'
import { MUTATIONS } from './index.ts'

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
