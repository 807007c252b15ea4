// @module-tag slow

import { isJSONRPCNotification, isJSONRPCResponse } from '@modelcontextprotocol/server'
import { describe, expect, test } from 'vitest'

import { connectorForAll } from '../support/started.ts'

const connector = connectorForAll()

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
  const params = {
    ...MESSAGES[method],
    _meta: meta,
    ...(method.endsWith('/list') && { cursor: 'x' }),
  }
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
  const messages =
    events.length > 0 ? events.map((line) => JSON.parse(line.slice(6)) as unknown) : [whole]
  return {
    status: response.status,
    answers: messages.flat() as Fields[],
    about: `${sent}\n${text}`,
  }
}

/** `params: null`, and null anywhere in it, count as left out. */
function withoutNulls(message: unknown): unknown {
  const { params, ...envelope } = (message ?? {}) as Fields
  if (params === undefined || typeof params !== 'object' || Array.isArray(params)) return message
  return params === null ? envelope : { ...envelope, params: said(params as Fields) }
}

const said = (given: Fields): Fields =>
  Object.fromEntries(
    Object.entries(given)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, isObject(value) ? said(value) : value]),
  )
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isAnswered = (message: unknown): boolean =>
  !isJSONRPCNotification(withoutNulls(message)) && !isJSONRPCResponse(message)

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

describe.each(ERAS)('any JSON value anywhere in a message of %s', (era) => {
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
