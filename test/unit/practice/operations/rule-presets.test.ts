import { expect, test } from 'vitest'

import { needsPerson } from '../../../../src/core/domain/rules/approval.ts'
import { NO_RULES } from '../../../../src/core/domain/rules/house-rules.ts'
import { formOf, rulesOf } from '../../../../src/owner/console/rules/form.ts'
import {
  PRESETS,
  WITH_ADDRESS,
  WITH_AMOUNT,
  changesInWords,
  needsNoPerson,
  rulesSchema,
} from '../../../../src/practice/operations/house-rules.ts'
import { MUTATIONS } from '../../../../src/practice/operations/index.ts'

const CLOCK = { now: Date.parse('2026-11-24T20:40:00Z'), zone: 'America/New_York' }

test.each(PRESETS)('$title is a set of rules that REST takes as it is', ({ rules }) => {
  expect(rulesSchema.parse({ paused: false, ...rules })).toEqual({ paused: false, ...rules })
})

test.each(PRESETS)('the button of $title sends just this set', ({ rules }) => {
  expect(rulesOf(formOf(rules))).toMatchObject({
    rules: { ...rules, approval: rules.approval && expect.arrayContaining([...rules.approval]) },
  })
})

const byPerson = (...operations: string[]) => ({
  ...NO_RULES,
  approval: operations.map((operation) => ({ operation, level: 'person' as const })),
})

test('the same rules in another order are no change', () => {
  const [one, other] = [
    byPerson('book_consult', 'cancel_booking'),
    byPerson('cancel_booking', 'book_consult'),
  ]
  expect(changesInWords(one, other, CLOCK)).toEqual([])
})

test('a link that waits for a person still needs one while a rule wants one for a part of it', () => {
  const asked = {
    caller: 'trial',
    operation: 'invite_client',
    preview: { ask: ['details', 'time'] },
  }
  const needs = (...operations: string[]) =>
    !needsNoPerson([{ caller: '*', rules: byPerson(...operations), pausedSince: null }], asked)
  expect([needs('book_consult'), needs('invite_client'), needs('cancel_booking')]).toEqual([
    true,
    true,
    false,
  ])
})

const approvalOf = (title: string) =>
  PRESETS.find((preset) => preset.title === title)!.rules.approval ?? []
const changes = MUTATIONS.map(({ name, destructive }) => ({ name, destructive }))

test.each(changes)(
  'Careful asks a person about $name if it ends, asks for money or goes to strangers',
  ({ name, destructive }) => {
    const asks = (address: 'new' | 'known' | undefined) =>
      needsPerson(approvalOf('Careful'), { operation: name, address, amount: 1, currency: 'usd' })
    const goesToAnAddress = WITH_ADDRESS.includes(name)
    expect(asks('new')).toBe(goesToAnAddress || destructive || WITH_AMOUNT.includes(name))
    if (goesToAnAddress) expect(asks('known')).toBe(false)
  },
)

test.each(changes)(
  'Tax practice asks a person about $name if it ends something, or is a link over $500',
  ({ name, destructive }) => {
    const asks = (amount: number) =>
      needsPerson(approvalOf('Tax practice'), { operation: name, amount, currency: 'usd' })
    const ends = destructive && !WITH_ADDRESS.includes(name)
    expect([asks(50_000), asks(50_001)]).toEqual([ends, ends || WITH_AMOUNT.includes(name)])
  },
)
