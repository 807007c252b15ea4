import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

import type { Random } from '../../support/random.ts'
import type { Connector } from './connector.ts'

const TOPICS = [
  ['booking.created', 'booking.rescheduled', 'booking.cancelled'],
  [
    'client.created',
    'intake.submitted',
    'payment_link.created',
    'payment_link.closed',
    'booking.created',
    'booking.confirmed',
  ],
] as const
/** How long the last instance has to deliver what waits. */
const LONGEST = 90_000
/** How often an event is refused: once more, and it would be skipped. */
const REFUSALS = 2

interface Page {
  events: { id: string; type: string }[]
  next_cursor: string
}

/**
 * Receivers of webhooks, which are slow now and then, fail for some events the first time, and refuse some twice. Each has
 * to be sent every event of its topics until it takes it, in the order of the log but for what it refused: those of the log are
 * asked for at the end.
 */
export async function webhookReceivers(random: Random) {
  const arrived = TOPICS.map((): string[] => [])
  const taken = TOPICS.map(() => new Set<string>())
  const refused = TOPICS.map(() => new Set<string>())
  let cursor: string | undefined
  let subscribed = 0

  const server = createServer((request, response) => {
    const number = Number(request.url?.slice(1))
    const ids = arrived[number]!
    const id = String(request.headers['webhook-id'])
    const isNew = !ids.includes(id)
    ids.push(id)
    request.resume()
    if (isNew && random.chance(0.05)) refused[number]!.add(id)
    const isRefused = refused[number]!.has(id) && ids.filter((one) => one === id).length <= REFUSALS
    const status = isRefused ? 422 : isNew && random.chance(0.05) ? 500 : 204
    if (status === 204) taken[number]!.add(id)
    setTimeout(() => response.writeHead(status).end(), random.chance(0.2) ? random.int(0, 500) : 0)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  /** Subscribes each of them, unless that is done. */
  async function subscribe({ url }: Connector): Promise<void> {
    cursor ??= ((await (await fetch(`${url}/v1/events?limit=1`)).json()) as Page).next_cursor
    for (; subscribed < TOPICS.length; subscribed++) {
      const body = { url: `http://127.0.0.1:${port}/${subscribed}`, events: TOPICS[subscribed] }
      const answer = await post(`${url}/v1/webhooks`, body)
      if (answer.status !== 201) throw new Error(`not subscribed: ${await answer.text()}`)
    }
  }

  /** Waits until nothing is left to be sent, and says what was not sent as it has to be, and how often something came. */
  async function compare({ url }: Connector): Promise<{ deliveries: number; wrong: string[] }> {
    const left = await leftAtTheEnd(url)
    const wrong =
      left.length > 0 ? [`webhooks were still waiting in the end: ${JSON.stringify(left)}`] : []
    const log = await eventsSince(url, cursor!)
    for (const [number, topics] of TOPICS.entries()) {
      const wanted = log
        .filter(({ type }) => topics.some((topic) => topic === type))
        .map(({ id }) => id)
      const came = arrived[number]!
      if ([...new Set(came)].join() !== wanted.join())
        wrong.push(
          `a webhook was sent ${[...new Set(came)].join()}; in the log are ${wanted.join()}`,
        )
      const missing = wanted.filter((id) => !taken[number]!.has(id))
      if (missing.length > 0)
        wrong.push(`a webhook was never sent again what it refused: ${missing.join()}`)
      const places = came.filter((id) => !refused[number]!.has(id)).map((id) => wanted.indexOf(id))
      if (places.some((place, i) => i > 0 && place < places[i - 1]!))
        wrong.push('a webhook was sent an event again after a later one')
    }
    return { deliveries: arrived.flat().length, wrong }
  }

  return { subscribe, compare, close: () => server.close() }
}

const post = (url: string, body: object): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

/** The webhooks that have something left to be sent, once none has or they had long enough. */
async function leftAtTheEnd(url: string): Promise<object[]> {
  for (const end = Date.now() + LONGEST; ; await pause(500)) {
    const { webhooks } = (await (await fetch(`${url}/v1/webhooks`)).json()) as {
      webhooks: { waiting: number }[]
    }
    const left = webhooks.filter(({ waiting }) => waiting > 0)
    if (left.length === 0 || Date.now() >= end) return left
  }
}

async function eventsSince(url: string, cursor: string): Promise<Page['events']> {
  const found: Page['events'] = []
  for (let next = cursor; ;) {
    const answer = await fetch(`${url}/v1/events?limit=100&cursor=${encodeURIComponent(next)}`)
    const { events, next_cursor } = (await answer.json()) as Page
    found.push(...events)
    if (events.length < 100) return found
    next = next_cursor
  }
}
