import type { Slot } from '../../../../src/core/domain/availability.ts'
import {
  type Booking,
  type BookingState,
  type Decision,
  type Invitee,
  BOOKINGS_ON_PAGE,
} from '../../../../src/core/domain/booking.ts'
import { maskEmail } from '../../../../src/core/domain/email.ts'
import { type Asked } from '../../../../src/core/domain/event-type.ts'
import type { Facts } from '../../../../src/core/domain/facts.ts'
import { video } from '../../../../src/core/domain/location.ts'
import { initials } from '../../../../src/core/domain/name.ts'
import type { StepOutcome, LookupOutcome } from '../../../../src/core/domain/outcome.ts'
import type { Refusal } from '../../../../src/core/domain/problem/problem.ts'
import { MINUTE, SECOND } from '../../../../src/core/domain/time/duration.ts'
import { isoUtc } from '../../../../src/core/domain/time/time.ts'
import type { Scheduling } from '../../../../src/core/ports/scheduling.ts'
import type { Random } from '../../../support/random.ts'
import { bookingLimit } from './booking-limit.ts'
import type { Surroundings } from './durable-object.ts'
import type { Exchange } from './network.ts'
import { otherPeople } from './other-people.ts'
import { questions } from './questions.ts'
import type { RunSettings } from './world.ts'

export const EVENT_TYPE = 'et_1'
/** How long an answer to a request may be on its way; the operation believes its absence a minute later. */
const ANSWER_LANDS_WITHIN = 9 * MINUTE
/** Not a time at which bookings begin. */
const ELSEWHERE = 7 * MINUTE
const LENGTHS = [30 * MINUTE, 60 * MINUTE]

export interface SimulatedBooking {
  id: string
  start: number
  end: number
  invitee: Invitee
  /** Someone has changed by hand who else is on it. */
  othersChanged?: true
  /** The practice has not answered it yet. */
  waits: boolean
  /** The practice's answer, from this connector or from the provider's page. */
  answered?: Decision
  /** The marker of ours under which it was answered, or `by hand`. */
  answeredBy?: string
  /** Absent where someone booked by hand. */
  marker: string | undefined
  /** The marker of ours under which it was cancelled or moved, or `by hand`. */
  over?: string
  movedTo?: string
  movedFrom?: string
  /** The practice has marked that the invitee did not come. */
  noShow?: boolean
  /** Lists show it only from then on. */
  listedFrom: number
  madeAt: number
  /** When it was made, moved or cancelled last. */
  changedAt: number
}

/** The truth at the scheduling provider, and what people do there by hand. */
export interface SchedulingProvider {
  starts: readonly number[]
  bookings: Map<string, SimulatedBooking>
  port(exchange: Exchange, blind: () => boolean): Scheduling
  byHand(): void
  /** Whether bookings wait for the practice, and can be answered through the API. */
  readonly hasRequests: boolean
  /** What the kind of consult asks now. */
  readonly asks: Asked | undefined
  /** The practice asks something else from now on. */
  changeQuestions(): void
  /** How long a new booking is, and since when. */
  readonly length: { ms: number; since: number }
  changeLength(): void
  bookByHand(start: number, invitee: Invitee): SimulatedBooking
  /** From now on the listener is called with each booking that changes. */
  watch(listener: (bookingId: string) => void): void
}

/** The state of a booking as every read says it. */
export function stateOf({ over, waits }: SimulatedBooking): BookingState {
  if (over) return 'cancelled'
  return waits ? 'pending_host_approval' : 'confirmed'
}

/** What an invitee who said nothing is read back with. */
const SAYS_NOTHING = {
  said: { answers: [], place: null, phone: null },
  guests: [],
  contact: null,
}

const shownOf = (one: SimulatedBooking, initialsOf: Booking['initials']): Booking => ({
  bookingId: one.id,
  eventTypeId: EVENT_TYPE,
  start: one.start,
  end: one.end,
  state: stateOf(one),
  timezone: one.invitee.timezone,
  maskedEmail: maskEmail(one.invitee.email),
  initials: initialsOf,
  ...(one.invitee.guests?.length && { otherPeople: one.invitee.guests.length }),
})
const initialsIn = ({ invitee: { name } }: SimulatedBooking) =>
  name === null ? null : initials(name)

const refused = (code: Refusal['code']): StepOutcome => ({
  is: 'refused',
  refusal: { code, effect: 'none' },
})
/** The provider takes no booking for so long. */
const limited = (seconds: number): StepOutcome => ({
  is: 'busy',
  refusal: { code: 'provider_busy', effect: 'none', retry_after_seconds: seconds },
})
/** Someone at the practice has to change its questions, or the caller to answer them. */
const asksMore: StepOutcome = {
  is: 'busy',
  refusal: { code: 'provider_misconfigured', effect: 'none' },
}
const ok = (facts: Facts = {}): StepOutcome => ({ is: 'ok', facts })

export function schedulingProvider(
  { timeline, random, faults }: Surroundings,
  settings: RunSettings,
  starts: readonly number[],
  own: Random,
): SchedulingProvider {
  const bookings = new Map<string, SimulatedBooking>()
  let made = 0
  let changed: (bookingId: string) => void = () => {}
  let length = { ms: LENGTHS[0]!, since: -Infinity }
  const at = (start: number) =>
    [...bookings.values()].filter((one) => one.start === start && !one.over)
  const full = (start: number) => at(start).length >= settings.hosts
  const calcom = settings.scheduling === 'calcom'
  const people = otherPeople(settings, own)
  const isLimited = settings.limited && !calcom
  const limit = bookingLimit({ limited: isLimited }, own, timeline.now)
  const sharedLimit = { fullUntil: limit.knownUntil }

  function add(
    start: number,
    invitee: Invitee,
    marker: string | undefined,
    lag = 0,
  ): SimulatedBooking {
    const end = start + length.ms
    const { now } = timeline
    const times = { listedFrom: now + lag, madeAt: now, changedAt: now }
    // No other calendar has bookings that the practice has to accept.
    const waits = calcom && settings.approves
    const one = { id: `bk_p${++made}`, start, end, invitee, waits, marker, ...times }
    bookings.set(one.id, one)
    changed(one.id)
    return one
  }
  function end(one: SimulatedBooking, by: string): void {
    one.over = by
    one.changedAt = timeline.now
    changed(one.id)
  }
  /** Where a booking for this time ends up: nearly always there. */
  const placed = (start: number) => (faults.strikes('elsewhere') ? start + ELSEWHERE : start)
  const lag = () =>
    random.chance(0.3) ? random.int(0, random.pick([5000, 120_000, 7_200_000])) : 0
  const factsOf = (one: SimulatedBooking): Facts => ({
    booking_id: one.id,
    state: stateOf(one),
    start_time: isoUtc(one.start),
    end_time: isoUtc(one.end),
    ...(one.invitee.guests?.length && { other_people: one.invitee.guests.length }),
  })

  function cancel(bookingId: string, marker: string): { ran: StepOutcome; effect?: string } {
    const one = bookings.get(bookingId)
    if (!one) return { ran: refused('booking_not_found') }
    if (one.over || one.start <= timeline.now) return { ran: refused('booking_not_active') }
    end(one, marker)
    // Who else was on it may be gone by the time that a new one is booked.
    if (own.chance(0.1)) changeOthers(one)
    if (faults.strikes('sniped'))
      timeline.after(random.int(0, 1500), 'times are taken by hand', snipe)
    return { ran: ok(), effect: bookingId }
  }

  const asked = questions(settings)

  /** A booking that was made by hand is changed by hand; one that was made here is left as it is. */
  function changeOthers(one: SimulatedBooking): void {
    const guests = one.marker === undefined ? people.changed(one.invitee) : undefined
    if (!guests) return
    const { guests: _former, ...invitee } = one.invitee
    one.invitee = { ...invitee, ...(guests.length > 0 && { guests }) }
    one.othersChanged = true
  }

  const walkIn = (start: number) =>
    add(
      start,
      {
        email: 'a.walkin@example.net',
        name: null,
        timezone: 'UTC',
        ...asked.saidByHand(),
        ...people.byHand(),
      },
      undefined,
    )

  function answer(one: SimulatedBooking, decision: Decision, by: string): void {
    one.answered = decision
    one.answeredBy = by
    if (decision === 'decline') return end(one, by)
    one.waits = false
    one.changedAt = timeline.now
    changed(one.id)
  }

  function respond(
    bookingId: string,
    decision: Decision,
    marker: string,
  ): { ran: StepOutcome; effect?: string } {
    const one = bookings.get(bookingId)
    if (!one) return { ran: refused('booking_not_found') }
    if (one.over) return { ran: refused('booking_not_active') }
    if (!one.waits) return { ran: refused('booking_not_pending') }
    answer(one, decision, marker)
    return { ran: ok(factsOf(one)), effect: bookingId }
  }

  /** By the state alone: the provider keeps no marker of an answer. */
  function findAnswered(bookingId: string, decision: Decision): LookupOutcome {
    const one = bookings.get(bookingId)
    if (!one) return { is: 'unknown' }
    const isDeclined = one.answered === 'decline'
    // One that was cancelled may have been accepted before.
    if (one.over && !isDeclined) return { is: 'unknown' }
    const isAsDecided = decision === 'decline' ? isDeclined : !one.waits && !isDeclined
    return isAsDecided ? ok(factsOf(one)) : { is: 'not_found' }
  }

  /** Whatever has just become free, and more, is taken at once. */
  function snipe(): void {
    for (const start of starts) {
      if (start <= timeline.now || random.chance(0.4)) continue
      while (!full(start)) walkIn(start)
    }
  }

  function move(
    bookingId: string,
    start: number,
    marker: string,
  ): { ran: StepOutcome; effect?: string } {
    const one = bookings.get(bookingId)
    if (!one) return { ran: refused('booking_not_found') }
    if (one.over) return { ran: refused('booking_not_active') }
    if (full(start) || start <= timeline.now) return { ran: refused('slot_unavailable') }
    const next = add(placed(start), one.invitee, marker, lag())
    next.end = next.start + one.end - one.start
    next.movedFrom = one.id
    one.movedTo = next.id
    end(one, marker)
    return { ran: ok(factsOf(next)), effect: next.id }
  }

  function findMoved(bookingId: string, marker: string): LookupOutcome {
    const one = bookings.get(bookingId)
    if (!one) return { is: 'unknown' }
    const next = bookings.get(one.movedTo ?? '')
    if (next) return next.marker === marker ? ok(factsOf(next)) : refused('booking_not_active')
    return one.over ? refused('booking_not_active') : { is: 'not_found' }
  }

  function findCancelled(bookingId: string, marker: string): LookupOutcome {
    const one = bookings.get(bookingId)
    if (!one) return { is: 'unknown' }
    if (!one.over) return { is: 'not_found' }
    return one.over === marker ? ok() : refused('booking_not_active')
  }

  /** With `fresh` the list is up to date: what is in the way of a booking is listed by then. */
  function findBooked(marker: string, fresh = false): LookupOutcome {
    const one = [...bookings.values()].find((each) => each.marker === marker && !each.movedFrom)
    return one && (fresh || one.listedFrom <= timeline.now) ? ok(factsOf(one)) : { is: 'not_found' }
  }

  return {
    starts,
    bookings,
    get length() {
      return length
    },
    changeLength() {
      const ms = random.pick(LENGTHS.filter((one) => one !== length.ms))
      length = { ms, since: timeline.now }
    },
    watch: (listener) => void (changed = listener),
    hasRequests: calcom && settings.approves,
    get asks() {
      return asked.now()
    },
    changeQuestions: asked.change,
    bookByHand: (start, invitee) =>
      add(start, { ...invitee, ...asked.saidByHand(), ...people.byHand() }, undefined),
    byHand() {
      const active = [...bookings.values()].filter((one) => !one.over && one.start > timeline.now)
      if (active.length > 0) changeOthers(own.pick(active))
      const accepted = [...bookings.values()].filter(({ over, waits }) => !over && !waits)
      if (accepted.length > 0 && own.chance(0.3)) {
        const one = own.pick(accepted)
        one.noShow = !one.noShow
        one.changedAt = timeline.now
        changed(one.id)
      }
      const request = settings.approves ? active.find(({ waits }) => waits) : undefined
      if (request && random.chance(0.4))
        return answer(request, random.pick(['accept', 'decline']), 'by hand')
      const start = random.pick(starts)
      if (random.chance(0.5) && active.length > 0) end(random.pick(active), 'by hand')
      else if (random.chance(0.05)) bookings.delete('bk_p1')
      else if (!full(start) && start > timeline.now) walkIn(start)
    },
    port({ ask, look, mutate, whose, maybe, sawTimes, adapter }, blind) {
      let remembered = { ms: 0, until: 0 }
      // Some objects run beside others, and know what these were answered.
      const known = own.chance(0.7) ? sharedLimit : { fullUntil: 0 }
      function lengthNow(): number {
        if (adapter.remembersLength && timeline.now < remembered.until) return remembered.ms
        remembered = { ms: length.ms, until: timeline.now + MINUTE }
        return length.ms
      }
      return {
        mode: 'live',
        provider: settings.scheduling,
        adapterId: settings.scheduling,
        slots: (_eventType, from, to): Promise<Slot[]> =>
          ask('the free times', () => {
            sawTimes()
            const ms = lengthNow()
            return (
              starts
                .filter((start) => start >= from && start < to && start > timeline.now)
                // A list may show what is taken, and hide what is free.
                .filter((start) => (blind() ? random.chance(0.5) : !full(start)))
                .map((start) => ({ start, end: start + ms }))
            )
          }),
        // What the free times have just brought: no one is asked.
        eventType: async () => ({
          title: 'Consult',
          minutes: length.ms / MINUTE,
          location: video('Zoom'),
          price: null,
          bookable: true,
          ...(settings.approves && calcom && { acceptance: 'always' as const }),
          ...(asked.now() && { asks: asked.now()! }),
        }),
        // No caller of the simulation lists bookings.
        bookings: () => Promise.resolve('unknown place'),
        bookingsOf: ({ email, from, to, states }) =>
          ask('the bookings of a person', () => {
            const theirs = [...bookings.values()]
              .filter(({ invitee }) => invitee.email.toLowerCase() === email.toLowerCase())
              .filter(({ start }) => start >= from && start < to)
              .filter((one) => states.includes(stateOf(one)))
              .toSorted((a, b) => a.start - b.start)
            const listed = theirs.filter(({ listedFrom }) => listedFrom <= timeline.now)
            const shown = listed.slice(0, BOOKINGS_ON_PAGE)
            return {
              bookings: shown.map((one) => shownOf(one, maybe(initialsIn(one)) ?? null)),
              notShown: 0,
              complete: shown.length === listed.length,
              everySpelling: true,
            }
          }),
        upcoming: () => Promise.resolve('unknown place'),
        seen: () => Promise.resolve(undefined),
        booking: (bookingId) =>
          ask('a booking', () => {
            const one = bookings.get(bookingId)
            return one && shownOf(one, maybe(initialsIn(one)) ?? null)
          }),
        invitee: (bookingId) =>
          ask('an invitee', () => {
            const invitee = maybe(bookings.get(bookingId)?.invitee)
            return invitee && { ...SAYS_NOTHING, ...invitee }
          }),
        async book({ start, invitee }, marker) {
          const { guests: _others, ...alone } = invitee
          const sent: Invitee = adapter.leavesGuests ? alone : invitee
          const ran = await mutate({
            act: 'book',
            marker,
            target: String(start),
            said: invitee.said,
            guests: sent.guests,
            land(delivery) {
              const wait = limit.waitOf(timeline.now)
              if (wait !== undefined) return { ran: limited(wait) }
              if (asked.lacks(invitee)) return { ran: asksMore }
              // Where a time has several places it would be booked twice, and no one could prevent that.
              if (full(start) || start <= timeline.now || delivery === 'second')
                return { ran: refused('slot_unavailable') }
              const taken = people.taken(sent)
              const booked = { ...alone, ...(taken.length > 0 && { guests: taken }) }
              const one = add(placed(start), booked, marker, lag())
              return { ran: ok(factsOf(one)), effect: one.id }
            },
            own: () => findBooked(marker, true),
            doubtsLimit: isLimited,
          })
          const { retry_after_seconds: seconds } = ran.is === 'busy' ? ran.refusal : {}
          if (seconds !== undefined) known.fullUntil = timeline.now + seconds * SECOND
          return ran
        },
        ...(isLimited && {
          fullForSeconds: async () =>
            known.fullUntil > timeline.now && !adapter.forgetsLimit
              ? Math.ceil((known.fullUntil - timeline.now) / SECOND)
              : undefined,
        }),
        findBooked: (_slot, _eventTypeId, marker, named) =>
          look(marker, () => {
            if (named === undefined) return blind() ? { is: 'not_found' } : findBooked(marker)
            const one = bookings.get(named)
            return one?.marker === marker ? ok(factsOf(one)) : { is: 'unknown' }
          }),
        cancel: (bookingId, reason, marker) =>
          mutate({
            act: 'cancel',
            marker,
            target: bookingId,
            text: reason,
            full: isLimited && known.fullUntil > timeline.now,
            land: () => cancel(bookingId, marker),
            own: () => whose(findCancelled(bookingId, marker)),
          }),
        findCancelled: (bookingId, marker) =>
          look(marker, () => whose(findCancelled(bookingId, marker))),
        ...(calcom && settings.approves
          ? {
              respond: {
                execute: ({ bookingId, decision, reason }, marker) =>
                  mutate({
                    act: 'respond',
                    marker,
                    target: bookingId,
                    text: reason,
                    decision,
                    land: () => respond(bookingId, decision, marker),
                    own: () => findAnswered(bookingId, decision),
                    landsWithin: ANSWER_LANDS_WITHIN,
                  }),
                reconcile: ({ bookingId, decision }, marker) =>
                  look(marker, () => findAnswered(bookingId, decision)),
              },
            }
          : {}),
        ...(calcom
          ? {
              reschedule: {
                execute: ({ bookingId, start }, marker) =>
                  mutate({
                    act: 'move',
                    marker,
                    target: bookingId,
                    land: () => move(bookingId, start, marker),
                    own: () => whose(findMoved(bookingId, marker)),
                  }),
                reconcile: ({ bookingId }, marker) =>
                  look(marker, () => whose(findMoved(bookingId, marker))),
              },
            }
          : {}),
      }
    },
  }
}
