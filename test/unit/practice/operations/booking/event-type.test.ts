import { expect, test } from 'vitest'

import { timedKind } from '../../../../../src/practice/operations/booking/event-type.ts'

test('the article of a kind follows its number as it is spoken', () => {
  const kinds = [8, 11, 18, 30, 80, 110].map((minutes) => timedKind(minutes, 'call').split('-')[0])
  expect(kinds).toEqual(['an 8', 'an 11', 'an 18', 'a 30', 'an 80', 'a 110'])
})
