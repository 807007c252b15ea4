import { expect, test } from 'vitest'

import { distance } from '../../../../src/core/domain/distance.ts'

test.each([
  ['', '', 0],
  ['', 'abc', 3],
  ['gmail.com', 'gmial.com', 2],
  ['kitten', 'sitting', 3],
  ['invitee', 'invitees', 1],
])('from %j to %j it is %i, either way', (one, other, letters) => {
  expect([distance(one, other), distance(other, one)]).toEqual([letters, letters])
})
