import { HOUR } from '../../../core/domain/time/duration.ts'
import { zoneClock } from '../../../core/domain/time/time.ts'

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
export function locationHintOf(zone: string): LocationHint | undefined {
  // The offset without daylight saving time: the smaller one on both halves of the earth.
  const hours = Math.min(zoneClock(WINTER, zone).offset, zoneClock(SUMMER, zone).offset) / HOUR
  return HINTS[zone.split('/')[0]!]?.(hours, zone)
}
