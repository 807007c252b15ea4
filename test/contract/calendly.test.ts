import type { Slot } from '../../src/core/domain/availability.ts'
import { type Invitee, bookingIdOf } from '../../src/core/domain/booking.ts'
import {
  answerBefore,
  type Fault,
  resetAfter,
  resetBefore,
  tooMany,
} from '../support/fakes/http.ts'
import { startCalendly } from './calendly-rig.ts'
import { carriedOutTwiceContract, schedulingContract, type ProviderFault } from './scheduling.ts'

const ROUTES = {
  slots: 'times',
  eventType: 'eventType',
  list: 'events',
  book: 'book',
  cancel: 'cancel',
} as const
const FAULTS: Record<ProviderFault, Fault> = {
  busy: tooMany({ 'X-RateLimit-Reset': '30' }),
  misconfigured: answerBefore(401, {
    title: 'Unauthenticated',
    message: 'The access token is invalid',
  }),
  'lost before': resetBefore,
  'lost after': resetAfter,
}

const make = async () => {
  const rig = await startCalendly()
  const { fake, scheduling, twice } = rig
  const fail = (action: keyof typeof ROUTES, kind: ProviderFault) =>
    fake.fault(ROUTES[action], FAULTS[kind])
  return {
    scheduling,
    eventType: { name: 'consult', id: fake.eventType.id },
    now: rig.now,
    pass: rig.pass,
    asked: () => fake.requests.length,
    changes: () => fake.requests.filter(({ method }) => method !== 'GET').length,
    fail,
    twice,
    bookElsewhere: async ({ start }: Slot, { email, name, timezone }: Invitee) =>
      bookingIdOf(fake.bookOnPage(start, { email, name: name ?? email, timezone })),
    moveElsewhere: async (bookingId: string, { start }: Slot) =>
      bookingIdOf(fake.moveOnPage(bookingId.slice('bk_'.length), start)),
    cancelElsewhere: async (bookingId: string) => fake.cancelOnPage(bookingId.slice('bk_'.length)),
    effects: async () => ({
      made: fake.state.events.length,
      cancelled: fake.state.events.filter(({ status }) => status === 'canceled').length,
    }),
  }
}

schedulingContract('Calendly', make)
carriedOutTwiceContract('Calendly', make)
