import { beforeAll, describe, expect, test } from 'vitest'

import { DAY } from '../../src/core/domain/time/duration.ts'
import { isoInZone } from '../../src/core/domain/time/time.ts'
import { type Era, postMcp, rpcRequest } from '../support/agents.ts'
import { sharedConnector } from '../support/started.ts'
import { type Face, ask, newKey } from '../support/transports.ts'

const connector = sharedConnector()
const ERAS = ['2025-11-25', '2026-07-28'] as const
const TOOLS = ERAS.map((era) => `JSON-RPC, ${era}` as const)
const ZONE = 'America/New_York'

/** Free times of the mock on different days, at 10:00 in New York, so that no two tests want the same one. */
let free: string[] = []
beforeAll(async () => {
  const from = Date.now() + 2 * DAY
  const window = { start_time: isoInZone(from, ZONE), end_time: isoInZone(from + 30 * DAY, ZONE) }
  const { body } = await ask(connector, 'REST', 'list_availability', { ...window, limit: '500' })
  free = (body.slots ?? []).map(({ start_time }) => start_time)
})

const booking = (start_time: unknown = free[0]) => ({
  start_time,
  timezone: ZONE,
  invitee_email: 'jordan@example.com',
  invitee_name: 'Jordan Doe',
})

const rpc = async (
  era: Era,
  method: string,
  params: unknown,
  more: Record<string, string> = {},
) => {
  const { headers, body } = rpcRequest(era, method)
  const meta = era === '2026-07-28' ? (body.params as object) : {}
  const sent = params !== null && typeof params === 'object' ? { ...params, ...meta } : params
  const name: unknown =
    sent !== null && typeof sent === 'object' ? Reflect.get(sent, 'name') : undefined
  const named = era === '2026-07-28' && typeof name === 'string' ? { 'Mcp-Name': name } : {}
  return postMcp(connector.url, {
    headers: { ...headers, ...named, ...more },
    body: JSON.stringify({ ...body, params: sent }),
  })
}

/** A local time as models write it: without its offset. */
const local = (time: string): string => time.slice(0, 19)

describe.each(TOOLS)('over %s a host may write', (tool) => {
  test('confirm as text, or leave it out, and a key as a number, and still commit', async () => {
    const key = String(2 ** 52 + Math.floor(Math.random() * 2 ** 52))
    const fields = { invoice_id: 'in_mock_open', idempotency_key: Number(key) }
    const previews = await Promise.all(
      [{}, { confirm: null }, { confirm: 'false' }, { confirm: 'False' }].map((confirm) =>
        ask(connector, tool, 'create_payment_link', { ...fields, ...confirm }),
      ),
    )
    for (const { body } of previews) expect(body.status).toBe('preview')
    const { confirmation_token } = previews[0]!.body
    const commit = { ...fields, confirm: 'True', confirmation_token }
    const { body } = await ask(connector, tool, 'create_payment_link', commit, key)
    expect(body.status).toBe('committed')
  })

  test('a window of a month, and get 200 times of it unless limit says more', async () => {
    const window = { start_time: free[0], end_time: free.at(-1) }
    const { body, text } = await ask(connector, tool, 'list_availability', window)
    expect(body.slots).toHaveLength(200)
    expect(body).toMatchObject({ more: free.length - 201 })
    expect(text).toContain('more until')
    const all = await ask(connector, tool, 'list_availability', { ...window, limit: 500 })
    expect(all.body).toMatchObject({ more: 0, slots: { length: free.length - 1 } })
    const rest = await ask(
      connector,
      'REST',
      'list_availability',
      window as Record<string, unknown>,
    )
    expect(rest.body).toMatchObject({ more: 0, slots: { length: free.length - 1 } })
  })
})

describe('over REST', () => {
  test.each([
    '/v1/availability?timezone=&start_time=&end_time=&event_type=&limit=',
    '/v1/bookings?from=&to=&days=&state=&timezone=&limit=&cursor=',
    '/v1/clients?limit=&cursor=',
    '/v1/events?cursor=&limit=',
    '/v1/availability?timezone=America/Denver&timezone=&limit=&limit=',
  ])('an empty parameter is one that was left out: %s', async (path) =>
    expect((await connector.rest(path)).status).toBe(200),
  )
})

describe('one key is one payload over REST and MCP', () => {
  test.each<[Face, Face]>([
    ['REST', 'JSON-RPC, 2026-07-28'],
    ['JSON-RPC, 2025-11-25', 'REST'],
  ])('previewed over %s and committed over %s', async (first, second) => {
    const at = free[first === 'REST' ? 5 : 6]!
    const strict = { ...booking(at), event_type: 'consult' }
    const loose = { ...strict, start_time: local(at), event_type: '', confirm: 'false' }
    const fieldsOf = (face: Face) => (face === 'REST' ? { ...strict, confirm: false } : loose)
    const key = newKey()
    const previewed = await ask(connector, first, 'book_consult', fieldsOf(first), key)
    const again = await ask(connector, second, 'book_consult', fieldsOf(second), key)
    const { confirmation_token } = previewed.body
    expect(again.body).toMatchObject({ status: 'preview', confirmation_token })
    const confirm = second === 'REST' ? true : 'true'
    const commit = { ...fieldsOf(second), confirm, confirmation_token }
    const { body } = await ask(connector, second, 'book_consult', commit, key)
    expect(body).toMatchObject({ status: 'committed', result: { start_time: at } })
  })

  test('over MCP a key is every string as it stands: what a header would take apart is another key', async () => {
    const key = newKey()
    const link = { invoice_id: 'in_mock_open', confirm: false }
    const tokenOf = async (face: Face, one: string) =>
      (await ask(connector, face, 'create_payment_link', link, one)).body.confirmation_token
    const tokens = new Set<string | undefined>()
    const other = [`"${key}"`, ` ${key}`, `${key} `, `${key}, ${key}`, `"${key}";v=1`, `${key}é`]
    for (const one of [key, ...other]) tokens.add(await tokenOf('sdk 1.x', one))
    expect(tokens.size).toBe(1 + other.length)
    expect(tokens).not.toContain(undefined)
    for (const header of [`%"${key}%c3%a9"`, `"${key}, ${key}"`])
      expect(tokens).toContain(await tokenOf('REST', header))
  })
})

describe.each(ERAS)('in the era %s', (era) => {
  test.each([
    '*/*',
    'application/json',
    'application/*;q=0.5, text/plain',
    'application/json, text/event-stream',
    '',
  ])('Accept: %s is served', async (accept) => {
    const { status, message } = await rpc(era, 'tools/list', {}, { Accept: accept })
    expect(status).toBe(200)
    expect(message.result).toHaveProperty('tools')
  })

  test('a slash at the end of an address changes nothing, without a redirect', async () => {
    const { headers, body } = rpcRequest(era, 'tools/list')
    const call = { method: 'POST', headers, body: JSON.stringify(body) }
    const read = async (path: string, init = {}) =>
      (await fetch(new URL(path, connector.url), { ...init, redirect: 'error' })).text()
    expect(await read('/mcp/', call)).toBe(await read('/mcp', call))
    expect(await read('/docs/')).toBe(await read('/docs'))
    expect(await read('/v1/events/samples/')).toBe(await read('/v1/events/samples'))
  })

  test.each(['tools/call', 'prompts/get'])(
    'null is left out in the parameters of %s',
    async (method) => {
      const name = method === 'tools/call' ? 'list_availability' : 'book_a_consult'
      for (const given of [null, [], '{}', {}, '', ' \n', 'null', ' {"timezone": null} ']) {
        const { message } = await rpc(era, method, { name, arguments: given, cursor: null })
        expect(message.error).toBeUndefined()
      }
    },
  )

  test('null is left out in every other member of a request, however deep', async () => {
    const book = { name: 'book_a_consult', arguments: { when: null, timezone: null } }
    expect((await rpc(era, 'prompts/get', book)).message.error).toBeUndefined()
    const { message } = await rpc(era, 'completion/complete', {
      ref: { type: 'ref/prompt', name: 'book_a_consult', title: null },
      argument: { name: 'timezone', value: 'york' },
      context: { arguments: null },
    })
    expect(message.result).toMatchObject({ completion: { values: ['America/New_York'] } })
  })

  test.each([
    [
      'tools/call',
      { name: 'bookConsult' },
      'Unknown tool: did you mean book_consult? tools/list has all of them.',
    ],
    [
      'tools/call',
      { name: 'mcp__consult__cancel_booking' },
      'Unknown tool: did you mean cancel_booking? tools/list has all of them.',
    ],
    ['tools/call', { name: 'toString' }, 'Unknown tool. tools/list has all of them.'],
    [
      'tools/call',
      { name: 'create_client' },
      'Unknown tool: did you mean create_client_profile? tools/list has all of them.',
    ],
    [
      'tools/call',
      { name: 'update_booking' },
      'Unknown tool: did you mean reschedule_booking, cancel_booking? tools/list has all of them.',
    ],
    [
      'prompts/get',
      { name: 'book_a_consult', arguments: { when: 5 } },
      'The parameters are not valid: params.arguments: one of its members: expected string.',
    ],
    [
      'completion/complete',
      { ref: { type: 'ref/tool' }, argument: { name: 'x', value: 'y' } },
      'The parameters are not valid: params.ref: expected ref/prompt with a name, or ref/resource with a uri.',
    ],
    [
      'prompts/get',
      { name: 'book_consult' },
      'Unknown prompt: did you mean book_a_consult? prompts/list has all of them.',
    ],
    [
      'tools/call',
      { name: 'book_consult', arguments: [1] },
      'The parameters are not valid: params.arguments: expected object.',
    ],
    ['tools/call', {}, 'The parameters are not valid: params.name: missing, expected string.'],
    ['resources/read', {}, 'The parameters are not valid: params.uri: missing, expected string.'],
  ])('%s with %j is refused by its name in the protocol', async (method, params, message) => {
    const reply = await rpc(era, method, params)
    expect(reply.message.error).toMatchObject({ code: -32602, message })
  })

  test.each([
    ['tools.list', 'Unknown method: did you mean tools/list?'],
    ['tool/call', 'Unknown method: did you mean tools/call?'],
    ['resources/template/list', 'Unknown method: did you mean resources/templates/list?'],
    ['sampling/createMessage', 'Unknown method.'],
    ['logging/setLevel', 'Unknown method.'],
  ])('the method %s is refused with the one that was meant, if any', async (method, message) => {
    const reply = await rpc(era, method, {})
    expect(reply.message.error).toMatchObject({ code: -32601, message })
  })

  test('an unknown version is refused with the known ones', async () => {
    const { headers, body } = rpcRequest(era, 'tools/list')
    const later = (sent: object) => JSON.stringify(sent).replaceAll(era, '2027-01-01')
    const { status, message } = await postMcp(connector.url, {
      headers: JSON.parse(later(headers)) as Record<string, string>,
      body: later(body),
    })
    expect(status).toBe(400)
    expect(message).toMatchObject({ id: 7, error: { data: { requested: '2027-01-01' } } })
    expect(message.error?.message).toMatch(
      /protocol-?version: this protocol version is not supported\. Known here: 2026-07-28, 2025-11-25, /i,
    )
  })
})

describe('in the 2025 era', () => {
  test.each([
    [
      { capabilities: {} },
      'params.protocolVersion: missing, expected string; params.clientInfo: missing, expected object',
    ],
    [
      { protocolVersion: '2025-11-25', capabilities: null, clientInfo: { name: 'x' } },
      'params.capabilities: missing, expected object; params.clientInfo.version: missing, expected string',
    ],
  ])('initialize with %j says what is missing', async (params, missing) => {
    const { message } = await rpc('2025-11-25', 'initialize', params)
    expect(message.error?.message).toBe(`The parameters are not valid: ${missing}.`)
  })

  test.each([null, []])('no Accept at all and params of %j are served', async (params) => {
    const { headers, body } = rpcRequest('2025-11-25', 'tools/list')
    const { Accept: _accept, ...others } = headers
    const sent = { ...body, params }
    const { message } = await postMcp(connector.url, {
      headers: others,
      body: JSON.stringify(sent),
    })
    expect(message.result).toHaveProperty('tools')
  })

  test('an empty list in place of an object begins as an object does', async () => {
    const clientInfo = { name: 'php', version: '1', icons: [] }
    const sent = { protocolVersion: '2025-11-25', clientInfo, capabilities: [] }
    const { message } = await rpc('2025-11-25', 'initialize', sent)
    expect(message.result).toMatchObject({ protocolVersion: '2025-11-25' })
  })
})

test('an empty list in place of the capabilities in an envelope is none of them', async () => {
  const { headers, body } = rpcRequest('2026-07-28', 'tools/list')
  const sent = JSON.stringify(body).replace(/(clientCapabilities":)\{[^}]*\}/, '$1[]')
  const { message } = await postMcp(connector.url, { headers, body: sent })
  expect(sent).toContain('clientCapabilities":[]')
  expect(message.result).toHaveProperty('tools')
})
