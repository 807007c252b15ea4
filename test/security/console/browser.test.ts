// @module-tag slow

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { hashApiKey } from '../../../src/core/crypto/api-key.ts'
import {
  type Window,
  addAuthenticator,
  findChromium,
  openChromium,
} from '../../support/chromium.ts'
import { OWNER_KEY } from '../../support/connector.ts'
import { openWhole } from '../../support/console-walk.ts'
import { type Practice, startPractice } from '../../support/owner-connector.ts'

const executable = await findChromium()

describe.runIf(executable !== undefined)('the owner’s console in a real browser', () => {
  let practice: Practice
  let chromium: Window
  let page: Page
  const foreign: string[] = []
  const complaints: string[] = []

  beforeAll(async () => {
    practice = await startPractice({ vars: { OWNER_KEY_SHA256: await hashApiKey(OWNER_KEY) } })
    chromium = await openChromium(executable!)
    page = await chromium.context.newPage()
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== practice.url) foreign.push(request.url())
    })
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    await addAuthenticator(page)
    await page.goto(`${practice.url}/owner/enrol#${practice.token}`)
    await page.getByRole('button', { name: 'Create a passkey' }).click()
    await page.waitForURL(`${practice.url}/owner`)
  })
  afterAll(async () => {
    await chromium.close()
    await practice.stop()
  })

  const open = (path: string): Promise<void> => openWhole(page, practice.url + path)
  const asAgent = (path: string, init: RequestInit = {}) =>
    fetch(new URL(path, practice.url), {
      ...init,
      headers: { Authorization: `Bearer ${OWNER_KEY}`, 'Content-Type': 'application/json' },
    })
  const refusedWith = async (): Promise<unknown> =>
    ((await (await asAgent('/v1/availability')).json()) as { code?: string }).code

  test('a second passkey is added with the first', async () => {
    await open('/owner/settings/passkeys')
    const second = await addAuthenticator(page, 'usb')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText(/^Confirm with your passkey/).waitFor()
    await second.remove()
    await page.getByRole('button', { name: 'Add it' }).click()
    await page.getByText('The passkey is added.').waitFor()
    expect(await page.getByText(/^Passkey \d$/).count()).toBe(2)
  })

  test('without scripts pausing and tightening work, and what needs a passkey says so', async () => {
    const plain = await openChromium(executable!, { javaScriptEnabled: false })
    try {
      await plain.context.addCookies(await chromium.context.cookies())
      const still = await plain.context.newPage()
      await still.goto(`${practice.url}/owner/settings`)
      await still.getByText('Change the rules for all callers').click()
      await still.getByText(/^Limits: /).click()
      await still.getByLabel('At most').first().fill('7')
      await still.getByRole('button', { name: 'Save rules' }).first().click()
      await still.getByText('at most 7', { exact: true }).waitFor()
      await still.getByRole('button', { name: 'Pause all agents' }).click()
      await still.getByText(/Paused since/).waitFor()
      expect(await refusedWith()).toBe('paused')
      await still.getByRole('button', { name: 'Resume' }).click()
      await still.getByRole('heading', { name: 'Let agents act again?' }).waitFor()
      expect(await still.locator('noscript').innerText()).toContain('Passkeys need JavaScript')
      expect(await refusedWith()).toBe('paused')
    } finally {
      await plain.close()
    }
    await open('/owner')
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('button', { name: 'Resume with your passkey' }).click()
    await page.getByRole('button', { name: 'Pause all agents' }).waitFor()
  })

  test('a page of a sibling site, to which the browser sends the same cookies, gets nothing done and reads nothing', async () => {
    // Another port of this host: the same site, as a sibling under one domain would be, and cookies know no ports.
    const sibling = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html').end('<title>Sibling</title><body></body>')
    })
    await new Promise<void>((ready) => void sibling.listen(0, 'localhost', ready))
    const { port } = sibling.address() as AddressInfo
    const tab = await chromium.context.newPage()
    const states = async () => [
      await refusedWith(),
      await (await asAgent('/v1/keys')).text(),
      await (await asAgent('/v1/rules')).text(),
    ]
    try {
      const forms: { action: string; fields: [string, string][] }[] = []
      for (const path of ['/owner', '/owner/callers', '/owner/settings', '/owner/audit']) {
        await open(path)
        forms.push(
          ...(await page.evaluate(() =>
            [...document.querySelectorAll<HTMLFormElement>('form[method=post]')].map((form) => ({
              action: form.action,
              fields: [...new FormData(form)] as [string, string][],
            })),
          )),
        )
      }
      expect(forms.length).toBeGreaterThan(5)
      expect(forms.some(({ action }) => action.endsWith('/owner/pause'))).toBe(true)
      const before = await states()
      for (const { action, fields } of forms) {
        await tab.goto(`http://localhost:${port}/`)
        const answered = tab.waitForResponse((response) => response.url() === action)
        await tab.evaluate(
          ([to, values]) => {
            const form = document.createElement('form')
            Object.assign(form, { method: 'POST', action: to })
            for (const [name, value] of values)
              form.append(Object.assign(document.createElement('input'), { name, value }))
            document.body.append(form)
            form.submit()
          },
          [action, fields] as const,
        )
        expect([action, (await answered).status()]).toEqual([action, 403])
        await tab.waitForURL(action)
      }
      await tab.goto(`http://localhost:${port}/`)
      const read = await tab.evaluate(async (url) => {
        const fetched = await fetch(`${url}/owner`, { credentials: 'include' }).then(
          (response) => response.text(),
          () => 'refused',
        )
        const frame = document.createElement('iframe')
        frame.src = `${url}/owner`
        document.body.append(frame)
        await new Promise((loaded) => frame.addEventListener('load', loaded))
        return [fetched, frame.contentDocument?.body.innerText ?? 'refused']
      }, practice.url)
      expect(read).toEqual(['refused', 'refused'])
      const framed = tab.frames().find((frame) => frame.parentFrame() !== null)
      expect(await framed!.locator('form').count()).toBe(0)
      expect(await states()).toEqual(before)
    } finally {
      await tab.close()
      sibling.close()
      sibling.closeAllConnections()
    }
  })

  test('no page asked anyone else for anything, or broke its policy', () => {
    expect(foreign).toEqual([])
    // The next page cuts off the download of an icon: walks.test.ts shows that each is an image.
    const expected =
      /status of 40[13]|status of 422|ERR_CONNECTION_REFUSED|icon from the Manifest.+Download error/
    expect(complaints.filter((text) => !expected.test(text))).toEqual([])
  })
})
