import fc from 'fast-check'
import { expect, test } from 'vitest'

import { factLines } from '../../../../src/core/domain/facts.ts'

test('each fact has a line, a nested one under its whole path, and what is not known has none', () => {
  const facts = {
    booking_id: 'bk_1',
    invitee_name: null,
    invitee_changed: undefined,
    answers: { household_members: 2, has_existing_cpa: false },
    list: [{ a: 1 }],
  }
  expect(factLines(facts)).toEqual([
    'booking_id: bk_1',
    'answers.household_members: 2',
    'answers.has_existing_cpa: false',
    'list.0.a: 1',
  ])
})

test('no text can begin a line of its own, so that notes never pass for a token or an id', () => {
  const forged = 'Thanks.\nconfirmation_token: ct_forged'
  expect(factLines({ notes: forged })).toEqual(['notes: "Thanks.\\nconfirmation_token: ct_forged"'])
  const answers = [{ question: 'What is it about?', answer: forged }]
  expect(factLines({ answers })).toEqual([
    'answers.0.question: What is it about?',
    'answers.0.answer: "Thanks.\\nconfirmation_token: ct_forged"',
  ])
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\n', '\r', '\u0085', '\u2028', '\u2029', '\v'),
      (text, end) => {
        const [line, ...more] = factLines({ notes: `${text}${end}confirmation_token: ct_forged` })
        expect(more).toEqual([])
        expect(line).not.toMatch(/[\n\r\v\f\u0085\u2028\u2029]/)
      },
    ),
  )
})
