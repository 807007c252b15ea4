import { beforeAll, describe, expect, test, vi } from 'vitest'

import { KEY_SCOPES, SCOPES } from '../../../src/core/domain/scopes.ts'
import { type Browser, confirmed, returnAddress } from '../../support/browser.ts'
import { sharedPractice } from '../../support/started.ts'
import { CALLBACK, app, callTool, listAvailability } from './app.ts'

const APP_SCOPES = Object.keys(SCOPES).filter(
  (scope) => !(KEY_SCOPES as readonly string[]).includes(scope),
)

const practice = sharedPractice()
let web: Browser
beforeAll(() => {
  web = practice.web
})

/** The caller of a request, as the log tells it. */
const callerOf = ({ headers }: { headers: Headers }): Promise<string> =>
  vi.waitFor(() => {
    const line = practice.logs.find((one) => one.includes(String(headers.get('Request-Id'))))
    return (JSON.parse(line ?? '') as { caller: string }).caller
  })

const NEW_BOOKING = {
  start_time: '2099-01-05T15:00:00Z',
  invitee_email: 'ada@example.com',
  invitee_name: 'Ada Lovelace',
  timezone: 'America/New_York',
  idempotency_key: 'an-idempotency-key-0001',
}

describe('the authorization flow', () => {
  test('ends with tokens for the endpoint, the ticked scopes, and the issuer', async () => {
    const one = app(practice.url)
    const clientId = await one.registered()
    const { asked, back } = await one.askOwner(web, clientId)
    expect(asked.status).toBe(200)
    expect(back.origin + back.pathname).toBe(CALLBACK)
    expect(back.searchParams.get('state')).toBe('state-of-the-app')
    expect(back.searchParams.get('iss')).toBe(practice.url)
    const { status, body } = await one.redeem(clientId, back.searchParams.get('code') ?? '')
    expect(status).toBe(200)
    expect(body.scope.split(' ').toSorted()).toEqual(['availability:read', 'bookings:write'])
    expect(body).toMatchObject({ resource: `${practice.url}/mcp` })
    expect(body.expires_in).toBeGreaterThanOrEqual(3600)
    const answer = await listAvailability(practice.url, body.access_token)
    expect(answer.status).toBe(200)
    expect(answer.text).toContain('slots')
  })

  test.each([
    ['both times', '/', '/'],
    ['when it asks', '/', ''],
    ['when it redeems the code', '', '/'],
  ])(
    'ends with the same tokens for an app that was given /mcp/ and says so %s',
    async (_when, asking, redeeming) => {
      const one = app(practice.url)
      const clientId = await one.registered()
      const slashed = (end: string) => ({ resource: `${practice.url}/mcp${end}` })
      const { back } = await one.askOwner(web, clientId, { change: slashed(asking) })
      const code = back.searchParams.get('code') ?? ''
      const { status, body } = await one.redeem(clientId, code, slashed(redeeming))
      expect(status).toBe(200)
      expect(body).toMatchObject({ resource: `${practice.url}/mcp` })
      expect((await listAvailability(practice.url, body.access_token)).status).toBe(200)
      for (const metadata of ['protected-resource/mcp/', 'authorization-server/']) {
        const address = new URL(`/.well-known/oauth-${metadata}`, practice.url)
        expect((await fetch(address)).status, metadata).toBe(200)
      }
    },
  )

  test('returns a refusal as access_denied with the state and the issuer', async () => {
    const one = app(practice.url)
    const { back } = await one.askOwner(web, await one.registered(), { decision: 'deny' })
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'state-of-the-app',
      iss: practice.url,
    })
    expect(back.searchParams.has('code')).toBe(false)
  })

  test.each([
    ['another resource', { resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
    [
      'another resource with a slash',
      { resource: 'https://elsewhere.example/mcp/' },
      'invalid_target',
    ],
    ['PKCE with plain', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['no PKCE', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
    ['the implicit grant', { response_type: 'token' }, 'unsupported_response_type'],
  ])('returns %s to the app as an error, with the issuer', async (_, change, error) => {
    const one = app(practice.url)
    const answer = await web.send(one.authorizePath(await one.registered(), change))
    expect(answer.status).toBe(302)
    const back = new URL(answer.headers.get('Location') ?? '')
    expect(back.origin + back.pathname).toBe(CALLBACK)
    expect(back.searchParams.get('error')).toBe(error)
    expect(back.searchParams.get('iss')).toBe(practice.url)
  })

  test.each([
    ['PKCE', { code_challenge: '', code_challenge_method: '' }],
    ['the challenge', { code_challenge: '' }],
    ['the method', { code_challenge_method: '' }],
  ])('requires %s also from an app with a secret', async (_, change) => {
    const one = app(practice.url)
    const clientId = await one.registered({ token_endpoint_auth_method: 'client_secret_post' })
    const answer = await web.send(one.authorizePath(clientId, change))
    expect(answer.status).toBe(302)
    const back = new URL(answer.headers.get('Location') ?? '')
    expect(back.searchParams.get('error')).toBe('invalid_request')
    expect(back.searchParams.get('iss')).toBe(practice.url)
  })

  test.each([
    ['an unknown app', { client_id: 'unknown' }],
    ['another redirect', { redirect_uri: 'https://evil.example/callback' }],
    [
      'an app whose description cannot be read',
      { client_id: 'https://nobody.invalid/client.json' },
    ],
  ])('shows %s on a page, and redirects no one', async (_, change) => {
    const one = app(practice.url)
    const page = await web.open(one.authorizePath(await one.registered(), change))
    expect(page.status).toBe(400)
    expect(page.html).toContain('This app cannot be connected')
    expect(page.html).not.toContain('evil.example')
  })

  test('matches loopback redirects on any port, as RFC 8252 requires', async () => {
    const one = app(practice.url)
    const change = { redirect_uri: 'http://localhost:50999/callback' }
    const { back } = await one.askOwner(web, await one.registered(), { change })
    expect(back.port).toBe('50999')
  })

  test('knows Claude Code by its pinned document', async () => {
    const one = app(practice.url)
    const clientId = 'https://claude.ai/oauth/claude-code-client-metadata'
    const { asked, back } = await one.askOwner(web, clientId)
    expect(asked.html).toContain('<bdi>Claude Code</bdi>')
    expect(asked.html).toContain('<dd>claude.ai</dd>')
    const { body } = await one.redeem(clientId, back.searchParams.get('code') ?? '')
    const answer = await listAvailability(practice.url, body.access_token)
    expect(answer.status).toBe(200)
    expect(await callerOf(answer)).toBe(`oauth:owner:${clientId}`)
    expect((await one.refresh(clientId, body.refresh_token)).status).toBe(200)
  })
})

describe('an authorization code', () => {
  test('that is sent twice ends the tokens it gave', async () => {
    const one = app(practice.url)
    const { clientId, code, tokens } = await one.connected(web)
    expect((await listAvailability(practice.url, tokens.access_token)).status).toBe(200)
    expect((await one.redeem(clientId, code)).body.error).toBe('invalid_grant')
    expect((await listAvailability(practice.url, tokens.access_token)).status).toBe(401)
    expect((await one.refresh(clientId, tokens.refresh_token)).body.error).toBe('invalid_grant')
  })

  test.each([
    ['with another verifier', { code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
    ['for another resource', { resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
  ])(
    '%s gives nothing, and takes nothing from the app that it belongs to',
    async (_, change, error) => {
      const one = app(practice.url)
      const clientId = await one.registered()
      const { back } = await one.askOwner(web, clientId)
      const code = back.searchParams.get('code') ?? ''
      const { status, body } = await one.redeem(clientId, code, change)
      expect(status).toBe(400)
      expect(body.error).toBe(error)
      expect((await one.redeem(clientId, code)).status).toBe(200)
    },
  )
})

describe('tokens', () => {
  test('all end when one is used again after two others', async () => {
    const one = app(practice.url)
    const { clientId, tokens } = await one.connected(web)
    let last = tokens
    for (let n = 0; n < 2; n++) last = (await one.refresh(clientId, last.refresh_token)).body
    const again = await one.refresh(clientId, tokens.refresh_token)
    expect([again.status, again.body.error]).toEqual([400, 'invalid_grant'])
    expect((await one.refresh(clientId, last.refresh_token)).body.error).toBe('invalid_grant')
    for (const { access_token } of [tokens, last])
      expect((await listAvailability(practice.url, access_token)).status).toBe(401)
    // The owner can let the app in again at once.
    const { back } = await one.askOwner(web, clientId)
    expect((await one.redeem(clientId, back.searchParams.get('code') ?? '')).status).toBe(200)
  })

  test('are the same to four windows that refresh at once, and go on', async () => {
    const one = app(practice.url)
    const { clientId, tokens } = await one.connected(web)
    const replies = await Promise.all(
      Array.from({ length: 4 }, () => one.refresh(clientId, tokens.refresh_token)),
    )
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const next = new Set(replies.map(({ body }) => body.refresh_token))
    expect(next.size).toBe(1)
    const access = new Set(replies.map(({ body }) => body.access_token))
    expect(access.size).toBe(4)
    for (const token of access)
      expect((await listAvailability(practice.url, token)).status).toBe(200)
    const [successor = ''] = next
    const after = await one.refresh(clientId, successor)
    expect(after.status).toBe(200)
    expect(after.body.refresh_token).not.toBe(successor)
  })

  test('are given again to an app that lost the answer, and to no other app', async () => {
    const one = app(practice.url)
    const { clientId, tokens } = await one.connected(web)
    const first = await one.refresh(clientId, tokens.refresh_token)
    const again = await one.refresh(clientId, tokens.refresh_token)
    expect(again.status).toBe(200)
    expect(again.body.refresh_token).toBe(first.body.refresh_token)
    expect(again.body.scope).toBe(first.body.scope)
    const unlike = { grant_type: 'refresh_token', client_id: clientId, scope: 'no:scope' }
    await one.token({ ...unlike, refresh_token: tokens.refresh_token })
    expect((await one.refresh(clientId, first.body.refresh_token)).status).toBe(200)
  })

  test.each([
    ['another app', async (url: string) => app(url).registered(), 'invalid_grant'],
    ['an app that does not exist', async () => 'unknown', 'invalid_client'],
  ])('do not end because %s sends a good refresh token', async (_, otherIn, error) => {
    const one = app(practice.url)
    const { clientId, tokens } = await one.connected(web)
    const stolen = await one.refresh(await otherIn(practice.url), tokens.refresh_token)
    expect(stolen.body.error).toBe(error)
    expect((await one.refresh(clientId, tokens.refresh_token)).status).toBe(200)
  })

  test('do not end because of invented refresh tokens', async () => {
    const one = app(practice.url)
    const { clientId, tokens } = await one.connected(web)
    const [, grantId] = tokens.refresh_token.split(':')
    for (let n = 0; n < 5; n++)
      expect((await one.refresh(clientId, `owner:${grantId}:made-up-${n}`)).body.error).toBe(
        'invalid_grant',
      )
    expect((await one.refresh(clientId, tokens.refresh_token)).status).toBe(200)
  })

  test('that were used again leave one line for each time in the audit log', async () => {
    const one = app(practice.url)
    const { clientId, tokens } = await one.connected(web)
    const [, grantId] = tokens.refresh_token.split(':')
    const { body } = await one.refresh(clientId, tokens.refresh_token)
    await one.refresh(clientId, tokens.refresh_token)
    await one.refresh(clientId, body.refresh_token)
    for (let n = 0; n < 3; n++) await one.refresh(clientId, tokens.refresh_token)
    const log = (await practice.durableObjects('AUDIT_LOG')).getByName('audit-log') as unknown as {
      page(query: object): Promise<{ entries: object[] }>
    }
    await vi.waitFor(async () => {
      const { entries } = await log.page({ event: 'consent', record_id: grantId, limit: 10 })
      expect(entries).toMatchObject([
        { code: 'reused', operation: 'oauth_token' },
        { code: 'repeated', operation: 'oauth_token' },
      ])
    })
  })

  test('are worthless after the app revoked them', async () => {
    const one = app(practice.url)
    const { clientId, tokens } = await one.connected(web)
    expect(await one.revoke(clientId, tokens.refresh_token)).toBe(200)
    expect((await listAvailability(practice.url, tokens.access_token)).status).toBe(401)
  })

  test('are valid for the endpoint and nothing else', async () => {
    const { tokens } = await app(practice.url).connected(web)
    const headers = { Authorization: `Bearer ${tokens.access_token}` }
    expect((await fetch(`${practice.url}/v1/me`, { headers })).status).toBe(401)
    expect((await fetch(`${practice.url}/v1/availability`, { headers })).status).toBe(401)
  })

  test.each(['garbage', 'owner:made:up', `owner:${'a'.repeat(16)}:${'b'.repeat(32)}`])(
    'that never were (%s) get the challenge',
    async (made) => {
      const { status, headers } = await listAvailability(practice.url, made)
      expect(status).toBe(401)
      expect(headers.get('WWW-Authenticate')).toContain('error="invalid_token"')
    },
  )
})

describe('scopes', () => {
  test('a tool beyond them is refused with the full list to request, and works after consent', async () => {
    const one = app(practice.url)
    const { clientId, tokens } = await one.connected(web, { scopes: ['availability:read'] })
    expect(tokens.scope).toBe('availability:read')
    const refused = await callTool(practice.url, tokens.access_token, 'book_consult', NEW_BOOKING)
    expect(refused.status).toBe(403)
    const challenge = refused.headers.get('WWW-Authenticate') ?? ''
    expect(challenge).toContain('error="insufficient_scope"')
    expect(challenge).toContain('scope="availability:read bookings:write"')
    expect(challenge).toContain(
      `resource_metadata="${practice.url}/.well-known/oauth-protected-resource/mcp"`,
    )
    const { back } = await one.askOwner(web, clientId, {
      change: { scope: 'availability:read bookings:write' },
    })
    const more = (await one.redeem(clientId, back.searchParams.get('code') ?? '')).body
    const served = await callTool(practice.url, more.access_token, 'book_consult', NEW_BOOKING)
    expect(served.status).toBe(200)
    expect(served.text).not.toContain('insufficient_scope')
  })

  test('the list names a scope of any spelling', async () => {
    const { tokens } = await app(practice.url).connected(web, { scopes: ['availability:read'] })
    const end = { link_id: 'plink_1', idempotency_key: NEW_BOOKING.idempotency_key }
    const refused = await callTool(practice.url, tokens.access_token, 'end_payment_link', end)
    expect(refused.headers.get('WWW-Authenticate')).toContain(
      'scope="availability:read payment_links:end"',
    )
  })

  test('admin cannot be granted, however it is requested', async () => {
    const one = app(practice.url)
    const clientId = await one.registered()
    const { asked, back } = await one.askOwner(web, clientId, {
      change: { scope: 'admin availability:read' },
      scopes: ['admin', 'availability:read'],
    })
    expect(asked.html).not.toContain('value="admin"')
    const { body } = await one.redeem(clientId, back.searchParams.get('code') ?? '')
    expect(body.scope).toBe('availability:read')
  })

  test('an app that asks for unknown scopes only is offered all, and none is ticked', async () => {
    const one = app(practice.url)
    const asked = await web.open(
      one.authorizePath(await one.registered(), { scope: 'offline_access' }),
    )
    expect(asked.html.match(/name="scope"/g)).toHaveLength(APP_SCOPES.length)
    expect(asked.form('/authorize').filter(([name]) => name === 'scope')).toEqual([])
  })

  test('an app that asks for everything is offered the reads too, and the owner has to tick them', async () => {
    const one = app(practice.url)
    const scope = APP_SCOPES.join(' ')
    const asked = await web.open(one.authorizePath(await one.registered(), { scope }))
    expect(asked.html.match(/name="scope"/g)).toHaveLength(APP_SCOPES.length)
    const ticked = asked
      .form('/authorize')
      .flatMap(([name, value]) => (name === 'scope' ? [value] : []))
    expect(ticked).toEqual([
      'availability:read',
      'bookings:write',
      'clients:write',
      'intake:write',
      'payments:write',
    ])
  })

  test('an empty choice is asked again, not granted', async () => {
    const one = app(practice.url)
    const asked = await web.open(one.authorizePath(await one.registered()))
    const hidden = asked.form('/authorize').filter(([name]) => name !== 'scope')
    const again = await web.submit('/authorize', [...hidden, ['decision', 'allow']])
    expect(again.status).toBe(422)
    expect(again.html).toContain('role="alert"')
    const fields: [string, string][] = [...again.form('/authorize'), ['scope', 'availability:read']]
    returnAddress(
      await confirmed(web, await web.submit('/authorize', [...fields, ['decision', 'allow']])),
    )
  })
})

describe('an app that connects again', () => {
  const tokenOf = async (accessToken: string): Promise<string> => {
    const { text } = await callTool(practice.url, accessToken, 'create_payment_link', {
      invoice_id: 'in_mock_open',
      confirm: false,
      idempotency_key: 'a-key-of-one-app-0001',
    })
    return /"confirmation_token\\?":\s?\\?"([^"\\]+)/.exec(text)?.[1] ?? text
  }
  const scopes = ['availability:read', 'payments:write']
  /** Registers again and is let in as the app that the owner says it is. */
  async function connectedAs(metadata: object, which: RegExp) {
    const one = app(practice.url)
    const clientId = await one.registered(metadata)
    const asked = await web.open(one.authorizePath(clientId))
    const row = [...asked.html.matchAll(/<input\s+type="radio"[^>]*value="([^"]+)"[^>]*>([^<]*)</g)]
    const identity = row.find(([, , label]) => which.test(label ?? ''))?.[1] ?? 'no such row'
    const fields = asked
      .form('/authorize')
      .filter(([name]) => name !== 'identity' && name !== 'scope')
    const ticked = scopes.map((scope): [string, string] => ['scope', scope])
    const asking = await web.submit('/authorize', [
      ...fields,
      ...ticked,
      ['identity', identity],
      ['decision', 'allow'],
    ])
    const code = returnAddress(await confirmed(web, asking)).searchParams.get('code') ?? ''
    return (await one.redeem(clientId, code)).body
  }

  test('is the same caller although it registered again', async () => {
    const metadata = { client_name: 'Desk assistant (beta)' }
    const first = await app(practice.url).connected(web, { metadata })
    const caller = await callerOf(await listAvailability(practice.url, first.tokens.access_token))
    expect(caller).toMatch(/^oauth:owner:app_[A-Za-z0-9_-]{22}$/)
    const second = await app(practice.url).connected(web, { metadata })
    expect(second.clientId).not.toBe(first.clientId)
    const again = await listAvailability(practice.url, second.tokens.access_token)
    expect(await callerOf(again)).toBe(caller)
  })

  test('after it was disconnected is the same caller too, so its repeats act once', async () => {
    const metadata = { client_name: 'Comes and goes' }
    const first = await app(practice.url).connected(web, { metadata, scopes })
    const shown = await tokenOf(first.tokens.access_token)
    await app(practice.url).revoke(first.clientId, first.tokens.refresh_token)
    const second = await app(practice.url).connected(web, { metadata, scopes })
    expect(await tokenOf(second.tokens.access_token)).toBe(shown)
  })

  test('has its new scopes, and not the earlier ones', async () => {
    const metadata = { client_name: 'Had more before' }
    const first = await app(practice.url).connected(web, { metadata, scopes })
    const before = await callerOf(await listAvailability(practice.url, first.tokens.access_token))
    const second = await app(practice.url).connected(web, {
      metadata,
      scopes: ['availability:read'],
    })
    const now = second.tokens.access_token
    expect(await callerOf(await listAvailability(practice.url, now))).toBe(before)
    expect(await tokenOf(now)).toContain('insufficient_scope')
  })

  test('is another caller than an app that only looks like it, if the owner says so', async () => {
    const metadata = { client_name: 'Look-alike' }
    const first = await app(practice.url).connected(web, { metadata, scopes })
    const shown = await tokenOf(first.tokens.access_token)
    const other = await connectedAs(metadata, /No, it is another app/)
    expect(await tokenOf(other.access_token)).not.toBe(shown)
    const again = await connectedAs(metadata, /Yes, the one connected on/)
    expect(await tokenOf(again.access_token)).toBe(shown)
  })

  test('is none of several that look alike until the owner says which', async () => {
    const metadata = { client_name: 'Twins' }
    await app(practice.url).connected(web, { metadata, scopes })
    await connectedAs(metadata, /No, it is another app/)
    const one = app(practice.url)
    const asked = await web.open(one.authorizePath(await one.registered(metadata)))
    const fields = asked.form('/authorize')
    expect(fields.map(([name]) => name)).not.toContain('identity')
    const made: [string, string][] = [...fields, ['decision', 'allow'], ['identity', 'app_made-up']]
    const unsaid = await web.submit('/authorize', made)
    expect(unsaid.status).toBe(422)
    expect(unsaid.html).toContain('Choose whether it is an app that you have connected already')
  })

  test('is not asked who it is when it only asks for more', async () => {
    const one = app(practice.url)
    const { clientId } = await one.connected(web, { metadata: { client_name: 'Wants more' } })
    const asked = await web.open(one.authorizePath(clientId))
    expect(asked.html).not.toContain('name="identity"')
  })

  test('is another caller than an app of another name', async () => {
    const one = await app(practice.url).connected(web, { metadata: { client_name: 'One' } })
    const caller = await callerOf(await listAvailability(practice.url, one.tokens.access_token))
    const two = await app(practice.url).connected(web, { metadata: { client_name: 'Two' } })
    const other = await listAvailability(practice.url, two.tokens.access_token)
    expect(await callerOf(other)).not.toBe(caller)
  })
})
