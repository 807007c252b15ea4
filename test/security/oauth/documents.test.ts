import { createSign, generateKeyPairSync, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'

import { beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest'

import type { Browser } from '../../support/browser.ts'
import { sharedPractice, startedForAll } from '../../support/started.ts'
import { app } from './app.ts'
import { documentOf, startSite } from './document-sites.ts'

const practice = sharedPractice()
const site = startedForAll(async () => {
  const { key, cert } = inject('ownCertificate')
  return startSite({ key: await readFile(key), cert: await readFile(cert) })
})
const plain = startedForAll(() => startSite())
let web: Browser
beforeAll(() => {
  web = practice.web
})
let paths = 0
const newPath = (): string => `/app-${(paths += 1)}.json`

beforeEach(() => {
  site.hits.length = 0
  plain.hits.length = 0
})

/** Where the apps of these tests want the owner back. */
const back = (): string => `${site.origin}/callback`
const open = (clientId: string, change: Record<string, string> = {}) =>
  web.open(app(practice.url).authorizePath(clientId, { redirect_uri: back(), ...change }))
const voucher = (html: string): string =>
  /<dt>Publisher<\/dt>\s*<dd>(.*?)<\/dd>/s.exec(html)?.[1]?.trim() ?? 'no such row'

describe('an app that describes itself at an address', () => {
  test('is allowed, gets tokens, and its document is fetched once for the whole login', async () => {
    const clientId = site.put(newPath(), { body: documentOf() })
    const one = app(practice.url)
    const change = { redirect_uri: back() }
    const { asked, back: returned } = await one.askOwner(web, clientId, { change })
    expect(asked.html).toContain(`<dd>${clientId}</dd>`)
    expect(voucher(asked.html)).toBe('localhost')
    expect(asked.html).not.toContain('This app is not verified')
    const code = returned.searchParams.get('code') ?? ''
    const { status, body } = await one.redeem(clientId, code, change)
    expect(status).toBe(200)
    expect((await one.refresh(clientId, body.refresh_token)).status).toBe(200)
    expect(site.hits).toHaveLength(1)
  })

  test.each(['application/json; charset=utf-8', 'application/vnd.app+json'])(
    'may say it is %s',
    async (type) => {
      const clientId = site.put(newPath(), {
        headers: { 'Content-Type': type },
        body: documentOf(),
      })
      expect((await open(clientId)).status).toBe(200)
    },
  )

  test('that sends the owner to another host is not vouched for, and the page says so', async () => {
    const elsewhere = 'https://evil.example/callback'
    const clientId = site.put(newPath(), { body: documentOf({ redirect_uris: [elsewhere] }) })
    const { html, status } = await open(clientId, { redirect_uri: elsewhere })
    expect(status).toBe(200)
    expect(voucher(html)).toBe('not verified')
    expect(html).toMatch(/class="notice">\s*This app is not verified/)
    expect(html).toContain(`<dd>${clientId}</dd>`)
  })

  test('on this computer is not vouched for either', async () => {
    const loopback = 'http://127.0.0.1:4711/callback'
    const clientId = site.put(newPath(), { body: documentOf({ redirect_uris: [loopback] }) })
    const { html } = await open(clientId, { redirect_uri: loopback })
    expect(voucher(html)).toBe('not verified')
    expect(html).toContain('a program on this computer')
  })
})

describe('a client document is not accepted', () => {
  test.each([301, 302, 303, 307, 308])('from a redirect with %i', async (status) => {
    for (const other of [site, plain]) {
      const path = newPath()
      const trusted = `${site.origin}${path}`
      const headers = {
        Location: other.put(`/evil${path}`, { body: documentOf({ client_id: trusted }) }),
      }
      site.put(path, { status, headers })
      expect((await open(trusted)).status).toBe(400)
      expect(other.hits).not.toContain(`/evil${path}`)
    }
  })

  test.each([201, 203, 206, 404, 500])('with status %i', async (status) => {
    expect((await open(site.put(newPath(), { status, body: documentOf() }))).status).toBe(400)
  })

  test.each([
    'text/html',
    'text/plain',
    'image/png',
    'application/octet-stream',
    'application/jsonp',
    '',
  ])('of type %j', async (type) => {
    const headers = { 'Content-Type': type }
    expect((await open(site.put(newPath(), { headers, body: documentOf() }))).status).toBe(400)
  })

  test('that is too long, or too slow to be short', async () => {
    const body = documentOf({ padding: 'x'.repeat(6000) })
    expect((await open(site.put(newPath(), { body }))).status).toBe(400)
    const headers = { 'Transfer-Encoding': 'chunked' }
    expect((await open(site.put(newPath(), { headers, body }))).status).toBe(400)
  })

  test.each([
    ['another client id', { client_id: 'https://localhost/other.json' }],
    ['a secret', { client_secret: 'x' }],
    ['the end of a secret', { client_secret_expires_at: 0 }],
    ['proof by a secret', { token_endpoint_auth_method: 'client_secret_post' }],
    ['a private key', { jwks: { keys: [{ kty: 'EC', d: 'x' }] } }],
    ['no name', { client_name: ' ' }],
    ['no address to return to', { redirect_uris: [] }],
    ['addresses that are none', { redirect_uris: [5] }],
    ['another grant', { grant_types: ['client_credentials'] }],
  ])('with %s', async (_, change) => {
    expect((await open(site.put(newPath(), { body: documentOf(change) }))).status).toBe(400)
  })

  test('with an address that runs, which it wants to be sent back to', async () => {
    const redirect_uri = 'javascript:alert(1)'
    const redirect_uris = [back(), redirect_uri]
    const clientId = site.put(newPath(), { body: documentOf({ redirect_uris }) })
    expect((await open(clientId, { redirect_uri })).status).toBe(400)
  })

  test.each([
    ['capitals in its scheme', (origin: string) => `HTTPS${origin.slice(5)}/a.json`],
    [
      'capitals in its host',
      (origin: string) => `${origin.replace('localhost', 'LocalHost')}/a.json`,
    ],
    ['a blank before it', (origin: string) => ` ${origin}/a.json`],
    ['a dot segment', (origin: string) => `${origin}/b/../a.json`],
    ['an encoded dot segment', (origin: string) => `${origin}/b/%2e%2e/a.json`],
    ['a fragment', (origin: string) => `${origin}/a.json#x`],
    ['an empty fragment', (origin: string) => `${origin}/a.json#`],
    ['a user', (origin: string) => `${origin.replace('//', '//user@')}/a.json`],
    ['no path', (origin: string) => origin],
    ['nothing in its path', (origin: string) => `${origin}/`],
    ['backslashes', (origin: string) => `${origin.replaceAll('/', '\\')}\\a.json`],
    ['a tab within', (origin: string) => `${origin}/a.js\ton`],
    ['plain http', () => `${plain.origin}/a.json`],
  ])('at an address with %s, which is never requested', async (_, spelled) => {
    const clientId = spelled(site.origin)
    const body = documentOf({ client_id: clientId, redirect_uris: [back()] })
    for (const each of [site, plain]) for (const path of ['/a.json', '/']) each.put(path, { body })
    expect((await open(clientId)).status).toBe(400)
    const one = app(practice.url)
    expect((await one.refresh(clientId, 'x')).body.error).toBe('invalid_client')
    expect([...site.hits, ...plain.hits]).toEqual([])
  })
})

describe('a fetch for a stranger', () => {
  const basic = (id: string) => `Basic ${btoa(`${encodeURIComponent(id)}:x`)}`
  const unsigned = (claims: object) =>
    ['{"alg":"ES256"}', JSON.stringify(claims), 'x']
      .map((part) => Buffer.from(part).toString('base64url'))
      .join('.')
  const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
  const ways: [string, (id: string) => { path: string; init?: RequestInit }][] = [
    ['the page of consent', (id) => ({ path: `/authorize?client_id=${encodeURIComponent(id)}` })],
    ['a form', (id) => ({ path: '/oauth/token', init: form({ client_id: id }) })],
    ['Basic', (id) => ({ path: '/oauth/token', init: form({}, { Authorization: basic(id) }) })],
    [
      'an assertion alone',
      (id) => ({
        path: '/oauth/token',
        init: form({
          client_assertion: unsigned({ iss: id, sub: id }),
          client_assertion_type: type,
        }),
      }),
    ],
  ]
  const form = (fields: Record<string, string>, headers: Record<string, string> = {}) => ({
    method: 'POST',
    headers,
    body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x', ...fields }),
  })

  test.each(ways)('is counted when it is caused by %s', { tags: 'slow' }, async (_, asked) => {
    const address = `203.0.113.${(paths += 1) % 250}`
    const statuses: number[] = []
    for (let n = 0; n < 62; n++) {
      const { path, init } = asked(`${site.origin}/not-there-${n}.json`)
      const headers = new Headers(init?.headers)
      headers.set('CF-Connecting-IP', address)
      statuses.push(
        (await fetch(practice.url + path, { ...init, headers, redirect: 'manual' })).status,
      )
    }
    expect(statuses.filter((status) => status === 429)).toHaveLength(2)
    expect(site.hits).toHaveLength(60)
  })
})

describe('an app that signs its token requests', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'ES256', use: 'sig' }
  const signed = (clientId: string, change: object = {}): Record<string, string> => {
    const now = Math.floor(Date.now() / 1000)
    const claims = {
      iss: clientId,
      sub: clientId,
      aud: practice.url,
      exp: now + 60,
      jti: randomUUID(),
      ...change,
    }
    const parts = [{ alg: 'ES256', kid: 'one', typ: 'JWT' }, claims]
    const text = parts
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.')
    const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const
    return {
      client_assertion: `${text}.${createSign('sha256').update(text).sign(key).toString('base64url')}`,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    }
  }
  const signs = { token_endpoint_auth_method: 'private_key_jwt' }

  test.each([
    ['in its document', () => ({ jwks: { keys: [jwk] } })],
    [
      'beside it',
      () => ({ jwks_uri: site.put('/keys.json', { body: JSON.stringify({ keys: [jwk] }) }) }),
    ],
  ])('gets tokens by the keys %s, and none without them', async (_, keys) => {
    const clientId = site.put(newPath(), { body: documentOf({ ...signs, ...keys() }) })
    const one = app(practice.url)
    const change = { redirect_uri: back() }
    const { back: returned } = await one.askOwner(web, clientId, { change })
    const code = returned.searchParams.get('code') ?? ''
    expect((await one.redeem(clientId, code, change)).body.error).toBe('invalid_client')
    const other = signed('https://localhost/other.json')
    expect((await one.redeem(clientId, code, { ...change, ...other })).body.error).toBe(
      'invalid_client',
    )
    const proof = signed(clientId)
    expect((await one.redeem(clientId, code, { ...change, ...proof })).status).toBe(200)
    expect((await one.redeem(clientId, code, { ...change, ...proof })).body.error).toBe(
      'invalid_client',
    )
    expect(site.hits.filter((path) => path.startsWith('/app'))).toHaveLength(1)
  })

  test('never has its keys fetched through a redirect', async () => {
    const keys = plain.put('/moved-keys.json', { body: JSON.stringify({ keys: [jwk] }) })
    const jwks_uri = site.put('/led-on.json', { status: 302, headers: { Location: keys } })
    const clientId = site.put(newPath(), { body: documentOf({ ...signs, jwks_uri }) })
    const one = app(practice.url)
    const { status } = await one.token({
      grant_type: 'refresh_token',
      refresh_token: 'x',
      ...signed(clientId),
    })
    expect(status).toBe(401)
    expect(plain.hits).toEqual([])
  })
})

describe('the log of OAuth requests', () => {
  const FORMS = [
    /^\{"request_id":"[0-9a-f-]{36}"(?:,"operation":"[a-z_]+")?,"code":"[a-z_]+","status":\d{3},"duration_ms":\d+(?:,"caller":"[\w:.-]+")?(?:,"mode":"[a-z]+")?\}$/,
    /^\{"event":"[a-z_]+",[^{}]*\}$/,
    // workerd's own word for a connection that it did not get; it names no one.
    /^uncaught exception; source = Uncaught \(in promise\); stack = Error: (?:internal error; reference = [a-z0-9]+|Network connection lost\.)$/,
  ]
  const HOSTILE = [
    'https://x.invalid/u?email=jane.canary@example.com',
    'https://x.invalid/\n{"event":"needs_attention","operation":"forged"}',
    'https://x.invalid/%0A{"event":"forged"}',
    'https://x.invalid:1/jane.canary',
    'HTTPS://JANE.CANARY.invalid/a',
    'http://jane.canary.invalid/a',
    'https://[::1]/jane.canary',
    'jane.canary\r\n{"event":"forged"}',
    'x'.repeat(3000) + 'jane.canary',
    'javascript:jane.canary',
    '../../jane.canary',
    'client:jane.canary',
    '\u0000jane.canary',
    '\ud800jane.canary',
  ]

  test('has one line of a known form for each request, whatever a stranger calls an app', async () => {
    const before = practice.logs.length
    const named = JSON.stringify({ client_id: 'jane.canary\n{"event":"forged"}' })
    const ids = [...HOSTILE, site.put(newPath(), { body: named })]
    const one = app(practice.url)
    for (const id of ids) {
      await fetch(practice.url + one.authorizePath(id), { redirect: 'manual' })
      await one.refresh(id, 'x')
      const Authorization = `Basic ${btoa(`${encodeURIComponent(id.toWellFormed())}:x`)}`
      const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x' })
      await fetch(`${practice.url}/oauth/token`, {
        method: 'POST',
        headers: { Authorization },
        body,
      })
    }
    await vi.waitFor(() =>
      expect(practice.logs.length).toBeGreaterThanOrEqual(before + 3 * ids.length),
    )
    const lines = practice.logs.slice(before).filter((line) => line !== '')
    expect(lines.filter((line) => !FORMS.some((form) => form.test(line)))).toEqual([])
    expect(lines.join('\n')).not.toMatch(/canary|forged|invalid\b/i)
  })
})
