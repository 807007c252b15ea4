// @module-tag slow

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { NO_RULES } from '../../../src/core/domain/rules/house-rules.ts'
import {
  type Window,
  addAuthenticator,
  findChromium,
  openChromium,
} from '../../support/chromium.ts'
import { OWNED, OWNER_KEY } from '../../support/connector.ts'
import { type Practice, startPractice } from '../../support/owner-connector.ts'

const executable = await findChromium()
if (executable === undefined)
  console.log('No Chromium on this machine: the tests of approval in a real browser are left out.')

/** Set to a folder, each page is kept there as a picture to look at. */
const PICTURES = process.env['PICTURES']

describe.runIf(executable !== undefined)('approval in a real browser', () => {
  let practice: Practice
  let chromium: Window
  let page: Page

  beforeAll(async () => {
    practice = await startPractice({ vars: OWNED })
    chromium = await openChromium(executable!)
    page = await chromium.context.newPage()
    await addAuthenticator(page)
    await page.goto(`${practice.url}/owner/enrol#${practice.token}`)
    await page.getByRole('button', { name: 'Create a passkey' }).click()
    await page.waitForURL(`${practice.url}/owner`)
    const approval = [{ operation: 'create_payment_link', above: { usd: 10_000 }, level: 'person' }]
    expect((await asAgent('/v1/rules/*', { ...NO_RULES, approval }, 'PUT')).status).toBe(200)
  })
  afterAll(async () => {
    await chromium.close()
    await practice.stop()
  })

  async function asAgent(
    path: string,
    body: object,
    method: 'POST' | 'PUT' = 'POST',
    key: string = crypto.randomUUID(),
    credential = OWNER_KEY,
  ) {
    const response = await fetch(new URL(path, practice.url), {
      method,
      headers: {
        Authorization: `Bearer ${credential}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': key,
      },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  /** A payment link of a caller of its own that waits for a person: how to commit it, and where its page is. */
  async function aPaymentLink() {
    const key = crypto.randomUUID()
    const made = await asAgent('/v1/keys', { name: 'Front desk', scopes: ['payments:write'] })
    const pay = async (rest: object) => {
      const fields = { invoice_id: 'in_mock_open', ...rest }
      return (await asAgent('/v1/payment-links', fields, 'POST', key, String(made.body['key'])))
        .body
    }
    const body = await pay({ confirm: false })
    const { confirmation_token, approval } = body as {
      confirmation_token: string
      approval: { url: string; code: string }
    }
    const commit = () => pay({ confirm: true, confirmation_token })
    return { commit, code: approval.code, url: practice.url + new URL(approval.url).pathname }
  }
  const picture = async (name: string): Promise<void> => {
    if (PICTURES === undefined) return
    for (const [look, colorScheme, width] of [
      ['desktop', 'light', 1100],
      ['phone-dark', 'dark', 390],
    ] as const) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 900 })
      await page.screenshot({ path: `${PICTURES}/${name}-${look}.png`, fullPage: true })
    }
  }

  test('the owner compares the code, approves with the passkey, and the agent commits', async () => {
    const link = await aPaymentLink()
    expect(await link.commit()).toMatchObject({ code: 'approval_pending' })
    await page.goto(`${practice.url}/owner/approvals`)
    await picture('list')
    await page.getByRole('link', { name: /payment link/ }).click()
    expect(await page.getByText(link.code, { exact: true }).count()).toBe(1)
    expect(await page.getByText('$250.00').count()).toBeGreaterThan(0)
    await picture('waiting')
    await page.getByRole('button', { name: 'Approve with your passkey' }).click()
    await page.getByText('Approved.').waitFor()
    await picture('approved')
    expect(await link.commit()).toMatchObject({
      status: 'committed',
      approval: { level: 'person' },
    })
    await page.reload()
    await page.getByText('Made at ').waitFor()
    await picture('made')
    // The link to send is a field of its own on the first screen of a phone, whole, and once on the page.
    await page.setViewportSize({ width: 390, height: 844 })
    const address = await page.locator('#made').innerText()
    expect(address).toMatch(/\/mock\/checkout\/in_mock_open$/)
    expect((await page.locator('main').innerText()).split(address)).toHaveLength(2)
    const { y, height } = (await page.locator('[data-copy=made]').boundingBox())!
    expect(y + height).toBeLessThanOrEqual(844)
    await chromium.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.locator('[data-copy=made]').click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(address)
    // Without the script that copies, one press marks all of it.
    await page.locator('#made').click()
    expect(await page.evaluate(() => getSelection()?.toString())).toBe(address)
    await page.setViewportSize({ width: 1100, height: 900 })
  })

  test('the owner approves one after another: each leads to the next, and the last to its end', async () => {
    const links = [await aPaymentLink(), await aPaymentLink(), await aPaymentLink()]
    await page.goto(links[0]!.url)
    for (const left of [2, 1]) {
      const here = page.url()
      await page.getByRole('button', { name: `Approve, then the next (${left} left)` }).click()
      await page.waitForURL((to) => to.pathname !== new URL(here).pathname)
      await page.getByText('This is the next one.').waitFor()
      await picture(`next-${left}`)
    }
    await page.getByRole('button', { name: 'Approve with your passkey' }).click()
    await page.getByText('Approved.').waitFor()
    for (const link of links) expect(await link.commit()).toMatchObject({ status: 'committed' })
    await page.reload()
    await page.getByRole('link', { name: 'Back to Home' }).click()
    await page.waitForURL(`${practice.url}/owner`)
  })

  test('the open page of the owner says by itself that a change waits, and takes nothing away from a person who types there', async () => {
    const open = await chromium.context.newPage()
    try {
      await open.clock.install()
      await open.goto(`${practice.url}/owner`)
      await open.waitForLoadState()
      const link = await aPaymentLink()
      const code = open.locator('#now').getByText(link.code)
      expect(await code.count()).toBe(0)
      await expect
        .poll(
          async () => {
            await open.clock.runFor(30_000)
            return code.count()
          },
          { timeout: 20_000 },
        )
        .toBe(1)
      expect(await open.locator('#news').innerText()).toMatch(/need/)

      await open.locator('#now a').first().focus()
      const focused = await open.evaluateHandle(() => document.activeElement)
      const second = await aPaymentLink()
      await open.clock.runFor(30_000)
      expect(await focused.evaluate((one) => one === document.activeElement)).toBe(true)

      // What a form of it was refused for stays until it has been sent again.
      await open.evaluate(() => {
        ;(document.activeElement as HTMLElement).blur()
        const error = document.createElement('p')
        error.setAttribute('role', 'alert')
        document.querySelector('#now .need')!.append(error)
      })
      await open.clock.runFor(30_000)
      // Had the page asked for what is new, it would have it once this is answered.
      for (let times = 0; times < 3; times++)
        await open.evaluate((path) => fetch(path).then((answer) => answer.text()), '/owner/now')
      expect(await open.locator('#now').getByRole('alert').count()).toBe(1)
      for (const one of [link, second]) {
        await page.goto(one.url)
        await page.getByRole('button', { name: 'Decline' }).click()
        await page.getByText('Declined.').waitFor()
      }
    } finally {
      await open.close()
    }
  })
})
