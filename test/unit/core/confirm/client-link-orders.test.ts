import { describe, expect, test } from 'vitest'

import { confirmationName } from '../../../../src/core/confirm/token.ts'
import { HOUR, MINUTE } from '../../../../src/core/domain/time/duration.ts'
import { type Ask, callerOfLink } from '../../../../src/practice/operations/invite-client.ts'
import { practice } from '../../../support/fake-host.ts'
import { randomFrom } from '../../../support/random.ts'
import { ALL, PHONE, TIMES, TYPED, linkIn } from './client-link.ts'

const RAW = [TYPED.email, TYPED.name, PHONE, 'Zibblethwaite']

/** One random order of what can happen to a link, and how it ended. */
async function order(seed: number) {
  const random = randomFrom(seed)
  const world = practice()
  const ask: Ask[] = random.pick([
    ALL,
    ['details', 'time'],
    ['time'],
    ['details', 'intake'],
    ['details'],
  ])
  const link = await linkIn(world, ask)
  const name = await confirmationName(callerOfLink(link.link_id), link.link_id)
  const tabs = [link.tab(), link.tab(TIMES[1]), link.tab(TIMES[0], { name: 'Somebody Else' })]
  const owner = link.owner()
  const said: unknown[] = []
  let ends = ''
  const acts: Record<string, () => Promise<unknown>> = {
    check: () => random.pick(tabs).preview(),
    send: () => random.pick(tabs).commit(),
    both: async () => {
      const tab = random.pick(tabs)
      await tab.preview()
      return Promise.all([tab.commit(), random.pick(tabs).commit()])
    },
    'withdraw?': () => owner.preview(),
    withdraw: () => owner.commit(),
    race: async () => {
      await owner.preview()
      return Promise.all([owner.commit(), random.pick(tabs).preview(), random.pick(tabs).commit()])
    },
    crash: async () => world.crash(name),
    alarm: async () => (world.near(name) ? world.ring(name) : undefined),
    look: () => link.read(),
    pass: async () => world.pass(random.pick([MINUTE, 16 * MINUTE, 80 * HOUR])),
    fault: async () =>
      world.fail(
        'book',
        random.pick([
          'timeout_before',
          'timeout_after',
          'lost',
          'busy',
          'refused',
          'late',
        ] as const),
      ),
    resolve: () =>
      world.resolve(name, world.calendar.active().length > 0, { booking_id: 'bk_mock_0001' }),
  }
  for (let left = random.int(4, 10); left > 0; left--) {
    const act = random.weighted([
      [6, 'check'],
      [6, 'send'],
      [3, 'both'],
      [1, 'withdraw?'],
      [1, 'withdraw'],
      [1, 'race'],
      [1, 'crash'],
      [1, 'alarm'],
      [1, 'look'],
      [1, 'pass'],
      [2, 'fault'],
      [1, 'resolve'],
    ] as const)
    // Whoever asked an instance that is gone gets no answer; the caller is told so by the Worker.
    said.push(await acts[act]!().catch((thrown: unknown) => String(thrown)))
    const now = (await link.read())!.state
    if (['completed', 'withdrawn'].includes(ends)) expect([seed, now]).toEqual([seed, ends])
    ends = now
  }
  world.allIsWell()
  await world.ringAll(name)
  await world.idle()
  const { state, made } = (await link.read())!
  return { world, link, ask, state, made, said, name }
}

async function judge(seed: number): Promise<string> {
  const { world, link, ask, state, made, said, name } = await order(seed)
  const keys = [...world.stored.keys()].filter((key) => key !== `client_link:${link.link_id}`)
  const kinds = keys.map((key) => String(key.split(':')[0])).toSorted()
  const bookings = world.calendar.rows
  const entries = world
    .auditLog()
    .filter(({ event, caller }) => event === 'commit' && caller !== 'tester')
  const wanted = {
    completed: [
      ...(ask.includes('time') ? ['booking'] : []),
      ...(ask.includes('details') ? ['client'] : []),
      'client_link',
      ...(ask.includes('intake') ? ['intake'] : []),
    ],
    withdrawn: ['client_link'],
  }
  const at = `seed ${seed}, ${state}`
  const isEnd = state === 'completed' || state === 'withdrawn'
  expect([at, kinds]).toEqual([at, isEnd ? wanted[state] : []])
  expect([at, entries.length]).toEqual([at, isEnd ? 1 : 0])
  if (state === 'completed') {
    expect(entries[0]!.about).toEqual({ approved: 'link_holder', made_by: 'tester' })
    expect([at, bookings.length]).toEqual([at, ask.includes('time') ? 1 : 0])
    expect(Object.values(made).filter((id) => id !== null)).toHaveLength(
      wanted.completed.length - 1,
    )
  } else if (state !== 'checking') expect([at, bookings.length]).toEqual([at, 0])
  else expect([at, bookings.length < 2]).toEqual([at, true])
  const seen = JSON.stringify([
    said,
    [...world.stored],
    world.auditLog(),
    world.notes,
    world.record(name),
    state,
    made,
  ])
  for (const raw of RAW) expect([at, raw, seen.includes(raw)]).toEqual([at, raw, false])
  expect([at, world.broken]).toEqual([at, []])
  return state
}

async function judgeAll(from: number, count: number) {
  const states: Record<string, number> = {}
  for (let seed = from; seed < from + count; seed++) {
    const state = await judge(seed)
    states[state] = (states[state] ?? 0) + 1
  }
  console.info(`${count} orders: ${JSON.stringify(states)}`)
  return states
}

describe(
  'a link ends once, wholly or not at all, whatever happens in any order',
  { timeout: 600_000 },
  () => {
    test('in 400 orders', async () => {
      const states = await judgeAll(1, 400)
      expect(Object.keys(states).toSorted()).toEqual([
        'checking',
        'completed',
        'expired',
        'open',
        'withdrawn',
      ])
    })

    test('in 4,000 more', { tags: 'slow' }, async () => void (await judgeAll(10_000, 4_000)))
  },
)
