import { fakeCalcom } from '../../support/fakes/calcom.ts'
import { fakeCalendly } from '../../support/fakes/calendly.ts'
import { FAKE_KEY, fakeStripe } from '../../support/fakes/stripe.ts'
import { type Line, type Passage, providerLine, type Trip } from './latency.ts'

export type SchedulingProvider = 'calendly' | 'calcom'
export type LinkStyle = 'hosted_invoice' | 'payment_link'

/** A booking as it truly is at the provider, whatever the callers were answered. */
export interface Appointment {
  /** As the connector names it. */
  bookingId: string
  start: number
  email: string
  active: boolean
  /** The id of the operation that made it, and of the one that ended it, where one of ours did. */
  madeBy: string | undefined
  endedBy: string | undefined
}

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
  tripOf: () => Trip,
  acted: (passage: Passage) => void,
) {
  const calendar = provider === 'calendly' ? await calendlyCalendar() : await calcomCalendar()
  const stripe = await fakeStripe()
  const scheduling = await providerLine(calendar.url, tripOf, acted)
  const payments = await providerLine(stripe.url, tripOf, acted)
  const lines: Line[] = [scheduling, payments]

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
      EVENT_TYPES: JSON.stringify({ consult: { id: calendar.eventTypeId } }),
      PAYMENT_PROVIDER_SECRET_KEY: FAKE_KEY,
      PAYMENT_PROVIDER_BASE_URL: payments.url,
      PAYMENT_LINK_STYLE: style,
    },
    appointments: calendar.appointments,
    /** Someone books on the scheduling page; returns the id of the booking. */
    bookOnPage: calendar.bookOnPage,
    openInvoice: (invoiceId: string, amount: number) =>
      stripe.set(invoiceId, { amount_due: amount, amount_remaining: amount }),
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
  eventTypeId: string
  appointments(): Appointment[]
  bookOnPage(start: number, email: string): string
  stop(): Promise<void>
}

async function calendlyCalendar(): Promise<Calendar> {
  const fake = await fakeCalendly({ hours: HOURS })
  return {
    url: fake.url,
    token: fake.state.token,
    eventTypeId: fake.eventType.id,
    appointments: () =>
      fake.state.events.map(({ id, start, status, invitees: [invitee], cancellation }) => ({
        bookingId: `bk_${id}`,
        start,
        email: invitee?.email ?? '',
        active: status === 'active',
        madeBy: markedIn(invitee?.tracking['utm_content']),
        endedBy: markedIn(cancellation?.reason),
      })),
    bookOnPage: (start, email) =>
      `bk_${fake.bookOnPage(start, { email, name: 'Robin Roe', timezone: ZONE })}`,
    stop: fake.stop,
  }
}

async function calcomCalendar(): Promise<Calendar> {
  const fake = await fakeCalcom({ hours: HOURS })
  const moveTo = (uid: string | undefined) => fake.state.bookings.find((one) => one.uid === uid)
  return {
    url: fake.url,
    token: fake.state.token,
    eventTypeId: String(fake.eventType.id),
    appointments: () =>
      fake.state.bookings.map((booking) => ({
        bookingId: `bk_${booking.uid}`,
        start: booking.start,
        email: booking.attendees[0]?.email ?? '',
        active: booking.status === 'accepted',
        // A move keeps the metadata of the booking it moved; its reason tells who moved it.
        madeBy:
          markedIn(booking.reschedulingReason) ?? markedIn(String(booking.metadata['consult_ref'])),
        endedBy:
          markedIn(booking.cancellationReason) ??
          markedIn(moveTo(booking.rescheduledToUid)?.reschedulingReason),
      })),
    bookOnPage: (start, email) =>
      `bk_${fake.bookOnPage(start, { email, name: 'Robin Roe', timeZone: ZONE }).uid}`,
    stop: fake.stop,
  }
}
