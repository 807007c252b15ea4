import { expect, test } from 'vitest'

import { MINUTE } from '../../../../src/core/domain/time/duration.ts'
import { type Origin, mayBeMadeBy } from '../../../../src/core/domain/whose-booking.ts'

const ID = 'TR72wjd8OY2BZUvIqMIFdg'
const LINK = 'cil_mock_Zk3vQ0p9sT1uW2xY4aB6cD5e6f7a8b'
const SENT = Date.parse('2026-11-23T03:20:00Z')
const inDoubt = { id: ID, sentAt: SENT }
const says = (carried: Origin['carried'], createdAt: number | null = SENT): Origin => ({
  carried,
  createdAt,
})

test.each([
  ['its marker', says(`${ID}.0`), true],
  ['the marker of its undo', says(`${ID}.0u`), true],
  ['its marker under a client link', says(`${ID}.${LINK}.0`), true],
  ['its marker, long before', says(`${ID}.0`, 0), true],
  ['what is left of a marker that was cut', says('TR72wjd8OY2…'), true],
  ['nothing that is shown, at the same moment', says(undefined), true],
  ['nothing that is shown, by a clock that is slow', says(undefined, SENT - MINUTE), true],
  ['nothing that is shown, at no moment that is known', says(undefined, null), true],
  ['no marker', says(null), false],
  ['no marker, at no moment that is known', says(null, null), false],
  ['the marker of another change', says('TR72wjd8OY2BZUvIqMIFdX.0'), false],
  ['a word of a campaign', says('TR72'.toLowerCase()), false],
  ['nothing that is shown, before it was sent', says(undefined, SENT - 2 * MINUTE), false],
])('A booking that carries %s may be of a change in doubt: %j, %s', (_what, origin, isMaybe) => {
  expect(mayBeMadeBy(inDoubt, origin)).toBe(isMaybe)
})

test('A change that has ended is known by its marker alone', () => {
  const ended = { id: ID, sentAt: undefined }
  expect(mayBeMadeBy(ended, says(`${ID}.0`))).toBe(true)
  expect(mayBeMadeBy(ended, says(undefined, null))).toBe(false)
})
