import * as z from 'zod'

import { type Facts, orNull } from '../facts.ts'
import { displayAmount, ruleAmountsSchema } from '../money.ts'
import { counted } from '../plural.ts'
import type { Refusal } from '../problem/problem.ts'
import { DAY, SECOND } from '../time/duration.ts'
import { dayAround, isoInZone } from '../time/time.ts'
import {
  type ApprovalRule,
  approvalFact,
  approvalSchemaFor,
  approvalSentences,
  dependsOnClient,
  needsLess,
  needsPerson,
} from './approval.ts'
import { type Hours, areWithin, hoursSchema, opensAt, spokenHours } from './working-hours.ts'

/**
 * How long a read or preview waits for the rules, in milliseconds, before it goes on without; a
 * commit waits for them.
 */
export const RULES_TIMEOUT_MS = 500

/**
 * How old the rules may be that a read or a preview goes by, in milliseconds. A commit goes by
 * those of that moment.
 */
export const RULES_COPY_MS = 10 * SECOND

/** The caller whose set of rules holds for all callers together. */
export const EVERYBODY = '*'

/**
 * A set of rules about these operations. Every field is needed, so that nothing is loosened by
 * being left out.
 */
export const rulesSchemaFor = (
  operations: readonly string[],
  withAmount: readonly string[],
  withAddress: readonly string[],
) =>
  z.strictObject({
    paused: z.boolean().describe('True: no reads, previews or changes.'),
    operations: orNull(z.array(z.enum(operations))).meta({
      description: 'The only changes that may be made; null: all changes that the scopes allow.',
      examples: [['book_consult', 'reschedule_booking']],
    }),
    max_link: orNull(ruleAmountsSchema).meta({
      description:
        'The largest amount of one payment link in each currency, in minor units; ' +
        'a currency that is not named is refused. null: any amount.',
      examples: [{ usd: 50000 }],
    }),
    hours: orNull(hoursSchema).describe(
      'When changes may be made, by the clock of the practice; null: at any time.',
    ),
    changes_a_day: orNull(z.int().min(0).max(1_000_000)).meta({
      description: 'How many changes may be begun on a day of the practice; null: any number.',
      examples: [100],
    }),
    approval: orNull(approvalSchemaFor(operations, withAmount, withAddress)).meta({
      description:
        'The changes that a person has to approve with a passkey, on the connector’s own ' +
        'page, before they can be committed; null: none.',
      examples: [[{ operation: 'create_payment_link', above: { usd: 50000 }, level: 'person' }]],
    }),
  })

/** What the owner allows besides scopes. */
export type Rules = z.infer<ReturnType<typeof rulesSchemaFor>>

export const NO_RULES: Rules = {
  paused: false,
  operations: null,
  max_link: null,
  hours: null,
  changes_a_day: null,
  approval: null,
}

/** A set as it is kept: whose it is, and since when it is paused, in epoch milliseconds. */
export interface KeptRules {
  caller: string
  rules: Rules
  pausedSince: number | null
}

/** A set that applies to a caller, and how many changes it has counted on this day of the practice. */
export interface AppliedRules extends KeptRules {
  changesToday: number
}

/** A change that is about to be previewed or begun, as far as the rules ask. */
export interface AskedChange {
  caller: string
  operation: string
  /** In minor units, where it is about an amount of money. */
  amount?: number
  currency?: string
  approved?: boolean
  /**
   * Whether it goes to an address that it names itself, and whether that is known; missing if it
   * names none.
   */
  address?: 'new' | 'known' | undefined
  /** The changes that it lets another person make. It is held to the rules of each, and counts as so many. */
  parts?: readonly string[]
  /**
   * Missing: all rules hold. `maker`: a client does what the maker of a link was let do. A pause of that
   * maker stops it, and what lets the maker make no such change at all: a list of operations without a
   * part, no change a day, or a rule that wants a person for a part, where none approved the link. Count
   * and hours were taken when the link was made. `nothing`: the owner acts.
   */
  heldTo?: 'maker' | 'nothing' | undefined
}

/**
 * The change with its amount, if its pinned facts hold one, under the rules of the caller that made
 * it possible.
 */
export const askedChange = (
  caller: string,
  operation: string,
  { amount, currency, made_by, parts, link_approved }: Facts,
  heldTo?: AskedChange['heldTo'],
): AskedChange => ({
  caller: heldTo === 'maker' ? String(made_by) : caller,
  operation,
  ...(typeof amount === 'number' && typeof currency === 'string' && { amount, currency }),
  ...(typeof parts === 'string' && { parts: parts.split(' ') }),
  ...(link_approved === true && { approved: true }),
  heldTo,
})

/** As how many changes of the day it counts. */
export const changesIn = ({ parts }: AskedChange) => parts?.length ?? 1

type RuleName = Exclude<keyof Rules, 'paused'>

/** The refusal of whatever a paused caller asks for; nothing where no set is paused. */
export function pauseRefusal(
  sets: readonly KeptRules[],
  zone: string,
  asked: 'change' | 'read' = 'change',
): Refusal | undefined {
  const set = sets.find(({ rules }) => rules.paused)
  if (!set) return undefined
  const since = set.pausedSince === null ? {} : { paused_at: isoInZone(set.pausedSince, zone) }
  const detail = set.caller === EVERYBODY ? {} : { detail: ONE_PAUSED[asked] }
  return { code: 'paused', effect: 'none', ...detail, ...since }
}

const ONE_PAUSED = {
  read: 'The owner of the practice has paused this caller; nothing was read.',
  change:
    'The owner of the practice has paused this caller; this call did nothing. ' +
    'This answer says nothing about what an earlier call under the same idempotency key ' +
    'has done.',
}

/**
 * Why these sets do not allow a change now, if one does not; a limit itself passes. `changesToday`
 * is without this one.
 */
export function refusalBy(
  sets: readonly AppliedRules[],
  change: AskedChange,
  now: number,
  zone: string,
): Refusal | undefined {
  const { amount, currency, heldTo } = change
  const paused = heldTo === 'nothing' ? undefined : pauseRefusal(sets, zone)
  if (paused || heldTo === 'nothing') return paused
  const refuse = (name: RuleName, allows: string, opens?: number): Refusal => ({
    code: 'house_rule',
    effect: 'none',
    rule: { name, allows, ...(opens !== undefined && { allowed_at: isoInZone(opens, zone) }) },
    ...(opens !== undefined && {
      retry_after_seconds: Math.max(1, Math.ceil((opens - now) / SECOND)),
    }),
  })
  const isByClient = heldTo === 'maker'
  if (isByClient && !change.approved && partWantsPerson(sets, change))
    return refuse('approval', ONLY_APPROVED)
  const { operations, max_link } = together(sets)
  const names = isByClient ? (change.parts ?? []) : namesIn(change)
  const unlisted = operations && names.find((name) => !operations.includes(name))
  if (operations && unlisted !== undefined) {
    const part = unlisted === change.operation ? '' : ` This one lets its holder do ${unlisted}.`
    return refuse('operations', `${operationsAllowed(operations)}${part}`)
  }
  if (isByClient) {
    const none = sets.find(({ rules }) => rules.changes_a_day === 0)
    return none && refuse('changes_a_day', changesAllowed(none))
  }
  if (max_link && amount !== undefined && currency !== undefined) {
    const most = max_link[currency.toLowerCase()]
    if (most === undefined || amount > most) return refuse('max_link', linksAllowed(max_link))
  }
  const hours = sets.flatMap(({ rules }) => rules.hours ?? [])
  const opens = allOpenAt(hours, now, zone)
  if (opens !== now)
    return refuse(
      'hours',
      hours.map((one) => `Changes ${spokenHours(one, now, zone)}.`).join(' '),
      opens,
    )
  const changes = changesIn(change)
  const usedUp = sets.find((set) => (changesLeftIn(set) ?? changes) < changes)
  if (!usedUp) return undefined
  const counts = changes === 1 ? '' : ` This one counts as ${changes}.`
  // What counts as more than a whole day allows is allowed on no day.
  const fitsADay = changes <= usedUp.rules.changes_a_day!
  const opensAgain = fitsADay ? allOpenAt(hours, dayAround(now, zone).to, zone) : undefined
  return refuse('changes_a_day', `${changesAllowed(usedUp)}${counts}`, opensAgain)
}

/** The change itself, and all changes that it lets another person make. */
const namesIn = ({ operation, parts = [] }: AskedChange) => [operation, ...parts]

type Sets = readonly Pick<KeptRules, 'rules'>[]

const approvalRulesOf = (sets: Sets): ApprovalRule[] =>
  sets.flatMap(({ rules }) => rules.approval ?? [])

// The client types the address later, so it is never known.
const partWantsPerson = (sets: Sets, { parts = [] }: AskedChange) =>
  parts.some((operation) => needsPerson(approvalRulesOf(sets), { operation, address: 'new' }))

const ONLY_APPROVED = 'Only links that a person approved when they were made.'

/** Whether one of these sets wants a person to approve the change. */
export const wantsPerson = (sets: Sets, change: AskedChange) =>
  change.heldTo === undefined &&
  (needsPerson(approvalRulesOf(sets), change) || partWantsPerson(sets, change))

/** Whether one of these sets wants a person only because the address is not a known client's. */
export const wantsKnownClient = (sets: Sets, change: AskedChange) =>
  change.heldTo === undefined &&
  change.address !== undefined &&
  dependsOnClient(approvalRulesOf(sets), change)

/**
 * Why these sets do not let a commit begin now. A preview made before a person had to approve it is
 * out of date.
 */
export function commitRefusalBy(
  sets: readonly AppliedRules[],
  change: AskedChange,
  now: number,
  zone: string,
): Refusal | undefined {
  if (sets.length === 0) return undefined
  const refusal = refusalBy(sets, change, now, zone)
  if (refusal || change.approved || !wantsPerson(sets, change)) return refusal
  return {
    code: 'preview_stale',
    effect: 'none',
    detail: NOW_NEEDS_APPROVAL,
    changes: [{ field: 'approval' }],
  }
}

const NOW_NEEDS_APPROVAL =
  'The rules of the owner now want a person to approve this change first; ' +
  'for this preview they did not. Nothing was done.'

/** How many changes these sets still allow on this day; null where none limits them. */
export function changesLeft(sets: readonly AppliedRules[]): number | null {
  const left = sets.flatMap((set) => changesLeftIn(set) ?? [])
  return left.length > 0 ? Math.min(...left) : null
}

const FEW = 3

/** What a preview warns of where few changes are left; the one that is shown is not counted yet. */
export function fewLeftWarning(sets: readonly AppliedRules[], changes = 1): string | undefined {
  const left = changesLeft(sets)
  if (left === null || left >= FEW + changes) return undefined
  if (changes > 1)
    return `The rules of the owner allow ${left} more changes today. This one counts as ${changes}.`
  return left === 1
    ? 'The rules of the owner allow one more change today: this one.'
    : `The rules of the owner allow ${left} more changes today, with this one.`
}

/**
 * What these sets allow, in sentences for a person; none where there is no rule. The zone is named
 * as it is called now.
 */
export function sentencesOf(sets: readonly AppliedRules[], now: number, zone: string): string[] {
  const { operations, max_link } = together(sets)
  return [
    ...sets.flatMap(({ caller, rules }) =>
      rules.paused
        ? [
            caller === EVERYBODY
              ? 'Paused: no app and no key can do anything.'
              : 'This caller is paused.',
          ]
        : [],
    ),
    ...(operations ? [operationsAllowed(operations)] : []),
    ...(max_link ? [linksAllowed(max_link)] : []),
    ...sets.flatMap(({ rules: { hours } }) =>
      hours ? [`Changes ${spokenHours(hours, now, zone)}.`] : [],
    ),
    ...sets.flatMap((set) => (set.rules.changes_a_day === null ? [] : [changesAllowed(set)])),
    ...new Set(approvalSentences(approvalRulesOf(sets))),
  ]
}

/** Whether the second set allows anything that the first does not. */
export function loosens(before: Rules, after: Rules): boolean {
  if (before.paused && !after.paused) return true
  const isLooser = <T>(was: T | null, is: T | null, allowsMore: (was: T, is: T) => boolean) =>
    was !== null && (is === null || allowsMore(was, is))
  return (
    isLooser(before.operations, after.operations, (was, is) =>
      is.some((name) => !was.includes(name)),
    ) ||
    isLooser(before.max_link, after.max_link, (was, is) =>
      Object.entries(is).some(([currency, most]) => most > (was[currency] ?? -1)),
    ) ||
    isLooser(before.hours, after.hours, (was, is) => !areWithin(was, is)) ||
    isLooser(before.changes_a_day, after.changes_a_day, (was, is) => is > was) ||
    needsLess(before.approval ?? [], after.approval ?? [])
  )
}

/** A set as flat facts, for the audit log. */
export const factsOfRules = ({
  paused,
  operations,
  max_link,
  hours,
  changes_a_day,
  approval,
}: Rules): Facts => ({
  paused,
  operations: operations && operations.join(' '),
  max_link:
    max_link &&
    Object.entries(max_link)
      .map(([currency, most]) => `${currency} ${most}`)
      .join(', '),
  hours: hours && `${hours.days.join('')} ${hours.from}-${hours.to}`,
  changes_a_day,
  approval: approval && approvalFact(approval),
})

function together(sets: readonly AppliedRules[]): Pick<Rules, 'operations' | 'max_link'> {
  let { operations, max_link }: Pick<Rules, 'operations' | 'max_link'> = NO_RULES
  for (const { rules } of sets) {
    const [names, amounts] = [rules.operations, rules.max_link]
    if (names) operations = operations?.filter((name) => names.includes(name)) ?? names
    if (amounts) max_link = max_link ? smaller(max_link, amounts) : amounts
  }
  return { operations, max_link }
}

/** The currencies that both name, each with the smaller amount. */
const smaller = (
  one: Record<string, number>,
  other: Record<string, number>,
): Record<string, number> =>
  Object.fromEntries(
    Object.entries(one).flatMap(([currency, most]) => {
      const theirs = other[currency]
      return theirs === undefined ? [] : [[currency, Math.min(most, theirs)]]
    }),
  )

/** How far ahead is looked for a moment at which two sets are open. */
const LOOK_AHEAD = 15 * DAY

/**
 * The first moment from `now` on at which all of these hours are open; undefined where there is
 * none soon.
 */
function allOpenAt(hours: readonly Hours[], now: number, zone: string): number | undefined {
  for (let at = now; at < now + LOOK_AHEAD;) {
    const next = Math.max(at, ...hours.map((one) => opensAt(one, at, zone)))
    if (next === at) return at
    at = next
  }
  return undefined
}

const changesLeftIn = ({ rules, changesToday }: AppliedRules): number | null =>
  rules.changes_a_day === null ? null : Math.max(0, rules.changes_a_day - changesToday)

const operationsAllowed = (operations: readonly string[]) =>
  operations.length === 0 ? 'No changes.' : `Only these changes: ${operations.join(', ')}.`

function linksAllowed(amounts: Record<string, number>) {
  const shown = Object.entries(amounts).map(([currency, most]) => displayAmount(most, currency))
  return shown.length === 0
    ? 'No payment links.'
    : `Payment links up to ${shown.join(', or up to ')}.`
}

function changesAllowed({ caller, rules }: AppliedRules) {
  const most = `At most ${counted(rules.changes_a_day ?? 0, 'change')} a day`
  return caller === EVERYBODY ? `${most} in total, for all callers together.` : `${most}.`
}
