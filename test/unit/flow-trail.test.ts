import { describe, expect, test, vi } from 'vitest'
import { MOST_WAITING } from '../../src/confirm/trail.ts'
import { anExistingBooking, BOOKING, callerOf, CLIENT, LINK, NEW_TIME } from './confirm/caller.ts'
import { practice, type World } from './confirm/fake-host.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const DAY = 24 * 60 * MINUTE

const told = (world: World) => world.trail().map(({ event, code }) => `${event} ${code}`)

describe('what a flow tells the trail', () => {
  test('a preview waits a minute for company, and then sets out alone', async () => {
    const world = practice()
    const booking = callerOf(world, 'book_consult', BOOKING)
    await booking.preview()
    await world.idle()
    expect(world.trips).toBe(0)
    await booking.ring()
    expect(world.trail()).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{16}\.1\.ok$/),
        at: world.now() - MINUTE,
        event: 'preview',
        code: 'ok',
        caller: 'tester',
        app: null,
        operation: 'book_consult',
        record_id: null,
        operation_id: await booking.name,
        request_id: 'request',
        times: 1,
      },
    ])
    expect((await booking.record())?.trail).toBeUndefined()
  })

  test('a commit takes the preview along, in one trip after the answer', async () => {
    const world = practice()
    const booking = callerOf(world, 'book_consult', BOOKING)
    await booking.preview()
    const appending = world.stop('before', 'append')
    const answer = await booking.commit()
    expect(answer).toMatchObject({ status: 'committed' })
    expect(world.trail()).toEqual([])
    expect((await booking.record())?.trail?.rows).toHaveLength(2)
    appending.go()
    await world.idle()
    expect([told(world), world.trips]).toEqual([['preview ok', 'commit committed'], 1])
    expect(world.trail()[1]?.record_id).toMatch(/^bk_mock_/)
    expect((await booking.record())?.trail).toBeUndefined()
  })

  test('a repeat is told as one, without a write of the record', async () => {
    const world = practice()
    const client = callerOf(world, 'create_client_profile', CLIENT)
    await client.preview()
    await client.commit()
    await world.idle()
    const kept = JSON.stringify(await client.record())
    await client.commit()
    await client.preview()
    await world.idle()
    expect(told(world).slice(2)).toEqual(['replay committed', 'replay committed'])
    expect(JSON.stringify(await client.record())).toBe(kept)
  })

  test('repeats that come at once are told in one trip', async () => {
    const world = practice()
    const client = callerOf(world, 'create_client_profile', CLIENT)
    await client.preview()
    await client.commit()
    await world.idle()
    world.longPauses = true
    for (let i = 0; i < 5; i++) expect(await client.commit()).toMatchObject({ replayed: true })
    expect([told(world).length, world.trips]).toEqual([2, 1])
    world.endPauses()
    await world.idle()
    expect([told(world).slice(2), world.trips]).toEqual([Array(5).fill('replay committed'), 2])
  })

  test('what was delivered and what the trail has are noted in one write', async () => {
    const world = practice()
    const client = callerOf(world, 'create_client_profile', CLIENT)
    await client.preview()
    world.writes = 0
    await client.commit()
    await world.idle()
    expect(world.writes).toBe(2)
    expect(await client.record()).not.toHaveProperty('outbox')
    expect(await client.record()).not.toHaveProperty('trail')
  })

  test('a trail that is slower than the delivery holds up its note for a second', async () => {
    const world = practice()
    const client = callerOf(world, 'create_client_profile', CLIENT)
    await client.preview()
    const slow = world.stop('before', 'append')
    await client.commit()
    await slow.reached
    await vi.waitFor(() => expect(world.waiting()).toBe(1))
    expect(await client.record()).toHaveProperty('outbox')
    world.pass(SECOND)
    // A repeat lets out what was written before it.
    await vi.waitFor(async () => {
      await client.commit()
      expect(await client.record()).not.toHaveProperty('outbox')
    })
    expect(await client.record()).toHaveProperty('trail')
    slow.go()
    await world.idle()
    expect(await client.record()).not.toHaveProperty('trail')
  })

  test.each([
    ['a refusal that uses up the preview', 'refused', ['preview ok', 'refusal slot_unavailable']],
    ['a provider that is busy', 'busy', ['preview ok', 'refusal provider_busy']],
  ] as const)('%s', async (_name, fault, expected) => {
    const world = practice()
    const booking = callerOf(world, 'book_consult', BOOKING)
    await booking.preview()
    world.fail('book', fault)
    await booking.commit()
    await booking.ring()
    expect(told(world)).toEqual(expected)
  })

  test('a preview that another one replaced before the trail was told', async () => {
    const world = practice({ ttlMs: SECOND })
    const booking = callerOf(world, 'book_consult', BOOKING)
    await booking.preview()
    world.pass(2 * SECOND)
    await booking.preview()
    await booking.ring()
    expect(told(world)).toEqual(['preview ok', 'preview ok'])
  })

  test('a doubt once, that a person is needed once, and the end by the word of the owner', async () => {
    const world = practice()
    const booking = callerOf(world, 'book_consult', BOOKING)
    await booking.preview()
    world.fail('book', 'timeout_before')
    await booking.commit()
    await booking.ringAll()
    expect(told(world)).toEqual(['preview ok', 'doubt outcome_unknown', 'doubt needs_attention'])
    await world.settle(await booking.name, true, { booking_id: 'bk_1' })
    await world.idle()
    expect(told(world).slice(3)).toEqual(['commit committed'])
    expect(world.trail()[3]).toMatchObject({ caller: 'tester', request_id: 'request', record_id: 'bk_1' })
  })

  test('what an alarm finds out is told under the caller who asked for it', async () => {
    const world = practice()
    const booking = callerOf(world, 'book_consult', BOOKING)
    await booking.preview()
    world.fail('book', 'timeout_after')
    await booking.commit()
    await booking.crash()
    await booking.ringAll()
    expect(told(world)).toEqual(['preview ok', 'doubt outcome_unknown', 'commit committed'])
    expect(world.trail()[2]).toMatchObject({ caller: 'tester', request_id: 'request' })
  })

  test('an alarm that tells the trail in the middle of a change does not come back until it is due', async () => {
    const world = practice()
    const booking = callerOf(world, 'book_consult', BOOKING)
    await booking.preview()
    world.pass(MINUTE - SECOND)
    const slow = world.stop('before', 'book')
    const committed = booking.commit()
    await slow.reached
    await booking.ring()
    expect([told(world), await booking.alarm()]).toEqual([['preview ok'], world.now() + 14 * SECOND])
    slow.go()
    expect(await committed).toMatchObject({ status: 'committed' })
    await world.idle()
    expect(told(world)).toEqual(['preview ok', 'commit committed'])
  })

  test('a move that ended half done is told as that', async () => {
    const world = practice()
    const booking_id = await anExistingBooking(world)
    const move = callerOf(world, 'reschedule_booking', { booking_id, start_time: NEW_TIME })
    await move.preview()
    world.fail('book', 'refused')
    const answer = await move.commit()
    await move.ringAll()
    expect(answer).toMatchObject({ code: 'reschedule_restored' })
    expect(told(world)).toEqual(['preview ok', 'commit reschedule_restored'])
    expect(world.trail()[0]?.record_id).toBe(booking_id)
  })

  test('fifty who ask at once are one commit and 49 repeats', async () => {
    const world = practice()
    const client = callerOf(world, 'create_client_profile', CLIENT)
    await client.preview()
    await Promise.all(Array.from({ length: 50 }, () => client.commit()))
    await world.idle()
    expect(told(world).filter((one) => one === 'commit committed')).toHaveLength(1)
    const repeats = world.trail().filter(({ event }) => event === 'replay')
    expect(repeats.reduce((sum, { times }) => sum + times, 0)).toBe(49)
  })

  test('a refusal where nothing is kept leaves nothing behind but its entry', async () => {
    const world = practice()
    const link = callerOf(world, 'create_payment_link', { ...LINK, invoice_id: 'in_mock_paid' })
    await link.preview()
    await callerOf(world, 'create_payment_link', LINK).commit()
    await world.idle()
    expect(told(world)).toEqual(['refusal invoice_not_payable', 'refusal confirmation_token_missing'])
    expect(await link.record()).toBeUndefined()
  })

  test('a call of a version without a trail is served all the same', async () => {
    const world = practice()
    const client = callerOf(world, 'create_client_profile', CLIENT)
    const { by: _by, ...old } = await client.asked(false)
    expect(await world.perform(await client.name, old)).toMatchObject({ is: 'preview' })
    expect(await client.commit()).toMatchObject({ code: 'confirmation_token_missing' })
    await client.ring()
    const preview = world.trail().find(({ event }) => event === 'preview')
    expect(preview).toMatchObject({ caller: 'unknown', request_id: null })
  })
})

describe('a trail that does not answer', () => {
  test.each([
    ['before', false],
    ['after', true],
  ])(
    'is never in the way of a commit, loses nothing and gets nothing twice (%s it appended)',
    async (_w, after) => {
      const world = practice()
      const booking = callerOf(world, 'book_consult', BOOKING)
      await booking.preview()
      world.failingTrips = 12
      world.failsAfter = after
      expect(await booking.commit()).toMatchObject({ status: 'committed', replayed: false })
      for (let i = 0; i < 3; i++) expect(await booking.commit()).toMatchObject({ replayed: true })
      await world.idle()
      await booking.crash()
      await booking.ringAll()
      expect(world.failingTrips).toBe(0)
      const counts = new Map<string, number>()
      for (const { event, times } of world.trail()) counts.set(event, (counts.get(event) ?? 0) + times)
      expect(Object.fromEntries(counts)).toEqual({ preview: 1, commit: 1, replay: 3 })
    },
  )

  test('keeps the record from being forgotten, however long that takes', async () => {
    const world = practice()
    const client = callerOf(world, 'create_client_profile', CLIENT)
    await client.preview()
    const begun = world.now()
    world.failingTrips = 45
    while (world.failingTrips > 0) await client.ring()
    expect(world.now() - begun).toBeGreaterThan(30 * DAY)
    expect(await client.record()).toBeDefined()
    await client.ring()
    expect(told(world)).toEqual(['preview ok'])
    await client.ring()
    expect(await client.record()).toBeUndefined()
  })

  test('lets a caller who hammers it grow nothing without end, and counts what was done', async () => {
    const world = practice()
    const client = callerOf(world, 'create_client_profile', CLIENT)
    await client.preview()
    await client.commit()
    await world.idle()
    world.failingTrips = Infinity
    for (let i = 0; i < 500; i++) {
      await client.commit()
      if (i % 100 !== 7) continue
      await world.idle()
      await client.ring()
    }
    expect((await client.record())!.trail!.rows.length).toBeLessThanOrEqual(MOST_WAITING + 5)
    world.failingTrips = 0
    await client.ringAll()
    const repeats = world.trail().filter(({ event }) => event === 'replay')
    expect(repeats.reduce((sum, { times }) => sum + times, 0)).toBe(500)
  })

  test('does not lose what is counted while the rows that wait are on their way', async () => {
    const world = practice()
    const booking = callerOf(world, 'book_consult', BOOKING)
    await booking.preview()
    world.failingTrips = 1
    await booking.ring()
    world.fail('book', 'busy*')
    for (let i = 0; i < MOST_WAITING + 10; i++) await booking.commit()
    expect((await booking.record())!.trail!.rows).toHaveLength(MOST_WAITING)
    const onTheWay = world.stop('before', 'append')
    const ringing = booking.ring()
    await onTheWay.reached
    for (let i = 0; i < 3; i++) await booking.commit()
    onTheWay.go()
    await ringing
    await booking.ringAll()
    const refusals = world.trail().filter(({ event }) => event === 'refusal')
    expect(refusals.reduce((sum, { times }) => sum + times, 0)).toBe(MOST_WAITING + 13)
  })

  test('does not keep an answer waiting, however slow it is', async () => {
    const world = practice()
    const booking = callerOf(world, 'book_consult', BOOKING)
    await booking.preview()
    const slow = world.stop('after', 'append')
    await booking.commit()
    await slow.reached
    expect(await booking.commit()).toMatchObject({ status: 'committed', replayed: true })
    expect(await booking.preview()).toMatchObject({ replayed: true })
    slow.go()
    await world.idle()
    expect(told(world)).toEqual(['preview ok', 'commit committed', 'replay committed', 'replay committed'])
  })

  test('that was told, but whose answer nobody heard, is told the same again', async () => {
    const world = practice()
    const booking = callerOf(world, 'book_consult', BOOKING)
    await booking.preview()
    const cut = world.stop('after', 'append')
    await booking.commit()
    await cut.reached
    await booking.crash()
    expect(told(world)).toHaveLength(2)
    await booking.ringAll()
    expect([told(world), world.trips]).toEqual([['preview ok', 'commit committed'], 2])
  })
})
