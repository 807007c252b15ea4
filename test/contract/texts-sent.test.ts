import { describe, expect, test } from 'vitest'
import * as z from 'zod'

import { maskEmail } from '../../src/core/domain/email.ts'
import { initials } from '../../src/core/domain/name.ts'
import { maskPhone, phoneNumber } from '../../src/core/domain/phone.ts'
import { redactContacts } from '../../src/core/domain/sensitive-data/contacts.ts'
import type { Ports } from '../../src/core/ports/services.ts'
import { MUTATIONS, mutationNamed } from '../../src/practice/operations/index.ts'
import { practice } from '../support/fake-host.ts'
import { defaultFields } from '../support/fakes/calcom-bodies.ts'
import type { FakeRequest } from '../support/fakes/http.ts'
import type { FakeStripe } from '../support/fakes/stripe.ts'
import { type Reply, aClient, callerOf } from '../unit/core/confirm/caller.ts'
import * as calcom from './calcom-rig.ts'
import * as calendly from './calendly-rig.ts'
import { iso, practiceAt } from './practice-at.ts'
import { INVOICE, stripeRig } from './stripe-rig.ts'

const JANE = { email: 'jane@client.example', name: 'Jane Canarybird', timezone: 'America/New_York' }

const RESPOND = 'respond_to_booking'
/** What the kind of consult asks, besides a number for the second of its places. */
const QUESTION = 'What is it about?'
const PHONE = '(312) 555-0147'

interface Rig {
  scheduling: Ports['scheduling']
  eventType: string
  requests: readonly FakeRequest[]
  /** A booking of a client, and a time that is free. */
  bookingId: string
  freeTime: string
  /** A booking that waits for the practice; Calendly has none. */
  requestId?: string
}

const RIGS: Record<string, (now: () => number) => Promise<Rig>> = {
  async Calendly(now) {
    const rig = await calendly.startCalendly({ now }, { now })
    const { scheduling, fake } = rig
    fake.eventType.questions = [
      { name: QUESTION, enabled: true, required: false, type: 'text', answer_choices: [] },
    ]
    fake.eventType.locations = [{ kind: 'zoom_conference' }, { kind: 'outbound_call' }]
    const bookingId = `bk_${fake.bookOnPage(calendly.slotAt(4).start, JANE)}`
    const freeTime = iso(calendly.slotAt(6).start)
    const { requests } = fake
    return { scheduling, eventType: fake.eventType.id, requests, bookingId, freeTime }
  },
  async 'Cal.com'(now) {
    const rig = await calcom.startCalcom({ now }, { now })
    const { scheduling, eventType, fake } = rig
    const question = { isDefault: false, type: 'textarea', slug: 'about', label: QUESTION }
    fake.eventType.bookingFields = [
      ...defaultFields(),
      { ...question, placeholder: '', required: false, hidden: false },
    ]
    fake.eventType.locations = [
      { type: 'integration', integration: 'cal-video' },
      { type: 'attendeePhone' },
    ]
    const bookingId = await rig.book(4)
    const freeTime = iso(calcom.slotAt(6).start)
    const { requests } = fake
    fake.eventType.confirms = true
    const requestId = await rig.book(5, 'a-request-of-the-test.0')
    fake.eventType.confirms = false
    return { scheduling, eventType: eventType.id, requests, bookingId, freeTime, requestId }
  },
}

interface Field {
  type?: string
  format?: string
  enum?: string[]
  minimum?: number
  items?: Field
  properties?: Record<string, Field>
  $ref?: string
  $defs?: Record<string, Field>
}

type Fields = Record<string, unknown>

/** Values for every field of an operation, the optional ones too: what must exist exists, and texts are told apart by it. */
function fieldsFor({ $defs, properties = {} }: Field, existing: Record<string, string>): Fields {
  const valueOf = (name: string, { $ref, ...inline }: Field): unknown => {
    const field = $ref === undefined ? inline : $defs?.[$ref.slice('#/$defs/'.length)]
    if (field?.properties) return fieldsFor({ ...field, ...($defs && { $defs }) }, existing)
    if (field?.enum) return existing[name] ?? field.enum[0]
    if (field?.items) return field.items.enum ?? [valueOf(name, field.items)]
    if (field?.type === 'boolean') return true
    if (field?.type !== 'string') return field?.minimum ?? 1
    if (field.format === 'email') return `zorvath.${name}@words-of-the-caller.example`
    return existing[name] ?? `Zorvath words of ${name}, or call (312) 555-0184.`
  }
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, valueOf(name, field)]),
  )
}

const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : value !== null && typeof value === 'object'
      ? Object.values(value).flatMap(textsIn)
      : []

/** All texts of a request; without the marker by which we find it again. */
const textsOf = ({ path, query, body }: FakeRequest): string[] =>
  [...path.split('/').map(decodeURIComponent), ...query.values(), ...textsIn(body)].map((text) =>
    text.replace(/^\(ref [^)]*\) ?/, ''),
  )

/** Whether a text stands in a preview as it is, as another writing of the same moment, or masked. */
function isShown(text: string, shown: readonly string[]): boolean {
  const at = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : undefined
  return shown.some(
    (one) =>
      one === text ||
      one === `bk_${text}` ||
      one === maskEmail(text) ||
      one === redactContacts(text) ||
      one === maskPhone(text) ||
      (/ of \w*name,/.test(text) && one === initials(text)) ||
      (at !== undefined && Date.parse(one) === at),
  )
}

/** A change with every text that its caller can give: what of it a provider is sent, and what the preview did not show. */
async function textsSent(rig: (now: () => number) => Promise<Rig>, name: string) {
  const world = practice()
  const { scheduling, eventType, requests, bookingId, freeTime, requestId } = await rig(world.now)
  const { fake, payments } = await stripeRig('hosted_invoice')
  const paymentLinkId = addLink(fake)
  practiceAt(eventType, { scheduling, payments }, world)
  const existing: Record<string, string> = {
    booking_id: (name === RESPOND && requestId) || bookingId,
    // Only with a decline does a text of the caller go out.
    decision: 'decline',
    client_id: await aClient(world),
    invoice_id: INVOICE,
    payment_link_id: paymentLinkId,
    start_time: freeTime,
    start_times: freeTime,
    timezone: 'Asia/Tokyo',
    event_type: 'consult',
    question: QUESTION,
    phone: PHONE,
    location: 'practice_calls',
  }
  const given = fieldsFor(z.toJSONSchema(mutationNamed(name)!.input) as Field, existing)
  const change = callerOf(world, name, given)
  const before = [requests.length, fake.requests.length] as const
  const { preview } = bodyOf(await change.preview())
  bodyOf(await change.commit())
  const sent = [...requests.slice(before[0]), ...fake.requests.slice(before[1])].flatMap(textsOf)
  // Words are known again also where only some of them are sent.
  const words = textsIn(given).map((text) =>
    /Zorvath/i.test(text) ? 'zorvath' : text.toLowerCase(),
  )
  words.push(phoneNumber(PHONE)!)
  const ofCaller = sent.filter((text) => words.some((word) => text.toLowerCase().includes(word)))
  return { sent, ofCaller, hidden: ofCaller.filter((text) => !isShown(text, textsIn(preview))) }
}

/** A link that the connector made under the other style. */
function addLink({ links }: FakeStripe): string {
  const id = 'plink_fakeMade'
  const metadata = { invoice_id: INVOICE, amount: '12345', commit_id: 'made.0' }
  const url = `https://buy.stripe.com/test_${id}`
  const money = { currency: 'usd', amount: 12_345, paid: 0, limit: 1 }
  links.push({ id, url, active: true, ...money, metadata, paymentMetadata: metadata })
  return id
}

function bodyOf(reply: Reply) {
  if (reply.is !== 'answer')
    throw new Error(
      `Give this test what the operation needs, in \`existing\` of this file: ${JSON.stringify(reply)}`,
    )
  return reply.body as { preview: object; result: Record<string, unknown> }
}

describe.each(Object.entries(RIGS))(
  'every text of a caller that %s or Stripe is sent',
  (provider, rig) => {
    const mutations = MUTATIONS.filter(({ name }) => name !== RESPOND || provider === 'Cal.com')

    test.each(mutations)('is in the preview of $name, whole or masked', async ({ name }) => {
      const { sent, ofCaller, hidden } = await textsSent(rig, name)
      expect(hidden).toEqual([])
      expect(ofCaller.length > 0).toBe(sent.length > 0)
    })
  },
)
