import { request } from 'node:http'
import { text } from 'node:stream/consumers'

import { describe, expect, test } from 'vitest'

import type { Body } from '../support/connector.ts'
import { sharedConnector } from '../support/started.ts'
import {
  FACES,
  type Reply,
  ZONE,
  ask,
  bookedStarts,
  changeOf,
  freeStarts,
  instant,
  newKey,
} from '../support/transports.ts'

const guest = { timezone: ZONE, invitee_email: 'robin.castle@practice-guests.example' }
const LINK = { invoice_id: 'in_mock_open' }

const times = (count: number) => Array.from({ length: count }, (_, index) => index)
const faceOf = (index: number) => FACES[index % FACES.length]!

/**
 * Asks many times at once. A caller whose connection is lost, as on a busy machine, asks the same again under its key, as
 * callers do.
 */
const askAtOnce = (count: number, asking: (index: number) => Promise<Reply>): Promise<Reply[]> =>
  Promise.all(
    times(count).map(async (index) => {
      for (let lost = 0; ; lost++) {
        try {
          return await asking(index)
        } catch (error) {
          if (lost === 5 || !isLostConnection(error)) throw error
        }
      }
    }),
  )

/** A preview whose header a proxy has doubled: both lines have the same key. */
async function sentTwice(url: string, key: string): Promise<{ status: number; code?: string }> {
  const { promise, resolve, reject } =
    Promise.withResolvers<Awaited<ReturnType<typeof sentTwice>>>()
  const sending = request(`${url}/v1/payment-links`, { method: 'POST' }, (response) => {
    void text(response).then((body) => {
      const { code } = JSON.parse(body) as Body
      resolve({ status: response.statusCode ?? 0, ...(code !== undefined && { code }) })
    }, reject)
  })
  sending.on('error', reject)
  sending.setHeader('Content-Type', 'application/json')
  sending.setHeader('Idempotency-Key', [key, key])
  sending.end(JSON.stringify({ ...LINK, confirm: false }))
  return promise
}

/** What `fetch` throws where a connection fails before, or while, it is answered; the clients of MCP put words before it. */
const isLostConnection = (error: unknown): boolean =>
  error instanceof Error && /(fetch failed|terminated)$/.test(error.message)

/** The committed bodies among many answers; the others may say only that the commit is still running. */
function committedAmong(replies: Reply[]): object[] {
  const others = replies.filter(({ body }) => body.status !== 'committed')
  for (const { body } of others) {
    expect(body).toMatchObject({ status: 409, code: 'commit_in_progress', effect: 'unknown' })
  }
  return replies.filter(({ body }) => body.status === 'committed').map(({ body }) => body)
}

const connector = sharedConnector()

test('20 commits of one preview at once over REST and MCP book once and say so alike', async () => {
  const [start_time] = (await freeStarts(connector)) as [string]
  const { preview, commit } = changeOf(connector, 'book_consult', { ...guest, start_time })
  await preview()
  const replies = await askAtOnce(20, (index) => commit(faceOf(index)))
  const committed = committedAmong(replies)
  expect(committed.length).toBeGreaterThan(0)
  for (const body of committed) expect(body).toEqual(committed[0])
  const starts = await bookedStarts(connector)
  expect(starts.filter((booked) => booked === instant(start_time))).toHaveLength(1)
  expect(await commit()).toMatchObject({ replayed: true, body: committed[0]! })
})

describe('an idempotency key', () => {
  const preview = (face: (typeof FACES)[number], key?: string) =>
    ask(connector, face, 'create_payment_link', { ...LINK, confirm: false }, key)

  test('over MCP is every string as it stands: what a header would take apart is another key', async () => {
    const key = newKey()
    const tokens = new Set<string | undefined>()
    const other = [`"${key}"`, ` ${key}`, `${key} `, `${key}, ${key}`, `"${key}";v=1`, `${key}é`]
    for (const one of [key, ...other])
      tokens.add((await preview('sdk 1.x', one)).body.confirmation_token)
    expect(tokens.size).toBe(1 + other.length)
    expect(tokens).not.toContain(undefined)
    const accented = await preview('REST', `%"${key}%c3%a9"`)
    expect(tokens).toContain(accented.body.confirmation_token)
    const listed = await preview('REST', `"${key}, ${key}"`)
    expect(tokens).toContain(listed.body.confirmation_token)
  })

  test('is no key where its header came twice', async () => {
    const sent = await sentTwice(connector.url, newKey())
    expect([sent.status, sent.code]).toEqual([400, 'idempotency_key_invalid'])
  })

  test('that is no text is refused over MCP as invalid', async () => {
    for (const key of [12_345_678, ['a-key-in-a-list'], true]) {
      const given = { ...LINK, confirm: false, idempotency_key: key }
      const { body } = await connector.mcp('create_payment_link', given)
      expect(body.code).toBe('idempotency_key_invalid')
    }
  })
})
