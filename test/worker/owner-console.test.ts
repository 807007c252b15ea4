import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test, vi } from 'vitest'

import security from '../../docs/security.md?raw'
import { AuditLog } from '../../durable-objects/audit-log.ts'
import { MINUTE } from '../../src/core/domain/time/duration.ts'
import { FORMS as CONSOLE_FORMS } from '../../src/owner/console/routes.ts'
import type { Env } from '../../src/practice/env.ts'
import { softAuthenticator } from '../support/authenticator.ts'
import {
  type Browser,
  type Page,
  browser,
  confirmed,
  proofAsked,
  withProof,
} from '../support/browser.ts'
import { onPurpose } from '../support/on-purpose.ts'
import { offerPasskey } from '../support/passkeys.ts'
import { type Fields, ORIGIN, type Rig, ownerPages, post, secretOf } from './owner-pages.ts'

/** Tuesday, November 24, 2026, 3:12 PM in New York. */
const NOW = Date.parse('2026-11-24T20:12:00Z')

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW })
})

const TIGHT = { caller: '*', amount: '500', currency: 'USD', changes_a_day: '' }
/** Every change that there is, as the boxes of a form that no one touched. */
const OPERATIONS: Fields = [
  'book_consult',
  'reschedule_booking',
  'cancel_booking',
  'create_client_profile',
  'submit_intake_answers',
  'create_payment_link',
].map((name) => ['operation', name])
const rules = async (web: Browser, fields: Record<string, string>): Promise<Page> =>
  web.submit('/owner/rules', [...(await secretOf(web)), ...OPERATIONS, ...Object.entries(fields)])

const entriesOf = async ({ audit }: Rig) =>
  (await audit()).map(({ event, code }) => `${event} ${code}`)

/** The acts that loosen: how each begins, and how to see that it was done. */
const LOOSENING: Record<
  string,
  { ask: (web: Browser) => Promise<Page>; done: (web: Browser) => Promise<boolean> }
> = {
  '/owner/resume': {
    async ask(web) {
      await post(web, '/owner/pause', { caller: '*' })
      return post(web, '/owner/resume', { caller: '*' })
    },
    done: async (web) => (await web.open('/owner')).html.includes('Pause all agents'),
  },
  '/owner/rules': {
    async ask(web) {
      await rules(web, TIGHT)
      return rules(web, { ...TIGHT, amount: '600' })
    },
    done: async (web) => (await web.open('/owner/settings')).html.includes('$600.00'),
  },
  '/owner/passkeys/add': {
    ask: (web) => offerPasskey(web, softAuthenticator(ORIGIN)),
    done: async (web) => (await web.open('/owner/settings/passkeys')).html.includes('Passkey 2'),
  },
}

const FORMS: Record<string, Record<string, string>> = {
  '/owner/pause': { caller: '*' },
  '/owner/resume': { caller: '*' },
  '/owner/rules': TIGHT,
  '/owner/apps/revoke': { id: 'one' },
  '/owner/keys/revoke': { id: 'one' },
  '/owner/webhooks/add': { url: 'https://hooks.example.com/', topic: 'client.created' },
  '/owner/webhooks/test': { id: 'wh_one', caller: 'owner' },
  '/owner/webhooks/pause': { id: 'wh_one', caller: 'owner' },
  '/owner/webhooks/remove': { id: 'wh_one', caller: 'owner' },
  '/owner/webhooks/resume': { id: 'wh_one', caller: 'owner' },
  '/owner/passkeys/add': { credential: '{}' },
  '/owner/passkeys/remove': { id: 'one' },
  '/owner/approvers/remove': { id: 'one' },
  '/owner/unresolved': { operation_id: 'one', outcome: 'happened' },
  '/owner/audit/export': {},
  '/owner/audit/review': { up_to: '0' },
  '/owner/clients': { person: 'jordan@example.com' },
  '/owner/clients/delete': { client_id: 'cl_one' },
  '/owner/doctor': {},
  '/owner/sign-out': {},
  '/owner/sign-out-everywhere': {},
  '/owner/approvers/withdraw': { id: 'one' },
  '/owner/keys/make': { name: 'One', scope: 'bookings:write' },
  '/owner/passkeys/name': { id: 'one', name: 'Phone' },
  '/owner/alerts/test': {},
  '/owner/links/withdraw': { link_id: 'cil_mock_one' },
  '/owner/links/withdraw-all': { caller: 'key:one' },
  '/owner/refusals/dismiss': { caller: 'owner' },
  '/owner/repaired': { operation: 'create_payment_link', what: 'usd' },
}

/** The forms that ask for a passkey, each for just what it does; `/owner/rules` only where it allows more. */
const WITH_PASSKEY = [
  '/owner/resume',
  '/owner/unresolved',
  '/owner/access-review',
  '/owner/restored/let-in',
  '/owner/audit/export',
  '/owner/keys/make',
  '/owner/webhooks/add',
  '/owner/webhooks/resume',
  '/owner/clients/export',
  '/owner/clients/delete',
  '/owner/passkeys/add',
  '/owner/passkeys/remove',
  '/owner/approvers/remove',
  '/owner/approvers/invite',
]

/** Every other form, as docs/security.md says what a session alone can do. */
const SESSION_ALONE: Record<string, string> = {
  '/owner/pause': 'pause',
  '/owner/rules': 'set stricter rules',
  '/owner/refusals/dismiss': 'dismiss refusals',
  '/owner/repaired': 'dismiss refusals',
  '/owner/audit/review': 'record a review of the log',
  '/owner/apps/revoke': 'disconnect apps',
  '/owner/keys/revoke': 'revoke keys',
  '/owner/webhooks/test': 'test, pause and remove webhooks',
  '/owner/webhooks/pause': 'test, pause and remove webhooks',
  '/owner/webhooks/remove': 'test, pause and remove webhooks',
  '/owner/clients': 'look up a person by a whole email address',
  '/owner/links/withdraw': 'withdraw client links',
  '/owner/links/withdraw-all': 'withdraw client links',
  '/owner/passkeys/name': 'rename passkeys',
  '/owner/approvers/withdraw': 'client links and invitations',
  '/owner/doctor': 'run the checks',
  '/owner/alerts/test': 'one test alert a minute',
  '/owner/sign-out-everywhere': 'sign out here or everywhere',
}

test('docs/security.md lists all that a session alone can do', () => {
  const paths = CONSOLE_FORMS.map(([path]) => path)
  expect([...WITH_PASSKEY, ...Object.keys(SESSION_ALONE)].toSorted()).toEqual(paths.toSorted())
  const [listed] = /- \*\*A stolen owner's session\*\*.*/.exec(security)!
  for (const words of Object.values(SESSION_ALONE)) expect(listed).toContain(words)
})

test('what a session alone can do asks it for no passkey', async () => {
  const { web } = await ownerPages()
  for (const path of Object.keys(SESSION_ALONE)) {
    const page = await post(web, path, FORMS[path] ?? {})
    expect(page.status, path).not.toBe(405)
    expect(page.html, path).not.toContain('Confirm with your passkey')
  }
})

/** What a browser says of a form on a page that is none of ours. */
const ELSEWHERE = [
  { 'Sec-Fetch-Site': 'cross-site' },
  { 'Sec-Fetch-Site': 'same-site', Origin: ORIGIN },
  { Origin: 'https://evil.example' },
  // A browser that does not say whose page it is.
  { 'Sec-Fetch-Site': undefined },
  { 'Sec-Fetch-Site': undefined, Origin: 'null' },
  { 'Sec-Fetch-Site': undefined, Origin: 'https://evil.example' },
]

describe('each form', () => {
  const forms = Object.entries(FORMS).map(([path, given]) => [path, Object.entries(given)] as const)

  test('does nothing for a visitor who is signed out', async () => {
    const rig = await ownerPages()
    const stranger = browser(ORIGIN, rig.ask)
    for (const [path, fields] of forms) {
      const answer = await stranger.submit(path, [...(await secretOf(rig.web)), ...fields])
      expect([path, answer.status]).toEqual([path, 403])
      expect(answer.html).toContain('Nothing was changed')
    }
    expect(await entriesOf(rig)).toEqual(['enrolment added'])
  })

  test('that was sent after the sign-in had ended is sent again, with what was entered, after the next one', async () => {
    const rig = await ownerPages()
    const entered: Fields = [...OPERATIONS, ...Object.entries(TIGHT)]
    const late = await browser(ORIGIN, rig.ask).submit('/owner/rules', [
      ['csrf', 'old'],
      ...entered,
    ])
    const kept = late.form('/owner/rules', 'Sign in')
    expect(kept).toEqual(entered)
    const asked = await rig.web.submit('/owner/rules', kept)
    expect(await entriesOf(rig)).toEqual(['enrolment added'])
    await rig.web.submit('/owner/rules', asked.form('/owner/rules'))
    expect((await rig.web.open('/owner/settings')).html).toContain('$500.00')
    const made = await env.EVENT_LOG.getByName('event-log').subscribe({
      caller: 'owner',
      url: 'https://hooks.example.com/catch',
      topics: ['client.created'],
      origin: ORIGIN,
    })
    const sure: Fields = [
      ['csrf', 'old'],
      ['id', 'subscription' in made ? made.subscription.id : ''],
      ['sure', ''],
    ]
    const again = await rig.web.submit('/owner/webhooks/remove', sure)
    expect(again.html).toContain('Send the form “Remove webhook” again?')
    const sent = await rig.web.submit(
      '/owner/webhooks/remove',
      again.form('/owner/webhooks/remove'),
    )
    expect(sent.html).toContain('Send no more events to')
  })

  test('does nothing without the secret of the page, with a wrong one, or from another site', async () => {
    const rig = await ownerPages()
    const own = await secretOf(rig.web)
    for (const [path, fields] of forms) {
      const sent = [
        await rig.web.submit(path, fields),
        await rig.web.submit(path, [['csrf', 'made-up'], ...fields]),
      ]
      for (const headers of ELSEWHERE)
        sent.push(await rig.web.submit(path, [...own, ...fields], headers))
      expect([path, ...sent.map(({ status }) => status)]).toEqual([path, ...sent.map(() => 403)])
    }
    expect(await entriesOf(rig)).toEqual(['enrolment added'])
    expect((await rig.web.open('/owner')).html).toContain('Pause all agents')
    // An older browser says no more than this of a page of ours.
    const ours = { 'Sec-Fetch-Site': undefined, Origin: ORIGIN }
    const sent = await rig.web.submit('/owner/pause', [...own, ['caller', '*']], ours)
    expect(sent.status).toBe(303)
  })

  test('is read no further than 32 KiB', async () => {
    const { web } = await ownerPages()
    for (const [path, fields] of forms) {
      const long: Fields = [...(await secretOf(web)), ...fields, ['more', 'x'.repeat(33_000)]]
      expect([path, (await web.submit(path, long)).status]).toEqual([path, 413])
    }
  })

  test('leads to its page where its address is opened', async () => {
    const { web } = await ownerPages()
    for (const [path] of forms) {
      const opened = await web.open(path)
      // The page with the field for a person has the address of its form.
      if (path === '/owner/clients') expect(opened.html).not.toContain('No one')
      else if (path === '/owner/sign-out') expect(opened.status).toBe(405)
      else {
        expect([path, opened.status]).toEqual([path, 302])
        const { status, html } = await web.open(opened.headers.get('Location')!)
        expect([path, status, html.includes('aria-label="Pages"')]).toEqual([path, 200, true])
      }
    }
  })
})

describe.each(Object.entries(LOOSENING))('what loosens at %s', (path, { ask, done }) => {
  test('is done on a proof for just that, and logged before it holds', async () => {
    const rig = await ownerPages()
    const page = await ask(rig.web)
    expect(page.html).toContain('Confirm with your passkey')
    expect(await done(rig.web)).toBe(false)
    expect((await confirmed(rig.web, page)).status).toBe(303)
    expect(await done(rig.web)).toBe(true)
  })

  test('is not done with a proof for anything else', async () => {
    const { web } = await ownerPages()
    const page = await ask(web)
    for (const other of Object.keys(LOOSENING).filter((one) => one !== path)) {
      const foreign = await LOOSENING[other]?.ask(web)
      const asked = foreign && proofAsked(foreign)
      const proof = await web.authenticator?.get(asked?.options ?? { challenge: '' })
      expect((await web.submit(path, withProof(page, path, proof))).status, other).toBe(403)
      expect(await done(web), other).toBe(false)
    }
  })

  test('is not done while the audit log cannot be written', async () => {
    const rig = await ownerPages()
    const page = await ask(rig.web)
    const proof = await rig.web.authenticator?.get(proofAsked(page)?.options ?? { challenge: '' })
    const log = vi.spyOn(AuditLog.prototype, 'append').mockImplementation(() => {
      throw onPurpose('the audit log does not answer')
    })
    const answer = await rig.web.submit(path, withProof(page, path, proof))
    expect(answer.status).toBeGreaterThanOrEqual(500)
    expect(log).toHaveBeenCalled()
    log.mockRestore()
    expect(await done(rig.web)).toBe(false)
  })
})

describe('pausing', () => {
  test('needs nothing but the session, holds at once, and says since when', async () => {
    const rig = await ownerPages()
    expect((await post(rig.web, '/owner/pause', { caller: '*' })).headers.get('Location')).toBe(
      '/owner?done=paused',
    )
    vi.setSystemTime(NOW + 28 * MINUTE)
    const { html } = await rig.web.open('/owner?done=paused')
    expect(html).toMatch(/Paused since\s+<time[^>]*>3:12 PM EST<\/time>/)
    expect(html).toContain('Changes that had begun are finished')
    expect(await entriesOf(rig)).toContain('rules paused')
  })

  test('of one caller leaves the others alone, and is refused for a caller that there cannot be', async () => {
    const { web } = await ownerPages()
    const one = await post(web, '/owner/pause', { caller: 'oauth:owner:app_one' })
    expect(one.headers.get('Location')).toMatch(/\?done=paused_one$/)
    expect((await web.open('/owner')).html).toContain('Pause all agents')
    for (const caller of ['', 'key:', 'key:none', 'someone', 'key:a b', '**'])
      expect((await post(web, '/owner/pause', { caller })).status).toBe(403)
  })

  test('twice is as good as once, and resuming what runs asks for nothing', async () => {
    const { web, audit } = await ownerPages()
    await post(web, '/owner/pause', { caller: '*' })
    vi.setSystemTime(NOW + MINUTE)
    await post(web, '/owner/pause', { caller: '*' })
    const logged = (await audit()).filter(({ event }) => event === 'rules')
    expect(logged.map(({ code }) => code)).toEqual(['paused'])
    expect((await web.open('/owner')).html).toContain('3:12 PM EST')
    expect(
      (await post(web, '/owner/resume', { caller: 'oauth:owner:app_one' })).headers.get('Location'),
    ).toBe('/owner/callers/oauth%3Aowner%3Aapp_one?done=resumed_one')
  })
})

describe('rules', () => {
  test('that only tighten are kept at once', async () => {
    const { web } = await ownerPages()
    expect((await rules(web, TIGHT)).headers.get('Location')).toBe('/owner/settings?done=rules')
    expect((await rules(web, { ...TIGHT, amount: '400', changes_a_day: '9' })).status).toBe(303)
    const { html } = await web.open('/owner/settings')
    expect(html).toContain('$400.00')
    expect(html).toContain('at most 9')
  })

  test('that were refused change nothing, nor does what was right of them', async () => {
    const { web } = await ownerPages()
    await rules(web, TIGHT)
    const page = await rules(web, { ...TIGHT, amount: 'lots', changes_a_day: '7' })
    expect(page.status).toBe(422)
    expect((await web.open('/owner/settings')).html).not.toContain('at most 7')
  })

  test('a proof names both sets: where others were kept meanwhile, it is asked for again', async () => {
    const { web } = await ownerPages()
    await rules(web, TIGHT)
    const page = await rules(web, { ...TIGHT, amount: '600' })
    expect(page.html).toContain('Largest payment link: $600.00 (until now: $500.00).')
    await rules(web, { ...TIGHT, amount: '100' })
    const again = await confirmed(web, page)
    expect(again.status).toBe(403)
    expect(again.html).toContain('Largest payment link: $600.00 (until now: $100.00).')
    expect((await web.open('/owner/settings')).html).toContain('$100.00')
  })

  test('a proof for one caller loosens no other', async () => {
    const { web } = await ownerPages()
    for (const caller of ['oauth:owner:app_one', 'oauth:owner:app_two'])
      await rules(web, { ...TIGHT, caller })
    const page = await rules(web, { ...TIGHT, caller: 'oauth:owner:app_one', amount: '600' })
    const proof = await web.authenticator?.get(proofAsked(page)?.options ?? { challenge: '' })
    const moved = withProof(page, '/owner/rules', proof).map(([name, value]): [string, string] =>
      name === 'caller' ? [name, 'oauth:owner:app_two'] : [name, value],
    )
    expect((await web.submit('/owner/rules', moved)).status).toBe(403)
  })
})

describe('the owner’s page', () => {
  const broken = new Proxy({} as never, {
    get: () => () => {
      throw onPurpose('this object does not answer')
    },
  })
  const slow = new Proxy({} as never, {
    get: (_, name) =>
      name === 'get' ? () => new Proxy({}, { get: () => () => new Promise(() => {}) }) : () => 'id',
  })

  test.each<[string, Partial<Env>]>([
    ['does not answer', { COORDINATOR: broken }],
    ['answers too late', { COORDINATOR: slow }],
  ])('shows the rest where the keeper of the rules %s', async (_, replaced) => {
    const rig = await ownerPages()
    const { cookies } = rig.web
    const web = browser(ORIGIN, rig.askWith(replaced))
    for (const [name, value] of cookies) web.cookies.set(name, value)
    const { status, html } = await web.open('/owner')
    expect(status).toBe(200)
    expect(html).toContain('Whether agents are paused could not be read just now.')
    expect(html).toContain('No consults are booked.')
    expect(html).toContain('Latest changes')
  })

  test('shows the rest where the store of the apps does not answer', async () => {
    const rig = await ownerPages()
    const web = browser(ORIGIN, rig.askWith({ OAUTH_KV: broken }))
    for (const [name, value] of rig.web.cookies) web.cookies.set(name, value)
    const { status, html } = await web.open('/owner/callers')
    expect(status).toBe(200)
    expect(html.match(/This could not be read just now/g)).toHaveLength(1)
    expect(html).toContain('Pause all agents')
  })

  test('renews what needs the owner for the owner alone', async () => {
    const { ask, web } = await ownerPages()
    const part = await web.open('/owner/now')
    expect(part.status).toBe(200)
    expect(part.html.trim()).toMatch(/<h1 /)
    expect((await web.open('/owner')).html.replace(/\s/g, '')).toContain(
      part.html.replace(/\s/g, ''),
    )
    const { status, html } = await browser(ORIGIN, ask).open('/owner/now')
    expect([status, JSON.parse(html)]).toEqual([
      401,
      expect.objectContaining({ code: 'unauthenticated' }),
    ])
  })
})
