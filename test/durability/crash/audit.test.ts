import { describe, expect, it } from 'vitest'

import { randomFrom } from '../../support/random.ts'
import { audited } from './audit.ts'
import type { Answer, Flow, Kind } from './flow.ts'
import type { Appointment, Link, World } from './providers.ts'

const ID = 'x'.repeat(22)
const START = Date.parse('2026-11-24T15:00:00Z')
const EMAIL = 'person1@crash.example'
const SAID = { answer: 'A letter.', phone: '+12025550147' }
const OLD = { bookingId: 'bk_old', start: START - 3_600_000, email: EMAIL }
const UNKNOWN = { code: 'outcome_unknown', effect: 'unknown' }

const flowOf = (kind: Kind, body: Answer, more: Partial<Flow> = {}): Flow => {
  const end = { confirm: true, body, replayed: false, instance: 0 }
  return {
    number: 1,
    kind,
    label: kind,
    key: 'crash-flow-1',
    byKey: true,
    path: '/',
    fields: {},
    email: EMAIL,
    start: START,
    manners: {
      together: 1,
      hangsUp: false,
      asksFirst: false,
      givesUp: false,
      person: 'approve',
      stranger: 'no one',
    },
    random: randomFrom(1),
    id: ID,
    replies: [end],
    end,
    commits: 1,
    ...more,
  }
}

const appointment = (more: Partial<Appointment>): Appointment => ({
  bookingId: 'bk_new',
  start: START,
  email: EMAIL,
  active: true,
  waits: false,
  said: {},
  madeBy: ID,
  endedBy: undefined,
  ...more,
})

interface Truth {
  appointments?: Appointment[]
  links?: Link[]
  /** The paths of the changes that were carried out. */
  sent?: string[]
}
const worldOf = ({ appointments = [], links = [], sent = [] }: Truth) => {
  const passages = sent.map((path) => ({ path, id: ID, step: '0', state: 'answered', status: 200 }))
  const world = { style: 'payment_link', appointments: () => appointments, links: () => links }
  return { ...world, passages: () => passages } as unknown as World
}

const committed = (result: Record<string, unknown>): Answer => ({ status: 'committed', result })
const booked = committed({
  booking_id: 'bk_new',
  start_time: new Date(START).toISOString(),
  state: 'confirmed',
})
const booking = flowOf('book', booked, { said: SAID })
const moved = flowOf('move', booked, { said: SAID, old: OLD })
const request = (answered?: 'accept' | 'decline', answeredWith?: string) =>
  appointment({ ...OLD, madeBy: undefined, waits: !answered, answered, answeredWith })
const decline = { old: OLD, decision: 'decline', fields: { reason: 'Full.' } } as const
const declined = flowOf('respond', committed({}), decline)
const unsure = flowOf('respond', UNKNOWN, decline)
const link = (more: Partial<Link> = {}): Link => ({
  id: 'plink_1',
  url: 'https://buy.stripe.com/1',
  invoiceId: 'in_1',
  amount: 5,
  active: true,
  madeBy: ID,
  ...more,
})
const aim = { invoice: { id: 'in_1', amount: 5 }, linkId: 'plink_1' }
const ended = flowOf('end payment link', committed({}), aim)
const paid = (invoice_id: string) =>
  flowOf('payment link', committed({ invoice_id, amount: 5, url: link().url }), aim)

const before = appointment({ ...OLD, active: false, madeBy: undefined, endedBy: ID, said: SAID })
const [DECLINE, CONFIRM] = ['/v2/bookings/old/decline', '/v2/bookings/old/confirm']

describe('the auditor of the kills', () => {
  it.each<[string, Flow, Truth]>([
    ['a booking without its answers', booking, { appointments: [appointment({})] }],
    [
      'a booking with the number of another',
      booking,
      { appointments: [appointment({ said: { ...SAID, phone: '+12025550148' } })] },
    ],
    ['a move that lost them', moved, { appointments: [before, appointment({})] }],
    [
      'a booking that waits, said to be confirmed',
      booking,
      { appointments: [appointment({ said: SAID, waits: true })] },
    ],
    ['a decline that is not there', declined, { appointments: [request()] }],
    [
      'the opposite of what was answered',
      declined,
      { appointments: [request('accept')], sent: [CONFIRM] },
    ],
    [
      'a decline with another reason',
      declined,
      { appointments: [request('decline')], sent: [DECLINE] },
    ],
    [
      'two answers to one request',
      declined,
      { appointments: [request('decline', 'Full.')], sent: [DECLINE, DECLINE] },
    ],
    [
      'doubt about a decline that is there',
      unsure,
      { appointments: [request('decline', 'Full.')], sent: [DECLINE] },
    ],
    ['an answer that no one sent', unsure, { appointments: [request('accept')] }],
    ['an end of a link that is on', ended, { links: [link()] }],
    ['a link for another invoice', paid('in_2'), { links: [link()] }],
  ])('finds %s', (_what, flow, truth) => {
    expect(audited(flow, worldOf(truth)).length).toBeGreaterThan(0)
  })
})
