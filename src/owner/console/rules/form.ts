import { decimalAmount, minorUnits, ruleCurrencySchema } from '../../../core/domain/money.ts'
import { ALL_OPERATIONS, type ApprovalRule } from '../../../core/domain/rules/approval.ts'
import { NO_RULES } from '../../../core/domain/rules/house-rules.ts'
import { hoursSchema } from '../../../core/domain/rules/working-hours.ts'
import {
  type FormRules,
  WITH_ADDRESS,
  WITH_AMOUNT,
} from '../../../practice/operations/house-rules.ts'
import { MUTATIONS } from '../../../practice/operations/index.ts'

/*
 * The form for rules is its fields, as a browser sends them: so it is filled in, read, and shown
 * again where it was refused.
 */

/** When a person approves a change. */
export type Who = 'never' | 'always' | 'unless_known' | 'above'

interface Amount {
  amount: string
  currency: string
}

/** The row of a change: the choice, and the amounts up to which no one has to approve it. */
interface ApprovalChoice {
  who: Who
  above: Amount[]
}

/** Where a form is wrong, in a sentence that says what was expected and repeats nothing. */
export type FormErrors = Partial<Record<keyof FormRules, string>>

const OPERATION_NAMES = MUTATIONS.map(({ name }) => name)
/** The rows of the table: every change together, and each. */
const APPROVABLE = [ALL_OPERATIONS, ...OPERATION_NAMES]

/** What can be chosen for a change. */
export const choicesOf = (operation: string): Who[] => [
  'never',
  'always',
  ...(WITH_ADDRESS.includes(operation) ? (['unless_known'] as const) : []),
  ...(WITH_AMOUNT.includes(operation) ? (['above'] as const) : []),
]

const MOST_CHANGES = 1_000_000
/** The end of a day, which a field for a time of day cannot show. */
const MIDNIGHT = { field: '00:00', rule: '24:00' }

/** Before the name of a change: the field that says when a person approves it. */
const PERSON = 'person.'
export const personField = (operation: string) => PERSON + operation

/** The names of the two fields of an amount; each pair of them may come several times. */
export type AmountNames = readonly [amount: string, currency: string]

/** The fields of the amounts of the largest payment link, and of those of a change. */
export const LINK_AMOUNT: AmountNames = ['amount', 'currency']
export const amountNames = (operation: string): AmountNames => [
  `above.${operation}`,
  `currency.${operation}`,
]

type Field = [name: string, value: string]

/** How a limit that names no currency is shown: left empty, it would be none. */
const NO_LINKS = { usd: 0 }

/** The form as it shows these rules. */
export const formOf = ({
  max_link,
  hours,
  operations,
  changes_a_day,
  approval,
}: FormRules): URLSearchParams =>
  new URLSearchParams([
    ...amountPairs(
      LINK_AMOUNT,
      max_link && Object.keys(max_link).length === 0 ? NO_LINKS : (max_link ?? {}),
    ),
    ...(hours?.days ?? []).map((day): Field => ['day', String(day)]),
    ['from', hours?.from ?? ''],
    ['to', hours?.to === MIDNIGHT.rule ? MIDNIGHT.field : (hours?.to ?? '')],
    ...(operations ?? OPERATION_NAMES).map((name): Field => ['operation', name]),
    ['changes_a_day', changes_a_day === null ? '' : String(changes_a_day)],
    ...[...Map.groupBy(byPerson(approval), ({ operation }) => operation)].flatMap(approvalFields),
  ])

/** What some rules about one change come to: the strictest counts. */
function approvalFields([operation, rules]: [string, ApprovalRule[]]): Field[] {
  const above = amountPairs(amountNames(operation), freeAmounts(rules))
  const otherwise = rules.every(({ unless }) => unless !== undefined) ? 'unless_known' : 'always'
  return [[personField(operation), above.length > 0 ? 'above' : otherwise], ...above]
}

const amountPairs = ([amount, currency]: AmountNames, limits: Record<string, number>): Field[] =>
  Object.entries(limits).flatMap(([code, most]): Field[] => [
    [amount, decimalAmount(most, code)],
    [currency, code.toUpperCase()],
  ])

const byPerson = (approval: FormRules['approval']): ApprovalRule[] =>
  (approval ?? []).filter(({ level }) => level === 'person')

/** Of several rules the strictest counts: the currencies that all name, each with the smallest amount. */
const freeAmounts = ([first, ...others]: ApprovalRule[]): Record<string, number> =>
  Object.fromEntries(
    Object.entries(first?.above ?? {}).flatMap(([currency, most]) => {
      const amounts = others.map(({ above }) => above?.[currency])
      return amounts.includes(undefined)
        ? []
        : [[currency, Math.min(most, ...(amounts as number[]))]]
    }),
  )

const textIn = (form: URLSearchParams, name: string) => (form.get(name) ?? '').trim()

/** The amounts that were entered. */
export function amountsIn(form: URLSearchParams, [amount, currency]: AmountNames): Amount[] {
  const currencies = form.getAll(currency)
  return form
    .getAll(amount)
    .map((one, i) => ({ amount: one.trim(), currency: (currencies[i] ?? '').trim() }))
    .filter((one) => one.amount !== '')
}

/** What was chosen for a change. A row that is missing is never; one that is empty is no choice. */
export const choiceIn = (form: URLSearchParams, operation: string): ApprovalChoice => ({
  who: (form.get(personField(operation)) ?? 'never') as Who,
  above: amountsIn(form, amountNames(operation)),
})

const read = (form: URLSearchParams) => ({
  max_link: limitsOf(amountsIn(form, LINK_AMOUNT)),
  hours: hoursOf(form),
  operations: operationsOf(form.getAll('operation')),
  changes_a_day: changesOf(textIn(form, 'changes_a_day')),
  approval: approvalOf(form),
})

/**
 * The rules of a form, or where it is wrong. What is left empty is no rule. A rule that is sent as the
 * form showed it stays as it was kept, which a form cannot always say.
 */
export function rulesOf(
  form: URLSearchParams,
  kept: FormRules = NO_RULES,
): { rules: FormRules } | { errors: FormErrors } {
  const shown = read(formOf(kept))
  const rules = Object.entries(read(form)).map(([name, rule]) => {
    const key = name as keyof FormRules
    return [key, JSON.stringify(rule) === JSON.stringify(shown[key]) ? kept[key] : rule] as const
  })
  const errors = rules.filter(
    (entry): entry is [keyof FormRules, string] => typeof entry[1] === 'string',
  )
  // Without an error no field is a sentence.
  return errors.length > 0
    ? { errors: Object.fromEntries(errors) }
    : { rules: Object.fromEntries(rules) as unknown as FormRules }
}

/** Amounts by currency in minor units, null for none, or where they are wrong. */
function limitsOf(amounts: Amount[]): FormRules['max_link'] | string {
  const limits: Record<string, number> = {}
  for (const { amount, currency } of amounts) {
    const code = ruleCurrencySchema.safeParse(currency)
    if (!code.success) return 'Enter a currency of three letters for each amount, such as USD.'
    if (Object.hasOwn(limits, code.data)) return 'Enter each currency once.'
    const minor = minorUnits(amount, code.data)
    if (minor === undefined)
      return (
        'Enter each amount as a number, such as 500 or 1,250.50, with no more decimals than ' +
        'its currency has.'
      )
    limits[code.data] = minor
  }
  return amounts.length > 0 ? limits : null
}

function hoursOf(form: URLSearchParams): FormRules['hours'] | string {
  const [days, from, to] = [form.getAll('day'), textIn(form, 'from'), textIn(form, 'to')]
  if (days.length === 0 && from === '' && to === '') return null
  const end = to === MIDNIGHT.field ? MIDNIGHT.rule : to
  const read = hoursSchema.safeParse({ days: days.map(Number), from, to: end })
  return read.success
    ? read.data
    : 'Tick at least one day, and enter a start and a different end, such as 08:00 and ' +
        '18:00. Or leave all of it empty.'
}

/** All ticked is no rule: what is added later is then allowed too. */
function operationsOf(names: string[]): FormRules['operations'] | string {
  const known = OPERATION_NAMES.filter((name) => names.includes(name))
  if (new Set(names).size !== known.length) return 'Choose from the changes that are listed.'
  return known.length === OPERATION_NAMES.length ? null : known
}

function changesOf(text: string): FormRules['changes_a_day'] | string {
  if (text === '') return null
  const most = /^\d{1,3}(?:,\d{3})+$|^\d+$/.test(text) ? Number(text.replaceAll(',', '')) : Infinity
  return most <= MOST_CHANGES
    ? most
    : 'Enter a whole number from 0 to 1,000,000, or leave it empty.'
}

/** The rules of the table; "never" is none of its own. */
function approvalOf(form: URLSearchParams): FormRules['approval'] | string {
  const sent = [...form.keys()].filter((name) => name.startsWith(PERSON))
  for (const operation of sent.map((name) => name.slice(PERSON.length))) {
    const wrong = wrongChoice(operation, choiceIn(form, operation))
    if (wrong !== undefined) return wrong
  }
  const rules = APPROVABLE.flatMap((operation): ApprovalRule[] => {
    const { who, above } = choiceIn(form, operation)
    const amounts = who === 'above' ? (limitsOf(above) as Record<string, number>) : undefined
    if (who === 'never') return []
    return [
      {
        operation,
        ...(amounts && { above: amounts }),
        ...(who === 'unless_known' && { unless: 'known_client' as const }),
        level: 'person',
      },
    ]
  })
  return rules.length > 0 ? rules : null
}

/**
 * What is wrong with the row of a change, in a sentence that says what was expected; undefined if
 * nothing.
 */
export function wrongChoice(operation: string, { who, above }: ApprovalChoice): string | undefined {
  if (who === 'never' && above.length > 0)
    return 'An amount is entered that does not count. Choose “Above the amount” beside it, or empty it.'
  if (who === 'never') return undefined
  if (!APPROVABLE.includes(operation)) return 'Choose from the changes that are listed.'
  if (!choicesOf(operation).includes(who)) return 'Choose from what is listed for each change.'
  if (who !== 'above') return undefined
  if (above.length === 0)
    return 'Enter the amount above which a person approves, or choose “Always”.'
  const amounts = limitsOf(above)
  return typeof amounts === 'string' ? amounts : undefined
}
