import { describe, expect, test } from 'vitest'

import { CLIENT, callerOf, personApproves, previewedClient, resultOf } from './caller.ts'

const ANSWERS = { primary_goal: 'retirement', notes: 'Likes short meetings.' }

/** A client, and a call that submits intake answers for it. */
async function aClient() {
  const { world, client } = await previewedClient()
  const client_id = String((await resultOf(client))['client_id'])
  await world.idle()
  const intake = callerOf(world, 'submit_intake_answers', { client_id, answers: ANSWERS })
  const name = async (caller: typeof client) => {
    world.deletedClients.add(client_id)
    await world.erase(await caller.name, client_id)
  }
  return { world, client, intake, client_id, erase: name }
}

describe('the deletion of a client', () => {
  test('empties a flow that holds only a preview about the client', async () => {
    const { intake, erase } = await aClient()
    await intake.preview()
    await erase(intake)
    expect(await intake.record()).toBeUndefined()
    expect(await intake.commit()).toMatchObject({ code: 'preview_required' })
    expect(await intake.preview()).toMatchObject({ code: 'client_not_found' })
  })

  test('takes it off the list of what waits for a person only once it cannot come back', async () => {
    const { intake, erase, world } = await aClient()
    world.rules = personApproves('submit_intake_answers')
    await intake.preview()
    const name = await intake.name
    await world.ringAll(name)
    expect(world.waiting.has(name)).toBe(true)
    world.slowDisk = true
    void erase(intake)
    for (let turn = 0; turn < 20; turn++) await new Promise((later) => setImmediate(later))
    world.crash(name)
    world.slowDisk = false
    expect([world.record(name)?.state, world.waiting.has(name)]).toEqual(['previewed', true])
  })

  test('erases the answer of a committed flow, and the key never acts again', async () => {
    const { client, intake, erase, client_id, world } = await aClient()
    await intake.preview()
    await intake.commit()
    await world.idle()
    const written = world.puts.length
    for (const caller of [client, intake]) {
      const { id: nonce, digest } = (await caller.record())!
      await erase(caller)
      const record = JSON.stringify(await caller.record())
      // With the nonce, what was shown could be guessed until its digest fits.
      for (const said of [nonce, digest, client_id, 'Likes', 'retirement', '***'])
        expect(record).not.toContain(said)
      expect(await caller.commit()).toMatchObject({
        code: 'client_not_found',
        refusal: { effect: 'done' },
      })
      expect(await caller.preview()).toMatchObject({ code: 'client_not_found' })
    }
    expect(world.puts).toHaveLength(written)
  })

  test('stops the delivery of records that are still in the outbox', async () => {
    const { intake, erase, world } = await aClient()
    await intake.preview()
    world.failingPuts = 1
    await intake.commit()
    await world.idle()
    expect((await intake.record())?.outbox?.items).toHaveLength(1)
    await erase(intake)
    expect((await intake.record())?.outbox).toBeUndefined()
    await intake.ring()
    expect(world.puts).toHaveLength(1)
    expect(await intake.record()).toBeUndefined()
  })

  /** What a commit answers whose client is erased while its facts are read again. It sends nothing. */
  async function erasedWhileChecked({ failingAppends = 0 } = {}) {
    const { intake, erase, world } = await aClient()
    await intake.preview()
    const checking = world.stop('after', 'registerFlow')
    const committing = intake.commit()
    await checking.reached
    world.failingAppends = failingAppends
    await erase(intake)
    checking.go()
    const reply = await committing
    await world.idle()
    expect(world.puts).toHaveLength(1)
    return reply
  }

  test('empties a flow whose commit is being checked, and that commit sends nothing', async () => {
    expect(await erasedWhileChecked()).toMatchObject({ code: 'preview_required' })
  })

  test('does not wait for an audit log that does not answer; the entry of the preview arrives later', async () => {
    const { intake, erase, world } = await aClient()
    await intake.preview()
    const previews = () => world.auditLog().filter(({ event }) => event === 'preview').length
    world.failingAppends = 2
    const { id: nonce } = (await intake.record())!
    await erase(intake)
    const kept = JSON.stringify(await intake.record())
    for (const said of [nonce, 'Likes', 'retirement', '***', 'J. D.'])
      expect(kept).not.toContain(said)
    expect(await intake.commit()).toMatchObject({
      code: 'confirmation_expired',
      refusal: { effect: 'none' },
    })
    expect(await intake.preview()).toMatchObject({ code: 'client_not_found' })
    await erase(intake)
    expect(previews()).toBe(1)
    await intake.ringAll()
    expect(previews()).toBe(2)
    await intake.ring()
    expect(await intake.record()).toBeUndefined()
  })

  test('keeps neither sealed text nor hashes of fields beside an entry that is still to arrive', async () => {
    const { world } = await aClient()
    world.rules = personApproves('create_client_profile')
    const client = callerOf(world, 'create_client_profile', CLIENT)
    await client.preview()
    const kept = (await client.record())!
    expect(kept).toMatchObject({ sealedText: expect.any(String), need: expect.anything() })
    world.failingAppends = 2
    await world.erase(await client.name, kept.subject!)
    const emptied = (await client.record())!
    expect(emptied.outbox).toBeDefined()
    for (const member of ['sealedText', 'fields', 'need'])
      expect(emptied).not.toHaveProperty(member)
  })

  test('empties a flow whose commit is being checked while the audit log does not answer', async () => {
    expect(await erasedWhileChecked({ failingAppends: 1 })).toMatchObject({
      code: 'confirmation_expired',
    })
  })

  test('leaves flows about other clients as they are', async () => {
    const { client, world } = await aClient()
    const before = await client.record()
    await world.erase(await client.name, 'cl_mock_somebody_else')
    expect(await client.record()).toEqual(before)
  })
})
