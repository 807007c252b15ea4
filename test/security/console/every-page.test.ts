import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Window, findChromium, openChromium } from '../../support/chromium.ts'
import { type Practice, startPractice } from '../../support/owner-connector.ts'
import { EVERY_PAGE } from '../../unit/console/views.ts'

const executable = await findChromium()
if (executable === undefined)
  console.log('No Chromium on this machine: the pages of the console are not looked at in a real browser.')

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

// To look at the pages: SCREENSHOTS=<folder>
const shots = process.env['SCREENSHOTS']

describe.runIf(executable !== undefined)(
  'each page of the console in a real browser',
  { tags: 'slow' },
  () => {
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
    async function open(path: string, html: string): Promise<void> {
      const { headers } = await fetch(`${practice.url}/owner`)
      const whole = Object.fromEntries(headers)
      await page.route(`${practice.url}${path}`, (route) =>
        route.request().resourceType() === 'document'
          ? route.fulfill({ body: html, headers: { ...whole, 'content-type': 'text/html; charset=utf-8' } })
          : route.continue(),
      )
      await page.goto(practice.url + path)
      await page.unroute(`${practice.url}${path}`)
      for (const one of await page.locator('details').all())
        await one.evaluate((details) => details.setAttribute('open', ''))
    }

    test.each(Object.entries(EVERY_PAGE))(
      '%s: meets WCAG 2.2 AA, light and dark, on a phone and on a desktop, and fits 320 px',
      async (name, { path, html }) => {
        await open(path, html())
        await page.evaluate(axe)
        for (const colorScheme of ['light', 'dark'] as const) {
          for (const width of [360, 1100]) {
            await page.emulateMedia({ colorScheme })
            await page.setViewportSize({ width, height: 800 })
            if (shots !== undefined) {
              const file = `${name.replaceAll(/\W+/g, '-')}-${width}-${colorScheme}.png`
              await page.screenshot({ path: join(shots, file), fullPage: true })
            }
            const violations = await page.evaluate(async (values) => {
              interface Found {
                violations: { id: string; nodes: { html: string; failureSummary: string }[] }[]
              }
              const { axe: loaded } = globalThis as unknown as {
                axe: { run(options: object): Promise<Found> }
              }
              const found = await loaded.run({ runOnly: { type: 'tag', values } })
              return found.violations.map(({ id, nodes }) => ({
                id,
                nodes: nodes.map((node) => `${node.html} ${node.failureSummary}`),
              }))
            }, TAGS)
            expect(violations, `${colorScheme}, ${width} px`).toEqual([])
          }
        }
        await page.setViewportSize({ width: 320, height: 800 })
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
      },
    )

    test('no page breaks the policy that it is sent with', () => {
      expect(complaints).toEqual([])
    })
  },
)
