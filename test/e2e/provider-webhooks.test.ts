import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { DAY, MINUTE } from '../../src/core/domain/time/duration.ts'
import { type Connector, startConnector } from '../support/connector.ts'
import { fakeCalendly, type FakeCalendly } from '../support/fakes/calendly.ts'
import { FAKE_KEY, type FakeStripe, fakeStripe } from '../support/fakes/stripe.ts'
import { CANARY } from '../support/fakes/webhook-bodies.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let calendly: FakeCalendly
let stripe: FakeStripe
let connector: Connector
const storage = temporaryFolder()
beforeAll(async () => {
  calendly = await fakeCalendly()
  stripe = await fakeStripe()
  calendly.state.scopes.add('webhooks:write')
  stripe.set('in_1Fake')
  connector = await startConnector({
    storage: storage.path,
    vars: {
      SCHEDULING_PROVIDER_TOKEN: calendly.state.token,
      SCHEDULING_PROVIDER_BASE_URL: calendly.url,
      EVENT_TYPES: JSON.stringify({ consult: { id: calendly.eventType.id } }),
      PAYMENT_PROVIDER_SECRET_KEY: FAKE_KEY,
      PAYMENT_PROVIDER_BASE_URL: stripe.url,
    },
  })
})
afterAll(async () => {
  await connector.stop()
  await calendly.stop()
  await stripe.stop()
  storage.remove()
})

/** The first open time of the fake, some days ahead. */
const slotIn = (days: number) => Math.ceil((Date.now() + days * DAY) / DAY) * DAY + 15 * 60 * MINUTE

interface Listed {
  events: { type: string; data: Record<string, string> }[]
}
const events = async () => (JSON.parse((await connector.rest('/v1/events')).text) as Listed).events

test('what happens on the pages of both providers is an event a moment later, and nothing of the people in it', async () => {
  const registered = await connector.rest('/v1/admin/provider-webhooks', { method: 'POST' })
  expect(JSON.parse(registered.text)).toEqual({
    webhooks: [
      { provider: 'calendly', state: 'active' },
      { provider: 'stripe', state: 'active' },
    ],
  })
  const asked = { calendly: calendly.requests.length, stripe: stripe.requests.length }
  const invitee = { email: `${CANARY}@plumbwick.example`, name: CANARY, timezone: 'Europe/London' }
  const booked = calendly.bookOnPage(slotIn(2), invitee)
  expect(await calendly.webhooks.deliver()).toEqual([200])
  await expect
    .poll(events, { timeout: 30_000 })
    .toMatchObject([
      { type: 'booking.created', data: { booking_id: `bk_${booked}`, source: 'provider' } },
    ])

  const moved = calendly.moveOnPage(booked, slotIn(3))
  expect(await calendly.webhooks.deliver()).toEqual([200, 200])
  await expect
    .poll(async () => (await events()).slice(1), { timeout: 30_000 })
    .toMatchObject([
      {
        type: 'booking.rescheduled',
        data: { booking_id: `bk_${moved}`, previous_booking_id: `bk_${booked}` },
      },
    ])
  stripe.set('in_1Fake', { status: 'void' })
  expect(await stripe.webhooks.deliver()).toEqual([200])
  const methods = [
    ...calendly.requests.slice(asked.calendly),
    ...stripe.requests.slice(asked.stripe),
  ].map(({ method }) => method)
  // The providers were asked what has changed, and nothing else.
  expect([...new Set(methods)]).toEqual(['GET'])
  expect((await connector.rest('/v1/events')).text).not.toContain(CANARY)
  expect(connector.logs.join('\n')).not.toContain(CANARY)
})

test('a delivery that someone changed on its way is refused, and the genuine one is taken', async () => {
  calendly.cancelOnPage(calendly.state.events.at(-1)!.id)
  const answers: number[] = []
  await calendly.webhooks.deliver(async (request) => {
    const body = (await request.clone().text()).replace('invitee.canceled', 'invitee.created')
    answers.push(
      (await fetch(request.url, { method: 'POST', headers: request.headers, body })).status,
    )
    const response = await fetch(request)
    answers.push(response.status)
    return response
  })
  expect(answers).toEqual([401, 200])
})

test('of all that the bodies held, nothing but ids is in any byte that is stored', async () => {
  await connector.stop()
  const files = readdirSync(storage.path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)))
  // That the search finds what is there.
  expect(files.some((bytes) => bytes.includes('bk_EVNT'))).toBe(true)
  expect(files.filter((bytes) => bytes.includes(CANARY))).toEqual([])
})
