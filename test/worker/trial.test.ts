import { env } from 'cloudflare:workers'
import { describe, expect, test, vi } from 'vitest'

import { createApp } from '../../src/app/app.ts'
import { hashApiKey, newApiKey } from '../../src/core/crypto/api-key.ts'
import { sha256 } from '../../src/core/crypto/encoding.ts'
import { DAY, HOUR } from '../../src/core/domain/time/duration.ts'
import { newEnrolmentToken } from '../../src/owner/access/passkey-enrolment.ts'
import type { Env } from '../../src/practice/env.ts'
import { type Browser, browser } from '../support/browser.ts'
import { textOf } from '../unit/owner/console/text-of.ts'
import { emptyStorage } from './empty-storage.ts'
import { answered } from './fixtures.ts'
import { ORIGIN } from './owner-pages.ts'

/** A connector as `npm start` serves it, with the token of its trial link. */
async function trial(settings: Partial<Env> = {}, origin = ORIGIN) {
  await emptyStorage()
  const token = newEnrolmentToken(Date.now() + HOUR, crypto.getRandomValues(new Uint8Array(32)))
  const local = { ALLOW_ANONYMOUS: 'true', TRIAL_LINK_SHA256: await sha256(token) }
  const bindings: Env = { ...env, ...local, ...settings }
  const ask = (request: Request) => answered(request, bindings)
  return { token, ask, web: browser(origin, ask), bindings }
}

/** The names of the tools that a caller with this credential is listed. */
async function toolsOf(
  { ask }: Pick<Awaited<ReturnType<typeof trial>>, 'ask'>,
  headers: Record<string, string> = {},
  origin = ORIGIN,
): Promise<number | string[]> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
  const Accept = 'application/json, text/event-stream'
  const all = { 'Content-Type': 'application/json', Accept, ...headers }
  const reply = await ask(new Request(`${origin}/mcp`, { method: 'POST', body, headers: all }))
  if (reply.status !== 200) return reply.status
  const { result } = JSON.parse(await reply.text()) as { result: { tools: { name: string }[] } }
  return result.tools.map(({ name }) => name)
}

/** A client link that a caller with this credential makes. */
async function clientLink(
  ask: (request: Request) => Promise<Response>,
  credential: Record<string, string>,
): Promise<{ url: string }> {
  const headers = {
    'Content-Type': 'application/json',
    'Idempotency-Key': crypto.randomUUID(),
    ...credential,
  }
  const send = async <T>(more: object): Promise<T> => {
    const body = JSON.stringify({ ask: ['details'], ...more })
    const reply = await ask(
      new Request(`${ORIGIN}/v1/client-links`, { method: 'POST', headers, body }),
    )
    expect(reply.status).toBe(200)
    return (await reply.json()) as T
  }
  const { confirmation_token } = await send<{ confirmation_token: string }>({ confirm: false })
  return (await send<{ result: { url: string } }>({ confirm: true, confirmation_token })).result
}

describe('the key of a local trial', () => {
  const key = newApiKey(new Uint8Array(32).fill(7))
  const bearer = { Authorization: `Bearer ${key}` }
  const keyed = async (settings: Partial<Env> = {}, origin?: string) =>
    trial({ TRIAL_KEY_SHA256: await hashApiKey(key), ...settings } as Partial<Env>, origin)

  test('lists the reads and the client links beside the seven, for a caller of its own', async () => {
    const connector = await keyed()
    const seven = await toolsOf(connector)
    expect(seven).toHaveLength(7)
    const withReads = await toolsOf(connector, bearer)
    expect(withReads).toEqual(expect.arrayContaining(seven as string[]))
    expect(withReads).toContain('list_bookings')
    expect(withReads).toContain('invite_client')
    expect(withReads).not.toContain('end_payment_link')
    const me = (headers = {}) => connector.ask(new Request(`${ORIGIN}/v1/me`, { headers }))
    expect(await (await me(bearer)).json()).toMatchObject({ caller: 'trial' })
    expect(await (await me()).json()).toMatchObject({ caller: 'anonymous' })
  })

  test('makes a client link whose page opens, and stops with the trial', async () => {
    const { ask, bindings } = await keyed()
    const { url } = await clientLink(ask, bearer)
    const { pathname } = new URL(url)
    const opened = (own: Env) =>
      answered(new Request(new URL(pathname, ORIGIN)), own).then((page) => page.text())
    expect(await opened(bindings)).toContain('name="entity_type"')
    const ended = { ...bindings, ALLOW_ANONYMOUS: 'false' } as Env
    expect(await opened(ended)).not.toContain('entity_type')
  })

  test('stands in the console with what it may do and the day of its last use', async () => {
    // What was noted on a day is noted once in an isolate, so this test has a day of its own.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * DAY })
    const { ask, token, web } = await keyed()
    await open(web, token)
    const callers = async () => textOf((await web.open('/owner/callers')).html)
    expect(await callers()).toMatch(/Trial key see free times.*client links.* never Local programs/)
    expect(await callers()).not.toContain('Everything a key can do')
    await ask(new Request(`${ORIGIN}/v1/me`, { headers: bearer }))
    await expect.poll(callers).toMatch(/Trial key .* today Local programs .* never/)
    await ask(new Request(`${ORIGIN}/v1/me`))
    await expect.poll(callers).toMatch(/Trial key .* today Local programs .* today/)
    expect(textOf((await web.open('/owner/callers/trial')).html)).toContain(
      'The key that npm start prints',
    )
  })

  test.each<[string, Partial<Record<string, string>>, string?]>([
    ['a live calendar', { SCHEDULING_PROVIDER_TOKEN: 'live' }],
    ['a credential for every caller', { ALLOW_ANONYMOUS: 'false' }],
    ['a public address', {}, 'https://connector.example'],
  ])('opens nothing beside %s', async (_what, settings, origin) => {
    const connector = await keyed(settings as Partial<Env>, origin)
    expect(await toolsOf(connector, bearer, origin)).toBeTypeOf('number')
  })
})

const open = (web: Browser, token: string, headers = {}) =>
  web.submit('/owner/trial', [['token', token]], headers)

describe('the link of a local trial', () => {
  test('opens a session that says on every page that it is one, once, and not by being looked at', async () => {
    const { token, web, ask } = await trial()
    for (let n = 0; n < 3; n++) {
      const { status, html } = await web.open(`/owner/trial?token=${token}`)
      expect(status).toBe(200)
      expect(html).toContain('Open the console')
    }
    const opened = await open(web, token)
    expect(opened.headers.get('Location')).toBe('/owner')
    for (const page of ['', '/audit', '/callers', '/callers/anonymous', '/clients', '/settings']) {
      const { html } = await web.open(`/owner${page}`)
      expect(html).toContain('<strong>Trial.</strong>')
      expect(html).toContain('Pause all agents')
    }
    expect((await open(browser(ORIGIN, ask), token)).status).toBe(403)
  })

  test('is refused when it is guessed or has ended, and shows nothing that is no link', async () => {
    const { token, web } = await trial()
    expect((await open(web, `${token.slice(0, -3)}AAA`)).status).toBe(403)
    expect((await open(web, '')).status).toBe(403)
    expect((await web.open('/owner/trial?token=splintmoor%40example.com')).html).not.toContain(
      'splintmoor',
    )
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + HOUR })
    expect((await open(web, token)).status).toBe(403)
  })

  test.each<[string, Partial<Record<string, string>>]>([
    ['a live calendar', { SCHEDULING_PROVIDER_TOKEN: 'live' }],
    ['live payments', { PAYMENT_PROVIDER_SECRET_KEY: 'rk_live_1' }],
    [
      'a live calendar of a test',
      { SCHEDULING_PROVIDER_TOKEN: 'live', SCHEDULING_PROVIDER_BASE_URL: 'http://127.0.0.1:9' },
    ],
    ['callers that need a key', { ALLOW_ANONYMOUS: 'false' }],
  ])('is not there with %s, and a session that it opened before is none', async (_, settings) => {
    const { token, web } = await trial(settings as Partial<Env>)
    expect((await web.open(`/owner/trial?token=${token}`)).status).toBe(404)
    expect((await open(web, token)).status).toBe(404)

    const { bindings, web: before, token: good } = await trial()
    await open(before, good)
    // With an owner the console is there, and asks who it is.
    const owner = { OWNER_ENROLMENT_SHA256: 'f'.repeat(64) }
    const ask = (request: Request) => answered(request, { ...bindings, ...owner, ...settings })
    const later = browser(ORIGIN, ask)
    for (const [name, value] of before.cookies) later.cookies.set(name, value)
    expect((await later.open('/owner')).html).not.toContain('Pause all agents')
  })

  test('is good only on this machine: not under another host, nor for a page of another site', async () => {
    const published = await trial({ PUBLIC_URL: 'https://connector.example.com' } as Partial<Env>)
    expect((await open(published.web, published.token)).status).toBe(404)
    const { token, ask, web } = await trial()
    const abroad = browser('https://connector.example.com', ask)
    expect((await open(abroad, token)).status).toBe(403)
    expect((await open(web, token, { Origin: 'https://evil.example' })).status).toBe(404)
    expect((await open(web, token, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403)
    expect(
      (await open(web, token, { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' })).status,
    ).toBe(404)
    // As Chromium sends a form of a page without a referrer.
    expect((await open(web, token, { Origin: 'null' })).status).toBe(303)
  })
})

describe('a trial session', () => {
  const signedIn = async () => {
    const rig = await trial()
    await open(rig.web, rig.token)
    return rig
  }
  const post = async (web: Browser, path: string, fields: Record<string, string> = {}) =>
    web.submit(path, [
      ...(await web.open('/owner/settings')).form('/owner/sign-out'),
      ...Object.entries(fields),
    ])

  test('pauses, and neither resumes nor gives any other proof', async () => {
    const { web } = await signedIn()
    expect((await post(web, '/owner/pause', { caller: '*' })).status).toBe(303)
    const refused = await post(web, '/owner/resume', { caller: '*' })
    expect(refused.status).toBe(403)
    expect(refused.html).toContain('npm run pause -- --resume --url http://localhost:8787')
    expect((await web.open('/owner')).html).toContain('Paused since')
    const file = await post(web, '/owner/audit/export')
    expect(file.status).toBe(403)
    expect(file.headers.get('Content-Type')).toContain('text/html')
  })

  test('neither approves nor declines a change', async () => {
    const { web } = await signedIn()
    for (const decision of ['approve', 'decline']) {
      const { status, html } = await post(web, `/approve/${'a'.repeat(64)}`, { decision })
      expect(status).toBe(403)
      expect(html).toContain('Not in a trial')
    }
  })

  test('lets no app in: there is no OAuth without an owner', async () => {
    const { web } = await signedIn()
    expect((await web.open('/authorize?client_id=x')).status).toBe(404)
    expect((await web.open('/.well-known/oauth-protected-resource/mcp')).status).toBe(404)
  })
})

describe('the owner’s pages under `npm start`', () => {
  const ALLOWED = 'https://app.example.com'
  /** Every address of the connector, as a browser asks for it from an origin; the log says whose it is. */
  async function eachAddress(ask: (request: Request) => Promise<Response>, origin: string) {
    const found: { what: string; operation: string; response: Response }[] = []
    for (const { method, path } of createApp().routes) {
      if (path.includes('*')) continue
      const log = vi.spyOn(console, 'log').mockImplementation(() => {})
      const verb = method === 'ALL' ? 'POST' : method
      const headers = { Origin: origin, 'Sec-Fetch-Site': 'same-origin', Accept: 'text/html' }
      const url = new URL(path.replaceAll(/:\w+(?:\{[^}]*\})?/g, 'x'), ORIGIN)
      const response = await ask(new Request(url, { method: verb, headers }))
      const { operation = '' } = JSON.parse(String(log.mock.lastCall?.[0])) as {
        operation?: string
      }
      found.push({ what: `${verb} ${path}`, operation, response })
    }
    return found
  }
  const isOwners = ({ operation }: { operation: string }): boolean =>
    operation.startsWith('owner_') || ['oauth_authorize', 'oauth_consent'].includes(operation)

  test('are closed to other origins, also to an allowed one', async () => {
    const { ask } = await trial({ ALLOWED_ORIGINS: ALLOWED } as Partial<Env>)
    const found = await eachAddress(ask, ALLOWED)
    const opened = found.filter(({ response }) =>
      response.headers.has('Access-Control-Allow-Origin'),
    )
    expect(opened.filter(isOwners).map(({ what }) => what)).toEqual([])
    expect(opened.length).toBeGreaterThan(20)
    expect(found.filter(isOwners).length).toBeGreaterThan(30)
  })

  test('take forms as browsers send them from a page without a referrer, and refuse one on a page that can be read', async () => {
    const { ask, web, token } = await trial()
    const found = (await eachAddress(ask, 'null')).filter(isOwners)
    for (const { what, response } of found) {
      const text = await response.text()
      expect(text, what).not.toContain('Address not allowed')
      if (response.status >= 400)
        expect(response.headers.get('Content-Type'), what).toContain('text/html')
    }
    const form = {
      method: 'POST',
      headers: { Accept: 'text/html', 'Sec-Fetch-Site': 'same-origin' },
    }
    await open(web, token)
    const large = await web.send('/approve/x', { ...form, body: 'x'.repeat(40_000) })
    const elsewhere = await ask(new Request('http://rebound.example/approve/x', form))
    for (const [refused, status, said] of [
      [large, 413, 'Body too large'],
      [elsewhere, 403, 'Address not allowed'],
    ] as const) {
      expect(refused.status).toBe(status)
      expect(refused.headers.get('Content-Type')).toContain('text/html')
      const text = await refused.text()
      for (const words of [said, 'Nothing was changed.']) expect(text).toContain(words)
    }
  })

  test('lead from an address, where passkeys cannot work, to the same page under the name', async () => {
    const { ask } = await trial({ OWNER_ENROLMENT_SHA256: 'f'.repeat(64) } as Partial<Env>)
    const path = `/approve/${'a'.repeat(64)}`
    for (const place of ['http://127.0.0.1:8787', 'http://[::1]:8787']) {
      const text = await (await ask(new Request(`${place}${path}?from=canary`))).text()
      expect(text).toContain(`href="${ORIGIN}${path}"`)
      // What a caller sent is repeated by no page.
      expect(text).not.toContain('canary')
      const other = await (await ask(new Request(`${place}/owner/callers/canary`))).text()
      expect(other).toContain(`href="${ORIGIN}/owner"`)
    }
    expect(await (await ask(new Request(ORIGIN + path))).text()).not.toContain(
      'Passkeys do not work at this address',
    )
    const tunnel = {
      PUBLIC_URL: 'https://connector.example.com',
      OWNER_ENROLMENT_SHA256: 'f'.repeat(64),
    }
    const { ask: published } = await trial(tunnel as Partial<Env>)
    const text = await (await published(new Request(`http://127.0.0.1:8787${path}`))).text()
    expect(text).toContain(`href="https://connector.example.com${path}"`)
  })
})
