import { type RequestListener, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import {
  type AdminClient,
  adminClient,
  healthOf,
  rulesOf,
  startLine,
} from '../../../src/cli/admin-client.ts'
import { CliError } from '../../../src/cli/command.ts'
import { NO_RULES } from '../../../src/core/domain/rules/house-rules.ts'

let listener: RequestListener
const server = createServer((request, response) => listener(request, response))
let url: string
let asked: string[]
beforeEach(async () => {
  asked = []
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(async () => {
  vi.restoreAllMocks()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

/** As every answer of a connector has it. */
const OF_CONNECTOR = { 'Request-Id': '0b6f4b8e-3a53-4c0e-9f43-6d1c2a7e5b90' }

/** A server that answers each request alike. */
function answers(
  status: number,
  body: string,
  headers: Record<string, string> = OF_CONNECTOR,
): void {
  listener = ({ method, url: path, headers: { authorization } }, response) => {
    asked.push([method, path, authorization].join(' ').trim())
    response.writeHead(status, headers).end(body)
  }
}

type Call = (api: AdminClient) => Promise<unknown>
const read: Call = (api) => api.get('/v1/keys')
const change: Call = (api) => api.post('/v1/keys', { name: 'Front desk' })
const CHANGES: [string, Call][] = [
  ['POST', change],
  ['PUT', (api) => api.put('/v1/rules/*', {})],
  ['DELETE', (api) => api.delete('/v1/keys/1')],
]

/** How a call fails: what is wrong, and what to do. */
async function failure(call: Call, at = url): Promise<[message: string, nextStep: string]> {
  const thrown: unknown = await call(adminClient(at, 'ccn_secret')).catch((error: unknown) => error)
  if (!(thrown instanceof CliError)) throw new Error('it did not fail in words', { cause: thrown })
  const { message, nextStep } = thrown
  expect(message + nextStep).not.toContain('ccn_secret')
  return [message, nextStep ?? '']
}

const PERHAPS = 'The change may have been done all the same.'
const look = () => `the log at ${url}/owner/audit has each change that was done`

describe('a call without an answer', () => {
  const late = AbortSignal.timeout.bind(AbortSignal)

  test.each(CHANGES)(
    'by %s may have been done: that is said, with where to look',
    async (_method, call) => {
      vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => late(50))
      listener = () => {}
      const [message, nextStep] = await failure(call)
      expect(message).toBe(`The connector at ${url} did not answer within a minute. ${PERHAPS}`)
      expect(nextStep).toContain('Look before you run it again')
      expect(nextStep).toContain(look())
    },
  )

  test('that only reads has changed nothing', async () => {
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => late(50))
    listener = () => {}
    expect(await failure(read)).toEqual([
      `The connector at ${url} did not answer within a minute; nothing was changed by this request.`,
      'Run it again in a minute.',
    ])
  })

  test('is the same where the connection breaks off, before the answer or in it', async () => {
    listener = (request) => request.socket.destroy()
    expect((await failure(change))[0]).toMatch(/broke off .*\. The change may have been done/)
    listener = (request, response) => {
      response.writeHead(200, { ...OF_CONNECTOR, 'Content-Length': '100' }).write('{"id":')
      setTimeout(() => request.socket.destroy(), 20)
    }
    const [message, nextStep] = await failure(change)
    expect(message).toContain(PERHAPS)
    expect(nextStep).toContain(look())
    answers(407, 'A proxy wants a password.')
    expect((await failure(change))[0]).toMatch(/broke off \(.+\)\. The change may have been done/)
  })

  test.each([['read', read] as const, ['change', change] as const])(
    'because nothing listens there has done nothing: %s',
    async (_what, call) => {
      const free = createServer()
      await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve))
      const { port } = free.address() as AddressInfo
      await new Promise((resolve) => free.close(resolve))
      const at = `http://127.0.0.1:${port}`
      expect(await failure(call, at)).toEqual([
        `No connector answers at ${at} (ECONNREFUSED); nothing was done.`,
        'Start one with npm start, or name another with --url.',
      ])
    },
  )

  test('over https to a port without it, or to a port that fetch refuses, was never sent', async () => {
    answers(200, '{}')
    for (const at of [url.replace('http:', 'https:'), 'http://127.0.0.1:1'])
      expect((await failure(change, at))[0]).toMatch(
        /^No connector answers .*; nothing was done\.$/,
      )
  })
})

describe('a refused answer', () => {
  test('of a connector is told with its fields, and with its own next step', async () => {
    const problem = {
      detail: 'A field is wrong.',
      next_step: 'Correct the field after retry_after_seconds.',
      retry_after_seconds: 90,
      errors: [{ pointer: '/scopes/0', detail: 'Expected a scope.' }],
    }
    answers(400, JSON.stringify(problem))
    expect(await failure(change)).toEqual([
      'A field is wrong.\n  scopes, entry 1: Expected a scope.',
      'Correct the field after 90 seconds.',
    ])
  })

  test('for want of a key says where the key goes', async () => {
    answers(401, JSON.stringify({ detail: 'Not signed in.', next_step: 'Send a bearer token.' }))
    const [message, nextStep] = await failure(change)
    expect(message).toContain('CONNECTOR_API_KEY holds no key that is valid here')
    expect(nextStep).toContain('--help')
  })

  test('of what stands before a connector may come after the change', async () => {
    for (const body of ['<html>Bad gateway planted</html>', '']) {
      answers(502, body)
      const [message, nextStep] = await failure(change)
      expect(message).toBe(`The server at ${url} answers 502. ${PERHAPS}`)
      expect(nextStep).toContain(look())
      expect((await failure(read))[0]).toContain('nothing was changed')
    }
  })

  test('of another server is known as such, and nothing of it is repeated', async () => {
    for (const [status, body] of [
      [404, '<html>planted</html>'],
      [403, ''],
      [400, '{"detail":{"planted":1}}'],
      [400, '{"detail":"planted","errors":"planted"}'],
      [200, '<html>planted</html>'],
      [200, ''],
      [200, '[]'],
      [200, 'null'],
    ] as const) {
      answers(status, body)
      expect(await failure(change), `${status} ${body}`).toEqual([
        `What answers at ${url} is not a consult connector.`,
        'Check the address: name that of your connector with --url.',
      ])
    }
  })

  test('that leads elsewhere is not followed, and names where, without what stands behind it', async () => {
    answers(301, '', { Location: 'https://other.example/login?planted=1' })
    expect(await failure(change)).toEqual([
      `${url} sends this call on to another address; nothing was done.`,
      'If that is your connector, name it: --url https://other.example',
    ])
    expect(asked).toHaveLength(1)
  })
})

test('what another server answers is no success, whatever it is', async () => {
  for (const [status, body] of [
    [200, '{"ok":true}'],
    [201, '{"id":"1"}'],
    [204, ''],
  ] as const) {
    answers(status, body, {})
    for (const [, call] of CHANGES)
      expect((await failure(call))[0]).toBe(`What answers at ${url} is not a consult connector.`)
  }
})

test('a change without a body in its answer has succeeded', async () => {
  answers(204, '')
  await expect(adminClient(url, undefined).delete('/v1/keys/1')).resolves.toBeUndefined()
})

test('a list says how many rows it left out; what is no list is not of a connector', async () => {
  answers(200, JSON.stringify({ keys: [{ id: 'a' }], more: 3 }))
  await expect(adminClient(url, 'k').list('/v1/keys', 'keys')).resolves.toEqual({
    rows: [{ id: 'a' }],
    more: 3,
  })
  answers(200, '{"status":"ok"}')
  expect((await failure((api) => api.list('/v1/keys', 'keys')))[0]).toContain('is not a consult')
})

test('the line that starts a connector has the port of its address', () => {
  expect(startLine('http://localhost:8787', 'A=b')).toBe('A=b npm start')
  expect(startLine('http://localhost:9000', 'A=b')).toBe('PORT=9000 A=b npm start')
})

test('health is asked for without a key, and only a connector has it', async () => {
  const health = { status: 'ok', adapters: { scheduling: 'mock', payments: 'live' } }
  answers(200, JSON.stringify(health))
  await expect(healthOf(url)).resolves.toEqual(health)
  expect(asked).toEqual(['GET /health'])
  answers(200, '{"status":"ok"}')
  await expect(healthOf(url)).rejects.toThrow('is not a consult connector')
})

test('the rules of a caller are asked for by its name, however many sets there are', async () => {
  const set = { ...NO_RULES, caller: 'key:z', paused_at: null, allows: [], changes_a_day: 5 }
  const everybody = { ...set, caller: '*', changes_a_day: 9 }
  answers(200, JSON.stringify({ rules: [everybody, set], more: 0 }))
  const { rules } = await rulesOf(adminClient(url, undefined), 'key:z')
  expect(rules).toEqual({ ...NO_RULES, changes_a_day: 5 })
  expect(asked[0]).toContain('caller=key%3Az')
})
