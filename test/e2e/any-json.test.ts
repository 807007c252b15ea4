// @module-tag slow

import { isJSONRPCNotification, isJSONRPCResponse } from '@modelcontextprotocol/server'
import { describe, expect, test } from 'vitest'

import {
  type Era,
  ERAS,
  type Fields,
  MESSAGES,
  headersOf,
  messageOf,
  variantsOf,
} from '../support/protocol-messages.ts'
import { connectorForAll } from '../support/started.ts'

const connector = connectorForAll()

async function post(era: Era, method: string, body: unknown) {
  const headers = headersOf(era, method)
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
