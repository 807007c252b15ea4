import { expect, test } from 'vitest'

import { eventSampler } from '../../../../src/core/domain/rate-limit.ts'

test('of many events of one kind ten a minute are emitted, and the count of the rest with the first of the next minute', () => {
  const sample = eventSampler()
  const first = Array.from({ length: 25 }, (_, i) => sample('one', i))
  expect(first).toEqual([
    ...Array.from({ length: 10 }, () => 1),
    ...Array.from({ length: 15 }, () => 0),
  ])
  expect(sample('two', 30)).toBe(1)
  expect(sample('one', 59_999)).toBe(0)
  expect(sample('one', 60_000)).toBe(17)
  expect(sample('one', 60_001)).toBe(1)
})

test('of very many kinds each is emitted, and none is kept for ever', () => {
  const sample = eventSampler()
  for (let i = 0; i < 25; i++) sample('one', i)
  expect(sample('one', 26)).toBe(0)
  for (let i = 0; i < 10_000; i++) expect(sample(`kind ${i}`, 30 + i)).toBe(1)
  // Still within its minute: it is emitted again only because its count was dropped.
  expect(sample('one', 20_000)).toBe(1)
})
