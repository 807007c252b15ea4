// @module-tag slow

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { DAY, HOUR } from '../../src/core/domain/time/duration.ts'
import { isoInZone } from '../../src/core/domain/time/time.ts'
import { type Connector, startConnector } from '../support/connector.ts'
import { type FakeCalendly, fakeCalendly } from '../support/fakes/calendly.ts'
import { FAKE_KEY, type FakeStripe, fakeStripe } from '../support/fakes/stripe.ts'
import { callerWith } from '../support/transports.ts'
import { AGENTS } from './agents.ts'
import { type Asker, initialsOf, moveTo, sendLink } from './front-desk.ts'
import { type Host, connectHost } from './host.ts'

const textOnly = AGENTS.find(({ sees }) => sees === 'text')!
const ZONE = 'America/New_York'
const SCOPES = [
  'availability:read',
  'bookings:read',
  'bookings:write',
  'payments:read',
  'payments:write',
]

const DANA = { name: 'Dana Fields', email: 'dana.fields@desk-guests.example' }
/** Someone else whose initials are the same. */
const DREW = { name: 'Drew Foster', email: 'drew.foster@desk-guests.example' }
const ROBIN = { name: 'Robin Roe', email: 'robin.roe@desk-guests.example' }

/** Noon of the first Monday that is a day or more away, and the Thursday after it. */
const MONDAY = (() => {
  const tomorrow = Math.ceil(Date.now() / DAY + 1) * DAY
  return tomorrow + ((8 - new Date(tomorrow).getUTCDay()) % 7) * DAY + 16 * HOUR
})()
const THURSDAY = isoInZone(MONDAY + 3 * DAY, ZONE).slice(0, 10)

/** The contract has no form for an expanded intent, without which it is not known whether a payment is under way. */
const NO_PAYMENTS: object = {
  payments: { object: 'list', data: [], has_more: false, url: '/v1/invoice_payments' },
}

let calendly: FakeCalendly
let stripe: FakeStripe
let connector: Connector
let apiKey: string
beforeAll(async () => {
  calendly = await fakeCalendly({ hours: { from: 14, to: 21 } })
  stripe = await fakeStripe()
  connector = await startConnector({
    vars: {
      SCHEDULING_PROVIDER: 'calendly',
      SCHEDULING_PROVIDER_TOKEN: calendly.state.token,
      SCHEDULING_PROVIDER_BASE_URL: calendly.url,
      EVENT_TYPES: JSON.stringify({ consult: { id: calendly.eventType.id } }),
      PAYMENT_PROVIDER_SECRET_KEY: FAKE_KEY,
      PAYMENT_PROVIDER_BASE_URL: stripe.url,
      PAYMENT_LINK_STYLE: 'payment_link',
    },
  })
  ;({ apiKey } = await callerWith(connector, SCOPES, { name: 'Agent' }))
})
afterAll(async () => {
  await connector.stop()
  await calendly.stop()
  await stripe.stop()
})

let booked = 0
/** Someone booked on the provider's own page, each at another hour of the Monday. */
const onPage = ({ name, email }: typeof DANA): string =>
  calendly.bookOnPage(MONDAY + HOUR * booked++, { name, email, timezone: ZONE })

beforeEach(() => {
  booked = 0
  calendly.state.events.length = 0
})

const knowing = (email: string | undefined): Asker => ({ answer: () => email })

/** An agent that is shown only texts; the answer to its first commit of these tools is lost. */
async function atDesk<T>(
  lost: readonly string[],
  person: Asker,
  serve: (desk: { agent: typeof textOnly; host: Host; person: Asker }) => Promise<T>,
): Promise<{ served: T; calls: number }> {
  const kinds = new Set(lost.map((tool) => `${tool}:commit`))
  const host = await connectHost(connector.url, apiKey, textOnly, kinds, () => true)
  try {
    const served = await serve({ agent: textOnly, host, person })
    return { served, calls: host.spent.calls }
  } finally {
    await host.close()
  }
}

const active = (email: string) =>
  calendly.state.events.filter(
    ({ status, invitees }) => status === 'active' && invitees[0]?.email === email,
  )
const dayOf = (start: number) => isoInZone(start, ZONE).slice(0, 10)

describe('“I have an appointment under this address, can we make it Thursday?”', () => {
  test.each([[[]], [['reschedule_booking']]])(
    'is done in at most six calls by an agent that reads only texts, where the answers to %j are lost',
    async (lost) => {
      onPage(ROBIN)
      onPage(DANA)
      const { served, calls } = await atDesk(lost, knowing(undefined), (desk) =>
        moveTo(desk, { email: DANA.email.toUpperCase() }, THURSDAY, ZONE),
      )
      expect(served).toMatchObject({ is: 'done', asked: [] })
      expect(calls).toBeLessThanOrEqual(6)
      expect(active(DANA.email).map(({ start }) => dayOf(start))).toEqual([THURSDAY])
      expect(active(ROBIN.email).map(({ start }) => dayOf(start))).toEqual([dayOf(MONDAY)])
    },
  )

  test('of two people with the same initials asks for the address, and moves the one that it names', async () => {
    onPage(DREW)
    onPage(DANA)
    const { served, calls } = await atDesk([], knowing(DANA.email), (desk) =>
      moveTo(desk, { name: DANA.name }, THURSDAY, ZONE),
    )
    expect(served).toMatchObject({ is: 'done', asked: ['which appointment'] })
    expect(calls).toBeLessThanOrEqual(6)
    expect(active(DANA.email).map(({ start }) => dayOf(start))).toEqual([THURSDAY])
    expect(active(DREW.email).map(({ start }) => dayOf(start))).toEqual([dayOf(MONDAY)])
  })

  test('of two people with the same initials moves no one where the person does not know the address', async () => {
    onPage(DREW)
    onPage(DANA)
    const { served } = await atDesk([], knowing(undefined), (desk) =>
      moveTo(desk, { name: DANA.name }, THURSDAY, ZONE),
    )
    expect(served).toMatchObject({ is: 'asked, and no one knew', asked: ['which appointment'] })
    for (const { email } of [DANA, DREW])
      expect(active(email).map(({ start }) => dayOf(start))).toEqual([dayOf(MONDAY)])
  })
})

describe('“Send Dana the link for her open invoice”', () => {
  const invoice = (id: string, { name, email }: typeof DANA, change: object = {}) =>
    stripe.set(id, {
      number: id,
      customer_name: name,
      customer_email: email,
      ...NO_PAYMENTS,
      ...change,
    })
  const linksOf = (id: string) =>
    stripe.links.filter(({ active, metadata }) => active && metadata['invoice_id'] === id)

  test('is done in at most four calls by an agent that reads only texts, for the open one alone', async () => {
    invoice('in_1K1', ROBIN)
    invoice('in_1K2', ROBIN, { status: 'paid', amount_remaining: 0 })
    const { served, calls } = await atDesk(['create_payment_link'], knowing(undefined), (desk) =>
      sendLink(desk, ROBIN.name),
    )
    expect(served).toMatchObject({ is: 'done', asked: [] })
    expect(calls).toBeLessThanOrEqual(4)
    expect(linksOf('in_1K1').map(({ url }) => url)).toEqual([served.url])
    expect(linksOf('in_1K2')).toEqual([])
  })

  test('of two people with the same initials asks for the address, and makes the link that it names', async () => {
    invoice('in_1K7', DREW)
    invoice('in_1K8', DANA)
    const { served, calls } = await atDesk([], knowing(DANA.email), (desk) =>
      sendLink(desk, DANA.name),
    )
    expect(served).toMatchObject({ is: 'done', asked: ['which invoice'] })
    expect(calls).toBeLessThanOrEqual(4)
    expect(linksOf('in_1K8').map(({ url }) => url)).toEqual([served.url])
    expect(linksOf('in_1K7')).toEqual([])
  })

  test('of two people with the same initials makes none where the person does not know the address', async () => {
    invoice('in_1K3', DREW, { number: 'B-1' })
    invoice('in_1K4', DANA, { number: 'B-2' })
    const { served } = await atDesk([], knowing(undefined), (desk) => sendLink(desk, DANA.name))
    expect(served).toMatchObject({ is: 'asked, and no one knew', asked: ['which invoice'] })
    for (const id of ['in_1K3', 'in_1K4']) expect(linksOf(id)).toEqual([])
  })
})

describe('what the agent is shown where two people have the same initials', () => {
  test('tells them apart by nothing but the ids, and says what to ask for', async () => {
    onPage(DREW)
    onPage(DANA)
    stripe.set('in_1K5', { customer_name: DREW.name, customer_email: DREW.email })
    stripe.set('in_1K6', { customer_name: DANA.name, customer_email: DANA.email })
    const host = await connectHost(connector.url, apiKey, textOnly, new Set(), () => true)
    const invoices = (await host.call('find_invoices', {})).seen
    const bookings = (await host.call('list_bookings', {})).seen
    await host.close()
    expect(initialsOf(DANA.name)).toBe(initialsOf(DREW.name))
    for (const seen of [invoices, bookings]) {
      expect(seen.split('\n').filter((line) => line.includes('D. F.')).length).toBeGreaterThan(1)
      expect(seen).not.toMatch(/dana|drew|fields|foster|desk-guests/i)
      expect(seen).toMatch(/ask .*address/i)
    }
  })
})
