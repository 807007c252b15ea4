// @module-tag slow

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import {
  type Window,
  addAuthenticator,
  findChromium,
  openChromium,
} from '../../support/chromium.ts'
import { OWNED, OWNER_KEY } from '../../support/connector.ts'
import {
  ON_A_DESKTOP,
  ON_A_PHONE,
  type Program,
  type Walker,
  programWith,
  walkerOn,
} from '../../support/console-walk.ts'
import { type Practice, startPractice } from '../../support/owner-connector.ts'

const executable = await findChromium()
if (executable === undefined)
  console.log('No Chromium on this machine: no one is invited to approve in a real browser.')

const NAME = 'Sam at the front desk'

describe.runIf(executable !== undefined)(
  'a person whom the owner invites to approve, each with a browser of their own',
  () => {
    let practice: Practice
    const windows: Window[] = []
    let firstKey: Program
    let owner: Walker
    let sam: Walker
    let samsPasskeys: Awaited<ReturnType<typeof addAuthenticator>>['passkeys']

    async function newPage(): Promise<[Page, Awaited<ReturnType<typeof addAuthenticator>>]> {
      const window = await openChromium(executable!)
      windows.push(window)
      await window.context.grantPermissions(['clipboard-read', 'clipboard-write'])
      const page = await window.context.newPage()
      return [page, await addAuthenticator(page)]
    }
    beforeAll(async () => {
      practice = await startPractice({ vars: OWNED })
      firstKey = programWith(practice.url, OWNER_KEY)
      const [[ownersPage], [samsPage, { passkeys }]] = await Promise.all([newPage(), newPage()])
      samsPasskeys = passkeys
      owner = await walkerOn(ownersPage, practice.url, ON_A_DESKTOP)
      sam = await walkerOn(samsPage, practice.url, ON_A_PHONE)
      await ownersPage.goto(`${practice.url}/owner/enrol#${practice.token}`)
      await ownersPage.locator('[data-passkey=enrol]').click()
      await ownersPage.waitForURL(`${practice.url}/owner`)
      await firstKey.tightens({ approval: [{ operation: 'create_payment_link', level: 'person' }] })
    })
    afterAll(async () => {
      for (const window of windows) await window.close()
      await practice.stop()
    })

    const aPayment = async () =>
      (await firstKey.makesKey('Front desk', ['payments:write'])).program.asksForPayment()

    test('makes a passkey in their own name, with a link that the owner copies, and sees only the changes that wait', async () => {
      await owner.open('/owner/settings/people')
      await owner.type('form[action="/owner/approvers/invite"] [name=name]', NAME)
      await owner.press('form[action="/owner/approvers/invite"] button')
      await owner.confirm()
      const link = await owner.text('#link')
      await owner.press('[data-copy=link]')
      await expect.poll(() => owner.copied()).toBe(link)
      await owner.fits()

      await sam.page.goto(link)
      await sam.fits()
      await sam.press('[data-passkey=enrol]')
      await sam.page.waitForURL(`${practice.url}/owner/approvals`)
      expect(await samsPasskeys()).toMatchObject([{ userName: NAME }])
      expect(await sam.page.locator('nav a').count()).toBe(1)
      await sam.open('/owner/audit')
      await sam.page.waitForURL(`${practice.url}/owner/approvals`)
      await sam.fits()
      await owner.open('/owner/settings/people')
      expect(await owner.text('main li strong')).toBe(NAME)
    })

    test('sees on the open page that a change waits, what it is and for how long, without loading it again', async () => {
      const open = await sam.page.context().newPage()
      try {
        await open.clock.install()
        await open.goto(`${practice.url}/owner/approvals`)
        await open.waitForLoadState()
        expect(await open.locator('#now tbody tr').count()).toBe(0)
        const { code, path } = await aPayment()
        const row = open.locator('#now tbody tr')
        await expect
          .poll(async () => {
            await open.clock.runFor(30_000)
            return row.count()
          })
          .toBe(1)
        expect((await row.innerText()).replaceAll(/\s+/g, ' ')).toMatch(
          new RegExp(`\\$250\\.00.*${code}.*\\d (?:h|min)`),
        )
        expect(await open.title()).toMatch(/^\(1\)/)
        expect(await open.locator('#count').innerText()).toBe('1')
        await sam.open(path)
        await sam.press('.foot button.danger')
        await expect.poll(() => sam.page.locator('.foot').count()).toBe(0)
        await expect
          .poll(async () => {
            await open.clock.runFor(30_000)
            return row.count()
          })
          .toBe(0)
        expect(await open.title()).not.toMatch(/^\(/)
      } finally {
        await open.close()
      }
    })

    test('approves with that passkey, and owner, page and log say who approved', async () => {
      const change = await aPayment()
      await sam.open('/owner/approvals')
      await sam.press(`#now a[href="${change.path}"]`)
      await sam.press('.foot [data-passkey=confirm]')
      await sam.press('[data-copy=go-on]')
      await expect.poll(() => sam.copied()).toContain(change.code)
      expect((await change.commit()).body).toMatchObject({ status: 'committed' })
      await owner.open(change.path)
      expect(await owner.text('main')).toMatch(new RegExp(`by ${NAME}`))
      await owner.press('main dl a[href^="/owner/audit"]')
      expect(await owner.text('.entries .good')).toContain(NAME)
    })
  },
)
