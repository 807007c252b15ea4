import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

import { beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { newApiKey } from '../../src/core/crypto/api-key.ts'
import { RATES } from '../../src/core/domain/rate-limit.ts'
import { MINUTE } from '../../src/core/domain/time/duration.ts'
import { rpcRequest } from '../support/agents.ts'
import { type Caller, type Connector, OWNED, OWNER_KEY } from '../support/connector.ts'
import {
  connectorForAll,
  sharedConnector,
  storageForTest,
  withConnector,
} from '../support/started.ts'
import { bookedStarts, callerWith, changeOf, freeStarts, newKey } from '../support/transports.ts'

const SCOPES = ['availability:read', 'clients:write', 'payments:write']
const LINK = { invoice_id: 'in_mock_open', confirm: false }
const { reads: READS, changes: CHANGES } = RATES.low

const connector = connectorForAll({ vars: { RATE_LIMITS: 'low', ...OWNED } })
let owner: Connector

/** Each part has a key of the owner that makes its keys: it has no more changes than any other. */
function withItsOwnKey(): void {
  beforeAll(async () => {
    const first = connector.as(OWNER_KEY)
    owner = {
      ...connector,
      ...(await callerWith(connector, [...SCOPES, 'admin'], { owner: first })),
    }
  })
}

/** The counters of the local runtime restart with each minute; no test shall run across that. */
async function awayFromTheEdge(): Promise<void> {
  const left = MINUTE - (Date.now() % MINUTE)
  if (left < 8000) await sleep(left + 50)
}
beforeEach(awayFromTheEdge)

const preview = (caller: Caller) => caller.rest('/v1/payment-links', { body: LINK, key: newKey() })
const availability = (caller: Caller) => caller.rest('/v1/availability')

async function times<T>(count: number, ask: () => Promise<T>): Promise<T[]> {
  const answers: T[] = []
  for (let n = 0; n < count; n++) answers.push(await ask())
  return answers
}

describe('a caller', () => {
  withItsOwnKey()

  test('has a limited number of changes a minute, and then learns how long to wait', async () => {
    const { rest, mcp } = await callerWith(owner, SCOPES)
    const good = await times(CHANGES, () => preview({ rest, mcp }))
    expect(new Set(good.map(({ status }) => status))).toEqual(new Set([200]))
    for (const { headers } of good) {
      expect(headers.get('RateLimit-Policy')).toBe(
        `"reads";q=${READS};w=60, "changes";q=${CHANGES};w=60`,
      )
      expect(headers.get('RateLimit')).toBe(null)
    }
    const late = await preview({ rest, mcp })
    const limit = { policy: 'changes', quota: CHANGES, window_seconds: 60 }
    const refusal = {
      code: 'rate_limited',
      effect: 'none',
      retryable: true,
      retry_after_seconds: 60,
    }
    expect(late).toMatchObject({ status: 429, body: { ...refusal, limit } })
    expect(late.headers.get('Content-Type')).toBe('application/problem+json')
    expect(late.headers.get('Retry-After')).toBe('60')
    expect(late.headers.get('RateLimit-Policy')).toBe(`"changes";q=${CHANGES};w=60`)
    expect(late.headers.get('RateLimit')).toBe('"changes";r=0;t=60')
  })

  test('that has used up its changes can still read, and other callers still change', async () => {
    const busy = await callerWith(owner, SCOPES)
    const other = await callerWith(owner, SCOPES)
    await times(CHANGES, () => preview(busy))
    expect((await preview(busy)).status).toBe(429)
    expect((await availability(busy)).status).toBe(200)
    expect((await preview(other)).status).toBe(200)
  })

  test('has one quota over REST and MCP together, and gets the same refusal', async () => {
    const caller = await callerWith(owner, SCOPES)
    await times(CHANGES - 1, () => preview(caller))
    const asTool = () => caller.mcp('create_payment_link', { ...LINK, idempotency_key: newKey() })
    expect(await asTool()).toMatchObject({ isError: false, body: { status: 'preview' } })
    const [rest, mcp] = [await preview(caller), await asTool()]
    expect(mcp).toMatchObject({ isError: true, body: { code: 'rate_limited' } })
    expect({ ...mcp.body, request_id: '' }).toEqual({ ...rest.body, request_id: '' })
  })

  test('is counted on every route, those without a scope and refused ones too', async () => {
    const caller = await callerWith(owner, ['availability:read'])
    const asked = [
      ...(await times(READS - 2, () => caller.rest('/v1/me'))),
      await caller.rest('/v1/keys'),
      await caller.rest('/v1/availability?timezone=Nowhere'),
    ]
    expect(asked.map(({ status }) => status)).not.toContain(429)
    expect((await caller.rest('/v1/me')).status).toBe(429)
    expect((await caller.rest('/v1/keys')).status).toBe(429)
  })
})

describe('a call that the protocol refuses counts all the same', () => {
  withItsOwnKey()

  const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call' }
  const called = (params: object, more: object = {}) => ({ ...CALL, ...more, params })
  test.each<[what: string, quota: number, bodies: unknown[]]>([
    [
      'read, as whatever is no change is',
      READS,
      [
        called({ name: 'list_availability', arguments: 'of no kind' }),
        called({ name: 'list_availability', task: 'a wrong member' }),
        5,
        [CALL, CALL],
        'not JSON {',
      ],
    ],
    [
      'change',
      CHANGES,
      [
        called({ name: 'book_consult', arguments: 5 }),
        called({ name: 'create_payment_link' }, { id: undefined }),
      ],
    ],
  ])('as a %s', async (_what, quota, bodies) => {
    const { apiKey } = await callerWith(owner, SCOPES)
    const { headers } = rpcRequest('2025-11-25', 'ping')
    const ask = async (body: unknown) => {
      const init = {
        method: 'POST',
        headers: { ...headers, Authorization: `Bearer ${apiKey}` },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }
      return (await fetch(new URL('/mcp', connector.url), init)).status
    }
    const counted: number[] = []
    while (counted.length < quota) for (const body of bodies) counted.push(await ask(body))
    expect(counted).not.toContain(429)
    for (const body of bodies) expect([body, await ask(body)]).toEqual([body, 429])
  })
})

describe('invented credentials', () => {
  withItsOwnKey()

  const hex = (bytes: number) => randomBytes(bytes).toString('hex')
  const madeUpKey = () => newApiKey(randomBytes(32))
  const from = (address: string, credential: string, path = '/v1/me') =>
    fetch(new URL(path, connector.url), {
      method: path === '/mcp' ? 'POST' : 'GET',
      headers: {
        Authorization: `Bearer ${credential}`,
        'CF-Connecting-IP': address,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      ...(path === '/mcp' && { body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }) }),
    })

  test.each<[string, string, () => string]>([
    ['keys', '/v1/me', madeUpKey],
    ['access tokens', '/mcp', () => `owner:${hex(8)}:${hex(16)}`],
  ])(
    '(%s) are refused without a look-up after a while, and who is known here goes on',
    async (what, path, make) => {
      const { apiKey } = await callerWith(owner, SCOPES)
      const address = what === 'keys' ? '203.0.113.1' : '203.0.113.2'
      expect((await from(address, apiKey)).status).toBe(200)
      const answers = await times(40, () => from(address, make(), path))
      const statuses = answers.map(({ status }) => status)
      expect(new Set(statuses)).toEqual(new Set([401, 429]))
      expect(statuses.lastIndexOf(401)).toBe(19)
      const late = answers.at(-1)!
      expect(Number(late.headers.get('Retry-After'))).toBeGreaterThan(0)
      expect(await late.json()).toMatchObject({
        code: 'rate_limited',
        effect: 'none',
        retryable: true,
      })
      expect((await from(address, apiKey)).status).toBe(200)
      expect((await from(address, OWNER_KEY)).status).toBe(200)
      expect((await from('203.0.113.3', make(), path)).status).toBe(401)
    },
  )
})

describe('a commit with an unknown outcome', { tags: 'slow' }, () => {
  test('is not made worse by a limit: the refusal had no effect, and the same call finds the outcome later', async () => {
    const storage = await storageForTest()
    const SIGNING_SECRET = randomBytes(32).toString('base64url')
    const vars = { SIGNING_SECRET, MOCK_FAULTS: 'book:timeout_after', RATE_LIMITS: 'low' }
    const booking = await withConnector({ storage, vars }, async (limited) => {
      const [start_time] = await freeStarts(limited)
      const guest = { timezone: 'Europe/Lisbon', invitee_email: 'robin@practice-guests.example' }
      const booking = changeOf(limited, 'book_consult', { ...guest, start_time })
      await booking.preview()
      expect((await booking.commit()).body.code).toBe('outcome_unknown')
      await times(CHANGES - 2, () => preview(limited))
      const refused = await booking.commit()
      expect(refused.body).toMatchObject({ code: 'rate_limited', effect: 'none', retryable: true })
      expect(refused.body.detail).toContain('says nothing about what an earlier call')
      expect(refused.body.next_step).toContain('the same idempotency key')
      return booking
    })
    await withConnector({ storage, vars: { SIGNING_SECRET } }, async (later) => {
      const commit = await booking.commit('REST', later)
      expect(commit).toMatchObject({ status: 200, body: { status: 'committed' } })
      expect(await bookedStarts(later)).toHaveLength(1)
    })
  })
})

describe('a local trial', () => {
  const trial = sharedConnector()

  test('has no limits unless they are configured', async () => {
    const answers = await times(CHANGES + 1, () => preview(trial))
    expect(answers.map(({ status }) => status)).not.toContain(429)
    expect(answers[0]!.headers.get('RateLimit-Policy')).toBe(null)
  })
})
