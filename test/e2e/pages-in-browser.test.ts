// @module-tag slow

import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { accessibilityFaults } from '../support/accessibility.ts'
import { type Window, findChromium, openChromium } from '../support/chromium.ts'
import { type Connector, startConnector } from '../support/connector.ts'

const executable = await findChromium()
if (executable === undefined)
  console.log('No Chromium on this machine: the public pages are not opened in a browser.')

// To look at the pages: SCREENSHOTS=<folder>
const shots = process.env['SCREENSHOTS']

const PAGES = [
  '/',
  '/docs',
  '/docs/guides/security',
  '/docs/guides/connect/chatgpt',
  '/docs/errors',
  '/mock/checkout/in_mock_open',
  '/nowhere',
]
const SCREENS = { desktop: { width: 1200, height: 800 }, phone: { width: 390, height: 740 } }

describe.runIf(executable !== undefined)('in a real browser', () => {
  let connector: Connector
  let chromium: Window
  beforeAll(async () => {
    const vars = {
      PRACTICE_NAME: 'Harbor & Pine Financial',
      SCHEDULING_PAGE_URL: 'https://book.example',
    }
    ;[connector, chromium] = await Promise.all([
      startConnector({ vars }),
      openChromium(executable!),
    ])
  })
  afterAll(() => Promise.all([chromium.close(), connector.stop()]))

  test.each(PAGES)(
    '%s fits a desktop and a phone, light and dark, is accessible, and loads only our own files',
    async (path) => {
      const page = await chromium.context.newPage()
      const asked: string[] = []
      const complaints: string[] = []
      page.on('request', (request) => asked.push(request.url()))
      page.on('console', (message) => {
        // That the page of an unknown address is a 404 is what it is for.
        if (!message.text().includes('404')) complaints.push(message.text())
      })
      await page.goto(`${connector.url}${path}`)
      for (const [screen, size] of Object.entries(SCREENS)) {
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.setViewportSize(size)
          await page.emulateMedia({ colorScheme })
          const [wide, ink, paper] = await page.evaluate(() => {
            const { color, backgroundColor } = getComputedStyle(document.body)
            return [document.documentElement.scrollWidth, color, backgroundColor] as const
          })
          expect([screen, colorScheme, wide]).toEqual([screen, colorScheme, size.width])
          expect(contrast(ink, paper)).toBeGreaterThan(7)
          const name = `${path.replaceAll(/\W+/g, '-')}-${screen}-${colorScheme}.png`
          if (shots !== undefined)
            await page.screenshot({ path: join(shots, name), fullPage: true })
        }
      }
      expect(await accessibilityFaults(page)).toEqual([])
      expect(complaints).toEqual([])
      expect(asked.map((url) => new URL(url).origin)).toEqual(asked.map(() => connector.url))
      expect(asked.some((url) => url.endsWith('/favicon.svg'))).toBe(true)
      await page.close()
    },
  )

  test('a link of a problem leads to its section of the page', async () => {
    const page = await chromium.context.newPage()
    await page.goto(`${connector.url}/docs/errors#slot_unavailable`)
    const box = await page.locator('#slot_unavailable').boundingBox()
    expect(box!.y).toBeGreaterThanOrEqual(0)
    expect(box!.y).toBeLessThan(200)
    await page.close()
  })
})

/** The contrast of two colours as WCAG 2 reckons it: 1 to 21. */
function contrast(one: string, other: string): number {
  const [a, b] = [one, other].map((color) => {
    const [red = 0, green = 0, blue = 0] = (color.match(/\d+/g) ?? []).map((part) => {
      const share = Number(part) / 255
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }) as [number, number]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}
