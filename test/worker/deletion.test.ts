import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'

import { Confirmation } from '../../durable-objects/confirmation.ts'
import { Records } from '../../durable-objects/records.ts'
import { HOUR, MINUTE, SECOND } from '../../src/core/domain/time/duration.ts'
import { onPurpose } from '../support/on-purpose.ts'
import {
  ANSWERS,
  aClient,
  anIntake,
  committed,
  deletion,
  deletionsInAuditLog,
  finish,
  intakeOf,
  records,
  ringAfter,
  rowsOf,
  stillDue,
} from './deletion-rig.ts'
import {
  CLIENT,
  ask,
  confirmationUnder,
  consultAt,
  freeTimes,
  previewed,
  recordIn,
  send,
} from './fixtures.ts'

const UNKNOWN = `cl_mock_${'A'.repeat(22)}0123abcd${'B'.repeat(22)}`

const shownOf = (clientId: string) => ask(`/v1/clients/${clientId}/deletion`)
const copies = async () => (await env.RECORDS_KV.list()).keys.map(({ name }) => name).toSorted()
const kv = () => Object.getPrototypeOf(env.RECORDS_KV) as KVNamespace
const cannot = () => {
  throw onPurpose('the records cannot be reached')
}

/** A client profile that was committed and is not with the records yet. */
async function aClientOnItsWay() {
  const upsert = vi.spyOn(Records.prototype, 'upsert').mockImplementation(cannot)
  const change = await previewed('/v1/clients', CLIENT)
  const id = String((await change.commit()).body.result?.['client_id'])
  await vi.waitFor(async () =>
    expect((await recordIn(change.confirmation))?.outbox?.attempts).toBe(1),
  )
  upsert.mockRestore()
  return { ...change, id }
}

describe('a deleted client', () => {
  it('leaves the records and KV with all intake answers; only the deleted id stays', async () => {
    const client = await aClient()
    const other = await aClient()
    await anIntake(client.id)
    await anIntake(client.id)
    const otherIntake = await anIntake(other.id)
    await vi.waitFor(async () => expect(await copies()).toHaveLength(5))

    expect((await deletion(client.id)).body).toEqual({ client_id: client.id, deleted: true })

    const left = [`client:${other.id}`, `intake:${other.id}:${otherIntake.id}`]
    expect(await copies()).toEqual(left)
    await finish()
    expect(await copies()).toEqual(left)
    expect(await records().get(`client:${client.id}`)).toBeNull()
    expect((await rowsOf('flow_refs')).filter(({ client: id }) => id === client.id)).toEqual([])
  })

  it('has one audit entry with its id and the caller who deleted it', async () => {
    const client = await aClient()
    await deletion(client.id)
    await deletion(client.id)
    await finish()
    expect(await deletionsInAuditLog(client.id)).toMatchObject([
      {
        operation: 'delete_client',
        caller: 'anonymous',
        record_id: client.id,
        code: 'ok',
        times: 1,
      },
    ])
  })

  it('can be deleted again, with the same answer', async () => {
    const client = await aClient()
    const first = await deletion(client.id)
    const second = await deletion(client.id)
    expect([second.status, second.text]).toEqual([first.status, first.text])
    await finish()
    expect((await deletion(client.id)).text).toBe(first.text)
    expect(await rowsOf('outbox')).toEqual([])
  })

  it('is erased from previews and answers that name it, and their keys stay used', async () => {
    const client = await aClient()
    const intake = await anIntake(client.id)
    const open = await previewed(intakeOf(client.id), { answers: ANSWERS })
    const kept = async () =>
      JSON.stringify(
        await Promise.all([client, intake, open].map((one) => recordIn(one.confirmation))),
      )
    const personal = ['J. Z.', 'j***', 'Likes short', 'retirement', client.id]
    const before = await kept()
    for (const said of personal) expect(before).toContain(said)
    await deletion(client.id)

    const after = await kept()
    for (const said of personal) expect(after).not.toContain(said)
    for (const change of [client, intake]) {
      for (const reply of [await change.commit(), await change.previewAgain()])
        expect(reply.body).toMatchObject({ code: 'client_not_found', effect: 'done' })
    }
  })

  it('does not take the links of another client with the same email address', async () => {
    const [one, other] = [await aClient(), await aClient()]
    const before = (await rowsOf('links')).length
    await deletion(one.id)
    const after = await rowsOf('links')
    expect(after.length).toBeGreaterThan(0)
    expect(after.length).toBeLessThan(before)
    await deletion(other.id)
    expect(await rowsOf('links')).toEqual([])
  })

  it('has a page that shows what a deletion will erase', async () => {
    const client = await aClient()
    await anIntake(client.id)
    const before = {
      client_id: client.id,
      deleted: false,
      display_name: 'J. Z.',
      intake_submissions: 1,
    }
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
})

describe('nothing brings a deleted client back', () => {
  it.each([
    ['before the end of the deletion', false],
    ['after it', true],
  ])(
    'a delivery of a flow that arrives %s does not; the flow is erased, too',
    async (_when, isThrough) => {
      const change = await aClientOnItsWay()
      await deletion(change.id)
      if (isThrough) await finish()
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * MINUTE })
      await runDurableObjectAlarm(change.confirmation)
      await finish()

      expect(await records().get(`client:${change.id}`)).toBeNull()
      expect(await copies()).toEqual([])
      expect(JSON.stringify(await recordIn(change.confirmation))).not.toContain('J. Z.')
      expect((await change.commit()).body).toMatchObject({
        code: 'client_not_found',
        effect: 'done',
      })
    },
  )

  it('a KV write that is under way does not: the delete waits for it', async () => {
    const client = await aClient()
    await vi.waitFor(async () => expect(await copies()).toHaveLength(1))
    const { promise: held, resolve: go } = Promise.withResolvers<void>()
    const { put } = kv()
    const calls: string[] = []
    vi.spyOn(kv(), 'put').mockImplementation(async function (
      this: KVNamespace,
      ...args: unknown[]
    ) {
      calls.push(`put ${String(args[0])}`)
      await held
      calls.push(`put ${String(args[0])} ended`)
      return Reflect.apply(put, this, args) as Promise<void>
    })
    const remove = vi.spyOn(kv(), 'delete')
    const { id } = await anIntake(client.id)
    const key = `intake:${client.id}:${id}`
    const deleted = deletion(client.id)
    // A write that is slow holds nothing else up.
    await vi.waitFor(() => expect(remove).toHaveBeenCalledWith(`client:${client.id}`))
    expect(remove).not.toHaveBeenCalledWith(key)
    go()
    await deleted
    expect(calls).toEqual([`put ${key}`, `put ${key} ended`])
    await ringAfter(2 * SECOND)
    expect(remove).toHaveBeenCalledWith(key)
    expect(await copies()).toEqual([])
  })

  it('a preview that is being prepared does not: its flow is erased again', async () => {
    const client = await aClient()
    const { registerFlow } = Records.prototype
    const { promise: held, resolve: go } = Promise.withResolvers<void>()
    vi.spyOn(Records.prototype, 'registerFlow').mockImplementation(async function (
      this: Records,
      ...asked: Parameters<Records['registerFlow']>
    ) {
      const answer = registerFlow.apply(this, asked)
      await held
      return answer
    } as never)
    const key = crypto.randomUUID()
    const preview = send(intakeOf(client.id), key, { answers: ANSWERS, confirm: false })
    await vi.waitFor(async () => expect(await rowsOf('flow_refs')).toHaveLength(2))
    expect((await deletion(client.id)).status).toBe(200)
    go()
    expect((await preview).status).toBe(200)
    const flow = await confirmationUnder(key)
    expect(JSON.stringify(await recordIn(flow))).toContain('J. Z.')
    await finish()
    expect(JSON.stringify((await recordIn(flow)) ?? {})).not.toContain('J. Z.')
  })

  it('a deletion without access to the records is refused and erases nothing', async () => {
    const client = await aClient()
    const erase = vi.spyOn(Records.prototype, 'eraseClient').mockImplementation(cannot)
    const refused = await deletion(client.id)
    expect([refused.status, refused.body.code]).toEqual([500, 'internal_error'])
    erase.mockRestore()
    expect((await shownOf(client.id)).body).toMatchObject({ deleted: false, display_name: 'J. Z.' })
    expect((await deletion(client.id)).status).toBe(200)
  })
})

it('a deletion leaves the masked record of a booking, which leads to no client', async () => {
  const client = await aClient()
  const [time] = await freeTimes()
  await committed('/v1/bookings', consultAt(time))
  expect((await deletion(client.id)).status).toBe(200)
  expect((await rowsOf('records')).map(({ kind, value }) => [kind, value !== null])).toEqual([
    ['client', false],
    ['booking', true],
  ])
  expect(await rowsOf('links')).toEqual([])
})

it('a deletion is carried out before records that wait for KV', async () => {
  const client = await aClient()
  await vi.waitFor(async () => expect(await copies()).toHaveLength(1))
  const put = vi.spyOn(kv(), 'put').mockRejectedValue(onPurpose('KV cannot be written'))
  const flow = env.CONFIRMATIONS.newUniqueId().toString()
  for (let i = 0; i < 3; i++) {
    const bookings = Array.from({ length: 40 }, (_, n) => ({
      key: `booking:bk_${i}_${n}`,
      value: {},
    }))
    await records().upsert(
      bookings.map((one) => ({ ...one, mode: 'mock' })),
      flow,
    )
  }
  // A run attempts forty; the alarm comes for the rest.
  for (let i = 0; put.mock.calls.length < 120 && i < 9; i++) await ringAfter(2 * SECOND)
  expect(put.mock.calls.length).toBeGreaterThanOrEqual(120)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + HOUR })
  expect((await deletion(client.id)).status).toBe(200)
  expect(await copies()).toEqual([])
})

it('a deletion of hundreds of submissions runs in bounded pieces', { tags: 'slow' }, async () => {
  const client = await aClient()
  const flow = env.CONFIRMATIONS.newUniqueId().toString()
  await records().upsert(
    Array.from({ length: 130 }, (_, i) => ({
      key: `intake:${client.id}:intake_${i}`,
      mode: 'mock',
      value: {},
    })),
    flow,
  )
  expect((await shownOf(client.id)).body).toMatchObject({ intake_submissions: 130 })
  while ((await stillDue()).length > 0) await ringAfter(2 * MINUTE)
  expect(await copies()).toHaveLength(131)
  const remove = vi.spyOn(kv(), 'delete')
  await deletion(client.id)
  expect(remove.mock.calls.length).toBeGreaterThan(0)
  expect(remove.mock.calls.length).toBeLessThan(50)
  for (let i = 0; i < 3; i++) await ringAfter(2 * SECOND)
  expect(await copies()).toEqual([])
})

it('a deletion deletes each key again after an hour and after a day, and then no more', async () => {
  const client = await aClient()
  const remove = vi.spyOn(kv(), 'delete')
  const hours: number[] = []
  const start = Date.now()
  remove.mockImplementation(async () => void hours.push(Math.round((Date.now() - start) / HOUR)))
  await deletion(client.id)
  await finish()
  expect(hours).toEqual([0, 1, 25])
})

it.each([
  ['unknown', UNKNOWN],
  ['malformed', 'cl_nobody'],
  ['of something else', 'bk_mock_0123456789abcdef'],
])('an id that is %s is refused, and nothing is kept for it', async (_what, id) => {
  const intake = await send(intakeOf(id), crypto.randomUUID(), { answers: ANSWERS, confirm: false })
  for (const reply of [await deletion(id), await shownOf(id), intake])
    expect([reply.status, reply.body.code]).toEqual([404, 'client_not_found'])
  for (const table of ['records', 'flow_refs', 'outbox'] as const)
    expect(await rowsOf(table)).toEqual([])
})

it('a flow that this version cannot read is erased once a version can', async () => {
  const client = await aClient()
  const erase = vi.spyOn(Confirmation.prototype, 'erase').mockResolvedValue(false)
  await deletion(client.id)
  expect(JSON.stringify(await recordIn(client.confirmation))).toContain('J. Z.')
  erase.mockRestore()
  await ringAfter(MINUTE)
  expect(JSON.stringify(await recordIn(client.confirmation))).not.toContain('J. Z.')
})
