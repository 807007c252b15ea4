// @module-tag slow

import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { accessibilityFaults } from '../support/accessibility.ts'
import { type Window, findChromium, openChromium } from '../support/chromium.ts'
import { type Connector, startConnector } from '../support/connector.ts'

const executable = await findChromium()

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
      const shot = (look: string) =>
        shots === undefined
          ? Promise.resolve()
          : page.screenshot({ path: join(shots, `${path.replaceAll(/\W+/g, '-')}-${look}.png`) })
      expect(await accessibilityFaults(page, shot)).toEqual([])
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
