import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { staffKey } from './sample-data.ts'
import { buildOurs, serveOurs } from './servers.ts'
import { bearer } from './transports.ts'

/** How many callers commit at a time, and how long an event took from the answer to its commit until it arrived. */
export interface Delivered {
  callers: number
  commits: number
  /** Milliseconds. */
  p50: number
  p99: number
  /** How many a second: changes, events meanwhile and afterwards, and pages meanwhile, to one client that asks for them in turn. */
  each: { commits: number; events: number; eventsAfter: number; pages: number }
}

/** How long the last event may take. */
const LONGEST = 30_000

/**
 * Commits client profiles, and measures when the receiver of a webhook on this machine gets the event of each. A client that
 * asks for a small page, one request after the other, shows what share of the server anybody has meanwhile.
 */
export async function delivery({
  commits,
  script,
  say = () => {},
}: {
  commits: number
  script?: string
  say?(line: string): void
}): Promise<Delivered[]> {
  const arrived = new Map<string, number>()
  const receiver = createServer((request, response) => {
    let body = ''
    request.on('data', (text) => (body += String(text)))
    request.on('end', () => {
      const { data } = JSON.parse(body) as { data: { client_id: string } }
      arrived.set(data.client_id, performance.now())
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const folder = await mkdtemp(join(tmpdir(), 'consult-delivery-'))
  try {
    const built = script ?? (await buildOurs(join(folder, 'built'))).script
    const server = await serveOurs(built, join(folder, 'served'))
    try {
      const url = `http://127.0.0.1:${server.port}`
      const headers = {
        'Content-Type': 'application/json',
        ...bearer(await staffKey(url, server.ownerKey)),
      }
      const post = async (path: string, fields: object, key = '') => {
        const answer = await fetch(url + path, {
          method: 'POST',
          headers: { ...headers, ...(key !== '' && { 'Idempotency-Key': key }) },
          body: JSON.stringify(fields),
        })
        if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
        return (await answer.json()) as {
          confirmation_token?: string
          result?: { client_id: string }
        }
      }
      const { port } = receiver.address() as AddressInfo
      await post('/v1/webhooks', { url: `http://127.0.0.1:${port}/`, events: ['client.created'] })
      const client = {
        entity_type: 'individual',
        display_name: 'Jordan Doe',
        contact_email: 'jordan@example.com',
      }
      const results: Delivered[] = []
      for (const callers of [1, 16]) {
        say(`${commits} commits by ${callers} at a time …`)
        const answered = new Map<string, number>()
        let left = commits
        let pages = 0
        const began = performance.now()
        const caller = async () => {
          while (left-- > 0) {
            const key = crypto.randomUUID()
            const { confirmation_token } = await post(
              '/v1/clients',
              { ...client, confirm: false },
              key,
            )
            const { result } = await post(
              '/v1/clients',
              { ...client, confirm: true, confirmation_token },
              key,
            )
            answered.set(result!.client_id, performance.now())
          }
        }
        const reader = async () => {
          for (; answered.size < commits; pages++) await (await fetch(`${url}/robots.txt`)).text()
        }
        await Promise.all([...Array.from({ length: callers }, caller), reader()])
        const written = performance.now()
        for (const end = Date.now() + LONGEST; Date.now() < end; await pause(20))
          if ([...answered.keys()].every((id) => arrived.has(id))) break
        // An event can arrive before the answer to its commit does.
        const waits = [...answered]
          .map(([id, at]) => Math.max(0, (arrived.get(id) ?? Infinity) - at))
          .sort((a, b) => a - b)
        const at = (share: number) =>
          waits[Math.min(waits.length - 1, Math.floor(waits.length * share))]!
        const times = [...answered.keys()]
          .map((id) => arrived.get(id) ?? Infinity)
          .sort((a, b) => a - b)
        const meanwhile = times.filter((time) => time <= written).length
        const aSecond = (count: number, until = written, from = began) =>
          (1000 * count) / (until - from)
        const each = {
          commits: aSecond(commits),
          events: aSecond(meanwhile),
          // Of a few that are left it would say nothing.
          eventsAfter:
            commits - meanwhile < 20 ? NaN : aSecond(commits - meanwhile, times.at(-1), written),
          pages: aSecond(pages),
        }
        results.push({ callers, commits: answered.size, p50: at(0.5), p99: at(0.99), each })
      }
      return results
    } finally {
      await server.stop()
    }
  } finally {
    receiver.close()
    await rm(folder, { recursive: true, force: true })
  }
}
