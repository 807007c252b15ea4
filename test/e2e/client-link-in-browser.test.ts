// @module-tag slow

import { createHash } from 'node:crypto'
import { join } from 'node:path'

import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import FILES from '../../src/api/pages/static-files.json' with { type: 'json' }
import { HOUR } from '../../src/core/domain/time/duration.ts'
import { newEnrolmentToken } from '../../src/owner/access/passkey-enrolment.ts'
import { accessibilityFaults } from '../support/accessibility.ts'
import { type Window, arrive, findChromium, openChromium } from '../support/chromium.ts'
import { type Connector, startConnector } from '../support/connector.ts'
import { linkMade } from '../support/filled-link.ts'
import { callerWith } from '../support/transports.ts'

type Maker = Awaited<ReturnType<typeof callerWith>>

const executable = await findChromium()

// To look at the pages: SCREENSHOTS=<folder>
const shots = process.env['SCREENSHOTS']
const PHONE = { width: 390, height: 844 }
const NAME = 'Jordan Zibblethwaite'
const EMAIL = 'jordan.canary@plumbwick.example'
const ASKING = { event_type: 'tax-call' }
const ABOUT = 'Back taxes of two years'

describe.runIf(executable !== undefined)(
  'in a real browser without scripts, as wide as a phone',
  () => {
    let connector: Connector
    let window: Window
    let scripted: Window
    let maker: Maker
    const token = newEnrolmentToken(Date.now() + HOUR, new Uint8Array(32))
    const vars = {
      // The second kind asks two questions and a telephone number.
      EVENT_TYPES: JSON.stringify({
        consult: { id: 'mock_consult' },
        'tax-call': { id: 'mock_tax_call' },
      }),
      PRACTICE_NAME: 'Harbor & Pine Financial',
      OWNER_ENROLMENT_SHA256: createHash('sha256').update(token).digest('hex'),
      PRACTICE_PHONE: '555-0142',
      CLIENT_LINK_NOTICE: 'We keep what you type for seven years.\nAsk us for a copy.',
      BOOKING_TERMS: 'Cancel a day before, or pay $50.',
      BOOKING_TERMS_ES: 'Cancele un día antes, o pague $50.',
    }
    beforeAll(async () => {
      ;[window, scripted] = await Promise.all([
        openChromium(executable!, { javaScriptEnabled: false, viewport: PHONE }),
        openChromium(executable!, { viewport: PHONE }),
      ])
    })
    afterAll(() => Promise.all([window.close(), scripted.close()]))
    // One for each test: all links of a practice together may ask its calendar 20 times a minute.
    beforeEach(async () => {
      connector = await startConnector({ vars })
      maker = await callerWith(connector, ['client_links:write'])
    })
    afterEach(() => connector.stop())

    async function invite(more: object = {}) {
      const fields = { ask: ['details', 'intake', 'time'], ...more }
      const { url, link_id } = await linkMade(connector.url, maker.apiKey, fields)
      const state = async () => {
        const { text } = await maker.rest(`/v1/client-links/${link_id}`)
        return (JSON.parse(text) as { client_link: { state: string } }).client_link.state
      }
      return { url, state }
    }
    const heading = (page: Page) => page.locator('h1').innerText()

    async function look(page: Page, name: string): Promise<void> {
      await page.setViewportSize(PHONE)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        if (shots !== undefined)
          await page.screenshot({ path: join(shots, `${name}-${colorScheme}.png`), fullPage: true })
      }
    }

    /** Presses a time of the fourth day that has some. */
    async function pickTime(page: Page, time: number): Promise<void> {
      await page.locator('.days > label').nth(3).click()
      await arrive(page, () => page.locator('.times button:visible').nth(time).click())
    }
    async function typeDetails(page: Page): Promise<void> {
      await page.fill('[name=name]', NAME)
      await page.fill('[name=email]', EMAIL)
      await page.fill('[name=email_again]', EMAIL)
      await page.selectOption('[name=entity_type]', 'llc')
      if ((await page.locator('[name=phone]').count()) === 0) return
      await page.fill('[name=phone]', '(202) 555-0147')
      await page.fill('[name="answer:about"]', ABOUT)
      await page.selectOption('[name="answer:entity"]', 'My business')
    }
    async function type(page: Page, url: string, time: number): Promise<void> {
      await page.goto(url)
      await pickTime(page, time)
      await typeDetails(page)
      await page.selectOption('[name=primary_goal]', 'tax_planning')
    }
    const press = (page: Page, what: string) => arrive(page, () => page.click(what))
    const send = (page: Page) => press(page, 'button[value=send]')
    const check = (page: Page) => press(page, 'button.main[value=check]')
    /** How far down the page something ends, in px. */
    const bottomOf = async (page: Page, selector: string): Promise<number> => {
      const box = await page.locator(selector).first().boundingBox()
      return box!.y + box!.height
    }
    /** The second press may find the first one under way, or ended. */
    async function pressTwice(page: Page): Promise<void> {
      await page.dblclick('button[value=send]')
      const said = new Set<string>()
      const again = page.getByRole('link', { name: 'Look again' })
      const booked = page.getByRole('heading', { name: 'Booked' })
      await expect
        .poll(async () => {
          await page.getByRole('heading', { name: /^Booked|still checking|Not sent/ }).waitFor()
          said.add(await heading(page))
          if (await again.isVisible()) await arrive(page, () => again.click())
          return booked.isVisible()
        })
        .toBe(true)
      expect([...said]).not.toContain('Not sent')
    }

    test('a client types, is told what is wrong, checks, chooses another time, and is booked once', async () => {
      const { url, state } = await invite()
      const page = await window.context.newPage()
      const asked: string[] = []
      page.on('request', (request) => asked.push(new URL(request.url()).pathname))
      await page.goto(url)
      expect(await heading(page)).toBe('Choose a time')
      expect(await bottomOf(page, '.times button:visible')).toBeLessThan(PHONE.height)
      await look(page, 'times')
      await type(page, url, 1)
      expect(await bottomOf(page, '[name=email]')).toBeLessThan(PHONE.height)
      await look(page, 'form')
      await page.fill('[name=email_again]', 'jordan@other.example')
      await check(page)
      expect(await page.title()).toMatch(/^Error: /)
      // What was typed is still there, so only the mistake is typed again.
      expect(await page.inputValue('[name=name]')).toBe(NAME)
      expect(await page.inputValue('[name=email]')).toBe(EMAIL)
      await look(page, 'invalid')
      await page.fill('[name=email_again]', EMAIL)
      await page.check('[name=acknowledged]')
      await check(page)
      expect(await heading(page)).toBe('Is this right?')
      expect(await bottomOf(page, 'button[value=send]')).toBeLessThan(PHONE.height)
      await look(page, 'check')
      // Something is changed: it is all still there, the tick too.
      await press(page, 'button[value=details]:not(.link)')
      expect(await page.inputValue('[name=email_again]')).toBe(EMAIL)
      expect(await page.isChecked('[name=acknowledged]')).toBe(true)
      await check(page)
      await press(page, 'button[value=time]')
      await look(page, 'another-time')
      await pickTime(page, 2)
      expect(await heading(page)).toBe('Is this right?')
      await pressTwice(page)
      for (const said of ['What comes next', 'Call 555-0142'])
        expect(await page.innerText('main')).toContain(said)
      await look(page, 'booked')
      await page.reload()
      expect(await heading(page)).toBe('Booked (trial)')
      expect(await state()).toBe('completed')
      // Nothing but the page itself, its style and the icon of its tab; no script.
      expect(new Set(asked)).toEqual(
        new Set([
          new URL(url).pathname,
          FILES['client-link.css'],
          ...asked.filter((one) => one.startsWith('/favicon.')),
        ]),
      )
      expect(await window.context.cookies()).toEqual([])
      await page.close()
    })

    test('with the keyboard alone a client can choose and send', async () => {
      const { url, state } = await invite()
      const page = await window.context.newPage()
      await page.goto(url)
      const day = page.locator('[name=day]')
      await day.first().focus()
      for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight')
      expect(await day.nth(3).isChecked()).toBe(true)
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await typeDetails(page)
      await page.selectOption('[name=primary_goal]', 'tax_planning')
      // Enter in a field goes on, and presses none of the buttons above it.
      await page.locator('[name=email_again]').press('Enter')
      await page.locator('button[value=send]').press('Enter')
      await page.getByRole('heading', { name: 'Booked' }).waitFor()
      expect(await state()).toBe('completed')
      await page.close()
    })

    test('each of its pages is accessible by WCAG 2.2 AA, light and dark', async () => {
      // The checker is a script, so this browser runs them; the pages have none.
      const { url } = await invite(ASKING)
      const page = await scripted.context.newPage()
      const csp = await scripted.context.newCDPSession(page)
      await csp.send('Page.setBypassCSP', { enabled: true })
      // In Spanish, whose words are longer.
      await page.goto(`${url}?lang=es`)
      await page.click('summary')
      expect(await accessibilityFaults(page)).toEqual([])
      await pickTime(page, 5)
      await typeDetails(page)
      await page.selectOption('[name=primary_goal]', 'tax_planning')
      for (const one of await page.locator('summary').all()) await one.click()
      await look(page, 'es-form')
      expect(await accessibilityFaults(page)).toEqual([])
      await page.fill('[name=email_again]', 'jordan@other.example')
      await check(page)
      expect(await accessibilityFaults(page)).toEqual([])
      await page.fill('[name=email_again]', EMAIL)
      await check(page)
      await page.locator('button[value=send]').waitFor()
      await look(page, 'es-check')
      expect(await accessibilityFaults(page)).toEqual([])
      await send(page)
      await page.getByRole('heading', { name: 'Reservado' }).waitFor()
      expect(await accessibilityFaults(page)).toEqual([])
      await page.goto(`${url}x`)
      expect(await accessibilityFaults(page)).toEqual([])
      await page.close()
    })
  },
)
