import { expect, test } from 'vitest'

import { localTime, spokenTime } from '../../src/core/domain/time/time.ts'

// In Node these would prove nothing: its zone data is not that of the Worker.
test.each([
  ['EST5EDT', 'EST', 'EDT'],
  ['CST6CDT', 'CST', 'CDT'],
  ['MST7MDT', 'MST', 'MDT'],
  ['PST8PDT', 'PST', 'PDT'],
  ['EST', 'EST', 'EST'],
  ['MST', 'MST', 'MST'],
  ['HST', 'HST', 'HST'],
  ['America/New_York', 'EST', 'EDT'],
  ['US/Eastern', 'EST', 'EDT'],
  ['US/Central', 'CST', 'CDT'],
  ['US/Mountain', 'MST', 'MDT'],
  ['US/Pacific', 'PST', 'PDT'],
  ['US/Arizona', 'MST', 'MST'],
  ['US/Hawaii', 'HST', 'HST'],
  ['Navajo', 'MST', 'MDT'],
])('times in %s are named %s in winter and %s in summer', (zone, winter, summer) => {
  for (const [at, name] of [
    [Date.UTC(2027, 0, 12, 20), winter],
    [Date.UTC(2027, 6, 12, 20), summer],
  ] as const)
    for (const said of [localTime(at, zone), spokenTime(at, zone, zone)])
      expect(said).toMatch(new RegExp(` ${name}\\b`))
})

// The rules of Node 24 are older than those of the Worker, and say an hour less for both.
test.each([
  ['America/Winnipeg', '3:00 PM CDT'],
  ['America/Inuvik', '2:00 PM MDT'],
])('a time in %s in January 2027 is %s', (zone, time) => {
  const at = Date.UTC(2027, 0, 12, 20)
  for (const said of [localTime(at, zone), spokenTime(at, zone, zone)])
    expect(said).toContain(` ${time}`)
})
