import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { VERIFY_PAGE, verifyPage } from '../../src/cli/verify-page/build.ts'
import { RETENTION_DAYS } from '../../src/core/domain/audit/leaf.ts'
import { accessibilityFaults } from '../support/accessibility.ts'
import { START, change, ownersPasskey, packOf, retention } from '../support/audit-pack.ts'
import { type Window, findChromium, openChromium } from '../support/chromium.ts'

test('docs/verify.html is what the code makes: npm run docs regenerates it', async () => {
  const page = await readFile(VERIFY_PAGE, 'utf8')
  expect(page === (await verifyPage())).toBe(true)
  // Who doubts the connector reads it: one import of a rule of ours brought all of zod with it.
  expect(page.match(/(?<=\/\/ node_modules\/)\w+/g)).toEqual(['canonicalize'])
})

const chromium = await findChromium()

describe.skipIf(chromium === undefined)(
  'docs/verify.html, opened from disk',
  { tags: 'slow' },
  () => {
    let window: Window
    let page: Page
    const asked: string[] = []
    const faults: string[] = []

    beforeAll(async () => {
      window = await openChromium(chromium!, { viewport: { width: 390, height: 844 } })
      page = await window.context.newPage()
      page.on('request', (request) => asked.push(new URL(request.url()).protocol))
      page.on('pageerror', (error) => faults.push(error.message))
      page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
      await page.goto(pathToFileURL(VERIFY_PAGE).href)
    })
    afterAll(() => window?.close())

    const file = (name: string, text: string) => ({
      name,
      mimeType: 'text/plain',
      buffer: Buffer.from(text),
    })
    async function verdict(
      pack: string,
      key = '',
      held: { name: string; text: string }[] = [],
    ): Promise<string> {
      await page.setInputFiles('#pack', file('pack.jsonl', pack))
      await page.setInputFiles(
        '#held',
        held.map(({ name, text }) => file(name, text)),
      )
      await page.fill('#key', key)
      await page.click('#check')
      return (await page.locator('#result h2').first().textContent()) ?? ''
    }

    test('is accessible before anything is chosen', async () => {
      expect(await accessibilityFaults(page)).toEqual([])
    })

    test('finds nothing wrong with a good pack, compares key and receipts, and says last what it does not prove', async () => {
      const { enrolment, approves } = await ownersPasskey()
      const [preview, commit] = change(9, 'person')
      const entries = [
        enrolment,
        ...change(1),
        ...change(2),
        preview,
        await approves(preview),
        commit,
      ]
      const { text, vkeys, receipt } = await packOf(entries)
      const held = [{ name: 'mine.tlog-proof', text: await receipt(2, 5) }]
      expect(await verdict(text, vkeys[0], held)).toContain('Nothing is wrong')
      const said = await page.locator('#result').innerText()
      expect(said).toContain('mine.tlog-proof: the first 5 entries are unchanged')
      expect(said).toContain('1 approval is signed by a passkey of this log')
      expect(said.indexOf('What this does not prove')).toBeGreaterThan(said.indexOf('Approval'))
      expect(await accessibilityFaults(page)).toEqual([])
    })

    test('says what is wrong with a pack that was altered, and with one of another key', async () => {
      const { text } = await packOf([...change(1), ...change(2)])
      expect(await verdict(text.replace('bk_mock_2', 'bk_mock_3'))).toContain('not good')
      expect(await page.locator('#result li.bad').innerText()).toContain(
        'does not match the entries',
      )
      expect(await accessibilityFaults(page)).toEqual([])
      expect(await verdict(text, 'a+b+c')).toContain('not good')
      expect(await verdict('no pack')).toContain('is no pack')
    })

    test('says how many entries are hidden and until which day, and takes another time only from who checks', async () => {
      const { text } = await packOf([...change(-2300), retention(START, 2), ...change(1)], {
        droppedBelow: 2,
      })
      expect(await page.inputValue('#retention-days')).toBe(String(RETENTION_DAYS))
      expect(await verdict(text)).toBe(
        '✓ Nothing is wrong with this pack; 2 of its 5 entries are hidden, until 31 August 2020',
      )
      await page.fill('#retention-days', '2193')
      expect(await verdict(text)).toBe('✗ This pack is not good')
      expect(await accessibilityFaults(page)).toEqual([])
      await page.fill('#retention-days', String(RETENTION_DAYS))
    })

    test('gives the changes as a file', async () => {
      const { text } = await packOf(change(1))
      await verdict(text)
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        page.click('#result a[download="changes.csv"]'),
      ])
      expect(await readFile(await saved.path(), 'utf8')).toContain('"bk_mock_1"')
    })

    test('asks no one for anything, and meets no error', () => {
      expect(asked.filter((protocol) => !['file:', 'data:', 'blob:'].includes(protocol))).toEqual(
        [],
      )
      expect(faults).toEqual([])
    })

    test('may not ask the network, even if its script were to', async () => {
      const refused = await page.evaluate(async () => {
        const violation = new Promise((resolve) =>
          document.addEventListener('securitypolicyviolation', (event) =>
            resolve(event.effectiveDirective),
          ),
        )
        await fetch('https://example.com/').catch(() => undefined)
        return violation
      })
      expect(refused).toBe('connect-src')
    })
  },
)
