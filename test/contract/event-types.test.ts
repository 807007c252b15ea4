import { describe, expect, it } from 'vitest'
import type { EventTypeDetails } from '../../src/domain/event-type.ts'
import type { FakeCalcom } from '../support/fakes/calcom.ts'
import type { FakeCalendly } from '../support/fakes/calendly.ts'
import { type CalcomRig, startCalcom } from './calcom-rig.ts'
import { type CalendlyRig, startCalendly } from './calendly-rig.ts'

const JOIN = 'https://meet.example/j/812-3456-7890?pwd=let-me-in'

describe('a kind of consult at Calendly', () => {
  let rig: CalendlyRig

  async function read(change: object): Promise<EventTypeDetails> {
    rig = await startCalendly()
    Object.assign(rig.fake.eventType, change)
    const details = await rig.scheduling.eventType({ name: 'consult', id: rig.fake.eventType.id })
    expect(JSON.stringify(details)).not.toContain('let-me-in')
    return details
  }
  type Locations = FakeCalendly['eventType']['locations']

  it.each<[string, Locations, EventTypeDetails['location'], boolean]>([
    ['Zoom', [{ kind: 'zoom_conference' }], { kind: 'video', text: 'video (Zoom)' }, true],
    [
      'Microsoft Teams',
      [{ kind: 'microsoft_teams_conference' }],
      { kind: 'video', text: 'video (Microsoft Teams)' },
      true,
    ],
    [
      'a number to call',
      [{ kind: 'inbound_call' }],
      { kind: 'phone', text: 'phone: the invitee calls the practice' },
      true,
    ],
    [
      'an address',
      [{ kind: 'physical', location: ' 12 Main Street,\nSpringfield ' }],
      { kind: 'in_person', text: 'in person: 12 Main Street, Springfield' },
      true,
    ],
    [
      'an address with a door code',
      [{ kind: 'physical', location: '12 Main Street, code 4471' }],
      { kind: 'in_person', text: 'in person' },
      true,
    ],
    [
      'an address that is a link',
      [{ kind: 'physical', location: JOIN }],
      { kind: 'in_person', text: 'in person' },
      true,
    ],
    [
      'words of its own, with a link',
      [{ kind: 'custom', location: `Join at ${JOIN}` }],
      { kind: 'other', text: 'as arranged by the practice' },
      true,
    ],
    [
      'the number of the invitee',
      [{ kind: 'outbound_call' }],
      { kind: 'phone', text: 'phone: the practice calls the invitee' },
      false,
    ],
    [
      'what the invitee says',
      [{ kind: 'ask_invitee' }],
      { kind: 'other', text: 'where the invitee says' },
      false,
    ],
    [
      'several to choose from',
      [{ kind: 'zoom_conference' }, { kind: 'physical', location: 'Here' }],
      null,
      false,
    ],
    ['none', [], null, true],
    ['null', null, null, true],
  ])(
    'whose location is %s is shown so, and no link is passed on',
    async (_what, locations, location, bookable) => {
      expect(await read({ locations })).toMatchObject({ location, bookable })
    },
  )

  it('of several hosts in turn has no place of its own, since each host has another', async () => {
    expect(await read({ pooling_type: 'round_robin' })).toMatchObject({ location: null, bookable: true })
  })

  it('that is paid, off or for a group is shown, with no price, as one that cannot be booked', async () => {
    for (const change of [{ is_paid: true }, { active: false }, { kind: 'group' }]) {
      expect(await read(change)).toMatchObject({ minutes: 30, price: null, bookable: false })
    }
    await read({})
  })

  it('has the title that people see, unless there is a link in it', async () => {
    expect((await read({ name: 'Tax review' })).title).toBe('Tax review')
    expect((await read({ name: `Call ${JOIN}` })).title).toBeNull()
  })
})

describe('a kind of consult at Cal.com', () => {
  let rig: CalcomRig

  async function read(change: object, compared = true): Promise<EventTypeDetails> {
    rig = await startCalcom({}, {}, { compared })
    Object.assign(rig.fake.eventType, change)
    const details = await rig.scheduling.eventType(rig.eventType)
    expect(JSON.stringify(details)).not.toContain('let-me-in')
    return details
  }
  type Locations = FakeCalcom['eventType']['locations']

  it.each<[string, Locations, EventTypeDetails['location'], boolean]>([
    [
      'an app for video',
      [{ type: 'integration', integration: 'google-meet' }],
      { kind: 'video', text: 'video (Google Meet)' },
      true,
    ],
    [
      'an app for video that has no name here',
      [{ type: 'integration', integration: 'whereby-video' }],
      { kind: 'video', text: 'video' },
      true,
    ],
    [
      'an app with a link of its own',
      [{ type: 'integration', integration: 'huddle', link: JOIN }],
      { kind: 'other', text: 'online: the provider sends the link' },
      true,
    ],
    [
      'a link',
      [{ type: 'link', link: JOIN, public: true }],
      { kind: 'other', text: 'online: the provider sends the link' },
      true,
    ],
    [
      'the app that the host likes best',
      [{ type: 'organizersDefaultApp' }],
      { kind: 'other', text: 'online: the provider sends the link' },
      true,
    ],
    [
      'an address on the booking page',
      [{ type: 'address', address: '12 Main Street', public: true }],
      { kind: 'in_person', text: 'in person: 12 Main Street' },
      true,
    ],
    [
      'an address that only invitees learn',
      [{ type: 'address', address: '12 Main Street', public: false }],
      { kind: 'in_person', text: 'in person' },
      true,
    ],
    [
      'a number to call',
      [{ type: 'phone', phone: '+13125550100', public: true }],
      { kind: 'phone', text: 'phone: the invitee calls the practice' },
      true,
    ],
    [
      'the first of several, which a booking gets',
      [{ type: 'organizersDefaultApp' }, { type: 'address', address: '12 Main Street', public: true }],
      { kind: 'other', text: 'online: the provider sends the link' },
      true,
    ],
    ['one that nobody knows', [{ type: 'unknown', location: JOIN }], null, false],
    ['none', [], null, true],
  ])(
    'whose location is %s is shown so, and no link is passed on',
    async (_what, locations, location, bookable) => {
      expect(await read({ locations })).toMatchObject({ location, bookable })
    },
  )

  it.each([
    ['attendeePhone', 'phone: the practice calls the invitee'],
    ['attendeeAddress', 'where the invitee says'],
    ['attendeeDefined', 'where the invitee says'],
  ])('whose location is %s is shown so, as one that cannot be booked', async (type, text) => {
    expect(await read({ locations: [{ type }] }, false)).toMatchObject({
      location: { text },
      bookable: false,
    })
  })

  it.each<[string, object, EventTypeDetails['price']]>([
    ['in cents', { price: 15_000, currency: 'usd' }, { amount: 15_000, currency: 'usd' }],
    [
      'in a currency without a smaller unit',
      { price: 9_000, currency: 'JPY' },
      { amount: 9_000, currency: 'jpy' },
    ],
    ['of nothing at booking, which is no price', { price: 0, currency: 'usd' }, null],
    ['in a coin', { price: 1_000, currency: 'BTC' }, null],
    ['in thousandths, of which Cal.com may think otherwise', { price: 1_000, currency: 'KWD' }, null],
    ['with a fraction', { price: 99.5, currency: 'usd' }, null],
    ['in no currency', { price: 1_000, currency: '' }, null],
  ])(
    'with a price %s has only the price that is sure, and is not booked with one',
    async (_what, change, price) => {
      const details = await read(change)
      expect(details.price).toEqual(price)
      expect(details.bookable).toBe((change as { price: number }).price === 0)
    },
  )

  it('whose price, currency, title and locations are null is shown all the same', async () => {
    expect(await read({ price: null, currency: null, title: null, locations: null }, false)).toEqual({
      title: null,
      minutes: 30,
      location: null,
      price: null,
      bookable: true,
    })
  })
})
