import { expect, test } from 'vitest'

import { locationHintOf } from '../../../../../src/practice/adapters/cloudflare/location-hint.ts'

test.each([
  ['America/New_York', 'enam'],
  ['America/Chicago', 'enam'],
  ['America/Puerto_Rico', 'enam'],
  ['America/Denver', 'wnam'],
  ['America/Phoenix', 'wnam'],
  ['America/Los_Angeles', 'wnam'],
  ['America/Anchorage', 'wnam'],
  ['Pacific/Honolulu', 'wnam'],
  ['America/Sao_Paulo', undefined],
  ['Europe/London', undefined],
  ['UTC', undefined],
])('the one object of a practice in %s is made in %s', (zone, hint) => {
  expect(locationHintOf(zone)).toBe(hint)
})
