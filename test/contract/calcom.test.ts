import { bookingIdOf } from '../../src/core/domain/booking.ts'
import { calcomError, SAYS } from '../support/fakes/calcom-bodies.ts'
import { type Fault, resetAfter, resetBefore, tooMany } from '../support/fakes/http.ts'
import { NOW, startCalcom } from './calcom-rig.ts'
import {
  carriedOutTwiceContract,
  schedulingContract,
  type ProviderFault,
  type TwiceRig,
} from './scheduling.ts'

const FAULTS: Record<ProviderFault, Fault> = {
  busy: tooMany({
    'X-RateLimit-Remaining-Default': '0',
    'X-RateLimit-Reset-Default': String(NOW / 1000 + 30),
  }),
  misconfigured: { before: calcomError(401, SAYS.key) },
  'lost before': resetBefore,
  'lost after': resetAfter,
}

async function make(): Promise<TwiceRig> {
  const rig = await startCalcom()
  const { fake, scheduling, eventType } = rig
  return {
    scheduling,
    eventType,
    now: rig.now,
    pass: rig.pass,
    asked: () => fake.requests.length,
    changes: () => fake.requests.filter(({ method }) => method !== 'GET').length,
    fail: (action, fault) => fake.fault(action === 'list' ? 'bookings' : action, FAULTS[fault]),
    twice: (action) => fake.twice(action),
    bookElsewhere: async ({ start }, { email, name, timezone }) =>
      bookingIdOf(fake.bookOnPage(start, { email, name: name ?? email, timeZone: timezone }).uid),
    moveElsewhere: async (bookingId, { start }) =>
      bookingIdOf(fake.moveOnPage(bookingId.slice('bk_'.length), start).uid),
    cancelElsewhere: async (bookingId) =>
      fake.endOnPage(bookingId.slice('bk_'.length), 'Something came up'),
    effects: async () => ({
      made: fake.state.bookings.length,
      cancelled: fake.state.bookings.filter(({ status }) => status === 'cancelled').length,
    }),
  }
}

schedulingContract('Cal.com', make, { movesInOneCall: true })
carriedOutTwiceContract('Cal.com', make)
