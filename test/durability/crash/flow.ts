import type { Decision } from '../../../src/core/domain/booking.ts'
import { DAY, MINUTE } from '../../../src/core/domain/time/duration.ts'
import type { Random } from '../../support/random.ts'
import { ABOUT, CALL, type Said, type World } from './providers.ts'

export type Kind =
  | 'book'
  | 'move'
  | 'move to another address'
  | 'cancel'
  | 'respond'
  | 'payment link'
  | 'end payment link'
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
  /** The kind and what is special in it, as reports count it. */
  label: string
  key: string
  /** It asks with an API key, to which the scopes are granted that count only by name. */
  byKey: boolean
  path: string
  fields: Record<string, unknown>
  /** Who is to come, and when. */
  email: string
  start: number
  /** What the invitee said, and each booking for this flow has to have; undefined where its kind of consult asks nothing. */
  said?: Said
  /** The booking that is moved, cancelled or answered. */
  old?: { bookingId: string; start: number; email: string }
  decision?: Decision
  invoice?: { id: string; amount: number }
  /** The payment link that is ended. */
  linkId?: string
  /** The end of the path of its only change, where that carries no marker of ours. */
  changes?: string
  manners: Manners
  random: Random
  /** The token of its preview, and the random id in it. */
  token?: string
  id?: string
  replies: Reply[]
  /** What a person who was asked has said, unless it was lost. */
  decided?: Manners['person']
  /** At which connector, and until when that should have had its effect. */
  decidedAt?: { instance: number; until: number }
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
  [3, 'end payment link'],
  [1, 'create client'],
  [1, 'submit intake'],
] as const satisfies (readonly [number, Kind])[]
/** How often a request is answered, where the provider has requests. */
const RESPONSES = 4
/** How often a booking or a move is of a kind that asks, and a booking of one that the practice has to accept. */
const ASKS = 0.4
const WAITS = 0.2
/** How often an invoice is named by the number that is printed on it. */
const BY_NUMBER = 0.5
/** How often a flow asks with an API key that could do without. */
const BY_KEY = 0.3
/** The kinds that need a scope which counts only by name. */
const NEED_KEY: readonly Kind[] = ['respond', 'end payment link']

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
    const wanted = random.weighted<Kind>([...KINDS, [world.hasRequests ? RESPONSES : 0, 'respond']])
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
      label: kind,
      byKey: NEED_KEY.includes(kind) || random.chance(BY_KEY),
      start,
      manners,
      random,
      replies: [],
      commits: 0,
      ...aimOf(kind, { number, start, random }),
    }
    return hasRival(flow) ? [flow, rivalOf(flow)] : [flow]
  }

  type Aim = Pick<Flow, 'path' | 'fields'> & Partial<Flow>

  function aimOf(
    kind: Kind,
    { number, start, random }: Pick<Flow, 'number' | 'start' | 'random'>,
  ): Aim {
    const { email } = personOf(number)
    switch (kind) {
      case 'book':
        return booking({ number, start, random })
      case 'move':
      case 'move to another address': {
        const said = random.chance(ASKS) ? saidBy(number) : undefined
        const old = booked(`before${number}@crash.example`, said)
        const fields = {
          start_time: iso(start),
          ...(kind === 'move' ? {} : { invitee_email: email }),
        }
        const path = `/v1/bookings/${old.bookingId}/reschedule`
        return { path, fields, old, ...(said && { said, label: `${kind}, with answers` }) }
      }
      case 'cancel': {
        const old = booked(email)
        const fields = number % 2 === 0 ? { reason: 'The client is travelling.' } : {}
        return { path: `/v1/bookings/${old.bookingId}/cancel`, fields, old }
      }
      case 'respond': {
        const requested = newSlot()
        const old = { bookingId: world.requestOnPage(requested, email), start: requested, email }
        const path = `/v1/bookings/${old.bookingId}/respond`
        return { path, old, ...responseOf(old.bookingId, random.pick(['accept', 'decline'])) }
      }
      case 'payment link': {
        const invoice = { id: `in_crash${number}`, amount: 10_000 + number }
        const printed = world.openInvoice(invoice.id, invoice.amount)
        const byNumber = random.chance(BY_NUMBER)
        const fields = { invoice_id: byNumber ? printed : invoice.id }
        const label = { label: `${kind}, by number` }
        return { path: '/v1/payment-links', fields, invoice, ...(byNumber && label) }
      }
      case 'end payment link': {
        const invoice = { id: `in_crash${number}`, amount: 10_000 + number }
        world.openInvoice(invoice.id, invoice.amount)
        const linkId = world.linkFor(invoice.id, invoice.amount)
        const path = `/v1/payment-links/${linkId}/end`
        return { path, fields: {}, invoice, linkId, changes: `/payment_links/${linkId}` }
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

  function booking({ number, start, random }: Pick<Flow, 'number' | 'start' | 'random'>): Aim {
    const path = '/v1/bookings'
    const fields = { ...timed(start), invitee_email: personOf(number).email }
    if (random.chance(ASKS)) {
      const said = saidBy(number)
      return {
        path,
        fields: { ...fields, event_type: 'asking', ...fieldsOf(said) },
        said,
        label: 'book, with answers',
      }
    }
    if (world.hasRequests && random.chance(WAITS))
      return {
        path,
        fields: { ...fields, event_type: 'requested' },
        label: 'book, to be accepted',
      }
    return { path, fields }
  }

  function booked(email: string, said?: Said) {
    const start = newSlot()
    return { bookingId: world.bookOnPage(start, email, said), start, email }
  }

  /** One side of an answer to a request. */
  function responseOf(bookingId: string, decision: Decision) {
    const isDecline = decision === 'decline'
    return {
      fields: { decision, ...(isDecline && { reason: 'That week is fully booked.' }) },
      decision,
      label: `respond, ${decision}`,
      changes: `/bookings/${bookingId.slice('bk_'.length)}/${isDecline ? 'decline' : 'confirm'}`,
    }
  }

  const hasRival = ({ kind, random }: Flow) =>
    ['book', 'cancel', 'respond', 'payment link'].includes(kind) && random.chance(0.15)

  /** Wants the same time, booking or invoice under another key, for someone else; or the other answer to the same request. */
  function rivalOf(flow: Flow): Flow {
    const number = (made += 1)
    const person = personOf(number)
    const rival = { ...flow, ...person, number, replies: [], random: randomOf(number) }
    switch (flow.kind) {
      case 'book': {
        const said = flow.said && saidBy(number)
        const fields = { ...flow.fields, invitee_email: person.email, ...(said && fieldsOf(said)) }
        return { ...rival, fields, ...(said && { said }) }
      }
      case 'respond':
        return {
          ...rival,
          ...responseOf(flow.old!.bookingId, flow.decision === 'accept' ? 'decline' : 'accept'),
        }
      default:
        return rival
    }
  }

  return { next, made: () => made }
}

const personOf = (number: number) => ({
  key: `crash-flow-${number}`,
  email: `person${number}@crash.example`,
})
const iso = (ms: number): string => new Date(ms).toISOString()
const timed = (start: number) => ({ start_time: iso(start), timezone: ZONE })
const saidBy = (number: number): Said => ({
  answer: `The estate of my aunt Quillfeather, letter ${number}`,
  phone: `+1202555${String(100 + (number % 100)).padStart(4, '0')}`,
})
/** As a request says it. */
const fieldsOf = ({ answer, phone }: Said) => ({
  answers: [{ question: ABOUT, answer }],
  phone: phone.replace(/^\+1(...)(...)/, '($1) $2-'),
  location: CALL,
})
