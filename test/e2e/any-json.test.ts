import { isJSONRPCNotification, isJSONRPCResponse } from '@modelcontextprotocol/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Connector, startConnector } from '../support/connector.ts'

let connector: Connector
beforeAll(async () => {
  connector = await startConnector()
})
afterAll(() => connector.stop())

type Fields = Record<string, unknown>

const ERAS = ['2025-11-25', '2026-07-28'] as const
type Era = (typeof ERAS)[number]

/** One of every type of JSON, and objects with names that a program may trip over. */
const VALUES: unknown[] = [
  undefined,
  null,
  true,
  0,
  1.5,
  'x',
  '',
  [],
  [1],
  {},
  JSON.parse('{"toString":"x","valueOf":1,"toJSON":1,"then":1,"length":3}'),
  JSON.parse('{"__proto__":{"a":1}}'),
]

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'end-to-end-tests', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** Each kind of message, as it should be. */
const MESSAGES: Record<string, Fields> = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'end-to-end-tests', version: '1' },
  },
  ping: {},
  'tools/list': {},
  'tools/call': { name: 'list_availability', arguments: { timezone: 'Europe/Lisbon' } },
  'resources/list': {},
  'resources/templates/list': {},
  'resources/read': { uri: 'consult://today' },
  'resources/subscribe': { uri: 'consult://today' },
  'prompts/list': {},
  'prompts/get': { name: 'book_a_consult', arguments: { when: 'x' } },
  'completion/complete': {
    ref: { type: 'ref/prompt', name: 'book_a_consult' },
    argument: { name: 'timezone', value: 'Eu' },
  },
  'server/discover': {},
  'subscriptions/listen': { notifications: {} },
  'logging/setLevel': { level: 'info' },
  'notifications/initialized': {},
  'notifications/cancelled': { requestId: 7 },
  'notifications/progress': { progressToken: 1, progress: 1 },
  'unknown/method': {},
}

function messageOf(era: Era, method: string, id: number): Fields {
  const meta = era === '2026-07-28' ? ENVELOPE : { progressToken: 1 }
  const params = { ...MESSAGES[method], _meta: meta, ...(method.endsWith('/list') && { cursor: 'x' }) }
  return { jsonrpc: '2.0', ...(method.startsWith('notifications/') ? {} : { id }), method, params }
}

function* placesIn(value: unknown, place: string[] = []): Generator<string[]> {
  yield place
  if (value === null || typeof value !== 'object') return
  for (const [name, inner] of Object.entries(value)) yield* placesIn(inner, [...place, name])
}

function put(value: unknown, [name, ...rest]: string[], other: unknown): unknown {
  if (name === undefined) return other
  const fields = value as Fields
  return { ...fields, [name]: put(fields[name], rest, other) }
}

/** The message with any JSON value in each of its places. */
const variantsOf = (message: Fields): unknown[] =>
  [...placesIn(message), ['id'], ['another member']]
    .flatMap((place) => VALUES.map((value) => put(message, place, value)))
    .filter((variant) => variant !== undefined)
    // As it goes over the wire: a member that is undefined is not there.
    .map((variant) => JSON.parse(JSON.stringify(variant)) as unknown)

async function post(era: Era, method: string, body: unknown) {
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': era,
  }
  if (era === '2026-07-28') {
    const { name, uri = name } = MESSAGES[method]!
    Object.assign(headers, { 'Mcp-Method': method }, typeof uri === 'string' && { 'Mcp-Name': uri })
  }
  const sent = JSON.stringify(body)
  // A wait that never ends is a fault as well.
  const init = { method: 'POST', headers, body: sent, signal: AbortSignal.timeout(20_000) }
  const response = await fetch(new URL('/mcp', connector.url), init)
  const text = await response.text()
  const events = text.split('\n').filter((line) => line.startsWith('data: {'))
  const whole: unknown = events.length > 0 || text === '' ? [] : JSON.parse(text)
  const messages = events.length > 0 ? events.map((line) => JSON.parse(line.slice(6)) as unknown) : [whole]
  return { status: response.status, answers: messages.flat() as Fields[], about: `${sent}\n${text}` }
}

const isAnswered = (message: unknown): boolean =>
  !isJSONRPCNotification(message) && !isJSONRPCResponse(message)

/** An answer as JSON-RPC has it: to the id that was sent where that was one, with a result or an error of the protocol. */
function checkAnswer(answer: Fields, about: string): void {
  expect(answer['jsonrpc'], about).toBe('2.0')
  const error = answer['error'] as { code: number } | undefined
  expect('result' in answer, about).toBe(error === undefined)
  if (error) expect([-32002, -32020, -32600, -32601, -32602], about).toContain(error.code)
}

const idOf = (message: unknown): unknown => {
  const id = (message as Fields | null)?.['id']
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

describe.each(ERAS)('any JSON value anywhere in a message of %s', { tags: 'slow' }, (era) => {
  test.each(Object.keys(MESSAGES))('is answered as JSON-RPC wants it: %s', async (method) => {
    for (const variant of variantsOf(messageOf(era, method, 7))) {
      const { status, answers, about } = await post(era, method, variant)
      if (!isAnswered(variant) && status === 202) {
        expect(answers, about).toEqual([])
        continue
      }
      expect([200, 400, 404], about).toContain(status)
      const last = answers.at(-1)!
      checkAnswer(last, about)
      expect([idOf(variant), null], about).toContain(last['id'])
      if (status === 200) expect(last['id'], about).toBe(idOf(variant))
    }
  })
})

describe('a batch', () => {
  const MOST = 50
  const METHODS = Object.keys(MESSAGES).filter((method) => method !== 'initialize')

  test.each(METHODS)(
    'answers each of its messages separately, whatever the others hold: %s',
    async (method) => {
      const all = variantsOf(messageOf('2025-11-25', method, 7)).filter(
        (variant) => (variant as Fields | null)?.['method'] !== 'initialize',
      )
      for (let at = 0; at < all.length; at += MOST) {
        const part = all.slice(at, at + MOST)
        const { status, answers, about } = await post('2025-11-25', method, [
          ...part,
          { jsonrpc: '2.0', id: 'the last', method: 'ping' },
        ])
        expect(status, about).toBe(200)
        for (const answer of answers) checkAnswer(answer, about)
        expect(answers.length, about).toBe(part.filter(isAnswered).length + 1)
        expect(answers.find(({ id }) => id === 'the last')).toEqual({
          jsonrpc: '2.0',
          id: 'the last',
          result: {},
        })
      }
    },
  )

  const ping = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'ping' })
  const call = (id: unknown) => ({ ...ping(id), method: 'tools/call', params: { name: 'list_availability' } })
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }

  test.each<[string, unknown[], unknown[]]>([
    ['two of the same id', [call(1), ping(1), call(1)], [1, 1, 1]],
    ['one that another of them cancels', [call(1), cancel, ping(2)], [1, 2]],
    ['one that was cancelled before it', [cancel, call(1)], [1]],
    ['nothing but what is no message', [1, 'x', [ping(1)]], [null, null, null]],
  ])('answers %s', async (_what, batch, ids) => {
    const { answers, about } = await post('2025-11-25', 'ping', batch)
    expect(
      answers.map(({ id }) => String(id)).toSorted((a, b) => a.localeCompare(b)),
      about,
    ).toEqual(ids.map(String))
    for (const answer of answers) checkAnswer(answer, about)
  })

  test('of notifications only is accepted without an answer', async () => {
    expect(await post('2025-11-25', 'ping', [cancel, cancel])).toMatchObject({ status: 202, answers: [] })
  })
})
