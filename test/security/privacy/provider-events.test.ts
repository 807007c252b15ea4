// @module-tag slow

import { afterEach, expect, it } from 'vitest'

import { DAY, HOUR, MINUTE } from '../../../src/core/domain/time/duration.ts'
import { startConnector } from '../../support/connector.ts'
import { fakeCalendly } from '../../support/fakes/calendly.ts'
import { fakeStripe } from '../../support/fakes/stripe.ts'
import { CANARY } from '../../support/fakes/webhook-bodies.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { filesUnder, placeOf } from './evidence.ts'
import { scannerFor } from './scanner.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const EMAIL = `${CANARY}@plumbwick.example`
const INVITEE = { email: EMAIL, name: `${CANARY} Zibblethwaite`, timezone: 'Europe/London' }
const scan = scannerFor({ canary: [CANARY], surname: ['Zibblethwaite'] })

it('of what people do on the pages of the providers nothing but ids, states and times is stored, logged or answered', async () => {
  const [calendly, stripe, folder] = [await fakeCalendly(), await fakeStripe(), temporaryFolder()]
  closing.push(folder.remove, calendly.stop, stripe.stop)
  calendly.state.scopes.add('webhooks:write')
  const connector = await startConnector({
    storage: folder.path,
    vars: { ...calendly.settings, ...stripe.settings },
  })
  stripe.set('in_1Fake', { customer_name: INVITEE.name, customer_email: EMAIL })
  await connector.rest('/v1/admin/provider-webhooks', { method: 'POST' })
  const answers: string[] = []
  const types = async () => {
    const { text } = await connector.rest('/v1/events')
    answers.push(text)
    return (JSON.parse(text) as { events: { type: string }[] }).events.map(({ type }) => type)
  }
  await types()
  const preview = await connector.rest('/v1/payment-links', {
    method: 'POST',
    key: 'a link for the privacy test',
    body: { invoice_id: 'in_1Fake', confirm: false },
  })
  const { confirmation_token } = preview.body
  await connector.rest('/v1/payment-links', {
    method: 'POST',
    key: 'a link for the privacy test',
    body: { invoice_id: 'in_1Fake', confirm: true, confirmation_token },
  })
  await expect.poll(types, { timeout: 20_000 }).toEqual(['payment_link.created'])

  const start = Math.ceil((Date.now() + 2 * DAY) / DAY) * DAY + 15 * HOUR
  const booked = calendly.bookOnPage(start, INVITEE)
  await calendly.webhooks.deliver()
  const moved = calendly.moveOnPage(booked, start + 30 * MINUTE)
  await calendly.webhooks.deliver()
  await expect
    .poll(async () => (await types()).at(-1), { timeout: 20_000 })
    .toBe('booking.rescheduled')
  calendly.cancelOnPage(moved, `${CANARY} is ill.`)
  stripe.set('in_1Fake', { status: 'paid', amount_paid: 12_345, amount_remaining: 0 })
  await calendly.webhooks.deliver()
  await stripe.webhooks.deliver()
  await expect
    .poll(async () => (await types()).toSorted().slice(-2), { timeout: 20_000 })
    .toEqual(['payment_link.created', 'payment_link.paid'])
  await expect.poll(types, { timeout: 20_000 }).toContain('booking.cancelled')
  await connector.stop()

  const files = await filesUnder(folder.path)
  expect(files.length).toBeGreaterThan(5)
  const text = Buffer.concat(files.map(({ bytes }) => bytes))
  // The search would find it: the ids are there.
  expect(text.includes(`bk_${moved}`)).toBe(true)
  const said = [
    ...answers.map((one) => placeOf('an answer', one)),
    placeOf('the log', connector.logs.join('\n')),
  ]
  expect(scan([...files, ...said])).toEqual([])
})
