import { expect, test } from 'vitest'
import { rush } from '../../src/domain/rush.ts'

test('of a rush ten in a minute are told, and the rest with the first of the next', () => {
  const told = rush()
  const first = Array.from({ length: 25 }, (_, i) => told('one', i))
  expect(first).toEqual([...Array.from({ length: 10 }, () => 1), ...Array.from({ length: 15 }, () => 0)])
  expect(told('two', 30)).toBe(1)
  expect(told('one', 59_999)).toBe(0)
  expect(told('one', 60_000)).toBe(17)
  expect(told('one', 60_001)).toBe(1)
})

test('of very many kinds none is forgotten for good, and none is kept for ever', () => {
  const told = rush()
  for (let i = 0; i < 10_000; i++) expect(told(`kind ${i}`, i)).toBe(1)
})
