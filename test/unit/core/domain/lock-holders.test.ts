import { expect, test } from 'vitest'

import { formerHolders } from '../../../../src/core/domain/lock-holders.ts'

test('a lock remembers who held it before, the latest first, each once and never more than eight', () => {
  expect(formerHolders(undefined, 'a')).toEqual([])
  expect(formerHolders({ holder: 'a', former: [] }, 'b')).toEqual(['a'])
  expect(formerHolders({ holder: 'b', former: ['a'] }, 'b')).toEqual(['a'])
  expect(formerHolders({ holder: 'b', former: ['a'] }, 'a')).toEqual(['b'])
  const nine = Array.from({ length: 9 }, (_, i) => `flow ${i}`)
  expect(formerHolders({ holder: 'last', former: nine }, 'new')).toEqual([
    'last',
    ...nine.slice(0, 7),
  ])
})
