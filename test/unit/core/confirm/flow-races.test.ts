import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'

import type {
  ConfirmationCall,
  ConfirmationReply,
} from '../../../../src/core/ports/confirmation.ts'
import { practice, type World } from '../../../support/fake-host.ts'
import { BOOKING, callerOf } from './caller.ts'

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
})
