// @module-tag slow

import { join } from 'node:path'

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { accessibilityFaults } from '../../support/accessibility.ts'
import { type Window, findChromium, openChromium } from '../../support/chromium.ts'
import { keyboardFaults } from '../../support/keyboard.ts'
import { type Practice, startPractice } from '../../support/owner-connector.ts'
import { BESIDE_PAGES } from '../../unit/owner/console/beside-views.ts'
import { EVERY_PAGE } from '../../unit/owner/console/views.ts'

const executable = await findChromium()

/** Each of its parts says that it could not be read. */
const NOTHING_TO_DO: keyof typeof EVERY_PAGE = 'home, nothing to be read'
const PHONE = { width: 390, height: 844 }

/** How far down, in pixels, the first thing in a page is that a person can press or fill in; 0 where there is none. */
const firstAction = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const actions = 'a[href], button, summary, input:not([type=hidden]), select, textarea'
    const shown = [...document.querySelectorAll(`main :is(${actions})`)].find((one) =>
      one.checkVisibility(),
    )
    return shown ? shown.getBoundingClientRect().bottom + scrollY : 0
  })

// To look at the pages: SCREENSHOTS=<folder>
const shots = process.env['SCREENSHOTS']

describe.runIf(executable !== undefined)('each page of the console in a real browser', () => {
  let practice: Practice
  let chromium: Window
  let page: Page
  const complaints: string[] = []

  beforeAll(async () => {
    practice = await startPractice()
    chromium = await openChromium(executable!)
    page = await chromium.context.newPage()
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
  })
  afterAll(async () => {
    await chromium.close()
    await practice.stop()
  })

  /** Shows a page that was made here at its own address, with the headers, styles and script of the connector. */
  async function open(path: string, html: string, unfolds = true): Promise<void> {
    const { headers } = await fetch(`${practice.url}/owner`)
    const whole = Object.fromEntries(headers)
    await page.route(`${practice.url}${path}`, (route) =>
      route.request().resourceType() === 'document'
        ? route.fulfill({
            body: html,
            headers: { ...whole, 'content-type': 'text/html; charset=utf-8' },
          })
        : route.continue(),
    )
    await page.goto(practice.url + path)
    await page.unroute(`${practice.url}${path}`)
    for (const one of unfolds ? await page.locator('details').all() : [])
      await one.evaluate((details) => details.setAttribute('open', ''))
  }

  test.each(Object.entries({ ...EVERY_PAGE, ...BESIDE_PAGES }))(
    '%s: meets WCAG 2.2 AA, light and dark, on a phone and on a desktop, fits 320 px, is for the keyboard alone too, and shows what to do on a phone without scrolling',
    async (name, { path, html }) => {
      await open(path, html())
      const shot = (look: string) =>
        shots === undefined
          ? Promise.resolve()
          : page.screenshot({
              path: join(shots, `${name.replaceAll(/\W+/g, '-')}-${look}.png`),
              fullPage: true,
            })
      expect(await accessibilityFaults(page, shot)).toEqual([])
      await page.setViewportSize(PHONE)
      if (name !== NOTHING_TO_DO) expect(await firstAction(page)).toBeLessThan(PHONE.height)
      await page.setViewportSize({ width: 390, height: 700 })
      expect(await keyboardFaults(page)).toEqual([])
    },
  )

  test('on paper what the agent was shown is unfolded, moments are whole, and no button is left', async () => {
    await page.emulateMedia({ media: 'print' })
    await open(
      EVERY_PAGE['approval, waiting']!.path,
      EVERY_PAGE['approval, waiting']!.html(),
      false,
    )
    expect(await page.locator('nav, button').filter({ visible: true }).count()).toBe(0)
    const shown = page.getByText('Book a 30-minute consult on')
    expect(await shown.evaluate((one) => one.getBoundingClientRect().height)).toBeGreaterThan(0)
    const ago = await page
      .locator('dd time[title]')
      .first()
      .evaluate((one) => getComputedStyle(one, '::after').content)
    expect(ago).toContain('2:40:00 PM EST')
    await page.emulateMedia({ media: null })
  })

  test('no page breaks the policy that it is sent with', () => {
    expect(complaints).toEqual([])
  })
})
