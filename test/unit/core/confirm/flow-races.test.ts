import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'

import type { Fault } from '../../../../src/core/domain/mock-booking.ts'
import type {
  ConfirmationCall,
  ConfirmationReply,
} from '../../../../src/core/ports/confirmation.ts'
import { practice, type World } from '../../../support/fake-host.ts'
import { anExistingBooking, BOOKING, callerOf, NEW_TIME } from './caller.ts'

type Payload = 'a' | 'b'

const NAME = 'one idempotency key'
const payload = fc.constantFrom<Payload>('a', 'b')
const asked = {} as Record<Payload, ConfirmationCall>

beforeAll(async () => {
  const world = practice()
  const other = { ...BOOKING, start_time: '2026-11-24T11:00:00-05:00' }
  asked.a = await callerOf(world, 'book_consult', BOOKING).asked(false)
  asked.b = await callerOf(world, 'book_consult', other).asked(false)
})

/** A practice in which the scheduler decides in which order the calls out of the object go on. */
async function raced(scheduler: fc.Scheduler): Promise<World> {
  const world = practice()
  await world.ports()
  world.interleave = (name) => scheduler.schedule(Promise.resolve(), name)
  return world
}

const commit = (call: ConfirmationCall, id: string): ConfirmationCall => ({
  ...call,
  confirm: true,
  token: { id },
})

const reused = (reply: ConfirmationReply) =>
  reply.is === 'refused' && reply.refusal.code === 'idempotency_key_reused'

describe.each([
  { which: 'a fifth of the orders', share: 0.2, tags: [] },
  { which: 'all of them', share: 1, tags: ['slow'] },
])('in any order of events, $which', { timeout: 60_000 }, ({ share, tags }) => {
  test(
    'of first previews with two payloads one wins, and of commits one sends',
    { tags },
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.scheduler(),
          fc.array(payload, { minLength: 2, maxLength: 8 }),
          fc.array(payload, { minLength: 2, maxLength: 8 }),
          async (scheduler, previews, commits) => {
            const world = await raced(scheduler)
            const previewed = await scheduler.waitFor(
              Promise.all(previews.map((which) => world.perform(NAME, asked[which]))),
            )
            const ids = previewed.map((reply) => reply.is === 'preview' && reply.id)
            const winner = previews[ids.findIndex((id) => id !== false)]!
            const id = world.record(NAME)!.id
            expect(ids).toEqual(previews.map((which) => which === winner && id))
            expect(previewed.filter(reused)).toHaveLength(
              previews.filter((which) => which !== winner).length,
            )

            const committed = await scheduler.waitFor(
              Promise.all(commits.map((which) => world.perform(NAME, commit(asked[which], id)))),
            )
            const bodies = committed.map(
              (reply) => reply.is === 'committed' && JSON.stringify(reply.body),
            )
            const first = bodies.find((body) => body !== false) ?? false
            expect(bodies).toEqual(commits.map((which) => which === winner && first))
            expect(committed.filter(reused)).toHaveLength(
              commits.filter((which) => which !== winner).length,
            )
            expect(world.mutations()).toEqual(commits.includes(winner) ? ['book'] : [])
          },
        ),
        { numRuns: 150 * share },
      )
    },
  )

  const happening = fc.constantFrom('commit', 'commit', 'commit', 'preview', 'alarm', 'crash')
  type Happening = typeof happening extends fc.Arbitrary<infer H> ? H : never
  const happenings = fc.array(happening, { minLength: 2, maxLength: 10 })
  const fault = fc.constantFrom<Fault>('ok', 'timeout_before', 'timeout_after', 'busy', 'refused')
  const faults = fc.record({
    book: fc.array(fault, { maxLength: 3 }),
    cancel: fc.array(fault, { maxLength: 2 }),
  })

  /** One preview, then everything at once; at last faults stop, the alarms ring, and the caller asks again. */
  async function tumult(
    scheduler: fc.Scheduler,
    world: World,
    call: ConfirmationCall,
    what: readonly Happening[],
    wrong: { book: Fault[]; cancel: Fault[] },
  ): Promise<ConfirmationReply> {
    const previewed = await scheduler.waitFor(world.perform(NAME, call))
    const id = previewed.is === 'preview' ? previewed.id : ''
    world.fail('book', ...wrong.book)
    world.fail('cancel', ...wrong.cancel)
    const happen = async (one: Happening): Promise<void> => {
      await scheduler.schedule(Promise.resolve(), one)
      if (one === 'crash') world.crash(NAME)
      else if (one === 'alarm')
        await (world.near(NAME) ? world.ring(NAME).catch(() => {}) : undefined)
      else {
        const asking = one === 'commit' ? commit(call, id) : call
        const reply = await world.perform(NAME, asking).catch(() => undefined)
        if (reply?.is === 'committed') expect(world.mutations()).not.toEqual([])
      }
    }
    await scheduler.waitFor(Promise.all(what.map(happen)))
    await scheduler.waitFor(world.idle())
    world.interleave = () => Promise.resolve()
    world.allIsWell()
    await world.ringAll(NAME)
    const last = await world.perform(NAME, commit(call, id))
    expect(world.broken).toEqual([])
    return last
  }
  const codeOf = (reply: ConfirmationReply) =>
    reply.is === 'refused' ? reply.refusal.code : reply.is

  test(
    'with crashes, alarms and faults, nothing is booked twice and the last answer is true',
    { tags },
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.scheduler(), happenings, faults, async (scheduler, what, wrong) => {
          const world = await raced(scheduler)
          const last = codeOf(await tumult(scheduler, world, asked.a, what, wrong))
          expect(world.calendar.rows.length).toBeLessThanOrEqual(1)
          const booked = world.calendar.active().length
          if (last === 'committed') expect(booked).toBe(1)
          else
            expect([last, booked]).toEqual([
              expect.stringMatching(/slot_unavailable|confirmation_expired|outcome_unknown/),
              0,
            ])
        }),
        { numRuns: 500 * share },
      )
    },
  )

  test(
    'with crashes, alarms and faults, a move ends with one booking or says that there is none',
    { tags },
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.scheduler(), happenings, faults, async (scheduler, what, wrong) => {
          const world = await raced(scheduler)
          const booking_id = await anExistingBooking(world)
          const fields = { booking_id, start_time: NEW_TIME }
          const call = await callerOf(world, 'reschedule_booking', fields).asked(false)
          const last = codeOf(await tumult(scheduler, world, call, what, wrong))
          const active = world.calendar.active().map(({ id, start }) => [id === 'mock_0001', start])
          const [old, moved] = [Date.parse(BOOKING.start_time), Date.parse(NEW_TIME)]
          const truth: Record<string, unknown[]> = {
            committed: [[[false, moved]]],
            reschedule_restored: [[[false, old]]],
            partially_applied: [[]],
            booking_not_active: [[[true, old]]],
            confirmation_expired: [[[true, old]]],
            outcome_unknown: [[]],
          }
          expect(truth[last]).toContainEqual(active)
        }),
        { numRuns: 300 * share },
      )
    },
  )
})
