import { beforeEach, describe, expect, it } from 'vitest'

import type { Rules } from '../../../../src/core/domain/rules/house-rules.ts'
import { type World, practice } from '../../../support/fake-host.ts'
import { BOOKING, CLIENT, LINK, callerOf, rulesForAll } from './caller.ts'

const NEVER = { hours: { days: [7], from: '03:00', to: '04:00' } }

let world: World
beforeEach(() => {
  world = practice()
})

describe('a house rule at the preview', () => {
  it.each<[string, Partial<Rules>, string]>([
    ['a pause', { paused: true }, 'paused'],
    ['hours in which nothing may be changed', NEVER, 'house_rule'],
  ])('refuses it, keeps nothing, and does not use up the key: %s', async (_what, rules, code) => {
    world.rules = [rulesForAll(rules)]
    const ada = callerOf(world, 'book_consult', BOOKING)
    expect(await ada.preview()).toMatchObject({ code, refusal: { effect: 'none' } })
    expect(world.kept()).toEqual([])
    world.rules = []
    expect(await ada.preview()).toMatchObject({ status: 'preview' })
    expect(await ada.commit()).toMatchObject({ status: 'committed' })
  })

  it('reads the amount of the invoice, and allows the largest one', async () => {
    world.rules = [rulesForAll({ max_link: { usd: 24_999 } })]
    const link = callerOf(world, 'create_payment_link', LINK)
    expect(await link.preview()).toMatchObject({
      code: 'house_rule',
      refusal: { rule: { name: 'max_link', allows: 'Payment links up to $249.99.' } },
    })
    world.rules = [rulesForAll({ max_link: { usd: 25_000 } })]
    expect(await link.preview()).toMatchObject({ status: 'preview' })
    expect(await link.commit()).toMatchObject({ status: 'committed' })
  })

  it('gives a paused caller no facts', async () => {
    const lost = callerOf(world, 'create_payment_link', { invoice_id: 'in_mock_unknown' })
    expect(await lost.preview()).toMatchObject({ code: 'invoice_not_found' })
    world.rules = [rulesForAll({ paused: true })]
    expect(await lost.preview()).toMatchObject({ code: 'paused' })
  })

  it('warns where at most three changes are left, and the warning stays in the preview', async () => {
    world.rules = [rulesForAll({ changes_a_day: 5 }, 2)]
    const ada = callerOf(world, 'book_consult', BOOKING)
    const preview = await ada.preview()
    const warnings = ['The rules of the owner allow 3 more changes today, with this one.']
    expect(preview).toMatchObject({ body: { warnings } })
    world.rules = [rulesForAll({ changes_a_day: 5 }, 4)]
    expect(await ada.preview()).toEqual(preview)
    world.rules = [rulesForAll({ changes_a_day: 5 }, 1)]
    expect(await callerOf(world, 'create_client_profile', CLIENT).preview()).toMatchObject({
      body: { warnings: [] },
    })
  })

  it('is left to the commit if the coordinator does not answer within half a second', async () => {
    world.rules = [rulesForAll({ paused: true })]
    world.rulesHang = true
    const preview = callerOf(world, 'book_consult', BOOKING).preview()
    while (world.timers() === 0) await new Promise((later) => setImmediate(later))
    world.pass(499)
    expect(world.timers()).toBe(1)
    world.pass(1)
    expect(await preview).toMatchObject({ status: 'preview' })
  })
})

describe('a house rule at the commit', () => {
  it.each<[string, Partial<Rules>, string]>([
    ['a pause', { paused: true }, 'paused'],
    ['hours in which nothing may be changed', NEVER, 'house_rule'],
  ])('sends nothing, and leaves the token good: %s', async (_what, rules, code) => {
    for (const [operation, fields] of [
      ['book_consult', BOOKING],
      ['create_client_profile', CLIENT],
    ] as const) {
      world.rules = []
      const ada = callerOf(world, operation, fields)
      await ada.preview()
      world.rules = [rulesForAll(rules)]
      const sent = world.mutations().length
      expect(await ada.commit()).toMatchObject({
        code,
        replayed: false,
        refusal: { effect: 'none' },
      })
      expect(await ada.commit()).toMatchObject({ code, replayed: false })
      expect(world.mutations()).toHaveLength(sent)
      world.rules = []
      expect(await ada.commit()).toMatchObject({ status: 'committed', replayed: false })
      expect(world.mutations().length - sent).toBeLessThanOrEqual(1)
    }
  })

  it('is awaited however long the coordinator takes, and nothing is sent before', async () => {
    const ada = callerOf(world, 'book_consult', BOOKING)
    await ada.preview()
    const stop = world.stop('before', 'take')
    const commit = ada.commit()
    await stop.reached
    world.pass(5_000)
    world.rules = [rulesForAll({ paused: true })]
    stop.go()
    expect(await commit).toMatchObject({ code: 'paused' })
    expect(world.mutations()).toEqual([])
  })

  it('is audited as a refusal', async () => {
    const ada = callerOf(world, 'book_consult', BOOKING)
    await ada.preview()
    world.rules = [rulesForAll({ paused: true })]
    await ada.commit()
    expect(world.notes).toMatchObject([{ event: 'refusal', code: 'paused' }])
  })
})

describe('while everything is paused', () => {
  it('a committed change gives its answer again to a commit, a preview and a status request', async () => {
    const ada = callerOf(world, 'book_consult', BOOKING)
    await ada.preview()
    const { is, body } = (await ada.commit()) as { is: string; body: object }
    world.rules = [rulesForAll({ paused: true })]
    expect(await ada.commit()).toMatchObject({ is, body, replayed: true })
    expect(await ada.preview()).toMatchObject({ is, body, replayed: true })
    expect(await world.status(await ada.name)).toMatchObject({ is: 'committed', body })
  })

  it('a commit that was admitted before continues to its end, and a repeat joins it', async () => {
    const ada = callerOf(world, 'book_consult', BOOKING)
    await ada.preview()
    const stop = world.stop('before', 'book')
    const first = ada.commit()
    await stop.reached
    world.rules = [rulesForAll({ paused: true })]
    const second = ada.commit()
    stop.go()
    expect(await first).toMatchObject({ status: 'committed' })
    expect(await second).toMatchObject({ status: 'committed' })
    expect(world.mutations()).toEqual(['book'])
  })

  it('the alarm still reconciles what is in doubt', async () => {
    const ada = callerOf(world, 'book_consult', BOOKING)
    await ada.preview()
    world.fail('book', 'timeout_after')
    expect(await ada.commit()).toMatchObject({ code: 'outcome_unknown' })
    world.rules = [rulesForAll({ paused: true })]
    await ada.ringAll()
    expect(await ada.commit()).toMatchObject({ status: 'committed', replayed: true })
    expect(world.mutations()).toEqual(['book'])
  })
})
