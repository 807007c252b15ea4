import { describe, expect, test, vi } from 'vitest'

import { COALESCE_ABOVE } from '../../../../src/core/confirm/outbox.ts'
import { MINUTE, SECOND } from '../../../../src/core/domain/time/duration.ts'
import { operationIdOf, practice, type World } from '../../../support/fake-host.ts'
import { callerOf, LINK, previewedRoom, previewedClient } from './caller.ts'

const entries = (world: World) => world.auditLog().map(({ event, code }) => `${event} ${code}`)

describe('the audit entries of a flow', () => {
  test('the entry of a preview waits a minute to share a batch, then is sent alone', async () => {
    const { world, room } = await previewedRoom()
    await world.idle()
    expect(world.appends).toBe(0)
    await room.ring()
    expect(world.auditLog()).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{16}\.1\.ok$/),
        at: world.now() - MINUTE,
        event: 'preview',
        code: 'ok',
        caller: 'tester',
        app: null,
        operation: 'reserve_room',
        record_id: null,
        operation_id: operationIdOf(await room.name),
        request_id: 'request',
        times: 1,
        shown: expect.stringMatching(/^[\w-]{43}$/),
        about: null,
      },
    ])
    expect((await room.record())?.outbox).toBeUndefined()
  })

  test('the entry of a commit is sent with that of its preview in one batch after the answer, and no repeat waits for it', async () => {
    const { world, room } = await previewedRoom()
    const appending = world.stop('before', 'append')
    const answer = await room.commit()
    expect(answer).toMatchObject({ status: 'committed' })
    expect(await room.commit()).toMatchObject({ status: 'committed', replayed: true })
    expect(await room.preview()).toMatchObject({ replayed: true })
    expect(world.auditLog()).toEqual([])
    expect((await room.record())?.outbox?.items).toHaveLength(3)
    appending.go()
    await world.idle()
    expect([entries(world), world.appends]).toEqual([['preview ok', 'commit committed'], 1])
    expect(world.auditLog()[1]?.record_id).toMatch(/^bk_mock_/)
    expect((await room.record())?.outbox).toBeUndefined()
  })

  test('a repeated call is audited as a repeat, without a write of the record', async () => {
    const { world, client } = await previewedClient()
    await client.commit()
    await world.idle()
    const kept = JSON.stringify(await client.record())
    await client.commit()
    await client.preview()
    await world.idle()
    expect(entries(world)).toHaveLength(2)
    expect(world.notes.map(({ event, code }) => `${event} ${code}`)).toEqual(
      Array(2).fill('replay committed'),
    )
    expect(world.notes[0]?.record_id).toMatch(/^cl_mock_/)
    expect(JSON.stringify(await client.record())).toBe(kept)
  })

  test('the deliveries to the records and to the audit log are acknowledged in one write', async () => {
    const { world, client } = await previewedClient()
    world.writes = 0
    await client.commit()
    await world.idle()
    expect(world.writes).toBe(2)
    expect((await client.record())?.outbox).toBeUndefined()
  })

  test('an audit log that does not answer delays the delivery of records by one second, and is retried', async () => {
    const { world, client } = await previewedClient()
    const slow = world.stop('before', 'append')
    await client.commit()
    await slow.reached
    await vi.waitFor(() => expect(world.timers()).toBe(1))
    world.pass(SECOND)
    await world.idle()
    expect((await client.record())?.outbox?.items.map(({ kind }) => kind)).toEqual([
      'audit',
      'audit',
    ])
    slow.go()
    await client.ringAll()
    expect((await client.record())?.outbox).toBeUndefined()
    expect(entries(world)).toEqual(['preview ok', 'commit committed'])
  })

  test.each([
    ['a refusal that uses up the preview', 'refused', ['preview ok', 'refusal slot_unavailable']],
    ['a provider that is busy', 'busy', ['preview ok', 'refusal provider_busy']],
  ] as const)('%s', async (_name, fault, expected) => {
    const { world, room } = await previewedRoom()
    world.fail('book', fault)
    await room.commit()
    await room.ring()
    expect(entries(world)).toEqual(expected)
  })

  test("a doubt is audited once, the call for a person once, and then the owner's resolution", async () => {
    const { world, room } = await previewedRoom()
    world.fail('book', 'timeout_before')
    await room.commit()
    await room.ringAll()
    expect(entries(world)).toEqual([
      'preview ok',
      'unresolved outcome_unknown',
      'unresolved needs_attention',
    ])
    await world.resolve(await room.name, true, { booking_id: 'bk_1' })
    await world.idle()
    expect(entries(world).slice(3)).toEqual(['commit committed'])
    expect(world.auditLog()[3]).toMatchObject({
      caller: 'tester',
      request_id: 'request',
      record_id: 'bk_1',
    })
  })

  test('an outcome that an alarm finds is audited under the caller who asked for the change', async () => {
    const { world, room } = await previewedRoom()
    world.fail('book', 'timeout_after')
    await room.commit()
    await room.crash()
    await room.ringAll()
    expect(entries(world)).toEqual(['preview ok', 'unresolved outcome_unknown', 'commit committed'])
    expect(world.auditLog()[2]).toMatchObject({ caller: 'tester', request_id: 'request' })
  })

  test('an alarm that sends audit entries during a change does not ring again before it is due', async () => {
    const { world, room } = await previewedRoom()
    world.pass(MINUTE - SECOND)
    const slow = world.stop('before', 'book')
    const committed = room.commit()
    await slow.reached
    await room.ring()
    expect([entries(world), await room.alarm()]).toEqual([
      ['preview ok'],
      world.now() + 14 * SECOND,
    ])
    slow.go()
    expect(await committed).toMatchObject({ status: 'committed' })
    await world.idle()
    expect(entries(world)).toEqual(['preview ok', 'commit committed'])
  })

  test('a refusal that keeps no record leaves only its audit entry', async () => {
    const world = practice()
    const link = callerOf(world, 'create_payment_link', { ...LINK, invoice_id: 'in_mock_paid' })
    await link.preview()
    await callerOf(world, 'create_payment_link', LINK).commit()
    await world.idle()
    expect(world.notes.map(({ code }) => code)).toEqual([
      'invoice_not_payable',
      'confirmation_token_missing',
    ])
    expect(entries(world)).toEqual([])
    expect(await link.record()).toBeUndefined()
  })
})

describe('an audit log that does not answer', () => {
  test.each([
    ['before', false],
    ['after', true],
  ])(
    'delays no commit, loses no entry and stores none twice (failing %s the append)',
    async (_w, after) => {
      const { world, room } = await previewedRoom()
      world.failingAppends = 12
      world.failsAfter = after
      expect(await room.commit()).toMatchObject({ status: 'committed', replayed: false })
      for (let i = 0; i < 3; i++) expect(await room.commit()).toMatchObject({ replayed: true })
      await world.idle()
      await room.crash()
      await room.ringAll()
      expect(world.failingAppends).toBe(0)
      const counts = new Map<string, number>()
      for (const { event, times } of world.auditLog())
        counts.set(event, (counts.get(event) ?? 0) + times)
      expect(Object.fromEntries(counts)).toEqual({ preview: 1, commit: 1 })
      expect(world.notes).toHaveLength(3)
    },
  )

  test('loses no count of refusals that arrive while a batch is being sent', async () => {
    const { world, room } = await previewedRoom()
    world.failingAppends = 1
    await room.ring()
    world.fail('book', 'busy*')
    for (let i = 0; i < COALESCE_ABOVE + 10; i++) await room.commit()
    expect((await room.record())!.outbox!.items).toHaveLength(COALESCE_ABOVE)
    const onTheWay = world.stop('before', 'append')
    const ringing = room.ring()
    await onTheWay.reached
    for (let i = 0; i < 3; i++) await room.commit()
    onTheWay.go()
    await ringing
    await room.ringAll()
    const refusals = world.auditLog().filter(({ event }) => event === 'refusal')
    expect(refusals.reduce((sum, { times }) => sum + times, 0)).toBe(COALESCE_ABOVE + 13)
  })
})
