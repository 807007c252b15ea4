import { type Invitee, DECISIONS } from '../../../../src/core/domain/booking.ts'
import { isoUtc } from '../../../../src/core/domain/time/time.ts'
import { MUTATIONS } from '../../../../src/practice/operations/index.ts'
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

type Draw = Pick<Payload, 'fields' | 'path'>

const book = (start: number, { email, name, timezone }: Invitee, said: object = {}) => ({
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

/** Draws what a caller wants, of every change there is, from a few things that several of them want at once. */
export function randomPayload(
  random: Random,
  { starts, bookings, asks, hasRequests }: SchedulingProvider,
  { invoices, clients, links }: Record<'invoices' | 'clients' | 'links', readonly string[]>,
): Payload {
  const booking = () => random.pick([...bookings.keys(), 'bk_p1', 'bk_p2'])
  /** Mostly the newest that waits for an answer. */
  const request = () => {
    const [newest] = [...bookings.values()].filter(({ over, waits }) => waits && !over).slice(-1)
    return newest && random.chance(0.7) ? newest.id : booking()
  }
  const person = () => random.pick(PEOPLE)
  const maybe = <T extends object>(chance: number, more: T) => (random.chance(chance) ? more : {})
  const drawn: Record<string, readonly [weight: number, draw: () => Draw]> = {
    book_consult: [
      5,
      () => ({ fields: book(random.pick(starts), person(), asks && said(random)) }),
    ],
    respond_to_booking: [
      hasRequests ? 8 : 0,
      () => {
        const decision = random.pick(DECISIONS)
        const isExplained = decision === 'decline' && random.chance(0.5)
        const reason = isExplained && { reason: `That week is full, says ${CANARIES.name}` }
        return { fields: { decision, ...reason }, path: { booking_id: request() } }
      },
    ],
    cancel_booking: [
      3,
      () => ({
        fields: maybe(0.4, { reason: `No time, says ${CANARIES.name}. Mail ${person().email}` }),
        path: { booking_id: booking() },
      }),
    ],
    reschedule_booking: [
      6,
      () => ({
        fields: {
          start_time: isoUtc(random.pick(starts)),
          ...maybe(0.3, { invitee_email: person().email }),
          ...maybe(0.2, { timezone: 'America/New_York' }),
        },
        path: { booking_id: booking() },
      }),
    ],
    create_payment_link: [3, () => ({ fields: { invoice_id: random.pick(invoices) } })],
    end_payment_link: [
      links.length > 0 ? 8 : 0,
      () => ({ fields: {}, path: { payment_link_id: random.pick(links) } }),
    ],
    create_client_profile: [
      2,
      () => ({
        fields: {
          entity_type: 'individual',
          display_name: `Ada ${CANARIES.name}`,
          contact_email: person().email,
        },
      }),
    ],
    submit_intake_answers: [
      clients.length > 0 ? 4 : 0,
      () => ({
        fields: {
          answers: { primary_goal: 'retirement', notes: `Mail me at ${person().email}` },
        },
        path: { client_id: clients.at(-1) ?? '' },
      }),
    ],
    invite_client: [
      1,
      () => ({ fields: { ask: random.pick([['details'], ['details', 'intake'], ['time']]) } }),
    ],
  }
  const operation = random.weighted(
    MUTATIONS.map(({ name }) => {
      if (!drawn[name]) throw new Error(`No caller of the simulation wants ${name}.`)
      return [drawn[name][0], name] as const
    }),
  )
  const draw = drawn[operation]![1]()
  return { operation, tag: JSON.stringify([operation, draw.fields, draw.path]), ...draw }
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
