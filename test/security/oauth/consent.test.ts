import { describe, expect, test } from 'vitest'

import { practiceForAll, practiceForTest, sharedPractice } from '../../support/started.ts'
import { app } from './app.ts'

const OAUTH_PATHS = [
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/mcp',
  '/.well-known/oauth-authorization-server',
  '/authorize',
  '/owner',
  '/owner/enrol',
]

const callMcp = (url: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: '{}',
  })

describe('while no owner is enrolled or invited', () => {
  const practice = practiceForAll({ enrolment: false })

  test.each(OAUTH_PATHS)('%s does not exist', async (path) => {
    expect((await fetch(practice.url + path)).status).toBe(404)
  })

  test('no one can register, and the challenge names no OAuth server', async () => {
    expect((await app(practice.url).register()).status).toBe(404)
    const { status, headers } = await callMcp(practice.url)
    expect(status).toBe(401)
    expect(headers.get('WWW-Authenticate')).toBe('Bearer realm="consult-connector"')
  })
})

describe('with an open enrolment link', () => {
  const practice = practiceForAll()

  test.each(['', '/mcp'])(
    'the resource metadata%s names the endpoint, its server and its scopes',
    async (path) => {
      const response = await fetch(`${practice.url}/.well-known/oauth-protected-resource${path}`)
      expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*')
      expect(await response.json()).toEqual({
        resource: `${practice.url}/mcp`,
        authorization_servers: [practice.url],
        scopes_supported: [
          'availability:read',
          'bookings:read',
          'bookings:write',
          'clients:read',
          'clients:write',
          'intake:write',
          'payments:read',
          'payments:write',
        ],
        bearer_methods_supported: ['header'],
        resource_name: 'Consult connector of Harbor Tax & Books',
      })
    },
  )

  test('the server metadata has what hosts look for', async () => {
    const response = await fetch(`${practice.url}/.well-known/oauth-authorization-server`)
    // The library answers here; what every answer tells a browser is added to its own headers.
    expect(response.headers.get('X-Frame-Options')).toBe('DENY')
    expect(response.headers.get('Content-Security-Policy')).toMatch(/default-src 'none'/)
    expect(await response.json()).toMatchObject({
      issuer: practice.url,
      authorization_endpoint: `${practice.url}/authorize`,
      token_endpoint: `${practice.url}/oauth/token`,
      registration_endpoint: `${practice.url}/oauth/register`,
      revocation_endpoint: `${practice.url}/oauth/token`,
      code_challenge_methods_supported: ['S256'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      token_endpoint_auth_methods_supported: expect.arrayContaining(['none']),
    })
  })

  test('every call of the endpoint without a credential gets the challenge', async () => {
    const { status, headers } = await callMcp(practice.url)
    expect(status).toBe(401)
    expect(headers.get('WWW-Authenticate')).toBe(
      `Bearer resource_metadata="${practice.url}/.well-known/oauth-protected-resource/mcp", ` +
        'scope="availability:read bookings:read bookings:write clients:read clients:write intake:write payments:read payments:write"',
    )
  })

  test('GET of the endpoint stays a 405', async () => {
    const response = await fetch(`${practice.url}/mcp`)
    expect(response.status).toBe(405)
    expect(response.headers.get('Allow')).toBe('POST')
  })

  test('an address may register a limited number of apps an hour, and then waits', async () => {
    const busy = app(practice.url, '203.0.113.1')
    const first = await Promise.all(Array.from({ length: 20 }, () => busy.register()))
    expect(first.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201))
    const late = await busy.register()
    expect(late.status).toBe(429)
    expect(late.headers.get('Content-Type')).toBe('application/problem+json')
    const wait = late.headers.get('Retry-After')
    expect(Number(wait)).toBeGreaterThan(3000)
    expect(late.headers.get('RateLimit-Policy')).toBe('"register";q=20;w=3600')
    expect(late.headers.get('RateLimit')).toBe(`"register";r=0;t=${wait}`)
    expect((await app(practice.url, '203.0.113.2').register()).status).toBe(201)
  })

  test(
    'an address may cause a limited number of document fetches in ten minutes, and then waits',
    { tags: 'slow' },
    async () => {
      const named = encodeURIComponent('https://app.invalid/client.json')
      const pinned = encodeURIComponent('https://claude.ai/oauth/mcp-oauth-client-metadata')
      const headers = { 'CF-Connecting-IP': '203.0.113.5' }
      const ask = (client: string) =>
        fetch(`${practice.url}/authorize?client_id=${client}`, { headers })
      const first = await Promise.all(Array.from({ length: 60 }, () => ask(named)))
      expect(new Set(first.map(({ status }) => status))).toEqual(new Set([400]))
      const late = await ask(named)
      expect(late.status).toBe(429)
      expect(late.headers.get('RateLimit-Policy')).toBe('"document";q=60;w=600')
      const body = new URLSearchParams({
        grant_type: 'refresh_token',
        client_id: 'https://app.invalid/client.json',
      })
      expect(
        (await fetch(`${practice.url}/oauth/token`, { method: 'POST', headers, body })).status,
      ).toBe(429)
      expect((await ask(pinned)).status).toBe(400)
    },
  )

  test('addresses of one IPv6 network count as one, however they are written', async () => {
    const register = (address: string) => app(practice.url, address).register()
    for (let n = 1; n <= 20; n++)
      expect((await register(`2001:db8::${n.toString(16)}`)).status).toBe(201)
    expect((await register('2001:0db8:0:0:9:9:9:9')).status).toBe(429)
    expect((await register('2001:db8:0:1::1')).status).toBe(201)
  })

  test("no one is redirected to a stranger's address without a sign-in", async () => {
    const one = app(practice.url)
    const landing = 'https://evil.example/landing'
    const clientId = await one.registered({ redirect_uris: [landing] })
    for (const change of [
      { response_type: 'none' },
      { code_challenge: '' },
      { resource: 'https://else.example/' },
    ]) {
      const path = one.authorizePath(clientId, { redirect_uri: landing, ...change })
      const answer = await fetch(practice.url + path, { redirect: 'manual' })
      expect(answer.status).toBe(400)
      expect(answer.headers.get('Location')).toBeNull()
      const text = await answer.text()
      expect(text).toContain('This app cannot be connected')
      expect(text).toContain('go back to evil.example')
      expect(text).not.toContain('http-equiv="refresh"')
    }
    const path = one.authorizePath('https://claude.ai/oauth/mcp-oauth-client-metadata', {
      redirect_uri: 'https://claude.ai/api/mcp/auth_callback',
      response_type: 'none',
    })
    expect((await fetch(practice.url + path, { redirect: 'manual' })).status).toBe(302)
  })

  test.each([
    'Claude (Desktop)',
    '<b>bold</b> "quoted" & co',
    '名前のアプリ',
    '💼'.repeat(200),
    '‮txet desrever',
    '',
  ])('an app may call itself %j', async (client_name) => {
    expect((await app(practice.url).register({ client_name })).status).toBe(201)
  })

  test('a registration that is not JSON, or too large, is refused', async () => {
    const post = (body: string) =>
      fetch(`${practice.url}/oauth/register`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'CF-Connecting-IP': '203.0.113.3' },
        body,
      })
    expect((await post('{')).status).toBe(400)
    for (const length of [4_100, 40_000])
      expect((await post(JSON.stringify({ client_name: 'x'.repeat(length) }))).status).toBe(413)
  })
})

describe('registrations of apps', () => {
  const practice = sharedPractice()

  test('live for an hour until the first token, and then for 180 days', async () => {
    const { web } = practice
    const one = app(practice.url)
    const clientId = await one.registered()
    const kv = await practice.kv('OAUTH_KV')
    const livesFor = async (): Promise<number> => {
      const { keys } = await kv.list({ prefix: `client:${clientId}` })
      return (keys[0]?.expiration ?? 0) - Date.now() / 1000
    }
    expect(await livesFor()).toBeLessThanOrEqual(3600)
    // Anybody may ask to end a token that never was.
    expect(await one.revoke(clientId, 'made-up')).toBe(200)
    expect(await livesFor()).toBeLessThanOrEqual(3600)
    const { back } = await one.askOwner(web, clientId)
    expect((await one.redeem(clientId, back.searchParams.get('code') ?? '')).status).toBe(200)
    expect(await livesFor()).toBeGreaterThan(179 * 86_400)
  })

  test('are limited per day over all addresses', { tags: 'slow' }, async () => {
    const practice = await practiceForTest()
    const statuses: number[] = []
    for (let n = 0; n < 25; n++) {
      const more = Array.from({ length: 10 }, (_, host) =>
        app(practice.url, `100.64.${n}.${host}`)
          .register()
          .then(({ status }) => status),
      )
      statuses.push(...(await Promise.all(more)))
    }
    const welcome = statuses.filter((status) => status === 201)
    expect(welcome.length).toBe(200)
    expect(new Set(statuses)).toEqual(new Set([201, 429]))
    const { headers } = await app(practice.url).register()
    expect(headers.get('RateLimit-Policy')).toBe('"registrations";q=200;w=86400')
  })
})
