import './without-native-temporal.ts'
import * as ZonedDateTime from 'temporal-polyfill/fns/ZonedDateTime'

import { BoundedMap } from '../bounded-map.ts'
import { DAY, HOUR } from './duration.ts'

const WEEK = 7 * DAY
const MAX_STRETCHES = 512

interface ZoneClock {
  /** Local time minus UTC, in ms. */
  offset: number
  /** For people: `EST`, or `GMT+5:30` if the zone has no abbreviation. */
  name: string
}

type Stretch = ZoneClock & { zone: string; start: number; end: number }

export const zoned = (ms: number, zone: string) =>
  ZonedDateTime.create(BigInt(ms) * 1_000_000n, zone)

/** Caches the values used last; the cache is bounded, since callers name the zones. */
export function remembered<T>(max: number, make: (key: string) => T): (key: string) => T {
  const known = new BoundedMap<string, T>(max)
  return (key) => {
    const found = known.get(key) ?? make(key)
    known.set(key, found)
    return found
  }
}

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

/** A part of the world in which Cloudflare can make an object. */
type LocationHint = 'wnam' | 'enam' | 'sam' | 'weur' | 'eeur' | 'apac' | 'oc' | 'afr' | 'me'

const WINTER = Date.UTC(2026, 0, 1)
const SUMMER = Date.UTC(2026, 6, 1)
const SOUTH_AMERICA =
  /^America\/(?:Araguaina|Argentina|Asuncion|Bahia$|Belem|Boa_Vista|Bogota|Buenos_Aires|Campo_Grande|Caracas|Catamarca|Cayenne|Cordoba|Coyhaique|Cuiaba|Eirunepe|Fortaleza|Guayaquil|Guyana|Jujuy|La_Paz|Lima|Maceio|Manaus|Mendoza|Montevideo|Noronha|Paramaribo|Porto_|Punta_Arenas|Recife|Rio_Branco|Rosario|Santarem|Santiago|Sao_Paulo)/

const HINTS: Partial<Record<string, (hours: number, zone: string) => LocationHint | undefined>> = {
  America(hours, zone) {
    if (SOUTH_AMERICA.test(zone)) return 'sam'
    return hours < -6 ? 'wnam' : 'enam'
  },
  Atlantic: (hours) => (hours < -1 ? undefined : 'weur'),
  Europe: (hours) => (hours < 2 ? 'weur' : 'eeur'),
  Asia: (hours) => (hours < 5 ? 'me' : 'apac'),
  Africa: () => 'afr',
  Australia: () => 'oc',
  Pacific: (hours) => (hours < 0 ? 'wnam' : 'oc'),
  Indian: (hours) => (hours < 5 ? 'afr' : 'apac'),
}

/** The part of the world of a time zone; undefined where its name does not tell, as of `UTC`. */
export const locationHintOf = remembered(8, (zone: string): LocationHint | undefined => {
  // The offset without daylight saving time: the smaller one on both halves of the earth.
  const hours = Math.min(zoneClock(WINTER, zone).offset, zoneClock(SUMMER, zone).offset) / HOUR
  return HINTS[zone.split('/')[0]!]?.(hours, zone)
})
