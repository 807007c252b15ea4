import { describe, expect, test } from 'vitest'

import { openKeyring } from '../../src/core/crypto/keyring.ts'
import type { Scope } from '../../src/core/domain/scopes.ts'
import type { Scheduling } from '../../src/core/ports/scheduling.ts'
import type { Context } from '../../src/practice/operations/context.ts'
import { getBooking } from '../../src/practice/operations/get-booking.ts'
import { perform } from '../../src/practice/operations/perform.ts'
import { customField, defaultFields } from '../support/fakes/calcom-bodies.ts'
import { noHouseRules } from '../support/fakes/house-rules.ts'
import { answerBefore } from '../support/fakes/http.ts'
import { noQuota } from '../support/fakes/provider-quota.ts'
import { emptyRecords } from '../support/fakes/records.ts'
import * as calcom from './calcom-rig.ts'
import * as calendly from './calendly-rig.ts'

const ABOUT = 'What is it about?'
const WROTE = 'Back taxes. Write to zebulon@client.example.com or call (312) 555-0147.'
const SHOWN = 'Back taxes. Write to [email] or call [phone].'
const PERSONAL = /zebulon|0147|canary/i
const JANE = { email: 'jane@client.example', name: 'Jane Canarybird' }

interface Rig {
  scheduling: Scheduling
  eventTypeId: string
  bookingId: string
  /** The kind cannot be read any more. */
  losesKind(): void
  asked(): number
}

const RIGS: Record<string, () => Promise<Rig>> = {
  async Calendly() {
    const { scheduling, fake } = await calendly.startCalendly()
    fake.eventType.questions = [{ name: ABOUT, enabled: true, required: true }]
    const answers = [{ question: ABOUT, answer: WROTE, position: 0 }]
    const invitee = { ...JANE, timezone: 'UTC', answers }
    const place = { kind: 'outbound_call', location: '+1 312 555 0147' }
    return {
      scheduling,
      eventTypeId: fake.eventType.id,
      bookingId: `bk_${fake.bookOnPage(calendly.slotAt(4).start, invitee, place)}`,
      losesKind: () =>
        fake.fault('eventType', answerBefore(404, { title: 'Resource Not Found' }), 9),
      asked: () => fake.requests.length,
    }
  },
  async 'Cal.com'() {
    const { scheduling, eventType, fake } = await calcom.startCalcom({}, { eventTypeIds: ['4711'] })
    fake.eventType.bookingFields = [
      ...defaultFields(),
      { ...customField('about', true), label: ABOUT },
    ]
    const attendee = { ...JANE, timeZone: 'UTC' }
    const location = { value: 'phone', optionValue: '+1 312 555 0147' }
    const { uid } = fake.bookOnPage(calcom.slotAt(4).start, attendee, { about: WROTE, location })
    return {
      scheduling,
      eventTypeId: eventType.id,
      bookingId: `bk_${uid}`,
      losesKind: () => fake.fault('eventType', answerBefore(404, {}), 9),
      asked: () => fake.requests.length,
    }
  },
}

/** What `get_booking` answers to a caller with these scopes. */
async function read({ scheduling, eventTypeId, bookingId }: Rig, scopes: Scope[]) {
  const services = {
    practice: { timezone: 'UTC', eventTypes: [{ name: 'consult', id: eventTypeId }] },
    scheduling,
    records: emptyRecords,
    houseRules: noHouseRules,
    providerQuota: noQuota,
    keyring: () => openKeyring(['the signing secret of these answers']),
    now: () => calcom.NOW,
  }
  const context = { scopes, services } as unknown as Context
  const { body, text } = await perform(
    getBooking,
    { fields: {}, path: { booking_id: bookingId } },
    context,
  )
  const said = text()
  expect(JSON.stringify([body, said])).not.toMatch(PERSONAL)
  return { body, text: said }
}

describe.each(Object.entries(RIGS))('what an invitee wrote on the page of %s', (provider, rig) => {
  test('is shown beside the question, where that was granted by name', async () => {
    const { body, text } = await read(await rig(), ['bookings:read', 'booking_answers:read'])
    expect(body).toMatchObject({
      answers: [{ question: ABOUT, answer: SHOWN }],
      answers_not_shown: 0,
    })
    expect(text).toContain(`${JSON.stringify(ABOUT)}: ${JSON.stringify(SHOWN)}`)
  })

  test('is in no answer without the grant, and costs no request', async () => {
    const at = await rig()
    const before = at.asked()
    const { body, text } = await read(at, ['bookings:read', 'bookings:write', 'admin'])
    const cost = at.asked() - before
    expect(Object.keys(body)).toEqual(['operation', 'mode', 'booking'])
    expect(text).not.toContain('Back taxes')
    await read(at, ['bookings:read', 'booking_answers:read'])
    expect(at.asked() - before - cost).toBeGreaterThan(cost)
  })

  test('is shown though its kind cannot be read any more', async () => {
    const at = await rig()
    at.losesKind()
    const { body } = await read(at, ['bookings:read', 'booking_answers:read'])
    const question = provider === 'Cal.com' ? 'about' : ABOUT
    expect(body).toMatchObject({ answers: [{ question, answer: SHOWN }] })
  })
})
