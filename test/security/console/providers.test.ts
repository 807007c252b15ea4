// @module-tag slow

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { DAY, MINUTE } from '../../../src/core/domain/time/duration.ts'
import {
  type Window,
  addAuthenticator,
  findChromium,
  openChromium,
} from '../../support/chromium.ts'
import { OWNED, OWNER_KEY } from '../../support/connector.ts'
import {
  ON_A_PHONE,
  type Program,
  type Walker,
  programWith,
  walkerOn,
} from '../../support/console-walk.ts'
import { type FakeCalendly, fakeCalendly } from '../../support/fakes/calendly.ts'
import { FAKE_KEY, type FakeStripe, fakeStripe } from '../../support/fakes/stripe.ts'
import { type Practice, startPractice } from '../../support/owner-connector.ts'

const executable = await findChromium()
if (executable === undefined)
  console.log('No Chromium on this machine: no way to a provider is tried in a real browser.')

describe.runIf(executable !== undefined)(
  'the console of a practice whose calendar and payments are real',
  () => {
    let calendly: FakeCalendly
    let stripe: FakeStripe
    let practice: Practice
    let chromium: Window
    let page: Page
    let owner: Walker
    let firstKey: Program

    beforeAll(async () => {
      calendly = await fakeCalendly()
      stripe = await fakeStripe()
      stripe.set('in_1Fake')
      practice = await startPractice({
        vars: {
          ...OWNED,
          SCHEDULING_PROVIDER_TOKEN: calendly.state.token,
          SCHEDULING_PROVIDER_BASE_URL: calendly.url,
          EVENT_TYPES: JSON.stringify({ consult: { id: calendly.eventType.id } }),
          PAYMENT_PROVIDER_SECRET_KEY: FAKE_KEY,
          PAYMENT_PROVIDER_BASE_URL: stripe.url,
        },
      })
      chromium = await openChromium(executable!)
      page = await chromium.context.newPage()
      await addAuthenticator(page)
      owner = await walkerOn(page, practice.url, ON_A_PHONE)
      firstKey = programWith(practice.url, OWNER_KEY)
      await page.goto(`${practice.url}/owner/enrol#${practice.token}`)
      await page.locator('[data-passkey=enrol]').click()
      await page.waitForURL(`${practice.url}/owner`)
    })
    afterAll(async () => {
      await chromium.close()
      await practice.stop()
      await calendly.stop()
      await stripe.stop()
    })

    test('leads from a consult to Calendly by its own id, and counts real providers as a step', async () => {
      const start = Math.ceil((Date.now() + 2 * DAY) / DAY) * DAY + 15 * 60 * MINUTE
      const invitee = { email: 'pat@plumbwick.example', name: 'Pat Plumbwick', timezone: null }
      const id = calendly.bookOnPage(start, invitee)
      await owner.open('/owner')
      const way = owner.found('section[aria-labelledby=coming] a.out')
      expect(await way.getAttribute('href')).toBe(
        `https://calendly.com/app/scheduled_events/user/me?uuid=${id}`,
      )
      expect(await way.getAttribute('aria-label')).toMatch(/^Open in Calendly: P\. P\./)
      expect(await owner.text('.on')).toBe('On')
      // They are folded once two are done.
      const steps = await owner.page.locator('.steps .ok').allTextContents()
      expect(steps.at(-1)).toContain('Real calendar and payments')
      await owner.fits()
    })

    test('ends an approval with the link of Stripe to copy, and the way to the invoice there', async () => {
      await firstKey.tightens({ approval: [{ operation: 'create_payment_link', level: 'person' }] })
      const change = await firstKey.asks('/v1/payment-links', { invoice_id: 'in_1Fake' })
      expect(change.preview.status, JSON.stringify(change.preview.body)).toBe(200)
      await owner.open(change.path)
      await owner.press('.foot [data-passkey=confirm]')
      await owner.found('[data-copy=go-on]').waitFor()
      const { body } = await change.commit()
      expect(body).toMatchObject({ status: 'committed' })
      await page.reload()
      expect(await owner.text('#made')).toBe((body['result'] as { url: string }).url)
      expect(
        await owner.found('section[aria-labelledby=now-what] a[href*=stripe]').getAttribute('href'),
      ).toBe('https://dashboard.stripe.com/test/invoices/in_1Fake')
      await owner.fits()
    })
  },
)
