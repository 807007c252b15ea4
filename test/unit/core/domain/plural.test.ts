import { expect, test } from 'vitest'

import { pluralOf, withArticle } from '../../../../src/core/domain/plural.ts'

test('a number of things is said in words, also where it is one', () => {
  const said = [pluralOf(1, 'minute'), pluralOf(0, 'entry'), pluralOf(2, 'day')]
  expect(said).toEqual(['one minute', '0 entries', '2 days'])
})

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
