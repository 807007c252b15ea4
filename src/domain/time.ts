// Not the default entry, which hands over to a native Temporal where there is one: deployed Workers have had
// one that local workerd and Node 24 lack (cloudflare/workerd#6907), and what was tested is what should run.
import { Temporal } from 'temporal-polyfill/implementation'
import * as z from 'zod'

/** The zone of a practice whose settings name none. */
export const DEFAULT_TIMEZONE = 'America/New_York'

const MINUTE = 60_000
const WANTED = 'Expected an RFC 3339 date-time with an offset, such as 2026-11-24T10:00:00-05:00'
const ZONE_WANTED = 'Expected an IANA time zone name, such as America/New_York.'

const DATE_TIME = /^(\d{4})-\d\d-\d\dT\d\d:\d\d:(\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)?$/i
const PLUS_LOST = /^\d{4}-\d\d-\d\dT[\d:.]+ \d\d:\d\d$/i

/** What a request's date-time lacks, as a sentence that never repeats it; nothing when it is sound. */
function faultIn(text: string): string | undefined {
  if (PLUS_LOST.test(text)) return `${WANTED}; the + of this one became a space, so send %2B in a URL.`
  const parts = DATE_TIME.exec(text)
  if (!parts) return `${WANTED}.`
  const [, year = '', seconds, fraction = '', offset] = parts
  if (offset === undefined) return `${WANTED}; this one has no offset, so the moment is ambiguous.`
  if (seconds === '60') return `${WANTED}; a leap second (:60) names no moment on a calendar, so send :59.`
  if (fraction.length > 9) return `${WANTED}; this one has more than 9 digits in its fraction of a second.`
  if (year < '1970' || year > '2199') return `${WANTED}, in a year from 1970 to 2199.`
  try {
    Temporal.Instant.from(text)
  } catch {
    return `${WANTED}; this one names a date, a time of day or an offset that does not exist.`
  }
  return undefined
}

/** A zone as the IANA database spells it, aliases kept; nothing when the text names none. */
function zoneNamed(text: string): string | undefined {
  // Temporal takes offsets, and ICU names outside the database; "Factory" means that no zone was ever set.
  if (!/^[a-z][a-z0-9_+/-]{0,63}$/i.test(text) || /^(systemv\/|factory$)/i.test(text)) return undefined
  try {
    return new Temporal.ZonedDateTime(0n, text).timeZoneId
  } catch {
    return undefined
  }
}

const refusal = (input: string, expected: string) =>
  ({ code: 'custom', message: expected, params: { expected }, input }) as const

/** A moment in a request: RFC 3339 section 5.6, so with `Z` or an offset, from 1970 to 2199. */
export const dateTimeSchema = z
  .string()
  .check((context) => {
    const fault = faultIn(context.value)
    if (fault) context.issues.push(refusal(context.value, fault))
  })
  .meta({ format: 'date-time' })

/** A zone in a request: an IANA name or alias in any case, passed on as the database spells it. */
export const zoneSchema = z.string().check((context) => {
  const zone = zoneNamed(context.value)
  if (zone === undefined) context.issues.push(refusal(context.value, ZONE_WANTED))
  else context.value = zone
})

/** The moment a `dateTimeSchema` text names, in whole epoch ms, rounded down; RangeError for other text. */
export function instantOf(text: string): number {
  const fault = faultIn(text)
  if (fault) throw new RangeError(fault)
  return Temporal.Instant.from(text).epochMilliseconds
}

/** Epoch ms as RFC 3339 in UTC, like `2026-11-21T15:15:00Z`; milliseconds only where there are any. */
export function isoUtc(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z')
}

/** The same to the second, for moments of our own: when something ended or expires. */
export const isoSeconds = (ms: number): string => isoUtc(Math.floor(ms / 1000) * 1000)

const zoned = (ms: number, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone)

/** Epoch ms as RFC 3339 in an IANA zone, to the second: `2026-11-24T10:00:00-05:00` (`+00:00` in UTC). */
export function isoInZone(ms: number, zone: string): string {
  // RFC 3339 offsets have no seconds (Liberia's had): rounded before use, so that the moment stays right.
  const offset = Math.round(zoned(ms, zone).offsetNanoseconds / 6e10)
  const clock = new Date(ms + offset * MINUTE).toISOString().slice(0, 19)
  const hours = String(Math.floor(Math.abs(offset) / 60)).padStart(2, '0')
  const minutes = String(Math.abs(offset) % 60).padStart(2, '0')
  return `${clock}${offset < 0 ? '-' : '+'}${hours}:${minutes}`
}

/** A stretch of epoch ms in which a zone's clock runs evenly: local time is real time plus `offset` ms. */
export type ClockSpan = { start: number; end: number; offset: number }

/**
 * The window [from, to), epoch ms, cut at every clock change of the zone; in order and without gaps.
 * For windows of up to three years: the polyfill looks no further ahead for the next change.
 */
export function clockSpans(from: number, to: number, zone: string): ClockSpan[] {
  const spans: ClockSpan[] = []
  for (let start = from; start < to;) {
    const moment = zoned(start, zone)
    const change = moment.getTimeZoneTransition('next')?.epochMilliseconds ?? to
    const end = Math.min(change, to)
    spans.push({ start, end, offset: moment.offsetNanoseconds / 1e6 })
    start = end
  }
  return spans
}

const FORMATTERS_KEPT = 64
const formatters = new Map<string, Intl.DateTimeFormat>()

/** Making a formatter is slow, so the last few are kept, and no more: the zones come from callers. */
function formatterFor(zone: string): Intl.DateTimeFormat {
  const style = { timeZone: zone, dateStyle: 'full', timeStyle: 'long' } as const
  const formatter = formatters.get(zone) ?? new Intl.DateTimeFormat('en-US', style)
  formatters.delete(zone)
  formatters.set(zone, formatter)
  const oldest = formatters.keys().next()
  if (formatters.size > FORMATTERS_KEPT && !oldest.done) formatters.delete(oldest.value)
  return formatter
}

// Put together from parts: what stands between them (", ", " at ", U+202F) changes from one ICU to the next.
function local(ms: number, zone: string) {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {}
  for (const { type, value } of formatterFor(zone).formatToParts(ms)) parts[type] = value
  return {
    day: `${parts.weekday}, ${parts.month} ${parts.day}, ${parts.year}`,
    clock: `${parts.hour}:${parts.minute} ${parts.dayPeriod}`,
    zone: parts.timeZoneName,
  }
}

/** For a record: `Tuesday, November 24, 2026, 10:00 AM EST`. American English, plain ASCII. */
export function localTime(ms: number, zone: string): string {
  const at = local(ms, zone)
  return `${at.day}, ${at.clock} ${at.zone}`
}

/** For a sentence: `Tuesday, November 24, 2026 at 10:00 AM EST`. */
export function spokenTime(ms: number, zone: string): string {
  const at = local(ms, zone)
  return `${at.day} at ${at.clock} ${at.zone}`
}

/** The day alone, `Tuesday, November 24, 2026`, as the zone's calendar has it at that moment. */
export const localDay = (ms: number, zone: string): string => local(ms, zone).day

/** The clock alone, `10:00 AM`. */
export const localClock = (ms: number, zone: string): string => local(ms, zone).clock
