import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hashApiKey, newApiKey } from '../../src/access/api-key.ts'
import { RATES } from '../../src/domain/rate-limit.ts'
import { postMcp, rpcRequest } from './agents.ts'
import { type Caller, type Connector, startConnector } from './connector.ts'
import { bookedStarts, callerWith, freeStarts, newKey } from './faces.ts'

const OWNER_KEY = newApiKey('test', randomBytes(32))
const SCOPES = ['availability:read', 'clients:write', 'payments:write']
const LINK = { invoice_id: 'in_mock_open', confirm: false }
const { reads: READS, changes: CHANGES } = RATES.low
const MINUTE = 60_000
const BATCH = 100

let connector: Connector
let owner: Connector
beforeAll(async () => {
  connector = await startConnector({
    vars: { RATE_LIMITS: 'low', ALLOW_ANONYMOUS: 'false', OWNER_KEY_SHA256: await hashApiKey(OWNER_KEY) },
  })
  owner = { ...connector, ...connector.as(OWNER_KEY) }
})
afterAll(() => connector.stop())

/** The counters of the local runtime begin anew with each minute; no test shall run across that. */
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

/** The answers to a batch of messages, by the order of their ids. */
async function batch(apiKey: string, messages: object[]) {
  const { headers } = rpcRequest('2025-11-25', 'ping')
  const response = await fetch(new URL('/mcp', connector.url), {
    method: 'POST',
    headers: { ...headers, Authorization: `Bearer ${apiKey}` },
    body: JSON.stringify(messages.map((message, id) => ({ jsonrpc: '2.0', id, ...message }))),
  })
  const text = await response.text()
  const answers = text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map(
      (line) =>
        JSON.parse(line.slice('data: '.length)) as { result?: { structuredContent?: { code?: string } } },
    )
  return { response, text, answers }
}

describe('a caller', () => {
  test('has so many changes a minute, and is then told how long to wait', async () => {
    const { rest, mcp } = await callerWith(owner, SCOPES)
    const good = await times(CHANGES, () => preview({ rest, mcp }))
    expect(new Set(good.map(({ status }) => status))).toEqual(new Set([200]))
    for (const { headers } of good) {
      expect(headers.get('RateLimit-Policy')).toBe(`"reads";q=${READS};w=60, "changes";q=${CHANGES};w=60`)
      expect(headers.get('RateLimit')).toBe(null)
    }
    const late = await preview({ rest, mcp })
    expect(late).toMatchObject({
      status: 429,
      body: {
        code: 'rate_limited',
        effect: 'none',
        retryable: true,
        retry_after_seconds: 60,
        limit: { policy: 'changes', quota: CHANGES, window_seconds: 60 },
      },
    })
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

describe('a batch over MCP', () => {
  test('counts each tool call in it: those within the quota are served, the others are refused', async () => {
    const { apiKey } = await callerWith(owner, SCOPES)
    const call = { method: 'tools/call', params: { name: 'list_availability', arguments: {} } }
    const { response, answers } = await batch(
      apiKey,
      Array.from({ length: BATCH }, () => call),
    )
    expect(response.status).toBe(200)
    const codes = answers.map(({ result }) => result?.structuredContent?.code ?? 'ok')
    expect(codes.filter((code) => code === 'ok')).toHaveLength(READS)
    expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(BATCH - READS)
  })

  test('of other messages is refused as a whole when it is over the quota', async () => {
    const { apiKey } = await callerWith(owner, SCOPES)
    const { response, text } = await batch(
      apiKey,
      Array.from({ length: BATCH }, () => ({ method: 'ping' })),
    )
    expect(response.status).toBe(429)
    expect(response.headers.get('Content-Type')).toBe('application/problem+json')
    expect(response.headers.get('Retry-After')).toBe('60')
    expect(response.headers.get('RateLimit')).toBe('"reads";r=0;t=60')
    expect(JSON.parse(text)).toMatchObject({ code: 'rate_limited', effect: 'none' })
    const { headers, body } = rpcRequest('2026-07-28', 'tools/list')
    const single = await postMcp(connector.url, {
      headers: { ...headers, Authorization: `Bearer ${apiKey}` },
      body: JSON.stringify(body),
    })
    expect(single.status).toBe(429)
  })
})

describe('a commit whose outcome is not known', () => {
  test('is not made worse by a limit: the refusal did nothing, and the same call finds out later', async () => {
    const storage = await mkdtemp(join(tmpdir(), 'consult-connector-limits-'))
    const vars = { SIGNING_SECRET: randomBytes(32).toString('base64url'), MOCK_FAULTS: 'book:timeout_after' }
    const limited = await startConnector({ storage, vars: { ...vars, RATE_LIMITS: 'low' } })
    const [start_time] = await freeStarts(limited)
    const key = newKey()
    const fields = {
      start_time,
      timezone: 'Europe/Lisbon',
      invitee_email: 'robin@practice-guests.example',
    }
    const shown = await limited.rest('/v1/bookings', { body: { ...fields, confirm: false }, key })
    const { confirmation_token } = shown.body
    const commit = { body: { ...fields, confirm: true, confirmation_token }, key }
    try {
      expect((await limited.rest('/v1/bookings', commit)).body.code).toBe('outcome_unknown')
      await times(CHANGES - 2, () => preview(limited))
      const refused = await limited.rest('/v1/bookings', commit)
      expect(refused.body).toMatchObject({ code: 'rate_limited', effect: 'none', retryable: true })
      expect(refused.body.detail).toContain('stands')
      expect(refused.body.next_step).toContain('the same idempotency key')
    } finally {
      await limited.stop()
    }
    const later = await startConnector({ storage, vars: { ...vars, MOCK_FAULTS: '' } })
    try {
      expect(await later.rest('/v1/bookings', commit)).toMatchObject({
        status: 200,
        body: { status: 'committed' },
      })
      expect(await bookedStarts(later)).toHaveLength(1)
    } finally {
      await later.stop()
      await rm(storage, { recursive: true, force: true })
    }
  })
})

describe('a local trial', () => {
  test('counts nothing, unless it is asked to', async () => {
    const trial = await startConnector()
    try {
      const answers = await times(CHANGES + 1, () => preview(trial))
      expect(answers.map(({ status }) => status)).not.toContain(429)
      expect(answers[0]!.headers.get('RateLimit-Policy')).toBe(null)
    } finally {
      await trial.stop()
    }
  })
})
