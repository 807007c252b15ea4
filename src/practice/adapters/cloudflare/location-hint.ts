import { HOUR } from '../../../core/domain/time/duration.ts'
import { zoneClock } from '../../../core/domain/time/time.ts'

const WINTER = Date.UTC(2026, 0, 1)

/**
 * Where Cloudflare makes the objects of a practice, by its time zone: in the east or the west of North
 * America, by the hour alone, since practices are in the United States. Undefined where no zone of
 * theirs has that hour, and outside America: they are made near the first call.
 */
export function locationHintOf(zone: string): 'wnam' | 'enam' | undefined {
  if (!/^(?:America\/|Pacific\/Honolulu$)/.test(zone)) return undefined
  const hours = zoneClock(WINTER, zone).offset / HOUR
  if (hours > -4) return undefined
  return hours < -6 ? 'wnam' : 'enam'
}
