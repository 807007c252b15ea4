import { DAY, MINUTE } from '../../../src/core/domain/time/duration.ts'
import type { Random } from '../../support/random.ts'
import type { World } from './providers.ts'

export type Kind =
  | 'book'
  | 'move'
  | 'move to another address'
  | 'cancel'
  | 'payment link'
  | 'create client'
  | 'submit intake'

/** The fields of an answer that the callers and the auditor read. */
export interface Answer {
  status?: string | number
  code?: string
  effect?: string
  request_id?: string
  confirmation_token?: string
  needs_attention?: boolean
  free_slots?: unknown
  result?: Record<string, unknown>
  booking?: Record<string, unknown>
}

/** One answer that a caller got. */
export interface Reply {
  confirm: boolean
  body: Answer
  replayed: boolean
  /** How many connectors had ended before. */
  instance: number
}

/** One intention of one caller under one idempotency key, with all that its caller knows. */
export interface Flow {
  number: number
  kind: Kind
  key: string
  path: string
  fields: Record<string, unknown>
  /** Who is to come, and when. */
  email: string
  start: number
  /** The booking that is moved or cancelled. */
  old?: { bookingId: string; start: number; email: string }
  invoice?: { id: string; amount: number }
  manners: Manners
  random: Random
  /** The token of its preview, and the random id in it. */
  token?: string
  id?: string
  replies: Reply[]
  /** What a person who was asked has said, unless it was lost. */
  decided?: Manners['person']
  /** The answer it rests at. */
  end?: Reply
  /** How often a commit has been asked for. */
  commits: number
}

/** How a caller behaves. */
export interface Manners {
  /** So many commits of the same preview at once. */
  together: number
  /** Hangs up before the answer, now and then. */
  hangsUp: boolean
  /** Asks with confirm=false before it repeats a commit. */
  asksFirst: boolean
  /** Does not repeat what was answered to have no effect. */
  givesUp: boolean
  /** What a person says, where one is asked. */
  person: 'approve' | 'decline'
  /** Who takes the new time between the two steps of a move, or the old one too. */
  stranger: 'no one' | 'takes the new time' | 'takes both times'
}

const KINDS = [
  [6, 'book'],
  [5, 'move'],
  [5, 'move to another address'],
  [4, 'cancel'],
  [4, 'payment link'],
  [1, 'create client'],
  [1, 'submit intake'],
] as const satisfies (readonly [number, Kind])[]
const STRANGERS = [
  [6, 'no one'],
  [2, 'takes the new time'],
  [1, 'takes both times'],
] as const satisfies (readonly [number, Manners['stranger']])[]

const HALF_HOUR = 30 * MINUTE
const ZONE = 'Europe/Lisbon'

/** Makes flows, each with a time, a person and an invoice of its own; `clients` are ids that intake may name. */
export function flowSource(
  world: World,
  randomOf: (number: number) => Random,
  clients: readonly string[],
) {
  // Two days ahead nothing passes while this runs, and every half hour is open.
  const first = Math.ceil(Date.now() / DAY + 2) * DAY
  let made = 0
  let slots = 0
  const newSlot = () => first + HALF_HOUR * (slots += 1)

  function next(): Flow[] {
    const number = (made += 1)
    const random = randomOf(number)
    const wanted = random.weighted<Kind>(KINDS)
    const kind = wanted === 'submit intake' && clients.length === 0 ? 'create client' : wanted
    const isMove = kind === 'move' || kind === 'move to another address'
    const manners: Manners = {
      together: random.chance(0.25) ? random.int(5, 10) : 1,
      hangsUp: random.chance(0.2),
      asksFirst: random.chance(0.3),
      givesUp: random.chance(0.2),
      person: random.chance(0.8) ? 'approve' : 'decline',
      stranger: isMove ? random.weighted<Manners['stranger']>(STRANGERS) : 'no one',
    }
    const start = newSlot()
    const flow: Flow = {
      ...personOf(number),
      number,
      kind,
      start,
      manners,
      random,
      replies: [],
      commits: 0,
      ...aimOf(kind, number, start),
    }
    return hasRival(flow) ? [flow, rivalOf(flow)] : [flow]
  }

  function aimOf(
    kind: Kind,
    number: number,
    start: number,
  ): Pick<Flow, 'path' | 'fields' | 'old' | 'invoice'> {
    const { email } = personOf(number)
    switch (kind) {
      case 'book':
        return { path: '/v1/bookings', fields: { ...timed(start), invitee_email: email } }
      case 'move':
      case 'move to another address': {
        const old = booked(`before${number}@crash.example`)
        const fields = {
          start_time: iso(start),
          ...(kind === 'move' ? {} : { invitee_email: email }),
        }
        return { path: `/v1/bookings/${old.bookingId}/reschedule`, fields, old }
      }
      case 'cancel': {
        const old = booked(email)
        const fields = number % 2 === 0 ? { reason: 'The client is travelling.' } : {}
        return { path: `/v1/bookings/${old.bookingId}/cancel`, fields, old }
      }
      case 'payment link': {
        const invoice = { id: `in_crash${number}`, amount: 10_000 + number }
        world.openInvoice(invoice.id, invoice.amount)
        return { path: '/v1/payment-links', fields: { invoice_id: invoice.id }, invoice }
      }
      case 'create client':
        return {
          path: '/v1/clients',
          fields: { entity_type: 'individual', display_name: 'Jordan Doe', contact_email: email },
        }
      case 'submit intake': {
        const client = clients[number % clients.length]!
        const fields = {
          answers: { primary_goal: 'retirement', household_members: (number % 12) + 1 },
        }
        return { path: `/v1/clients/${client}/intake`, fields }
      }
    }
  }

  function booked(email: string) {
    const start = newSlot()
    return { bookingId: world.bookOnPage(start, email), start, email }
  }

  const hasRival = ({ kind, random }: Flow) =>
    ['book', 'cancel', 'payment link'].includes(kind) && random.chance(0.15)

  /** Wants the same time, booking or invoice under another key, for someone else. */
  function rivalOf(flow: Flow): Flow {
    const number = (made += 1)
    const person = personOf(number)
    const fields =
      flow.kind === 'book' ? { ...flow.fields, invitee_email: person.email } : flow.fields
    return { ...flow, ...person, number, fields, replies: [], random: randomOf(number) }
  }

  return { next, made: () => made }
}

const personOf = (number: number) => ({
  key: `crash-flow-${number}`,
  email: `person${number}@crash.example`,
})
const iso = (ms: number): string => new Date(ms).toISOString()
const timed = (start: number) => ({ start_time: iso(start), timezone: ZONE })
