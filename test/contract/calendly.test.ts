import { bookingIdOf } from '../../src/domain/booking.ts'
import { answerBefore, type Fault, resetAfter, resetBefore, tooMany } from '../fakes/http.ts'
import { NOW, startCalendly, stopCalendly } from './calendly-rig.ts'
import { schedulingContract, type Trouble } from './scheduling.ts'

const ROUTES = { slots: 'times', list: 'events', book: 'book', cancel: 'cancel' } as const
const FAULTS: Record<Trouble, Fault> = {
  busy: tooMany({ 'X-RateLimit-Reset': '30' }),
  misconfigured: answerBefore(401, { title: 'Unauthenticated', message: 'The access token is invalid' }),
  'lost before': resetBefore,
  'lost after': resetAfter,
}

schedulingContract('Calendly', async () => {
  const rig = await startCalendly()
  const { fake, scheduling } = rig
  return {
    scheduling,
    eventType: { name: 'consult', id: fake.eventType.id },
    now: () => NOW,
    trouble: (action, trouble) => fake.fault(ROUTES[action], FAULTS[trouble]),
    bookElsewhere: async ({ start }, { email, name, timezone }) =>
      bookingIdOf(fake.bookOnPage(start, { email, name: name ?? email, timezone })),
    cancelElsewhere: async (bookingId) => fake.cancelOnPage(bookingId.slice('bk_'.length)),
    effects: async () => ({
      made: fake.state.events.length,
      cancelled: fake.state.events.filter(({ status }) => status === 'canceled').length,
    }),
    stop: () => stopCalendly(rig),
  }
})
