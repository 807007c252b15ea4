import { describe, expect, it } from 'vitest'

import type { EventTypeDetails } from '../../src/core/domain/event-type.ts'
import { detailsOf } from '../../src/practice/adapters/scheduling/calendly/event-type.ts'
import type { FakeCalcom } from '../support/fakes/calcom.ts'
import type { FakeCalendly } from '../support/fakes/calendly.ts'
import { type CalcomRig, startCalcom } from './calcom-rig.ts'
import { type CalendlyRig, startCalendly } from './calendly-rig.ts'

const JOIN = 'https://meet.example/j/812-3456-7890?pwd=let-me-in'

type Location = EventTypeDetails['location']
const video = (text: string): Location => ({ kind: 'video', text })
const inPerson = (where?: string): Location => ({
  kind: 'in_person',
  text: where === undefined ? 'in person' : `in person: ${where}`,
})
const ONLINE: Location = { kind: 'other', text: 'online: the provider sends the link' }
const ARRANGED: Location = { kind: 'other', text: 'as arranged by the practice' }
const INVITEE_SAYS: Location = { kind: 'other', text: 'where the invitee says' }
const INVITEE_CALLS: Location = { kind: 'phone', text: 'phone: the invitee calls the practice' }
const PRACTICE_CALLS: Location = { kind: 'phone', text: 'phone: the practice calls the invitee' }

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

  const physical = (location: string) => [{ kind: 'physical', location }]

  it.each<[string, Locations, Location, boolean]>([
    ['Zoom', [{ kind: 'zoom_conference' }], video('video (Zoom)'), true],
    [
      'Microsoft Teams',
      [{ kind: 'microsoft_teams_conference' }],
      video('video (Microsoft Teams)'),
      true,
    ],
    ['a number to call', [{ kind: 'inbound_call' }], INVITEE_CALLS, true],
    [
      'an address',
      physical(' 12 Main Street,\nSpringfield '),
      inPerson('12 Main Street, Springfield'),
      true,
    ],
    ['an address with a door code', physical('12 Main Street, code 4471'), inPerson(), true],
    ['an address that is a link', physical(JOIN), inPerson(), true],
    [
      'words of its own, with a link',
      [{ kind: 'custom', location: `Join at ${JOIN}` }],
      ARRANGED,
      true,
    ],
    ['the number of the invitee', [{ kind: 'outbound_call' }], PRACTICE_CALLS, true],
    ['what the invitee says', [{ kind: 'ask_invitee' }], INVITEE_SAYS, false],
    ['several to choose from', [{ kind: 'zoom_conference' }, ...physical('Here')], null, true],
    ['none', [], null, true],
    ['null', null, null, true],
  ])(
    'whose location is %s is shown so, and no link is passed on',
    async (_what, locations, location, bookable) => {
      expect(await read({ locations })).toMatchObject({ location, bookable })
    },
  )

  it('of several hosts in turn has no place of its own, since each host has another', async () => {
    expect(await read({ pooling_type: 'round_robin' })).toMatchObject({
      location: null,
      bookable: true,
    })
  })

  it.each([
    [null, false],
    ['collective', false],
    ['multi_pool', true],
    ['a_pool_of_tomorrow', true],
  ])('pooled as %j may be with another host: %j', (pooling_type, hostsTakeTurns) => {
    // Not of the fake, whose answers are those of today.
    const type = { name: null, active: true, kind: 'solo', duration: 30, pooling_type }
    expect(detailsOf(type).hostsTakeTurns).toBe(hostsTakeTurns)
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

  const app = (integration: string, more: object = {}) => [
    { type: 'integration', integration, ...more },
  ]
  const address = (isPublic: boolean) => ({
    type: 'address',
    address: '12 Main Street',
    public: isPublic,
  })
  const DEFAULT_APP = { type: 'organizersDefaultApp' }

  it.each<[string, Locations, Location, boolean]>([
    ['an app for video', app('google-meet'), video('video (Google Meet)'), true],
    ['an app for video that has no name here', app('whereby-video'), video('video'), true],
    ['an app with a link of its own', app('huddle', { link: JOIN }), ONLINE, true],
    ['a link', [{ type: 'link', link: JOIN, public: true }], ONLINE, true],
    ['the app that the host likes best', [DEFAULT_APP], ONLINE, true],
    ['an address on the booking page', [address(true)], inPerson('12 Main Street'), true],
    ['an address that only invitees learn', [address(false)], inPerson(), true],
    [
      'a number to call',
      [{ type: 'phone', phone: '+13125550100', public: true }],
      INVITEE_CALLS,
      true,
    ],
    ['the first of several, which a booking gets', [DEFAULT_APP, address(true)], ONLINE, true],
    ['one that no one knows', [{ type: 'unknown', location: JOIN }], null, false],
    ['the number of the attendee', [{ type: 'attendeePhone' }], PRACTICE_CALLS, true],
    ['none', [], null, true],
  ])(
    'whose location is %s is shown so, and no link is passed on',
    async (_what, locations, location, bookable) => {
      expect(await read({ locations })).toMatchObject({ location, bookable })
    },
  )

  it.each([
    ['attendeeAddress', 'where the invitee says'],
    ['attendeeDefined', 'where the invitee says'],
  ])('whose location is %s is shown so, as one that cannot be booked', async (type, text) => {
    const shown = { location: { text }, bookable: false }
    expect(await read({ locations: [{ type }] }, false)).toMatchObject(shown)
  })

  it('whose question for the email address is hidden cannot be booked, as its advice says', async () => {
    const bookingFields = [{ isDefault: true, type: 'email', slug: 'email', hidden: true }]
    expect(await read({ bookingFields }, false)).toMatchObject({
      bookable: false,
      advice: expect.stringMatching(/hides the question for the email address/) as string,
    })
  })

  it.each<[string, number, string, EventTypeDetails['price']]>([
    ['in cents', 15_000, 'usd', { amount: 15_000, currency: 'usd' }],
    ['in a currency without a smaller unit', 9_000, 'JPY', { amount: 9_000, currency: 'jpy' }],
    ['of nothing at booking, which is no price', 0, 'usd', null],
    ['in a coin', 1_000, 'BTC', null],
    ['in thousandths, of which Cal.com may think otherwise', 1_000, 'KWD', null],
    ['with a fraction', 99.5, 'usd', null],
    ['in no currency', 1_000, '', null],
  ])(
    'with a price %s has only the price that is sure, and is not booked with one',
    async (_what, price, currency, sure) => {
      const details = await read({ price, currency })
      expect(details.price).toEqual(sure)
      expect(details.bookable).toBe(price === 0)
    },
  )

  it('whose price, currency, title and locations are null is shown all the same', async () => {
    const NOTES = { id: 'notes', question: 'notes', required: false, kind: 'text' }
    const limits = {
      addresses: expect.any(RegExp) as RegExp,
      hostsTakeTurns: false,
      acceptance: 'none',
      moves: 'never',
      cancellations: 'never',
    }
    const shown = {
      title: null,
      minutes: 30,
      lengths: [30],
      location: null,
      price: null,
      bookable: true,
      asks: { questions: [NOTES], places: [] },
      ...limits,
    }
    const nothing = { price: null, currency: null, title: null, locations: null }
    expect(await read(nothing, false)).toEqual(shown)
  })
})
