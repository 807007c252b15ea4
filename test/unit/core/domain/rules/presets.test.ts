import { expect, test } from 'vitest'

import { PRESETS } from '../../../../../src/core/domain/rules/presets.ts'
import { fieldsOf, formOf, rulesOf, sentForm } from '../../../../../src/owner/console/rules/form.ts'
import { rulesSchema, rulesInWords } from '../../../../../src/practice/operations/house-rules.ts'

const CLOCK = { now: Date.parse('2026-11-24T20:40:00Z'), zone: 'America/New_York' }

test.each(PRESETS)('$title is a set of rules that REST takes as it is', ({ rules }) => {
  expect(rulesSchema.parse({ paused: false, ...rules })).toEqual({ paused: false, ...rules })
})

test.each(PRESETS)('the button of $title sends just this set', ({ rules }) => {
  const sent = sentForm(new URLSearchParams(fieldsOf(formOf(rules))))
  expect(rulesOf(sent)).toMatchObject({
    rules: { ...rules, approval: rules.approval && expect.arrayContaining([...rules.approval]) },
  })
  expect(formOf(rules)).toEqual(sent)
})

test('each says in words all that it holds', () => {
  const said = PRESETS.map(({ rules }) => rulesInWords(rules, CLOCK).map(({ words }) => words))
  expect(said).toEqual([
    [
      'Book a consult unless the client is known, Reschedule a booking unless the client is known, Create a client profile unless the client is known, Invite a client by link unless the client is known, Create a payment link, Cancel a booking',
    ],
    ['at most 100', 'Create a payment link above $500.00, Cancel a booking'],
    ['none'],
  ])
})
