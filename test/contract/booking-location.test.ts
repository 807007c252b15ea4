import { describe, expect, test } from 'vitest'

import type { Scheduling } from '../../src/core/ports/scheduling.ts'
import { type World, practice } from '../support/fake-host.ts'
import { startCalcom } from './calcom-rig.ts'
import { slotAt, startCalendly } from './calendly-rig.ts'
import { practiceAt } from './practice-at.ts'

const JOIN = 'https://meet.example/j/812?pwd=let-me-in'
const JANE = { email: 'jane@client.example', name: 'Jane Canarybird' }
const AT = slotAt(4).start
const OTHER = slotAt(6).start

/** The flow of a change in a practice with this provider. */
function changesAt<Rig extends { scheduling: Scheduling }>(
  rig: Rig,
  eventTypeId: string,
  world: World,
) {
  const { aBooking, aMove } = practiceAt(eventTypeId, { scheduling: rig.scheduling }, world)
  return {
    ...rig,
    world,
    aBooking: () => aBooking(AT, JANE.email),
    aMove: (bookingId: string) => aMove(bookingId, OTHER),
  }
}

async function calendly() {
  const world = practice()
  const rig = await startCalendly({}, { now: world.now })
  rig.fake.state.now = world.now
  return changesAt(rig, rig.fake.eventType.id, world)
}

async function calcom() {
  const world = practice()
  const rig = await startCalcom({ now: world.now }, { now: world.now })
  return changesAt(rig, rig.eventType.id, world)
}

const PHYSICAL = { kind: 'physical', location: '12 Main Street' }

describe('the place of a consult', () => {
  test('stands in its preview and its answer, and costs no request of the provider', async () => {
    for (const start of [calendly, calcom]) {
      const { fake, aBooking } = await start()
      const booking = aBooking()
      const location = start === calendly ? 'video (Zoom)' : 'video (Cal Video)'
      expect(await booking.preview()).toMatchObject({ body: { preview: { location } } })
      const asked = fake.requests.map(
        ({ method, path }) => `${method} ${path.replace(/(4711|TYPE\w+)$/, ':id')}`,
      )
      expect(asked).toEqual(
        start === calendly
          ? ['GET /event_types/:id', 'GET /event_type_available_times']
          : ['GET /v2/event-types/:id', 'GET /v2/slots'],
      )
      expect(await booking.commit()).toMatchObject({
        status: 'committed',
        body: { result: { location } },
      })
    }
  })

  test('is that of its kind, and never the link by which its provider lets people in', async () => {
    const { fake, aBooking, world } = await calendly()
    fake.eventType.locations = [{ kind: 'custom', location: JOIN }]
    fake.distort('event', (body) => ({
      resource: {
        ...(body as { resource: object }).resource,
        location: { type: 'custom', location: JOIN },
      },
    }))
    const booking = aBooking()
    const preview = await booking.preview()
    const commit = await booking.commit()
    await world.idle()
    expect(commit).toMatchObject({
      status: 'committed',
      body: { result: { location: 'as arranged by the practice' } },
    })
    expect(JSON.stringify([preview, commit, world.puts, await booking.record()])).not.toContain(
      'let-me-in',
    )
  })

  test('that changed after the preview is not booked, and the commit names both places', async () => {
    const { fake, aBooking, world } = await calendly()
    const booking = aBooking()
    await booking.preview()
    fake.eventType.locations = [PHYSICAL]
    expect(await booking.commit()).toMatchObject({
      code: 'preview_stale',
      refusal: {
        effect: 'none',
        changes: [{ field: 'location', was: 'video (Zoom)', now: 'in person: 12 Main Street' }],
      },
    })
    expect(fake.state.events).toEqual([])
    world.pass(1000)
    await booking.preview()
    expect(await booking.commit()).toMatchObject({
      body: { result: { location: 'in person: 12 Main Street' } },
    })
  })

  test('is the last of several of one type at Cal.com, which takes no other', async () => {
    const { fake, scheduling, eventType, aBooking } = await calcom()
    const address = (line: string) => ({ type: 'address', address: line, public: true })
    const video = { type: 'integration', integration: 'cal-video' }
    fake.eventType.locations = [address('1 High Street'), video, address('2 Low Street')]
    const location = 'in person: 2 Low Street'
    expect(await aBooking().preview()).toMatchObject({ body: { preview: { location } } })
    const { location: shown, asks } = await scheduling.eventType(eventType)
    expect([shown?.text, asks?.places.map((one) => one.location.text)]).toEqual([
      location,
      [location, 'video (Cal Video)'],
    ])
  })

  test('of a booking that is moved in two steps is that of its kind now', async () => {
    const { fake, aMove } = await calendly()
    const move = aMove(`bk_${fake.bookOnPage(AT, { ...JANE, timezone: 'America/New_York' })}`)
    fake.eventType.locations = [PHYSICAL]
    const location = 'in person: 12 Main Street'
    expect(await move.preview()).toMatchObject({ body: { preview: { location } } })
    expect(await move.commit()).toMatchObject({
      status: 'committed',
      body: { result: { location } },
    })
  })

  test('of a booking that its provider moves itself is left unsaid, since it may keep another', async () => {
    const { fake, aMove } = await calcom()
    const { uid } = fake.bookOnPage(AT, { ...JANE, timeZone: 'America/New_York' })
    fake.eventType.locations = [{ type: 'address', address: '12 Main Street', public: true }]
    const move = aMove(`bk_${uid}`)
    expect(await move.preview()).toMatchObject({ body: { preview: { location: null } } })
    expect(await move.commit()).toMatchObject({
      status: 'committed',
      body: { result: { location: null } },
    })
  })
})
