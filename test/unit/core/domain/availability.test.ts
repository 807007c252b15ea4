import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { weekdaySlots } from '../../../../src/core/domain/availability.ts'
import { DAY, HOUR, MINUTE } from '../../../../src/core/domain/time/duration.ts'
import { instantOf, isoInZone } from '../../../../src/core/domain/time/time.ts'

const NEW_YORK = 'America/New_York'
const officeHours = { start: 9 * HOUR, end: 17 * HOUR, length: 30 * MINUTE }

/** The starts of the slots between two moments, as the zone writes them. */
function starts(from: string, to: string, zone: string, opening = officeHours): string[] {
  return weekdaySlots(instantOf(from), instantOf(to), zone, opening).map(({ start }) =>
    isoInZone(start, zone),
  )
}

describe('an ordinary week', () => {
  test('offers sixteen half hours a day, Monday to Friday', () => {
    const week = starts('2026-11-16T00:00:00-05:00', '2026-11-23T00:00:00-05:00', NEW_YORK)
    expect(week).toHaveLength(5 * 16)
    expect(week[0]).toBe('2026-11-16T09:00:00-05:00')
    expect(week[15]).toBe('2026-11-16T16:30:00-05:00')
    expect(week.at(-1)).toBe('2026-11-20T16:30:00-05:00')
  })

  test('takes its weekdays from the zone, not from UTC', () => {
    expect(starts('2026-11-22T00:00:00Z', '2026-11-22T21:00:00Z', 'Pacific/Auckland')).toEqual([
      '2026-11-23T09:00:00+13:00',
      '2026-11-23T09:30:00+13:00',
    ])
  })

  test('offers only what lies wholly inside the window', () => {
    const day = '2026-11-24T'
    expect(starts(`${day}10:00:00-05:00`, `${day}11:00:00-05:00`, NEW_YORK)).toHaveLength(2)
    expect(starts(`${day}10:00:01-05:00`, `${day}11:00:00-05:00`, NEW_YORK)).toHaveLength(1)
    expect(starts(`${day}10:00:01-05:00`, `${day}10:59:59-05:00`, NEW_YORK)).toEqual([])
    expect(starts(`${day}11:00:00-05:00`, `${day}10:00:00-05:00`, NEW_YORK)).toEqual([])
  })

  test('offers nothing past closing when the last slot does not fit', () => {
    const opening = { start: 9 * HOUR, end: 10 * HOUR, length: 45 * MINUTE }
    expect(starts('2026-11-24T00:00:00Z', '2026-11-25T00:00:00Z', 'UTC', opening)).toEqual([
      '2026-11-24T09:00:00+00:00',
    ])
  })
})

describe('a clock change', () => {
  test.each([
    ['2026-03-06', '2026-03-09', '-05:00', '-04:00'],
    ['2026-10-30', '2026-11-02', '-04:00', '-05:00'],
  ])(
    'in New York leaves Friday %s and Monday %s at 9 to 5, each at its own offset',
    (fri, mon, then, now) => {
      const both = starts(`${fri}T00:00:00${then}`, `${mon}T23:00:00${now}`, NEW_YORK)
      expect(both).toHaveLength(32)
      expect([both[0], both[15], both[16], both[31]]).toEqual([
        `${fri}T09:00:00${then}`,
        `${fri}T16:30:00${then}`,
        `${mon}T09:00:00${now}`,
        `${mon}T16:30:00${now}`,
      ])
    },
  )

  test('is never inside a slot: what would run across one is not offered', () => {
    const opening = { start: 0, end: 4 * HOUR, length: 45 * MINUTE }
    expect(
      starts('2027-03-26T00:00:00+02:00', '2027-03-26T05:00:00+03:00', 'Asia/Jerusalem', opening),
    ).toEqual([
      '2027-03-26T00:00:00+02:00',
      '2027-03-26T00:45:00+02:00',
      '2027-03-26T03:00:00+03:00',
    ])
  })
})

describe('any window in any zone', () => {
  const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
  const from = fc.integer({
    min: Date.UTC(1975, 0, 1) / MINUTE,
    max: Date.UTC(2037, 0, 1) / MINUTE,
  })
  const length = fc.integer({ min: 0, max: 31 * 24 * 60 })

  /** The same clock, asked of Intl alone. */
  function clockIn(name: string) {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
    return (ms: number) => format.format(ms).split(/[^A-Za-z0-9:]+/) as [string, string]
  }

  test('gives half hours in strict order, on weekdays from 9 to 5 local time, inside the window', () => {
    fc.assert(
      fc.property(zone, from, length, (name, at, minutes) => {
        const [start, end] = [at * MINUTE, (at + minutes) * MINUTE]
        const slots = weekdaySlots(start, end, name, officeHours)
        const clock = clockIn(name)
        let last = start
        for (const slot of slots) {
          expect(slot.start).toBeGreaterThanOrEqual(last)
          expect(slot.end - slot.start).toBe(30 * MINUTE)
          const [weekday, opens] = clock(slot.start)
          expect(weekday).toMatch(/^(Mon|Tue|Wed|Thu|Fri)$/)
          expect(opens >= '09:00' && opens <= '16:30' && /:[03]0$/.test(opens)).toBe(true)
          last = slot.end
        }
        expect(last).toBeLessThanOrEqual(Math.max(start, end))
      }),
      { numRuns: 50 },
    )
  })

  test('misses no quarter of an hour that Intl calls a weekday, however the clock changed', () => {
    const opening = { start: 0, end: DAY, length: 15 * MINUTE }
    const zones = fc.constantFrom(
      NEW_YORK,
      'Africa/Cairo',
      'Asia/Beirut',
      'America/Sao_Paulo',
      'Asia/Gaza',
    )
    // Gaza once changed its clock at one minute past midnight: such a quarter of an hour begins twice, or never.
    const since2013 = fc.integer({
      min: Date.UTC(2013, 0, 1) / MINUTE,
      max: Date.UTC(2037, 0, 1) / MINUTE,
    })
    fc.assert(
      fc.property(zones, since2013, (name, at) => {
        const start = Math.ceil(at / 15) * 15 * MINUTE
        const end = start + 12 * DAY
        const clock = clockIn(name)
        const expected: number[] = []
        for (let ms = start; ms < end; ms += 15 * MINUTE) {
          if (!clock(ms)[0].startsWith('S')) expected.push(ms)
        }
        expect(weekdaySlots(start, end, name, opening).map((slot) => slot.start)).toEqual(expected)
      }),
      { numRuns: 30 },
    )
  })
})
