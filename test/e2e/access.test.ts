import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashApiKey, isApiKey, newApiKey } from '../../src/access/api-key.ts'
import { OPERATIONS, VIEWS } from '../../src/operations/index.ts'
import { postMcp, rpcRequest } from './agents.ts'
import { type Connector, type RestRequest, startConnector } from './connector.ts'
import { newKey } from './faces.ts'

const OWNER_KEY = newApiKey('test', randomBytes(32))
const STRANGER = newApiKey('test', randomBytes(32))

let connector: Connector
beforeAll(async () => {
  connector = await startConnector({
    vars: { ALLOW_ANONYMOUS: 'false', OWNER_KEY_SHA256: await hashApiKey(OWNER_KEY) },
  })
})
afterAll(() => connector.stop())

interface Key {
  id: string
  key: string
}

const as = (key: string): Record<string, string> => ({ Authorization: `Bearer ${key}` })

async function owner(path: string, request: RestRequest = {}) {
  return connector.rest(path, { ...request, headers: as(OWNER_KEY) })
}

async function newKeyFor(scopes: string[], more: object = {}): Promise<Key> {
  const { status, text } = await owner('/v1/keys', { body: { name: 'Front desk', scopes, ...more } })
  expect(status).toBe(200)
  return JSON.parse(text) as Key
}

const me = (headers: Record<string, string>) => connector.rest('/v1/me', { headers })

/** Every route that needs a credential, with the scope it needs. */
const ROUTES = [
  ...[...OPERATIONS, ...VIEWS].map(({ http, scope }) => ({
    method: http.method.toUpperCase(),
    path: http.path.replaceAll(/\{\w+\}/g, 'x'),
    scope: scope as string,
  })),
  { method: 'GET', path: '/v1/keys', scope: 'admin' },
  { method: 'POST', path: '/v1/keys', scope: 'admin' },
  { method: 'POST', path: '/v1/keys/x/rotate', scope: 'admin' },
  { method: 'DELETE', path: '/v1/keys/x', scope: 'admin' },
  { method: 'GET', path: '/v1/unresolved', scope: 'admin' },
  { method: 'POST', path: '/v1/unresolved/x', scope: 'admin' },
  { method: 'GET', path: '/v1/doctor', scope: 'admin' },
  { method: 'GET', path: '/v1/audit', scope: 'admin' },
  { method: 'GET', path: '/v1/audit/export', scope: 'admin' },
  { method: 'GET', path: '/v1/clients/x/deletion', scope: 'admin' },
  { method: 'DELETE', path: '/v1/clients/x', scope: 'admin' },
]
const SCOPES = [...new Set(ROUTES.map(({ scope }) => scope))]

describe('a credential', () => {
  test.each(ROUTES)(
    '$method $path opens with the scope $scope and nothing else',
    async ({ method, path, scope }) => {
      const right = await newKeyFor([scope])
      const wrong = await newKeyFor(SCOPES.filter((other) => other !== scope))
      const revoked = await newKeyFor([scope])
      await owner(`/v1/keys/${revoked.id}`, { method: 'DELETE' })
      const request = (headers: Record<string, string>) =>
        connector.rest(path, { method, headers, ...(method === 'POST' ? { body: {} } : {}) })

      const refusals = []
      for (const headers of [
        {},
        as('garbage'),
        as(STRANGER),
        as(revoked.key),
        { Authorization: 'Basic eDp5' },
      ]) {
        const reply = await request(headers)
        expect(reply.status).toBe(401)
        expect(reply.headers.get('WWW-Authenticate')).toMatch(/^Bearer /)
        refusals.push({ ...reply.body, request_id: '' })
      }
      expect(new Set(refusals.map((body) => JSON.stringify(body))).size).toBe(1)

      const forbidden = await request(as(wrong.key))
      expect(forbidden.status).toBe(403)
      expect(forbidden.body).toMatchObject({ code: 'insufficient_scope', required_scope: scope })

      expect([401, 403]).not.toContain((await request(as(right.key))).status)
    },
  )

  test('is shown once, has a checksum, and is kept as a hash only', async () => {
    const { key, id } = await newKeyFor(['availability:read'])
    expect(isApiKey(key)).toBe(true)
    expect(key).toMatch(/^ccn_test_/)
    const listed = await owner('/v1/keys')
    expect(listed.text).toContain(id)
    expect(listed.text).not.toContain(key)
    expect(connector.logs.join('\n')).not.toContain(key)
  })

  test('may come in X-API-Key as well, and tells who is calling', async () => {
    const { key, id } = await newKeyFor(['intake:write', 'clients:write'])
    const { text } = await me({ 'X-API-Key': key })
    expect(JSON.parse(text)).toEqual({
      caller: `key:${id}`,
      label: 'Front desk',
      scopes: ['clients:write', 'intake:write'],
      adapters: { scheduling: 'mock', payments: 'mock' },
    })
  })

  test('stays the same caller when it is rotated, and the old secret ends after the overlap', async () => {
    const first = await newKeyFor(['clients:write'])
    const body = { entity_type: 'llc', display_name: 'Acme', contact_email: 'a@example.com', confirm: false }
    const key = newKey()
    const preview = await connector.rest('/v1/clients', { body, key, headers: as(first.key) })
    const rotated = JSON.parse(
      (await owner(`/v1/keys/${first.id}/rotate`, { body: { overlap_hours: 0 } })).text,
    ) as Key
    const commit = { ...body, confirm: true, confirmation_token: preview.body.confirmation_token }
    const committed = await connector.rest('/v1/clients', { body: commit, key, headers: as(rotated.key) })
    expect(committed.body.status).toBe('committed')
    expect((await me(as(first.key))).status).toBe(401)

    const again = JSON.parse((await owner(`/v1/keys/${first.id}/rotate`, { body: {} })).text) as Key
    expect((await me(as(rotated.key))).status).toBe(200)
    expect((await me(as(again.key))).status).toBe(200)
  })

  test('tells another caller nothing: a key and a token that are somebody else’s look as if they did not exist', async () => {
    const [one, other] = [await newKeyFor(['clients:write']), await newKeyFor(['clients:write'])]
    const body = { entity_type: 'llc', display_name: 'Acme', contact_email: 'a@example.com', confirm: false }
    const key = newKey()
    const preview = await connector.rest('/v1/clients', { body, key, headers: as(one.key) })
    const commit = { ...body, confirm: true, confirmation_token: preview.body.confirmation_token }
    const stolen = await connector.rest('/v1/clients', { body: commit, key, headers: as(other.key) })
    const invented = await connector.rest('/v1/clients', {
      body: commit,
      key: newKey(),
      headers: as(other.key),
    })
    expect(stolen.body.code).toBe('preview_required')
    expect({ ...stolen.body, request_id: '' }).toEqual({ ...invented.body, request_id: '' })
    const theirs = await connector.rest('/v1/clients', { body, key, headers: as(other.key) })
    expect(theirs.body.status).toBe('preview')
    expect(theirs.body.confirmation_token).not.toBe(preview.body.confirmation_token)
  })

  test('shows an agent only the tools that its scopes allow', async () => {
    const { key } = await newKeyFor(['availability:read', 'payments:write'])
    const { headers, body } = rpcRequest('2026-07-28', 'tools/list')
    const { message } = await postMcp(connector.url, {
      headers: { ...headers, ...as(key) },
      body: JSON.stringify(body),
    })
    const { tools } = message.result as { tools: { name: string }[] }
    expect(tools.map((tool) => tool.name)).toEqual(['list_availability', 'create_payment_link'])
  })

  test('is not made with a scope that does not exist, or without a name', async () => {
    const unknown = await owner('/v1/keys', { body: { name: 'x', scopes: ['everything'] } })
    expect(unknown.body).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '/scopes/0' }] })
    const nameless = await owner('/v1/keys', { body: { name: '', scopes: ['admin'] } })
    expect(nameless.body).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '/name' }] })
  })

  test('that is presented and wrong is never taken for an anonymous caller', async () => {
    const trial = await startConnector()
    try {
      expect((await trial.rest('/v1/me', { headers: as(STRANGER) })).status).toBe(401)
      expect((await trial.rest('/v1/me')).status).toBe(200)
    } finally {
      await trial.stop()
    }
  })
})

describe('an API key', () => {
  test('with one character changed is recognised as none, without a look-up', () => {
    const key = newApiKey('live', randomBytes(32))
    expect(isApiKey(key)).toBe(true)
    for (let at = 9; at < key.length; at++) {
      const other = key[at] === 'a' ? 'b' : 'a'
      expect(isApiKey(key.slice(0, at) + other + key.slice(at + 1))).toBe(false)
    }
  })
})
