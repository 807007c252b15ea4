import { expect, test } from 'vitest'

import { pluralOf } from '../../../../src/core/domain/plural.ts'

test('a number of things is said in words, also where it is one', () => {
  const said = [pluralOf(1, 'minute'), pluralOf(0, 'entry'), pluralOf(2, 'day')]
  expect(said).toEqual(['one minute', '0 entries', '2 days'])
})
