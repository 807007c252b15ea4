import { beforeEach, describe, expect, it, vi } from 'vitest'

import { APPROVAL_TTL_MS } from '../../../../src/core/domain/approval.ts'
import { DAY, MINUTE, SECOND } from '../../../../src/core/domain/time/duration.ts'
import { type World, START, practice } from '../../../support/fake-host.ts'
import { BOOKING, type Caller, CLIENT, callerOf, personApproves, resultOf } from './caller.ts'

const ASKS_FOR_A_PERSON = personApproves('*')
const APPROVED = { is: 'approved', by: 'owner', at: START }

let world: World
let ada: Caller
let name: string
beforeEach(async () => {
  world = practice()
  world.rules = ASKS_FOR_A_PERSON
  ada = callerOf(world, 'book_consult', BOOKING)
  name = await ada.name
})

/** A booking that a person has approved, and a minute later. */
async function approved(): Promise<void> {
  await ada.preview()
  await world.decide(name, 'approve')
  world.pass(MINUTE)
}

/** The commit that was just made has read the rules, and waits for the decision. */
async function itWaits(): Promise<void> {
  await vi.waitUntil(() => world.timers() > 0, { interval: 1 })
  await new Promise((later) => setImmediate(later))
}

describe('what the page of an approval knows of the change after the decision', () => {
  it('that it was made, by whose approval, when, and what; nothing more of what was shown, and for 30 days', async () => {
    await approved()
    const { code } = (await world.approval(name))!
    const reply = await ada.commit()
    await world.idle()
    const made = (await world.approval(name))!
    expect(made).toMatchObject({
      status: 'committed',
      decision: APPROVED,
      endedAt: START + MINUTE,
      code,
      caller: 'tester',
      summary: reply.is === 'answer' && reply.body['summary'],
    })
    expect([made.preview, made.warnings, made.addressIndex]).toEqual([{}, [], []])
    await world.until(START + MINUTE + 30 * DAY - 1)
    expect(await world.approval(name)).toMatchObject({ status: 'committed', decision: APPROVED })
    await world.until(START + MINUTE + 30 * DAY + 1)
    expect(await world.approval(name)).toBeUndefined()
  })

  it('that it is being made, from the moment in which its commit reads the facts again', async () => {
    await approved()
    const [reading, sending] = [world.stop('after', 'slots'), world.stop('before', 'book')]
    const commit = ada.commit()
    for (const stop of [reading, sending]) {
      await stop.reached
      expect(await world.approval(name)).toMatchObject({ status: 'running', decision: APPROVED })
      stop.go()
    }
    await commit
    expect(await world.approval(name)).toMatchObject({ status: 'committed' })
  })

  it('that it was made, where the commit waited for the decision and is made again, or is at work', async () => {
    await ada.preview()
    const commit = ada.commit({}, 20 * SECOND)
    await itWaits()
    await world.decide(name, 'approve')
    expect(await world.approvalAfter(name, SECOND)).toMatchObject({ status: 'committed' })
    expect(await commit).toMatchObject({ status: 'committed' })
  })

  it('that nothing has happened yet, after a while, where the caller that waited is not let in again', async () => {
    await ada.preview()
    const commit = ada.commit({}, 20 * SECOND)
    await itWaits()
    ada.loseCredential()
    await world.decide(name, 'approve')
    const page = world.approvalAfter(name, SECOND)
    expect(await commit).toMatchObject({ code: 'unauthenticated' })
    world.pass(SECOND)
    expect(await page).toMatchObject({ status: 'approved' })
    expect(await world.approvalAfter(name, SECOND)).toMatchObject({ status: 'approved' })
  })

  it('that its outcome is in doubt, that a person has to find it out, and what the owner says of it', async () => {
    await approved()
    world.fail('book', 'timeout_before')
    expect(await ada.commit()).toMatchObject({ code: 'outcome_unknown' })
    expect(await world.approval(name)).toMatchObject({
      status: 'outcome_unknown',
      decision: APPROVED,
    })
    await ada.ringAll()
    expect(await world.approval(name)).toMatchObject({
      status: 'outcome_unknown',
      refusal: { needs_attention: true },
    })
    await world.resolve(name, false)
    expect(await world.approval(name)).toMatchObject({
      status: 'failed',
      decision: APPROVED,
      refusal: { code: 'resolved_by_owner', effect: 'none' },
    })
  })

  it('that it was not made, and why, where the facts had changed since it was approved', async () => {
    await approved()
    world.fail('book', 'refused')
    const refused = await ada.commit()
    expect(refused).toMatchObject({ code: 'slot_unavailable' })
    const end = {
      status: 'failed',
      decision: APPROVED,
      endedAt: START + MINUTE,
      refusal: { code: 'slot_unavailable', effect: 'none' },
    }
    expect(await world.approval(name)).toMatchObject(end)
    world.pass(APPROVAL_TTL_MS)
    await ada.commit()
    expect(await world.approval(name)).toMatchObject(end)
  })

  it('that only a part of it was made, and what exists now', async () => {
    world.rules = []
    const { booking_id } = await resultOf(ada)
    await world.idle()
    world.rules = ASKS_FOR_A_PERSON
    const move = callerOf(world, 'reschedule_booking', {
      booking_id,
      start_time: '2026-11-25T15:00:00Z',
    })
    await move.preview()
    const moving = await move.name
    await world.decide(moving, 'approve')
    world.fail('book', 'refused', 'refused*')
    expect(await move.commit()).toMatchObject({ code: 'partially_applied' })
    expect(await world.approval(moving)).toMatchObject({
      status: 'failed',
      refusal: { code: 'partially_applied', effect: 'partial' },
      preview: { previous_booking_id: booking_id, state: 'cancelled' },
    })
  })

  it('that it was declined, by whom and when, also once it has expired', async () => {
    await approved()
    await world.decide(name, 'decline')
    const declined = {
      status: 'declined',
      decision: { is: 'declined', by: 'owner', at: START + MINUTE },
    }
    expect(await world.approval(name)).toMatchObject(declined)
    world.pass(APPROVAL_TTL_MS)
    expect(await world.approval(name)).toMatchObject(declined)
  })

  it('that it was approved and never came back', async () => {
    await approved()
    world.pass(APPROVAL_TTL_MS)
    expect(await world.approval(name)).toMatchObject({ status: 'expired', decision: APPROVED })
  })

  it('that it was made, and no word by which it is recognised, once its client is erased', async () => {
    const client = callerOf(world, 'create_client_profile', CLIENT)
    await client.preview()
    const creating = await client.name
    await world.decide(creating, 'approve')
    const { code, digest } = (await world.approval(creating))!
    const made = await client.commit()
    await world.idle()
    const { client_id } = (made.is === 'answer' && made.body['result']) as { client_id: string }
    await world.erase(creating, client_id)
    const erased = (await world.approval(creating))!
    expect(erased).toMatchObject({ status: 'committed', decision: APPROVED, code: '', summary: '' })
    for (const gone of [code, digest, client_id, 'J. D.'])
      expect(JSON.stringify(erased)).not.toContain(gone)
    expect(await world.decide(creating, 'decline', { id: erased.id, digest })).toBe('ended')
  })
})
