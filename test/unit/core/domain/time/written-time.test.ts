import { describe, expect, test } from 'vitest'

import {
  offsetDetail,
  offsetWarnings,
  readDate,
  readTime,
  whatTimeLacks,
} from '../../../../../src/core/domain/time/written-time.ts'

const NEW_YORK = 'America/New_York'
const FORM = 'Expected an RFC 3339 date-time with an offset, in the form YYYY-MM-DDThh:mm:ss-05:00'
const WANTED = `${FORM}; this one`

describe('a time that names one moment is read', () => {
  test.each([
    ['2026-12-01T10:00', '2026-12-01T15:00:00Z'],
    ['2026-12-01 10:00', '2026-12-01T15:00:00Z'],
    ['2026-12-01t10:00:00.5', '2026-12-01T15:00:00.500Z'],
    ['2026-07-01T10:00:00', '2026-07-01T14:00:00Z'],
    ['2026-12-01T10:00:00-05', '2026-12-01T10:00:00-05:00'],
    ['2026-12-01 10:00:00 -0500', '2026-12-01T10:00:00-05:00'],
    ['2026-12-01T15:00z', '2026-12-01T15:00:00Z'],
    ['2026-12-01T10:00:00-05:00[America/New_York]', '2026-12-01T10:00:00-05:00'],
    ['2026-12-01T15:00:00Z[America/New_York]', '2026-12-01T15:00:00Z'],
    ['2026-12-01T10:00:00-05:00[America/New_York][u-ca=gregory]', '2026-12-01T10:00:00-05:00'],
    ['2026-12-01T07:00:00[America/Los_Angeles]', '2026-12-01T15:00:00Z'],
    ['  2026-12-01T10:00:00\n', '2026-12-01T15:00:00Z'],
    ['2026-12-01T10:00:00-5', '2026-12-01T10:00:00-05:00'],
    ['2026-12-01T15:30:00+5:30', '2026-12-01T15:30:00+05:30'],
    ['2026-12-01T10:00:00\u221205:00', '2026-12-01T10:00:00-05:00'],
    ['2026\u201112\u201101 10:00', '2026-12-01T15:00:00Z'],
    ['2026-12-01  9:05', '2026-12-01T14:05:00Z'],
    ['2026-12-01 15:00:00 UTC', '2026-12-01T15:00:00Z'],
    ['2026-12-01T15:00GMT', '2026-12-01T15:00:00Z'],
    ['2026-12-01T10:00:00,25', '2026-12-01T15:00:00.250Z'],
    ['20261201T150000Z', '2026-12-01T15:00:00Z'],
    ['2026-12-01 2:15 p.\u00a0m.', '2026-12-01T19:15:00Z'],
    ['2026-12-01 12:00 a.m.', '2026-12-01T05:00:00Z'],
    ['2026-12-01T12:30:00pm', '2026-12-01T17:30:00Z'],
    ['2026-12-01 9am', '2026-12-01T14:00:00Z'],
    ['2026-12-01 noon', '2026-12-01T17:00:00Z'],
    ['2026-12-01 12 noon CT', '2026-12-01T18:00:00Z'],
    ['2026/12/1 10:00', '2026-12-01T15:00:00Z'],
    ['2026.12.01 10:00', '2026-12-01T15:00:00Z'],
    ['2026-12-01 at 10 AM', '2026-12-01T15:00:00Z'],
    ['2026-12-01, 10:00', '2026-12-01T15:00:00Z'],
    ['"2026-12-01T10:00:00-05:00"', '2026-12-01T10:00:00-05:00'],
    ['2026-12-01 10:00 ET', '2026-12-01T15:00:00Z'],
    ['2026-12-01T10:00:00PST', '2026-12-01T18:00:00Z'],
    ['2026-07-01 4 PM CDT', '2026-07-01T21:00:00Z'],
    ['2026-07-01 10:00 (Mountain Time)', '2026-07-01T16:00:00Z'],
    ['2026-12-01 10:00:00 Europe/Lisbon', '2026-12-01T10:00:00Z'],
    ['2026-12-01T10:00:00 GMT-0500 (Eastern Standard Time)', '2026-12-01T10:00:00-05:00'],
    ['2026-12-01 7:00 AM -08:00 (PST)', '2026-12-01T07:00:00-08:00'],
    ['2026-12-01 10 AM -06:00', '2026-12-01T10:00:00-06:00'],
    ['2026-12-01T00:00-08:00', '2026-12-01T00:00:00-08:00'],
    ['2026-12-01T14:00-3:00', '2026-12-01T14:00:00-03:00'],
    ['2026-12-01T10:00-5:00', '2026-12-01T10:00:00-05:00'],
    ['2026-12-01 02:00 PM -0800', '2026-12-01T14:00:00-08:00'],
    // On the days of the clock changes, before and after them.
    ['2027-03-14T03:00:00', '2027-03-14T07:00:00Z'],
    ['2026-11-01T02:00:00', '2026-11-01T07:00:00Z'],
  ])('%s', (text, read) => expect(readTime(text, NEW_YORK)).toBe(read))

  test.each([
    ['2027-03-14T02:30:00', NEW_YORK],
    ['2026-11-01T01:30:00', NEW_YORK],
    ['2026-12-01T10:00:00', 'PST'],
    ['2026-12-01T10:00:00-04:00[America/New_York]', NEW_YORK],
    ['2026-12-01T10:00:00-05:00[America/New_York][!u-ca=hebrew]', NEW_YORK],
    // EST is an hour of winter time; people also call New York's clocks so in summer.
    ['2026-07-01T10:00:00 EST', NEW_YORK],
    ['2026-12-01T10:00:00Z EST', NEW_YORK],
    // CET is an hour of winter time, and the IANA zone of that name has one of summer.
    ['2026-07-01T10:00:00 CET', NEW_YORK],
    // A start and its end have the form of an offset.
    ['2026-12-01T11:00-12:00', NEW_YORK],
    ['2026-12-01 2:00 PM-3:00', NEW_YORK],
    ['2026-12-01 11:00-1:00', NEW_YORK],
    ['2026-12-01T10:00', { toString: 1, valueOf: 1 }],
    ['2026-12-01T10:00 CST', 'Asia/Shanghai'],
    ['2026-07-01 10:00 AST', 'Asia/Riyadh'],
    ['2026-07-01 10:00 GMT', 'Europe/London'],
    ['2026-12-01 10:00 CST', 'PRC'],
    ['2026-12-01 10:00 Central Standard Time', 'America/Havana'],
    ['2026-07-01 10:00 Mountain Time', 'America/Hermosillo'],
    ['2026-12-01 10:00 Pacific Time', 'America/Mazatlan'],
    ['2026-12-01 10:00 Eastern Time', 'Australia/Sydney'],
    // Also what the clocks of the zone beside them are called, which show another time then.
    ['2026-07-01 10:00 Central Time', 'America/Mexico_City'],
    ['2026-07-01 10:00 MT', 'America/Phoenix'],
    ['2026-07-01 10:00 Atlantic Time', 'America/Halifax'],
  ])('and %s in %s is not', (text, zone) => expect(readTime(text, zone)).toBeUndefined())

  test('with the name of the clocks of the zone beside it, in that zone', () => {
    expect(readTime('2026-07-01T10:00 MST', 'America/Phoenix')).toContain('T17:00')
    expect(readTime('2026-07-01T10:00:00-07:00 (MST)', 'America/Phoenix')).toContain('-07:00')
    expect(
      readTime('2026-07-01 10:00 GMT-0700 (Mountain Standard Time)', 'America/Phoenix'),
    ).toContain('-07:00')
    expect(readTime('2026-07-01 10:00 Central Standard Time', 'America/Regina')).toContain('T16:00')
    expect(readTime('2026-12-01 10:00 Mountain Time', 'America/Phoenix')).toContain('T17:00')
    expect(readTime('2026-07-01 10:00 cst', 'America/Costa_Rica')).toContain('T16:00')
    expect(readTime('2026-07-01 10:00 Alaska Time', 'America/Halifax')).toContain('T18:00')
  })

  test('in zones whose clocks change by half an hour, by a day, or at midnight', () => {
    expect(readTime('2026-04-05T01:45:00', 'Australia/Lord_Howe')).toBeUndefined()
    expect(readTime('2026-04-05T02:00:00', 'Australia/Lord_Howe')).toBe('2026-04-04T15:30:00Z')
    expect(readTime('2011-12-30T12:00:00', 'Pacific/Apia')).toBeUndefined()
    expect(readTime('2011-12-31T12:00:00', 'Pacific/Apia')).toBe('2011-12-30T22:00:00Z')
    expect(readTime('2018-11-04T00:30:00', 'America/Sao_Paulo')).toBeUndefined()
  })
})

test('a date is the day of the zone, and as the end of a window it is included', () => {
  expect(readDate('2026-12-01', NEW_YORK, 'from')).toBe('2026-12-01T05:00:00Z')
  expect(readDate('2026-12-01', NEW_YORK, 'to')).toBe('2026-12-02T05:00:00Z')
  expect(readDate('2027-03-14', NEW_YORK, 'to')).toBe('2027-03-15T04:00:00Z')
  expect(readDate(' 2026-12-01\u200b', NEW_YORK, 'from')).toBe('2026-12-01T05:00:00Z')
  expect(readDate('2026-02-30', NEW_YORK, 'from')).toBeUndefined()
  expect(readDate('2026-12-01T10:00:00', NEW_YORK, 'from')).toBeUndefined()
})

describe('what a time lacks is said', () => {
  const lacks = (text: string, zone?: unknown, zoneField?: string) =>
    whatTimeLacks(text, { zone, zoneField })
  test.each([
    ['2026-12-01T10:00:00', 'has no offset: add -05:00, which that zone has then.'],
    [
      '2026-12-01 9:00',
      'has no offset: add -05:00, which that zone has then. It also has a date, a time of day or signs in another form and has a blank in place of T and has no seconds.',
    ],
    [
      '2027-03-14T02:30:00',
      'does not exist in that zone, whose clocks go from -05:00 to -04:00 then: choose another time, with its offset.',
    ],
    [
      '2026-11-01T01:30:00',
      'comes twice in that zone, whose clocks go from -04:00 to -05:00 then: add -04:00 for the first, -05:00 for the second.',
    ],
    ['2026-02-30T10:00:00', 'names a date or a time of day that does not exist.'],
    ['2026-12-01T10:00-05:00', 'has no seconds.'],
    [
      '2026-12-01 10:00:00-0500',
      'has a blank in place of T and has an offset without its colon and minutes.',
    ],
    [
      '2026-12-01T10:00:00[America/Denver]',
      'has no offset: add -07:00, which that zone has then. It also has a zone in brackets, which does not belong there.',
    ],
    ['2026-12-01T10:00:00 -05:00', 'has a blank before its offset.'],
    [
      '2026-12-01T10:00:00 CST',
      'has no offset: add -06:00, which that zone has then. It also has a zone behind it, which does not belong there.',
    ],
    ['2026-12-01+10:00:00-05:00', 'has a blank in place of T.'],
    ['2026-12-01T15:00:00UTC', 'has the name of a zone in place of Z.'],
    ['2026-02-30', 'names a date that does not exist.'],
    ['2026-12-01T10:00:00.1234567890', 'has more than 9 digits in its fraction of a second.'],
    ['2026-12-01', 'has no time of day and no offset.'],
  ])('of %s in New York', (text, lack) => expect(lacks(text, NEW_YORK)).toBe(`${WANTED} ${lack}`))

  test.each([
    [
      '2026-12-01T10:00:00[Eastern]',
      '; the zone in its brackets is none. Expected an IANA time zone name, such as America/New_York. Did you mean America/New_York?',
    ],
    ...['2026-07-01T10:00:00 CST', '2026-12-01 10:00 Eastern Daylight Time'].map((text) => [
      text,
      '; the name of its zone may mean two times then, so the moment is ambiguous: send the offset in its place.',
    ]),
    ...['2026-12-01T10:00:00-05:00 CST', '2026-12-01T10:00:00-01:00[Europe/Berlin]'].map((text) => [
      text,
      '; the offset of this one is not that of its zone then.',
    ]),
    ...['Tuesday, December 1, 2026, 10:00 AM EST', '1 Dec 2026 10:00', '12/1/2026 10am'].map(
      (text) => [text, '; this one has its date as people write it, as in local_time.'],
    ),
    [
      '2026-12-01T11:00-12:00',
      '; this one may be a start and an end: send the start alone, with its offset.',
    ],
    ['9999-12-31T10:00:00', ', in a year from 1970 to 2199.'],
    ['2026-12-01T10:00:60', '; a leap second (:60) names no moment on a calendar, so send :59.'],
  ])('of %s, where the form is not what is wrong', (text, lack) =>
    expect(lacks(text, NEW_YORK)).toBe(`${FORM}${lack}`),
  )

  test('without a zone, and with the field in which a tool takes one', () => {
    const local = '2026-12-01T10:00:00'
    expect(lacks(local)).toBe(`${WANTED} has no offset, so the moment is ambiguous: add it.`)
    expect(lacks(local, 'PST', 'timezone')).toBe(
      `${WANTED} has no offset, so the moment is ambiguous: add it, or name the zone in timezone.`,
    )
  })

  test('but of what is no time at all, nothing', () => {
    for (const text of ['', 'tomorrow', '2026120810', '10:00', '2026-12-01T10:00:00-05:00:00'])
      expect(lacks(text, NEW_YORK)).toBeUndefined()
  })
})

describe('an offset that the zone does not have then', () => {
  const warned = (text: string, zone = NEW_YORK, practice = NEW_YORK) =>
    offsetWarnings(text, [zone, practice])
  test('is warned of, with what the clock time there would be', () => {
    expect(warned('2026-12-01T10:00:00-04:00')).toEqual([
      'start_time was sent with the offset -04:00, which America/New_York does not have then: it has -05:00. 10:00 there would be 2026-12-01T10:00:00-05:00. Make sure that the previewed time is the one that was meant.',
    ])
    expect(warned('2026-07-01T10:00:00-05:00')[0]).toContain(
      '10:00 there would be 2026-07-01T10:00:00-04:00.',
    )
    expect(warned('2027-03-14T02:30:00-04:00')[0]).toContain('02:30 does not exist there that day.')
    expect(warned('2026-11-01T01:30:00-06:00')[0]).toContain('01:30 comes twice there that day.')
    expect(warned('2026-12-01T10:00:00+01:00', 'America/Chicago')).toHaveLength(1)
  })

  test('is said of a time that is not free, too, without repeating it', () => {
    const detail = (text: string) => offsetDetail(text, [NEW_YORK, NEW_YORK])
    expect(detail('2026-12-01T08:00:00-04:00')).toBe(
      'start_time was sent with an offset that the zone of the invitee does not have then: it has -05:00, with which the same clock time may be free.',
    )
    expect(detail('2027-03-14T02:30:00-04:00')).toMatch(/it has -05:00\.$/)
    for (const good of ['2026-12-01T08:00:00-05:00', '2026-12-01T08:00:00Z'])
      expect(detail(good)).toBeUndefined()
  })

  test.each<[text: string, zone?: string]>([
    ['2026-12-01T15:00:00Z'],
    ['2026-12-01T15:00:00+00:00'],
    ['2026-12-01T10:00:00-05:00'],
    ['2026-12-01T07:00:00-08:00', 'America/Los_Angeles'],
    ['2026-12-01T10:00:00-05:00', 'America/Los_Angeles'],
  ])('and %s is not one, for the client or for the practice', (text, zone) =>
    expect(warned(text, zone)).toEqual([]),
  )
})
