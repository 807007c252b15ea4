import { expect, test } from 'vitest'

import { dayLines } from '../../../../src/core/domain/availability.ts'
import { isoInZone } from '../../../../src/core/domain/time/time.ts'
import { startsInText } from '../../../support/text-answers.ts'

test('times of one day stand in one line, after the day of the week, the date and the offset', () => {
  const times = [
    '2026-11-23T09:00:00-05:00',
    '2026-11-23T09:30:00-05:00',
    '2026-11-24T09:00:00-05:00',
  ]
  expect(dayLines(times)).toEqual([
    'Monday 2026-11-23 -05:00: 09:00 09:30',
    'Tuesday 2026-11-24 -05:00: 09:00',
  ])
  expect(dayLines([])).toEqual([])
})

test('a day whose clock is set back has a line for each offset, so that no time is there twice', () => {
  const from = Date.parse('2026-11-01T04:30:00Z')
  const times = [0, 1, 2, 3].map((hour) => isoInZone(from + hour * 3_600_000, 'America/New_York'))
  const lines = dayLines(times)
  expect(lines).toEqual([
    'Sunday 2026-11-01 -04:00: 00:30 01:30',
    'Sunday 2026-11-01 -05:00: 01:30 02:30',
  ])
  expect(startsInText(lines.join('\n'))).toEqual(times)
})

test('a time with seconds, and one in a zone of odd minutes, can be put together again too', () => {
  const times = ['2026-11-23T09:00:30+05:45', '2026-11-23T09:30:00+05:45']
  expect(dayLines(times)).toEqual(['Monday 2026-11-23 +05:45: 09:00:30 09:30'])
  expect(startsInText(dayLines(times).join('\n'))).toEqual(times)
})
