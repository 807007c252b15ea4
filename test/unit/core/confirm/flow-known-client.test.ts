import { beforeEach, describe, expect, it } from 'vitest'

import type { Previewed } from '../../../../src/core/confirm/record.ts'
import { APPROVED, approvedLink } from '../../../../src/core/domain/records.ts'
import type { Scope } from '../../../../src/core/domain/scopes.ts'
import type { RecordWrite } from '../../../../src/core/ports/records.ts'
import { type World, practice } from '../../../support/fake-host.ts'
import {
  BOOKING,
  CLIENT,
  NEW_TIME,
  anExistingBooking,
  callerOf,
  replace,
  rulesForAll,
} from './caller.ts'

const unlessKnown = (operation: string) => [
  rulesForAll({ approval: [{ operation, unless: 'known_client', level: 'person' }] }),
]

let world: World
/** The indexes of addresses that are known, and how often Records was asked. */
let known: Set<string>
let asked: number
let written: RecordWrite[]
beforeEach(() => {
  world = practice()
  known = new Set()
  asked = 0
  written = []
  replace(world, 'records', ({ upsert }) => ({
    knowsClient: async (index) => (asked++, index.some((one) => known.has(one))),
    upsert: (writes, ...rest) => (written.push(...writes), upsert(writes, ...rest)),
  }))
})

/** From now on the address of this change is known. */
async function becomesKnown(operation: string, fields: object): Promise<void> {
  const caller = callerOf(world, operation, fields)
  await caller.preview()
  for (const one of ((await caller.record()) as Previewed).index) known.add(one)
}

const NOTHING_DONE = { code: 'internal_error', refusal: { effect: 'none' } }

const FIELDS = { book_consult: BOOKING, create_client_profile: CLIENT }

describe.each(['book_consult', 'create_client_profile'] as const)('%s', (operation) => {
  const fields = FIELDS[operation]

  it('needs a person for an address that is not known, and none for one that is', async () => {
    world.rules = unlessKnown(operation)
    const stranger = callerOf(world, operation, fields)
    expect(await stranger.preview()).toMatchObject({ body: { approval: { required: 'person' } } })
    expect(await stranger.commit()).toMatchObject({ code: 'approval_pending' })
    await becomesKnown(operation, fields)
    const client = callerOf(world, operation, fields)
    const preview = await client.preview()
    expect(preview).toMatchObject({ status: 'preview' })
    expect(preview).not.toMatchObject({ body: { approval: expect.anything() } })
    expect(await client.commit()).toMatchObject({ status: 'committed' })
  })

  it('tells nothing to a caller without clients:read: every address needs a person', async () => {
    await becomesKnown(operation, fields)
    world.rules = unlessKnown(operation)
    const scopes: Scope[] = ['bookings:write', 'clients:write', 'bookings:read']
    const caller = callerOf(world, operation, fields, { scopes })
    expect(await caller.preview()).toMatchObject({ body: { approval: { required: 'person' } } })
    expect(await caller.commit()).toMatchObject({ code: 'approval_pending' })
    expect(asked).toBe(0)
  })

  it('is stale where the address is known no more at the commit, and nothing is sent', async () => {
    await becomesKnown(operation, fields)
    world.rules = unlessKnown(operation)
    const caller = callerOf(world, operation, fields)
    await caller.preview()
    known.clear()
    expect(await caller.commit()).toMatchObject({
      code: 'preview_stale',
      refusal: { changes: [{ field: 'approval' }] },
    })
    expect(world.mutations()).toEqual([])
    expect(await caller.preview()).toMatchObject({ body: { approval: { required: 'person' } } })
  })

  it('is shown afresh to a caller that may read clients no more', async () => {
    await becomesKnown(operation, fields)
    world.rules = unlessKnown(operation)
    const key = `the key of a caller of ${operation}`
    expect(await callerOf(world, operation, fields, { key }).preview()).not.toMatchObject({
      body: { approval: expect.anything() },
    })
    const scopes: Scope[] = ['bookings:write', 'clients:write']
    expect(await callerOf(world, operation, fields, { key, scopes }).preview()).toMatchObject({
      body: { approval: { required: 'person' } },
    })
  })

  it('needs a person where it cannot be asked who is known', async () => {
    replace(world, 'records', () => ({ knowsClient: () => Promise.reject(new Error('gone')) }))
    world.rules = unlessKnown(operation)
    expect(await callerOf(world, operation, fields).preview()).toMatchObject({
      body: { approval: { required: 'person' } },
    })
  })

  it('where Records fails at the commit, sends nothing, says so, and can be made again', async () => {
    const { caller, isGone } = await knownCaller(() => Promise.reject(new Error('gone')))
    expect(await caller.commit()).toMatchObject(NOTHING_DONE)
    expect(world.mutations()).toEqual([])
    isGone(false)
    expect(await caller.commit()).toMatchObject({ status: 'committed' })
  })

  it('where Records never answers at the commit, waits no longer than two seconds for it', async () => {
    const { caller, isGone } = await knownCaller(() => new Promise(() => {}))
    const answer = caller.commit()
    // The wait of the commit itself, and that for the records.
    while (world.timers() < 2) await new Promise((later) => setImmediate(later))
    world.pass(2_000)
    expect(await answer).toMatchObject(NOTHING_DONE)
    expect(world.mutations()).toEqual([])
    isGone(false)
    expect(await caller.commit()).toMatchObject({ status: 'committed' })
  })

  /** A caller whose preview goes to a known client; from now on Records answers so, until it is back. */
  async function knownCaller(knowsClient: () => Promise<boolean>) {
    await becomesKnown(operation, fields)
    world.rules = unlessKnown(operation)
    const caller = callerOf(world, operation, fields)
    await caller.preview()
    let gone = true
    replace(world, 'records', (records) => ({
      knowsClient: (...given) => (gone ? knowsClient() : records.knowsClient(...given)),
    }))
    return { caller, isGone: (still: boolean) => void (gone = still) }
  }

  it('asks Records once at the preview and once at the commit, and never without the rule', async () => {
    await becomesKnown(operation, fields)
    const free = callerOf(world, operation, fields)
    await free.preview()
    expect(await free.record()).not.toHaveProperty('isKnownClient')
    expect(asked).toBe(0)
    world.rules = unlessKnown(operation)
    const caller = callerOf(world, operation, { ...fields, timezone: 'America/Chicago' })
    await caller.preview()
    expect(asked).toBe(1)
    await caller.commit()
    expect(asked).toBe(2)
  })

  it('makes the address known once a person has approved it, and not by an agent alone', async () => {
    const alone = callerOf(world, operation, fields)
    await alone.preview()
    await alone.commit()
    await world.idle()
    const links = written.flatMap((one) => one.links ?? [])
    expect(links.filter((one) => one.startsWith(APPROVED))).toEqual([])
    world.rules = unlessKnown(operation)
    const caller = callerOf(world, operation, {
      ...fields,
      ...(operation === 'book_consult' && { start_time: NEW_TIME }),
    })
    await caller.preview()
    const { index } = (await caller.record()) as Previewed
    await world.decide(await caller.name, 'approve')
    expect(await caller.commit()).toMatchObject({ status: 'committed' })
    await world.idle()
    // The record is still found by the address itself.
    const approved = written.filter((one) => one.links?.some((link) => link.startsWith(APPROVED)))
    expect(approved.map((one) => one.links)).toEqual([[...index, ...index.map(approvedLink)]])
  })
})

describe('reschedule_booking', () => {
  it('asks only where it goes to another address', async () => {
    const booking_id = await anExistingBooking(world)
    world.rules = unlessKnown('reschedule_booking')
    const same = callerOf(world, 'reschedule_booking', { booking_id, start_time: NEW_TIME })
    expect(await same.preview()).not.toMatchObject({ body: { approval: expect.anything() } })
    const other = callerOf(world, 'reschedule_booking', {
      booking_id,
      start_time: NEW_TIME,
      invitee_email: 'robin@elsewhere.example',
    })
    expect(await other.preview()).toMatchObject({ body: { approval: { required: 'person' } } })
    expect((await world.approval(await other.name))?.whole).toMatchObject({
      invitee_email: 'r***@elsewhere.example',
    })
  })
})

describe('invite_client', () => {
  it.each([
    [['time'], true],
    [['details', 'time'], true],
    [['details'], false],
  ])('asks for %j: a person is needed: %s', async (ask, needed) => {
    world.rules = unlessKnown('invite_client')
    const preview = await callerOf(world, 'invite_client', { ask }).preview()
    expect(preview).toMatchObject({ status: 'preview' })
    expect('approval' in (preview as { body: object }).body).toBe(needed)
    expect(asked).toBe(0)
  })
})
