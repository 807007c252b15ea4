import { type Invitee, DECISIONS } from '../../../../src/core/domain/booking.ts'
import { isoUtc } from '../../../../src/core/domain/time/time.ts'
import type { Random } from '../../../support/random.ts'
import { CANARIES } from '../auditor/canaries.ts'
import { CALL } from '../world/questions.ts'
import type { SchedulingProvider } from '../world/scheduling.ts'

/** What a caller wants; `tag` is the same for every spelling of it, and for nothing else. */
export interface Payload {
  operation: string
  tag: string
  fields: Record<string, unknown>
  path?: Record<string, string>
}

const ZONES = ['UTC', 'UTC', 'UTC', 'America/New_York'] as const

export const PEOPLE: readonly Invitee[] = [1, 2, 3].map((n) => ({
  email: `${CANARIES.local}.${n}@mail${n}.example.com`,
  name: n === 3 ? null : `Ada ${CANARIES.name}`,
  timezone: ZONES[n]!,
}))

const payload = (operation: string, fields: object, path?: Record<string, string>): Payload => ({
  operation,
  tag: JSON.stringify([operation, fields, path]),
  fields: { ...fields },
  ...(path ? { path } : {}),
})

const book = (start: number, { email, name, timezone }: Invitee, said: object = {}): Payload =>
  payload('book_consult', {
    start_time: isoUtc(start),
    timezone,
    invitee_email: email,
    ...(name === null ? {} : { invitee_name: name }),
    ...said,
  })

/** What a caller gives to a kind that asks: all of it, or too little. */
function said(random: Random): object {
  const about = { question: 'What is it about?', answer: `The estate of ${CANARIES.name}` }
  const known = { question: 'Are you a client?', answer: random.pick(['Yes', 'No']) }
  const answers = random.weighted([
    [5, [about, known]],
    [3, [about]],
    [1, [known]],
  ])
  return { answers, ...(random.chance(0.5) && { phone: CANARIES.phone, location: CALL }) }
}

/** Draws what a caller wants, from a few things that several of them want at once. */
export function randomPayload(
  random: Random,
  { starts, bookings, asks, hasRequests }: SchedulingProvider,
  { invoices, clients, links }: Record<'invoices' | 'clients' | 'links', readonly string[]>,
): Payload {
  const booking = () => random.pick([...bookings.keys(), 'bk_p1', 'bk_p2'])
  const person = () => random.pick(PEOPLE)
  const maybe = <T extends object>(chance: number, more: T) => (random.chance(chance) ? more : {})
  return random.weighted<() => Payload>([
    [5, () => book(random.pick(starts), person(), asks && said(random))],
    [
      hasRequests ? 8 : 0,
      () => {
        const decision = random.pick(DECISIONS)
        const reason = decision === 'decline' && random.chance(0.5)
        return payload(
          'respond_to_booking',
          { decision, ...(reason && { reason: `That week is full, says ${CANARIES.name}` }) },
          { booking_id: booking() },
        )
      },
    ],
    [
      3,
      () =>
        payload(
          'cancel_booking',
          maybe(0.4, { reason: `No time, says ${CANARIES.name}. Mail ${person().email}` }),
          {
            booking_id: booking(),
          },
        ),
    ],
    [
      6,
      () =>
        payload(
          'reschedule_booking',
          {
            start_time: isoUtc(random.pick(starts)),
            ...maybe(0.3, { invitee_email: person().email }),
            ...maybe(0.2, { timezone: 'America/New_York' }),
          },
          { booking_id: booking() },
        ),
    ],
    [3, () => payload('create_payment_link', { invoice_id: random.pick(invoices) })],
    [
      links.length > 0 ? 2 : 0,
      () => payload('end_payment_link', {}, { payment_link_id: random.pick(links) }),
    ],
    [
      2,
      () =>
        payload('create_client_profile', {
          entity_type: 'individual',
          display_name: `Ada ${CANARIES.name}`,
          contact_email: person().email,
        }),
    ],
    [
      clients.length > 0 ? 4 : 0,
      () =>
        payload(
          'submit_intake_answers',
          { answers: { primary_goal: 'retirement', notes: `Mail me at ${person().email}` } },
          { client_id: clients.at(-1) ?? '' },
        ),
    ],
  ])()
}

/** The same payload in another spelling, or as it is. */
export function respelled({ fields }: Payload, random: Random): Record<string, unknown> {
  const { start_time, invitee_email, phone } = fields
  return {
    ...fields,
    ...(typeof start_time === 'string' && random.chance(0.2)
      ? { start_time: start_time.replace('Z', '+00:00') }
      : {}),
    ...(phone !== undefined && random.chance(0.2) ? { phone: '(202) 555-0173' } : {}),
    ...(typeof invitee_email === 'string' && random.chance(0.2)
      ? { invitee_email: invitee_email.replace(/@.*/, (domain) => domain.toUpperCase()) }
      : {}),
  }
}
