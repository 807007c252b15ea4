// @module-tag slow

import { join } from 'node:path'

import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { PAGES } from '../../../src/owner/console/shell/shell.ts'
import { TO_BEGIN_WITH } from '../../../src/practice/operations/house-rules.ts'
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
import { webhookReceiver } from '../../support/webhook-receiver.ts'

const executable = await findChromium()
if (executable === undefined)
  console.log('No Chromium on this machine: no one goes through the first steps in a real browser.')

/** To look at the pages: SCREENSHOTS=<folder> */
const shots = process.env['SCREENSHOTS']

const NEXT = '.steps li.now'
/** So many steps are done where they are folded. */
const FOLDED_FROM = 2

describe.runIf(executable !== undefined)('the first hour of an owner, in a real browser', () => {
  let practice: Practice
  let alerts: Awaited<ReturnType<typeof webhookReceiver>>
  let chromium: Window
  let page: Page
  let phone: Walker
  let firstKey: Program

  beforeAll(async () => {
    alerts = await webhookReceiver()
    const recipient = await identityToRecipient(await generateX25519Identity())
    practice = await startPractice({
      vars: { ...OWNED, ALERT_WEBHOOK_URL: alerts.url, BACKUP_RECIPIENT: recipient },
    })
    chromium = await openChromium(executable!)
    page = await chromium.context.newPage()
    phone = await walkerOn(page, practice.url, ON_A_PHONE)
    firstKey = programWith(practice.url, OWNER_KEY)
  })
  afterAll(async () => {
    await chromium.close()
    await practice.stop()
    await alerts.stop()
  })

  const picture = async (name: string): Promise<void> => {
    if (shots === undefined) return
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [390, 1280]) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 844 })
        await page.screenshot({
          path: join(shots, `${name}-${width}-${colorScheme}.png`),
          fullPage: true,
        })
      }
    await page.setViewportSize(ON_A_PHONE.viewport)
  }
  /** Opens Home, where so many steps are done, and what the next one has to press is on the first screen of a phone. */
  async function home(done: number): Promise<void> {
    await phone.open('/owner')
    const isFolded = done >= FOLDED_FROM
    const head = isFolded ? 'details.first summary' : 'section[aria-labelledby=first] .head'
    expect(await phone.text(head)).toContain(`${done} of 7 done`)
    if (isFolded) await phone.press(head)
    expect(await page.locator('.steps .ok').count()).toBe(done)
    const pressed = page.locator(`${NEXT} :is(button, .button)`).first()
    const { y, height } = (await pressed.boundingBox())!
    expect(y + height, `${done} done`).toBeLessThanOrEqual(ON_A_PHONE.viewport.height)
    await picture(`home-${done}`)
  }

  test('goes step by step, each ticked by what is there, with one thing to press', async () => {
    await addAuthenticator(page)
    await page.goto(`${practice.url}/owner/enrol#${practice.token}`)
    await page.locator('[data-passkey=enrol]').click()
    await page.waitForURL(`${practice.url}/owner`)
    await home(1)
    await page.setViewportSize(ON_A_PHONE.viewport)

    await phone.press(`${NEXT} a.button`)
    const second = await addAuthenticator(page, 'usb')
    await phone.press('[data-passkey=add]')
    await phone.found('#confirm').waitFor()
    await second.remove()
    await phone.confirm()
    await phone.done('added')
    await home(2)

    await phone.press(`${NEXT} a.button`)
    await phone.found('#address').waitFor()
    await (await firstKey.asks('/v1/payment-links', { invoice_id: 'in_mock_open' })).commit()
    await home(3)

    await phone.press(`${NEXT} form[action="/owner/rules"] button`)
    await phone.done('rules')
    await home(4)

    await phone.press(`${NEXT} form[action="/owner/alerts/test"] button`)
    await phone.done('alert')
    expect(alerts.deliveries).toHaveLength(1)
    await phone.open('/owner/audit?event=system')
    expect(await phone.text('.entries')).toContain('had a test alert sent')
    await home(5)

    expect(await phone.text(`${NEXT} code`)).toMatch(/^npm run backup -- --new-key/)
    const backup = await fetch(`${practice.url}/v1/backup`, {
      headers: { 'X-API-Key': OWNER_KEY },
    })
    expect(backup.status).toBe(200)
    await backup.arrayBuffer()
    await home(6)
    expect(await phone.text(`${NEXT} code`)).toContain('npm run setup')
    await page.setViewportSize(ON_A_PHONE.viewport)
  })

  test('reaches every page from one row on a phone, and nothing of it is cut at any width', async () => {
    await phone.open('/owner')
    for (const width of [320, 360, 390, 768, 1280]) {
      await page.setViewportSize({ width, height: 844 })
      const nav = page.locator('nav')
      expect(await nav.evaluate((one) => one.scrollWidth - one.clientWidth), `${width}`).toBe(0)
      expect(await sideways(page), `${width}`).toBeLessThanOrEqual(0)
      const tops = await page
        .locator('nav a')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))
      expect(tops).toHaveLength(Object.keys(PAGES).length)
      if (width >= 390) expect(new Set(tops).size, `${width}`).toBe(1)
    }
    await page.setViewportSize(ON_A_PHONE.viewport)
  })

  test('says "Mock" once on Home and on the page of a change, in the row of the name', async () => {
    await phone.open('/owner')
    const said = async () => (await phone.text('body')).match(/\bMock\b|really|nothing real/g)
    expect(await said()).toEqual(['Mock'])
    // The set that was chosen above, for every amount: a key can only add to it.
    const approval = TO_BEGIN_WITH.rules.approval!.map(
      ({ operation }) => ({ operation, level: 'person' }) as const,
    )
    await firstKey.tightens({ changes_a_day: 100, approval })
    const { path } = await firstKey.asksForPayment()
    await phone.open(path)
    expect(await said()).toEqual(['Mock'])
    await phone.press('.foot button.danger')
  })

  test('opens a row by pressing anywhere in it: a change, a consult, a client', async () => {
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
      const { width, height } = (await page.locator(row).first().boundingBox())!
      await page
        .locator(row)
        .first()
        .click({ position: { x: width - 3, y: height / 2 } })
    }
    await firstKey.makesKey('Front desk', ['availability:read'])
    for (const [open, row, leads] of [
      ['/owner/callers', 'section[aria-labelledby=keys] tbody tr', /\/owner\/callers\/\w+/],
      ['/owner', 'section[aria-labelledby=done] a.line', /\/owner\/audit\/\d+$/],
      ['/owner', 'section[aria-labelledby=coming] a.line', /\/owner\/audit\?id=bk_/],
      ['/owner/people', 'section[aria-labelledby=latest] a.line', /\/owner\/people\/cl_/],
    ] as const) {
      await phone.open(open)
      await pressEdge(row)
      await page.waitForURL(leads)
    }
    expect(page.url()).toContain(client_id)
    expect(await phone.text('h1')).toBe('J. Z.')
    expect(await phone.text('section[aria-labelledby=made]')).toMatch(/Consult/)
    await picture('person')
    await page.setViewportSize(ON_A_PHONE.viewport)
    await phone.open('/owner')
    await picture('home-filled')
    await page.goto(`${practice.url}/owner/people/cl_${'x'.repeat(40)}`)
    expect(await phone.text('h1')).toBe('Not here')
  })

  test('stands in two columns on a desktop, and in one on a phone', async () => {
    await phone.open('/owner')
    const topsAt = async (width: number): Promise<number[]> => {
      await page.setViewportSize({ width, height: 844 })
      return page
        .locator('.cols > *')
        .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().left)))
    }
    const [left, right] = await topsAt(1280)
    expect(right).toBeGreaterThan(left! + 300)
    expect(new Set(await topsAt(390)).size).toBe(1)
  })

  test('keeps the console on the home screen of a phone: Chromium finds nothing against it', async () => {
    const devtools = await page.context().newCDPSession(page)
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
    const touch = await page.locator('link[rel=apple-touch-icon]').getAttribute('href')
    for (const path of [...manifest.icons.map(({ src }) => src), touch!]) {
      const size = await page.evaluate(async (src) => {
        const image = new Image()
        image.src = src
        await image.decode()
        return [image.naturalWidth, image.naturalHeight]
      }, path)
      expect(size).toEqual([Number(/\d+/.exec(path)![0]), Number(/\d+/.exec(path)![0])])
    }
    const colours = await page
      .locator('meta[name=theme-color]')
      .evaluateAll((all) => all.map((one) => (one as HTMLMetaElement).content))
    expect(colours).toHaveLength(2)
  })

  test('goes through the same without scripts, and by the keyboard', async () => {
    const quiet = await walkerOn(await chromium.context.newPage(), practice.url, {
      ...ON_A_DESKTOP,
      scripts: false,
    })
    await quiet.open('/owner')
    expect(await quiet.page.locator('[data-copy]').first().isVisible()).toBe(false)
    await quiet.press('details.first > summary')
    expect(await quiet.text(`${NEXT} code`)).toContain('npm run setup')
    await quiet.press('section[aria-labelledby=done] a.line')
    await quiet.page.waitForURL(/\/owner\/audit\/\d+$/)
    await quiet.page.close()
  })
})
