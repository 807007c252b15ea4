import './without-native-temporal.ts'
import { distance } from 'fastest-levenshtein'
import { fromString } from 'temporal-polyfill/fns/Instant'
import * as ZonedDateTime from 'temporal-polyfill/fns/ZonedDateTime'
import * as z from 'zod'

import { BoundedMap, remembered } from '../bounded-map.ts'
import { DAY, HOUR, MINUTE, SECOND } from './duration.ts'
import { usZoneMeant } from './us-zones.ts'

const WEEK = 7 * DAY
const MAX_STRETCHES = 512

interface ZoneClock {
  /** Local time minus UTC, in ms. */
  offset: number
  /** For people: `EST`, or `GMT+5:30` if the zone has no abbreviation. */
  name: string
}

type Stretch = ZoneClock & { zone: string; start: number; end: number }

const zoned = (ms: number, zone: string) => ZonedDateTime.create(BigInt(ms) * 1_000_000n, zone)

const formatterFor = remembered(
  64,
  (zone) => new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'short' }),
)

/** Zones by another name since tzdata 2024b, under which not every runtime knows their abbreviations. */
const LINKS: Readonly<Record<string, string>> = {
  EST: 'America/Panama',
  MST: 'America/Phoenix',
  HST: 'Pacific/Honolulu',
  EST5EDT: 'America/New_York',
  CST6CDT: 'America/Chicago',
  MST7MDT: 'America/Denver',
  PST8PDT: 'America/Los_Angeles',
}

function clockAt(ms: number, zone: string): ZoneClock {
  const parts = formatterFor(LINKS[zone] ?? zone).formatToParts(ms)
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  return { offset: ZonedDateTime.offsetNanoseconds(zoned(ms, zone)) / 1e6, name }
}

const stretches = new BoundedMap<string, Stretch>(MAX_STRETCHES)
let latest: Stretch | undefined

/** The week or hour around an instant, if both of its ends have the same offset, which then is constant. */
function stretchAround(ms: number, length: number, zone: string): Stretch | undefined {
  const start = Math.floor(ms / length) * length
  const key = `${zone} ${start} ${length}`
  const known = stretches.get(key)
  if (known) return known
  const end = start + length
  const [first, last] = [clockAt(start, zone), clockAt(end - 1, zone)]
  if (first.offset !== last.offset || first.name !== last.name) return undefined
  const stretch = { ...first, zone, start, end }
  stretches.set(key, stretch)
  return stretch
}

/** The offset of a zone at an instant (epoch ms). Computing it is slow, so constant stretches are cached. */
export function zoneClock(ms: number, zone: string): ZoneClock {
  if (latest && latest.zone === zone && ms >= latest.start && ms < latest.end) return latest
  const stretch = stretchAround(ms, WEEK, zone) ?? stretchAround(ms, HOUR, zone)
  if (!stretch) return clockAt(ms, zone)
  latest = stretch
  return stretch
}

/** The zone of a practice whose settings name none. */
export const DEFAULT_TIMEZONE = 'America/New_York'

export const DATE_TIME_WANTED =
  'Expected an RFC 3339 date-time with an offset, in the form YYYY-MM-DDThh:mm:ss-05:00'
export const NOWHERE = `${DATE_TIME_WANTED}; this one names a date, a time of day or an offset that does not exist.`
const ZONE_WANTED = 'Expected an IANA time zone name, such as America/New_York.'

const DATE_TIME = /^(\d{4})-\d\d-\d\dT\d\d:\d\d:(\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)?$/i
const PLUS_LOST = /^\d{4}-\d\d-\d\dT[\d:.]+ \d\d:\d\d$/i

const MAX_CACHED = 2048

/** The moments of valid texts: a change parses the same times several times. */
const sound = new BoundedMap<string, number>(MAX_CACHED)

/** The moment of a date-time in whole epoch ms, or a sentence that says what is wrong with the text. */
function parseInstant(text: string): number | string {
  const known = sound.get(text)
  if (known !== undefined) return known
  if (PLUS_LOST.test(text))
    return `${DATE_TIME_WANTED}; the + of this one became a space, so send %2B in a URL.`
  const parts = DATE_TIME.exec(text)
  if (!parts) return `${DATE_TIME_WANTED}.`
  const [, year = '', seconds, fraction = '', offset] = parts
  if (offset === undefined)
    return `${DATE_TIME_WANTED}; this one has no offset, so the moment is ambiguous.`
  if (seconds === '60')
    return `${DATE_TIME_WANTED}; a leap second (:60) names no moment on a calendar, so send :59.`
  if (fraction.length > 9)
    return `${DATE_TIME_WANTED}; this one has more than 9 digits in its fraction of a second.`
  if (year < '1970' || year > '2199') return `${DATE_TIME_WANTED}, in a year from 1970 to 2199.`
  try {
    const { epochMilliseconds } = fromString(text)
    sound.set(text, epochMilliseconds)
    return epochMilliseconds
  } catch {
    return NOWHERE
  }
}

const named = new BoundedMap<string, string>(MAX_CACHED)

/** A zone as the IANA database spells it, with aliases kept; undefined if the text names none. */
function zoneNamed(text: string): string | undefined {
  const known = named.get(text)
  if (known !== undefined) return known
  // Temporal also takes offsets and ICU's own names; "Factory" means that no zone was ever set.
  if (!/^[a-z][a-z0-9_+/-]{0,63}$/i.test(text) || /^(systemv\/|factory$)/i.test(text))
    return undefined
  try {
    const { timeZoneId } = zoned(0, text)
    named.set(text, timeZoneId)
    return timeZoneId
  } catch {
    return undefined
  }
}

const refusal = (input: string, expected: string) =>
  ({ code: 'custom', message: expected, params: { expected }, input }) as const

/**
 * What a field of a request is to who reads its time: a moment; the bound of a window, which is a
 * moment or a date (`from` and `to`: over REST a moment alone); or the zone of the times beside it.
 */
export const timeRoles = z.registry<{ is: 'moment' | 'bound' | 'from' | 'to' | 'zone' }>()

/** A moment in a request: RFC 3339 section 5.6, with `Z` or an offset, from 1970 to 2199. */
export const dateTimeSchema = z
  .string()
  .check((context) => {
    const instant = parseInstant(context.value)
    if (typeof instant === 'string') context.issues.push(refusal(context.value, instant))
  })
  .meta({ format: 'date-time' })
  .register(timeRoles, { is: 'moment' })

const DATE = /^\d{4}-\d\d-\d\d$/
export const isDate = (text: string) => DATE.test(text)
const noonOf = (date: string) => `${date}T12:00:00Z`

/** A bound of a window in a request: a moment, or a date in the zone of the practice. */
export const boundSchema = z
  .string()
  .check((context) => {
    const instant = parseInstant(isDate(context.value) ? noonOf(context.value) : context.value)
    if (typeof instant === 'string')
      context.issues.push(refusal(context.value, `${instant} ${DATE_TOO}`))
  })
  .register(timeRoles, { is: 'bound' })

export const DATE_TOO = 'A date, YYYY-MM-DD, is taken, too.'

/** A zone of a provider: an IANA name or alias in any case, which becomes the spelling of the database. */
export const providerZoneSchema = z.string().check((context) => {
  const zone = zoneNamed(context.value)
  if (zone !== undefined) {
    context.value = zone
    return
  }
  context.issues.push(refusal(context.value, zoneWantedFor(context.value)))
})

const MOST_LETTERS_WRONG = 2
const LONGEST_ZONE = 40

const IS_OFFSET = /^\(?(?:utc|gmt)? ?[+\-\u2212] ?\d{1,2}(?::?\d\d)?\)?$/i
const NO_OFFSET = 'An offset names no zone, whose clocks may change in between: name its place.'

/** What is wanted in place of a text that names no zone, with the zone that it seems to mean. */
export function zoneWantedFor(text: string): string {
  if (IS_OFFSET.test(text)) return `${ZONE_WANTED} ${NO_OFFSET}`
  const meant = usZoneMeant(text) ?? zoneSpelledLike(text)
  return meant === undefined ? ZONE_WANTED : `${ZONE_WANTED} Did you mean ${meant}?`
}

/** The zone whose name is nearly this, such as America/Los_Angeles for `America/Los_Angles`. */
function zoneSpelledLike(text: string): string | undefined {
  if (!text.includes('/') || text.length > LONGEST_ZONE) return undefined
  const written = text.toLowerCase()
  const far = (zone: string) => distance(zone.toLowerCase(), written)
  return Intl.supportedValuesOf('timeZone')
    .filter((zone) => far(zone) <= MOST_LETTERS_WRONG)
    .toSorted((one, other) => far(one) - far(other))[0]
}

/**
 * A zone in a request or a setting. It refuses abbreviations without daylight saving time, and
 * `Etc/GMT-5`, which is five hours ahead of Greenwich.
 */
export const zoneSchema = providerZoneSchema
  .check((context) => {
    const zone = context.value
    const refuse = (why: string) => context.issues.push(refusal(zone, `${ZONE_WANTED} ${why}`))
    if (/^[EMH]ST$/.test(zone))
      refuse(`${zone} has no daylight saving time: did you mean ${usZoneMeant(zone)}?`)
    if (/^Etc\/GMT-[1-9]/.test(zone)) refuse('The sign in this one is turned around: name a place.')
  })
  .register(timeRoles, { is: 'zone' })

/** Why a text is no RFC 3339 date-time of a request; undefined for one. */
export function whyNoMoment(text: string): string | undefined {
  const instant = parseInstant(text)
  return typeof instant === 'string' ? instant : undefined
}

/** The moment of a `dateTimeSchema` text in whole epoch ms, rounded down. Throws RangeError otherwise. */
export function instantOf(text: string): number {
  const instant = parseInstant(text)
  if (typeof instant === 'string') throw new RangeError(instant)
  return instant
}

/** Epoch ms as RFC 3339 in UTC, `2026-11-21T15:15:00Z`, with milliseconds only if there are any. */
export const isoUtc = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z')

/** Epoch ms as RFC 3339 in UTC, rounded down to the second. */
export const isoSeconds = (ms: number) => isoUtc(Math.floor(ms / SECOND) * SECOND)
export const isoOrNull = (ms: number | null) => (ms === null ? null : isoSeconds(ms))

export const WEEKDAYS = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
]
const MONTHS =
  'January February March April May June July August September October November December'.split(' ')

/** Caches a text that depends on a moment and a zone, since lists repeat the same times. */
function kept(make: (ms: number, zone: string) => string): (ms: number, zone: string) => string {
  const zones = remembered(4, () => new BoundedMap<number, string>(MAX_CACHED))
  let latest = { zone: '', texts: new BoundedMap<number, string>(MAX_CACHED) }
  return (ms, zone) => {
    if (latest.zone !== zone) latest = { zone, texts: zones(zone) }
    const { texts } = latest
    const known = texts.get(ms)
    if (known !== undefined) return known
    const text = make(ms, zone)
    texts.set(ms, text)
    return text
  }
}

/** Epoch ms as RFC 3339 in an IANA zone, to the second: `2026-11-24T10:00:00-05:00` (`+00:00` in UTC). */
export const isoInZone = kept((ms, zone) => {
  // RFC 3339 offsets have no seconds (Liberia's had): round before use, so that the moment stays right.
  const offset = Math.round(zoneClock(ms, zone).offset / MINUTE) * MINUTE
  const wall = new Date(ms + offset).toISOString().slice(0, -'.000Z'.length)
  const hoursAhead = new Date(Math.abs(offset))
    .toISOString()
    .slice('YYYY-MM-DDT'.length, -':ss.000Z'.length)
  return `${wall}${offset < 0 ? '-' : '+'}${hoursAhead}`
})

/** A stretch of epoch ms in which a zone's clock runs evenly: local time is real time plus `offset` ms. */
type ClockSpan = { start: number; end: number; offset: number }

const YEAR = 365 * DAY

/** The next clock change of each zone, for any moment from `since` until `until`. */
const changes = remembered(64, () => ({ since: 0, until: 0, change: 0 }))

function nextChange(ms: number, zone: string): number {
  const known = changes(zone)
  if (ms < known.since || ms >= known.until) {
    const change = ZonedDateTime.getTimeZoneTransition(zoned(ms, zone), 'next')?.epochMilliseconds
    Object.assign(known, { since: ms, until: change ?? ms + YEAR, change: change ?? Infinity })
  }
  return known.change
}

/** Cuts the window [from, to), in epoch ms, at each clock change of the zone, without gaps. */
export function clockSpans(from: number, to: number, zone: string): ClockSpan[] {
  const spans: ClockSpan[] = []
  for (let start = from; start < to;) {
    const end = Math.min(nextChange(start, zone), to)
    spans.push({ start, end, offset: zoneClock(start, zone).offset })
    start = end
  }
  return spans
}

// We join the parts ourselves: the separators of Intl (", ", " at ", U+202F) differ between versions of ICU.
function local(ms: number, zone: string) {
  const { offset, name } = zoneClock(ms, zone)
  const wall = new Date(ms + offset)
  const day =
    `${WEEKDAYS[wall.getUTCDay()]}, ${MONTHS[wall.getUTCMonth()]} ${wall.getUTCDate()}, ` +
    `${wall.getUTCFullYear()}`
  const hour = wall.getUTCHours()
  const minute = String(wall.getUTCMinutes()).padStart(2, '0')
  const clock = `${hour % 12 || 12}:${minute} ${hour < 12 ? 'AM' : 'PM'}`
  return { day, clock, zone: name, offset }
}

/** A moment for a record: `Tuesday, November 24, 2026, 10:00 AM EST`, in plain ASCII. */
export const localTime = kept((ms, zone) => {
  const at = local(ms, zone)
  return `${at.day}, ${at.clock} ${at.zone}`
})

/** A local time of a record as a sentence has it: `Tuesday, November 24, 2026 at 10:00 AM EST`. */
export const inSentence = (localTime: string) => localTime.replace(/, (?=\d+:\d\d [AP]M)/, ' at ')

/** A moment for a sentence, with `(for the client: 7:00 AM PST)` where the client's clock differs. */
export function spokenTime(ms: number, zone: string, clientZone: string): string {
  const own = local(ms, zone)
  const theirs = zone === clientZone ? own : local(ms, clientZone)
  const spoken = `${own.day} at ${own.clock} ${own.zone}`
  if (own.offset === theirs.offset) return spoken
  const day = own.day === theirs.day ? '' : `${theirs.day} at `
  return `${spoken} (for the client: ${day}${theirs.clock} ${theirs.zone})`
}

/** A moment that is less than a week away, in a zone: `Tuesday, 10:00 AM EST`. */
export function weekdayTime(ms: number, zone: string): string {
  const { day, clock, zone: name } = local(ms, zone)
  return `${day.slice(0, day.indexOf(','))}, ${clock} ${name}`
}

/** The day of a moment in a zone: `Tuesday, November 24, 2026`. */
export const localDay = (ms: number, zone: string): string => local(ms, zone).day

/** The day of a moment in a zone, in epoch ms: its first moment, and the first moment of the next day. */
export function dayAround(ms: number, zone: string): { from: number; to: number } {
  const start = ZonedDateTime.startOfDay(zoned(ms, zone))
  const next = ZonedDateTime.startOfDay(ZonedDateTime.addDays(start, 1))
  return { from: start.epochMilliseconds, to: next.epochMilliseconds }
}

/** The first moment of a day, `2026-11-24`, in a zone; undefined if the zone has no such day. */
export function startOfDay(day: string, zone: string): number | undefined {
  const noon = DATE.test(day) ? Date.parse(noonOf(day)) : NaN
  // Noon in UTC is another day where the clock is 12 hours ahead or more.
  const within = [noon, noon - DAY / 2].find((ms) => ms >= 0 && isoInZone(ms, zone).startsWith(day))
  return within === undefined ? undefined : dayAround(within, zone).from
}

/** The moment of a bound of a window, in epoch ms. A date begins at midnight; as `to`, it is included. */
export function boundOf(text: string, zone: string, side: 'from' | 'to'): number {
  if (!isDate(text)) return instantOf(text)
  return dayAround(startOfDay(text, zone) ?? instantOf(noonOf(text)), zone)[side]
}

/** The day of a moment in a zone: `2026-11-24`. */
export const dateIn = (ms: number, zone: string) => utcDay(ms + zoneClock(ms, zone).offset)

/** The same, in UTC. */
export const utcDay = (ms: number) => new Date(ms).toISOString().slice(0, 10)
