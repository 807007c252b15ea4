import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { weekdaySlots } from '../../../../src/core/domain/availability.ts'
import { DAY, HOUR, MINUTE } from '../../../../src/core/domain/time/duration.ts'
import { instantOf, isoInZone } from '../../../../src/core/domain/time/time.ts'

const NEW_YORK = 'America/New_York'
const officeHours = { start: 9 * HOUR, end: 17 * HOUR, length: 30 * MINUTE }
const allDay = { start: 0, end: DAY, length: 30 * MINUTE }

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
    expect(starts('2026-11-22T00:00:00Z', '2026-11-23T00:00:00Z', 'Pacific/Auckland')).toEqual([
      '2026-11-23T09:00:00+13:00',
      '2026-11-23T09:30:00+13:00',
      '2026-11-23T10:00:00+13:00',
      '2026-11-23T10:30:00+13:00',
      '2026-11-23T11:00:00+13:00',
      '2026-11-23T11:30:00+13:00',
      '2026-11-23T12:00:00+13:00',
      '2026-11-23T12:30:00+13:00',
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
    ['2027-03-12', '2027-03-15', '-05:00', '-04:00'],
    ['2027-11-05', '2027-11-08', '-04:00', '-05:00'],
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

  test('at midnight on a Friday: in Cairo the hour that does not exist is not offered', () => {
    const night = starts(
      '2026-04-23T23:00:00+02:00',
      '2026-04-24T02:00:00+03:00',
      'Africa/Cairo',
      allDay,
    )
    expect(night).toEqual([
      '2026-04-23T23:00:00+02:00',
      '2026-04-23T23:30:00+02:00',
      '2026-04-24T01:00:00+03:00',
      '2026-04-24T01:30:00+03:00',
    ])
  })

  test('at midnight on a Thursday: in Cairo the hour that comes twice is offered twice', () => {
    const night = starts(
      '2026-10-29T22:30:00+03:00',
      '2026-10-30T00:30:00+02:00',
      'Africa/Cairo',
      allDay,
    )
    expect(night).toEqual([
      '2026-10-29T22:30:00+03:00',
      '2026-10-29T23:00:00+03:00',
      '2026-10-29T23:30:00+03:00',
      '2026-10-29T23:00:00+02:00',
      '2026-10-29T23:30:00+02:00',
      '2026-10-30T00:00:00+02:00',
    ])
  })

  test('at midnight into a Sunday leaves Beirut and old Sao Paulo their whole working days', () => {
    const beirut = starts(
      '2026-03-27T00:00:00+02:00',
      '2026-03-31T00:00:00+03:00',
      'Asia/Beirut',
      allDay,
    )
    expect(beirut).toHaveLength(48 * 2)
    expect(beirut[48]).toBe('2026-03-30T00:00:00+03:00')
    const brazil = starts(
      '2018-11-02T00:00:00-03:00',
      '2018-11-06T00:00:00-02:00',
      'America/Sao_Paulo',
    )
    expect(brazil).toHaveLength(32)
    expect(brazil[16]).toBe('2018-11-05T09:00:00-02:00')
  })

  test('during opening hours, as at Casey: three hours skipped, three hours repeated', () => {
    const hourly = { start: HOUR, end: 7 * HOUR, length: 60 * MINUTE }
    expect(
      starts('2019-10-03T16:00:00Z', '2019-10-04T00:00:00Z', 'Antarctica/Casey', hourly),
    ).toEqual([
      '2019-10-04T01:00:00+08:00',
      '2019-10-04T02:00:00+08:00',
      '2019-10-04T06:00:00+11:00',
    ])
    expect(
      starts('2012-02-21T13:00:00Z', '2012-02-22T00:00:00Z', 'Antarctica/Casey', hourly),
    ).toEqual([
      '2012-02-22T01:00:00+11:00',
      '2012-02-22T02:00:00+11:00',
      '2012-02-22T03:00:00+11:00',
      '2012-02-22T01:00:00+08:00',
      '2012-02-22T02:00:00+08:00',
      '2012-02-22T03:00:00+08:00',
      '2012-02-22T04:00:00+08:00',
      '2012-02-22T05:00:00+08:00',
      '2012-02-22T06:00:00+08:00',
    ])
  })

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

  test('of half an hour, as on Lord Howe, neither skips nor doubles more than that', () => {
    const autumn = starts('2026-04-02T00:00:00Z', '2026-04-08T00:00:00Z', 'Australia/Lord_Howe')
    expect(autumn.filter((text) => text.includes('T09:00:00'))).toEqual([
      '2026-04-03T09:00:00+11:00',
      '2026-04-06T09:00:00+10:30',
      '2026-04-07T09:00:00+10:30',
      '2026-04-08T09:00:00+10:30',
    ])
  })

  test('of a whole day: Samoa had no Friday 30 December 2011, and nothing is offered on it', () => {
    const week = starts('2011-12-28T00:00:00-10:00', '2012-01-03T00:00:00+14:00', 'Pacific/Apia')
    expect(new Set(week.map((text) => text.slice(0, 10)))).toEqual(
      new Set(['2011-12-28', '2011-12-29', '2012-01-02']),
    )
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
