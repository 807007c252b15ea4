import { describe, expect, test } from 'vitest'

import { type Era, PAST_PLAIN_PATH, postMcp, rpcRequest } from '../support/agents.ts'
import { sharedConnector } from '../support/started.ts'

const connector = sharedConnector()

/** Stands for anything a caller may send by mistake, and must never get back. */
const CANARY = 'robin-castle-219099999'
const PREFIX = 'io.modelcontextprotocol'
const VERSION_KEY = `${PREFIX}/protocolVersion`

const JSON_OR_STREAM = {
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
}

/** Sends a message twice: the second time past the plain path to the SDK, which answers the same. */
async function post(body: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const send = (more: Record<string, string>) =>
    postMcp(connector.url, { headers: { ...JSON_OR_STREAM, ...headers, ...more }, body: text })
  const reply = await send({})
  const bySdk = await send(PAST_PLAIN_PATH)
  expect([reply.status, reply.text]).toEqual([bySdk.status, bySdk.text])
  return reply
}

const call = (
  era: Era,
  method: string,
  params?: Record<string, unknown>,
  more: Record<string, string> = {},
) => {
  const { headers, body } = rpcRequest(era, method, params)
  return post(body, { ...headers, ...more })
}

/** A call of the 2026 era with something else in its envelope. */
const enveloped = (change: Record<string, unknown>, headers: Record<string, string> = {}) => {
  const { headers: usual, body } = rpcRequest('2026-07-28', 'tools/list')
  const params = { _meta: { ...(body.params as { _meta: object })._meta, ...change } }
  return post({ ...body, params }, { ...usual, ...headers })
}

const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' })

test.each(['\u2028', '\u2029', '\u0085', '\r\n'])(
  'an id with the line separator %j hides nothing',
  async (end) => {
    const id = `7${end}8`
    const params = { name: CANARY, arguments: {} }
    for (const request of [
      { jsonrpc: '2.0', id, method: 'tools/call', params },
      { jsonrpc: '2.0', id, method: 'prompts/get', params: { name: 5, arguments: CANARY } },
    ]) {
      const { status, message, text } = await post(request)
      expect(status).toBe(200)
      expect(message).toMatchObject({ id, error: { code: -32602 } })
      expect(text).not.toContain(CANARY)
    }
  },
)

describe.each(['2025-11-25', '2026-07-28'] as const)(
  'in the era %s a protocol error repeats nothing',
  (era) => {
    const REFUSED: [what: string, method: string, params: Record<string, unknown>, code: number][] =
      [
        ['a tool no one knows', 'tools/call', { name: CANARY, arguments: {} }, -32602],
        [
          'arguments that are a text',
          'tools/call',
          { name: 'book_consult', arguments: CANARY },
          -32602,
        ],
        ['a prompt no one knows', 'prompts/get', { name: CANARY, arguments: {} }, -32602],
        ['a method no one knows', `${CANARY}/now`, {}, -32601],
        [
          'a completion of nothing that there is',
          'completion/complete',
          { ref: { type: CANARY }, argument: { name: CANARY, value: CANARY } },
          -32602,
        ],
      ]

    test.each(REFUSED)('of %s', async (_what, method, params, code) => {
      const { message, text } = await call(era, method, params)
      expect(message.error).toMatchObject({
        code,
        message: expect.stringMatching(/^[A-Z].*\.$/) as string,
      })
      expect(message.id).toBe(7)
      expect(text).not.toContain(CANARY)
    })
  },
)

describe('an invalid message', () => {
  test.each([
    ['half an object', `{"jsonrpc":"2.0","${CANARY}`, 400, -32700],
    ['nothing', '', 400, -32700],
    [
      'an id that is an object',
      { jsonrpc: '2.0', id: { [CANARY]: 1 }, method: 'ping' },
      400,
      -32600,
    ],
    ['a deep nest', `${'['.repeat(16_000)}${']'.repeat(16_000)}`, 400, -32600],
  ])('is refused as unreadable: %s', async (_what, body, status, code) => {
    const reply = await post(body)
    expect(reply.status).toBe(status)
    expect([reply.message].flat()[0]?.error).toMatchObject({ code })
    expect(reply.text).not.toContain(CANARY)
  })

  test.each<[object | string | number, string]>([
    [5, 'expected a JSON object'],
    ['null', 'expected a JSON object'],
    [{}, 'jsonrpc: missing, expected "2.0"; method: missing, expected string'],
    [{ jsonrpc: CANARY, id: 1, method: 'ping' }, 'jsonrpc: expected "2.0"'],
    [{ jsonrpc: '2.0', id: null, method: 'ping' }, 'id: expected string or integer'],
    [{ jsonrpc: '2.0', id: 1.5, method: 'ping' }, 'id: expected string or integer'],
    [{ jsonrpc: '2.0', id: 1, method: 5 }, 'method: expected string'],
    [{ ...ping(1), params: [CANARY] }, 'params: expected object'],
    [{ ...ping(1), params: CANARY }, 'params: expected object'],
    [{ ...ping(1), params: { _meta: CANARY } }, 'params._meta: expected object'],
    [
      { ...ping(1), params: { _meta: { progressToken: { x: CANARY } } } },
      'params._meta.progressToken: expected string or integer',
    ],
    [{ ...ping(1), [CANARY]: 1 }, 'only jsonrpc, id, method, params are members of a message'],
  ])('%j says which of its members is wrong', async (body, wrong) => {
    for (const era of ['2025-11-25', '2026-07-28']) {
      const { status, message, text } = await post(body, { 'MCP-Protocol-Version': era })
      expect(status).toBe(400)
      expect(message.error).toMatchObject({
        code: -32600,
        message: `Not a valid request: ${wrong}.`,
      })
      expect(text).not.toContain(CANARY)
    }
  })

  test('is logged as a protocol error, without its content', async () => {
    const before = connector.logs.length
    await post({ jsonrpc: CANARY })
    await call('2025-11-25', 'tools/call', { name: CANARY, arguments: {} })
    await expect.poll(() => connector.logs.length).toBe(before + 4)
    for (const line of connector.logs.slice(before)) {
      expect(JSON.parse(line)).toMatchObject({ operation: 'mcp', code: 'protocol_error' })
      expect(line).not.toContain(CANARY)
    }
  })
})

describe('MCP headers and envelope', () => {
  const list = (more: Record<string, string>) => call('2026-07-28', 'tools/list', {}, more)
  const book = (more: Record<string, string>) =>
    call('2026-07-28', 'tools/call', { name: 'book_consult' }, more)
  const version = { 'MCP-Protocol-Version': CANARY }

  test.each([
    ['a name header that differs', () => book({ 'Mcp-Name': CANARY }), -32020],
    ['a version header that differs', () => list(version), -32020],
    ['a version that is none', () => enveloped({ [VERSION_KEY]: CANARY }, version), -32022],
    ['a client that is no object', () => enveloped({ [`${PREFIX}/clientInfo`]: CANARY }), -32602],
    [
      'capabilities that are none',
      () => enveloped({ [`${PREFIX}/clientCapabilities`]: CANARY }),
      -32602,
    ],
    ['a version header no one knows', () => call('2025-11-25', 'ping', {}, version), -32602],
  ])(
    'that do not fit are refused with 400, without repeating them: %s',
    async (_what, send, code) => {
      const reply = await send()
      expect(reply.status).toBe(400)
      expect(reply.message.error).toMatchObject({ code })
      expect(reply.text).not.toContain(CANARY)
    },
  )

  test.each<[what: string, send: () => ReturnType<typeof post>, message: string]>([
    [
      'a method header that differs',
      () => list({ 'Mcp-Method': CANARY }),
      'Mcp-Method: not that of the body.',
    ],
    [
      'a name header that is missing',
      () => call('2026-07-28', 'resources/read', { uri: 'consult://today' }),
      'Mcp-Name: missing.',
    ],
    [
      'capabilities that are missing',
      () => enveloped({ [`${PREFIX}/clientCapabilities`]: undefined }),
      `${PREFIX}/clientCapabilities: missing, expected object.`,
    ],
    [
      'capabilities that are null',
      () => enveloped({ [`${PREFIX}/clientCapabilities`]: null }),
      `${PREFIX}/clientCapabilities: missing, expected object.`,
    ],
    [
      'a client without a version',
      () => enveloped({ [`${PREFIX}/clientInfo`]: { name: CANARY } }),
      `${PREFIX}/clientInfo: expected object with name and version.`,
    ],
    [
      'no envelope',
      () => post(ping(1), { 'MCP-Protocol-Version': '2026-07-28' }),
      'params._meta: missing, expected object.',
    ],
    [
      'the version of an earlier revision in the envelope',
      () => enveloped({ [VERSION_KEY]: '2025-11-25' }, { 'MCP-Protocol-Version': '2025-11-25' }),
      'protocolVersion: this protocol version has no envelope, and begins with initialize. In params._meta only 2026-07-28 can be named.',
    ],
  ])('that do not fit are named, with what was expected: %s', async (_what, send, message) => {
    const reply = await send()
    expect(reply.status).toBe(400)
    expect(reply.message.error?.message.endsWith(message), reply.text).toBe(true)
    expect(reply.text).not.toContain(CANARY)
  })

  test.each([
    ['application/json;q=0', 406],
    ['*/*;q=0.000', 406],
    ['application/json;q=0, */*', 406],
    ['application/json;q=0,application/*', 406],
    ['text/event-stream, application/json;q=0', 406],
    ['text/html, text/*', 406],
    ['text/html, */*;q=0.1', 200],
    ['*/*;q=0, application/json', 200],
    ['APPLICATION/JSON; charset=utf-8', 200],
  ])('in the 2025 era the most specific range of Accept decides: %s', async (accept, status) =>
    expect((await post(ping(1), { Accept: accept })).status).toBe(status),
  )

  test('that accept no event stream are answered with what to accept', async () => {
    const reply = await post(ping(1), { Accept: `text/${CANARY}` })
    expect(reply.status).toBe(406)
    expect(reply.message.error?.message).toContain('text/event-stream')
    expect(reply.text).not.toContain(CANARY)
  })

  test.each(['GET', 'DELETE'])(
    'of a %s are answered with 405: there is no stream and no session',
    async (method) => {
      const headers = { Accept: 'text/event-stream', 'Mcp-Session-Id': 'x' }
      const reply = await connector.rest('/mcp', { method, headers })
      expect(reply).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } })
      expect(reply.headers.get('Allow')).toBe('POST')
    },
  )
})

describe('a JSON-RPC batch', () => {
  test.each([
    ['is empty', []],
    ['holds what is no message', [CANARY]],
    ['holds good messages', [ping(1), { ...ping(2), method: CANARY }]],
  ])('that %s is refused, and its messages are not served', async (_what, batch) => {
    const reply = await post(batch)
    expect(reply.status).toBe(400)
    const message = 'Batches are not supported: send each message in a request of its own.'
    expect(reply.message).toEqual({ jsonrpc: '2.0', id: null, error: { code: -32600, message } })
  })

  test('of the 2026 era is refused too', async () => {
    const { headers, body } = rpcRequest('2026-07-28', 'tools/list')
    const reply = await post([body], headers)
    expect(reply.status).toBe(400)
    expect(reply.message.error).toMatchObject({ code: -32600 })
  })
})
