import { expect, test } from 'vitest'

import { locationHintOf } from '../../../../../src/practice/adapters/cloudflare/location-hint.ts'

test.each([
  ['America/New_York', 'enam'],
  ['America/Chicago', 'enam'],
  ['America/Denver', 'wnam'],
  ['America/Phoenix', 'wnam'],
  ['America/Los_Angeles', 'wnam'],
  ['Pacific/Honolulu', 'wnam'],
  ['America/Sao_Paulo', 'sam'],
  ['America/Argentina/Buenos_Aires', 'sam'],
  ['America/Santiago', 'sam'],
  ['Europe/London', 'weur'],
  ['Europe/Dublin', 'weur'],
  ['Europe/Berlin', 'weur'],
  ['Europe/Kyiv', 'eeur'],
  ['Europe/Istanbul', 'eeur'],
  ['Asia/Dubai', 'me'],
  ['Asia/Jerusalem', 'me'],
  ['Asia/Kolkata', 'apac'],
  ['Asia/Tokyo', 'apac'],
  ['Indian/Mauritius', 'afr'],
  ['Atlantic/Reykjavik', 'weur'],
  ['Africa/Lagos', 'afr'],
  ['Australia/Perth', 'oc'],
  ['Pacific/Auckland', 'oc'],
])('the one object of a practice in %s is made in %s', (zone, hint) => {
  expect(locationHintOf(zone)).toBe(hint)
})

test('a zone that lies nowhere gives no hint', () => {
  expect([locationHintOf('UTC'), locationHintOf('Etc/GMT+5')]).toEqual([undefined, undefined])
})

test('every zone of the runtime with a place on land gives a hint', () => {
  const without = Intl.supportedValuesOf('timeZone').filter(
    (zone) => locationHintOf(zone) === undefined,
  )
  expect(without.filter((zone) => !/^(?:Antarctica|Arctic|Atlantic|Etc|UTC)/.test(zone))).toEqual(
    [],
  )
})
