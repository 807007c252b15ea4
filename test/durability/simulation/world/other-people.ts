import { type Invitee, MOST_GUESTS } from '../../../../src/core/domain/booking.ts'
import type { Random } from '../../../support/random.ts'
import { CANARIES } from '../auditor/canaries.ts'
import type { RunSettings } from './world.ts'

const HOW_MANY = [0, 0, 1, 2, 3, MOST_GUESTS, MOST_GUESTS + 2]

/** The other people on bookings; none in a run without. */
export function otherPeople({ guests: hasGuests }: Pick<RunSettings, 'guests'>, random: Random) {
  let named = 0
  const someone = () => `${CANARIES.local}.guest${++named}@mail4.example.com`
  return {
    /** Those whom someone names on the provider's own page. */
    byHand(): Pick<Invitee, 'guests'> {
      const guests = hasGuests ? Array.from({ length: random.pick(HOW_MANY) }, someone) : []
      return guests.length > 0 ? { guests } : {}
    },
    /** Others than there were, if someone changes them now: one more, one fewer, or none. */
    changed({ guests = [] }: Invitee): readonly string[] | undefined {
      if (!hasGuests || random.chance(0.6)) return undefined
      return random.pick([[...guests, someone()], guests.slice(1), []])
    },
    /** Those of a request whom the provider takes. */
    taken({ guests = [] }: Invitee): readonly string[] {
      return guests.length > 0 && random.chance(0.1) ? [] : guests.slice(0, MOST_GUESTS)
    },
  }
}
