import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test, vi } from 'vitest'

import { hashApiKey, newApiKey } from '../../src/core/crypto/api-key.ts'
import { DAY } from '../../src/core/domain/time/duration.ts'
import type { Env } from '../../src/practice/env.ts'
import { accessFrom } from '../../src/practice/wiring/objects.ts'
import { type Browser, browser, confirmed } from '../support/browser.ts'
import { textOf } from '../unit/owner/console/text-of.ts'
import { CLIENT, keyFor, previewed } from './fixtures.ts'
import { ORIGIN, ownerPages } from './owner-pages.ts'

const OWNER_KEY = newApiKey(crypto.getRandomValues(new Uint8Array(32)))

beforeEach(() => {
  // The provider that is live is not there.
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json({}, { status: 401 }))
})

/** A connector whose owner goes live when the test says so. */
async function practice() {
  const rig = await ownerPages()
  const OWNER_KEY_SHA256 = await hashApiKey(OWNER_KEY)
  const trial = rig.askWith({ OWNER_KEY_SHA256 } as Partial<Env>)
  const live = rig.askWith({
    OWNER_KEY_SHA256,
    SCHEDULING_PROVIDER_TOKEN: 'a-live-token',
  } as Partial<Env>)
  const post = async (ask: typeof live, path: string, body: object, key = OWNER_KEY) => {
    const headers = { 'Content-Type': 'application/json', 'X-API-Key': key }
    const answer = await ask(
      new Request(ORIGIN + path, { method: 'POST', headers, body: JSON.stringify(body) }),
    )
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  const makeKey = async (ask: typeof live, name: string, more: object = {}, key = OWNER_KEY) =>
    (await post(ask, '/v1/keys', { name, scopes: ['admin'], ...more }, key)).body as {
      id: string
      key: string
      code?: string
    }
  const review = async (body: object, ask = live, key = OWNER_KEY) => {
    const answer = await post(ask, '/v1/admin/access-review', body, key)
    const found = answer.body['unreviewed'] as
      | { id: string; name: string; kind: string }[]
      | undefined
    return { ...answer, names: found?.map(({ kind, name }) => `${kind} ${name}`) }
  }
  const works = async (key: string) =>
    (await live(new Request(`${ORIGIN}/v1/me`, { headers: { 'X-API-Key': key } }))).status === 200
  return { ...rig, trial, live, post, makeKey, review, works }
}

const app = {
  grantId: 'grant',
  clientId: 'https://claude.ai/app',
  name: 'Claude (claude.ai)',
  caller: 'oauth:owner:https://claude.ai/app',
  scopes: ['availability:read'],
}

describe('who was let in while every provider was a mock', () => {
  test('is named once one is live, and not before: good keys and apps, and none that was made since', async () => {
    const { trial, live, makeKey, review } = await practice()
    const now = Date.now()
    await makeKey(trial, 'Front desk')
    await makeKey(trial, '\u202e\u001b[2Jksed tnorF')
    const revoked = await makeKey(trial, 'Revoked')
    await accessFrom(env).revokeKey(revoked.id)
    const ended = { created_at: now - DAY, expires_at: now - 1, inTrial: true }
    await keyFor('ended', ['admin'], ended)
    await accessFrom(env).grants.noteApp({ ...app, inTrial: true })
    expect((await review({}, trial)).names).toEqual([])

    await makeKey(live, 'Zapier')
    await accessFrom(env).grants.noteApp({
      ...app,
      grantId: 'new',
      clientId: 'other',
      inTrial: false,
    })
    const { names } = await review({})
    expect(names).toHaveLength(3)
    expect(names).toEqual(expect.arrayContaining(['key Front desk', 'app Claude (claude.ai)']))
    expect(names!.join('')).not.toMatch(/\p{C}/u)
  })

  test('is ended or kept, and named until all of it is decided', async () => {
    const { trial, makeKey, review, works } = await practice()
    const [known, foreign] = [await makeKey(trial, 'Front desk'), await makeKey(trial, 'Whose?')]
    await accessFrom(env).grants.noteApp({ ...app, inTrial: true })
    expect((await review({ end: [foreign.id] })).names).toHaveLength(2)
    expect([await works(foreign.key), await works(known.key)]).toEqual([false, true])
    expect((await review({ keep: [known.id] })).names).toHaveLength(2)
    expect((await review({ keep: [known.id], end: ['grant'] })).names).toEqual([])
    expect((await review({})).names).toEqual([])
    expect(await accessFrom(env).grants.hasEnded('grant')).toBe(true)
    expect(await works(known.key)).toBe(true)
  })

  test('decides nothing itself, and hands out no key meanwhile', async () => {
    const { trial, live, post, makeKey, review, works } = await practice()
    const stranger = await makeKey(trial, 'Whose?')
    const child = await makeKey(trial, 'Its child', {}, stranger.key)
    expect((await review({ keep: [stranger.id, child.id] }, live, stranger.key)).status).toBe(403)
    expect((await review({ end: [child.id] }, live, stranger.key)).status).toBe(403)
    expect(await works(child.key)).toBe(true)
    for (const body of [
      { name: 'x', scopes: ['admin'] },
      { name: 'x', scopes: ['availability:read'] },
    ])
      expect((await post(live, '/v1/keys', body, stranger.key)).body['code']).toBe(
        'insufficient_scope',
      )
    expect((await post(live, `/v1/keys/${child.id}/rotate`, {}, stranger.key)).status).toBe(403)
    expect((await review({})).names).toHaveLength(2)

    await review({ keep: [child.id], end: [stranger.id] })
    expect((await makeKey(live, 'x', {}, child.key)).code).toBeUndefined()
  })

  test('is named again where it was let in after the providers went back to mocks', async () => {
    const { trial, makeKey, review } = await practice()
    const { id } = await makeKey(trial, 'First trial')
    await review({ keep: [id] })
    await makeKey(trial, 'Second trial')
    expect((await review({})).names).toEqual(['key Second trial'])
  })

  test('is named for each connection of an app that was made then, until it ends', async () => {
    const { review } = await practice()
    const { grants } = accessFrom(env)
    await grants.noteApp({ ...app, inTrial: true })
    await grants.noteApp({ ...app, grantId: 'laptop', inTrial: true })
    await grants.noteApp({ ...app, grantId: 'live', inTrial: false })
    expect((await review({})).body).toMatchObject({
      unreviewed: [{ id: 'grant' }, { id: 'laptop' }],
    })
    await grants.endGrant('grant')
    expect((await review({})).body).toMatchObject({ unreviewed: [{ id: 'laptop' }] })
  })

  test('is shown on the first page of the console, and is known on the proof of a passkey alone', async () => {
    const { trial, makeKey, review, web, live } = await practice()
    await makeKey(trial, 'Front desk')
    expect((await web.open('/owner')).html).not.toContain('let in before a provider was live')
    const owner = browser(ORIGIN, live)
    for (const [name, value] of web.cookies) owner.cookies.set(name, value)
    owner.authenticator = web.authenticator
    const page = await owner.open('/owner')
    expect(page.html).toContain(
      'Do you recognize all of these? You added them before a provider was live.',
    )
    const asked = await owner.submit('/owner/access-review', page.form('/owner/access-review'))
    expect(asked.html).toContain('The key “\u2068Front desk\u2069” keeps its access.')
    expect((await review({})).names).toEqual(['key Front desk'])
    expect((await confirmed(owner, asked)).headers.get('Location')).toBe('/owner?done=known')
    expect((await review({})).names).toEqual([])
    // The same page, open on another device.
    const again = await owner.submit('/owner/access-review', page.form('/owner/access-review'))
    expect(again.headers.get('Location')).toBe('/owner?done=known')
    expect((await owner.open('/owner')).html).not.toContain('let in before a provider was live')
  })

  test('has made what the log then calls mock, beside what is real', async () => {
    const { web, live } = await practice()
    const made = await (await previewed('/v1/clients', CLIENT)).commit()
    expect(made.body).toMatchObject({ status: 'committed', mode: 'mock' })
    const later = browser(ORIGIN, live)
    for (const [name, value] of web.cookies) later.cookies.set(name, value)
    const lines = async (one: Browser) => textOf((await one.open('/owner/audit')).html)
    expect(await lines(later)).toContain('created a client: J. Z., mock')
    expect(await lines(web)).not.toContain('J. Z., mock')
  })
})
