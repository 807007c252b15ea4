// @module-tag slow

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { SCOPES } from '../../../src/core/domain/scopes.ts'
import { SETTINGS } from '../../../src/owner/console/settings/page.ts'
import { PAGES } from '../../../src/owner/console/shell/shell.ts'
import { sideways } from '../../support/accessibility.ts'
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
import { type Practice, startPractice } from '../../support/owner-connector.ts'

const executable = await findChromium()

const APPROVED_FIRST = {
  approval: [{ operation: 'create_payment_link', level: 'person' as const }],
}

describe.runIf(executable !== undefined)('the owner', () => {
  let practice: Practice
  let chromium: Window
  let owner: Page
  let firstKey: Program
  const complaints: string[] = []

  beforeAll(async () => {
    practice = await startPractice({ vars: OWNED })
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
  })
  afterAll(async () => {
    await chromium.close()
    await practice.stop()
  })

  /** A payment link that waits for the owner, of a program that asks for nothing else. */
  const aPayment = async () =>
    (await firstKey.makesKey('Front desk', ['payments:write'])).program.asksForPayment()

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

  test('reaches every page from one row on a phone, and nothing of it is cut at any width', async () => {
    const phone = await walkerOn(owner, practice.url, ON_A_PHONE)
    await phone.open('/owner')
    for (const width of [320, 360, 390, 768, 1280]) {
      await owner.setViewportSize({ width, height: 844 })
      const nav = owner.locator('nav')
      expect(await nav.evaluate((one) => one.scrollWidth - one.clientWidth), `${width}`).toBe(0)
      expect(await sideways(owner), `${width}`).toBeLessThanOrEqual(0)
      const tops = await owner
        .locator('nav a')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))
      expect(tops).toHaveLength(Object.keys(PAGES).length)
      if (width >= 390) expect(new Set(tops).size, `${width}`).toBe(1)
    }
    await owner.setViewportSize(ON_A_PHONE.viewport)
  })

  test('opens a row by pressing anywhere in it: a change, a consult, a client', async () => {
    const phone = await walkerOn(owner, practice.url, ON_A_PHONE)
    const client_id = await firstKey.createsClient('zibblethwaite@crindlefen.example')
    const { body } = await firstKey.send('/v1/availability')
    const [slot] = (body as { slots: { start_time: string }[] }).slots
    const booking = await firstKey.asks('/v1/bookings', {
      start_time: slot!.start_time,
      invitee_email: 'zibblethwaite@crindlefen.example',
      invitee_name: 'Jordan Zibblethwaite',
      timezone: 'America/New_York',
    })
    const made = (await booking.commit()).body
    expect(made, JSON.stringify([booking.preview.body, made])).toMatchObject({
      status: 'committed',
    })
    /** Presses just inside the right edge of the row, where no words are. */
    const pressEdge = async (row: string): Promise<void> => {
      const { width, height } = (await owner.locator(row).first().boundingBox())!
      await owner
        .locator(row)
        .first()
        .click({ position: { x: width - 3, y: height / 2 } })
    }
    await firstKey.makesKey('Front desk', ['availability:read'])
    for (const [open, row, leads] of [
      ['/owner/callers', 'section[aria-labelledby=keys] tbody tr', /\/owner\/callers\/\w+/],
      ['/owner', 'section[aria-labelledby=done] a.line', /\/owner\/audit\/\d+$/],
      ['/owner', 'section[aria-labelledby=coming] a.line', /\/owner\/audit\?id=bk_/],
      ['/owner/clients', 'section[aria-labelledby=latest] a.line', /\/owner\/clients\/cl_/],
    ] as const) {
      await phone.open(open)
      await pressEdge(row)
      await owner.waitForURL(leads)
    }
    expect(owner.url()).toContain(client_id)
    expect(await phone.text('h1')).toBe('J. Z.')
    expect(await phone.text('section[aria-labelledby=made]')).toMatch(/Consult/)
    await owner.goto(`${practice.url}/owner/clients/cl_${'x'.repeat(40)}`)
    expect(await phone.text('h1')).toBe('Not here')
  })

  test('keeps the console on the home screen of a phone: Chromium finds nothing against it', async () => {
    const phone = await walkerOn(owner, practice.url, ON_A_PHONE)
    const devtools = await owner.context().newCDPSession(owner)
    await devtools.send('Page.enable')
    await phone.open('/owner')
    const found = await devtools.send('Page.getAppManifest')
    expect(found.errors).toEqual([])
    const manifest = JSON.parse(found.data ?? '{}') as {
      name: string
      start_url: string
      icons: { src: string; sizes: string }[]
    }
    expect(manifest).toMatchObject({ name: 'Harbor Tax & Books', start_url: '/owner' })
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
    // What a private window of a test cannot do is no fault of the page.
    expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])
    const touch = await owner.locator('link[rel=apple-touch-icon]').getAttribute('href')
    for (const path of [...manifest.icons.map(({ src }) => src), touch!]) {
      const size = await owner.evaluate(async (src) => {
        const image = new Image()
        image.src = src
        await image.decode()
        return [image.naturalWidth, image.naturalHeight]
      }, path)
      expect(size).toEqual([Number(/\d+/.exec(path)![0]), Number(/\d+/.exec(path)![0])])
    }
    const colours = await owner
      .locator('meta[name=theme-color]')
      .evaluateAll((all) => all.map((one) => (one as HTMLMetaElement).content))
    expect(colours).toHaveLength(2)
  })

  test('approves one after another: each leads to the next, and the last to its end', async () => {
    const links = [await aPayment(), await aPayment(), await aPayment()]
    await owner.goto(practice.url + links[0]!.path)
    for (const left of [2, 1]) {
      const here = owner.url()
      await owner.getByRole('button', { name: `Approve, then the next (${left} left)` }).click()
      await owner.waitForURL((to) => to.pathname !== new URL(here).pathname)
      await owner.getByText('This is the next one.').waitFor()
    }
    await owner.getByRole('button', { name: 'Approve with your passkey' }).click()
    await owner.getByText('Approved.').waitFor()
    for (const link of links)
      expect((await link.commit()).body).toMatchObject({ status: 'committed' })
    await owner.reload()
    await owner.getByRole('link', { name: 'Back to Home' }).click()
    await owner.waitForURL(`${practice.url}/owner`)
  })

  test('is told by the open page that a change waits, which takes nothing away from a person who types there', async () => {
    const open = await chromium.context.newPage()
    try {
      await open.clock.install()
      await open.goto(`${practice.url}/owner`)
      await open.waitForLoadState()
      const link = await aPayment()
      const code = open.locator('#now').getByText(link.code)
      expect(await code.count()).toBe(0)
      await expect
        .poll(
          async () => {
            await open.clock.runFor(30_000)
            return code.count()
          },
          { timeout: 20_000 },
        )
        .toBe(1)
      expect(await open.locator('#news').innerText()).toMatch(/need/)

      await open.locator('#now a').first().focus()
      const focused = await open.evaluateHandle(() => document.activeElement)
      const second = await aPayment()
      await open.clock.runFor(30_000)
      expect(await focused.evaluate((one) => one === document.activeElement)).toBe(true)

      // What a form of it was refused for stays until it has been sent again.
      await open.evaluate(() => {
        ;(document.activeElement as HTMLElement).blur()
        const error = document.createElement('p')
        error.setAttribute('role', 'alert')
        document.querySelector('#now .need')!.append(error)
      })
      await open.clock.runFor(30_000)
      // Had the page asked for what is new, it would have it once this is answered.
      for (let times = 0; times < 3; times++)
        await open.evaluate((path) => fetch(path).then((answer) => answer.text()), '/owner/now')
      expect(await open.locator('#now').getByRole('alert').count()).toBe(1)
      await open
        .locator('#now')
        .getByRole('alert')
        .evaluate((one) => one.remove())
      // Signed out, the page does not go on saying what was true before.
      for (const path of ['/owner', '/owner/approvals']) {
        await open.goto(practice.url + path)
        const cookies = await chromium.context.cookies()
        await chromium.context.clearCookies()
        await open.clock.runFor(30_000)
        await open.getByRole('heading', { name: 'Sign in' }).waitFor()
        await chromium.context.addCookies(cookies)
      }
      for (const one of [link, second]) {
        await owner.goto(practice.url + one.path)
        await owner.getByRole('button', { name: 'Decline' }).click()
        await owner.getByText('Declined.').waitFor()
      }
    } finally {
      await open.close()
    }
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

    // Each page is walked with the keyboard in every-page.test.ts, and its forms are sent without scripts in test/worker.
    if (look.keyboard) return

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
    expect(complaints.filter((one) => !/status of 40[134]/.test(one))).toEqual([])
  })
})
