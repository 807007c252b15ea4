import { currencySchema, decimalAmount, minorUnits } from '../../../core/domain/money.ts'
import { ALL_OPERATIONS, type ApprovalRule } from '../../../core/domain/rules/approval.ts'
import { hoursSchema } from '../../../core/domain/rules/working-hours.ts'
import {
  type FormRules,
  WITH_ADDRESS,
  WITH_AMOUNT,
} from '../../../practice/operations/house-rules.ts'
import { MUTATIONS } from '../../../practice/operations/index.ts'

export interface RulesForm {
  amounts: { amount: string; currency: string }[]
  days: string[]
  from: string
  to: string
  operations: string[]
  changes_a_day: string
  /** When a person approves each change, and every change; what is missing is never. */
  approvals: Record<string, ApprovalChoice>
}

/** When a person approves a change. */
export const WHO = ['never', 'always', 'unless_known', 'above'] as const
export type Who = (typeof WHO)[number]

/** The row of a change: the choice, and the amounts up to which no one has to approve it. */
export interface ApprovalChoice {
  who: Who
  above: { amount: string; currency: string }[]
}
export const NEVER: ApprovalChoice = { who: 'never', above: [] }

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

export const formOf = ({
  max_link,
  hours,
  operations,
  changes_a_day,
  approval,
}: FormRules): RulesForm => ({
  amounts: amountsOf(max_link ?? {}),
  days: hours?.days.map(String) ?? [],
  from: hours?.from ?? '',
  to: hours?.to === MIDNIGHT.rule ? MIDNIGHT.field : (hours?.to ?? ''),
  operations: operations ?? OPERATION_NAMES,
  changes_a_day: changes_a_day === null ? '' : String(changes_a_day),
  approvals: Object.fromEntries(
    [...Map.groupBy(byPerson(approval), ({ operation }) => operation)].map(([operation, rules]) => [
      operation,
      choiceOf(rules),
    ]),
  ),
})

/** What some rules about one change come to: the strictest counts. */
function choiceOf(rules: ApprovalRule[]): ApprovalChoice {
  const above = amountsOf(freeAmounts(rules))
  if (above.length > 0) return { who: 'above', above }
  return {
    who: rules.every(({ unless }) => unless !== undefined) ? 'unless_known' : 'always',
    above: [],
  }
}

const amountsOf = (limits: Record<string, number>): RulesForm['amounts'] =>
  Object.entries(limits).map(([currency, most]) => ({
    amount: decimalAmount(most, currency),
    currency: currency.toUpperCase(),
  }))

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

export function sentForm(sent: URLSearchParams): RulesForm {
  const text = (name: string): string => (sent.get(name) ?? '').trim()
  const amounts = (amount: string, currency: string): RulesForm['amounts'] => {
    const currencies = sent.getAll(currency)
    return sent
      .getAll(amount)
      .map((one, i) => ({ amount: one.trim(), currency: (currencies[i] ?? '').trim() }))
      .filter((one) => one.amount !== '')
  }
  return {
    amounts: amounts('amount', 'currency'),
    days: sent.getAll('day'),
    from: text('from'),
    to: text('to'),
    operations: sent.getAll('operation'),
    changes_a_day: text('changes_a_day'),
    approvals: Object.fromEntries(
      [...sent.keys()]
        .filter((name) => name.startsWith(PERSON))
        .map((name) => {
          const operation = name.slice(PERSON.length)
          const above = amounts(...amountNames(operation))
          return [operation, { who: text(name) as Who, above }] as const
        })
        .filter(([, { who, above }]) => who !== NEVER.who || above.length > 0),
    ),
  }
}

/** Before the name of a change: the field that says when a person approves it. */
const PERSON = 'person.'
export const personField = (operation: string): string => PERSON + operation
/** The fields of its amounts. */
export const amountNames = (operation: string): [amount: string, currency: string] => [
  `above.${operation}`,
  `currency.${operation}`,
]

/** The fields that send this form, as `sentForm` reads them. */
export const fieldsOf = (form: RulesForm): [name: string, value: string][] => [
  ...form.amounts.flatMap(amountFields('amount', 'currency')),
  ...form.days.map((day) => ['day', day] as [string, string]),
  ['from', form.from],
  ['to', form.to],
  ...form.operations.map((name) => ['operation', name] as [string, string]),
  ['changes_a_day', form.changes_a_day],
  ...Object.entries(form.approvals).flatMap(([operation, { who, above }]) => [
    [personField(operation), who] as [string, string],
    ...above.flatMap(amountFields(...amountNames(operation))),
  ]),
]

const amountFields =
  (amountName: string, currencyName: string) =>
  ({ amount, currency }: RulesForm['amounts'][number]): [string, string][] => [
    [amountName, amount],
    [currencyName, currency],
  ]

/** The rules of a form, or where it is wrong. What is left empty is no rule. */
export function rulesOf(form: RulesForm): { rules: FormRules } | { errors: FormErrors } {
  const read = {
    max_link: limitsOf(form.amounts),
    hours: hoursOf(form),
    operations: operationsOf(form.operations),
    changes_a_day: changesOf(form.changes_a_day),
    approval: approvalOf(form),
  }
  const errors = Object.fromEntries(
    Object.entries(read).filter(
      (entry): entry is [keyof FormRules, string] => typeof entry[1] === 'string',
    ),
  )
  // Without an error no field is a sentence.
  return Object.keys(errors).length > 0 ? { errors } : { rules: read as FormRules }
}

/** Amounts by currency in minor units, null for none, or where they are wrong. */
function limitsOf(amounts: RulesForm['amounts']): FormRules['max_link'] | string {
  const limits: Record<string, number> = {}
  for (const { amount, currency } of amounts) {
    if (amount === '') continue
    const code = currencySchema.safeParse(currency)
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
  return Object.keys(limits).length > 0 ? limits : null
}

function hoursOf({ days, from, to }: RulesForm): FormRules['hours'] | string {
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

/** The rules of the table; "never" is none. */
function approvalOf({ approvals }: RulesForm): FormRules['approval'] | string {
  const names = Object.keys(approvals)
  if (names.some((name) => !APPROVABLE.includes(name)))
    return 'Choose from the changes that are listed.'
  const wrong = names.map((name) => wrongChoice(name, approvals[name]!)).find(Boolean)
  if (wrong !== undefined) return wrong
  const rules = APPROVABLE.flatMap((operation): ApprovalRule[] => {
    const { who, above } = approvals[operation] ?? NEVER
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
  if (!choicesOf(operation).some((one) => one === who))
    return 'Choose from what is listed for each change.'
  if (who === 'never' && above.length > 0)
    return 'An amount is entered beside “Never”. Choose “Above the amount”, or empty the amount.'
  if (who !== 'above') return undefined
  if (above.length === 0)
    return 'Enter the amount above which a person approves, or choose “Always”.'
  const amounts = limitsOf(above)
  return typeof amounts === 'string' ? amounts : undefined
}
