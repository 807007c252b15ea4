import { weekdaySlots } from '../../../core/domain/availability.ts'
import {
  BOOKINGS_ON_PAGE,
  type Booking,
  type BookingState,
  type BookingsWanted,
  type Decision,
  type Invitee,
  type NothingLeft,
  type Said,
  bookingIdOf,
  factsOfMade,
  providerIdOf,
} from '../../../core/domain/booking.ts'
import { BoundedMap } from '../../../core/domain/bounded-map.ts'
import { maskEmail } from '../../../core/domain/email.ts'
import {
  type Asked,
  type EventTypeDetails,
  demandsMore,
  unsaid,
} from '../../../core/domain/event-type.ts'
import type { ProviderBookingState } from '../../../core/domain/events/provider-changes.ts'
import { LOCATIONS, video } from '../../../core/domain/location.ts'
import type {
  MockBooking,
  MockBookingsWanted,
  NewMockBooking,
} from '../../../core/domain/mock-booking.ts'
import { initials, spokenName } from '../../../core/domain/name.ts'
import {
  NOT_FOUND,
  type StepOutcome,
  UNKNOWN,
  busy,
  ok,
  refused,
} from '../../../core/domain/outcome.ts'
import { HOUR, MINUTE } from '../../../core/domain/time/duration.ts'
import type { Scheduling } from '../../../core/ports/scheduling.ts'
import { misconfigured } from '../error-table.ts'
import { type Faults, type Notify, readFault, underFault } from '../mock.ts'

/** The mock kind that asks questions and a number, by the id that EVENT_TYPES may name. */
export const MOCK_TAX_CALL = 'mock_tax_call'

const TAX_CALL: Asked = {
  questions: [
    { id: 'about', question: 'What is it about?', required: true, kind: 'text' },
    {
      id: 'entity',
      question: 'Who is it for?',
      required: true,
      kind: 'choice',
      choices: ['Myself', 'My business'],
    },
    { id: 'returns', question: 'How many returns?', required: false, kind: 'number' },
  ],
  places: [{ id: 'phone', location: LOCATIONS.practiceCalls, needs: 'phone' }],
}

/** What a mock kind asks; undefined for all but one. */
export const mockAsks = (eventTypeId: string): Asked | undefined =>
  eventTypeId === MOCK_TAX_CALL ? TAX_CALL : undefined

const VIDEO = video('mock')

/** Kinds of the mock whose bookings wait for the practice: their id begins so. */
export const waitsInMock = (eventTypeId: string) => eventTypeId.startsWith('request')

/** Stands for what an invitee said, of which the mock keeps nothing: a booking of the kind had all of it. */
function standInSaid({ questions, places }: Asked): Said {
  const required = questions.filter((one) => one.required)
  return {
    answers: required.map(({ id, choices }) => ({ id, answer: choices?.[0] ?? 'kept by no mock' })),
    place: places[0] ? { id: places[0].id, words: 'kept by no mock' } : null,
    phone: null,
  }
}

/** The calendar behind the mock; the Durable Object `MockCalendar` implements it. */
export interface Calendar {
  taken(from: number, to: number): Promise<number[]>
  book(booking: NewMockBooking): Promise<'taken' | { id: string }>
  booking(id: string): Promise<MockBooking | undefined>
  listed(question: MockBookingsWanted): Promise<MockBooking[]>
  bookedUnder(marker: string): Promise<MockBooking | undefined>
  cancel(id: string, marker: string): Promise<'cancelled' | 'not active'>
  respond(id: string, decision: Decision): Promise<'answered' | 'not waiting'>
}

const TAKEN = refused('slot_unavailable')
const NOT_ACTIVE = refused('booking_not_active')
const NOT_PENDING = refused('booking_not_pending')

/** The mock practice is open on weekdays, in its own zone, for sixteen consults a day. */
const OPENING = { start: 9 * HOUR, end: 17 * HOUR, length: 30 * MINUTE }

/** The mock scheduling provider. It behaves like a live one, and fails as the faults say. */
export function mockScheduling({
  calendar,
  timezone,
  faults,
  now,
  contactsOf,
  notify = async () => {},
}: {
  /** Called only when it is needed: most requests need no calendar. */
  calendar(): Calendar
  timezone: string
  faults: Faults
  now(): number
  /** Keyed hashes of an email address: the first is kept, all are looked for. */
  contactsOf(email: string): Promise<readonly string[]>
  notify?: Notify
}): Scheduling {
  const read = async (bookingId: string): Promise<MockBooking | undefined> => {
    const id = providerIdOf(bookingId)
    return id === undefined ? undefined : calendar().booking(id)
  }

  const pageOf = async (
    { from, to, states, eventTypeIds, limit }: BookingsWanted,
    place: string | undefined,
    contacts?: readonly string[],
  ) => {
    const [, after, afterId] = /^(\d{1,15})\.(\w{1,40})$/.exec(place ?? '0.0') ?? []
    if (after === undefined || afterId === undefined) return 'unknown place'
    const rows = await calendar().listed({
      from,
      to,
      active: states.includes('confirmed'),
      waiting: states.includes('pending_host_approval'),
      cancelled: states.includes('cancelled'),
      eventTypeIds: [...eventTypeIds],
      after: Number(after),
      afterId,
      most: limit + 1,
      ...(contacts && { contacts: [...contacts] }),
    })
    const shown = rows.slice(0, limit)
    const last = rows.length > shown.length ? shown.at(-1) : undefined
    return { shown, next: last && `${last.start}.${last.id}` }
  }

  /** A booking that is moved brings the mask of its address, and what was kept in its place. */
  async function contactOf({
    email,
    contact = null,
  }: Pick<Invitee, 'email'> & { contact: Invitee['contact'] }): Promise<string | null> {
    return maskEmail(email) === email ? contact : ((await contactsOf(email))[0] ?? null)
  }

  const typesRead = new BoundedMap<string, number>(32)

  return {
    mode: 'mock',
    provider: 'mock',
    adapterId: 'mock',

    async slots({ id }, from, to) {
      const fault = readFault(faults, 'slots')
      typesRead.set(id, now())
      if (fault === 'refused') return []
      const taken = new Set(await calendar().taken(from, to))
      const first = Math.max(from, now() + 1)
      return weekdaySlots(first, to, timezone, OPENING).filter((slot) => !taken.has(slot.start))
    },

    async eventType({ name, id }): Promise<EventTypeDetails> {
      if (now() >= (typesRead.get(id) ?? -Infinity) + MINUTE) {
        readFault(faults, 'event_type')
        typesRead.set(id, now())
      }
      const asks = mockAsks(id)
      return {
        title: spokenName(name),
        minutes: OPENING.length / MINUTE,
        location: asks?.places[0]?.location ?? VIDEO,
        price: null,
        bookable: true,
        asks,
        acceptance: waitsInMock(id) ? 'always' : undefined,
      }
    },

    async booking(bookingId) {
      const found = await read(bookingId)
      return found && bookingOf(found)
    },

    async bookings(wanted, place) {
      readFault(faults, 'list')
      const read = await pageOf(wanted, place)
      return read === 'unknown place'
        ? read
        : { bookings: read.shown.map(bookingOf), notShown: 0, next: read.next }
    },

    async upcoming(asked, place) {
      readFault(faults, 'list')
      const states = ['confirmed', 'pending_host_approval'] as const
      const read = await pageOf({ ...asked, states, limit: BOOKINGS_ON_PAGE }, place)
      return read === 'unknown place' ? read : { bookings: read.shown.map(seenOf), next: read.next }
    },

    async bookingsOf({ email, ...wanted }) {
      readFault(faults, 'list')
      const asked = { ...wanted, limit: BOOKINGS_ON_PAGE }
      const read = await pageOf(asked, undefined, await contactsOf(email))
      if (read === 'unknown place') throw new Error('the first page has no place')
      const bookings = read.shown.map(bookingOf)
      return { bookings, notShown: 0, complete: read.next === undefined, everySpelling: true }
    },

    async seen(bookingId) {
      const found = await read(bookingId)
      return found && seenOf(found)
    },

    async invitee(bookingId) {
      const found = await read(bookingId)
      if (!found) return undefined
      const { masked_email: email, initials: name, timezone, contact = null } = found
      const asks = mockAsks(found.event_type_id)
      const said = asks ? standInSaid(asks) : { answers: [], place: null, phone: null }
      return { email, name, timezone, contact, said, guests: [] }
    },

    book: ({ eventTypeId, start, end, invitee }, marker) =>
      underFault(faults, 'book', TAKEN, async () => {
        const { email, name, timezone, said, contact, guests: _noneInMock, ...left } = invitee
        void (left satisfies NothingLeft)
        const asks = mockAsks(eventTypeId)
        const missing = asks ? unsaid(asks, said) : []
        if (missing.length > 0) return busy(misconfigured(demandsMore(missing)))
        const booked = await calendar().book({
          event_type_id: eventTypeId,
          start,
          end,
          timezone,
          masked_email: maskEmail(email),
          initials: name === null ? null : initials(name),
          marker,
          contact: await contactOf({ email, contact }),
          request: waitsInMock(eventTypeId) ? 'open' : null,
        })
        if (booked === 'taken') {
          // A request that was delivered twice is refused by its own first effect.
          const own = await calendar().bookedUnder(marker)
          return own ? made(own) : TAKEN
        }
        await notify(booked.id)
        const state = waitsInMock(eventTypeId) ? 'pending_host_approval' : 'confirmed'
        return { is: 'ok', facts: factsOfMade(booked.id, state, { start, end }) }
      }),

    async findBooked(_slot, _eventTypeId, marker, named) {
      if (named !== undefined) {
        const one = await read(named)
        return one?.marker === marker ? made(one) : UNKNOWN
      }
      const found = await calendar().bookedUnder(marker)
      return found ? made(found) : NOT_FOUND
    },

    cancel: (bookingId, _reason, marker) =>
      underFault(faults, 'cancel', NOT_ACTIVE, async () => {
        const id = providerIdOf(bookingId) ?? ''
        if ((await calendar().cancel(id, marker)) === 'cancelled') {
          await notify(id)
          return ok()
        }
        if ((await calendar().booking(id))?.cancelled_by === marker) return ok()
        return NOT_ACTIVE
      }),

    async findCancelled(bookingId, marker) {
      const found = await read(bookingId)
      if (found && found.cancelled_by === null) return NOT_FOUND
      if (found?.cancelled_by === marker) return ok()
      return NOT_ACTIVE
    },

    respond: {
      execute: ({ bookingId, decision }) =>
        underFault(faults, 'respond', NOT_PENDING, async () => {
          const id = providerIdOf(bookingId) ?? ''
          const answered = await calendar().respond(id, decision)
          const row = await calendar().booking(id)
          if (answered === 'answered' && row) {
            await notify(id)
            return made(row)
          }
          // A request that was delivered twice is refused by its own first effect.
          return row?.request === decision ? made(row) : NOT_PENDING
        }),

      async reconcile({ bookingId, decision }) {
        const found = await read(bookingId)
        if (!found) return UNKNOWN
        if (found.cancelled_by !== null && found.request !== 'decline') return UNKNOWN
        return found.request === decision ? made(found) : NOT_FOUND
      },
    },
  }
}

function stateOf({ cancelled_by, request }: MockBooking): BookingState {
  if (cancelled_by !== null) return 'cancelled'
  return request === 'open' ? 'pending_host_approval' : 'confirmed'
}

function shared(row: MockBooking) {
  const { id, event_type_id: eventTypeId, start, end, moved_to } = row
  const movedTo = moved_to === null ? undefined : bookingIdOf(moved_to)
  return { bookingId: bookingIdOf(id), eventTypeId, start, end, state: stateOf(row), movedTo }
}

const bookingOf = (row: MockBooking): Booking => ({
  ...shared(row),
  timezone: row.timezone,
  maskedEmail: row.masked_email,
  initials: row.initials,
})

const seenOf = (row: MockBooking): ProviderBookingState => ({
  ...shared(row),
  createdAt: row.created_at,
  noShow: row.no_show === 1,
  marker: row.marker,
  movedFrom: row.moved_from === null ? undefined : bookingIdOf(row.moved_from),
})

const made = (row: MockBooking): StepOutcome => ok(factsOfMade(row.id, stateOf(row), row))
