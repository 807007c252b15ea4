import { beforeAll, describe, expect, test } from 'vitest'

import { DAY } from '../../src/core/domain/time/duration.ts'
import { isoInZone } from '../../src/core/domain/time/time.ts'
import { type Era, postMcp, rpcRequest } from '../support/agents.ts'
import type { Body } from '../support/connector.ts'
import { connectorForAll } from '../support/started.ts'
import { type Face, type Mutation, ask, newKey } from '../support/transports.ts'

const connector = connectorForAll()
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

const preview = (face: Face, operation: Mutation, fields: object, key = newKey()) =>
  ask(connector, face, operation, { confirm: false, ...fields }, key)

const errorAt = (body: Body, pointer: string): string | undefined =>
  body.errors?.find((error) => error.pointer === pointer)?.detail

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
  test('confirm as text, or leave it out, and still commit', async () => {
    const key = newKey()
    const fields = { invoice_id: 'in_mock_open' }
    const previews = await Promise.all(
      [{}, { confirm: null }, { confirm: 'false' }, { confirm: 'False' }].map((confirm) =>
        ask(connector, tool, 'create_payment_link', { ...fields, ...confirm }, key),
      ),
    )
    for (const { body } of previews) expect(body.status).toBe('preview')
    const { confirmation_token } = previews[0]!.body
    const commit = { ...fields, confirm: 'True', confirmation_token }
    const { body } = await ask(connector, tool, 'create_payment_link', commit, key)
    expect(body.status).toBe('committed')
  })

  test('a local time with its zone, and every spelling of an offset', async () => {
    const [time = ''] = free
    const forms = [
      local(time),
      time.slice(0, 16),
      `${local(time)}[${ZONE}]`,
      `${time}[${ZONE}]`,
      time.replace('T', ' '),
      time.replace(/:00(?=-)/, ''),
      time.replace(/:(?=\d\d$)/, ''),
    ]
    for (const start_time of forms) {
      const { body } = await preview(tool, 'book_consult', booking(start_time))
      expect(body.preview, start_time).toMatchObject({ start_time: time, timezone: ZONE })
      expect(body.warnings).toEqual([])
    }
    const { timezone: _zone, ...unzoned } = booking(local(time))
    const { body } = await preview(tool, 'book_consult', unzoned)
    expect(errorAt(body, '/start_time')).toContain('add it, or name the zone in timezone.')
  })

  test('a date for the window of free times: the day of the practice', async () => {
    const day = free[0]!.slice(0, 10)
    const { body } = await ask(connector, tool, 'list_availability', {
      start_time: day,
      end_time: day,
    })
    expect(body.slots!.length).toBeGreaterThan(0)
    for (const { start_time } of body.slots!) expect(start_time.slice(0, 10)).toBe(day)
    const inZone = {
      start_time: local(free[0]!),
      end_time: local(free[1]!),
      timezone: ZONE,
      limit: '1',
    }
    expect((await ask(connector, tool, 'list_availability', inZone)).body.slots).toEqual([
      { start_time: free[0] },
    ])
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

const PROFILE = {
  entity_type: 'individual',
  display_name: 'Kim Lee',
  contact_email: 'kim@example.org',
}

describe.each(['REST', ...TOOLS] as const)('over %s', (face) => {
  test.each([
    'null',
    'undefined',
    'N/A',
    'n/a',
    'None',
    'Jordan undefined',
    '{{name}}',
    '[Client Name]',
  ])('the name %s is previewed with a warning', async (invitee_name) => {
    const { body } = await preview(face, 'book_consult', { ...booking(), invitee_name })
    expect(body.warnings).toEqual([expect.stringContaining('placeholder')])
    const client = await preview(face, 'create_client_profile', {
      ...PROFILE,
      display_name: invitee_name,
    })
    expect(client.body.warnings).toContainEqual(expect.stringContaining('placeholder'))
  })

  test('an offset that the zone does not have then is warned of', async () => {
    const [time = ''] = free
    const inUtc = new Date(time).toISOString().replace('.000', '')
    const wrong = isoInZone(Date.parse(time), 'Asia/Tokyo')
    const { body } = await preview(face, 'book_consult', booking(wrong))
    expect(body.preview).toMatchObject({ start_time: time })
    expect(body.warnings).toEqual([
      expect.stringContaining(
        `sent with the offset +09:00, which ${ZONE} does not have then: it has ${time.slice(-6)}.`,
      ),
    ])
    for (const start_time of [time, inUtc])
      expect((await preview(face, 'book_consult', booking(start_time))).body.warnings).toEqual([])
  })

  test('a time that is not free is said to have an offset that its zone does not have then', async () => {
    const date = free[0]!.slice(0, 10)
    const early = await preview(face, 'book_consult', booking(`${date}T07:00:00+09:00`))
    expect(early.body).toMatchObject({ code: 'slot_unavailable', effect: 'none' })
    expect(early.body.detail).toContain(`it has ${free[0]!.slice(-6)}, with which the same clock`)
    const plain = await preview(face, 'book_consult', booking(`${date}T03:00:00Z`))
    expect(plain.body.detail).toBe('This time is not free. Nothing was done.')
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
    expect((await owned.rest(path)).status).toBe(200),
  )
})

const owned = connectorForAll()

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
})

test.each(['REST', ...TOOLS] as const)(
  'over %s a key that is used for other values names the fields that differ, and no value',
  async (face) => {
    const key = newKey()
    await preview(face, 'book_consult', booking(free[8]), key)
    const other = { ...booking(free[9]), invitee_email: 'kim@example.org', invitee_name: null }
    const { body, text } = await preview(face, 'book_consult', other, key)
    expect(body.code).toBe('idempotency_key_reused')
    const pointers = body.errors?.map(({ pointer }) => pointer).toSorted()
    expect(pointers).toEqual(['/invitee_email', '/invitee_name', '/start_time'])
    expect(body.next_step).toContain('Another time or another detail is a new change')
    for (const value of ['kim', 'jordan', free[8]!, free[9]!])
      expect(text.toLowerCase()).not.toContain(value.toLowerCase())
    const another = await preview(face, 'create_client_profile', PROFILE, key)
    expect(another.body).toMatchObject({ code: 'idempotency_key_reused' })
    expect(another.body.errors).toBeUndefined()
  },
)

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

  test('/mcp/ is /mcp, without a redirect', async () => {
    const { headers, body } = rpcRequest(era, 'tools/list')
    const init = { method: 'POST', headers, body: JSON.stringify(body), redirect: 'error' } as const
    const [plain, slash] = await Promise.all(
      ['/mcp', '/mcp/'].map(async (path) =>
        (await fetch(new URL(path, connector.url), init)).text(),
      ),
    )
    expect(slash).toBe(plain)
  })

  test.each(['tools/call', 'prompts/get'])(
    'null is left out in the parameters of %s',
    async (method) => {
      const name = method === 'tools/call' ? 'list_availability' : 'book_a_consult'
      for (const given of [null, '{}', {}, '', ' \n', 'null', ' {"timezone": null} ']) {
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
    ['tools/call', { name: 'send_money' }, 'Unknown tool. tools/list has all of them.'],
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
      { name: 'book_consult', arguments: [] },
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

  test('no Accept at all and params of null are served', async () => {
    const { headers, body } = rpcRequest('2025-11-25', 'tools/list')
    const { Accept: _accept, ...others } = headers
    const sent = { ...body, params: null }
    const { message } = await postMcp(connector.url, {
      headers: others,
      body: JSON.stringify(sent),
    })
    expect(message.result).toHaveProperty('tools')
  })
})
