import { HOUR, MINUTE, SECOND } from '../../../../src/core/domain/time/duration.ts'
import type { Random } from '../../../support/random.ts'
import type { RunSettings } from './world.ts'

const LASTS = [20 * SECOND, 5 * MINUTE, 6 * HOUR, 20 * HOUR]

/** The limit of the practice's plan, which other programs use up too; none in a run without. */
export function bookingLimit(
  { limited }: Pick<RunSettings, 'limited'>,
  random: Random,
  start: number,
) {
  // Some runs begin while it is reached, and the answers of the last minutes said so.
  let until = limited && random.chance(0.4) ? start + random.pick(LASTS) : 0
  return {
    /** Until when no booking is taken, as far as it was answered before the run. */
    knownUntil: until,
    /** After how many seconds a booking is taken again; undefined where this one is. */
    waitOf(now: number): number | undefined {
      if (!limited) return undefined
      if (now >= until && random.chance(0.4)) until = now + random.pick(LASTS)
      return now < until ? Math.ceil((until - now) / SECOND) : undefined
    },
  }
}
