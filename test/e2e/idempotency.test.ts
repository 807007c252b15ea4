import { request } from 'node:http'
import { text } from 'node:stream/consumers'

import { describe, expect, test } from 'vitest'

import type { Body, Caller, Connector } from '../support/connector.ts'
import { connectorForAll } from '../support/started.ts'
import {
  FACES,
  type Reply,
  ZONE,
  ask,
  bookedStarts,
  callerWith,
  changeOf,
  done,
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

const timesBooked = async (connector: Connector, start: string): Promise<number> =>
  (await bookedStarts(connector)).filter((booked) => booked === instant(start)).length

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

/** For the cases that need no settings. */
const connector = connectorForAll()

/** A booking of the first free time. */
async function aBooking(by: Connector = connector, more: object = {}, key?: string) {
  const [start_time] = (await freeStarts(by)) as [string]
  return { start_time, ...changeOf(by, 'book_consult', { ...guest, start_time, ...more }, key) }
}
const aLink = (by: Caller = connector, key?: string) =>
  changeOf(by, 'create_payment_link', LINK, key)

describe('many calls at once', () => {
  async function commitFiftyTimes(connector: Connector): Promise<void> {
    const { start_time, preview, commit } = await aBooking(connector)
    await preview()
    const replies = await askAtOnce(50, (index) => commit(faceOf(index)))
    const committed = committedAmong(replies)
    expect(committed.length).toBeGreaterThan(0)
    for (const body of committed) expect(body).toEqual(committed[0])
    expect(await timesBooked(connector, start_time)).toBe(1)
    expect(await commit()).toMatchObject({ replayed: true, body: committed[0]! })
  }

  test('50 commits of one preview over REST and MCP book once and say so alike', () =>
    commitFiftyTimes(connector))

  test.each(FACES)(
    'of the same values, spelled otherwise, are one change over %s',
    async (face) => {
      const { preview, commitWith } = await aBooking(connector, {
        invitee_email: 'jordan@example.com',
      })
      await preview(face)
      const other = { invitee_email: 'jordan@EXAMPLE.com', event_type: 'consult' }
      const committed = await commitWith(other, face)
      expect(committed.body).toMatchObject({ status: 'committed' })
      const again = await commitWith({ ...other, event_type: '', invitee_name: '' }, face)
      expect(again).toMatchObject({ replayed: true, body: committed.body })
    },
  )
})

describe('an idempotency key', () => {
  const preview = (face: (typeof FACES)[number], key?: string) =>
    ask(connector, face, 'create_payment_link', { ...LINK, confirm: false }, key)

  test.each([
    [7, 'idempotency_key_invalid'],
    [8, undefined],
    [200, undefined],
    [201, 'idempotency_key_invalid'],
  ])('of %i characters is answered with %s over REST and MCP', async (length, code) => {
    const key = newKey().repeat(6).slice(0, length)
    for (const sent of [key, `"${key}"`]) expect((await preview('REST', sent)).body.code).toBe(code)
    for (const face of FACES.slice(1)) expect((await preview(face, key)).body.code).toBe(code)
  })

  test('is the same with and without the quotes of the header, also with escapes in it', async () => {
    const bare = newKey()
    const first = await preview('REST', bare)
    expect((await preview('REST', `"${bare}"`)).body).toEqual(first.body)
    expect((await preview('REST', `  "${bare}" `)).body).toEqual(first.body)
    const odd = `${bare} with "quotes" and \\`
    const escaped = `"${bare} with \\"quotes\\" and \\\\"`
    const second = await preview('sdk 1.x', odd)
    expect((await preview('REST', escaped)).body).toEqual(second.body)
    expect((await preview('REST', odd)).body).toEqual(second.body)
    expect(second.body.confirmation_token).not.toBe(first.body.confirmation_token)
  })

  test('is the item of its header, whatever its parameters, and is no key where the header came twice', async () => {
    const key = newKey()
    const first = await preview('REST', key)
    for (const same of [`"${key}";v=1`, `"${key}"; a="x, y"; b`, `%"${key}"`])
      expect((await preview('REST', same)).body).toEqual(first.body)
    for (const twice of [`${key}, ${key}`, `${key},${key}`, `"${key}", "${key}"`, `${key};v=1`]) {
      const { status, body } = await preview('REST', twice)
      expect([status, body.code]).toEqual([400, 'idempotency_key_invalid'])
      expect(body.errors?.[0]?.detail).not.toContain(key)
    }
    const sent = await sentTwice(connector.url, key)
    expect([sent.status, sent.code]).toEqual([400, 'idempotency_key_invalid'])
  })

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

  test.each(['', '""', '   '])('that is empty (%j) is a missing one', async (key) => {
    expect((await preview('REST', key)).body.code).toBe('idempotency_key_missing')
  })

  test('that is no text is refused over MCP as invalid', async () => {
    for (const key of [12_345_678, ['a-key-in-a-list'], true]) {
      const given = { ...LINK, confirm: false, idempotency_key: key }
      const { body } = await connector.mcp('create_payment_link', given)
      expect(body.code).toBe('idempotency_key_invalid')
    }
  })

  test('is not used up by a preview that fails', async () => {
    const key = newKey()
    const codeOf = async (invoice_id: string) =>
      (await changeOf(connector, 'create_payment_link', { invoice_id }, key).preview()).body.code
    expect(await codeOf('in_unheard_of')).toBe('invoice_not_found')
    expect(await codeOf('in_mock_paid')).toBe('invoice_not_payable')
    expect((await preview('REST', key)).body.status).toBe('preview')
  })

  test('belongs to one caller: for another caller the same key is another one, and its token is worthless', async () => {
    const key = newKey()
    const [one, other] = await Promise.all([
      callerWith(connector, ['payments:write']),
      callerWith(connector, ['payments:write']),
    ])
    for (const face of ['REST', 'sdk 1.x'] as const) {
      const theirs = aLink(other, key)
      const first = await aLink(one, key).preview(face)
      const second = await theirs.preview(face)
      expect(second.body.preview).toEqual(first.body.preview)
      expect(second.body.confirmation_token).not.toBe(first.body.confirmation_token)
      const { confirmation_token } = first.body
      const refused = await theirs.commitWith({ confirmation_token }, face)
      expect(refused.body.code).toBe('confirmation_token_invalid')
    }
  })
})

describe('the stored answer of a commit', () => {
  test('is not given for a wrong token or other values, which learn that the change was made', async () => {
    const { key } = await done(connector, 'REST', 'create_payment_link', LINK)
    for (const face of ['REST', 'sdk 1.x'] as const) {
      const reply = (fields: object) =>
        ask(connector, face, 'create_payment_link', { ...fields }, key)
      const missing = await reply({ ...LINK, confirm: true })
      expect(missing.body).toMatchObject({ code: 'confirmation_token_missing', effect: 'done' })
      const wrong = await reply({ ...LINK, confirm: true, confirmation_token: 'ct_wrong' })
      expect(wrong.body).toMatchObject({ code: 'confirmation_token_invalid', effect: 'done' })
      const other = await reply({ invoice_id: 'in_mock_jpy', confirm: false })
      expect(other.body).toMatchObject({ code: 'idempotency_key_reused', effect: 'none' })
    }
  })
})
