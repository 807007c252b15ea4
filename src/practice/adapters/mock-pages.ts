import { bookingIdOf, providerIdOf } from '../../core/domain/booking.ts'
import type { Mode } from '../../core/domain/mode.ts'
import type { Practice } from '../../core/domain/practice.ts'
import { MINUTE } from '../../core/domain/time/duration.ts'
import type { MockPages } from '../../core/ports/services.ts'
import { mockDelivery } from './mock.ts'
import { mockInvoice } from './payments/mock.ts'
import { type Calendar, waitsInMock } from './scheduling/mock.ts'

interface Pages extends Pick<Calendar, 'book' | 'cancel'> {
  move(id: string, start: number, end: number): Promise<'taken' | 'not active' | { id: string }>
  markNoShow(id: string, isOn: boolean): Promise<boolean>
  pay(invoiceId: string, how: 'paid' | 'failed' | 'void'): Promise<void>
  completeLinks(invoiceId: string): Promise<void>
}

const LENGTH = 30 * MINUTE
/** The one who books on the mock's page: no one real, and masked like every invitee. */
const VISITOR = { masked_email: 'v***@***.com', initials: 'V. M.', marker: 'by hand' }

export const mockPages = ({
  calendar,
  modes,
  practice,
  key,
}: {
  calendar(): Pages
  modes(): { scheduling: Mode; payments: Mode }
  practice(): Practice
  key(): Promise<string>
}): MockPages => ({
  async act(given) {
    const { scheduling, payments } = modes()
    if ((given.act === 'pay' ? payments : scheduling) !== 'mock') return 'not a mock'
    const id = ('bookingId' in given && providerIdOf(given.bookingId)) || ''
    switch (given.act) {
      case 'book': {
        const { eventTypes, timezone } = practice()
        const { id: event_type_id } = eventTypes[0]
        const time = { start: given.start, end: given.start + LENGTH, timezone }
        const request = waitsInMock(event_type_id) ? 'open' : null
        const made = await calendar().book({ event_type_id, ...time, ...VISITOR, request })
        return made === 'taken' ? made : about(made.id)
      }
      case 'move': {
        const made = await calendar().move(id, given.start, given.start + LENGTH)
        if (typeof made === 'string') return made === 'taken' ? made : 'not there'
        return about(id, made.id)
      }
      case 'cancel':
        return (await calendar().cancel(id, VISITOR.marker)) === 'cancelled'
          ? about(id)
          : 'not there'
      case 'no_show':
        return (await calendar().markNoShow(id, given.isOn)) ? about(id) : 'not there'
      case 'pay': {
        const { invoiceId, how } = given
        if (!mockInvoice(invoiceId)) return 'not there'
        if (how === 'submitted') await calendar().completeLinks(invoiceId)
        else await calendar().pay(invoiceId, how)
        return { bookings: [], invoices: [invoiceId] }
      }
    }
  },
  delivery: async (given) => mockDelivery(given, await key()),
})

const about = (...ids: string[]) => ({ bookings: ids.map(bookingIdOf), invoices: [] })
