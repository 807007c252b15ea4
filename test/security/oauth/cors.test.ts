import { randomBytes } from 'node:crypto'

import { describe, expect, test } from 'vitest'

import { hashApiKey, newApiKey } from '../../../src/core/crypto/api-key.ts'
import { rpcRequest } from '../../support/agents.ts'
import type { Practice } from '../../support/owner-connector.ts'
import { practiceForAll } from '../../support/started.ts'

const KEY = newApiKey(randomBytes(32))
const APP = 'https://app.example.com'
const STRANGER = 'https://stranger.example'

const OWNER_KEY_SHA256 = await hashApiKey(KEY)
const practice = practiceForAll({ vars: { OWNER_KEY_SHA256, ALLOWED_ORIGINS: APP } })
const closed = practiceForAll({ vars: { OWNER_KEY_SHA256 } })

const list = (header: string | null): string[] =>
  (header ?? '').split(',').flatMap((one) => one.trim().toLowerCase() || [])

const preflight = (at: Practice, path: string, origin: string, headers = 'authorization') =>
  fetch(new URL(path, at.url), {
    method: 'OPTIONS',
    headers: {
      Origin: origin,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': headers,
    },
  })

const allowed = ({ headers }: Response): string | null => headers.get('Access-Control-Allow-Origin')

const CALLS: [string, string, RequestInit][] = [
  ['an answer', '/v1/me', { headers: { Authorization: `Bearer ${KEY}` } }],
  ['a refusal at the door', '/v1/availability', {}],
  ['a path that leads nowhere', '/v1/nowhere', {}],
  ['a method that is not there', '/v1/me', { method: 'DELETE' }],
  [
    'a body that is too large',
    '/mcp',
    { method: 'POST', body: 'x'.repeat(40_000), headers: { Authorization: `Bearer ${KEY}` } },
  ],
  ['MCP without a credential', '/mcp', { method: 'POST', body: '{}' }],
]

describe('a page of an origin that ALLOWED_ORIGINS names', () => {
  test.each(CALLS)('may read %s', async (_title, path, init) => {
    const headers = { ...(init.headers as Record<string, string>), Origin: APP }
    const response = await fetch(new URL(path, practice.url), { ...init, headers })
    expect(response.status).not.toBe(500)
    expect(allowed(response)).toBe(APP)
    expect(list(response.headers.get('Vary'))).toContain('origin')
    expect(response.headers.get('Access-Control-Allow-Credentials')).toBe(null)
    expect(response.headers.get('Access-Control-Expose-Headers')).toBe('*')
  })

  test.each(['/v1/bookings', '/v1/me', '/mcp'])(
    'gets an answer to its preflight for %s',
    async (path) => {
      const response = await preflight(practice, path, APP, 'authorization,traceparent')
      expect(response.status).toBe(204)
      expect(allowed(response)).toBe(APP)
      expect(list(response.headers.get('Access-Control-Allow-Methods'))).toEqual([
        'get',
        'post',
        'put',
        'delete',
      ])
      expect(list(response.headers.get('Access-Control-Allow-Headers'))).toEqual([
        '*',
        'authorization',
      ])
      expect(Number(response.headers.get('Access-Control-Max-Age'))).toBeGreaterThan(0)
      expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff')
      expect(response.headers.get('Request-Id')).toMatch(/^[0-9a-f-]{36}$/)
    },
  )

  test('is told none of the headers that it asked for', async () => {
    const response = await preflight(practice, '/mcp', APP, 'x-made-up-canary')
    expect([...response.headers].flat().join()).not.toContain('canary')
  })

  test.each(['/owner', '/owner/passkey/options', '/authorize'])(
    'is allowed nothing at %s',
    async (path) => {
      expect(allowed(await fetch(new URL(path, practice.url), { headers: { Origin: APP } }))).toBe(
        null,
      )
      const asked = await preflight(practice, path, APP)
      expect([asked.status, allowed(asked)]).toEqual([405, null])
    },
  )
})

describe('any other page', () => {
  test.each(CALLS)('may not read %s', async (_title, path, init) => {
    for (const at of [practice, closed]) {
      const headers = { ...(init.headers as Record<string, string>), Origin: STRANGER }
      expect(allowed(await fetch(new URL(path, at.url), { ...init, headers }))).toBe(null)
    }
  })

  test.each(['/v1/bookings', '/mcp'])(
    'gets no permission for its preflight of %s',
    async (path) => {
      for (const [at, origin] of [
        [practice, STRANGER],
        [practice, `${APP}.evil.example`],
        [practice, 'null'],
        [closed, APP],
      ] as const) {
        const response = await preflight(at, path, origin)
        expect([response.status, allowed(response)]).toEqual([405, null])
      }
    },
  )

  test.each([
    '/openapi.json',
    '/llms.txt',
    '/docs/example-prompts.md',
    '/docs/errors',
    '/docs',
    '/docs/api',
    '/.well-known/api-catalog',
    '/health',
    '/',
  ])('may read the public document %s', async (path) => {
    for (const Origin of [STRANGER, APP]) {
      const response = await fetch(new URL(path, practice.url), { headers: { Origin } })
      expect([response.status, allowed(response)]).toEqual([200, '*'])
      expect(response.headers.get('Access-Control-Allow-Credentials')).toBe(null)
    }
  })

  test('is refused by /mcp before anything is read', async () => {
    const { headers, body } = rpcRequest('2025-11-25', 'ping')
    const ask = (origin: string) =>
      fetch(new URL('/mcp', practice.url), {
        method: 'POST',
        headers: { ...headers, Authorization: `Bearer ${KEY}`, Origin: origin },
        body: JSON.stringify(body),
      })
    expect((await ask(STRANGER)).status).toBe(403)
    expect((await ask(APP)).status).toBe(200)
  })

  test.each([
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/mcp',
    '/.well-known/oauth-authorization-server',
    '/oauth/token',
    '/oauth/register',
  ])('may find out how to sign in, and do so, at %s', async (path) => {
    const asked = await preflight(closed, path, STRANGER, 'mcp-protocol-version')
    expect([asked.status, allowed(asked)]).toEqual([204, '*'])
    expect(list(asked.headers.get('Access-Control-Allow-Headers'))).toContain('*')
    const answered = await fetch(new URL(path, closed.url), { headers: { Origin: STRANGER } })
    expect(allowed(answered)).toBe('*')
    expect(answered.headers.get('Access-Control-Allow-Credentials')).toBe(null)
  })
})
