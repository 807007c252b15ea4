import { describe, expect, test } from 'vitest'

import { NO_RULES } from '../../../../../src/core/domain/rules/house-rules.ts'
import { choiceIn, formOf, rulesOf } from '../../../../../src/owner/console/rules/form.ts'
import { changesInWords } from '../../../../../src/practice/operations/house-rules.ts'
import { MUTATIONS } from '../../../../../src/practice/operations/index.ts'
import { NOW, RULES } from '../views.ts'

const EMPTY = formOf(NO_RULES)
const { paused: _, ...NONE } = NO_RULES

/** The form without rules, in which these fields have other values. */
function formWith(fields: Record<string, string | readonly string[]>): URLSearchParams {
  const form = new URLSearchParams(EMPTY)
  for (const [name, values] of Object.entries(fields)) {
    form.delete(name)
    for (const value of [values].flat()) form.append(name, value)
  }
  return form
}

test('a form that no one touched sets the rules that there are', () => {
  const { paused: __, ...rules } = RULES
  for (const one of [
    rules,
    NONE,
    { ...rules, operations: [], max_link: { usd: 0, jpy: 500, kwd: 1 } },
    // What no form can say: no link in any currency, and every change that there is, but none that comes later.
    { ...rules, operations: MUTATIONS.map(({ name }) => name), max_link: {} },
  ])
    expect(rulesOf(formOf(one), one)).toEqual({ rules: one })
  expect(rulesOf(EMPTY, { ...rules, max_link: {} })).toEqual({ rules: NONE })
})

test('a form that is left empty, with every change ticked, is no rule', () => {
  expect(rulesOf(EMPTY)).toEqual({ rules: NONE })
  expect(EMPTY.getAll('operation')).toEqual(MUTATIONS.map(({ name }) => name))
})

describe('the largest payment link', () => {
  test.each([
    ['500', 'USD', { usd: 50_000 }],
    ['1,250.5', 'usd', { usd: 125_050 }],
    ['$12,000', 'USD', { usd: 1_200_000 }],
    ['0', 'USD', { usd: 0 }],
    ['0.07', 'USD', { usd: 7 }],
    ['500', 'JPY', { jpy: 500 }],
    ['1.234', 'KWD', { kwd: 1234 }],
  ])('%s %s is read to the last minor unit', (amount, currency, max_link) => {
    expect(rulesOf(formWith({ amount, currency }))).toEqual({
      rules: { ...NONE, max_link },
    })
  })

  test.each([
    ['lots', 'USD'],
    ['-1', 'USD'],
    ['1.005', 'USD'],
    ['1.5', 'JPY'],
    ['1e3', 'USD'],
    ['1,00', 'USD'],
    ['1 000', 'USD'],
    ['.25', 'USD'],
    ['99999999999999999', 'USD'],
    ['500', ''],
    ['500', 'dollars'],
    ['500', 'dol'],
    ['500', 'U5D'],
  ])('%s %s is refused, in a sentence that repeats neither', (amount, currency) => {
    const read = rulesOf(formWith({ amount, currency }))
    const error = 'errors' in read ? read.errors.max_link : undefined
    expect(error).toMatch(/^Enter (?:each|a currency)/)
    expect(error).not.toContain(amount === '500' ? 'dollars' : amount)
  })

  test('is refused where one currency is given twice', () => {
    const form = formWith({ amount: ['1', '2'], currency: ['USD', 'usd'] })
    expect(rulesOf(form)).toMatchObject({
      errors: { max_link: 'Enter each currency once.' },
    })
  })
})

describe('hours', () => {
  test('may end at midnight, and on the next day', () => {
    const hours = { days: [1], from: '18:00', to: '24:00' }
    expect(rulesOf(formWith({ day: '1', from: '18:00', to: '00:00' }))).toEqual({
      rules: { ...NONE, hours },
    })
    expect(formOf({ ...NONE, hours }).get('to')).toBe('00:00')
    expect(rulesOf(formWith({ day: '5', from: '22:00', to: '02:00' }))).toMatchObject({
      rules: { hours: { days: [5], from: '22:00', to: '02:00' } },
    })
  })

  test.each([
    [['1'], '', ''],
    [[], '08:00', '18:00'],
    [['1'], '08:00', '08:00'],
    [['1'], '8am', '18:00'],
    [['8'], '08:00', '18:00'],
    [['x'], '08:00', '18:00'],
  ])('with days %j from %s to %s are refused', (day, from, to) => {
    expect(rulesOf(formWith({ day, from, to }))).toMatchObject({
      errors: { hours: expect.stringContaining('Tick at least one day') },
    })
  })
})

test.each(['-1', '1.5', 'ten', '1000001', '1,00'])(
  '%j changes a day is refused',
  (changes_a_day) => {
    const read = rulesOf(formWith({ changes_a_day }))
    expect('errors' in read && read.errors.changes_a_day).toMatch(/^Enter a whole number/)
  },
)

test('a change that there is not is refused, and none ticked allows none', () => {
  expect(rulesOf(formWith({ operation: 'drop_everything' }))).toHaveProperty('errors.operations')
  expect(rulesOf(formWith({ operation: [] }))).toMatchObject({ rules: { operations: [] } })
})

test('every field that is wrong is named at once', () => {
  const read = rulesOf(
    formWith({ amount: 'x', currency: 'USD', from: '08:00', changes_a_day: 'y' }),
  )
  expect('errors' in read && Object.keys(read.errors)).toEqual([
    'max_link',
    'hours',
    'changes_a_day',
  ])
})

test('what a browser sends is read field by field', () => {
  const sent = new URLSearchParams(
    'amount= 500 &currency=USD&amount=&currency=&day=1&day=2&from=08:00&to=18:00&operation=book_consult&changes_a_day= 7 ',
  )
  expect(rulesOf(sent)).toEqual({
    rules: {
      max_link: { usd: 50_000 },
      hours: { days: [1, 2], from: '08:00', to: '18:00' },
      operations: ['book_consult'],
      changes_a_day: 7,
      approval: null,
    },
  })
})

test('what a change of rules allows is said rule by rule, with what held until now', () => {
  const clock = { now: NOW, zone: 'America/New_York' }
  expect(
    changesInWords(RULES, { ...RULES, max_link: { usd: 100_000 }, changes_a_day: null }, clock),
  ).toEqual([
    'Largest payment link: $1,000.00 (until now: $500.00).',
    'Changes a day: no rule (until now: at most 100).',
  ])
  expect(changesInWords(RULES, RULES, clock)).toEqual([])
})

describe('the changes that a person approves first', () => {
  const LINK = 'create_payment_link'

  /** The fields of the row of a change; without an amount where it is empty. */
  const row = (operation: string, who: string, amount = '') => ({
    [`person.${operation}`]: who,
    [`above.${operation}`]: amount,
    [`currency.${operation}`]: 'USD',
  })

  test('are those of the rows, payment links above their amount', () => {
    const form = formWith({
      ...row(LINK, 'above', '500'),
      ...row('book_consult', 'unless_known'),
      ...row('cancel_booking', 'never'),
      ...row('*', 'always'),
    })
    expect(rulesOf(form)).toMatchObject({
      rules: {
        approval: [
          { operation: '*', level: 'person' },
          { operation: 'book_consult', unless: 'known_client', level: 'person' },
          { operation: LINK, above: { usd: 50_000 }, level: 'person' },
        ],
      },
    })
  })

  test('are all payment links where “Always” is chosen beside an amount', () => {
    const read = rulesOf(formWith(row(LINK, 'always', '500')))
    expect('rules' in read && read.rules.approval).toEqual([{ operation: LINK, level: 'person' }])
  })

  test('are read from what a browser sends, row by row, and a row that is not sent is never', () => {
    const sent = new URLSearchParams(
      'person.book_consult=unless_known&person.cancel_booking=never&person.create_payment_link=above&above.create_payment_link= 500 &currency.create_payment_link=USD&above.create_payment_link=&currency.create_payment_link=',
    )
    expect(choiceIn(sent, 'book_consult')).toEqual({ who: 'unless_known', above: [] })
    expect(choiceIn(sent, 'cancel_booking')).toEqual({ who: 'never', above: [] })
    expect(choiceIn(sent, LINK)).toEqual({
      who: 'above',
      above: [{ amount: '500', currency: 'USD' }],
    })
    expect(choiceIn(sent, 'reschedule_booking')).toEqual({ who: 'never', above: [] })
  })

  test('stay as strict where several rules are about payment links', () => {
    const approval = [
      { operation: LINK, above: { usd: 900, eur: 5 }, level: 'person' as const },
      { operation: LINK, above: { usd: 100 }, level: 'person' as const },
      { operation: 'book_consult', level: 'agent' as const },
    ]
    expect(rulesOf(formOf({ ...NONE, approval }))).toEqual({
      rules: { ...NONE, approval: [{ operation: LINK, above: { usd: 100 }, level: 'person' }] },
    })
  })

  test.each([
    ['an operation that is not there', 'delete_everything', 'always', ''],
    ['a choice that is not there', LINK, 'sometimes', ''],
    ['a choice that is sent empty', LINK, '', ''],
    ['a choice of blanks', 'cancel_booking', ' ', ''],
    ['a choice that is not there for this change', 'cancel_booking', 'unless_known', ''],
    ['an amount for a change without one', 'cancel_booking', 'above', '5'],
    ['an amount that is no number', LINK, 'above', 'lots'],
    ['no amount where one is chosen', LINK, 'above', ''],
    ['an amount beside “Never”, which would protect from nothing', LINK, 'never', '500'],
  ])('%s is refused', (_what, operation, who, above) => {
    const read = rulesOf(formWith(row(operation, who, above)))
    expect(read).toMatchObject({ errors: { approval: expect.any(String) } })
    expect(JSON.stringify(read)).not.toMatch(/lots|delete_everything|sometimes/)
  })

  test('are said in words', () => {
    const after = { ...NO_RULES, approval: RULES.approval }
    expect(changesInWords(NO_RULES, after, { now: NOW, zone: 'America/New_York' })).toEqual([
      'Changes that a person approves first: Cancel a booking, Create a payment link above $500.00 (until now: no rule).',
    ])
  })
})
