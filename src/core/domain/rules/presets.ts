import type { ApprovalRule } from './approval.ts'
import { NO_RULES, type Rules } from './house-rules.ts'

/** Rules to begin with, all of a set but whether it is paused. */
export interface Preset {
  title: string
  /** For whom it is, in a sentence. */
  text: string
  rules: Omit<Rules, 'paused'>
}

const { paused: _paused, ...NONE } = NO_RULES

const byPerson = (operation: string, more: Partial<ApprovalRule> = {}): ApprovalRule => ({
  operation,
  ...more,
  level: 'person',
})
const UNLESS_KNOWN = { unless: 'known_client' } as const

/** The sets that the owner can choose in one press. None holds until then. */
export const PRESETS = [
  {
    title: 'Careful',
    text: 'You approve what goes to people that you do not know yet, payment links and cancellations.',
    rules: {
      ...NONE,
      approval: [
        byPerson('book_consult', UNLESS_KNOWN),
        byPerson('reschedule_booking', UNLESS_KNOWN),
        byPerson('create_client_profile', UNLESS_KNOWN),
        byPerson('invite_client', UNLESS_KNOWN),
        byPerson('create_payment_link'),
        byPerson('cancel_booking'),
      ],
    },
  },
  {
    title: 'Tax practice',
    text: 'You approve larger payment links and cancellations; agents make at most 100 changes a day.',
    rules: {
      ...NONE,
      changes_a_day: 100,
      approval: [
        byPerson('create_payment_link', { above: { usd: 50_000 } }),
        byPerson('cancel_booking'),
      ],
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
