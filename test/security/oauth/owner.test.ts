import { beforeAll, describe, expect, test } from 'vitest'

import { softAuthenticator } from '../../support/authenticator.ts'
import {
  type Browser,
  appPage,
  browser,
  confirmed,
  decide,
  unescaped,
} from '../../support/browser.ts'
import { ownerBrowser } from '../../support/owner-connector.ts'
import { enrol, offerPasskey, signIn } from '../../support/passkeys.ts'
import { practiceForAll, practiceForTest, sharedPractice } from '../../support/started.ts'
import { app, listAvailability } from './app.ts'

const challengeFor = async (web: Browser, body: object): Promise<string> =>
  ((await (await web.postJson('/owner/passkey/options', body)).json()) as { challenge: string })
    .challenge

describe('the enrolment link', () => {
  test('is worthless after its end', async () => {
    const practice = await practiceForTest({ enrolmentEnds: Date.now() - 1000 })
    const answer = await enrol(practice, browser(practice.url), softAuthenticator(practice.url))
    expect(answer.status).toBe(401)
    expect((await answer.json()) as object).toMatchObject({
      detail: expect.stringContaining('has ended'),
    })
  })

  test('makes its holder the owner, and no one who guesses, is not verified or has it in a page of another site', async () => {
    const practice = await practiceForTest()
    const web = browser(practice.url)
    const guess = practice.token.slice(0, -4) + 'AAAA'
    const statuses: number[] = []
    for (let n = 0; n < 4; n++)
      statuses.push((await enrol(practice, web, softAuthenticator(practice.url), guess)).status)
    expect(statuses).toEqual([401, 401, 401, 429])
    const again = await enrol(practice, web, softAuthenticator(practice.url), guess)
    expect(again.status).toBe(429)
    expect(Number(again.headers.get('Retry-After'))).toBeGreaterThan(0)
    for (const flaw of [{ verifiesUser: false }, { crossOrigin: true }]) {
      const flawed = softAuthenticator(practice.url, flaw)
      expect((await enrol(practice, browser(practice.url), flawed)).status).toBe(401)
    }
    // A guesser may share the owner's network, and no one can guess the right one.
    expect((await enrol(practice, web, softAuthenticator(practice.url))).status).toBe(200)
    expect((await web.open('/owner')).html).toContain('aria-label="Pages"')
  })
})

describe('a sign-in', () => {
  const practice = practiceForAll()
  let authenticator: ReturnType<typeof softAuthenticator>
  let challengeForEnrolment: string
  beforeAll(async () => {
    const { url, token } = practice
    challengeForEnrolment = await challengeFor(browser(url), { purpose: 'enrol', token })
    authenticator = (await ownerBrowser(practice)).authenticator
  })

  test('is not had by the enrolment link once it was used', async () => {
    const again = await enrol(practice, browser(practice.url), softAuthenticator(practice.url))
    expect(again.status).toBe(401)
  })

  test('takes the passkey, and gives a cookie that scripts cannot read', async () => {
    const web = browser(practice.url)
    const answer = await signIn(web, authenticator)
    expect(answer.status).toBe(200)
    const cookie = answer.headers.get('Set-Cookie') ?? ''
    expect(cookie).toMatch(/^owner=[A-Za-z0-9_-]{43}; .*HttpOnly; SameSite=Lax$/)
    expect((await web.open('/owner')).html).toContain('aria-label="Pages"')
  })

  test('with another passkey, from another site, or with an old challenge is refused', async () => {
    const web = browser(practice.url)
    expect((await signIn(web, softAuthenticator(practice.url))).status).toBe(401)
    const options = async () =>
      (await (await web.postJson('/owner/passkey/options', { purpose: 'sign-in' })).json()) as {
        challenge: string
      }
    const foreign = await authenticator.get(await options(), 'https://evil.example')
    expect((await web.postJson('/owner/passkey/sign-in', foreign)).status).toBe(401)
    const once = await options()
    expect(
      (await web.postJson('/owner/passkey/sign-in', await authenticator.get(once))).status,
    ).toBe(200)
    expect(
      (await web.postJson('/owner/passkey/sign-in', await authenticator.get(once))).status,
    ).toBe(401)
  })

  test('that fails again and again is slowed down', async () => {
    const web = browser(practice.url)
    const statuses: number[] = []
    for (let n = 0; n < 4; n++)
      statuses.push((await signIn(web, softAuthenticator(practice.url))).status)
    expect(statuses).toEqual([401, 401, 401, 429])
    expect((await signIn(web, softAuthenticator(practice.url))).status).toBe(429)
    // A guesser may share the owner's network, and no one can guess a right answer.
    expect((await signIn(web, authenticator)).status).toBe(200)
    expect((await signIn(web, softAuthenticator(practice.url))).status).toBe(429)
  })

  test('works after any number of strangers have requested challenges, also from the same network', async () => {
    const web = browser(practice.url)
    const ask = () => web.postJson('/owner/passkey/options', { purpose: 'sign-in' })
    const challenge = (await (await ask()).json()) as { challenge: string }
    for (let n = 0; n < 2; n++) {
      const statuses = await Promise.all(
        Array.from({ length: 50 }, async () => (await ask()).status),
      )
      expect(new Set(statuses)).toEqual(new Set([200]))
    }
    const answer = await web.postJson('/owner/passkey/sign-in', await authenticator.get(challenge))
    expect(answer.status).toBe(200)
  })

  test.each([
    ['for an enrolment', async () => challengeForEnrolment],
    [
      'changed by a character',
      async (web: Browser) => {
        const challenge = await challengeFor(web, { purpose: 'sign-in' })
        const text = Buffer.from(challenge, 'base64url').toString()
        const changed = text.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
        return Buffer.from(changed).toString('base64url')
      },
    ],
    [
      'with a later end',
      async (web: Browser) => {
        const challenge = await challengeFor(web, { purpose: 'sign-in' })
        const text = Buffer.from(challenge, 'base64url').toString()
        return Buffer.from(text.replace(/^\d+/, (end) => String(Number(end) + 60_000))).toString(
          'base64url',
        )
      },
    ],
  ])('with the answer to a challenge %s is refused', async (_, challengeOf) => {
    const stranger = browser(practice.url)
    const challenge = await challengeOf(stranger)
    const answer = await stranger.postJson(
      '/owner/passkey/sign-in',
      await authenticator.get({ challenge }),
    )
    expect(answer.status).toBe(401)
    expect((await signIn(stranger, authenticator)).status).toBe(200)
  })

  test('with an answer to an unknown challenge costs no one a wait', async () => {
    const web = browser(practice.url)
    const stale = { challenge: Buffer.alloc(32).toString('base64url') }
    for (let n = 0; n < 6; n++) {
      const answer = await web.postJson('/owner/passkey/sign-in', await authenticator.get(stale))
      expect(answer.status).toBe(401)
    }
    expect((await signIn(web, authenticator)).status).toBe(200)
  })

  test('with a malformed answer is slowed down', async () => {
    const web = browser(practice.url)
    const statuses: number[] = []
    for (let n = 0; n < 4; n++)
      statuses.push(
        (await web.postJson('/owner/passkey/sign-in', { id: 'x', response: {} })).status,
      )
    expect(statuses).toEqual([401, 401, 401, 429])
  })

  test('ends the earlier session of the browser', async () => {
    const web = browser(practice.url)
    await signIn(web, authenticator)
    const before = new Map(web.cookies)
    await signIn(web, authenticator)
    const old = browser(practice.url)
    for (const [name, value] of before) old.cookies.set(name, value)
    expect((await old.open('/owner')).html).toContain('Sign in with a passkey')
    expect((await web.open('/owner')).html).toContain('aria-label="Pages"')
  })

  test('cannot be requested by a page of another site', async () => {
    const web = browser(practice.url)
    const body = { purpose: 'sign-in' }
    for (const headers of [{ Origin: 'https://evil.example' }, { 'Sec-Fetch-Site': 'cross-site' }])
      expect((await web.postJson('/owner/passkey/options', body, headers)).status).toBe(401)
    const asForm = { 'Content-Type': 'text/plain' }
    expect((await web.postJson('/owner/passkey/options', body, asForm)).status).toBe(415)
  })

  test('ends with a sign-out, also for a person who kept the cookie', async () => {
    const web = browser(practice.url)
    await signIn(web, authenticator)
    const kept = new Map(web.cookies)
    const page = await web.open('/owner/settings')
    expect((await web.submit('/owner/sign-out', page.form('/owner/sign-out'))).status).toBe(303)
    for (const [name, value] of kept) web.cookies.set(name, value)
    expect((await web.open('/owner')).html).toContain('Sign in with a passkey')
  })
})

describe('the owner', () => {
  const practice = practiceForAll()
  let web: Awaited<ReturnType<typeof ownerBrowser>>
  beforeAll(async () => {
    web = await ownerBrowser(practice)
  })

  test('sees the apps with their scopes, and ends them once it was asked what stops', async () => {
    const { clientId, tokens } = await app(practice.url).connected(web, {
      metadata: { client_name: 'Desk <i>assistant</i>' },
      scopes: ['availability:read'],
    })
    await listAvailability(practice.url, tokens.access_token)
    expect((await web.open('/owner/callers')).html).toContain('Desk &lt;i&gt;assistant&lt;/i&gt;')
    const page = await appPage(web)
    expect(page.html).toContain('See when consults can be booked')
    expect(page.html).not.toContain('Create payment links')
    expect(page.html).toContain('last used today')
    const asked = await web.submit('/owner/apps/revoke', page.form('/owner/apps/revoke'))
    expect(asked.html).toContain('It made no change in the last 7 days.')
    expect((await listAvailability(practice.url, tokens.access_token)).status).toBe(200)
    const done = await confirmed(web, asked)
    expect(done.status).toBe(303)
    expect((await listAvailability(practice.url, tokens.access_token)).status).toBe(401)
    const refreshed = await app(practice.url).refresh(clientId, tokens.refresh_token)
    expect(refreshed.body.error).toBe('invalid_grant')
    expect((await web.open('/owner/callers')).html).not.toContain('Desk')
  })

  test('has the apps that were let in while every provider was a mock noted, until they end', async () => {
    const access = (await practice.durableObjects('ACCESS')).getByName('access') as unknown as {
      unreviewed(): Promise<{ name: string }[]>
    }
    await app(practice.url).connected(web, { metadata: { client_name: 'Desk' } })
    expect((await access.unreviewed()).map(({ name }) => name)).toEqual(['Desk (localhost)'])
    const page = await appPage(web)
    await confirmed(web, await web.submit('/owner/apps/revoke', page.form('/owner/apps/revoke')))
    expect(await access.unreviewed()).toEqual([])
  })

  test('adds a passkey and removes one, but never the last', async () => {
    const practice = await practiceForTest()
    const web = await ownerBrowser(practice)
    const second = softAuthenticator(practice.url)
    const added = await confirmed(web, await offerPasskey(web, second))
    expect(added.headers.get('Location')).toBe('/owner/settings/passkeys?done=added')
    const page = await web.open('/owner/settings/passkeys')
    const asked = await web.submit('/owner/passkeys/remove', page.form('/owner/passkeys/remove'))
    expect(asked.html).toContain('Remove \u2068Passkey 1\u2069?')
    expect((await web.open('/owner/settings/passkeys')).html).toContain('Passkey 2')
    await confirmed(web, asked)
    expect((await signIn(web, web.authenticator)).status).toBe(401)
    expect((await signIn(web, second)).status).toBe(200)
    const last = await web.open('/owner/settings/passkeys')
    expect(last.html).not.toContain('/owner/passkeys/remove')
    const kept = await web.submit('/owner/passkeys/remove', last.form('/owner/sign-out'))
    expect(kept.headers.get('Location')).toBe('/owner/settings/passkeys?done=last')
    expect((await signIn(web, second)).status).toBe(200)
  })
})

describe('with an owner who is signed in', () => {
  const practice = sharedPractice()
  let web: Browser
  beforeAll(() => {
    web = practice.web
  })

  describe('the owner', () => {
    test('reads what was done after doing it, and from no address that someone else chose', async () => {
      for (const done of [
        'constructor',
        'toString',
        '__proto__',
        'hasOwnProperty',
        'passkey',
        'app',
      ]) {
        for (const one of [web, browser(practice.url)])
          expect((await one.open(`/owner?done=${done}`)).html).not.toMatch(
            /native code|\[object|have ended|is disconnected/,
          )
      }
      const page = await web.open('/owner/settings')
      await web.submit('/owner/passkeys/remove', page.form('/owner/sign-out'))
      expect((await web.open('/owner?done=last')).html).toContain(
        'you could not sign in without your last passkey',
      )
      expect((await web.open('/owner?done=last')).html).not.toContain(
        'you could not sign in without your last passkey',
      )
    })

    test('is the only one to add a passkey, by the session or the link', async () => {
      const asked = await browser(practice.url).postJson('/owner/passkey/options', {
        purpose: 'add',
      })
      expect([asked.status, await asked.text()]).toEqual([
        401,
        expect.stringContaining('signed out'),
      ])
    })
  })

  describe('a form', () => {
    test('of consent works once, in the session that asked', async () => {
      const one = app(practice.url)
      const asked = await web.open(one.authorizePath(await one.registered()))
      const other = browser(practice.url)
      await signIn(other, web.authenticator!)
      const csrf = (await other.open('/owner/settings')).form('/owner/sign-out')
      const mixed = [...asked.form('/authorize').filter(([name]) => name !== 'csrf'), ...csrf]
      expect((await other.submit('/authorize', [...mixed, ['decision', 'allow']])).status).toBe(403)
      expect((await decide(web, asked, 'allow')).status).toBe(200)
      expect((await decide(web, asked, 'allow')).status).toBe(403)
    })
  })

  describe("the owner's pages", () => {
    test.each([
      [
        'markup',
        '<img src=x onerror=alert(1)><script>alert(1)</script>',
        '<img src=x onerror=alert(1)><script>alert(1)</script>',
      ],
      ['an attribute', '" onclick="alert(1)', '" onclick="alert(1)'],
      ['turned text', '‮evil⁦\u0000\nname', 'evil name'],
      ['a very long name', 'A'.repeat(3000), `${'A'.repeat(59)}…`],
      ['nothing to see', '\u3164\u2800\u115f\uffa0', 'an app without a name'],
      ['nothing to read', '—\u2800—', 'an app without a name'],
      ['unseen characters between', 'Cla\u115fude', 'Cla ude'],
    ])('show a name with %s as text', async (_, name, shown) => {
      const one = app(practice.url)
      const page = await web.open(one.authorizePath(await one.registered({ client_name: name })))
      expect(unescaped(/<dd><bdi>(.*?)<\/bdi>/s.exec(page.html)?.[1] ?? '')).toBe(shown)
      expect(page.html).not.toMatch(/<img|<script>|" onclick=/)
      expect(page.html).toContain('not verified')
    })

    test('run no script but ours, cannot be framed, and are not cached', async () => {
      const one = app(practice.url)
      for (const path of ['/owner', '/owner/enrol', one.authorizePath(await one.registered())]) {
        const { headers, html } = await web.open(path)
        expect(headers.get('Content-Security-Policy')).toBe(
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
        )
        expect(headers.get('Cache-Control')).toBe('no-store')
        expect(headers.get('X-Frame-Options')).toBe('DENY')
        expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
        expect(html).not.toMatch(
          /<script(?! src="\/static\/(?:passkey|console)-\w+\.js" defer>)|<style|style="|https?:\/\/(?!localhost)/,
        )
      }
    })

    test('of consent let a host that opened them in a window wait for its own', async () => {
      const one = app(practice.url)
      const { headers } = await web.open(one.authorizePath(await one.registered()))
      expect(headers.get('Cross-Origin-Opener-Policy')).toBe('unsafe-none')
      expect((await web.open('/owner')).headers.get('Cross-Origin-Opener-Policy')).toBe(
        'same-origin',
      )
    })

    test('show nothing of the owner to anybody else', async () => {
      const stranger = browser(practice.url)
      const { html } = await stranger.open('/owner')
      expect(html).not.toMatch(/Connected apps|API keys|csrf/)
      const asked = await stranger.postJson('/owner/passkey/options', { purpose: 'sign-in' })
      expect((await asked.json()) as object).not.toHaveProperty('allowCredentials.0')
    })

    test('leave no tokens, links, cookies or addresses in the log', async () => {
      const { tokens, code } = await app(practice.url).connected(web)
      await listAvailability(practice.url, tokens.access_token)
      const logged = practice.logs.join('\n')
      for (const secret of [
        practice.token,
        tokens.access_token,
        tokens.refresh_token,
        code,
        ...web.cookies.values(),
      ])
        expect(logged).not.toContain(secret)
      expect(logged).not.toMatch(/198\.51\.100|127\.0\.0\.1/)
    })
  })
})
