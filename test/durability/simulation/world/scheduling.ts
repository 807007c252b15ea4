import type { Slot } from '../../../../src/core/domain/availability.ts'
import type { Invitee } from '../../../../src/core/domain/booking.ts'
import { maskEmail } from '../../../../src/core/domain/email.ts'
import { video } from '../../../../src/core/domain/event-type.ts'
import type { Facts } from '../../../../src/core/domain/facts.ts'
import { initials } from '../../../../src/core/domain/name.ts'
import type { StepOutcome, LookupOutcome } from '../../../../src/core/domain/outcome.ts'
import type { Refusal } from '../../../../src/core/domain/problem/problem.ts'
import { MINUTE } from '../../../../src/core/domain/time/duration.ts'
import { isoUtc } from '../../../../src/core/domain/time/time.ts'
import type { Scheduling } from '../../../../src/core/ports/scheduling.ts'
import type { Surroundings } from './durable-object.ts'
import type { Exchange } from './network.ts'
import type { RunSettings } from './world.ts'

export const EVENT_TYPE = 'et_1'
/** Not a time at which bookings begin. */
const ELSEWHERE = 7 * MINUTE
const LENGTHS = [30 * MINUTE, 60 * MINUTE]

export interface SimulatedBooking {
  id: string
  start: number
  end: number
  invitee: Invitee
  /** Absent where somebody booked by hand. */
  marker: string | undefined
  /** The marker of ours under which it was cancelled or moved, or `by hand`. */
  over?: string
  movedTo?: string
  movedFrom?: string
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
  /** How long a new booking is, and since when. */
  readonly length: { ms: number; since: number }
  changeLength(): void
  bookByHand(start: number, invitee: Invitee): SimulatedBooking
  /** From now on the listener is called with each booking that changes. */
  watch(listener: (bookingId: string) => void): void
}

const refused = (code: Refusal['code']): StepOutcome => ({
  is: 'refused',
  refusal: { code, effect: 'none' },
})
const ok = (facts: Facts = {}): StepOutcome => ({ is: 'ok', facts })

export function schedulingProvider(
  { timeline, random, faults }: Surroundings,
  settings: RunSettings,
  starts: readonly number[],
): SchedulingProvider {
  const bookings = new Map<string, SimulatedBooking>()
  let made = 0
  let changed: (bookingId: string) => void = () => {}
  let length = { ms: LENGTHS[0]!, since: -Infinity }
  const at = (start: number) =>
    [...bookings.values()].filter((one) => one.start === start && !one.over)
  const full = (start: number) => at(start).length >= settings.hosts
  const calcom = settings.scheduling === 'calcom'

  function add(
    start: number,
    invitee: Invitee,
    marker: string | undefined,
    lag = 0,
  ): SimulatedBooking {
    const end = start + length.ms
    const { now } = timeline
    const times = { listedFrom: now + lag, madeAt: now, changedAt: now }
    const one = { id: `bk_p${++made}`, start, end, invitee, marker, ...times }
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
  const factsOf = ({ id, start, end, over }: SimulatedBooking): Facts => ({
    booking_id: id,
    state: over ? 'cancelled' : settings.approves ? 'pending_host_approval' : 'confirmed',
    start_time: isoUtc(start),
    end_time: isoUtc(end),
  })

  function cancel(bookingId: string, marker: string): { ran: StepOutcome; effect?: string } {
    const one = bookings.get(bookingId)
    if (!one) return { ran: refused('booking_not_found') }
    if (one.over || one.start <= timeline.now) return { ran: refused('booking_not_active') }
    end(one, marker)
    if (faults.strikes('sniped'))
      timeline.after(random.int(0, 1500), 'times are taken by hand', snipe)
    return { ran: ok(), effect: bookingId }
  }

  const walkIn = (start: number) =>
    add(start, { email: 'a.walkin@example.net', name: null, timezone: 'UTC' }, undefined)

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
    bookByHand: (start, invitee) => add(start, invitee, undefined),
    byHand() {
      const active = [...bookings.values()].filter((one) => !one.over && one.start > timeline.now)
      const start = random.pick(starts)
      if (random.chance(0.5) && active.length > 0) end(random.pick(active), 'by hand')
      else if (random.chance(0.05)) bookings.delete('bk_p1')
      else if (!full(start) && start > timeline.now) walkIn(start)
    },
    port({ ask, look, mutate, whose, maybe, sawTimes, adapter }, blind) {
      let remembered = { ms: 0, until: 0 }
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
        // What the free times have just brought: nobody is asked.
        eventType: async () => ({
          title: 'Consult',
          minutes: length.ms / MINUTE,
          location: video('Zoom'),
          price: null,
          bookable: true,
        }),
        // No caller of the simulation lists bookings.
        bookings: () => Promise.resolve('unknown place'),
        bookingsOf: () => Promise.resolve({ bookings: [], notShown: 0, complete: false }),
        upcoming: () => Promise.resolve('unknown place'),
        seen: () => Promise.resolve(undefined),
        booking: (bookingId) =>
          ask('a booking', () => {
            const one = bookings.get(bookingId)
            return (
              one && {
                bookingId,
                eventTypeId: EVENT_TYPE,
                start: one.start,
                end: one.end,
                state: one.over
                  ? 'cancelled'
                  : settings.approves
                    ? 'pending_host_approval'
                    : 'confirmed',
                timezone: one.invitee.timezone,
                maskedEmail: maskEmail(one.invitee.email),
                initials:
                  maybe(one.invitee.name === null ? null : initials(one.invitee.name)) ?? null,
              }
            )
          }),
        invitee: (bookingId) => ask('an invitee', () => maybe(bookings.get(bookingId)?.invitee)),
        book: ({ start, invitee }, marker) =>
          mutate({
            act: 'book',
            marker,
            target: String(start),
            land(delivery) {
              // Where a time has several places it would be booked twice, and nobody could prevent that.
              if (full(start) || start <= timeline.now || delivery === 'second')
                return { ran: refused('slot_unavailable') }
              const one = add(placed(start), invitee, marker, lag())
              return { ran: ok(factsOf(one)), effect: one.id }
            },
            own: () => findBooked(marker, true),
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
            land: () => cancel(bookingId, marker),
            own: () => whose(findCancelled(bookingId, marker)),
          }),
        findCancelled: (bookingId, marker) =>
          look(marker, () => whose(findCancelled(bookingId, marker))),
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
