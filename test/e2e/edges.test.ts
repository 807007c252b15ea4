import { type RequestOptions, request } from 'node:http'

import { describe, expect, test } from 'vitest'

import { SANDBOXED } from '../../src/api/discovery/api-reference.ts'
import { hashApiKey } from '../../src/core/crypto/api-key.ts'
import { DAY } from '../../src/core/domain/time/duration.ts'
import { type Connector, OWNER_KEY, type RestReply, startConnector } from '../support/connector.ts'
import type { OpenApi } from '../support/contract.ts'
import { connectorForAll } from '../support/started.ts'
import { done, newKey } from '../support/transports.ts'

const LIMIT = 32 * 1024
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const LINK = { invoice_id: 'in_mock_open', confirm: false }
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' }
const MCP_HEADERS = {
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
}

const connector = connectorForAll()

/** A request as fetch cannot make it: any Host, and a body that may never end. */
async function raw(
  { url, checked }: Connector,
  path: string,
  {
    headers,
    method = 'POST',
    chunks = [],
    end = true,
  }: RequestOptions & { chunks?: string[]; end?: boolean },
): Promise<RestReply> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  const sent = request(new URL(path, url), { method, headers }, (incoming) => {
    const parts: Buffer[] = []
    incoming.on('data', (part: Buffer) => parts.push(part))
    incoming.on('end', () => {
      const given = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])
      const body = Buffer.concat(parts).toString()
      resolve(
        new Response(body, { status: incoming.statusCode!, headers: Object.fromEntries(given) }),
      )
      sent.destroy()
    })
  })
  sent.on('error', reject)
  for (const chunk of chunks) sent.write(chunk)
  if (end) sent.end()
  return checked(method, path, await promise)
}

const tomorrow = (): string => new Date(Date.now() + DAY).toISOString().slice(0, 10)

describe('a body', () => {
  const filled = (bytes: number) => `{"filler":"${'x'.repeat(bytes - '{"filler":""}'.length)}"}`

  test('of 32 KiB is read, and one byte more is refused, over REST and MCP', async () => {
    for (const path of ['/v1/clients', '/mcp']) {
      const read = await connector.rest(path, {
        body: filled(LIMIT),
        key: newKey(),
        headers: MCP_HEADERS,
      })
      expect(read.status).toBe(400)
      const refused = await connector.rest(path, { body: filled(LIMIT + 1), key: newKey() })
      expect(refused).toMatchObject({
        status: 413,
        body: { code: 'payload_too_large', effect: 'none' },
      })
    }
  })

  test('is counted in bytes, not in characters', async () => {
    const body = JSON.stringify({ filler: 'é'.repeat(LIMIT / 2) })
    expect(body.length).toBeLessThan(LIMIT)
    expect((await connector.rest('/v1/clients', { body, key: newKey() })).status).toBe(413)
  })

  test.each(['/v1/clients', '/mcp'])(
    'in chunks and without a length is refused at %s as soon as it is too long, though it never ends',
    async (path) => {
      const headers = { ...MCP_HEADERS, 'Transfer-Encoding': 'chunked' }
      const chunks = ['{"filler":"', 'x'.repeat(20_000), 'x'.repeat(20_000)]
      const reply = await raw(connector, path, { headers, chunks, end: false })
      expect(reply).toMatchObject({ status: 413, body: { code: 'payload_too_large' } })
    },
  )

  test('in chunks within the limit is read', async () => {
    const headers = { ...MCP_HEADERS, 'Transfer-Encoding': 'chunked', 'Idempotency-Key': newKey() }
    const chunks = ['{"invoice_id":"in_mock', '_open",', '"confirm":false}']
    const reply = await raw(connector, '/v1/payment-links', { headers, chunks })
    expect(reply).toMatchObject({ status: 200, body: { status: 'preview' } })
  })

  test('that announces too much is refused before it is sent', async () => {
    const headers = { ...MCP_HEADERS, 'Content-Length': String(LIMIT + 1) }
    const reply = await raw(connector, '/v1/clients', { headers, chunks: ['{'], end: false })
    expect(reply).toMatchObject({ status: 413, body: { code: 'payload_too_large' } })
  })

  test.each([
    undefined,
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'text/json',
    'application/problem+json',
  ])('of the type %s is refused, over REST and MCP', async (type) => {
    for (const path of ['/v1/payment-links', '/mcp']) {
      const headers = {
        'Idempotency-Key': newKey(),
        ...(type === undefined ? {} : { 'Content-Type': type }),
      }
      const reply = await raw(connector, path, { headers, chunks: [JSON.stringify(LINK)] })
      expect(reply).toMatchObject({
        status: 415,
        body: { code: 'unsupported_media_type', effect: 'none' },
      })
    }
  })

  test.each(['application/json', 'Application/JSON', 'application/json; charset=utf-8'])(
    'of the type %s is read',
    async (type) => {
      const reply = await connector.rest('/v1/payment-links', {
        body: LINK,
        key: newKey(),
        headers: { 'Content-Type': type },
      })
      expect(reply.status).toBe(200)
    },
  )

  test.each([
    ['nothing', '', 'Expected a JSON object; what was sent is not JSON: the body is empty.'],
    ['half an object', '{"invoice_id":'],
    ['a list', '[{"confirm":false}]'],
    ['a text', '"in_mock_open"'],
    ['a number', '42'],
    ['null', 'null'],
    ['a comment', '{"confirm":false /* no */}'],
    ['a deep nest', `${'['.repeat(16_000)}${']'.repeat(16_000)}`],
    ['what is no UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ])('that is %s is refused as a whole', async (_what, body, detail = expect.any(String)) => {
    const reply = await connector.rest('/v1/payment-links', { method: 'POST', body, key: newKey() })
    expect(reply).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', effect: 'none' },
    })
    expect(reply.body.errors).toMatchObject([{ pointer: '', detail }])
  })
})

describe('an unknown field', () => {
  const answers = { primary_goal: 'other' }

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'is refused also when it is called %s, wherever it stands',
    async (name) => {
      const asText = (fields: object) => JSON.stringify(fields).replace('"ODD"', `"${name}"`)
      for (const [path, fields] of [
        ['/v1/payment-links', { ...LINK, ODD: { invoice_id: 'in_mock_jpy' } }],
        [
          '/v1/clients/cl_x/intake',
          { answers: { ...answers, ODD: { notes: 'x' } }, confirm: false },
        ],
      ] as const) {
        const reply = await connector.rest(path, { body: asText(fields), key: newKey() })
        expect(reply).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
      }
      for (const query of [`${name}=x`, `${name}=x&${name}=y`]) {
        const reply = await connector.rest(`/v1/availability?${query}`)
        expect(reply).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
        expect(reply.body.errors).toMatchObject([{ pointer: '' }])
      }
      for (const [tool, fields] of [
        ['create_payment_link', { ...LINK, ODD: { invoice_id: 'in_mock_jpy' } }],
        [
          'submit_intake_answers',
          { client_id: 'cl_x', answers: { ...answers, ODD: 1 }, confirm: false },
        ],
        ['list_availability', { ODD: 1 }],
      ] as const) {
        const params = { name: tool, arguments: { ...fields, idempotency_key: newKey() } }
        if (tool === 'list_availability')
          Reflect.deleteProperty(params.arguments, 'idempotency_key')
        const message = asText({ ...PING, method: 'tools/call', params })
        const { text } = await connector.rest('/mcp', { body: message, headers: MCP_HEADERS })
        expect(text).toContain('validation_failed')
      }
    },
  )
})

describe('paths and queries', () => {
  test('that name a parameter twice are refused at that parameter', async () => {
    const reply = await connector.rest(
      '/v1/availability?timezone=Europe/Lisbon&timezone=Europe/Lisbon',
    )
    expect(reply).toMatchObject({ status: 400, body: { errors: [{ pointer: '/timezone' }] } })
  })

  test.each(['%E0%A4%A', '%00', '..%2F..%2Fhealth', `bk_${'x'.repeat(2000)}`, '%F0%9F%98%80'])(
    'with the odd booking id %s name no booking',
    async (id) => {
      const reply = await connector.rest(`/v1/bookings/${id}/cancel`, {
        body: { confirm: false },
        key: newKey(),
      })
      expect(reply).toMatchObject({ status: 404, body: { code: 'booking_not_found' } })
    },
  )

  test('with a bare + in an offset are read as meant', async () => {
    const bare = await connector.rest(
      `/v1/availability?start_time=${tomorrow()}T23:00:00+05:00&timezone=UTC`,
    )
    const encoded = await connector.rest(
      `/v1/availability?start_time=${tomorrow()}T23:00:00%2B05:00&timezone=UTC`,
    )
    expect(bare.status).toBe(200)
    expect(bare.body).toEqual(encoded.body)
    expect(bare.body).toMatchObject({ timezone: 'UTC' })
  })

  test.each([
    '/v1',
    '/v1/availability//',
    '/V1/availability',
    '/v1/bookings/bk_x/notes',
    '/mcp//',
    '/openapi.yaml',
    '/.env',
  ])('without a route (%s) are not found', async (path) => {
    expect(await connector.rest(path)).toMatchObject({
      status: 404,
      body: { code: 'not_found', effect: 'none' },
    })
  })

  test('answer other methods with 405, and name the possible ones in Allow', async () => {
    const { paths } = JSON.parse((await connector.rest('/openapi.json')).text) as OpenApi
    const documented = Object.entries({ ...paths, '/mcp': { post: {} } })
    expect(documented.length).toBeGreaterThanOrEqual(13)
    for (const [template] of documented) {
      const path = template.replaceAll(/\{\w+\}/g, 'x')
      // The name of a route is no id: `search` is no client.
      const allowed = documented
        .filter(([other]) => other === template)
        .flatMap(([, operations]) => Object.keys(operations).map((method) => method.toUpperCase()))
      if (allowed.includes('GET')) allowed.push('HEAD')
      for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
        if (allowed.includes(method)) continue
        const reply = await connector.rest(path, { method })
        expect(reply.status, `${method} ${path}`).toBe(405)
        expect(reply.headers.get('Allow')?.split(', ').toSorted(), path).toEqual(allowed.toSorted())
      }
    }
  })
})

describe('the headers of every answer', () => {
  const ASKED: [
    title: string,
    path: string,
    request: Parameters<Connector['rest']>[1],
    status: number,
  ][] = [
    ['a read', '/v1/availability', {}, 200],
    ['a preview', '/v1/payment-links', { body: LINK, key: newKey() }, 200],
    ['a refusal', '/v1/payment-links', { body: {}, key: newKey() }, 400],
    ['an unknown path', '/nowhere', {}, 404],
    ['a wrong method', '/v1/clients', { method: 'PUT' }, 405],
    ['a wrong type', '/v1/clients', { body: 'x', headers: { 'Content-Type': 'text/plain' } }, 415],
    ['a tool list', '/mcp', { body: { ...PING, method: 'tools/list' }, headers: MCP_HEADERS }, 200],
    [
      'a notification',
      '/mcp',
      { body: { jsonrpc: '2.0', method: 'notifications/initialized' }, headers: MCP_HEADERS },
      202,
    ],
    [
      'a wrong origin',
      '/mcp',
      { body: PING, headers: { ...MCP_HEADERS, Origin: 'https://evil.example' } },
      403,
    ],
    ['a protocol error', '/mcp', { body: '{', headers: MCP_HEADERS }, 400],
    ['who is calling', '/v1/me', {}, 200],
    ['an empty list of the owner', '/v1/unresolved', {}, 200],
    ['how a change stands', `/v1/operations/${newKey()}`, {}, 200],
    ['a mock checkout', '/mock/checkout/in_mock_open', {}, 200],
  ]
  const PUBLIC = [
    '/',
    '/health',
    '/openapi.json',
    '/llms.txt',
    '/docs/example-prompts.md',
    '/docs/errors',
    '/docs',
    '/docs/api',
    '/.well-known/api-catalog',
    '/favicon.svg',
    '/robots.txt',
  ]

  const SAFE = {
    'Content-Security-Policy':
      "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Origin-Agent-Cluster': '?1',
    'Referrer-Policy': 'same-origin',
    'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
    'X-Content-Type-Options': 'nosniff',
    'X-DNS-Prefetch-Control': 'off',
    'X-Download-Options': 'noopen',
    'X-Frame-Options': 'DENY',
    'X-Permitted-Cross-Domain-Policies': 'none',
    'X-XSS-Protection': '0',
  }

  /** What a document has otherwise: what every page of others may load, and the page that is sandboxed. */
  const OWN: Readonly<Record<string, Partial<typeof SAFE>>> = {
    '/docs/api': SANDBOXED,
    '/favicon.svg': { 'Cross-Origin-Resource-Policy': 'cross-origin' },
  }

  const expectSafe = ({ headers }: RestReply, readBy: '*' | null = null, path = '') => {
    const wanted = Object.entries({ ...SAFE, ...OWN[path] })
    expect(Object.fromEntries(headers)).toMatchObject(
      Object.fromEntries(wanted.map(([name, value]) => [name.toLowerCase(), value])),
    )
    expect(headers.get('Access-Control-Allow-Origin')).toBe(readBy)
    expect(headers.get('Request-Id')).toMatch(UUID)
  }

  test.each(ASKED)(
    'keep it safe and out of every cache: %s',
    async (_title, path, asked, status) => {
      const reply = await connector.rest(path, asked)
      expect(reply.status).toBe(status)
      expectSafe(reply)
      expect(reply.headers.get('Cache-Control')).toMatch(/^no-store/)
      // What was read can be asked for again; a change or a refusal is no version of anything.
      const isRead =
        path.startsWith('/v1/') &&
        status === 200 &&
        (asked?.method ?? 'GET') === 'GET' &&
        asked?.body === undefined
      expect(reply.headers.get('ETag') !== null, path).toBe(isRead)
    },
  )

  test.each(PUBLIC)(
    'keep the public document %s safe, and allow it to be cached and revalidated',
    async (path) => {
      const whole = await connector.rest(path)
      expect(whole.status).toBe(200)
      const isPart = ['/favicon.svg', '/robots.txt'].includes(path)
      const readBy = isPart ? null : '*'
      expectSafe(whole, readBy, path)
      const etag = whole.headers.get('ETag')!
      expect(etag).toMatch(/^"[^"]+"$/)
      expect(whole.headers.get('Cache-Control')).toMatch(/^(public, max-age=\d+|no-cache)$/)

      const head = await connector.rest(path, { method: 'HEAD' })
      expect(head.text).toBe('')
      for (const name of ['ETag', 'Content-Type', 'Cache-Control']) {
        expect(head.headers.get(name)).toBe(whole.headers.get(name))
      }
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await connector.rest(path, { headers: { 'If-None-Match': known } })
        expect(again.status).toBe(304)
        expect(again.text).toBe('')
        expect(again.headers.get('ETag')).toBe(etag)
        expectSafe(again, readBy, path)
      }
      const changed = await connector.rest(path, { headers: { 'If-None-Match': '"other"' } })
      expect(changed).toMatchObject({ status: 200, text: whole.text })
    },
  )
})

const PUBLIC_URL = 'https://connector.example.com'

/** A connector under a public address, to which its callers bring a key. */
const published = async (vars: Record<string, string> = {}) =>
  startConnector({ vars: { PUBLIC_URL, OWNER_KEY_SHA256: await hashApiKey(OWNER_KEY), ...vars } })
const Authorization = `Bearer ${OWNER_KEY}`

describe('the address of the service', () => {
  const call = (to: Connector, headers: Record<string, string>) =>
    raw(to, '/mcp', { headers: { ...MCP_HEADERS, ...headers }, chunks: [JSON.stringify(PING)] })

  test.each([
    [200, 'localhost', undefined],
    [200, '127.0.0.1:1', undefined],
    [200, 'localhost', 'http://localhost:6274'],
    [200, 'localhost', 'http://127.0.0.1:9'],
    [403, 'evil.example', undefined],
    [403, 'localhost.evil.example', undefined],
    [403, '127.0.0.1.evil.example', undefined],
    [403, 'localhost', 'https://evil.example'],
    [403, 'localhost', 'https://evil.example:80'],
    [403, 'localhost', 'http://localhost.evil.example'],
    [403, 'localhost', 'null'],
    [403, 'localhost', 'nonsense'],
  ])('on loopback: %i over MCP for the host %s and the origin %s', async (status, Host, Origin) => {
    const reply = await call(connector, { Host, ...(Origin === undefined ? {} : { Origin }) })
    expect(reply.status).toBe(status)
    expect(reply.text).not.toContain('evil')
  })

  test('is PUBLIC_URL where it is set: for hosts, origins, links and problems, whatever Host says', async () => {
    const served = await published()
    try {
      const Host = 'connector.example.com'
      expect((await call(served, { Host, Authorization })).status).toBe(200)
      expect((await call(served, { Host, Authorization, Origin: PUBLIC_URL })).status).toBe(200)
      for (const Origin of [
        'http://localhost:6274',
        'http://connector.example.com',
        'https://connector.example.com:8443',
      ])
        expect((await call(served, { Host, Origin })).status, Origin).toBe(403)
      expect((await call(served, { Host: 'evil.example' })).status).toBe(403)
      expect((await call(served, { Host: 'evil.example', Origin: PUBLIC_URL })).status).toBe(403)
      // A caller on loopback is on the same machine, so a loopback page may as well.
      expect((await call(served, { Host: 'localhost', Authorization })).status).toBe(200)
      expect(
        (await call(served, { Host: 'localhost', Origin: 'https://evil.example' })).status,
      ).toBe(403)

      const { result } = await done(served.as(OWNER_KEY), 'REST', 'create_payment_link', {
        invoice_id: 'in_mock_open',
      })
      expect(result['url']).toBe(`${PUBLIC_URL}/mock/checkout/in_mock_open`)
      const refused = await raw(served, '/v1/nowhere', { method: 'GET', headers: { Host } })
      expect(refused.body.type).toBe(`${PUBLIC_URL}/docs/errors#not_found`)
      const text = await raw(served, '/llms.txt', { method: 'GET', headers: { Host: 'localhost' } })
      expect(text.text).toContain(`${PUBLIC_URL}/mcp`)
      expect(text.text).not.toContain('evil')
    } finally {
      await served.stop()
    }
  })
})

describe('a local trial, where callers need no credential', () => {
  const NEW_KEY = JSON.stringify({ name: 'x', scopes: ['admin'] })
  const ask = (to: Connector, path: string, headers: Record<string, string>, body?: string) =>
    raw(to, path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      chunks: body === undefined ? [] : [body],
    })
  const REFUSED = { status: 403, body: { code: 'address_not_allowed', effect: 'none' } }

  const known = connectorForAll({
    vars: { PUBLIC_URL: 'http://localhost:8787', ALLOWED_ORIGINS: 'https://app.example.com' },
  })

  test.each([
    ['', connector],
    [', nor where it is told its address', known],
  ])(
    'answers only at its own address, and makes no key for a page elsewhere%s',
    async (_, trial) => {
      for (const headers of [
        { Host: 'evil.example:8787', Origin: 'http://evil.example:8787' },
        { Host: 'evil.example' },
        { Host: 'localhost.evil.example' },
        { Host: 'localhost', Origin: 'http://evil.example' },
        { Host: 'localhost', Origin: 'null' },
        { Host: '127.0.0.1:8787', Origin: 'https://localhost.evil.example' },
      ]) {
        for (const [path, body] of [['/v1/keys', NEW_KEY], ['/v1/me'], ['/v1/nowhere']] as const) {
          const reply = await ask(trial, path, headers, body)
          expect(reply, JSON.stringify([path, headers])).toMatchObject(REFUSED)
          expect(reply.text).not.toContain('evil')
        }
      }
      for (const path of ['/health', '/', '/owner'])
        expect(await ask(trial, path, { Host: 'evil.example' })).toMatchObject(REFUSED)
      expect(JSON.parse((await ask(trial, '/v1/keys', { Host: 'localhost' })).text)).toEqual({
        keys: [],
        more: 0,
      })
    },
  )

  test('answers its own pages, and those of the allowed origins', async () => {
    for (const headers of [
      { Host: 'localhost:1' },
      { Host: 'localhost', Origin: 'https://app.example.com' },
      { Host: '127.0.0.1', Origin: 'http://localhost:5173' },
    ])
      expect((await ask(known, '/v1/me', headers)).status, JSON.stringify(headers)).toBe(200)
  })
})
