import { beforeAll, describe, expect, test } from 'vitest'

import { dateIn } from '../../../src/core/domain/time/time.ts'
import { MOST_CONNECTIONS } from '../../../src/core/ports/access.ts'
import { type Browser, appPage, confirmed, returnAddress } from '../../support/browser.ts'
import { type Practice, ownerBrowser } from '../../support/owner-connector.ts'
import { practiceForAll, practiceForTest } from '../../support/started.ts'
import { type Tokens, app, callTool, listAvailability } from './app.ts'

/** One id for every copy of the program. */
const CLAUDE_CODE = 'https://claude.ai/oauth/claude-code-client-metadata'
const SCOPES = ['availability:read', 'bookings:write']

interface SignIn {
  scopes?: string[]
  /** What the owner answers to the question of the connection: a value, or which of the choices. */
  choose?: string | ((values: string[]) => string)
  clientId?: string
  /** Which of the apps of this name it is: the nth that the page offers. */
  identity?: number
  /** What happens between the page and the answer to it. */
  meanwhile?: () => Promise<unknown>
}

const shared = practiceForAll()
let ownersWeb: Browser
beforeAll(async () => void (ownersWeb = await ownerBrowser(shared)))
const REVOKE = '/owner/apps/revoke'

/** A practice to which no app is connected, and its owner, who lets computers in. */
async function practice() {
  let page = await appPage(ownersWeb)
  while (page.html.includes(`action="${REVOKE}"`)) {
    await confirmed(ownersWeb, await ownersWeb.submit(REVOKE, page.form(REVOKE)))
    page = await appPage(ownersWeb)
  }
  return lettingIn(shared, ownersWeb)
}

/** The same in a practice that never knew an app. */
async function freshPractice() {
  const started = await practiceForTest()
  return lettingIn(started, await ownerBrowser(started))
}

function lettingIn(started: Practice, web: Browser) {
  const computer = app(started.url)
  const asked = (clientId = CLAUDE_CODE) => web.open(computer.authorizePath(clientId))

  const submitted = async ({
    scopes = SCOPES,
    choose,
    clientId,
    identity,
    meanwhile,
  }: SignIn = {}) => {
    const page = await asked(clientId)
    const identities = [...page.html.matchAll(/name="identity"\s+value="([^"]+)"/g)]
    await meanwhile?.()
    const values = [...page.html.matchAll(/name="connection" value="([^"]+)"/g)].map(
      ([, value]) => value ?? '',
    )
    const chosen = typeof choose === 'function' ? choose(values) : choose
    const meant = identity === undefined ? undefined : identities[identity]?.[1]
    const left = meant === undefined ? ['scope'] : ['scope', 'identity']
    const fields = page.form('/authorize').filter(([name]) => !left.includes(name))
    const more: [string, string][] = scopes.map((scope) => ['scope', scope])
    if (meant !== undefined) more.push(['identity', meant])
    if (chosen !== undefined) more.push(['connection', chosen])
    return web.submit('/authorize', [...fields, ...more, ['decision', 'allow']])
  }
  const signIn = async (given: SignIn = {}): Promise<Tokens> => {
    const back = returnAddress(await confirmed(web, await submitted(given)))
    const code = back.searchParams.get('code') ?? ''
    return (await computer.redeem(given.clientId ?? CLAUDE_CODE, code)).body
  }
  const refresh = ({ refresh_token }: Tokens, clientId = CLAUDE_CODE) =>
    computer.refresh(clientId, refresh_token)
  const stands = async (tokens: Tokens) =>
    (await listAvailability(started.url, tokens.access_token)).status === 200
  return { ...started, web, computer, asked, submitted, signIn, refresh, stands }
}

describe('a host on a second computer', () => {
  test('leaves the first connected, and both refresh and end alone', async () => {
    const { signIn, refresh, stands, web } = await practice()
    const first = await signIn()
    const second = await signIn()
    expect([await stands(first), await stands(second)]).toEqual([true, true])
    const [firstAgain, secondAgain] = [await refresh(first), await refresh(second)]
    expect([firstAgain.status, secondAgain.status]).toEqual([200, 200])

    const page = await appPage(web)
    const ends = page.html.match(/action="\/owner\/apps\/revoke"/g)
    expect(ends).toHaveLength(2)
    await confirmed(web, await web.submit('/owner/apps/revoke', page.form('/owner/apps/revoke')))
    const left = [await stands(firstAgain.body), await stands(secondAgain.body)]
    expect(left.filter(Boolean)).toHaveLength(1)
  })

  test('is named with its label, day, use and scopes on the page, and before the passkey', async () => {
    const { signIn, asked, stands, submitted } = await practice()
    expect((await asked()).html).not.toContain('connected already')
    const first = await signIn()
    const today = dateIn(Date.now(), 'America/New_York')
    expect((await asked()).html).toContain(`since ${today}, not used yet`)
    expect(await stands(first)).toBe(true)
    const { html } = await asked()
    expect(html).toContain('It is connected already. Is this another computer?')
    expect(html).toMatch(/instead of <bdi>Claude Code \(localhost\)<\/bdi>/)
    expect(html).toContain(`since ${today}, last used on ${today}`)
    expect(html).toContain('and where; Book, move and cancel consults.')
    expect((await submitted()).html).toContain('The connection since')
    expect((await submitted({ choose: 'all' })).html).toContain('This ends the connection since')
  })

  test('is the same caller: a repeat under its key acts once', async () => {
    const { signIn, url } = await practice()
    const [one, two] = [await signIn(), await signIn()]
    const preview = ({ access_token }: Tokens) =>
      callTool(url, access_token, 'book_consult', {
        start_time: '2099-01-05T15:00:00Z',
        timezone: 'America/New_York',
        invitee_email: 'ada@example.com',
        idempotency_key: 'key-of-both-computers',
      })
    const [shown, again] = [await preview(one), await preview(two)]
    expect(again.text).toBe(shown.text)
  })

  test('replaces the first where the owner says so, whatever it may do', async () => {
    const { signIn, refresh, stands } = await practice()
    const first = await signIn()
    const second = await signIn({
      choose: ([, firstsGrant]) => firstsGrant ?? '',
      scopes: [...SCOPES, 'payments:write'],
    })
    expect([await stands(first), await stands(second)]).toEqual([false, true])
    expect((await refresh(first)).body.error).toBe('invalid_grant')
  })

  test('with fewer scopes replaces what may do more, and stays beside it if the owner says so', async () => {
    const { signIn, stands } = await practice()
    const wide = await signIn({ scopes: [...SCOPES, 'payments:write'] })
    const other = await signIn({ scopes: ['availability:read', 'clients:write'] })
    const narrow = await signIn()
    expect([await stands(wide), await stands(other), await stands(narrow)]).toEqual([
      false,
      true,
      true,
    ])
    const least = await signIn({ scopes: ['availability:read'], choose: 'none' })
    expect([await stands(narrow), await stands(least)]).toEqual([true, true])
  })

  test(
    `is connected ${MOST_CONNECTIONS} times at most: one more replaces what was not used for longest, or what the owner chooses`,
    { tags: 'slow' },
    async () => {
      const { signIn, submitted, stands } = await practice()
      const all: Tokens[] = []
      for (let i = 0; i < MOST_CONNECTIONS; i++) all.push(await signIn())
      for (const choose of ['none', 'a grant that is not there']) {
        const { status, html } = await submitted({ choose })
        expect(status).toBe(422)
        expect(html).toContain('Choose which connection this one replaces')
        expect(html).not.toContain('value="none"')
      }
      all.push(await signIn({ choose: ([, second]) => second ?? '' }))
      all.push(await signIn())
      const standing = await Promise.all(all.map(stands))
      expect(standing).toEqual([false, false, true, true, true, true, true])
      await signIn({ choose: 'all' })
      expect(await Promise.all(all.map(stands))).not.toContain(true)
    },
  )

  test('is asked about again, with what stands now, where the one that it was to replace has ended', async () => {
    const { signIn, computer, submitted } = await practice()
    const first = await signIn()
    await signIn()
    const { status, html } = await submitted({
      scopes: ['clients:write'],
      choose: ([, firstsGrant]) => firstsGrant ?? '',
      meanwhile: () => computer.revoke(CLAUDE_CODE, first.refresh_token),
    })
    expect(status).toBe(422)
    expect(html.match(/name="connection" value=/g)).toHaveLength(2)
    expect(html.match(/value="[a-z_]+:[a-z]+" checked/g)).toEqual(['value="clients:write" checked'])
  })

  test('that the host has ended itself is no connection any more', async () => {
    const { signIn, computer, asked } = await practice()
    const first = await signIn()
    expect((await asked()).html).toContain('connected already')
    expect(await computer.revoke(CLAUDE_CODE, first.refresh_token)).toBe(200)
    expect((await asked()).html).not.toContain('connected already')
  })
})

test(
  'an app that registered itself replaces what the same registration made before',
  { tags: 'slow' },
  async () => {
    const { signIn, computer, refresh } = await freshPractice()
    const clientId = await computer.registered()
    const other = await computer.registered()
    const first = await signIn({ clientId })
    const elsewhere = await signIn({ clientId: other })
    await signIn({ clientId })
    expect((await refresh(first, clientId)).body.error).toBe('invalid_grant')
    expect((await refresh(elsewhere, other)).status).toBe(200)
  },
)

test(
  'another app of the same name replaces no connection of the first, also where the owner chooses one',
  { tags: 'slow' },
  async () => {
    const { signIn, submitted, computer, stands } = await freshPractice()
    const first = await signIn({ clientId: await computer.registered() })
    const clientId = await computer.registered()
    for (const choose of [([, firstsGrant]: string[]) => firstsGrant ?? '', 'all']) {
      const { status, html } = await submitted({ clientId, identity: 1, choose })
      expect(status).toBe(422)
      expect(html).toMatch(/checked\s+required\s+\/>\s+No, it is another app/)
    }
    const other = await signIn({ clientId, identity: 1, choose: 'none' })
    expect([await stands(first), await stands(other)]).toEqual([true, true])
  },
)
