import type { Decision } from '../../../src/core/domain/booking.ts'
import { customField, defaultFields } from '../../support/fakes/calcom-bodies.ts'
import { fakeCalcom } from '../../support/fakes/calcom.ts'
import { fakeCalendly } from '../../support/fakes/calendly.ts'
import { FAKE_KEY, fakeStripe } from '../../support/fakes/stripe.ts'
import { type Crossing, type Line, providerLine } from './latency.ts'

export type SchedulingProvider = 'calendly' | 'calcom'
export type LinkStyle = 'hosted_invoice' | 'payment_link'

/** A booking as it truly is at the provider, whatever the callers were answered. */
export interface Appointment {
  /** As the connector names it. */
  bookingId: string
  start: number
  email: string
  active: boolean
  /** The practice has not answered it yet. */
  waits: boolean
  said: Partial<Said>
  /** How the practice has answered the request that it was, and the reason that came with it. */
  answered?: Decision | undefined
  answeredWith?: string | undefined
  /** The id of the operation that made it, and of the one that ended it, where one of ours did. */
  madeBy: string | undefined
  endedBy: string | undefined
}

/** What an invitee says to the kind of consult that asks: why they come, and the number on which they are called. */
export interface Said {
  answer: string
  phone: string
}
/** Its question, and the short name by which a request chooses the call. */
export const ABOUT = 'What is it about?'
export const CALL = 'practice_calls'

/** A payment link as it truly is. */
export interface Link {
  id: string
  url: string
  invoiceId: string
  amount: number
  active: boolean
  madeBy: string | undefined
}

export type World = Awaited<ReturnType<typeof startWorld>>

const HOURS = { from: 0, to: 24 }
const ZONE = 'America/New_York'

const markedIn = (text: string | null | undefined): string | undefined =>
  /([A-Za-z0-9_-]{22})\.\d/.exec(text ?? '')?.[1]

/** The providers with their true state, and the lines that lead to them. */
export async function startWorld(
  { provider, style }: { provider: SchedulingProvider; style: LinkStyle },
  crossing: Crossing,
) {
  const calendar = provider === 'calendly' ? await calendlyCalendar() : await calcomCalendar()
  const stripe = await fakeStripe()
  const scheduling = await providerLine(calendar.url, crossing)
  const payments = await providerLine(stripe.url, crossing)
  const lines: Line[] = [scheduling, payments]
  const { requestOnPage } = calendar

  return {
    provider,
    style,
    /** The settings with which a connector asks these providers and no others. */
    settings: {
      ALLOW_ANONYMOUS: 'true',
      PROVIDER_TIMEOUT_SECONDS: '5',
      SCHEDULING_PROVIDER: provider,
      SCHEDULING_PROVIDER_TOKEN: calendar.token,
      SCHEDULING_PROVIDER_BASE_URL: scheduling.url,
      EVENT_TYPES: JSON.stringify(
        Object.fromEntries(Object.entries(calendar.kinds).map(([name, id]) => [name, { id }])),
      ),
      BOOKING_ASKS: 'answers,phone,location',
      PAYMENT_PROVIDER_SECRET_KEY: FAKE_KEY,
      PAYMENT_PROVIDER_BASE_URL: payments.url,
      PAYMENT_LINK_STYLE: style,
    },
    appointments: calendar.appointments,
    /** Someone books on the scheduling page, the kind that asks where they say something; returns the id of the booking. */
    bookOnPage: calendar.bookOnPage,
    /** Whether bookings can wait for the practice. */
    hasRequests: requestOnPage !== undefined,
    /** Someone books a kind there that the practice has to accept. */
    requestOnPage(start: number, email: string): string {
      if (!requestOnPage) throw new Error('This provider has no requests.')
      return requestOnPage(start, email)
    },
    /** Returns the number that is printed on it. */
    openInvoice(invoiceId: string, amount: number): string {
      const number = invoiceId.replace('in_crash', 'CRASH-')
      stripe.set(invoiceId, { amount_due: amount, amount_remaining: amount, number })
      return number
    },
    /** A link that the connector made for an invoice before all this; returns its id. */
    linkFor(invoiceId: string, amount: number): string {
      const id = `plink_before${invoiceId}`
      stripe.links.push({
        id,
        url: `https://buy.stripe.com/test_${id}`,
        active: true,
        currency: 'usd',
        amount,
        metadata: { invoice_id: invoiceId, amount: String(amount), commit_id: 'before' },
        paymentMetadata: {},
        paid: 0,
        limit: 1,
      })
      return id
    },
    links: (): Link[] =>
      stripe.links.map((link) => ({
        id: link.id,
        url: link.url,
        invoiceId: link.metadata['invoice_id'] ?? '',
        amount: link.amount,
        active: link.active,
        madeBy: markedIn(link.metadata['commit_id']),
      })),
    passages: () => lines.flatMap((line) => line.passages),
    quiet: async () => {
      for (const line of lines) await line.quiet()
    },
    async stop(): Promise<void> {
      await Promise.all([...lines, calendar, stripe].map((one) => one.stop()))
    },
  }
}

interface Calendar {
  url: string
  token: string
  /** The ids of the kinds of consult, by their short names. */
  kinds: { consult: string; asking: string; requested?: string }
  appointments(): Appointment[]
  bookOnPage(start: number, email: string, said?: Said): string
  requestOnPage?(start: number, email: string): string
  stop(): Promise<void>
}

async function calendlyCalendar(): Promise<Calendar> {
  const fake = await fakeCalendly({ hours: HOURS })
  const asking = {
    ...fake.eventType,
    id: 'TYPE0000000000BB',
    questions: [{ name: ABOUT, enabled: true, required: true }],
    locations: [...(fake.eventType.locations ?? []), { kind: 'outbound_call' }],
  }
  fake.state.eventTypes.push(asking)
  return {
    url: fake.url,
    token: fake.state.token,
    kinds: { consult: fake.eventType.id, asking: asking.id },
    appointments: () =>
      fake.state.events.map(({ id, start, status, invitees: [invitee], cancellation, place }) => ({
        bookingId: `bk_${id}`,
        start,
        email: invitee?.email ?? '',
        active: status === 'active',
        waits: false,
        said: saidOf(
          invitee?.answers.find(({ question }) => question === ABOUT)?.answer,
          place?.kind === 'outbound_call' ? place.location : undefined,
        ),
        madeBy: markedIn(invitee?.tracking['utm_content']),
        endedBy: markedIn(cancellation?.reason),
      })),
    bookOnPage(start, email, said) {
      const invitee = { email, name: 'Robin Roe', timezone: ZONE }
      if (!said) return `bk_${fake.bookOnPage(start, invitee)}`
      const answers = [{ question: ABOUT, answer: said.answer, position: 0 }]
      const place = { kind: 'outbound_call', location: said.phone }
      return `bk_${fake.bookOnPage(start, { ...invitee, answers }, place, asking)}`
    },
    stop: fake.stop,
  }
}

async function calcomCalendar(): Promise<Calendar> {
  const fake = await fakeCalcom({ hours: HOURS })
  const { eventType, state } = fake
  const asking = {
    ...eventType,
    id: eventType.id + 1,
    bookingFields: [...defaultFields(), { ...customField('about', true), label: ABOUT }],
    locations: [...eventType.locations, { type: 'attendeePhone' }],
  }
  const requested = { ...eventType, id: eventType.id + 2, confirms: true }
  state.eventTypes.push(asking, requested)
  const attendee = (email: string) => ({ email, name: 'Robin Roe', timeZone: ZONE })
  const moveTo = (uid: string | undefined) => state.bookings.find((one) => one.uid === uid)
  return {
    url: fake.url,
    token: state.token,
    kinds: {
      consult: String(eventType.id),
      asking: String(asking.id),
      requested: String(requested.id),
    },
    appointments: () =>
      state.bookings.map((booking) => ({
        bookingId: `bk_${booking.uid}`,
        start: booking.start,
        email: booking.attendees[0]?.email ?? '',
        active: booking.status === 'accepted' || booking.status === 'pending',
        waits: booking.status === 'pending',
        said: saidOf(booking.responses?.['about'], phoneIn(booking.responses?.['location'])),
        answered: booking.eventTypeId === requested.id ? ANSWERS[booking.status] : undefined,
        answeredWith: booking.rejectionReason,
        // A move keeps the metadata of the booking it moved; its reason tells who moved it.
        madeBy:
          markedIn(booking.reschedulingReason) ?? markedIn(String(booking.metadata['consult_ref'])),
        endedBy:
          markedIn(booking.cancellationReason) ??
          markedIn(moveTo(booking.rescheduledToUid)?.reschedulingReason),
      })),
    bookOnPage(start, email, said) {
      if (!said) return `bk_${fake.bookOnPage(start, attendee(email)).uid}`
      const location = { value: 'phone', optionValue: said.phone }
      const responses = { about: said.answer, location }
      return `bk_${fake.bookOnPage(start, attendee(email), responses, asking).uid}`
    },
    requestOnPage: (start, email) =>
      `bk_${fake.bookOnPage(start, attendee(email), {}, requested).uid}`,
    stop: fake.stop,
  }
}

const ANSWERS: Readonly<Record<string, Decision>> = { accepted: 'accept', rejected: 'decline' }

/** The number to be called, of a place as Cal.com keeps it. */
function phoneIn(place: unknown): unknown {
  const { value, optionValue } = (place ?? {}) as Record<string, unknown>
  return value === 'phone' ? optionValue : undefined
}

const saidOf = (answer: unknown, phone: unknown): Partial<Said> => ({
  ...(typeof answer === 'string' && { answer }),
  ...(typeof phone === 'string' && { phone }),
})
