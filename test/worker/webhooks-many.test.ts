// @module-tag slow

import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, expect, it, vi } from 'vitest'

import { keyFor } from './fixtures.ts'

const QUICK = 900
const EACH = 20

/** Who got which event, and after how many milliseconds. */
let delays: Map<string, Map<string, number>>
let appendedAt: number

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  delays = new Map()
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const { hostname } = new URL(input as string)
    const event = new Headers(init?.headers).get('webhook-id') ?? ''
    if (hostname.startsWith('dead')) throw new TypeError('connection refused')
    if (hostname.startsWith('hangs')) {
      const { promise, reject } = Promise.withResolvers<Response>()
      init?.signal?.addEventListener('abort', () => reject(init.signal!.reason as Error))
      return promise
    }
    await scheduler.wait(5)
    const got = delays.get(event) ?? new Map<string, number>()
    delays.set(event, got.set(input as string, Date.now() - appendedAt))
    return new Response(null, { status: 204 })
  })
})

const eventLog = () => env.EVENT_LOG.getByName('event-log')

/** Keys of so many callers, who subscribe an address each of a list. */
async function subscribe(urls: readonly string[], name: string): Promise<void> {
  for (let first = 0; first < urls.length; first += EACH) {
    const id = `${name}-${first}`
    await keyFor(id, ['clients:read'])
    for (const url of urls.slice(first, first + EACH)) {
      const wanted = { caller: `key:${id}`, url, topics: ['client.created' as const] }
      const made = await eventLog().subscribe({ ...wanted, origin: 'http://127.0.0.1:8787' })
      expect(made.is).toBe('new')
    }
  }
}

/** Appends an event, and waits until every quick endpoint has it. */
async function reached(client_id: string): Promise<{ half: number; last: number }> {
  appendedAt = Date.now()
  const known = new Set(delays.keys())
  await eventLog().append([
    {
      type: 'client.created',
      timestamp: '2026-11-23T14:03:10Z',
      mode: 'mock',
      data: { client_id },
    },
  ])
  const got = () => [...delays].find(([id]) => !known.has(id))?.[1] ?? new Map<string, number>()
  await vi.waitFor(() => expect(got().size).toBe(QUICK), { interval: 50 })
  const sorted = [...got().values()].toSorted((a, b) => a - b)
  return { half: sorted[QUICK / 2]!, last: sorted.at(-1)! }
}

const urls = (count: number, name: string) =>
  Array.from({ length: count }, (_, i) => `https://${name}-${i}.example.com/hook`)

it('a hundred dead or hanging endpoints do not hold up nine hundred quick ones', async () => {
  await subscribe(urls(QUICK, 'quick'), 'quick')
  const alone = [await reached('cl_mock_1'), await reached('cl_mock_2')][1]!
  await subscribe([...urls(50, 'dead'), ...urls(50, 'hangs')], 'bad')
  const beside = [await reached('cl_mock_3'), await reached('cl_mock_4')]
  const shown = ({ half, last }: { half: number; last: number }) =>
    `half ${half} ms, last ${last} ms`
  console.info(
    `900 alone: ${shown(alone)}; beside 100 dead or hanging: ${beside.map(shown).join('; ')}`,
  )
  // They have two of the six connections for themselves in the worst case.
  for (const { last } of beside) expect(last).toBeLessThan(5 * alone.last + 3000)
  const rows = await runInDurableObject(eventLog(), (_object, { storage }) =>
    storage.sql.exec<{ row: string }>('SELECT row FROM webhooks').toArray(),
  )
  expect(rows).toHaveLength(1000)
})
