import { BoundedMap } from '../../core/domain/bounded-map.ts'

/** A moment as the clock and the calendar of a zone show it, with the names of one language. */
export interface Clock {
  /** `Monday` or `lunes`, and short: `Mon` or `lun`. */
  weekday: string
  shortWeekday: string
  day: string
  month: string
  /** From 0 to 23. */
  hour: number
  /** Of two digits. */
  minute: string
}

const formats = new BoundedMap<string, Record<'long' | 'short', Intl.DateTimeFormat>>(64)

function formatsOf(locale: string, timeZone: string) {
  const key = `${locale} ${timeZone}`
  const known = formats.get(key)
  if (known) return known
  const short = new Intl.DateTimeFormat(locale, { timeZone, weekday: 'short' })
  const long = new Intl.DateTimeFormat(locale, {
    timeZone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  formats.set(key, { long, short })
  return { long, short }
}

/**
 * Epoch ms on the clock of an IANA zone. Only names and numbers are taken from Intl: its separators
 * differ between versions of ICU.
 */
export function clockAt(ms: number, zone: string, locale: string): Clock {
  const { long, short } = formatsOf(locale, zone)
  const parts = new Map(long.formatToParts(ms).map(({ type, value }) => [type, value]))
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? ''
  return {
    weekday: part('weekday'),
    shortWeekday: short.format(ms).replace('.', ''),
    day: part('day'),
    month: part('month'),
    hour: Number(part('hour')),
    minute: part('minute').padStart(2, '0'),
  }
}
