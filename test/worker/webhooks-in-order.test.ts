import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, expect, it, vi } from 'vitest'

import type { HappenedEvent, Topic } from '../../src/core/domain/events/topics.ts'
import { HOUR, SECOND } from '../../src/core/domain/time/duration.ts'
import { playedFailure } from '../support/on-purpose.ts'
import { type Random, randomFrom } from '../support/random.ts'

const TOPICS = ['client.created', 'client.deleted', 'intake.submitted'] as const satisfies Topic[]
const HOOKS: Record<string, Topic[]> = {
  'all.example.com': [...TOPICS],
  'some.example.com': ['client.created', 'intake.submitted'],
  'one.example.com': ['client.deleted'],
}
const HOSTS = Object.keys(HOOKS)
const STEPS = 30

/** How a receiver takes what comes. */
type Mood = 'well' | 'down' | 'unreachable' | 'gone'

let moods: Record<string, Mood>
/** The events that were sent to each host, by their numbers, and those that it acknowledged. */
let sent: Record<string, number[]>
let acknowledged: Record<string, number[]>

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  moods = Object.fromEntries(HOSTS.map((host) => [host, 'well' as const]))
  sent = Object.fromEntries(HOSTS.map((host) => [host, []]))
  acknowledged = Object.fromEntries(HOSTS.map((host) => [host, []]))
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const { host } = new URL(input as string)
    const { data } = JSON.parse(init?.body as string) as { data: Record<string, string> }
    const number = Number((data['intake_id'] ?? data['client_id'])?.replace(/\D/g, ''))
    sent[host]!.push(number)
    const mood = moods[host]
    if (mood === 'unreachable') throw new TypeError('no such host')
    if (mood !== 'well') return new Response(null, { status: mood === 'gone' ? 410 : 503 })
    acknowledged[host]!.push(number)
    return new Response(null, { status: 200 })
  })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
})

const eventLog = () => env.EVENT_LOG.getByName('event-log')

function eventOf(number: number, type: Topic): HappenedEvent {
  const client_id = `cl_mock_${number}`
  const data =
    type === 'intake.submitted' ? { intake_id: `intake_${number}`, client_id } : { client_id }
  return { type, timestamp: '2026-11-23T14:03:10Z', mode: 'mock', data }
}

async function kill(): Promise<void> {
  const killed = runInDurableObject(eventLog(), (_object, state) =>
    state.abort(playedFailure('killed')),
  ).catch(() => {})
  await Promise.race([killed, scheduler.wait(20)])
  await vi.waitFor(() => eventLog().subscriptions(null))
}

/** Rings the alarm after a while, and waits until nothing is under way. */
async function ringIn(ms: number): Promise<void> {
  vi.setSystemTime(Date.now() + ms)
  await runDurableObjectAlarm(eventLog())
  await scheduler.wait(5)
}

const once = (numbers: readonly number[]) => [...new Set(numbers)]
const isSorted = (numbers: readonly number[]) =>
  numbers.every((one, i) => i === 0 || numbers[i - 1]! <= one)

async function live(random: Random): Promise<Topic[]> {
  const made: Topic[] = []
  for (let step = 0; step < STEPS; step++) {
    const host = random.pick(HOSTS)
    switch (random.pick(['append', 'append', 'mood', 'ring', 'ring', 'kill'] as const)) {
      case 'append': {
        const types = Array.from({ length: random.int(1, 3) }, () => random.pick(TOPICS))
        await eventLog().append(types.map((type, i) => eventOf(made.length + i, type)))
        made.push(...types)
        break
      }
      case 'mood':
        moods[host] = random.pick(['well', 'down', 'unreachable'] as const)
        break
      case 'ring':
        await ringIn(random.pick([SECOND, 10 * SECOND, HOUR, 30 * HOUR]))
        break
      case 'kill':
        await kill()
    }
  }
  return made
}

it.each([1, 2, 3, 4, 5, 6])(
  'E3: every webhook gets each event of its topics at least once and in order, and nothing after 410 (seed %i)',
  async (seed) => {
    for (const [host, topics] of Object.entries(HOOKS)) {
      const wanted = { caller: 'anonymous', url: `https://${host}/`, topics }
      await eventLog().subscribe({ ...wanted, origin: 'http://127.0.0.1:8787' })
    }
    const made = await live(randomFrom(seed))
    for (const host of HOSTS) moods[host] = 'well'
    for (let round = 0; round < 60; round++) {
      for (const { id, state, waiting } of await eventLog().subscriptions(null)) {
        if (state === 'paused') await eventLog().resumeSubscription(id, null)
        if (waiting > 0) await ringIn(30 * HOUR)
      }
    }
    for (const [host, topics] of Object.entries(HOOKS)) {
      const wanted = made.flatMap((type, number) => (topics.includes(type) ? [number] : []))
      expect([host, once(acknowledged[host]!)]).toEqual([host, wanted])
      expect([host, isSorted(sent[host]!)]).toEqual([host, true])
    }

    for (const host of HOSTS) moods[host] = 'gone'
    const before = HOSTS.map((host) => sent[host]!.length)
    for (const number of [made.length, made.length + 10]) {
      await eventLog().append(TOPICS.map((type, i) => eventOf(number + i, type)))
      await ringIn(SECOND)
      await vi.waitFor(async () => {
        const states = (await eventLog().subscriptions(null)).map(({ state }) => state)
        expect(states).toEqual(['ended', 'ended', 'ended'])
      })
    }
    expect(HOSTS.map((host, i) => sent[host]!.length - before[i]!)).toEqual([1, 1, 1])
  },
)
