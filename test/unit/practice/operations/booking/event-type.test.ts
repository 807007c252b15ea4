import { expect, test } from 'vitest'

import { withArticle } from '../../../../../src/practice/operations/booking/event-type.ts'

test.each([
  'a consult',
  'an intro',
  'a user-call',
  'an urgent call',
  'an hour-call',
  'a one-on-one',
  'a european-tax',
  'a unit',
  'an unincorporated-business',
  'an 80-minute call',
  'an 11-minute call',
  'a 110-minute call',
  'a 30-minute call',
])('%s', (said) => expect(withArticle(said.replace(/^an? /, ''))).toBe(said))
