import { env } from 'cloudflare:workers'
import {
  evictDurableObject,
  listDurableObjectIds,
  reset,
  runDurableObjectAlarm,
  runInDurableObject,
} from 'cloudflare:test'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AuditLog } from '../../durable-objects/audit-log.ts'
import type { Client } from '../../durable-objects/client.ts'
import { Confirmation } from '../../durable-objects/confirmation.ts'
import { Register } from '../../durable-objects/register.ts'
import { auditFrom } from '../../src/wiring.ts'
import { CLIENT, DAY, SECOND, ask, confirmationUnder, previewed, recordIn, send } from './practice.ts'

const MINUTE = 60 * SECOND
const ANSWERS = { primary_goal: 'retirement', household_members: 7, notes: 'Likes short meetings.' }
const UNKNOWN = `cl_mock_${'A'.repeat(22)}0123abcd${'B'.repeat(22)}`

beforeEach(async () => {
  vi.spyOn(console, 'log').mockImplementation(() => {})
  await reset()
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

type Change = Awaited<ReturnType<typeof previewed>>

async function committed(path: string, fields: object): Promise<Change & { id: string }> {
  const change = await previewed(path, fields)
  const { result } = (await change.commit()).body
  const id = String(result?.['intake_id'] ?? result?.['client_id'])
  await vi.waitFor(async () => expect((await recordIn(change.confirmation))?.outbox).toBeUndefined())
  return { ...change, id }
}

const aClient = () => committed('/v1/clients', CLIENT)
const intakeOf = (clientId: string) => `/v1/clients/${clientId}/intake`
const anIntake = (clientId: string) => committed(intakeOf(clientId), { answers: ANSWERS })
const deletion = (clientId: string) => ask(`/v1/clients/${clientId}`, { method: 'DELETE' })
const shownOf = (clientId: string) => ask(`/v1/clients/${clientId}/deletion`)
const kept = async () => (await env.RECORDS.list()).keys.map(({ name }) => name).toSorted()
const objectOf = (clientId: string): DurableObjectStub<Client> => env.CLIENTS.getByName(clientId)
const storedIn = (clientId: string) =>
  runInDurableObject(objectOf(clientId), (_object, { storage }) => Object.fromEntries(storage.kv.list()))

/** Lets the alarms of a deletion ring until none is set. */
async function finish(clientId: string): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * DAY })
  for (let rung = 0; await runDurableObjectAlarm(objectOf(clientId)); rung++) expect(rung).toBeLessThan(50)
}

/** Lets all passes of a deletion go by while the trail is out of reach. */
async function finishWithout(clientId: string): Promise<void> {
  for (let rung = 1; rung <= 4; rung++) {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + DAY })
    expect(await runDurableObjectAlarm(objectOf(clientId))).toBe(true)
  }
}

/** Holds up every intake on its way to KV until it is let go. */
function holdIntakes(): () => void {
  const { promise: held, resolve: go } = Promise.withResolvers<void>()
  const proto = Object.getPrototypeOf(env.RECORDS) as KVNamespace
  const put = proto.put
  vi.spyOn(proto, 'put').mockImplementation(async function (this: KVNamespace, ...args: unknown[]) {
    if (String(args[0]).startsWith('intake:')) await held
    return Reflect.apply(put, this, args) as Promise<void>
  })
  return go
}

describe('a deleted client', () => {
  it('is gone with all intake answers; what is left is its id', async () => {
    const client = await aClient()
    const other = await aClient()
    await anIntake(client.id)
    await anIntake(client.id)
    const otherIntake = await anIntake(other.id)

    expect((await deletion(client.id)).body).toEqual({ client_id: client.id, deleted: true })

    const left = [`client:${client.id}`, `client:${other.id}`, `intake:${other.id}:${otherIntake.id}`]
    expect(await kept()).toEqual(left.toSorted())
    expect(await env.RECORDS.get(`client:${client.id}`, 'json')).toEqual({ deleted: true })
    await finish(client.id)
    expect(await kept()).toEqual(left.toSorted())
    expect(Object.keys(await storedIn(client.id))).toEqual(['deletion'])
  })

  it('stands in the trail by its id, once, with who deleted it', async () => {
    const client = await aClient()
    await deletion(client.id)
    await deletion(client.id)
    await finish(client.id)
    const { entries } = await auditFrom(env).page({ record_id: client.id, event: 'deletion', limit: 10 })
    expect(entries).toMatchObject([
      { operation: 'delete_client', caller: 'anonymous', record_id: client.id, code: 'ok', times: 1 },
    ])
  })

  it('is erased although the trail cannot be reached, which is told later', async () => {
    const client = await aClient()
    await anIntake(client.id)
    const append = vi.spyOn(AuditLog.prototype, 'append').mockRejectedValue(new Error('no trail'))
    const open = await previewed(intakeOf(client.id), { answers: ANSWERS })
    expect((await deletion(client.id)).status).toBe(200)
    expect(await kept()).toEqual([`client:${client.id}`])
    expect(JSON.stringify(await recordIn(open.confirmation))).not.toContain('J. Z.')
    expect((await ask('/v1/clients')).text).not.toContain(client.id)
    await finishWithout(client.id)
    append.mockRestore()
    await finish(client.id)
    const { entries } = await auditFrom(env).page({ record_id: client.id, event: 'deletion', limit: 10 })
    expect(entries).toMatchObject([{ operation: 'delete_client', times: 1 }])
    expect(await storedIn(client.id)).toEqual({
      deletion: expect.not.objectContaining({ by: expect.anything() }),
    })
  })

  it('answers the same when it is deleted again', async () => {
    const client = await aClient()
    const first = await deletion(client.id)
    const second = await deletion(client.id)
    expect([second.status, second.text]).toEqual([first.status, first.text])
    await finish(client.id)
    expect((await deletion(client.id)).text).toBe(first.text)
  })

  it('gets no intake any more, at once, although the records still show it', async () => {
    const client = await aClient()
    const begun = await previewed(intakeOf(client.id), { answers: ANSWERS })
    const record = await env.RECORDS.get(`client:${client.id}`)
    await deletion(client.id)
    // As a copy of KV that has not heard of it yet.
    await env.RECORDS.put(`client:${client.id}`, record!)
    const preview = await send(intakeOf(client.id), crypto.randomUUID(), { answers: ANSWERS, confirm: false })
    expect([preview.status, preview.body.code]).toEqual([404, 'client_not_found'])
    expect((await begun.commit()).body).toMatchObject({ code: 'preview_required', effect: 'none' })
    expect((await begun.previewAgain()).body.code).toBe('client_not_found')
    expect((await kept()).filter((key) => key.startsWith('intake:'))).toEqual([])
  })

  it('is forgotten by the previews and answers that told of it; their keys are used up', async () => {
    const client = await aClient()
    const intake = await anIntake(client.id)
    const open = await previewed(intakeOf(client.id), { answers: ANSWERS })
    await deletion(client.id)

    for (const { confirmation } of [client, intake, open]) {
      const text = JSON.stringify((await recordIn(confirmation)) ?? {})
      for (const said of ['J. Z.', 'j***', 'Likes short', 'retirement', client.id])
        expect(text).not.toContain(said)
    }
    for (const change of [client, intake]) {
      for (const reply of [await change.commit(), await change.previewAgain()])
        expect(reply.body).toMatchObject({ code: 'client_not_found', effect: 'done' })
    }
    expect((await kept()).length).toBe(1)
  })
})

describe('nothing brings a deleted client back', () => {
  it('not a delivery that failed and is repeated after the deletion', async () => {
    const put = vi
      .spyOn(Object.getPrototypeOf(env.RECORDS) as KVNamespace, 'put')
      .mockRejectedValue(new Error('the records cannot be written'))
    const change = await previewed('/v1/clients', CLIENT)
    const id = String((await change.commit()).body.result?.['client_id'])
    await vi.waitFor(async () => expect((await recordIn(change.confirmation))?.outbox?.attempts).toBe(1))
    put.mockRestore()

    await deletion(id)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * MINUTE })
    await runDurableObjectAlarm(change.confirmation)
    expect(await env.RECORDS.get(`client:${id}`, 'json')).toEqual({ deleted: true })
  })

  it.each([
    ['before the deletion is through', false],
    ['after it', true],
  ])('not the answer of a flow whose first delivery comes %s', async (_when, isThrough) => {
    const put = vi.spyOn(Register.prototype, 'put').mockImplementation(() => {
      throw new Error('the register cannot be written')
    })
    const change = await previewed('/v1/clients', CLIENT)
    const id = String((await change.commit()).body.result?.['client_id'])
    await vi.waitFor(async () => expect((await recordIn(change.confirmation))?.outbox?.attempts).toBe(1))
    put.mockRestore()

    await deletion(id)
    if (isThrough) await finish(id)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * MINUTE })
    await runDurableObjectAlarm(change.confirmation)
    expect(await env.RECORDS.get(`client:${id}`, 'json')).toEqual({ deleted: true })
    await finish(id)

    expect(JSON.stringify(await recordIn(change.confirmation))).not.toContain('J. Z.')
    expect((await change.commit()).body).toMatchObject({ code: 'client_not_found', effect: 'done' })
  })

  it('not a write that was on its way to the records', async () => {
    const client = await aClient()
    const intake = await previewed(intakeOf(client.id), { answers: ANSWERS })
    const go = holdIntakes()
    await intake.commit()
    const waiting = vi.spyOn(Confirmation.prototype, 'rest')
    const deleted = deletion(client.id)
    await vi.waitFor(() => expect(waiting).toHaveBeenCalled())
    expect(await env.RECORDS.get(`client:${client.id}`, 'json')).toMatchObject({ display_name: 'J. Z.' })
    go()
    await deleted
    expect(await kept()).toEqual([`client:${client.id}`])
  })

  it('not a write that hangs, and that does not hold up the deletion for ever', async () => {
    const client = await aClient()
    const intake = await previewed(intakeOf(client.id), { answers: ANSWERS })
    const go = holdIntakes()
    // The patience of a deletion is over at once.
    const { setTimeout } = globalThis
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((act: () => void, ms: number) =>
      setTimeout(act, ms === 10 * SECOND ? 0 : ms)) as typeof setTimeout)
    await intake.commit()
    expect((await deletion(client.id)).status).toBe(200)
    expect(await kept()).toEqual([`client:${client.id}`])

    go()
    await vi.waitFor(async () => expect((await kept()).length).toBe(2))
    const list = vi
      .spyOn(Object.getPrototypeOf(env.RECORDS) as KVNamespace, 'list')
      .mockResolvedValue({ keys: [], list_complete: true, cacheStatus: null })
    await finish(client.id)
    list.mockRestore()
    expect(await kept()).toEqual([`client:${client.id}`])
  })

  it('not flows that are heard of while the last pass erases the others', async () => {
    const client = await aClient()
    await deletion(client.id)
    const late = Array.from({ length: 12 }, () =>
      env.CONFIRMATIONS.idFromName(crypto.randomUUID()).toString(),
    )
    const erased: string[] = []
    const { erase } = Confirmation.prototype
    vi.spyOn(Confirmation.prototype, 'erase').mockImplementation(async function (this: Confirmation, id) {
      const { ctx } = this as unknown as { ctx: DurableObjectState }
      erased.push(ctx.id.toString())
      const { deletion: at } = await storedIn(client.id)
      if ((at as { pass: number }).pass === 2 && !late.includes(erased.at(-1)!))
        for (const flow of late) await objectOf(client.id).eraseToo(flow)
      return erase.call(this, id)
    })
    await finish(client.id)
    expect(erased).toEqual(expect.arrayContaining(late))
    expect(Object.keys(await storedIn(client.id))).toEqual(['deletion'])
  })

  it.each([
    ['reached', false],
    ['not reached', true],
  ])('not a flow that is heard of while the trail is told, and %s', async (_how, fails) => {
    const client = await aClient()
    const append = vi.spyOn(AuditLog.prototype, 'append').mockRejectedValue(new Error('no trail'))
    await deletion(client.id)
    await finishWithout(client.id)
    const late = env.CONFIRMATIONS.idFromName('late').toString()
    append.mockImplementation(async () => {
      await objectOf(client.id).eraseToo(late)
      if (fails) throw new Error('no trail')
    })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + DAY })
    await runDurableObjectAlarm(objectOf(client.id))
    append.mockRestore()
    expect(await storedIn(client.id)).toHaveProperty(`flow:${late}`)
    await finish(client.id)
    expect(Object.keys(await storedIn(client.id))).toEqual(['deletion'])
  })

  it('not a register that is out of reach: the deletion is refused, and asked for again by itself', async () => {
    const client = await aClient()
    await anIntake(client.id)
    const erase = vi.spyOn(Register.prototype, 'eraseClient').mockImplementation(() => {
      throw new Error('no register')
    })
    const refused = await deletion(client.id)
    expect([refused.status, refused.body.code]).toEqual([500, 'internal_error'])
    erase.mockRestore()

    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5 * MINUTE })
    await runDurableObjectAlarm(objectOf(client.id))
    expect(await kept()).toEqual([`client:${client.id}`])
    expect((await deletion(client.id)).status).toBe(200)
    expect((await shownOf(client.id)).body).toMatchObject({ deleted: true, intake_submissions: 0 })
  })

  it('not an answer of KV that does not list the newest yet, nor one that comes late', async () => {
    const client = await aClient()
    const intake = await anIntake(client.id)
    const list = vi
      .spyOn(Object.getPrototypeOf(env.RECORDS) as KVNamespace, 'list')
      .mockResolvedValue({ keys: [], list_complete: true, cacheStatus: null })
    await deletion(client.id)
    list.mockRestore()
    expect(await kept()).toEqual([`client:${client.id}`])

    // Written by an instance that died, and only now at its place.
    await env.RECORDS.put(`intake:${client.id}:${intake.id}`, '{}')
    await finish(client.id)
    expect(await kept()).toEqual([`client:${client.id}`])
  })

  it('not an end of the object in the middle, nor records that fail', async () => {
    const client = await aClient()
    await anIntake(client.id)
    const remove = vi
      .spyOn(Object.getPrototypeOf(env.RECORDS) as KVNamespace, 'delete')
      .mockRejectedValue(new Error('the records cannot be deleted'))
    expect((await deletion(client.id)).status).toBe(200)
    remove.mockRestore()
    expect((await kept()).length).toBe(2)
    await evictDurableObject(objectOf(client.id))
    await finish(client.id)
    expect(await kept()).toEqual([`client:${client.id}`])
  })
})

it('has no object of its own before anybody deletes it', async () => {
  const client = await aClient()
  await anIntake(client.id)
  expect((await ask(`/v1/clients/${client.id}`)).status).toBe(200)
  expect((await shownOf(client.id)).body).toMatchObject({ intake_submissions: 1 })
  const objects = (await listDurableObjectIds(env.CLIENTS)).map((id) => id.toString())
  expect(objects).not.toContain(objectOf(client.id).id.toString())
})

it('erases what a version before noted in the object of the client, and not in the register', async () => {
  const client = await aClient()
  const intake = await anIntake(client.id)
  const open = await previewed(intakeOf(client.id), { answers: ANSWERS })
  await env.REGISTER.getByName('register').release(client.id)
  await runInDurableObject(objectOf(client.id), (_object, { storage: { kv } }) => {
    kv.put(`key:client:${client.id}`, true)
    kv.put('key:intake:of old', true)
    for (const { confirmation } of [client, intake, open])
      kv.put(`flow:${confirmation.id.toString()}`, Date.now())
  })
  await env.RECORDS.put('intake:of old', '{}')

  await deletion(client.id)
  expect(await kept()).toEqual([`client:${client.id}`])
  for (const { confirmation } of [client, intake, open])
    expect(JSON.stringify((await recordIn(confirmation)) ?? {})).not.toContain('J. Z.')
  await finish(client.id)
  expect(Object.keys(await storedIn(client.id))).toEqual(['deletion'])
})

it('goes on with a deletion that a version before had begun', async () => {
  const client = await aClient()
  await anIntake(client.id)
  await runInDurableObject(objectOf(client.id), async (_object, { storage }) => {
    storage.kv.put('deletion', { clientId: client.id, askedAt: Date.now(), pass: 1, stage: 'noted' })
    await storage.setAlarm(Date.now() + DAY)
  })
  await finish(client.id)
  expect(await kept()).toEqual([`client:${client.id}`])
  expect((await client.commit()).body).toMatchObject({ code: 'client_not_found', effect: 'done' })
  expect(Object.keys(await storedIn(client.id))).toEqual(['deletion'])
})

it('erases hundreds of submissions, those from before they were noted too, in pieces', async () => {
  const client = await aClient()
  for (let i = 0; i < 130; i++) await env.RECORDS.put(`intake:${client.id}:intake_${i}`, '{}')
  expect((await shownOf(client.id)).body).toMatchObject({ intake_submissions: 130 })
  const remove = vi.spyOn(Object.getPrototypeOf(env.RECORDS) as KVNamespace, 'delete')
  await deletion(client.id)
  expect(remove.mock.calls.length).toBeGreaterThan(0)
  expect(remove.mock.calls.length).toBeLessThan(50)
  await finish(client.id)
  expect(await kept()).toEqual([`client:${client.id}`])
})

it('marks the client once in each pass, since KV takes one write of a key in a second', async () => {
  const client = await aClient()
  const register = env.REGISTER.getByName('register')
  for (let i = 0; i < 45; i++) await register.put(`intake:${client.id}:intake_${i}`, 'mock', '{}', [], '')
  const put = vi.spyOn(Object.getPrototypeOf(env.RECORDS) as KVNamespace, 'put')
  await deletion(client.id)
  await finish(client.id)
  expect(put.mock.calls.map(([key]) => key)).toEqual(Array(3).fill(`client:${client.id}`))
})

it('is shown what a deletion erases before it is asked for', async () => {
  const client = await aClient()
  await anIntake(client.id)
  const before = { client_id: client.id, deleted: false, display_name: 'J. Z.', intake_submissions: 1 }
  expect((await shownOf(client.id)).body).toMatchObject(before)
  await deletion(client.id)
  expect((await shownOf(client.id)).body).toEqual({
    client_id: client.id,
    deleted: true,
    display_name: null,
    contact_email: null,
    intake_submissions: 0,
  })
})

it.each([
  ['unknown', UNKNOWN],
  ['malformed', 'cl_nobody'],
  ['of something else', 'bk_mock_0123456789abcdef'],
])('refuses an id that is %s, and makes nothing for it', async (_what, id) => {
  for (const reply of [await deletion(id), await shownOf(id)])
    expect([reply.status, reply.body.code]).toEqual([404, 'client_not_found'])
  expect(await kept()).toEqual([])
  expect(await storedIn(id)).toEqual({})
})

it('says nothing of a key that serves another client by now', async () => {
  const client = await aClient()
  const flow = (await confirmationUnder(client.key)).id.toString()
  const other = await aClient()
  await env.REGISTER.getByName('register').note(other.id, flow)
  await deletion(other.id)
  expect((await client.commit()).body.result?.['client_id']).toBe(client.id)
})
