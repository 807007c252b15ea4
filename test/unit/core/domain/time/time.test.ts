import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type * as z from 'zod'

import { DAY, HOUR } from '../../../../../src/core/domain/time/duration.ts'
import * as time from '../../../../../src/core/domain/time/time.ts'

const {
  boundOf,
  boundSchema,
  dateTimeSchema,
  providerZoneSchema,
  zoneSchema,
  instantOf,
  isoInZone,
  isoUtc,
  localTime,
} = time
const NEW_YORK = 'America/New_York'
const zones = Intl.supportedValuesOf('timeZone')

/** The one issue a schema raises, checked to be of the agreed shape. */
function refusal(schema: z.ZodType, value: unknown): string {
  const issues = schema.safeParse(value).error?.issues ?? []
  expect(issues).toHaveLength(1)
  const [issue] = issues
  if (issue?.code !== 'custom') throw new Error(`accepted, or another issue: ${issue?.code}`)
  expect(issue.params).toEqual({ expected: issue.message })
  expect(Object.keys(issue).toSorted()).toEqual(['code', 'message', 'params', 'path'])
  return issue.message
}

describe('a date-time in a request', () => {
  test.each([
    '2026-11-24T10:00:00-05:00',
    '2026-11-24T15:00:00Z',
    '2026-11-24t15:00:00z',
    '2026-11-24T15:00:00.123456789Z',
    '1970-01-01T00:00:00Z',
    '2199-12-31T23:59:59Z',
  ])('%s is taken as it is', (text) => {
    expect(dateTimeSchema.parse(text)).toBe(text)
  })

  test('without an offset it is refused, and the sentence says why', () => {
    expect(refusal(dateTimeSchema, '2026-11-24T10:00:00')).toBe(
      'Expected an RFC 3339 date-time with an offset, in the form YYYY-MM-DDThh:mm:ss-05:00; ' +
        'this one has no offset, so the moment is ambiguous.',
    )
  })

  test.each([
    ['2026-02-30T10:00:00Z', 'does not exist'],
    ['2026-13-01T10:00:00Z', 'does not exist'],
    ['2026-11-24T24:00:00Z', 'does not exist'],
    ['2026-11-24T10:00:00+24:00', 'does not exist'],
    ['2026-11-24T10:00:00+05:60', 'does not exist'],
    ['1969-12-31T23:59:59Z', '1970 to 2199'],
    ['2200-01-01T00:00:00Z', '1970 to 2199'],
    ['2026-11-24T10:00:00 05:00', '%2B'],
    ['2026-11-24T10:00:00Z and more', 'with an offset'],
    ['2026-11-24T10:00:00Z[UTC]', 'with an offset'],
    ['+002026-11-24T10:00:00Z', 'with an offset'],
    ['next Tuesday', 'with an offset'],
  ])('%j is refused in a sentence about it', (text, sentence) => {
    expect(refusal(dateTimeSchema, text)).toContain(sentence)
    expect(() => instantOf(text)).toThrow(RangeError)
  })

  test('a very long text is refused at once', () => {
    const before = process.cpuUsage()
    refusal(dateTimeSchema, `2026-11-24T10:00:00.${'1'.repeat(1e6)}`)
    refusal(dateTimeSchema, 'T:'.repeat(5e5))
    refusal(zoneSchema, 'A/'.repeat(5e5))
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(500)
  })
})

describe('a zone in a request', () => {
  test.each([NEW_YORK, 'UTC', 'GMT', 'EST5EDT'])('%s is taken as it is', (zone) =>
    expect(zoneSchema.parse(zone)).toBe(zone),
  )

  test('every zone of the platform is taken, in any case, and spelled as in the database', () => {
    for (const zone of [
      ...zones,
      'Etc/GMT+5',
      'US/Eastern',
      'GB-Eire',
      'America/Port-au-Prince',
      'W-SU',
    ]) {
      expect(zoneSchema.parse(zone.toLowerCase())).toBe(zone)
      expect(zoneSchema.parse(zone.toUpperCase())).toBe(zone)
    }
  })

  test.each(['+05:00', 'etc/GMT-5', 'EST5EDT5', '', 'BST', 'IST', 'SystemV/EST5'])(
    '%j is refused, as no name in the database',
    (zone) => {
      expect(refusal(zoneSchema, zone)).toMatch(
        /^Expected an IANA time zone name, such as America\/New_York\.( Did you mean \S+\?| An offset names no zone.*| The sign in this one is turned .*)?$/,
      )
    },
  )

  test.each([
    ['EST', 'America/New_York'],
    ['mst', 'America/Denver'],
    ['HST', 'Pacific/Honolulu'],
  ])(
    '%s, which has no daylight saving time, is refused with the zone that was meant',
    (zone, meant) => {
      expect(refusal(zoneSchema, zone)).toBe(
        `Expected an IANA time zone name, such as America/New_York. ${zone.toUpperCase()} has no daylight saving time: did you mean ${meant}?`,
      )
      expect(providerZoneSchema.parse(zone)).toBe(zone.toUpperCase())
    },
  )
})

describe('a time written for a machine', () => {
  const noon = Date.UTC(2026, 10, 24, 15)

  test('in UTC ends in Z and has milliseconds only where there are any', () => {
    expect(isoUtc(Date.UTC(2026, 10, 21, 15, 15))).toBe('2026-11-21T15:15:00Z')
    expect(isoUtc(Date.UTC(2026, 10, 21, 15, 15, 0, 7))).toBe('2026-11-21T15:15:00.007Z')
    expect(() => isoUtc(NaN)).toThrow(RangeError)
  })

  test.each([
    [NEW_YORK, '2026-11-24T10:00:00-05:00'],
    ['UTC', '2026-11-24T15:00:00+00:00'],
    ['Asia/Kathmandu', '2026-11-24T20:45:00+05:45'],
    ['Australia/Lord_Howe', '2026-11-25T02:00:00+11:00'],
  ])('in %s carries that offset: %s', (zone, text) => {
    expect(isoInZone(noon, zone)).toBe(text)
    expect(instantOf(text)).toBe(noon)
  })

  test('keeps seconds and drops what is finer', () => {
    expect(isoInZone(noon + 59_999, NEW_YORK)).toBe('2026-11-24T10:00:59-05:00')
    expect(instantOf('2026-11-24T10:00:59.9999-05:00')).toBe(noon + 59_999)
  })

  test('read back gives the same time, in every zone and year', () => {
    const seconds = fc.integer({
      min: Date.UTC(1970, 0, 2) / 1e3,
      max: Date.UTC(2199, 11, 30) / 1e3,
    })
    fc.assert(
      fc.property(seconds, fc.constantFrom(...zones), (at, zone) => {
        const text = isoInZone(at * 1e3, zone)
        expect(dateTimeSchema.safeParse(text).success).toBe(true)
        expect(instantOf(text)).toBe(at * 1e3)
        expect(instantOf(isoUtc(at * 1e3))).toBe(at * 1e3)
      }),
      { numRuns: 200 },
    )
  })

  test('read back gives the same time if the offset has seconds, which RFC 3339 cannot write', () => {
    const liberia = Date.UTC(1971, 5, 1)
    expect(instantOf(isoInZone(liberia, 'Africa/Monrovia'))).toBe(liberia)
  })
})

describe('a time written for people', () => {
  const at = Date.UTC(2026, 10, 24, 15)

  test('reads as people say it', () => {
    expect(localTime(at, NEW_YORK)).toBe('Tuesday, November 24, 2026, 10:00 AM EST')
    expect(time.spokenTime(at, NEW_YORK, NEW_YORK)).toBe(
      'Tuesday, November 24, 2026 at 10:00 AM EST',
    )
    expect(time.localDay(at, NEW_YORK)).toBe('Tuesday, November 24, 2026')
  })

  test.each([
    ['Asia/Tokyo', ' (for the client: Wednesday, November 25, 2026 at 12:00 AM GMT+9)'],
    ['America/Los_Angeles', ' (for the client: 7:00 AM PST)'],
    // Another name for the same time; in summer it is another time.
    ['America/Lima', ''],
  ])(
    'reads in the zone of the practice first, and in that of a client in %s: "%s"',
    (zone, theirs) => {
      const own = 'Tuesday, November 24, 2026 at 10:00 AM EST'
      expect(time.spokenTime(at, NEW_YORK, zone)).toBe(own + theirs)
      const inSummer = time.spokenTime(Date.UTC(2026, 6, 1, 12), NEW_YORK, zone)
      expect(inSummer).toMatch(/^Wednesday, July 1, 2026 at 8:00 AM EDT \(for the client: [^)]+\)$/)
    },
  )

  test('agrees with the platform in every zone, year and week of a clock change', () => {
    // Every second one lies within a day of a clock change of New York or Lord Howe, whose clock moves by half an hour.
    const changes = ['2026-03-08T07:00:00Z', '2026-11-01T06:00:00Z', '2027-04-03T15:00:00Z'].map(
      instantOf,
    )
    const nearby = fc.tuple(fc.constantFrom(...changes), fc.integer({ min: -DAY, max: DAY }))
    const instant = fc.oneof(
      fc.integer({ min: 0, max: Date.UTC(2199, 11, 31) }),
      nearby.map(([change, distance]) => change + distance),
    )
    const zone = fc.oneof(
      fc.constantFrom(...zones),
      fc.constantFrom(NEW_YORK, 'Australia/Lord_Howe', 'Africa/Casablanca'),
    )
    fc.assert(
      fc.property(instant, zone, (ms, timeZone) => {
        const style = { timeZone, dateStyle: 'full', timeStyle: 'long' } as const
        const parts = new Intl.DateTimeFormat('en-US', style).formatToParts(ms)
        const part = Object.fromEntries(parts.map(({ type, value }) => [type, value]))
        const { weekday, month, day, year, hour, minute, dayPeriod, timeZoneName } = part
        expect(localTime(ms, timeZone)).toBe(
          `${weekday}, ${month} ${day}, ${year}, ${hour}:${minute} ${dayPeriod} ${timeZoneName}`,
        )
      }),
      { numRuns: 400 },
    )
  })

  test('is plain ASCII in every zone, however many zones are asked for', () => {
    for (const zone of [...zones, ...zones]) expect(localTime(at, zone)).toMatch(/^[\x20-\x7e]+$/)
  })

  test('stays right when more times are asked for than are remembered, in two zones by turns', () => {
    const hours = Array.from({ length: 3000 }, (_, hour) => Date.UTC(2026, 9, 20) + hour * HOUR)
    for (const ms of [...hours, ...hours]) {
      expect(Date.parse(isoInZone(ms, NEW_YORK))).toBe(ms)
      expect(isoInZone(ms, 'UTC')).toBe(new Date(ms).toISOString().replace('.000Z', '+00:00'))
    }
    expect(localTime(Date.UTC(2026, 10, 1, 5, 30), NEW_YORK)).toBe(
      'Sunday, November 1, 2026, 1:30 AM EDT',
    )
    expect(localTime(Date.UTC(2026, 10, 1, 6, 30), NEW_YORK)).toBe(
      'Sunday, November 1, 2026, 1:30 AM EST',
    )
  })
})

describe('the clock changes of New York', () => {
  test.each([
    ['2026-03-08T06:59:59Z', '2026-03-08T01:59:59-05:00', 'Sunday, March 8, 2026, 1:59 AM EST'],
    ['2026-03-08T07:00:00Z', '2026-03-08T03:00:00-04:00', 'Sunday, March 8, 2026, 3:00 AM EDT'],
    ['2026-11-01T05:30:00Z', '2026-11-01T01:30:00-04:00', 'Sunday, November 1, 2026, 1:30 AM EDT'],
    ['2026-11-01T06:30:00Z', '2026-11-01T01:30:00-05:00', 'Sunday, November 1, 2026, 1:30 AM EST'],
  ])('at %s the answer is %s, %s', (utc, iso, words) => {
    expect(isoInZone(instantOf(utc), NEW_YORK)).toBe(iso)
    expect(localTime(instantOf(utc), NEW_YORK)).toBe(words)
    expect(instantOf(iso)).toBe(instantOf(utc))
  })

  test('cut a window where they happen', () => {
    const [from, to] = [Date.UTC(2026, 0, 1), Date.UTC(2027, 0, 1)]
    const [spring, autumn] = [instantOf('2026-03-08T07:00:00Z'), instantOf('2026-11-01T06:00:00Z')]
    expect(time.clockSpans(from, to, NEW_YORK)).toEqual([
      { start: from, end: spring, offset: -5 * HOUR },
      { start: spring, end: autumn, offset: -4 * HOUR },
      { start: autumn, end: to, offset: -5 * HOUR },
    ])
    expect(time.clockSpans(from, to, 'UTC')).toEqual([{ start: from, end: to, offset: 0 }])
    expect(time.clockSpans(from, from, NEW_YORK)).toEqual([])
  })
})

describe('a bound of a window', () => {
  test.each([
    ['2026-11-24', NEW_YORK, '2026-11-24T00:00:00-05:00', '2026-11-25T00:00:00-05:00'],
    // The clocks go back that day, and forward on the other.
    ['2026-11-01', NEW_YORK, '2026-11-01T00:00:00-04:00', '2026-11-02T00:00:00-05:00'],
    ['2026-11-24', 'Pacific/Kiritimati', '2026-11-24T00:00:00+14:00', '2026-11-25T00:00:00+14:00'],
    ['2026-11-24T10:00:00Z', NEW_YORK, '2026-11-24T10:00:00Z', '2026-11-24T10:00:00Z'],
  ])('%s in %s begins at %s, and as an end it is %s', (text, zone, from, to) => {
    expect(boundSchema.parse(text)).toBe(text)
    expect(boundOf(text, zone, 'from')).toBe(instantOf(from))
    expect(boundOf(text, zone, 'to')).toBe(instantOf(to))
  })

  test.each(['2026-02-30', '2026-13-01', '1969-12-31', '2200-01-01'])(
    '%j is refused, and the sentence says that a date is taken',
    (text) => expect(refusal(boundSchema, text)).toMatch(/A date, YYYY-MM-DD, is taken, too\.$/),
  )
})
