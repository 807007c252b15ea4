// @module-tag slow

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import {
  type Window,
  addAuthenticator,
  findChromium,
  openChromium,
} from '../../support/chromium.ts'
import { tabTo } from '../../support/keyboard.ts'
import { type Practice, startPractice } from '../../support/owner-connector.ts'
import { app, listAvailability } from './app.ts'

const executable = await findChromium()

/** The app's own address, where the owner is sent back to. */
async function callbackServer() {
  const visits: URL[] = []
  const server = createServer((request, response) => {
    visits.push(new URL(request.url ?? '/', 'http://localhost'))
    response.setHeader('Content-Type', 'text/html').end('<h1>Back in the app</h1>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { visits, address: `http://127.0.0.1:${port}/callback`, stop: () => server.close() }
}

describe.runIf(executable !== undefined)('in a real browser', () => {
  let practice: Practice
  let chromium: Window
  let page: Page
  let callback: Awaited<ReturnType<typeof callbackServer>>
  const foreign: string[] = []
  const complaints: string[] = []

  beforeAll(async () => {
    practice = await startPractice()
    callback = await callbackServer()
    chromium = await openChromium(executable!)
    page = await chromium.context.newPage()
    page.on('request', (request) => {
      const { origin } = new URL(request.url())
      if (![practice.url, new URL(callback.address).origin].includes(origin))
        foreign.push(request.url())
    })
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    await addAuthenticator(page)
  })
  afterAll(async () => {
    callback.stop()
    await chromium.close()
    await practice.stop()
  })

  test('the owner enrols, allows an app with the keyboard alone, and ends it', async () => {
    await page.goto(`${practice.url}/owner/enrol#${practice.token}`)
    await page.waitForURL(`${practice.url}/owner/enrol`)
    await tabTo(page, page.getByRole('button', { name: 'Create a passkey' }))
    await page.keyboard.press('Enter')
    await page.waitForURL(`${practice.url}/owner`)
    await page.goto(`${practice.url}/owner/settings`)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()

    const one = app(practice.url)
    const metadata = { client_name: 'Claude (Desktop)', redirect_uris: [callback.address] }
    const clientId = await one.registered(metadata)
    const redirect = { redirect_uri: callback.address }
    await page.goto(practice.url + one.authorizePath(clientId, redirect))
    await tabTo(page, page.getByRole('button', { name: 'Sign in with a passkey' }))
    await page.keyboard.press('Space')
    await page.getByRole('heading', { name: 'Claude (Desktop)' }).waitFor()
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(2)
    await page.getByLabel('Book, move and cancel consults').focus()
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Allow' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Claude (Desktop)' }).waitFor()
    await page.getByRole('button', { name: 'Allow with your passkey' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Back in the app' }).waitFor()
    const back = callback.visits.find(({ pathname }) => pathname === '/callback')
    expect(back?.searchParams.get('iss')).toBe(practice.url)
    const { body } = await one.redeem(clientId, back?.searchParams.get('code') ?? '', redirect)
    expect(body.scope).toBe('availability:read')
    expect((await listAvailability(practice.url, body.access_token)).status).toBe(200)

    await page.goto(`${practice.url}/owner/callers`)
    await page.getByRole('link', { name: 'Claude (Desktop)' }).first().click()
    await page.getByRole('button', { name: 'Disconnect' }).click()
    await page.getByRole('heading', { name: 'Disconnect' }).waitFor()
    await page.getByRole('button', { name: 'Disconnect' }).click()
    await page.getByText('The app is disconnected.').waitFor()
    expect((await listAvailability(practice.url, body.access_token)).status).toBe(401)
  })

  test('a used link says so, and the button can be tried again', async () => {
    await page.context().clearCookies()
    await page.goto(`${practice.url}/owner/enrol#${practice.token}`)
    // What stands before the connector answers in its place.
    await page.route('**/owner/passkey/options', (route) => route.fulfill({ body: '<html>' }))
    await page.getByRole('button', { name: 'Create a passkey' }).click()
    await page.getByRole('status').filter({ hasText: 'The connector did not answer.' }).waitFor()
    await page.unroute('**/owner/passkey/options')
    await page.getByRole('button', { name: 'Create a passkey' }).click()
    await page.getByRole('status').filter({ hasText: 'This link is not good' }).waitFor()
    expect(await page.getByRole('button', { name: 'Create a passkey' }).isEnabled()).toBe(true)
    expect(page.url()).toBe(`${practice.url}/owner/enrol`)
  })

  test('no page requested anything from another host, or broke its policy', () => {
    expect(foreign).toEqual([])
    // On a busy machine a page is left before Chromium has the icon of its manifest.
    const expected = /401|icon from the Manifest/
    expect(complaints.filter((text) => !expected.test(text))).toEqual([])
  })
})
