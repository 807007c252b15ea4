import { describe, expect, test } from 'vitest'

import { DAY, MINUTE, SECOND } from '../../../../src/core/domain/time/duration.ts'
import type { ConfirmationCall } from '../../../../src/core/ports/confirmation.ts'
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
  test('fifty of one preview have one effect and equal answers', async () => {
    const { world, room } = await previewedRoom()
    const sent = world.stop('before', 'book')
    const answers = Array.from({ length: 50 }, () => room.commit())
    await sent.reached
    await until(() => world.timers() === 50)
    sent.go()
    const bodies = (await Promise.all(answers)).map((answer) => JSON.stringify(answer))
    expect(new Set(bodies).size).toBe(1)
    expect(bodies[0]).toContain('"committed"')
    expect(world.mutations()).toEqual(['book'])
    expect(world.calendar.active()).toHaveLength(1)
  })

  test('fifty previews with two payloads, then fifty commits, all at once: one sends', async () => {
    const world = practice()
    const other = { ...BOOKING, start_time: '2026-11-24T11:00:00-05:00' }
    const asked = await Promise.all(
      [BOOKING, other].map((fields) => callerOf(world, 'book_consult', fields).asked(false)),
    )
    const fifty = (more: Partial<ConfirmationCall>) =>
      Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          world.perform('one', { ...asked[index % 2]!, ...more }),
        ),
      )
    const previews = await fifty({})
    const shown = previews.filter((reply) => reply.is === 'preview')
    expect(new Set(shown.map(({ id }) => id)).size).toBe(1)
    expect(shown).toHaveLength(25)

    const sent = world.stop('before', 'book')
    const answers = fifty({ confirm: true, token: { id: shown[0]!.id } })
    await sent.reached
    await until(() => world.timers() === 25)
    sent.go()
    const said = (await answers).map((reply) =>
      reply.is === 'refused' ? reply.refusal.code : reply.is,
    )
    expect(said.filter((one) => one === 'committed')).toHaveLength(25)
    expect(said.filter((one) => one === 'idempotency_key_reused')).toHaveLength(25)
    expect(world.log.filter((name) => name === 'take')).toHaveLength(1)
    expect(world.mutations()).toEqual(['book'])
  })

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
      refusal: { effect: 'none' },
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
  test('an intent that is not durable has not been sent', async () => {
    const { world, room } = await previewedRoom()
    const checked = world.stop('after', 'slots')
    const lost = room.commit().catch(() => 'lost')
    await checked.reached
    world.slowDisk = true
    checked.go()
    for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve))
    expect(world.mutations()).toEqual([])
    await room.crash()
    world.slowDisk = false
    expect(await lost).toBe('lost')
    expect((await room.record())?.state).toBe('previewed')
    expect(await room.commit()).toMatchObject({ status: 'committed' })
    expect(world.mutations()).toEqual(['book'])
  })

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
