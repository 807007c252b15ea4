import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import {
  type PublishedBooking,
  type PublishedLink,
  type ProviderBookingState,
  bookingDifference,
  linkDifference,
  mayBeOwnChange,
  publishedBy,
} from '../../../../../src/core/domain/events/provider-changes.ts'
import {
  type HappenedEvent,
  factOf,
  topicRow,
} from '../../../../../src/core/domain/events/topics.ts'
import type { ProviderLinkState } from '../../../../../src/core/domain/payment-link.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../../../../src/core/domain/time/duration.ts'
import { isoInZone, isoUtc } from '../../../../../src/core/domain/time/time.ts'

const NOW = Date.parse('2026-11-23T15:00:00Z')
const SINCE = NOW - 10 * DAY
const START = NOW + 5 * DAY

const seenBooking = (more: Partial<ProviderBookingState> = {}): ProviderBookingState => ({
  bookingId: 'bk_1',
  eventTypeId: 'type-1',
  state: 'confirmed',
  start: START,
  end: START + HOUR,
  createdAt: NOW - HOUR,
  noShow: false,
  ...more,
})

/** What was published, and the log: what the event log keeps, without its storage. */
function published() {
  const states = new Map<string, PublishedBooking>()
  const log: HappenedEvent[] = []
  const append = (events: readonly HappenedEvent[]) => {
    for (const event of events)
      if (!log.some((one) => factOf(one) === factOf(event))) log.push(event)
  }
  return {
    log,
    states,
    types: () => log.map(({ type }) => type),
    sees(seen: ProviderBookingState, now = NOW) {
      const previous = seen.movedFrom === undefined ? undefined : states.get(seen.movedFrom)
      const step = bookingDifference(states.get(seen.bookingId), seen, {
        mode: 'live',
        now,
        since: SINCE,
        timezone: 'America/New_York',
        previous,
        eventType: 'consult',
      })
      for (const one of step.published) states.set(one.bookingId, one)
      append(step.events)
      return step.events
    },
    commits(event: HappenedEvent) {
      for (const one of publishedBy(event, (id) => states.get(id)))
        if ('bookingId' in one) states.set(one.bookingId, one)
      append([event])
    },
  }
}

const ours = (
  type: HappenedEvent['type'],
  booking_id: string,
  more: HappenedEvent['data'] = {},
): HappenedEvent => ({
  type,
  timestamp: isoUtc(NOW),
  mode: 'live',
  data: {
    booking_id,
    state: 'confirmed',
    start_time: isoUtc(START),
    source: 'connector',
    ...more,
  },
})

describe('a booking on the page of the provider', () => {
  it('is published as created once, with the fields of its topic and no others', () => {
    const here = published()
    const [event] = here.sees(seenBooking())
    expect(here.sees(seenBooking())).toEqual([])
    expect(event).toMatchObject({
      type: 'booking.created',
      data: { source: 'provider', booking_id: 'bk_1' },
    })
    expect(Object.keys(event!.data).toSorted()).toEqual(
      topicRow('booking.created').fields.toSorted(),
    )
  })

  it.each([
    ['before the connector began', SINCE - 1],
    ['at an unknown time', null],
  ])('that was made %s is no news, and what becomes of it is', (_when, createdAt) => {
    const here = published()
    expect(here.sees(seenBooking({ createdAt }))).toEqual([])
    here.sees(seenBooking({ createdAt, state: 'cancelled' }))
    expect(here.types()).toEqual(['booking.cancelled'])
  })

  it('that waits for the practice is confirmed when it is accepted, and cancelled when it is declined', () => {
    const pending = seenBooking({ state: 'pending_host_approval' })
    const accepted = published()
    accepted.sees(pending)
    accepted.sees(seenBooking())
    expect(accepted.types()).toEqual(['booking.created', 'booking.confirmed'])
    const declined = published()
    declined.sees(pending)
    declined.sees(seenBooking({ state: 'cancelled' }))
    expect(declined.types()).toEqual(['booking.created', 'booking.cancelled'])
  })

  it('that is accepted through this service is confirmed once, whichever is read first', () => {
    for (const isReadFirst of [true, false]) {
      const here = published()
      here.sees(seenBooking({ state: 'pending_host_approval' }))
      const accepted = () => here.commits(ours('booking.confirmed', 'bk_1'))
      if (!isReadFirst) accepted()
      const more = here.sees(seenBooking())
      if (isReadFirst) accepted()
      else expect(more).toEqual([])
      expect(here.types()).toEqual(['booking.created', 'booking.confirmed'])
      expect(here.states.get('bk_1')).toMatchObject({ state: 'confirmed', start: START })
    }
  })

  it('that was over and is accepted there again is confirmed each time, and its later end is news', () => {
    const here = published()
    here.sees(seenBooking({ state: 'pending_host_approval' }))
    here.commits(ours('booking.cancelled', 'bk_1', { state: 'cancelled' }))
    for (const state of ['confirmed', 'confirmed', 'cancelled', 'cancelled', 'confirmed'] as const)
      here.sees(seenBooking({ state, start: START + DAY, end: START + DAY + HOUR }))
    expect(here.log.map(({ type, data }) => `${type} ${data.source}`)).toEqual([
      'booking.created provider',
      'booking.cancelled connector',
      'booking.confirmed provider',
      'booking.cancelled provider',
      'booking.confirmed provider',
    ])
    expect(here.log.at(-1)?.data).toMatchObject({
      state: 'confirmed',
      start_time: isoInZone(START + DAY, 'America/New_York'),
    })
    const accepted = here.states.get('bk_1')
    here.commits(ours('booking.cancelled', 'bk_1', { state: 'cancelled' }))
    expect(here.states.get('bk_1')).toEqual(accepted)
  })

  it('that was moved and is accepted again at its old time is confirmed once, and not moved again', () => {
    const here = published()
    const next = seenBooking({ bookingId: 'bk_2', movedFrom: 'bk_1', start: START + DAY })
    here.sees(seenBooking())
    here.sees(next)
    for (const one of [seenBooking({ movedTo: 'bk_2' }), next, seenBooking({ movedTo: 'bk_2' })])
      here.sees(one)
    expect(here.types()).toEqual(['booking.created', 'booking.rescheduled', 'booking.confirmed'])
    expect(here.states.get('bk_2')).toMatchObject({ state: 'confirmed', start: START + DAY })
  })

  it('that gets another time under its own id is rescheduled each time, there and back', () => {
    const here = published()
    here.sees(seenBooking())
    for (const start of [START + DAY, START, START + DAY]) here.sees(seenBooking({ start }))
    expect(here.types().slice(1)).toEqual(Array.from({ length: 3 }, () => 'booking.rescheduled'))
  })

  it('whose mark was not read keeps the one that was published', () => {
    const here = published()
    here.sees(seenBooking({ noShow: true }))
    const { noShow: _unread, ...unread } = seenBooking()
    expect(here.sees(unread)).toEqual([])
  })

  it('that was over for more than 30 days is left alone', () => {
    const here = published()
    const old = { start: NOW - 31 * DAY, end: NOW - 31 * DAY + HOUR }
    for (const state of ['confirmed', 'cancelled'] as const)
      here.sees(seenBooking({ ...old, state }))
    expect(here.log).toEqual([])
  })
})

describe('what was seen of a booking may be a change of ours that is not published yet', () => {
  const one = (state: PublishedBooking['state'], more: Partial<PublishedBooking> = {}) => ({
    bookingId: 'bk_1',
    state,
    start: START,
    noShow: false,
    repeats: 0,
    ...more,
  })
  const again = { acceptedAgain: 1 }
  it.each([
    ['made here, its event not read yet', undefined, undefined, 'confirmed', ['booking'], true],
    ['made there', undefined, undefined, 'confirmed', [], false],
    ['ended here at once', undefined, undefined, 'cancelled', ['booking_end'], true],
    ['ended here', one('confirmed'), one('confirmed'), 'cancelled', ['booking_end'], true],
    ['ended there', one('confirmed'), one('confirmed'), 'cancelled', ['booking'], false],
    [
      'accepted here',
      one('pending_host_approval'),
      one('pending_host_approval'),
      'confirmed',
      ['booking_acceptance'],
      true,
    ],
    [
      'accepted there',
      one('pending_host_approval'),
      one('pending_host_approval'),
      'confirmed',
      [],
      false,
    ],
    ['read before it ended', one('confirmed'), one('cancelled'), 'confirmed', [], true],
    ['first heard of as over', undefined, one('cancelled'), 'confirmed', [], true],
    ['read before it was moved', one('confirmed'), one('moved'), 'confirmed', [], true],
    ['accepted again', one('cancelled'), one('cancelled'), 'confirmed', ['booking_end'], false],
    [
      'ended once more',
      one('confirmed', again),
      one('confirmed', again),
      'cancelled',
      ['booking_end'],
      false,
    ],
  ] as const)('%s', (_how, before, published, state, recorded, isOurs) => {
    const isRecorded = (kind: string) => (recorded as readonly string[]).includes(kind)
    const known = { before, published, seen: seenBooking({ state }), isRecorded }
    expect(mayBeOwnChange({ ...known, age: MINUTE })).toBe(isOurs)
  })

  it('and one that is over is looked at twice: a read right after its end may lag behind', () => {
    const known = { before: one('cancelled'), published: one('cancelled'), seen: seenBooking() }
    const ages = [0, 14 * SECOND, 15 * SECOND]
    const isOurs = ages.map((age) => mayBeOwnChange({ ...known, age, isRecorded: () => true }))
    expect(isOurs).toEqual([true, true, false])
  })
})

describe('a booking made here', () => {
  it('keeps what happened to it since, when its event arrives again', () => {
    const here = published()
    const created = ours('booking.created', 'bk_1')
    here.commits(created)
    here.sees(seenBooking({ state: 'cancelled' }))
    here.commits(created)
    expect(here.sees(seenBooking({ state: 'cancelled' }))).toEqual([])
    expect(here.types()).toEqual(['booking.created', 'booking.cancelled'])
  })
})

type Act =
  | 'book here'
  | 'book there'
  | 'cancel here'
  | 'cancel there'
  | 'move here'
  | 'move there'
  | 'mark'

/** A provider whose bookings people and the connector change, and a log that is sent notifications of some of it. */
function worldOf() {
  const here = published()
  const bookings: ProviderBookingState[] = []
  const done: string[] = []
  const alive = () => bookings.filter(({ state }) => state !== 'cancelled')
  const add = (more: Partial<ProviderBookingState> = {}): ProviderBookingState => {
    const one = seenBooking({
      bookingId: `bk_${bookings.length + 1}`,
      start: START + bookings.length * HOUR,
      ...more,
    })
    bookings.push(one)
    return one
  }
  const change = (one: ProviderBookingState, more: Partial<ProviderBookingState>) => {
    bookings[bookings.indexOf(one)] = { ...one, ...more }
  }
  return {
    here,
    bookings,
    done,
    act(act: Act, pick: number) {
      const one = alive()[pick % Math.max(1, alive().length)]
      if (act === 'book here') {
        const { bookingId, start } = add()
        here.commits(ours('booking.created', bookingId, { start_time: isoUtc(start) }))
        done.push(`booking.created|${bookingId}`)
      } else if (act === 'book there') done.push(`booking.created|${add().bookingId}`)
      else if (!one) return
      else if (act === 'cancel here') {
        change(one, { state: 'cancelled' })
        here.commits(ours('booking.cancelled', one.bookingId, { state: 'cancelled' }))
        done.push(`booking.cancelled|${one.bookingId}`)
      } else if (act === 'cancel there') {
        change(one, { state: 'cancelled' })
        done.push(`booking.cancelled|${one.bookingId}`)
      } else if (act === 'move here') {
        // By cancelling and booking: the provider does not know that they belong together.
        change(one, { state: 'cancelled' })
        const { bookingId, start } = add()
        const previous_booking_id = one.bookingId
        here.commits(
          ours('booking.rescheduled', bookingId, {
            previous_booking_id,
            start_time: isoUtc(start),
          }),
        )
        done.push(`booking.rescheduled|${bookingId}`)
      } else if (act === 'move there') {
        const { bookingId } = add({ movedFrom: one.bookingId })
        change(one, { state: 'cancelled', movedTo: bookingId })
        done.push(`booking.rescheduled|${bookingId}`)
      } else {
        change(one, { noShow: !one.noShow })
        done.push(`booking.no_show|${one.bookingId}`)
      }
    },
  }
}

const ACTS: Act[] = [
  'book here',
  'book there',
  'cancel here',
  'cancel there',
  'move here',
  'move there',
  'mark',
]

describe('whatever happens, and whatever notifications of it arrive', () => {
  const story = fc.array(
    fc.oneof(
      fc.record({ act: fc.constantFrom(...ACTS), pick: fc.nat(9) }),
      fc.record({ notification: fc.nat(20), stale: fc.boolean() }),
    ),
    { maxLength: 60 },
  )

  it('each change of a commit is in the log once, and each of the provider that a notification named at once', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ act: fc.constantFrom(...ACTS), pick: fc.nat(9) }), { maxLength: 40 }),
        (acts) => {
          const world = worldOf()
          for (const { act, pick } of acts) {
            world.act(act, pick)
            // Doubled and reordered.
            for (const seen of [...world.bookings.toReversed(), ...world.bookings])
              world.here.sees(seen)
          }
          const logged = world.here.log.map(factOf).map((fact) => fact.split('|', 2).join('|'))
          expect(logged.toSorted()).toEqual(world.done.toSorted())
        },
      ),
      { numRuns: 300 },
    )
  })

  it('after a look at everything the log ends where the provider is, no fact twice, and nothing of ours as its own', () => {
    fc.assert(
      fc.property(story, (steps) => {
        const world = worldOf()
        const { here, bookings } = world
        const past: ProviderBookingState[] = []
        for (const step of steps) {
          if ('act' in step) {
            past.push(...bookings)
            world.act(step.act, step.pick)
          } else {
            const seen = bookings[step.notification % Math.max(1, bookings.length)]
            if (seen) here.sees(seen)
          }
        }
        for (const seen of bookings) here.sees(seen)
        for (const seen of bookings) expect(here.sees(seen)).toEqual([])

        const facts = here.log.map(factOf)
        expect(new Set(facts).size).toBe(facts.length)
        const about = (id: string) => here.log.filter(({ data }) => data.booking_id === id)
        for (const { bookingId, state, movedTo, noShow = false, start } of bookings) {
          const events = about(bookingId)
          const types = events.map(({ type }) => type)
          const isMoved = here.log.some(({ data }) => data.previous_booking_id === bookingId)
          // What was over before a notification of it arrived needs no event.
          const wasPublished = types[0] === 'booking.created' || types[0] === 'booking.rescheduled'
          const ended = isMoved || types.includes('booking.cancelled')
          if (state === 'cancelled')
            expect([bookingId, ended || !wasPublished]).toEqual([bookingId, true])
          else {
            expect(['booking.created', 'booking.rescheduled']).toContain(types[0])
            expect(here.states.get(bookingId)).toMatchObject({ state, start })
            const marks = events.flatMap(({ data }) => data.no_show ?? [])
            expect(marks.at(-1) ?? false).toBe(noShow)
          }
          if (movedTo !== undefined || isMoved) expect(types).not.toContain('booking.cancelled')
        }
        const commits = here.log
          .filter(({ data }) => data.source === 'connector')
          .map(({ type, data }) => `${type}|${data.booking_id}`)
        for (const { type, data } of here.log)
          if (data.source === 'provider')
            expect(commits).not.toContain(`${type}|${data.booking_id}`)
      }),
      { numRuns: 500 },
    )
  })
})

describe('a payment link', () => {
  const LINK: PublishedLink = {
    paymentLinkId: 'pl_in_1',
    invoiceId: 'in_1',
    state: 'open',
    failures: 0,
    submitted: false,
  }
  const seenLink = (more: Partial<ProviderLinkState> = {}): ProviderLinkState => ({
    paymentLinkId: 'pl_in_1',
    invoiceId: 'in_1',
    status: 'open',
    amount: 25_000,
    amountPaid: 0,
    currency: 'usd',
    failures: 0,
    switchedOff: false,
    isCompleted: false,
    ...more,
  })
  function follow(...seen: Partial<ProviderLinkState>[]) {
    const log: string[] = []
    let now = LINK
    for (const one of seen) {
      const {
        events,
        published: [next = now],
      } = linkDifference(now, seenLink(one), { mode: 'live', now: NOW })
      for (const event of events) {
        expect(Object.keys(event.data).toSorted()).toEqual(topicRow(event.type).fields.toSorted())
        log.push(
          `${factOf(event)} ${event.data.invoice_status} ${event.data.amount_remaining} left, ${event.data.amount_paid} paid`,
        )
      }
      now = next
    }
    return log
  }
  const PAID = { status: 'paid', amount: 0, amountPaid: 25_000 } as const

  it('that is paid is published once, with what was paid', () => {
    expect(follow({}, PAID, PAID, {})).toEqual([
      'payment_link.paid|pl_in_1 paid 0 left, 25000 paid',
    ])
  })

  it('whose page was completed is published as submitted, once, and paid once the invoice says so', () => {
    const completed = { isCompleted: true }
    expect(follow({}, completed, completed, { ...completed, ...PAID })).toEqual([
      'payment_link.submitted|pl_in_1 open 25000 left, 0 paid',
      'payment_link.paid|pl_in_1 paid 0 left, 25000 paid',
    ])
  })

  it('that was completed after it had been ended is published all the same: money may have come', () => {
    expect(follow({ switchedOff: true }, { isCompleted: true }, { isCompleted: true })).toEqual([
      'payment_link.closed|pl_in_1 open 25000 left, 0 paid',
      'payment_link.submitted|pl_in_1 open 25000 left, 0 paid',
    ])
  })

  it('whose payment failed can be completed again, and both are published', () => {
    const again = { isCompleted: true, failures: 1 }
    expect(follow({ isCompleted: true }, { failures: 1 }, again, again)).toEqual([
      'payment_link.submitted|pl_in_1 open 25000 left, 0 paid',
      'payment_link.payment_failed|pl_in_1|1 open 25000 left, 0 paid',
      'payment_link.submitted|pl_in_1|1 open 25000 left, 0 paid',
    ])
  })

  it('publishes each payment that failed, as far as it is counted, and none twice', () => {
    expect(follow({ failures: 1 }, { failures: 1 }, { failures: 3 }, {}, PAID)).toEqual([
      'payment_link.payment_failed|pl_in_1|1 open 25000 left, 0 paid',
      'payment_link.payment_failed|pl_in_1|3 open 25000 left, 0 paid',
      'payment_link.paid|pl_in_1 paid 0 left, 25000 paid',
    ])
  })

  it.each([{ status: 'void' }, { status: 'uncollectible' }, { switchedOff: true }] as const)(
    'is closed by %o, once',
    (change) => {
      const { status } = seenLink(change)
      expect(follow(change, change)).toEqual([
        `payment_link.closed|pl_in_1 ${status} 25000 left, 0 paid`,
      ])
    },
  )

  it('that was written off can still be paid, and one that is partly paid is still open', () => {
    expect(follow({ status: 'partly_paid' }, { status: 'uncollectible' }, PAID)).toEqual([
      'payment_link.closed|pl_in_1 uncollectible 25000 left, 0 paid',
      'payment_link.paid|pl_in_1 paid 0 left, 25000 paid',
    ])
  })
})
