// @module-tag slow

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { API_REFERENCE } from '../../../src/api/discovery/api-reference.ts'
import { faultsAsItStands, sideways } from '../../support/accessibility.ts'
import {
  type Window,
  addAuthenticator,
  findChromium,
  openChromium,
} from '../../support/chromium.ts'
import { type Practice, startPractice } from '../../support/owner-connector.ts'

const ASSETS = fileURLToPath(new URL('../../../src/assets', import.meta.url))
const executable = await findChromium()
// To look at the page: SCREENSHOTS=<folder>
const shots = process.env['SCREENSHOTS']

test('the built file is the one whose hash the page names', async () => {
  const file = await readFile(join(ASSETS, API_REFERENCE.file))
  const hash = createHash('sha384').update(file).digest('base64')
  expect(API_REFERENCE.integrity).toBe(`sha384-${hash}`)
})

describe.runIf(executable !== undefined)('the API reference in the owner’s browser', () => {
  let practice: Practice
  let chromium: Window
  beforeAll(async () => {
    practice = await startPractice()
    chromium = await openChromium(executable!)
    const page = await chromium.context.newPage()
    await addAuthenticator(page)
    await page.goto(`${practice.url}/owner/enrol#${practice.token}`)
    await page.getByRole('button', { name: 'Create a passkey' }).click()
    await page.waitForURL(`${practice.url}/owner`)
    // The session is good in this browser, so what fails below fails because of the sandbox.
    expect(await page.evaluate(async () => (await fetch('/owner')).status)).toBe(200)
    await page.close()
  })
  afterAll(() => Promise.all([chromium.close(), practice.stop()]))

  const opened = async () => {
    const page = await chromium.context.newPage()
    const asked: string[] = []
    const complaints: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(`${practice.url}/docs/api`)
    await page.getByRole('heading', { name: 'Availability' }).first().waitFor()
    return { page, asked, complaints }
  }

  test('shows the routes, on a phone too, and asks no other host', async () => {
    const { page, asked, complaints } = await opened()
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 })
      expect([width, await sideways(page)]).toEqual([width, 0])
      if (shots !== undefined)
        await page.screenshot({ path: join(shots, `api-reference-${width}.png`) })
    }
    const ours = new URL(practice.url).origin
    const foreign = asked.filter(
      (url) => !/^(data|blob):/.test(url) && new URL(url).origin !== ours,
    )
    expect(foreign).toEqual([])
    expect(complaints).toEqual([])
    // The package gives two links with an icon alone no name: to the practice and to the licence.
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.reload()
      await page.getByRole('heading', { name: 'Availability' }).first().waitFor()
      const faults = await faultsAsItStands(page)
      expect(faults.filter((fault) => !fault.startsWith('link-name: '))).toEqual([])
    }
    await page.close()
  })

  test('cannot read the owner’s pages, nor act there, whatever a script in it tries', async () => {
    const { page } = await opened()
    const tried = await page.evaluate(async () => {
      const settled = async (act: () => unknown): Promise<string> => {
        try {
          return `read: ${String(await act())}`
        } catch {
          return 'refused'
        }
      }
      return {
        origin: globalThis.origin,
        fetched: await settled(async () => (await fetch('/owner')).text()),
        withCookie: await settled(async () =>
          (await fetch('/owner', { credentials: 'include' })).text(),
        ),
        posted: await settled(async () =>
          (await fetch('/owner/pause', { method: 'POST', credentials: 'include' })).text(),
        ),
        cookie: await settled(() => document.cookie),
        storage: await settled(() => indexedDB.open('any')),
        framed: await settled(
          () =>
            new Promise((resolve, reject) => {
              const frame = document.createElement('iframe')
              frame.src = '/owner'
              frame.addEventListener('load', () => {
                const text = frame.contentDocument?.body.innerText
                if (text === undefined) reject(new Error('not readable'))
                else resolve(text)
              })
              document.body.append(frame)
            }),
        ),
        opened: await settled(
          () =>
            new Promise((resolve, reject) => {
              const other = window.open('/owner')
              if (other === null) reject(new Error('not opened'))
              else
                setTimeout(() => {
                  try {
                    resolve(other.document.body.innerText)
                  } catch (refusal) {
                    reject(refusal as Error)
                  }
                }, 500)
            }),
        ),
      }
    })
    expect(tried).toEqual({
      origin: 'null',
      fetched: 'refused',
      withCookie: 'refused',
      posted: 'refused',
      cookie: 'refused',
      storage: 'refused',
      framed: 'refused',
      opened: 'refused',
    })
    await page.close()
  })
})
