import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { Slot } from '../../src/core/domain/availability.ts'
import type { BookingPage, BookingsWanted, Invitee } from '../../src/core/domain/booking.ts'
import { maskEmail } from '../../src/core/domain/email.ts'
import type { Facts } from '../../src/core/domain/facts.ts'
import { LOCATION_KINDS, publicText } from '../../src/core/domain/location.ts'
import { initials } from '../../src/core/domain/name.ts'
import type { StepOutcome, LookupOutcome } from '../../src/core/domain/outcome.ts'
import type { EventType } from '../../src/core/domain/practice.ts'
import { Problem, type Refusal } from '../../src/core/domain/problem/problem.ts'
import { DAY, MINUTE } from '../../src/core/domain/time/duration.ts'
import { instantOf } from '../../src/core/domain/time/time.ts'
import type { Scheduling } from '../../src/core/ports/scheduling.ts'
import { TURNED_AWAY, busy, keepPrinted, observed, refusalOf, refused } from './outcomes.ts'

/** How the next call goes wrong: proved without effect, or with its answer lost before or after its effect. */
export type ProviderFault = 'busy' | 'misconfigured' | 'lost before' | 'lost after'

/** One adapter with a provider of its own behind it, empty and well. */
export interface SchedulingRig {
  scheduling: Scheduling
  eventType: EventType
  /** The clock of adapter and provider, and moving it. */
  now(): number
  pass(ms: number): void
  fail(action: 'slots' | 'eventType' | 'list' | 'book' | 'cancel', fault: ProviderFault): void
  /** How many requests the provider was asked. */
  asked(): number
  /** How many of them may have changed something. */
  changes(): number
  /** Someone else books, moves or cancels on the provider's own page. */
  bookElsewhere(slot: Slot, invitee: Invitee): Promise<string>
  moveElsewhere(bookingId: string, slot: Slot): Promise<string>
  cancelElsewhere(bookingId: string): Promise<void>
  /** How many bookings were ever made, and how many of them are cancelled. */
  effects(): Promise<{ made: number; cancelled: number }>
}

const JANE: Invitee = {
  email: 'jane.canary@practice-client.example',
  name: 'Jane Canarybird',
  timezone: 'Europe/London',
}
const CANARIES = /jane\.canary|canarybird/i

/** What every scheduling adapter promises; the mock keeps it too, or a trial would prove nothing. */
export function schedulingContract(
  name: string,
  make: () => Promise<SchedulingRig>,
  { movesInOneCall = false } = {},
): void {
  describe(`${name} keeps the contract of the scheduling port`, () => {
    let rig: SchedulingRig
    let scheduling: Scheduling
    let shown: unknown[]

    beforeEach(async () => {
      rig = await make()
      shown = []
      keepPrinted(shown)
      // A caller that acts for the invitee has to learn who it is.
      scheduling = observed(rig.scheduling, shown, ['invitee'])
    })
    afterEach(async () => {
      vi.restoreAllMocks()
      expect(JSON.stringify(shown)).not.toMatch(CANARIES)
    })

    const week = () => scheduling.slots(rig.eventType, rig.now(), rig.now() + 7 * DAY)
    async function freeSlot(index = 0): Promise<Slot> {
      const slot = (await week())[index]
      if (!slot) throw new Error('the rig offers too few slots')
      return slot
    }
    const book = (slot: Slot, marker: string, invitee = JANE) =>
      scheduling.book({ eventTypeId: rig.eventType.id, ...slot, invitee }, marker)
    const find = (slot: Slot, marker: string) =>
      scheduling.findBooked(slot, rig.eventType.id, marker)
    async function booked(marker = 'made-for-the-test.0'): Promise<{ slot: Slot; id: string }> {
      const slot = await freeSlot()
      return { slot, id: idIn(await book(slot, marker)) }
    }

    describe('open times', () => {
      it('are in order, in the future, inside the window, and of one length', async () => {
        const slots = await week()
        expect(slots.length).toBeGreaterThan(3)
        for (const [index, { start, end }] of slots.entries()) {
          expect(start).toBeGreaterThan(slots[index - 1]?.start ?? rig.now())
          expect(end - start).toBe(slots[0]!.end - slots[0]!.start)
        }
        expect(slots.at(-1)!.end).toBeLessThanOrEqual(rig.now() + 7 * DAY)
      })

      it('are the same however the window is cut', async () => {
        const slots = await week()
        const from = slots[2]!.start
        const later = await scheduling.slots(rig.eventType, from, slots[4]!.end)
        expect(later).toEqual(slots.slice(2, 5))
      })

      it('are found in a window of 31 days and beyond', async () => {
        const slots = await scheduling.slots(rig.eventType, rig.now(), rig.now() + 40 * DAY)
        expect(slots.at(-1)!.start).toBeGreaterThan(rig.now() + 32 * DAY)
        expect(new Set(slots.map(({ start }) => start)).size).toBe(slots.length)
      })

      it('of the past there are none', async () => {
        expect(await scheduling.slots(rig.eventType, rig.now() - 7 * DAY, rig.now() - DAY)).toEqual(
          [],
        )
        const slots = await scheduling.slots(
          rig.eventType,
          rig.now() - 7 * DAY,
          rig.now() + 7 * DAY,
        )
        expect(slots).toEqual(await week())
      })

      it.each(TURNED_AWAY)(
        'cannot be read from a provider that is %s, and the code says so',
        async (fault) => {
          rig.fail('slots', fault)
          expect(await refusalOf(week())).toMatchObject({
            code: `provider_${fault}`,
            effect: 'none',
          })
          expect((await week()).length).toBeGreaterThan(3)
        },
      )
    })

    describe('a kind of consult', () => {
      it('has the length of its times, and a place that lets no one in', async () => {
        const [slot] = await week()
        const { title, minutes, location, price, bookable } = await scheduling.eventType(
          rig.eventType,
        )
        expect(minutes * MINUTE).toBe(slot!.end - slot!.start)
        expect(LOCATION_KINDS).toContain(location?.kind)
        expect(publicText(location?.text)).toBe(location?.text)
        expect(publicText(title)).toBe(title)
        // No provider takes money through its API: what can be booked has no price of its own.
        expect([bookable, price]).toEqual([true, null])
      })

      it('costs no request once its times were read, and is not kept for longer than a minute', async () => {
        await week()
        const before = rig.asked()
        const known = await scheduling.eventType(rig.eventType)
        expect(rig.asked()).toBe(before)
        rig.pass(MINUTE + 1)
        expect(await scheduling.eventType(rig.eventType)).toEqual(known)
        expect(rig.asked()).toBeGreaterThan(before)
      })

      it.each(TURNED_AWAY)(
        'cannot be read from a provider that is %s, and the code says so',
        async (fault) => {
          rig.fail('eventType', fault)
          const read = async () => scheduling.eventType(rig.eventType)
          expect(await refusalOf(read())).toMatchObject({
            code: `provider_${fault}`,
            effect: 'none',
          })
          expect((await read()).minutes).toBeGreaterThan(0)
        },
      )
    })

    describe('a booking', () => {
      it('is made once, with the facts that the provider gives', async () => {
        const slot = await freeSlot()
        const facts = factsIn(await book(slot, 'one.0'))
        expect(facts['booking_id']).toMatch(/^bk_[\w-]+$/)
        expect(facts['state']).toMatch(/^(confirmed|pending_host_approval)$/)
        expect(instantOf(String(facts['start_time']))).toBe(slot.start)
        expect(instantOf(String(facts['end_time']))).toBe(slot.end)
        expect(await rig.effects()).toEqual({ made: 1, cancelled: 0 })
      })

      it('takes its time off the open times', async () => {
        const { slot } = await booked()
        expect(await week()).not.toContainEqual(slot)
      })

      it('can be read by its id, masked', async () => {
        const { slot, id } = await booked()
        const booking = await scheduling.booking(id)
        expect(booking).toMatchObject({
          bookingId: id,
          eventTypeId: rig.eventType.id,
          ...slot,
          timezone: JANE.timezone,
          maskedEmail: maskEmail(JANE.email),
          initials: initials(JANE.name ?? ''),
        })
        expect(booking?.state).toMatch(/^(confirmed|pending_host_approval)$/)
      })

      it('needs no name, and none is invented', async () => {
        const slot = await freeSlot()
        const id = idIn(await book(slot, 'one.0', { ...JANE, name: null }))
        expect((await scheduling.booking(id))?.initials).toBeNull()
        expect((await scheduling.invitee(id))?.name).toBeNull()
      })

      it('is refused if someone else took the time', async () => {
        const slot = await freeSlot()
        await rig.bookElsewhere(slot, { ...JANE, email: 'first@example.com' })
        expect(await book(slot, 'one.0')).toEqual(refused('slot_unavailable'))
        expect(await find(slot, 'one.0')).toEqual({ is: 'not_found' })
        expect(await rig.effects()).toEqual({ made: 1, cancelled: 0 })
      })

      it.each([
        'bk_0123456789abcdef',
        'bk_',
        'bk_../users/me',
        'bk_a b',
        'cl_0123456789abcdef',
        '0123456789abcdef',
      ])('is not found under the id %s', async (id) => {
        expect(await scheduling.booking(id)).toBeUndefined()
        expect(await scheduling.invitee(id)).toBeUndefined()
      })

      it('is found again by its marker, and by no other', async () => {
        const slot = await freeSlot()
        expect(await find(slot, 'one.0')).toEqual({ is: 'not_found' })
        const ran = await book(slot, 'one.0')
        expect(await find(slot, 'one.0')).toEqual(ran)
        expect(await find(slot, 'one.0u')).toEqual({ is: 'not_found' })
        expect(await find(slot, 'one')).toEqual({ is: 'not_found' })
      })

      it('whose answer is lost is unknown, and found', async () => {
        const slot = await freeSlot()
        rig.fail('book', 'lost after')
        expect(await book(slot, 'one.0')).toEqual({ is: 'unknown' })
        expect(await rig.effects()).toEqual({ made: 1, cancelled: 0 })
        const facts = factsIn(await find(slot, 'one.0'))
        expect(await scheduling.booking(String(facts['booking_id']))).toMatchObject(slot)
      })

      it('that never arrived is unknown, and not found', async () => {
        const slot = await freeSlot()
        rig.fail('book', 'lost before')
        expect(await book(slot, 'one.0')).toEqual({ is: 'unknown' })
        expect(await find(slot, 'one.0')).toEqual({ is: 'not_found' })
        expect(await rig.effects()).toEqual({ made: 0, cancelled: 0 })
      })

      it.each(TURNED_AWAY)(
        'that a provider turns away as %s has no effect, and may be sent again',
        async (fault) => {
          const slot = await freeSlot()
          rig.fail('book', fault)
          const ran = await book(slot, 'one.0')
          expect(ran).toMatchObject(busy(`provider_${fault}`))
          if (fault === 'busy') expect(refusalIn(ran).retry_after_seconds).toBeGreaterThan(0)
          expect(await rig.effects()).toEqual({ made: 0, cancelled: 0 })
          expect((await book(slot, 'one.0')).is).toBe('ok')
        },
      )
    })

    describe('the list of bookings', () => {
      const wanted = (more: Partial<BookingsWanted> = {}): BookingsWanted => ({
        from: rig.now(),
        to: rig.now() + 7 * DAY,
        states: ['confirmed', 'pending_host_approval'],
        eventTypeIds: [rig.eventType.id],
        limit: 20,
        ...more,
      })
      async function page(more?: Partial<BookingsWanted>): Promise<BookingPage> {
        const found = await scheduling.bookings(wanted(more), undefined)
        if (found === 'unknown place') throw new Error('the first page has no place')
        return found
      }

      it('has ours and those made elsewhere, soonest first, as they are read one by one', async () => {
        const ours = idIn(await book(await freeSlot(3), 'one.0'))
        const elsewhere = await rig.bookElsewhere(await freeSlot(1), JANE)
        const { bookings, notShown, next } = await page()
        expect(bookings.map(({ bookingId }) => bookingId)).toEqual([elsewhere, ours])
        expect(bookings).toEqual([
          await scheduling.booking(elsewhere),
          await scheduling.booking(ours),
        ])
        expect([notShown, next]).toEqual([0, undefined])
      })

      it('has cancelled bookings only for those who ask for them', async () => {
        const { id } = await booked()
        await scheduling.cancel(id, null, 'two.0')
        expect((await page()).bookings).toEqual([])
        const { bookings } = await page({ states: ['cancelled'] })
        expect(bookings).toMatchObject([{ bookingId: id, state: 'cancelled' }])
      })

      it('keeps to its window: the start is included, the end is not', async () => {
        const { slot, id } = await booked()
        const ids = async (more: Partial<BookingsWanted>) =>
          (await page(more)).bookings.map(({ bookingId }) => bookingId)
        expect(await ids({ from: slot.start })).toEqual([id])
        expect(await ids({ from: slot.start + 1 })).toEqual([])
        expect(await ids({ to: slot.start })).toEqual([])
        expect(await ids({ to: slot.start + 1 })).toEqual([id])
      })

      it.each(TURNED_AWAY)(
        'of a provider that is %s is a refusal, not an empty list',
        async (fault) => {
          await booked()
          rig.fail('list', fault)
          expect(await refusalOf(page())).toMatchObject({
            code: `provider_${fault}`,
            effect: 'none',
          })
          expect((await page()).bookings).toHaveLength(1)
        },
      )

      it('does not continue from a place that the provider never named', async () => {
        expect(await scheduling.bookings(wanted(), 'nowhere!')).toBe('unknown place')
      })
    })

    describe('a cancellation', () => {
      it('ends the booking and frees its time', async () => {
        const { slot, id } = await booked()
        const ran = await scheduling.cancel(id, 'The plans of Jane Canarybird changed.', 'two.0')
        expect(ran).toEqual({ is: 'ok', facts: {} })
        expect(await scheduling.booking(id)).toMatchObject({
          bookingId: id,
          state: 'cancelled',
          ...slot,
        })
        expect(await week()).toContainEqual(slot)
        expect(await rig.effects()).toEqual({ made: 1, cancelled: 1 })
      })

      it('leaves the invitee readable, so that the time can be booked again', async () => {
        const { slot, id } = await booked()
        await scheduling.cancel(id, null, 'two.0')
        const invitee = await scheduling.invitee(id)
        if (!invitee) throw new Error('no invitee')
        expect((await book(slot, 'two.0u', invitee)).is).toBe('ok')
      })

      it('is found again by its marker, and by no other', async () => {
        const { id } = await booked()
        expect(await scheduling.findCancelled(id, 'two.0')).toEqual({ is: 'not_found' })
        await scheduling.cancel(id, null, 'two.0')
        expect(await scheduling.findCancelled(id, 'two.0')).toEqual({ is: 'ok', facts: {} })
        expect(await scheduling.findCancelled(id, 'two.1')).toEqual(refused('booking_not_active'))
        expect(await scheduling.findCancelled(id, 'two')).toEqual(refused('booking_not_active'))
      })

      it('by someone else is not taken for ours', async () => {
        const { id } = await booked()
        await rig.cancelElsewhere(id)
        expect(await scheduling.cancel(id, 'Mine', 'two.0')).toEqual(refused('booking_not_active'))
        expect(await scheduling.findCancelled(id, 'two.0')).toEqual(refused('booking_not_active'))
      })

      it('of a booking that does not exist is refused', async () => {
        for (const id of ['bk_0123456789abcdef', 'bk_../users/me']) {
          const ran = await scheduling.cancel(id, null, 'two.0')
          expect(ran.is).toBe('refused')
          expect(refusalIn(ran).code).toMatch(/^booking_not_(found|active)$/)
          expect(refusalIn(ran).effect).toBe('none')
        }
      })

      it('whose answer is lost is unknown, and found; a repeat cannot cancel twice', async () => {
        const { id } = await booked()
        rig.fail('cancel', 'lost after')
        expect(await scheduling.cancel(id, 'Mine', 'two.0')).toEqual({ is: 'unknown' })
        expect(await scheduling.findCancelled(id, 'two.0')).toEqual({ is: 'ok', facts: {} })
        await scheduling.cancel(id, 'Mine', 'two.0')
        expect(await rig.effects()).toEqual({ made: 1, cancelled: 1 })
      })

      it('that never arrived is unknown, and not found', async () => {
        const { id } = await booked()
        rig.fail('cancel', 'lost before')
        expect(await scheduling.cancel(id, 'Mine', 'two.0')).toEqual({ is: 'unknown' })
        expect(await scheduling.findCancelled(id, 'two.0')).toEqual({ is: 'not_found' })
      })

      it.each(TURNED_AWAY)('that a provider turns away as %s has no effect', async (fault) => {
        const { id } = await booked()
        rig.fail('cancel', fault)
        expect(await scheduling.cancel(id, 'Mine', 'two.0')).toMatchObject(
          busy(`provider_${fault}`),
        )
        expect(await rig.effects()).toEqual({ made: 1, cancelled: 0 })
      })
    })

    describe('a booking as the log of events follows it', () => {
      const upcoming = (more: Partial<BookingsWanted> = {}) =>
        scheduling.upcoming(
          { from: rig.now(), to: rig.now() + 14 * DAY, eventTypeIds: [rig.eventType.id], ...more },
          undefined,
        )

      it('is its ids, states and times and its marker, and nothing of its invitee', async () => {
        const { slot, id } = await booked()
        const seen = await scheduling.seen(id)
        const { noShow = false, createdAt, ...rest } = seen!
        expect(rest).toEqual({
          bookingId: id,
          eventTypeId: rig.eventType.id,
          state: 'confirmed',
          ...slot,
          marker: 'made-for-the-test.0',
        })
        expect(noShow).toBe(false)
        expect(Math.abs(createdAt! - rig.now())).toBeLessThan(MINUTE)
      })

      it('that was cancelled on the page of the provider is seen so', async () => {
        const { id } = await booked()
        await rig.cancelElsewhere(id)
        expect(await scheduling.seen(id)).toMatchObject({ bookingId: id, state: 'cancelled' })
      })

      it('that was moved on the page of the provider names the one that took its place', async () => {
        const { id } = await booked()
        const later = await freeSlot(2)
        const next = await rig.moveElsewhere(id, later)
        expect(await scheduling.booking(id)).toMatchObject({ state: 'cancelled', movedTo: next })
        expect(await scheduling.booking(next)).toMatchObject({
          state: 'confirmed',
          start: later.start,
        })
        expect((await scheduling.booking(next))?.movedTo).toBeUndefined()
        expect(await scheduling.seen(id)).toMatchObject({ state: 'cancelled', movedTo: next })
      })

      it.each(['bk_0123456789abcdef', 'bk_../users/me', 'in_1'])(
        'is not there under the id %j',
        async (id) => expect(await scheduling.seen(id)).toBeUndefined(),
      )

      it('is listed while it is active, in one read for all', async () => {
        const { slot, id } = await booked()
        const elsewhere = await rig.bookElsewhere(await freeSlot(2), JANE)
        const before = rig.asked()
        const page = await upcoming()
        expect(rig.asked() - before).toBeLessThanOrEqual(2)
        const { createdAt } = (await scheduling.seen(id))!
        expect(page).toMatchObject({
          bookings: [{ bookingId: id, state: 'confirmed', start: slot.start, createdAt }, {}],
        })
        await rig.cancelElsewhere(elsewhere)
        const left = await upcoming()
        expect(
          left === 'unknown place' ? [] : left.bookings.map(({ bookingId }) => bookingId),
        ).toEqual([id])
      })

      it('cannot be listed by a provider that is busy, which is no empty list', async () => {
        await booked()
        rig.fail('list', 'busy')
        await expect(upcoming()).rejects.toThrow(Problem)
      })

      it('is read, listed and looked for by reads alone, no matter who made it', async () => {
        const { slot, id } = await booked('ours.0')
        const elsewhere = await rig.bookElsewhere(await freeSlot(2), JANE)
        const to = await freeSlot(4)
        const before = rig.changes()
        expect(before).toBeGreaterThan(0)
        await upcoming()
        for (const bookingId of [id, elsewhere, 'bk_0123456789abcdef']) {
          await scheduling.seen(bookingId)
          for (const marker of ['ours.0', 'another.0']) {
            await scheduling.findBooked(slot, rig.eventType.id, marker, bookingId)
            await scheduling.findBooked(slot, rig.eventType.id, marker)
            await scheduling.findCancelled(bookingId, marker)
            const move = { bookingId, eventTypeId: rig.eventType.id, ...to }
            await scheduling.reschedule?.reconcile(move, marker)
          }
        }
        expect(rig.changes()).toBe(before)
      })

      it('named by the provider is ours under our marker alone, and is read past any list', async () => {
        const { slot, id } = await booked('ours.0')
        const other = await rig.bookElsewhere(await freeSlot(2), JANE)
        const look = (marker: string, named: string) =>
          scheduling.findBooked(slot, rig.eventType.id, marker, named)
        rig.fail('list', 'busy')
        expect(await look('ours.0', id)).toMatchObject({ is: 'ok', facts: { booking_id: id } })
        for (const [marker, named] of [
          ['another.0', id],
          ['ours.0', other],
          ['ours.0', 'bk_0123456789abcdef'],
        ] as const)
          expect([named, await look(marker, named)]).toEqual([named, { is: 'unknown' }])
      })
    })

    it(`moves a booking in ${movesInOneCall ? 'one call' : 'two steps, by no call of its own'}`, () =>
      expect(scheduling.reschedule !== undefined).toBe(movesInOneCall))

    if (!movesInOneCall) return

    it('a booking moved in one call keeps its invitee, and frees the old time', async () => {
      const { slot, id } = await booked()
      const to = await freeSlot(1)
      const request = { bookingId: id, eventTypeId: rig.eventType.id, ...to }
      const { reschedule } = scheduling
      if (!reschedule) throw new Error('declared, but not there')
      expect(await reschedule.reconcile(request, 'three.0')).toEqual({ is: 'not_found' })
      const ran = await reschedule.execute(request, 'three.0')
      const moved = await scheduling.booking(idIn(ran))
      expect(moved).toMatchObject({ ...to, maskedEmail: maskEmail(JANE.email) })
      expect(await reschedule.reconcile(request, 'three.0')).toEqual(ran)
      expect(await scheduling.booking(id)).toMatchObject({ state: 'cancelled', movedTo: idIn(ran) })
      expect(await scheduling.seen(id)).toMatchObject({ state: 'cancelled', movedTo: idIn(ran) })
      expect(await scheduling.seen(idIn(ran))).toMatchObject({ state: 'confirmed', movedFrom: id })
      expect(await week()).toContainEqual(slot)
      expect(await week()).not.toContainEqual(to)
    })
  })
}

function factsIn(ran: LookupOutcome): Facts {
  expect(ran).toMatchObject({ is: 'ok' })
  return ran.is === 'ok' ? ran.facts : {}
}
const idIn = (ran: StepOutcome): string => String(factsIn(ran)['booking_id'])

function refusalIn(ran: StepOutcome): Refusal {
  if (ran.is !== 'refused' && ran.is !== 'busy') throw new Error(`no refusal in ${ran.is}`)
  return ran.refusal
}

/** A rig whose next request of this kind is carried out twice on its way; the second answer is the one that comes. */
export interface TwiceRig extends SchedulingRig {
  twice(action: 'book' | 'cancel' | 'move'): void
}

/** What an adapter promises where a gateway, or the provider itself, carries one request out twice. */
export function carriedOutTwiceContract(name: string, make: () => Promise<TwiceRig>): void {
  describe(`${name}, where a request is carried out twice on its way`, () => {
    let rig: TwiceRig
    beforeEach(async () => {
      rig = await make()
    })

    const slots = () => rig.scheduling.slots(rig.eventType, rig.now(), rig.now() + 7 * DAY)
    const slotAt = async (index: number): Promise<Slot> => (await slots())[index]!
    const book = (slot: Slot, marker: string) =>
      rig.scheduling.book({ eventTypeId: rig.eventType.id, ...slot, invitee: JANE }, marker)

    it('a booking refused by its own first effect is answered as booked', async () => {
      const slot = await slotAt(0)
      rig.twice('book')
      const id = idIn(await book(slot, 'one.0'))
      expect(await rig.scheduling.booking(id)).toMatchObject({ ...slot, state: 'confirmed' })
      expect(await rig.effects()).toEqual({ made: 1, cancelled: 0 })
    })

    it('a booking of a time that someone else holds is refused as ever', async () => {
      const slot = await slotAt(0)
      await rig.bookElsewhere(slot, { ...JANE, email: 'first@example.com' })
      rig.twice('book')
      expect(await book(slot, 'one.0')).toEqual(refused('slot_unavailable'))
    })

    it('a cancellation refused by its own first effect is answered as done', async () => {
      const id = idIn(await book(await slotAt(0), 'one.0'))
      rig.twice('cancel')
      expect(await rig.scheduling.cancel(id, 'Mine', 'two.0')).toEqual({ is: 'ok', facts: {} })
      expect(await rig.effects()).toEqual({ made: 1, cancelled: 1 })
    })

    it('a cancellation of a booking that someone else cancelled is refused as ever', async () => {
      const id = idIn(await book(await slotAt(0), 'one.0'))
      await rig.cancelElsewhere(id)
      rig.twice('cancel')
      expect(await rig.scheduling.cancel(id, 'Mine', 'two.0')).toEqual(
        refused('booking_not_active'),
      )
    })

    it('a move in one call refused by its own first effect is answered as moved', async () => {
      const { reschedule } = rig.scheduling
      if (!reschedule) return
      const [from, to] = [await slotAt(0), await slotAt(2)]
      const id = idIn(await book(from, 'one.0'))
      rig.twice('move')
      const ran = await reschedule.execute(
        { bookingId: id, eventTypeId: rig.eventType.id, ...to },
        'two.0',
      )
      expect(await rig.scheduling.booking(idIn(ran))).toMatchObject(to)
      expect(await rig.effects()).toEqual({ made: 2, cancelled: 1 })
    })
  })
}
