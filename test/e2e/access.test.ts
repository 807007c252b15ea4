import { randomBytes, randomUUID } from 'node:crypto'

import { beforeAll, describe, expect, test } from 'vitest'

import { servedApp } from '../../src/cli/reference/served.ts'
import { hashApiKey, isApiKey, newApiKey } from '../../src/core/crypto/api-key.ts'
import { SCOPES, type Scope } from '../../src/core/domain/scopes.ts'
import { HOUR } from '../../src/core/domain/time/duration.ts'
import { OPERATIONS, SEED } from '../../src/practice/operations/index.ts'
import { askMcp } from '../support/agents.ts'
import { OWNED, OWNER_KEY, type RestRequest } from '../support/connector.ts'
import { servedDocuments } from '../support/openapi.ts'
import { connectorForAll, sharedConnector } from '../support/started.ts'
import { changeOf } from '../support/transports.ts'

const STRANGER = newApiKey(randomBytes(32))

const connector = connectorForAll({ vars: OWNED })
const trial = sharedConnector()

interface Key {
  id: string
  key: string
}

const as = (key: string): Record<string, string> => ({ Authorization: `Bearer ${key}` })

async function owner(path: string, request: RestRequest = {}) {
  return connector.rest(path, { ...request, headers: as(OWNER_KEY) })
}

async function newKeyFor(scopes: string[], more: object = {}): Promise<Key> {
  const { status, text } = await owner('/v1/keys', {
    body: { name: 'Front desk', scopes, ...more },
  })
  expect(status).toBe(200)
  return JSON.parse(text) as Key
}

const ACME = { entity_type: 'llc', display_name: 'Acme', contact_email: 'a@example.com' }

const rotate = async (id: string, body: object = {}): Promise<Key> =>
  JSON.parse((await owner(`/v1/keys/${id}/rotate`, { body })).text) as Key

/** The keys as they are listed, by their ids. */
async function listed() {
  const { keys } = JSON.parse((await owner('/v1/keys?limit=100')).text) as {
    keys: { id: string; name: string; created_by: string; expires_at: string | null }[]
  }
  return Object.fromEntries(keys.map((one) => [one.id, one]))
}

const me = (headers: Record<string, string>) => connector.rest('/v1/me', { headers })

/** Routes that the OpenAPI document does not list: pages, and what other standards describe. */
const UNDOCUMENTED = [
  /^\/docs(?:\/(?:style-\w+\.css|pages-\w+\.js|api(?:\/:name)?|errors))?(?:\.md)?$/,
  // Each by an address of its own: test/worker/client-link.test.ts.
  /^\/c\/(?:style-\w+\.css|:token)$/,
  /^\/(?:favicon\.(?:svg|ico)|robots\.txt)$/,
  /^\/\.well-known\/(?:api-catalog|security\.txt)$/,
  /^\/mock\/checkout\/:invoice_id$/,
  /^\/\.well-known\/oauth-(?:protected-resource(?:\/mcp)?|authorization-server)$/,
  /^\/oauth\/(?:token|register)$/,
  // The public keys of the log, for a backup that is brought back: test/e2e/restore-after-rotation.test.ts.
  /^\/audit\/key-chain$/,
  // With a token of its own, while a restore is under way: restore.test.ts.
  /^\/v1\/restore$/,
  // Behind a passkey: test/security/oauth.
  /^\/authorize$/,
  /^\/owner(?:\/.*)?$/,
  // Behind a passkey, the owner's or that of an approver: test/worker/approval.test.ts and approvers.test.ts.
  /^\/approve\/:operation_id$/,
  // Signed by a provider: test/worker/notifications.test.ts.
  /^\/hooks\/\w+$/,
  // Acts on a mock: test/e2e/mock-acts.test.ts.
  /^\/v1\/admin\/mock-acts$/,
]

/** What no document shows and still needs a credential. */
const MOCK_ACTS: Row = {
  method: 'POST',
  path: '/v1/admin/mock-acts',
  scope: 'admin',
  scopes: ['admin'],
}

interface Row {
  method: string
  path: string
  /** Undefined where any good credential will do. */
  scope: Scope | undefined
  /** The scopes each of which is enough, that one first. */
  scopes: Scope[]
}

const { openApi } = await servedDocuments({ PUBLIC_URL: 'https://connector.practice.example' })
const { routes } = await servedApp()

const DOCUMENTED = Object.entries(openApi.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { security }]) => ({
    method: method.toUpperCase(),
    template: path,
    path: path.replaceAll(/\{\w+\}/g, 'x'),
    scope: security[0]?.['bearer']?.[0] as Scope | undefined,
    scopes: security.flatMap((one) => (one['bearer'] ?? []) as Scope[]),
    isPublic: security.length === 0,
  })),
)
/** Every route that needs a credential, with the scope it needs: as documented, and so a new one is tried too. */
const ROUTES: Row[] = DOCUMENTED.filter(({ isPublic, path }) => !isPublic && path !== '/mcp')
const SCOPE_NAMES = Object.keys(SCOPES) as Scope[]

interface Keys {
  /** A key with this scope and no other, and one with all but this (and admin, which opens what an auditor reads). */
  only: Record<Scope, string>
  allBut: Record<Scope, string>
  revoked: string
  expired: string
  rotated: string
}

let keys: Keys
beforeAll(async () => {
  const entries = async (scopesOf: (scope: Scope) => string[]) => {
    const made = SCOPE_NAMES.map(
      async (scope) => [scope, (await newKeyFor(scopesOf(scope))).key] as const,
    )
    return Object.fromEntries(await Promise.all(made)) as Record<Scope, string>
  }
  const revoked = await newKeyFor(SCOPE_NAMES)
  await owner(`/v1/keys/${revoked.id}`, { method: 'DELETE' })
  const rotated = await newKeyFor(SCOPE_NAMES)
  await owner(`/v1/keys/${rotated.id}/rotate`, { body: { overlap_hours: 0 } })
  keys = {
    only: await entries((scope) => [scope]),
    allBut: await entries((scope) =>
      SCOPE_NAMES.filter(
        (other) => other !== scope && (scope !== 'audit:read' || other !== 'admin'),
      ),
    ),
    revoked: revoked.key,
    expired: await expiredKey(),
    rotated: rotated.key,
  }
})

/** No key can be made that has ended already, so this one is put where keys are kept. */
async function expiredKey(): Promise<string> {
  const key = newApiKey(randomBytes(32))
  const access = (await connector.durableObjects('ACCESS')).getByName('access') as unknown as {
    createKey(key: object, hash: string): Promise<void>
  }
  const now = Date.now()
  const ended = {
    id: randomUUID(),
    name: 'Ended',
    scopes: SCOPE_NAMES,
    created_by: 'owner',
    inTrial: false,
    created_at: now - 2000,
    expires_at: now - 1000,
  }
  await access.createKey(ended, await hashApiKey(key))
  const { text } = await owner('/v1/keys?limit=100')
  expect(text).toContain(ended.id)
  return key
}

/** What has the form of a key and opens nothing: no answer tells one of them from another. */
const LIKE_KEYS = [
  'no credential',
  'an unknown key',
  'an expired key',
  'a revoked key',
  'a key after its rotation',
  'a revoked key in X-API-Key',
]

/** Everything that is no good credential. */
const strangers = (): [kind: string, headers: Record<string, string>][] => [
  ['no credential', {}],
  ['garbage', as('garbage')],
  ['an unknown key', as(STRANGER)],
  ['an expired key', as(keys.expired)],
  ['a revoked key', as(keys.revoked)],
  ['a key after its rotation', as(keys.rotated)],
  ['another scheme', { Authorization: 'Basic eDp5' }],
  ['an empty bearer token', { Authorization: 'Bearer ' }],
  ['garbage in X-API-Key', { 'X-API-Key': 'garbage' }],
  ['a revoked key in X-API-Key', { 'X-API-Key': keys.revoked }],
  // A bad credential is not made good by another one beside it.
  ['garbage beside a good key', { ...as('garbage'), 'X-API-Key': keys.only.admin }],
]

/** One guard stands before all: each kind is tried where a caller is told who it is, and these at every other door. */
const AT_EVERY_DOOR = ['no credential', 'a revoked key', 'garbage beside a good key']
const strangersAt = (door: string) =>
  strangers().filter(([kind]) => door === '/v1/me' || AT_EVERY_DOOR.includes(kind))

describe('the table of routes', () => {
  test('is complete: every route is documented with its scope, or is on the list of undocumented routes', () => {
    const documented = DOCUMENTED.map(({ method, template }) => `${method} ${template}`)
    const served = routes
      // Middleware stands for every method, and answers nothing of its own.
      .filter(({ method }) => method !== 'ALL')
      .map(({ method, path: served }) => {
        // The names that an id cannot have are part of the route alone.
        const path = served.replace(/\{\(\?!.*\}$/, '')
        return { name: `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`, path }
      })
    const listed = (path: string) => UNDOCUMENTED.some((pattern) => pattern.test(path))
    const undocumented = served.filter(
      ({ name, path }) => !documented.includes(name) && !listed(path),
    )
    expect(undocumented).toEqual([])
    expect(documented.filter((name) => !served.some((route) => route.name === name))).toEqual([])
  })

  test('asks for a credential on everything under /v1, and for a scope of ours on all that is not the caller’s own', () => {
    const open = DOCUMENTED.filter(({ path, isPublic }) => path.startsWith('/v1') && isPublic)
    expect(open).toEqual([])
    const free = ROUTES.flatMap(({ method, path, scope }) =>
      scope === undefined ? [`${method} ${path}`] : [],
    )
    // Only the caller of a key can read what it has done; of events each caller sees, and is sent, what its scopes allow.
    expect(free.toSorted()).toEqual([
      'DELETE /v1/webhooks/x',
      'GET /v1/events',
      'GET /v1/events/samples',
      'GET /v1/me',
      'GET /v1/operations/x',
      'GET /v1/operations/x/receipt',
      'GET /v1/webhooks',
      'GET /v1/webhooks/x',
      'POST /v1/webhooks',
      'POST /v1/webhooks/x/resume',
      'POST /v1/webhooks/x/secret',
      'POST /v1/webhooks/x/test',
    ])
    for (const { scope } of ROUTES) if (scope !== undefined) expect(SCOPE_NAMES).toContain(scope)
    expect(ROUTES.length).toBeGreaterThan(OPERATIONS.length)
  })

  const OPEN = DOCUMENTED.filter(({ isPublic }) => isPublic)
  test.each(OPEN)('$method $path is open to all', async ({ path }) => {
    for (const [, headers] of strangersAt(path))
      expect([401, 403]).not.toContain((await connector.rest(path, { headers })).status)
  })
})

describe('a credential', () => {
  test.each([...ROUTES, MOCK_ACTS])(
    '$method $path opens with one of the scopes $scopes and nothing else',
    async ({ method, path, scope, scopes }) => {
      const request = (headers: Record<string, string>) =>
        connector.rest(path, { method, headers, ...(method === 'POST' ? { body: {} } : {}) })

      const refusals = []
      for (const [kind, headers] of strangersAt(path)) {
        const reply = await request(headers)
        expect([kind, reply.status]).toEqual([kind, 401])
        expect(reply.headers.get('WWW-Authenticate')).toMatch(/^Bearer /)
        expect(reply.body).toMatchObject({ code: 'unauthenticated', effect: 'none' })
        if (LIKE_KEYS.includes(kind)) refusals.push({ ...reply.body, request_id: '' })
      }
      expect(new Set(refusals.map((body) => JSON.stringify(body))).size).toBe(1)

      if (scope !== undefined) {
        const forbidden = await request(as(keys.allBut[scope]))
        expect(forbidden.status).toBe(403)
        expect(forbidden.body).toMatchObject({ code: 'insufficient_scope', required_scope: scope })
      }
      const right =
        scopes.length === 0 ? [keys.only['intake:write']] : scopes.map((one) => keys.only[one])
      for (const headers of right.flatMap((key) => [as(key), { 'X-API-Key': key }])) {
        expect([401, 403]).not.toContain((await request(headers)).status)
      }
    },
  )

  test.each(SEED.map(({ name, scope }) => ({ name, scope })))(
    'the tool $name opens with the scope $scope and nothing else',
    async ({ name, scope }) => {
      for (const era of ['2025-11-25', '2026-07-28'] as const) {
        const call = (credential: Record<string, string>) =>
          askMcp(connector.url, era, 'tools/call', { name, arguments: {} }, credential)
        for (const [kind, credential] of strangersAt(name)) {
          const reply = await call(credential)
          expect([era, kind, reply.status]).toEqual([era, kind, 401])
          expect(reply.headers.get('WWW-Authenticate')).toMatch(/^Bearer /)
        }
        const codeOf = async (key: string) => {
          const { message, status } = await call(as(key))
          expect(status).toBe(200)
          return (message.result as { structuredContent: { code?: string } }).structuredContent
        }
        const refusal = { code: 'insufficient_scope', required_scope: scope }
        expect(await codeOf(keys.allBut[scope])).toMatchObject(refusal)
        expect(['insufficient_scope', 'unauthenticated']).not.toContain(
          (await codeOf(keys.only[scope])).code,
        )
      }
    },
  )

  test('is shown once, has a checksum, and is kept as a hash only', async () => {
    const { key, id } = await newKeyFor(['availability:read'])
    expect(isApiKey(key)).toBe(true)
    expect(key).toMatch(/^ccn_/)
    const listed = await owner('/v1/keys?limit=100')
    expect(listed.text).toContain(id)
    expect(listed.text).not.toContain(key)
    expect(connector.logs.join('\n')).not.toContain(key)
  })

  test('is also accepted in X-API-Key, and identifies the caller', async () => {
    const { key, id } = await newKeyFor(['intake:write', 'clients:write'])
    const { text } = await me({ 'X-API-Key': key })
    expect(JSON.parse(text)).toEqual({
      caller: `key:${id}`,
      label: 'Front desk',
      scopes: ['clients:write', 'intake:write'],
      adapters: { scheduling: 'mock', payments: 'mock' },
      paused: false,
      rules: [],
      changes_left_today: null,
    })
  })

  test('stays the same caller when it is rotated, and the old secret ends after the overlap', async () => {
    const first = await newKeyFor(['clients:write'])
    const { preview, commit } = changeOf(connector.as(first.key), 'create_client_profile', ACME)
    await preview()
    const rotated = await rotate(first.id, { overlap_hours: 0 })
    expect((await commit('REST', connector.as(rotated.key))).body.status).toBe('committed')
    expect((await me(as(first.key))).status).toBe(401)

    const again = await rotate(first.id)
    expect((await me(as(rotated.key))).status).toBe(200)
    expect((await me(as(again.key))).status).toBe(200)
  })

  test('that has ended is not rotated: its new secret would be good for nothing', async () => {
    const ended = Object.values(await listed()).find(({ name }) => name === 'Ended')
    expect((await owner(`/v1/keys/${ended?.id}/rotate`, { body: {} })).status).toBe(404)
  })

  test('cannot tell a key or token of another caller from one that does not exist', async () => {
    const [one, other] = [await newKeyFor(['clients:write']), await newKeyFor(['clients:write'])]
    const [ours, stranger] = [connector.as(one.key), connector.as(other.key)]
    const change = changeOf(ours, 'create_client_profile', ACME)
    const { confirmation_token } = (await change.preview()).body
    const stolen = await change.commit('REST', stranger)
    const unknown = changeOf(stranger, 'create_client_profile', ACME)
    const invented = await unknown.commitWith({ confirmation_token })
    expect(stolen.body.code).toBe('preview_required')
    expect({ ...stolen.body, request_id: '' }).toEqual({ ...invented.body, request_id: '' })
    const theirs = await change.preview('REST', stranger)
    expect(theirs.body.status).toBe('preview')
    expect(theirs.body.confirmation_token).not.toBe(confirmation_token)
  })

  test('that is the first key of the owner is listed the seven', async () => {
    const { message } = await askMcp(connector.url, '2026-07-28', 'tools/list', {}, as(OWNER_KEY))
    const { tools } = message.result as { tools: { name: string }[] }
    expect(tools.map(({ name }) => name)).toEqual(SEED.map(({ name }) => name))
  })

  test('can make and rotate no key with more rights than its own', async () => {
    const { key: clerk } = await newKeyFor(['admin', 'availability:read'])
    const ask = (path: string, body: object) => connector.rest(path, { headers: as(clerk), body })
    const beyond = {
      status: 403,
      body: { code: 'insufficient_scope', required_scope: 'payments:write' },
    }
    const made = await ask('/v1/keys', {
      name: 'x',
      scopes: ['availability:read', 'payments:write'],
    })
    expect(made).toMatchObject(beyond)
    expect(made.body.next_step).toMatch(/^Leave that scope out/)
    expect(
      (await ask('/v1/keys', { name: 'x', scopes: ['availability:read', 'admin'] })).status,
    ).toBe(200)

    const { id, key } = await newKeyFor(['payments:write'])
    expect(await ask(`/v1/keys/${id}/rotate`, {})).toMatchObject(beyond)
    expect((await connector.rest('/v1/me', { headers: as(key) })).status).toBe(200)
  })

  test('that ends makes and rotates no key that is good for longer', async () => {
    const { id, key } = await newKeyFor(['admin', 'availability:read'], { expires_in_days: 2 })
    const ask = (path: string, body: object) => connector.rest(path, { headers: as(key), body })
    const make = (more: object) =>
      ask('/v1/keys', { name: 'x', scopes: ['availability:read'], ...more })
    const { expires_at: end } = (await listed())[id]!
    for (const days of [2, 3, 3650])
      expect(await make({ expires_in_days: days })).toMatchObject({
        status: 403,
        body: { code: 'insufficient_scope', detail: expect.stringContaining(end!) as string },
      })
    expect((await make({ expires_in_days: 1 })).status).toBe(200)
    const made = await make({})
    expect(made).toMatchObject({ status: 200, body: { expires_at: end } })

    const lasting = await newKeyFor(['availability:read'])
    expect((await ask(`/v1/keys/${lasting.id}/rotate`, {})).status).toBe(403)
    expect((await me(as(lasting.key))).status).toBe(200)
    expect((await ask(`/v1/keys/${(made.body as unknown as Key).id}/rotate`, {})).status).toBe(200)
    expect(await ask(`/v1/keys/${id}/rotate`, {})).toMatchObject({
      status: 200,
      body: { expires_at: end },
    })
  })

  test('whose secret was replaced makes no key that outlives that secret, and no other secret', async () => {
    const { id, key } = await newKeyFor(['admin', 'availability:read'])
    const fresh = (await rotate(id, { overlap_hours: 1 })).key
    const make = async (secret: string, path: string, body: object) =>
      connector.as(secret).rest(path, { body })
    const made = await make(key, '/v1/keys', { name: 'x', scopes: ['availability:read'] })
    const { expires_at } = made.body as unknown as { expires_at: string }
    expect(Date.parse(expires_at)).toBeLessThanOrEqual(Date.now() + HOUR)
    expect((await make(key, `/v1/keys/${id}/rotate`, { overlap_hours: 0 })).status).toBe(403)
    expect((await me(as(fresh))).status).toBe(200)
    expect((await make(fresh, `/v1/keys/${id}/rotate`, {})).status).toBe(200)
  })

  test('that was revoked elsewhere makes no key, though it is still believed here', async () => {
    const { id, key } = await newKeyFor(['admin'])
    expect((await me(as(key))).status).toBe(200)
    const access = (await connector.durableObjects('ACCESS')).getByName('access') as unknown as {
      revokeKey(id: string): Promise<boolean>
    }
    await access.revokeKey(id)
    expect((await me(as(key))).status).toBe(200)
    const made = await connector
      .as(key)
      .rest('/v1/keys', { body: { name: 'x', scopes: ['admin'] } })
    expect(made).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
  })

  test('is listed with who made it', async () => {
    const maker = await newKeyFor(['admin'])
    const body = { name: 'x', scopes: ['admin'] }
    const made = await connector.rest('/v1/keys', { headers: as(maker.key), body })
    const all = await listed()
    expect(all[(made.body as unknown as Key).id]?.created_by).toBe(`key:${maker.id}`)
    expect(all[maker.id]?.created_by).toBe('owner')
  })

  test('that is missing is answered with where to find those that exist', async () => {
    for (const [path, request] of [
      ['/v1/keys/nobody/rotate', { body: {} }],
      ['/v1/keys/nobody', { method: 'DELETE' }],
    ] as const) {
      const { status, body } = await owner(path, request)
      expect([status, body.next_step]).toEqual([404, expect.stringContaining('GET /v1/keys')])
    }
  })

  test('is not made with a scope that does not exist, or without a name', async () => {
    const unknown = await owner('/v1/keys', { body: { name: 'x', scopes: ['everything'] } })
    expect(unknown.body).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '/scopes/0' }],
    })
    const nameless = await owner('/v1/keys', { body: { name: '', scopes: ['admin'] } })
    expect(nameless.body).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '/name' }],
    })
  })

  test('that is wrong is never taken for an anonymous caller', async () => {
    expect((await trial.rest('/v1/me', { headers: as(STRANGER) })).status).toBe(401)
    expect((await trial.rest('/v1/me')).status).toBe(200)
  })
})

describe('an API key', () => {
  test('with one character changed is rejected without a lookup', () => {
    const key = newApiKey(randomBytes(32))
    expect(isApiKey(key)).toBe(true)
    for (let at = 4; at < key.length; at++) {
      const other = key[at] === 'a' ? 'b' : 'a'
      expect(isApiKey(key.slice(0, at) + other + key.slice(at + 1))).toBe(false)
    }
  })
})
