// @module-tag slow

import { join } from 'node:path'

import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'

import { faultsAsItStands } from '../support/accessibility.ts'
import { arrive, findChromium, openChromium } from '../support/chromium.ts'
import { connectorForAll } from '../support/started.ts'
import { callerWith } from '../support/transports.ts'

const executable = await findChromium()
if (executable === undefined)
  console.log('No Chromium on this machine: the questions of a client link are not asked in one.')

// To look at the pages: SCREENSHOTS=<folder>
const shots = process.env['SCREENSHOTS']
const PHONE = { width: 390, height: 844 }
const ABOUT = 'Back taxes of two years'
const EVENT_TYPES = JSON.stringify({ consult: { id: 'mock_tax_call' } })

const WORDS = {
  times: 'Choose a time',
  details: 'Your details',
  review: 'Is this right?',
  booked: 'Booked',
  phone: 'Your telephone number: Enter a telephone number',
  choice: 'Who is it for? Choose one of them.',
  calls: 'by telephone: Harbor calls you',
} as const

describe.runIf(executable !== undefined)(
  'a kind of consult that asks, without scripts and as wide as a phone',
  { timeout: 240_000 },
  () => {
    const connector = connectorForAll({ vars: { PRACTICE_NAME: 'Harbor', EVENT_TYPES } })

    async function invite(): Promise<string> {
      const maker = await callerWith(connector, ['client_links:write'])
      const key = crypto.randomUUID()
      const send = (more: object) =>
        maker.rest('/v1/client-links', { key, body: { ask: ['time'], ...more } })
      const { confirmation_token } = (await send({ confirm: false })).body
      const { result } = (await send({ confirm: true, confirmation_token })).body
      return (result as { url: string }).url
    }

    /** Nothing is wider than the phone, and the checker, a script, finds nothing in the same page where scripts run. */
    async function look(page: Page, name: string): Promise<void> {
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width)
      if (shots !== undefined)
        await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true })
      const scripted = await openChromium(executable!, { viewport: PHONE })
      const copy = await scripted.context.newPage()
      const body = await page.content()
      await copy.route(page.url(), (route) =>
        route.fulfill({ body, contentType: 'text/html; charset=utf-8' }),
      )
      await copy.goto(page.url())
      for (const colorScheme of ['light', 'dark'] as const) {
        await copy.emulateMedia({ colorScheme })
        expect([name, colorScheme, await faultsAsItStands(copy)]).toEqual([name, colorScheme, []])
      }
      await scripted.close()
    }

    test('is answered and booked, and after a mistake nothing is typed again', async () => {
      const window = await openChromium(executable!, {
        javaScriptEnabled: false,
        viewport: PHONE,
        locale: 'en-US',
      })
      const page = await window.context.newPage()
      const heading = () => page.locator('h1').innerText()
      const press = (what: string) => arrive(page, () => page.click(what))
      await page.goto(await invite())
      expect(await heading()).toBe(WORDS.times)
      await page.locator('.days > label').nth(3).click()
      const time = page.locator('.times button:visible').nth(2)
      await arrive(page, () => time.click())
      expect(await heading()).toBe(WORDS.details)
      expect(await page.innerText('.picked')).toContain(WORDS.calls)
      await page.fill('[name=name]', 'Jordan Doe')
      await page.fill('[name=email]', 'jordan@example.com')
      await page.fill('[name=email_again]', 'jordan@example.com')
      await page.fill('[name=phone]', '555')
      await page.fill('[name="answer:about"]', ABOUT)
      await look(page, 'asks-form')
      // A browser would not send what is required and empty, so the other one is left empty as well.
      const form = page.locator('form#form')
      await form.evaluate((one) => one.setAttribute('novalidate', ''))
      await press('button.main[value=check]')
      expect(await page.title()).toMatch(/^Error: /)
      const alert = await page.innerText('[role=alert]')
      for (const said of [WORDS.phone, WORDS.choice]) expect(alert).toContain(said)
      expect(await page.inputValue('[name="answer:about"]')).toBe(ABOUT)
      expect(await page.inputValue('[name=phone]')).toBe('555')
      await look(page, 'asks-wrong')
      await page.fill('[name=phone]', '(202) 555-0147')
      await page.selectOption('[name="answer:entity"]', 'My business')
      // The other language and back, and nothing is typed again.
      for (let i = 0; i < 2; i++) await press('header .link')
      expect(await page.inputValue('[name="answer:entity"]')).toBe('My business')
      await press('button.main[value=check]')
      expect(await heading()).toBe(WORDS.review)
      const shown = await page.innerText('main')
      for (const said of ['(202) 555-0147', ABOUT, 'My business']) expect(shown).toContain(said)
      await look(page, 'asks-review')
      await press('button[value=send]')
      await page.getByRole('heading', { name: WORDS.booked }).waitFor()
      expect(await page.content()).not.toMatch(/555-0147|Back taxes/)
      await window.close()
    })
  },
)
