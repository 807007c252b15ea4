import { describe, expect, test } from 'vitest'

import { confirmationName } from '../../../../src/core/confirm/token.ts'
import { Problem } from '../../../../src/core/domain/problem/problem.ts'
import { EVERYBODY, NO_RULES, type Rules } from '../../../../src/core/domain/rules/house-rules.ts'
import { HOUR, MINUTE } from '../../../../src/core/domain/time/duration.ts'
import { standingOfMaker } from '../../../../src/practice/operations/complete-client-link.ts'
import {
  type Ask,
  callerOfLink,
  inviteClient,
  type readClientLink,
} from '../../../../src/practice/operations/invite-client.ts'
import { PRACTICE_ZONE, type World, practice } from '../../../support/fake-host.ts'
import { randomFrom } from '../../../support/random.ts'
import { ALL, PHONE, TIMES, TYPED, linkIn } from './client-link.ts'

const RAW = [TYPED.email, TYPED.name, PHONE, 'Zibblethwaite']

/** The maker of a link, whose access, rules and pause the owner changes at any moment. */
function makerIn(world: World) {
  let isRevoked = false
  const ruled = (caller: string, rules: Partial<Rules>) => {
    const others = world.rules.filter((set) => set.caller !== caller)
    const before = world.rules.find((set) => set.caller === caller)?.rules ?? NO_RULES
    const pausedSince = (rules.paused ?? before.paused) ? world.now() : null
    world.rules = [
      ...others,
      { caller, rules: { ...before, ...rules }, pausedSince, changesToday: 0 },
    ]
  }
  return {
    isRevoked: () => isRevoked,
    /** Whether a link that asks for this, and that no person approved, lets its holder do anything. */
    mayAct(ask: readonly Ask[]): boolean {
      const isPaused = world.rules.some(({ rules }) => rules.paused)
      const needsPerson = ask.includes('time') && world.rules.some(({ rules }) => rules.approval)
      return !isRevoked && !isPaused && !needsPerson
    },
    revoke: async () => void (isRevoked = true),
    pause: async () => ruled('tester', { paused: true }),
    'pause all': async () => ruled(EVERYBODY, { paused: true }),
    'go on': async () => {
      ruled('tester', { paused: false })
      ruled(EVERYBODY, { paused: false })
    },
    rule: async () =>
      ruled('tester', { approval: [{ operation: 'book_consult', level: 'person' }] }),
    /** Whether the page of the link lets anything be done now, as each visit asks. */
    async letsActNow(link: { read(): ReturnType<typeof readClientLink> }): Promise<boolean> {
      const kept = (await link.read())!.link
      const copyOf = async () => structuredClone(world.rules)
      const services = {
        access: {
          standingOf: async () => (isRevoked ? undefined : { scopes: [inviteClient.scope] }),
        },
        houseRules: { copyOf, lastCopyOf: () => [] },
        practice: { timezone: PRACTICE_ZONE },
        now: world.now,
      }
      try {
        return (await standingOfMaker(kept, services as never)) !== undefined
      } catch (thrown) {
        if (thrown instanceof Problem && thrown.refusal.code === 'paused') return false
        throw thrown
      }
    },
  }
}

/** One random order of what can happen to a link, and how it ended. */
async function order(seed: number, canMakerEnd = false) {
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
  const tabs = [link.tab(), link.tab(TIMES[1]), link.tab(TIMES[0], { name: 'Someone Else' })]
  const owner = link.owner()
  const maker = makerIn(world)
  const said: unknown[] = []
  let ends = ''
  let stopped = 0
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
    maker: () =>
      Promise.resolve(
        maker[random.pick(['revoke', 'pause', 'pause all', 'go on', 'rule'] as const)](),
      ),
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
      ...(canMakerEnd ? ([[6, 'maker']] as const) : []),
    ] as const)
    const mayAct = maker.mayAct(ask)
    expect([seed, await maker.letsActNow(link)]).toEqual([seed, mayAct])
    const isByClient = ['check', 'send', 'both'].includes(act)
    // The page of a revoked maker's link has nothing to press; a pause and a rule also stop a press that passed it.
    if (isByClient && maker.isRevoked()) continue
    const wasRunning = world.record(name)?.state === 'running'
    const sentBefore = world.mutations().length
    // An instance that is gone answers nothing; the Worker tells the caller so.
    said.push(await acts[act]!().catch((thrown: unknown) => String(thrown)))
    if (isByClient && !mayAct && !wasRunning) {
      stopped += 1
      expect([seed, world.mutations().length]).toEqual([seed, sentBefore])
    }
    const now = (await link.read())!.state
    if (['completed', 'withdrawn'].includes(ends)) expect([seed, now]).toEqual([seed, ends])
    ends = now
  }
  world.allIsWell()
  await world.ringAll(name)
  await world.idle()
  const { state, made } = (await link.read())!
  return { world, link, ask, state, made, said, name, stopped }
}

async function judge(seed: number, canMakerEnd: boolean) {
  const { world, link, ask, state, made, said, name, stopped } = await order(seed, canMakerEnd)
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
  return { state, stopped }
}

async function judgeAll(from: number, count: number, canMakerEnd = false) {
  const states: Record<string, number> = {}
  let stoppedInAll = 0
  for (let seed = from; seed < from + count; seed++) {
    const { state, stopped } = await judge(seed, canMakerEnd)
    states[state] = (states[state] ?? 0) + 1
    stoppedInAll += stopped
  }
  console.info(`${count} orders: ${JSON.stringify({ ...states, stopped: stoppedInAll })}`)
  return { states, stopped: stoppedInAll }
}

describe('a link ends once, wholly or not at all, whatever happens in any order', () => {
  test('in 40 orders', async () => {
    const { states } = await judgeAll(1, 40)
    expect(Object.keys(states).toSorted()).toEqual([
      'checking',
      'completed',
      'expired',
      'open',
      'withdrawn',
    ])
  })

  test('in 20 orders in which its maker is revoked, paused or ruled', async () => {
    const { states, stopped } = await judgeAll(50_000, 20, true)
    expect(states['completed']).toBeGreaterThan(1)
    expect(stopped).toBeGreaterThan(5)
  })

  test('in 2,000 more of a maker who loses rights', { tags: 'slow' }, async () => {
    await judgeAll(60_000, 2_000, true)
  })

  test('in 2,000 more', { tags: 'slow' }, async () => void (await judgeAll(10_000, 2_000)))
})
