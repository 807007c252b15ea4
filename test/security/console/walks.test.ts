// @module-tag slow

import { readFile } from 'node:fs/promises'

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { HOSTS, SCOPES } from '../../../src/core/domain/scopes.ts'
import { SETTINGS } from '../../../src/owner/console/settings/page.ts'
import { PAGES } from '../../../src/owner/console/shell/shell.ts'
import { RULE_TITLES } from '../../../src/practice/operations/house-rules.ts'
import {
  type Window,
  addAuthenticator,
  findChromium,
  openChromium,
} from '../../support/chromium.ts'
import { OWNED, OWNER_KEY } from '../../support/connector.ts'
import {
  ON_A_DESKTOP,
  ON_A_PHONE,
  type Program,
  type Walker,
  programWith,
  walkerOn,
} from '../../support/console-walk.ts'
import { exampleEntry } from '../../support/example-entry.ts'
import { type Practice, startPractice } from '../../support/owner-connector.ts'
import { webhookReceiver } from '../../support/webhook-receiver.ts'

const executable = await findChromium()
if (executable === undefined)
  console.log('No Chromium on this machine: no one goes through the console in a real browser.')

const APPROVED_FIRST = {
  approval: [{ operation: 'create_payment_link', level: 'person' as const }],
}
const EMAIL = 'zibblethwaite@crindlefen.example'

describe.runIf(executable !== undefined)('the owner', () => {
  let practice: Practice
  let alerts: Awaited<ReturnType<typeof webhookReceiver>>
  let chromium: Window
  let owner: Page
  let firstKey: Program
  const complaints: string[] = []

  beforeAll(async () => {
    alerts = await webhookReceiver()
    practice = await startPractice({ vars: { ...OWNED, ALERT_WEBHOOK_URL: alerts.url } })
    chromium = await openChromium(executable!)
    await chromium.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    owner = await chromium.context.newPage()
    owner.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    await addAuthenticator(owner)
    await owner.goto(`${practice.url}/owner/enrol#${practice.token}`)
    await owner.locator('[data-passkey=enrol]').click()
    await owner.waitForURL(`${practice.url}/owner`)
    firstKey = programWith(practice.url, OWNER_KEY)
    await firstKey.tightens(APPROVED_FIRST)
    const log = (await practice.durableObjects('AUDIT_LOG')).getByName('audit-log') as unknown as {
      append(entries: object[]): Promise<void>
    }
    const at = Date.now()
    await log.append(
      Array.from({ length: 120 }, (_, i) =>
        exampleEntry({
          id: `e${String(i).padStart(3, '0')}`,
          at,
          event: 'commit',
          code: 'committed',
        }),
      ),
    )
  })
  afterAll(async () => {
    await chromium.close()
    await practice.stop()
    await alerts.stop()
  })

  /** A payment link that waits for the owner, of a program that asks for nothing else. */
  const aPayment = async () =>
    (await firstKey.makesKey('Front desk', ['payments:write'])).program.asksForPayment()

  test('without any app or key is led to how an agent is connected', async () => {
    const { open, press, found, fits } = await walkerOn(owner, practice.url, ON_A_PHONE)
    await open('/owner')
    await fits()
    await press('details.first > summary')
    await press('main a[href="/owner/connect"]')
    await found('#address').waitFor()
  })

  test('sees one look on public pages, in the console and on the page of an approval, kept for a year', async () => {
    const { path } = await aPayment()
    const shown: object[] = []
    for (const page of ['/', '/docs', '/owner', path]) {
      await owner.goto(practice.url + page)
      shown.push(
        await owner.evaluate(() => ({
          accent: getComputedStyle(document.documentElement).getPropertyValue('--accent'),
          hasMark: document.querySelector('header svg, header img[src="/favicon.svg"]') !== null,
          icon: document.querySelector('link[rel=icon]')?.getAttribute('href'),
        })),
      )
    }
    expect(shown).toEqual(shown.map(() => ({ ...shown[0], hasMark: true })))
    const icon = await (await fetch(`${practice.url}/favicon.svg`)).text()
    expect(icon).toContain(await owner.locator('header svg path').getAttribute('d'))
    const files = await owner.evaluate(() =>
      [...document.querySelectorAll('link[rel=stylesheet], script[src]')].map(
        (one) => (one as HTMLLinkElement).href || (one as HTMLScriptElement).src,
      ),
    )
    expect(files.length).toBeGreaterThan(2)
    for (const file of files)
      expect((await fetch(file)).headers.get('Cache-Control')).toMatch(
        /max-age=31536000.*immutable/,
      )
    await owner.locator(`form[action="${path}"] button.danger`).click()
    await owner.locator('main [role=status]').first().waitFor()
  })

  test('skips the way to the other pages with the keyboard, past the button that pauses all', async () => {
    await owner.goto(`${practice.url}/owner/callers`)
    for (const stop of ['/owner', 'button', '#main']) {
      await owner.keyboard.press('Tab')
      expect(
        await owner.evaluate(() => document.activeElement?.getAttribute('href') ?? 'button'),
      ).toBe(stop)
    }
    await owner.keyboard.press('Enter')
    await owner.keyboard.press('Tab')
    expect(await owner.evaluate(() => document.activeElement?.closest('main')?.id)).toBe('main')
  })

  describe.each([
    ['on a phone, in the dark', ON_A_PHONE],
    ['on a desktop, with the keyboard alone', ON_A_DESKTOP],
  ])('%s', (name, look) => {
    let walker: Walker
    let press: Walker['press']
    let open: Walker['open']
    let type: Walker['type']
    let text: Walker['text']

    beforeAll(async () => {
      walker = await walkerOn(owner, practice.url, look)
      ;({ press, open, type, text } = walker)
    })

    /** Lets someone in, which needs the passkey, on a page with scripts. */
    async function invites(who: string): Promise<string> {
      await owner.goto(`${practice.url}/owner/settings/people`)
      await owner.fill('form[action="/owner/approvers/invite"] [name=name]', who)
      await owner.locator('form[action="/owner/approvers/invite"] button').click()
      await owner.locator('#confirm [data-passkey=confirm]').click()
      return owner.locator('#link').innerText()
    }

    test('makes a key of their own choice, which is shown once, can be copied, and does what was ticked and no more', async () => {
      await open('/owner/callers')
      await press('main a[href="/owner/callers/new"]')
      expect(await walker.page.locator('.own').isVisible()).toBe(false)
      await walker.choose('[name=preset][value=own]')
      await type('[name=name]', `Desk ${name}`)
      await press('[value="availability:read"]')
      const days = look.keyboard ? '30' : '365'
      if (look.keyboard) await type('[name=days]', days)
      await walker.fits()
      await press('form[action="/owner/keys/make"] button')
      expect(await text('.changes')).toContain(SCOPES['availability:read'])
      expect(await text('.changes')).toContain(`${days} days`)
      await walker.fits()
      await walker.confirm()
      const key = await text('#key')
      await press('[data-copy=key]')
      await expect.poll(() => walker.copied()).toBe(key)
      await walker.fits()
      const made = programWith(practice.url, key)
      expect((await made.send('/v1/availability')).status).toBe(200)
      expect((await made.send('/v1/bookings')).body['code']).toBe('insufficient_scope')
      await open('/owner/keys/make')
      expect(await text('main')).toContain(`Desk ${name}`)
      expect(await walker.page.content()).not.toContain(key)
    })

    test('makes a key for a website form in one press, with its rule', async () => {
      await open('/owner/callers/new')
      const button = (await walker.found('form[action="/owner/keys/make"] button').boundingBox())!
      expect(button.y + button.height).toBeLessThanOrEqual(look.viewport.height)
      await press('form[action="/owner/keys/make"] button')
      expect(await text('.changes')).toContain('Book a consult, Create a client profile')
      await walker.fits()
      await walker.confirm()
      const made = programWith(practice.url, await text('#key'))
      const { body } = await made.send('/v1/availability')
      const [slot] = (body as { slots: { start_time: string }[] }).slots
      const booking = await made.asks('/v1/bookings', {
        start_time: slot!.start_time,
        invitee_email: EMAIL,
        timezone: 'America/New_York',
      })
      const booked = (await booking.commit()).body['result'] as { booking_id: string }
      const cancel = await made.asks(`/v1/bookings/${booked.booking_id}/cancel`, {})
      expect(cancel.preview.body['code']).toBe('house_rule')
      await press('main a[href$="#rules"]')
      expect(await text('section[aria-labelledby=rules] dl')).toContain('Book a consult')
      await walker.fits()
    })

    test('sees what a looser rule lets through, and declines it first, with one press', async () => {
      const waiting = await aPayment()
      await open('/owner')
      expect(await text('#count')).toBe('1')
      await open('/owner/settings')
      await press('main details:has(button.main) > summary')
      const approves = 'A person approves: Create a payment link'
      await walker.page.getByLabel(approves).selectOption('Never')
      await press('form[action="/owner/rules"] button.main')
      expect(await text('.changes')).toContain('$250.00')
      await walker.fits()
      await press('#confirm [name=first]')
      await expect.poll(() => text('.changes')).not.toContain('$250.00')
      await walker.confirm()
      await walker.done('rules')
      expect((await waiting.commit()).body['code']).toBe('approval_declined')
      await firstKey.tightens(APPROVED_FIRST)
    })

    test('downloads what is kept of one of the latest clients, masked', async () => {
      const client_id = await firstKey.createsClient(EMAIL)
      await open('/owner/people')
      await press(`a[href="/owner/people/${client_id}"]`)
      await press('form[action="/owner/people/export"] button')
      await walker.fits()
      const download = walker.page.waitForEvent('download')
      await walker.confirm()
      const file = await download
      expect(file.suggestedFilename()).toBe('client.json')
      const kept = await readFile(await file.path(), 'utf8')
      expect(JSON.parse(kept)).toMatchObject({
        clients: [{ client_id, client: { display_name: 'J. Z.' } }],
      })
      expect(kept.toLowerCase()).not.toContain('zibblethwaite')
    })

    test('reads what and who, approves within the first screen, tells the agent to go on, and finds it in the log', async () => {
      const change = await aPayment()
      await open('/owner')
      const row = walker.page.locator('#now tr', {
        has: walker.page.locator(`a[href="${change.path}"]`),
      })
      expect(await text(row)).toMatch(new RegExp(`\\$250\\.00.*${change.code}.*\\d (?:h|min)`))
      await press(row.locator('a'))
      // What and who, then how much, and both buttons, without scrolling.
      const lead = await walker.found('main h1').boundingBox()
      const who = await walker.found('main dd').boundingBox()
      expect(lead!.y).toBeLessThan(who!.y)
      for (const button of await walker.page.locator('.foot button').all()) {
        const { y, height } = (await button.boundingBox())!
        expect(y + height).toBeLessThanOrEqual(look.viewport.height)
        expect(y).toBeGreaterThan(who!.y)
      }
      expect(await text('main')).toContain('API key')
      await walker.fits()
      await press('.foot [data-passkey=confirm]')
      await walker.found('main [data-copy=go-on]').waitFor()
      expect(await walker.page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe(
        'status',
      )
      await press('[data-copy=go-on]')
      await expect.poll(() => walker.copied()).toContain(change.code)
      expect((await change.commit()).body['status']).toBe('committed')
      await walker.page.reload()
      await press('main dl a[href^="/owner/audit"]')
      expect(await text('.entries .good')).toMatch(/\$250\.00.*approved by/i)
      await press(
        walker.page.locator('.entries li.plain', { hasText: 'approved' }).locator('a').first(),
      )
      const signature = walker.page.locator('dt', { hasText: /^Signature$/ })
      expect(await signature.isVisible()).toBe(false)
      await press('main details summary')
      await signature.waitFor()
      await walker.fits()
    })

    // The pages of these are walked with the keyboard in every-page.test.ts, and their forms are sent without scripts in test/worker.
    if (look.keyboard) return

    test('names a passkey', async () => {
      await open('/owner/settings/passkeys')
      await press('main li details summary')
      await type('form[action="/owner/passkeys/name"] [name=name]', `Anna’s phone ${name}`)
      await press('form[action="/owner/passkeys/name"] button')
      await walker.done('named')
      expect(await text('main li strong')).toBe(`Anna’s phone ${name}`)
    })

    test('reads how an agent is connected: its address, and three steps for each host', async () => {
      await open('/owner/callers')
      await press('main a[href="/owner/connect"]')
      expect(await text('#address')).toBe(`${practice.url}/mcp`)
      await press('[data-copy=address]')
      await expect.poll(() => walker.copied()).toBe(`${practice.url}/mcp`)
      for (const [host, ...steps] of Object.values(HOSTS)) {
        const part = walker.page.locator('main details', { hasText: host })
        await press(part.locator('summary'))
        const shown = await part.locator('li').allInnerTexts()
        expect(shown).toEqual(steps.map((step) => step.replace('<PUBLIC_URL>', practice.url)))
      }
      await walker.fits()
    })

    test('sends a test alert with one press, at most one a minute', async () => {
      alerts.deliveries.length = 0
      await open('/owner/settings/health')
      await press('form[action="/owner/alerts/test"] button')
      const said = (address: URL) => address.searchParams.get('done') ?? ''
      // A walk before this one may have sent one in this minute.
      await walker.page.waitForURL((address) => ['alert', 'alert_wait'].includes(said(address)))
      const done = said(new URL(walker.page.url()))
      await walker.done(done)
      expect(alerts.deliveries.map(({ body }) => JSON.parse(body) as object)).toMatchObject(
        done === 'alert' ? [{ event: 'test' }] : [],
      )
    })

    test('goes to older entries and back to newer ones, and from an entry back to the same search', async () => {
      await open('/owner/audit?event=')
      const range = async (): Promise<number[]> =>
        /(\d+) to (\d+) of/
          .exec(await text('section[aria-labelledby=entries]'))
          ?.slice(1)
          .map(Number) ?? []
      expect(await range()).toEqual([1, 50])
      await press('main a[href*="after="]')
      await walker.page.waitForURL(/after=/)
      // There may be newer entries by now.
      const [first] = await range()
      expect(first).toBeGreaterThan(50)
      await press('main a[href*="before="]')
      await walker.page.waitForURL(/before=/)
      expect((await range())[0]).toBeLessThan(first!)
      await press('.chips a[href="/owner/audit"]')
      await walker.page.waitForURL(/\/owner\/audit$/)
      await press('main a[href*="after="]')
      await walker.page.waitForURL(/audit\?after=/)
      await walker.found('.entries').waitFor()
      const search = walker.page.url()
      await press('.entries li a')
      await walker.page.waitForURL(/\/owner\/audit\/\d+/)
      await press('main a[href^="/owner/audit?"]')
      await walker.page.waitForURL(search)
    })

    test('learns which rule a caller met, how often, and takes that off the first page', async () => {
      const intern = `Intern ${name}`
      const { id, program } = await firstKey.makesKey(intern, ['payments:write'])
      await firstKey.tightens({ operations: ['book_consult'] }, `key:${id}`)
      for (let times = 0; times < 3; times++)
        expect((await program.asksForPayment()).preview.body['code']).toBe('house_rule')
      await open('/owner')
      const need = walker.page.locator('.need', { hasText: intern })
      await expect.poll(() => text(need)).toMatch(new RegExp(`${RULE_TITLES.operations}.*3 times`))
      await press(need.locator('form[action="/owner/refusals/dismiss"] button'))
      await walker.done('dismissed')
      expect(await need.count()).toBe(0)
      await open(`/owner/audit?event=refusal&caller=key%3A${id}`)
      expect(await walker.page.locator('.entries li').allInnerTexts()).toEqual([
        expect.stringMatching(/3\s×/),
      ])
    })

    test('revokes a key in two steps, and reads before what stops with it', async () => {
      const { id, program } = await firstKey.makesKey(`Old ${name}`, [
        'availability:read',
        'clients:write',
      ])
      await program.createsClient(EMAIL)
      await open('/owner/callers')
      await press(`main a[href="/owner/callers/key%3A${id}"]`)
      await press('form[action="/owner/keys/revoke"] button')
      expect(await text('.changes')).toMatch(/\b(?:one|1) change\b/)
      await walker.fits()
      expect((await program.send('/v1/availability')).status).toBe(200)
      await press('#confirm button.danger')
      await walker.done('key')
      expect((await firstKey.send('/v1/keys')).body['keys']).toContainEqual(
        expect.objectContaining({ id, revoked_at: expect.any(String) as string }),
      )
    })

    test('sees who is invited, and withdraws an invitation, whose link is then worth nothing', async () => {
      const link = await invites(`Sam ${name}`)
      await open('/owner/settings/people')
      const invited = walker.page.locator('main li', { hasText: `Sam ${name}` })
      expect(await text(invited)).toMatch(/expires in \d/)
      await walker.fits()
      await press(invited.locator('form[action="/owner/approvers/withdraw"] button'))
      await walker.done('uninvited')
      expect(await invited.count()).toBe(0)
      await owner.goto(link)
      await owner.locator('[data-passkey=enrol]').click()
      await expect.poll(() => owner.locator('#status').innerText()).toMatch(/not good/)
    })

    test('checks the installation: one line says how it is, what is good is folded, and the address can be opened again', async () => {
      await open('/owner/settings')
      for (const part of Object.keys(SETTINGS)) {
        await press(`.chips a[href="${part}"]`)
        await walker.page.waitForURL(practice.url + part)
      }
      await open('/owner/settings/health')
      await press('form[action="/owner/doctor"] button')
      const line = await walker.found('main .notice[role=status]').boundingBox()
      expect(line!.y + line!.height).toBeLessThan(look.viewport.height)
      expect(await walker.page.locator('main details dl').first().isVisible()).toBe(false)
      await walker.fits()
      await open('/owner/doctor')
      await walker.page.waitForURL(/\/owner\/settings\/health$/)
    })

    test('declines a caller three times within an hour, which then waits an hour, and no other caller does', async () => {
      const scopes = ['payments:write']
      const { program } = await firstKey.makesKey(`Pushy ${name}`, scopes)
      for (let times = 0; times < 3; times++) {
        const change = await program.asksForPayment()
        await open(change.path)
        await press('.foot button.danger')
        await expect.poll(() => walker.page.locator('.foot').count()).toBe(0)
        expect((await change.commit()).body['code']).toBe('approval_declined')
      }
      const { preview } = await program.asksForPayment()
      expect([preview.status, preview.body['code']]).toEqual([429, 'rate_limited'])
      expect(Number(preview.headers.get('Retry-After'))).toBeGreaterThan(3000)
      const other = await (
        await firstKey.makesKey(`Patient ${name}`, scopes)
      ).program.asksForPayment()
      expect(other.preview.status).toBe(200)
      await open(other.path)
      await press('.foot button.danger')
      await expect.poll(() => walker.page.locator('.foot').count()).toBe(0)
    })

    test('pauses with one press, and every page says so, that of an approval too', async () => {
      const { path: waits } = await aPayment()
      await open('/owner')
      await press('form[action="/owner/pause"] button')
      await walker.done('paused')
      const pages = [
        ...Object.keys(PAGES),
        ...Object.keys(SETTINGS),
        '/owner/connect',
        '/owner/callers/new',
      ]
      for (const page of [...pages, '/owner/callers/owner', '/owner/audit/1', waits]) {
        await open(page)
        expect(await walker.page.locator('.state').count(), page).toBe(1)
      }
      await walker.fits()
      expect((await firstKey.send('/v1/availability')).body['code']).toBe('paused')
      await press('form[action="/owner/resume"] button')
      await walker.confirm()
      await walker.done('resumed')
      expect((await firstKey.send('/v1/availability')).status).toBe(200)
      await open(waits)
      await press('.foot button.danger')
      await expect.poll(() => walker.page.locator('.foot').count()).toBe(0)
    })
  })

  test('met no page that breaks the policy that it is sent with', () => {
    expect(complaints.filter((one) => !/status of 40[13]/.test(one))).toEqual([])
  })
})
