import { CLIENT_STYLE_PATH } from '../../src/client-link/views.ts'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { accessibilityFaults } from '../support/accessibility.ts'
import { type Window, findChromium, openChromium } from '../support/chromium.ts'
import { type Connector, startConnector } from '../support/connector.ts'
import { callerWith } from '../support/transports.ts'

const executable = await findChromium()
if (executable === undefined)
  console.log('No Chromium on this machine: the page of a client link is not opened in a browser.')

// To look at the pages: SCREENSHOTS=<folder>
const shots = process.env['SCREENSHOTS']
const PHONE = { width: 390, height: 844 }
const NAME = 'Jordan Zibblethwaite'
const EMAIL = 'jordan.canary@plumbwick.example'

describe.runIf(executable !== undefined)(
  'in a real browser without scripts, as wide as a phone',
  { tags: 'slow', timeout: 120_000 },
  () => {
    let connector: Connector
    let window: Window
    let scripted: Window
    let maker: Awaited<ReturnType<typeof callerWith>>
    beforeAll(async () => {
      const vars = {
        PRACTICE_NAME: 'Harbor & Pine Financial',
        CLIENT_LINK_NOTICE: 'We keep what you type for seven years.\nAsk us for a copy.',
      }
      ;[connector, window, scripted] = await Promise.all([
        startConnector({ vars }),
        openChromium(executable!, { javaScriptEnabled: false, viewport: PHONE }),
        openChromium(executable!, { viewport: PHONE }),
      ])
      maker = await callerWith(connector, ['client_links:write'])
    })
    afterAll(() => Promise.all([window.close(), scripted.close(), connector.stop()]))

    async function invite(): Promise<{ url: string; link_id: string }> {
      const key = crypto.randomUUID()
      const fields = { ask: ['details', 'intake', 'time'] }
      const send = (more: object) => maker.rest('/v1/client-links', { key, body: { ...fields, ...more } })
      const { confirmation_token } = (await send({ confirm: false })).body
      const { result } = (await send({ confirm: true, confirmation_token })).body
      return result as { url: string; link_id: string }
    }
    const stateOf = async (id: string) => {
      const { text } = await maker.rest(`/v1/client-links/${id}`)
      return (JSON.parse(text) as { client_link: { state: string } }).client_link.state
    }
    const heading = (page: Page) => page.locator('h1').innerText()

    async function look(page: Page, name: string): Promise<void> {
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        if (shots !== undefined)
          await page.screenshot({ path: join(shots, `${name}-${colorScheme}.png`), fullPage: true })
      }
    }

    async function type(page: Page, url: string, time: number): Promise<void> {
      await page.goto(url)
      await page.fill('[name=name]', NAME)
      await page.fill('[name=email]', EMAIL)
      await page.fill('[name=email_again]', EMAIL)
      await page.selectOption('[name=entity_type]', 'llc')
      await page.selectOption('[name=primary_goal]', 'tax_planning')
      await page.locator('details').nth(3).locator('summary').click()
      await page.locator('details').nth(3).locator('input').nth(time).check()
    }
    const check = (page: Page) => page.click('button[value=check]')

    test('a client types, is told what is wrong, checks, chooses another time, and is booked once', async () => {
      const { url, link_id } = await invite()
      const page = await window.context.newPage()
      const asked: string[] = []
      page.on('request', (request) => asked.push(new URL(request.url()).pathname))
      await type(page, url, 1)
      await look(page, 'form')
      await page.fill('[name=email_again]', 'jordan@other.example')
      await check(page)
      expect(await page.title()).toMatch(/^Error: /)
      expect(await page.content()).not.toContain(EMAIL)
      await look(page, 'invalid')
      await page.fill('[name=name]', NAME)
      await page.fill('[name=email]', EMAIL)
      await page.fill('[name=email_again]', EMAIL)
      await page.check('[name=acknowledged]')
      await check(page)
      expect(await heading(page)).toBe('Is this right?')
      await look(page, 'check')
      await page.click('button[value=time]')
      await look(page, 'time')
      await check(page)
      await page.dblclick('button[value=send]')
      await page.getByRole('heading', { name: 'Booked' }).waitFor()
      await look(page, 'booked')
      await page.reload()
      expect(await heading(page)).toBe('Booked')
      expect(await stateOf(link_id)).toBe('completed')
      // Nothing but the page itself, its style and the icon of its tab; no script.
      expect(new Set(asked)).toEqual(
        new Set([
          new URL(url).pathname,
          CLIENT_STYLE_PATH,
          ...asked.filter((one) => one.startsWith('/favicon.')),
        ]),
      )
      expect(await window.context.cookies()).toEqual([])
      await page.close()
    })

    test('with the keyboard alone a client can choose and send', async () => {
      const { url, link_id } = await invite()
      const page = await window.context.newPage()
      await type(page, url, 2)
      await page.locator('button[value=check]').press('Enter')
      await page.locator('button[value=send]').press('Enter')
      await page.getByRole('heading', { name: 'Booked' }).waitFor()
      expect(await stateOf(link_id)).toBe('completed')
      await page.close()
    })

    test('two tabs, back and reload in every state make one booking', async () => {
      const { url, link_id } = await invite()
      const [one, other] = [await window.context.newPage(), await window.context.newPage()]
      await type(one, url, 3)
      await check(one)
      await one.reload()
      expect(await heading(one)).toBe('Is this right?')
      await type(other, url, 4)
      await check(other)
      await one.click('button[value=send]')
      expect(await one.content()).toContain('look once more')
      await one.click('button[value=send]')
      await one.getByRole('heading', { name: 'Booked' }).waitFor()
      await other.click('button[value=send]')
      expect(await heading(other)).toBe('Not sent')
      // The browser keeps none of these pages: it may ask whether to send again, and does not by itself.
      for (let i = 0; i < 2; i++) await one.goBack().catch(() => null)
      // Its own page for that question may still be on its way, so the link is opened in a tab of its own.
      const third = await window.context.newPage()
      await third.goto(url)
      expect(await heading(third)).toBe('Booked')
      expect(await stateOf(link_id)).toBe('completed')
      await Promise.all([one.close(), other.close(), third.close()])
    })

    test('each of its pages is accessible by WCAG 2.2 AA, light and dark', async () => {
      // The checker is a script, so this browser runs them; the pages have none.
      const { url } = await invite()
      const page = await scripted.context.newPage()
      const csp = await scripted.context.newCDPSession(page)
      await csp.send('Page.setBypassCSP', { enabled: true })
      await type(page, url, 5)
      expect(await accessibilityFaults(page)).toEqual([])
      await page.fill('[name=email_again]', 'jordan@other.example')
      await check(page)
      expect(await accessibilityFaults(page)).toEqual([])
      await type(page, url, 5)
      await check(page)
      expect(await accessibilityFaults(page)).toEqual([])
      await page.click('button[value=send]')
      await page.getByRole('heading', { name: 'Booked' }).waitFor()
      expect(await accessibilityFaults(page)).toEqual([])
      await page.goto(`${url}x`)
      expect(await accessibilityFaults(page)).toEqual([])
      await page.close()
    })
  },
)
