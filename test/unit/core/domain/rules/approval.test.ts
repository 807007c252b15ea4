import { describe, expect, test } from 'vitest'
import * as z from 'zod'

import {
  type ApprovalRule,
  approvalSchemaFor,
  approvalSentences,
  needsLess,
  needsPerson,
} from '../../../../../src/core/domain/rules/approval.ts'
import { checkInput } from '../../../../../src/practice/operations/validation.ts'

const LINK = 'create_payment_link'
const person = (operation: string, above?: Record<string, number>): ApprovalRule => ({
  operation,
  ...(above && { above }),
  level: 'person',
})
const stranger = (operation: string): ApprovalRule => ({
  ...person(operation),
  unless: 'known_client',
})
const BOOK = 'book_consult'
const KNOWN = { operation: BOOK, address: 'known' } as const
const agent = (operation: string): ApprovalRule => ({ operation, level: 'agent' })
const link = (amount: number, currency = 'usd') => ({ operation: LINK, amount, currency })

describe('whether a person has to approve a change', () => {
  test.each<[string, ApprovalRule[], Parameters<typeof needsPerson>[1], boolean]>([
    ['no rule: no one has to', [], link(1_000_000), false],
    ['a rule about another operation', [person('cancel_booking')], link(1), false],
    ['a rule about this operation', [person(LINK)], link(1), true],
    ['a rule about every operation', [person('*')], { operation: 'book_consult' }, true],
    ['the amount itself passes', [person(LINK, { usd: 500 })], link(500), false],
    ['one minor unit above it does not', [person(LINK, { usd: 500 })], link(501), true],
    ['a currency in capitals', [person(LINK, { usd: 500 })], link(400, 'USD'), false],
    ['a currency that is not named', [person(LINK, { usd: 500 })], link(1, 'eur'), true],
    ['a change whose amount is not known', [person(LINK, { usd: 500 })], { operation: LINK }, true],
    [
      'a rule that is content with the agent lifts no other',
      [agent(LINK), person('*')],
      link(1),
      true,
    ],
    ['a rule that is content with the agent alone', [agent('*')], link(1), false],
    [
      'an address that is not known, where known ones pass',
      [stranger(BOOK)],
      { operation: BOOK, address: 'new' },
      true,
    ],
    ['a known address, where known ones pass', [stranger(BOOK)], KNOWN, false],
    ['a known address that one of two rules lets pass', [stranger(BOOK), person('*')], KNOWN, true],
    ['no address of its own, where known ones pass', [stranger(BOOK)], { operation: BOOK }, false],
  ])('%s', (_what, rules, change, needed) => {
    expect(needsPerson(rules, change)).toBe(needed)
  })
})

describe('whether other rules let more pass without a person', () => {
  test.each<[string, ApprovalRule[], ApprovalRule[], boolean]>([
    ['none before', [], [person('*')], false],
    ['none after', [person(LINK)], [], true],
    ['the same', [person(LINK, { usd: 5 })], [person(LINK, { usd: 5 })], false],
    ['a smaller amount', [person(LINK, { usd: 5 })], [person(LINK, { usd: 4 })], false],
    ['a larger amount', [person(LINK, { usd: 5 })], [person(LINK, { usd: 6 })], true],
    [
      'one more currency with an amount',
      [person(LINK, { usd: 5 })],
      [person(LINK, { usd: 5, eur: 0 })],
      true,
    ],
    ['an amount where every one counted', [person(LINK)], [person(LINK, { usd: 0 })], true],
    ['every operation in place of one', [person(LINK)], [person('*')], false],
    ['one operation in place of every one', [person('*')], [person(LINK)], true],
    [
      'all of today’s operations in place of every one',
      [person('*')],
      ['a', 'b'].map((one) => person(one)),
      true,
    ],
    ['known clients pass from now on', [person(BOOK)], [stranger(BOOK)], true],
    ['known clients pass no more', [stranger(BOOK)], [person(BOOK)], false],
    ['every address passes, also of strangers', [stranger(BOOK)], [], true],
    ['the agent in place of a person', [person(LINK)], [agent(LINK)], true],
    [
      'a second rule that says less',
      [person(LINK, { usd: 5 })],
      [person(LINK, { usd: 9 }), person(LINK, { usd: 5 })],
      false,
    ],
  ])('%s', (_what, before, after, less) => {
    expect(needsLess(before, after)).toBe(less)
  })
})

describe('rules about approval in a request', () => {
  const schema = approvalSchemaFor(['book_consult', LINK], [LINK], ['book_consult'])

  test('a currency may come in capitals', () => {
    expect(schema.parse([person(LINK, { USD: 500 })])).toEqual([person(LINK, { usd: 500 })])
  })

  test.each<[string, unknown]>([
    ['an amount for every operation', [person('*', { usd: 500 })]],
    ['an operation that is not there', [person('delete_everything')]],
    ['a level that is not there', [{ operation: '*', level: 'host' }]],
    ['known clients for every operation', [stranger('*')]],
    ['an exception that is not there', [{ ...person(BOOK), unless: 'friend' }]],
    ['an amount that is not whole', [person(LINK, { usd: 0.5 })]],
    ['more rules than a practice has', Array.from({ length: 51 }, () => person(LINK))],
  ])('%s is refused', (_what, sent) => {
    expect(schema.safeParse(sent).success).toBe(false)
  })

  test.each([
    [person('book_consult', { usd: 500 }), `Only for ${LINK}, which has an amount`],
    [stranger(LINK), 'Only for book_consult, which name an address'],
    [person(LINK, { USD: 500, usd: 50_000 }), 'Expected each currency once'],
  ])(
    'a condition that its operation cannot have, or that stands twice, is refused in words: %j',
    (rule, says) => {
      const { errors } = checkInput(z.object({ approval: schema }), { approval: [rule] })
      expect(errors?.[0]?.detail).toContain(says)
    },
  )

  test('the rules read as sentences, and those that ask for no one say nothing', () => {
    expect(
      approvalSentences([
        stranger(BOOK),
        person('*'),
        person(LINK, { usd: 50_000, jpy: 9 }),
        agent(LINK),
      ]),
    ).toEqual([
      'A person approves each book_consult, unless it goes to the address of a known client.',
      'A person approves every change.',
      'A person approves each create_payment_link above $500.00, or above ¥9.',
    ])
  })
})
