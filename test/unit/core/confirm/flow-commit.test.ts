import { describe, expect, test } from 'vitest'

import { DAY, MINUTE, SECOND } from '../../../../src/core/domain/time/duration.ts'
import { practice } from '../../../support/fake-host.ts'
import { BOOKING, callerOf, fieldsOf, previewedRoom, previewedClient } from './caller.ts'

/** Lets others work until it holds; gives up rather than wait for ever. */
async function until(holds: () => boolean): Promise<void> {
  for (let turns = 0; !holds(); turns++) {
    if (turns > 10_000) throw new Error('it never held')
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe('a repeated commit acts once and gives the same answer', () => {
  test.each([
    ['book_consult', ['book']],
    ['cancel_booking', ['cancel']],
    ['create_client_profile', []],
    ['create_payment_link', ['createLink']],
  ])('%s, byte for byte, for 30 days', async (operation, sent) => {
    const world = practice()
    const caller = callerOf(world, operation, await fieldsOf(operation, world))
    await caller.preview()
    const first = await caller.commit()
    expect(first).toMatchObject({ status: 'committed', replayed: false })
    const body = JSON.stringify(first.is === 'answer' && first.body)
    for (const later of [0, 16 * MINUTE, 29 * DAY]) {
      world.pass(later)
      for (const again of [await caller.commit(), await caller.preview()]) {
        expect(again).toMatchObject({ status: 'committed', replayed: true })
        expect(JSON.stringify(again.is === 'answer' && again.body)).toBe(body)
      }
    }
    await caller.crash()
    const restarted = await caller.commit()
    expect(JSON.stringify(restarted.is === 'answer' && restarted.body)).toBe(body)
    expect(world.mutations()).toEqual(sent)
  })
})

describe('simultaneous commits', () => {
  test('fifty of an operation without a provider create one client', async () => {
    const { world, client } = await previewedClient()
    const answers = await Promise.all(Array.from({ length: 50 }, () => client.commit()))
    const bodies = answers.map((answer) => answer.is === 'answer' && JSON.stringify(answer.body))
    expect(new Set(bodies).size).toBe(1)
    await world.idle()
    expect(world.puts).toHaveLength(1)
  })

  test('under two keys book the same time once', async () => {
    const world = practice()
    const [one, two] = [
      callerOf(world, 'book_consult', BOOKING),
      callerOf(world, 'book_consult', BOOKING),
    ]
    await one.preview()
    await two.preview()
    const sent = world.stop('before', 'book')
    const first = one.commit()
    await sent.reached
    expect(await two.commit()).toMatchObject({
      code: 'duplicate_in_doubt',
      refusal: { effect: 'none', retry_after_seconds: 5 },
    })
    sent.go()
    expect(await first).toMatchObject({ status: 'committed' })
    expect(await two.commit()).toMatchObject({ code: 'slot_unavailable' })
    expect(world.mutations()).toEqual(['book'])
  })
})

describe('a caller waits for a limited time', () => {
  test('the first caller waits 25 seconds and the others 10; the commit goes on, and a repeat gets its answer', async () => {
    const { world, room } = await previewedRoom()
    const sent = world.stop('before', 'book')
    let firstIsDone = false
    const first = room.commit().finally(() => (firstIsDone = true))
    await sent.reached
    const joined = room.commit()
    await until(() => world.timers() === 2)
    const inProgress = {
      code: 'commit_in_progress',
      refusal: { effect: 'unknown', retry_after_seconds: 2 },
      replayed: false,
    }
    world.pass(10 * SECOND)
    expect(await joined).toMatchObject(inProgress)
    expect(firstIsDone).toBe(false)
    world.pass(15 * SECOND - 1)
    await until(() => world.timers() === 1)
    expect(firstIsDone).toBe(false)
    world.pass(1)
    expect(await first).toMatchObject(inProgress)
    expect(await room.preview()).toMatchObject(inProgress)
    const late = room.commit()
    await until(() => world.timers() === 1)
    sent.go()
    expect(await late).toMatchObject({ status: 'committed' })
    expect(world.mutations()).toEqual(['book'])
    expect(world.broken).toEqual([])
  })
})

describe('an alarm that rings during a slow task', () => {
  test('asks the provider nothing and is set again; the result of the task still counts', async () => {
    const { world, room } = await previewedRoom()
    const sent = world.stop('before', 'book')
    const answer = room.commit()
    await sent.reached
    for (let times = 0; times < 3; times++) {
      await room.ring()
      expect(await room.alarm()).toBe(world.now() + 15 * SECOND)
    }
    expect(world.log).toEqual(['slots', 'take', 'slots'])
    sent.go()
    expect(await answer).toMatchObject({ status: 'committed' })
    await world.idle()
    expect(world.log.slice(3)).toEqual(['book', 'upsert'])
  })

  test('does not deliver a record twice while it is being delivered', async () => {
    const { world, client } = await previewedClient()
    const writing = world.stop('before', 'upsert')
    await client.commit()
    await writing.reached
    const ringing = client.ring()
    expect(world.log).not.toContain('upsert')
    writing.go()
    await ringing
    await world.idle()
    await client.ringAll()
    expect(world.puts).toHaveLength(1)
  })
})

describe('nothing is sent before it is written down', () => {
  test('a send is known after a crash', async () => {
    const { world, room } = await previewedRoom()
    const sent = world.stop('before', 'book')
    const lost = room.commit().catch(() => 'lost')
    await sent.reached
    expect(await room.record()).toMatchObject({ state: 'running', step: 0, unconfirmedSends: 1 })
    expect(await room.alarm()).toBe(world.now() + 15 * SECOND)
    await room.crash()
    expect(await lost).toBe('lost')
    expect(await room.preview()).toMatchObject({
      code: 'outcome_unknown',
      refusal: { effect: 'unknown', retry_after_seconds: 15 },
    })
  })
})
