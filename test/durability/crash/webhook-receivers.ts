import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '../../support/random.ts'
import type { Connector } from './connector.ts'

const TOPICS = [
  ['booking.created', 'booking.rescheduled', 'booking.cancelled'],
  ['client.created', 'intake.submitted', 'payment_link.created', 'booking.created'],
] as const
/** How long the last instance has to deliver what waits. */
const LONGEST = 60_000

interface Page {
  events: { id: string; type: string }[]
  next_cursor: string
}

/**
 * Receivers of webhooks, which are slow now and then, and refuse some events the first time. Each has to be sent every event
 * of its topics, in the order of the log: those of the log are asked for at the end.
 */
export async function webhookReceivers(random: Random) {
  const arrived = TOPICS.map((): string[] => [])
  let cursor: string | undefined
  let subscribed = 0

  const server = createServer((request, response) => {
    const ids = arrived[Number(request.url?.slice(1))]!
    const id = String(request.headers['webhook-id'])
    const isNew = !ids.includes(id)
    ids.push(id)
    request.resume()
    const status = isNew && random.chance(0.05) ? 500 : 204
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
    const wrong = (await isDone(url)) ? [] : ['webhooks were still waiting after a minute']
    const log = await eventsSince(url, cursor!)
    for (const [number, topics] of TOPICS.entries()) {
      const wanted = log.filter(({ type }) => topics.some((topic) => topic === type)).map(({ id }) => id)
      const came = arrived[number]!
      if ([...new Set(came)].join() !== wanted.join())
        wrong.push(`a webhook was sent ${[...new Set(came)].join()}; in the log are ${wanted.join()}`)
      const places = came.map((id) => wanted.indexOf(id))
      if (places.some((place, i) => i > 0 && place < places[i - 1]!))
        wrong.push('a webhook was sent an event again after a later one')
    }
    return { deliveries: arrived.flat().length, wrong }
  }

  return { subscribe, compare, close: () => server.close() }
}

const post = (url: string, body: object): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })

async function isDone(url: string): Promise<boolean> {
  for (const end = Date.now() + LONGEST; Date.now() < end; await pause(500)) {
    const { webhooks } = (await (await fetch(`${url}/v1/webhooks`)).json()) as {
      webhooks: { webhook_id: string; waiting: number; failing_since: string | null }[]
    }
    if (webhooks.every(({ waiting }) => waiting === 0)) return true
    // After a second failure it would wait for minutes.
    for (const { webhook_id, failing_since } of webhooks)
      if (failing_since !== null) await post(`${url}/v1/webhooks/${webhook_id}/resume`, {})
  }
  return false
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
