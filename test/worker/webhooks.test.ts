import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { Webhook } from 'standardwebhooks'
import { beforeEach, describe, expect, it, vi } from 'vitest'

import { SubscriptionTable } from '../../durable-objects/events/subscriptions.ts'
import type { HappenedEvent, Topic } from '../../src/core/domain/events/topics.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../src/core/domain/time/duration.ts'
import { onPurpose, playedFailure } from '../support/on-purpose.ts'
import { keyFor, ask, changeRules } from './fixtures.ts'

const URL_1 = 'https://hooks.example.com/catch/1?secret=canary-of-the-url'

/** What arrived somewhere: in order. */
interface Arrived {
  url: string
  headers: Headers
  body: string
}
type Receiver = (arrived: Arrived) => number | Response | Promise<number | Response>

let arrived: Arrived[]
let lines: string[]
/** Answers what is sent, by the host of the address; 204 where no one is named. */
let receivers: Record<string, Receiver>

beforeEach(() => {
  lines = []
  vi.spyOn(console, 'error').mockImplementation((line: string) => void lines.push(line))
  arrived = []
  receivers = {}
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const one = {
      url: input as string,
      headers: new Headers(init?.headers),
      body: String(init?.body as string),
    }
    expect([init?.method, init?.redirect]).toEqual(['POST', 'manual'])
    arrived.push(one)
    const answer = await (receivers[new URL(one.url).host]?.(one) ?? 204)
    return typeof answer === 'number' ? new Response(null, { status: answer }) : answer
  })
})

const eventLog = () => env.EVENT_LOG.getByName('event-log')
const stored = () =>
  runInDurableObject(eventLog(), (_object, { storage }) => {
    const rows = storage.sql.exec<{ id: string; row: string }>('SELECT * FROM webhooks').toArray()
    return rows.map(({ row }) => JSON.parse(row) as Record<string, unknown>)
  })

/** Ends the instance of the log as a crash would. */
async function kill(): Promise<void> {
  const killed = runInDurableObject(eventLog(), (_object, state) =>
    state.abort(playedFailure('killed')),
  ).catch(() => {})
  await Promise.race([killed, scheduler.wait(20)])
  await vi.waitFor(stored)
}

const events = (count: number, from = 0, type: Topic = 'client.created'): HappenedEvent[] =>
  Array.from({ length: count }, (_, i) => ({
    type,
    timestamp: '2026-11-23T14:03:10Z',
    mode: 'mock',
    data: { client_id: `cl_mock_${from + i}` },
  }))

const clientsIn = (ones: readonly Arrived[]) =>
  ones.map(({ body }) => (JSON.parse(body) as { data: Record<string, string> }).data['client_id'])
const idsIn = (ones: readonly Arrived[]) => ones.map(({ headers }) => headers.get('webhook-id'))

const post = (path: string, fields?: object, key?: string) =>
  ask(path, {
    method: 'POST',
    headers: {
      ...(fields && { 'Content-Type': 'application/json' }),
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
    },
    ...(fields && { body: JSON.stringify(fields) }),
  })

async function subscribed(url = URL_1, topics: Topic[] = ['client.created'], key?: string) {
  const reply = await post('/v1/webhooks', { url, events: topics }, key)
  expect([reply.status, reply.text]).toEqual([201, expect.any(String)])
  return { id: String(reply.body['webhook_id']), secret: String(reply.body['secret']), reply }
}

const shown = async (id: string) => (await ask(`/v1/webhooks/${id}`)).body
const eventually = (check: () => void | Promise<void>) => vi.waitFor(check)

async function audited(id: string) {
  const { entries } = await env.AUDIT_LOG.getByName('audit-log').page({
    event: 'webhook',
    limit: 50,
  })
  return entries
    .filter(({ record_id }) => record_id === id)
    .map(({ caller, code }) => [caller, code])
    .toReversed()
}

/** Rings the alarm at a moment, whenever it was set for. */
async function ringAt(time: number): Promise<void> {
  vi.setSystemTime(time)
  await runDurableObjectAlarm(eventLog())
}

const verified = (secret: string, { headers, body }: Arrived): unknown =>
  new Webhook(secret).verify(body, Object.fromEntries(headers))

describe('a webhook', () => {
  it('is sent each event of its topics from then on, signed, in order, as the list of events has it', async () => {
    await eventLog().append(events(2))
    const { secret, id, reply } = await subscribed()
    expect(reply.headers.get('Location')).toBe(`http://127.0.0.1:8787/v1/webhooks/${id}`)
    await eventLog().append([...events(3, 2), ...events(1, 9, 'client.deleted'), ...events(1, 5)])
    await eventually(() => expect(arrived).toHaveLength(4))
    expect(clientsIn(arrived)).toEqual(['cl_mock_2', 'cl_mock_3', 'cl_mock_4', 'cl_mock_5'])
    const listed = (await ask('/v1/events?type=client.created')).body['events'] as { id: string }[]
    expect(arrived.map((one) => verified(secret, one))).toEqual(listed.slice(2))
    expect(idsIn(arrived)).toEqual(listed.slice(2).map((event) => event.id))
    await eventually(async () =>
      expect(await shown(id)).toMatchObject({ state: 'active', waiting: 0, last_result: 'ok' }),
    )
  })

  it('that is made again is the one that is there, without its secret', async () => {
    const { id, secret } = await subscribed(URL_1, ['client.created', 'client.deleted'])
    const again = await post('/v1/webhooks', {
      url: URL_1,
      events: ['client.deleted', 'client.created'],
    })
    expect([again.status, again.body['webhook_id'], again.body['secret']]).toEqual([
      200,
      id,
      undefined,
    ])
    expect(again.headers.get('Location')).toBe(`http://127.0.0.1:8787/v1/webhooks/${id}`)
    for (const path of ['/v1/webhooks', `/v1/webhooks/${id}`]) {
      const { text } = await ask(path)
      expect(text).toContain('"host":"hooks.example.com"')
      expect(text).not.toMatch(/canary|catch|whsec/)
      expect(text).not.toContain(secret)
    }
    expect(await subscribed(URL_1, ['client.created'])).not.toMatchObject({ id })
  })

  it('keeps nothing of its secret in clear', async () => {
    const { secret } = await subscribed()
    const rows = JSON.stringify(await stored())
    expect(rows).not.toContain(secret)
    expect(rows).not.toContain(secret.slice('whsec_'.length))
  })

  it('is sent an event again, under the same id and with a new signature, if the answer was lost with the instance', async () => {
    const { secret } = await subscribed()
    const keep = vi.spyOn(SubscriptionTable.prototype, 'keep').mockImplementation(() => {
      throw onPurpose('killed between the answer and the write')
    })
    await eventLog().append(events(1))
    await eventually(() => expect(keep).toHaveBeenCalled())
    await kill()
    keep.mockRestore()
    await eventLog().append(events(1, 1))
    await eventually(() => expect(new Set(idsIn(arrived)).size).toBe(2))
    const [first] = idsIn(arrived)
    const again = idsIn(arrived).filter((id) => id === first)
    expect(again.length).toBeGreaterThan(1)
    expect(idsIn(arrived).slice(0, again.length)).toEqual(again)
    for (const one of arrived)
      expect(verified(secret, one)).toMatchObject({ type: 'client.created' })
  })

  it('is paused after three days of failures, with one alert, and resumed loses nothing', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const { id } = await subscribed()
    receivers['hooks.example.com'] = () => 404
    await eventLog().append(events(2))
    for (let rung = 0; rung < 12; rung++) {
      await eventually(() => expect(arrived.length).toBeGreaterThanOrEqual(Math.min(rung + 1, 10)))
      await eventually(async () => {
        const [row] = await stored()
        expect(row!['state'] === 'paused' || Number(row!['tries']) > rung).toBe(true)
      })
      await ringAt(Date.now() + 30 * HOUR)
    }
    expect(arrived).toHaveLength(10)
    await eventually(async () =>
      expect(await shown(id)).toMatchObject({ state: 'paused', waiting: 2 }),
    )
    await eventLog().append(events(1, 2))
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      { event: 'webhook_paused', webhook_id: id, caller: 'anonymous', since: expect.any(String) },
    ])
    receivers = {}
    const resumed = await post(`/v1/webhooks/${id}/resume`)
    expect([resumed.status, resumed.body['state']]).toEqual([200, 'active'])
    await ringAt(Date.now())
    await eventually(() => expect(arrived).toHaveLength(13))
    expect(clientsIn(arrived.slice(10))).toEqual(['cl_mock_0', 'cl_mock_1', 'cl_mock_2'])
    await eventually(async () =>
      expect(await audited(id)).toEqual([
        ['anonymous', 'created'],
        ['anonymous', 'paused'],
        ['anonymous', 'resumed'],
      ]),
    )
  })

  it('ends at 410: nothing more is sent, and nothing of its address and secret is kept', async () => {
    const { id } = await subscribed()
    receivers['hooks.example.com'] = () => 410
    await eventLog().append(events(2))
    await eventually(async () =>
      expect(await shown(id)).toMatchObject({ state: 'ended', last_result: 'gone' }),
    )
    await eventLog().append(events(1, 2))
    await runDurableObjectAlarm(eventLog())
    expect(arrived).toHaveLength(1)
    expect((await post(`/v1/webhooks/${id}/resume`)).body.code).toBe('webhook_not_found')
    const [row] = await stored()
    expect(row).toMatchObject({ url: '', sealed: '', sealed_old: null })
    await eventually(async () => expect((await audited(id)).at(-1)).toEqual(['anonymous', 'ended']))
    expect((await subscribed()).id).not.toBe(id)
  })

  it('whose topics do not come is moved on after many others, and misses nothing', async () => {
    await subscribed(URL_1, ['client.deleted'])
    await eventLog().append(events(600))
    await runDurableObjectAlarm(eventLog())
    expect((await stored()).map(({ cursor }) => cursor)).toEqual([600])
    await eventLog().append(events(1, 600, 'client.deleted'))
    await kill()
    await ringAt(Date.now())
    await eventually(() => expect(clientsIn(arrived)).toEqual(['cl_mock_600']))
  })

  it('takes a redirect for a failure, and does not follow it', async () => {
    const { id } = await subscribed()
    receivers['hooks.example.com'] = () =>
      new Response(null, { status: 307, headers: { Location: 'https://inner.example.com/' } })
    await eventLog().append(events(1))
    await eventually(async () => expect(await shown(id)).toMatchObject({ last_result: 'http_3xx' }))
    expect(arrived.map(({ url }) => url)).toEqual([URL_1])
  })

  describe('whose receiver refuses an event', () => {
    /** Has the first of two events refused, until it was skipped and the second has arrived. */
    async function refusing(status = 422) {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
      const { id } = await subscribed()
      receivers['hooks.example.com'] = ({ body }) => (body.includes('cl_mock_0') ? status : 200)
      const began = Date.now()
      await eventLog().append(events(2))
      for (const tries of [1, 2]) {
        await eventually(async () => expect((await stored())[0]).toMatchObject({ tries }))
        await ringAt(Date.now() + 6 * SECOND)
      }
      await eventually(async () =>
        expect(await shown(id)).toMatchObject({ waiting: 0, last_result: 'ok' }),
      )
      expect(clientsIn(arrived)).toEqual(['cl_mock_0', 'cl_mock_0', 'cl_mock_0', 'cl_mock_1'])
      return { id, began }
    }
    it.each([422, 413])(
      'is sent what follows within a minute, and never that event again, which is counted (%i)',
      async (status) => {
        const { id, began } = await refusing(status)
        expect(Date.now() - began).toBeLessThan(MINUTE)
        const skipped = { skipped: 1, first_failed_at: null, state: 'active' }
        expect(await shown(id)).toMatchObject(skipped)
        await kill()
        await ringAt(Date.now() + DAY)
        expect(await shown(id)).toMatchObject(skipped)
        expect(arrived).toHaveLength(4)
      },
    )

    it('is sent it again by a resume from a cursor before it', async () => {
      const before = (await ask('/v1/events')).body['next_cursor']
      const { id } = await refusing()
      receivers = {}
      expect((await post(`/v1/webhooks/${id}/resume`, { after: before })).status).toBe(200)
      await ringAt(Date.now())
      await eventually(() =>
        expect(clientsIn(arrived.slice(4))).toEqual(['cl_mock_0', 'cl_mock_1']),
      )
    })
  })

  it('that is failing is sent what waits at once, when it is resumed', async () => {
    const { id } = await subscribed()
    receivers['hooks.example.com'] = () =>
      new Response(null, { status: 503, headers: { 'Retry-After': '3600' } })
    await eventLog().append(events(2))
    await eventually(async () =>
      expect(await shown(id)).toMatchObject({ waiting: 2, last_result: 'http_5xx' }),
    )
    receivers = {}
    const resumed = await post(`/v1/webhooks/${id}/resume`)
    expect(resumed.body).toMatchObject({ state: 'active', first_failed_at: null })
    await eventually(() =>
      expect(clientsIn(arrived)).toEqual(['cl_mock_0', 'cl_mock_0', 'cl_mock_1']),
    )
  })

  it('skips an event that this version cannot read, counts it, and is sent what follows', async () => {
    const { id } = await subscribed()
    const [first, second] = events(2) as [HappenedEvent, HappenedEvent]
    const later = { ...first, mode: 'canary' } as unknown as HappenedEvent
    await eventLog().append([later, second])
    await eventually(() => expect(clientsIn(arrived)).toEqual(['cl_mock_1']))
    await eventually(async () => expect(await shown(id)).toMatchObject({ skipped: 1, waiting: 0 }))
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      { event: 'event_not_readable', event_id: expect.stringMatching(/^evt_/) },
    ])
  })

  it('is deleted with 204, also when it is gone, and then nothing is sent', async () => {
    const { id } = await subscribed()
    const remove = () => ask(`/v1/webhooks/${id}`, { method: 'DELETE' })
    expect([(await remove()).status, (await remove()).status]).toEqual([204, 204])
    await eventLog().append(events(1))
    await runDurableObjectAlarm(eventLog())
    expect(arrived).toEqual([])
    expect((await ask(`/v1/webhooks/${id}`)).body.code).toBe('webhook_not_found')
  })

  it('that is deleted while a delivery is being signed is sent nothing', async () => {
    const { id } = await subscribed()
    const signing = Promise.withResolvers<void>()
    const signed = vi.spyOn(crypto.subtle, 'sign').mockImplementationOnce(async () => {
      await signing.promise
      return new ArrayBuffer(32)
    })
    await eventLog().append(events(1))
    await eventually(() => expect(signed).toHaveBeenCalled())
    expect((await ask(`/v1/webhooks/${id}`, { method: 'DELETE' })).status).toBe(204)
    await runInDurableObject(eventLog(), async () => {
      signing.resolve()
      await scheduler.wait(20)
    })
    expect(arrived).toEqual([])
  })

  it('that is deleted while a delivery is under way stays deleted', async () => {
    const { id } = await subscribed()
    const answer = Promise.withResolvers<number>()
    receivers['hooks.example.com'] = () => answer.promise
    await eventLog().append(events(1))
    await eventually(() => expect(arrived).toHaveLength(1))
    await ask(`/v1/webhooks/${id}`, { method: 'DELETE' })
    await runInDurableObject(eventLog(), () => answer.resolve(204))
    await runDurableObjectAlarm(eventLog())
    expect(await stored()).toEqual([])
  })

  it('whose delivery never ends, past every deadline, does not ring the alarm again and again', async () => {
    await subscribed()
    receivers['hooks.example.com'] = () => new Promise(() => {})
    await eventLog().append(events(1))
    await eventually(() => expect(arrived).toHaveLength(1))
    const next = () => runInDurableObject(eventLog(), (_object, { storage }) => storage.getAlarm())
    await eventually(async () => expect(await next()).not.toBeNull())
    vi.useFakeTimers({ toFake: ['Date'] })
    const later = Date.now() + MINUTE
    await ringAt(later)
    expect(await next()).toBeGreaterThan(later)
  })

  it('whose alarm was lost is sent the event that failed, once you look at the webhook', async () => {
    const { id } = await subscribed()
    receivers['hooks.example.com'] = () => 503
    await eventLog().append(events(1))
    const alarm = () => runInDurableObject(eventLog(), (_object, { storage }) => storage.getAlarm())
    await eventually(async () => expect((await stored())[0]).toMatchObject({ tries: 1 }))
    await eventually(async () => expect(await alarm()).not.toBeNull())
    await runInDurableObject(eventLog(), (_object, { storage }) => storage.deleteAlarm())
    await kill()
    delete receivers['hooks.example.com']
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + MINUTE })
    expect(await alarm()).toBeNull()
    expect(await shown(id)).toMatchObject({ waiting: 1 })
    await runDurableObjectAlarm(eventLog())
    await eventually(() => expect(clientsIn(arrived)).toEqual(['cl_mock_0', 'cl_mock_0']))
  })

  it('is tested at once, with an event that is not in the log', async () => {
    const { id, secret } = await subscribed()
    const tested = await post(`/v1/webhooks/${id}/test`)
    expect(tested.body).toEqual({ webhook_id: id, result: 'ok', duration_ms: expect.any(Number) })
    expect(verified(secret, arrived[0]!)).toMatchObject({
      type: 'webhook.test',
      data: { webhook_id: id, url: expect.stringContaining(`/v1/webhooks/${id}`) },
    })
    receivers['hooks.example.com'] = () => Promise.reject(new TypeError('no such host'))
    expect((await post(`/v1/webhooks/${id}/test`)).body['result']).toBe('connection')
    expect((await ask('/v1/events')).body['events']).toEqual([])
  })

  it('with new secrets signs with each before for a day after the next, and then with the newest', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const { id, secret } = await subscribed()
    const renew = async () => String((await post(`/v1/webhooks/${id}/secret`)).body['secret'])
    const between = await renew()
    vi.setSystemTime(Date.now() + DAY / 2)
    const renewed = await renew()
    for (const ended of [[], [secret], [secret, between]]) {
      const { length } = arrived
      await eventLog().append(events(1, length))
      await runDurableObjectAlarm(eventLog())
      await eventually(() => expect(arrived).toHaveLength(length + 1))
      for (const one of [secret, between, renewed])
        if (ended.includes(one)) expect(() => verified(one, arrived[length]!)).toThrow()
        else expect(verified(one, arrived[length]!)).toBeTruthy()
      vi.setSystemTime(Date.now() + DAY / 2 + SECOND)
    }
  })

  it('is replayed from a cursor of the list of events', async () => {
    const { id } = await subscribed()
    const { next_cursor } = (await ask('/v1/events')).body
    await eventLog().append(events(2))
    await eventually(async () => expect((await stored())[0]).toMatchObject({ cursor: 2 }))
    const replayed = await post(`/v1/webhooks/${id}/resume`, { after: next_cursor })
    expect(replayed.status).toBe(200)
    await eventually(() => expect(arrived).toHaveLength(4))
    expect(idsIn(arrived.slice(2))).toEqual(idsIn(arrived.slice(0, 2)))
    const headers = { 'Content-Type': 'application/json' }
    for (const body of ['', 'null', '{}'])
      expect(
        await ask(`/v1/webhooks/${id}/resume`, { method: 'POST', headers, body }),
      ).toMatchObject({ status: 200 })
    const forged = await post(`/v1/webhooks/${id}/resume`, { after: 'made-up' })
    expect([forged.status, forged.body['errors']]).toMatchObject([400, [{ pointer: '/after' }]])
  })
})

describe('the webhooks of a key', () => {
  it('need the read scope of each topic', async () => {
    const key = await keyFor('k1', ['clients:read'])
    const refused = await post('/v1/webhooks', { url: URL_1, events: ['booking.created'] }, key)
    expect([refused.status, refused.body]).toMatchObject([403, { required_scope: 'bookings:read' }])
  })

  it('are seen and changed by it alone, and by a caller with the scope admin', async () => {
    const key = await keyFor('k1', ['clients:read'])
    const other = await keyFor('k2', ['clients:read'])
    const { id } = await subscribed(URL_1, ['client.created'], key)
    const as = (whose: string, init: RequestInit = {}) =>
      ask(`/v1/webhooks/${id}`, { ...init, headers: { Authorization: `Bearer ${whose}` } })
    expect((await as(other)).body.code).toBe('webhook_not_found')
    for (const act of ['test', 'secret', 'resume'])
      expect((await post(`/v1/webhooks/${id}/${act}`, undefined, other)).body.code).toBe(
        'webhook_not_found',
      )
    expect((await as(other, { method: 'DELETE' })).status).toBe(204)
    expect((await as(key)).body).toMatchObject({ webhook_id: id, caller: 'key:k1' })
    expect((await shown(id))['caller']).toBe('key:k1')
    expect((await ask(`/v1/webhooks/${id}`, { method: 'DELETE' })).status).toBe(204)
    expect((await as(key)).body.code).toBe('webhook_not_found')
  })

  it('end when it is revoked, before anything more is sent', async () => {
    const key = await keyFor('k1', ['clients:read'])
    const { id } = await subscribed(URL_1, ['client.created'], key)
    expect((await ask('/v1/keys/k1', { method: 'DELETE' })).status).toBe(200)
    await eventually(async () => expect(await shown(id)).toMatchObject({ state: 'ended' }))
    await eventLog().append(events(1))
    await runDurableObjectAlarm(eventLog())
    expect(arrived).toEqual([])
  })

  it('stay ended, too, when a delivery that was under way then fails', async () => {
    const key = await keyFor('k1', ['clients:read'])
    const { id } = await subscribed(URL_1, ['client.created'], key)
    const answer = Promise.withResolvers<number>()
    receivers['hooks.example.com'] = () => answer.promise
    await eventLog().append(events(1))
    await eventually(() => expect(arrived).toHaveLength(1))
    await ask('/v1/keys/k1', { method: 'DELETE' })
    await eventually(async () => expect(await shown(id)).toMatchObject({ state: 'ended' }))
    await runInDurableObject(eventLog(), async () => {
      answer.resolve(500)
      await scheduler.wait(20)
    })
    expect(await shown(id)).toMatchObject({ state: 'ended' })
  })

  it('end at the next event where no one said that it was revoked', async () => {
    const key = await keyFor('k1', ['clients:read'])
    const { id } = await subscribed(URL_1, ['client.created'], key)
    await env.ACCESS.getByName('access').revokeKey('k1')
    await eventLog().append(events(1))
    await eventually(async () => expect(await shown(id)).toMatchObject({ state: 'ended' }))
    expect(arrived).toEqual([])
  })

  it('wait while it is paused, and go on afterwards', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const key = await keyFor('k1', ['clients:read'])
    const { id } = await subscribed(URL_1, ['client.created'], key)
    await changeRules({ paused: true }, 'key:k1')
    await eventLog().append(events(1))
    await runDurableObjectAlarm(eventLog())
    expect(arrived).toEqual([])
    expect((await post(`/v1/webhooks/${id}/test`, undefined, key)).body.code).toBe('paused')
    await changeRules({ paused: false }, 'key:k1')
    await ringAt(Date.now() + 11 * MINUTE)
    await eventually(() => expect(arrived).toHaveLength(1))
  })

  it('are 20 at most', async () => {
    const key = await keyFor('k1', ['clients:read'])
    for (let i = 0; i < 20; i++)
      await subscribed(`https://hooks.example.com/${i}`, ['client.created'], key)
    const more = { url: 'https://hooks.example.com/20', events: ['client.created'] }
    const refused = await post('/v1/webhooks', more, key)
    expect([refused.status, refused.body.code]).toEqual([409, 'too_many_webhooks'])
  })
})

it('an address under another name is refused with a hint at url', async () => {
  for (const name of ['hookUrl', 'targetUrl', 'target_url', 'URL'])
    for (const more of [{}, { url: URL_1 }]) {
      const refused = await post('/v1/webhooks', {
        [name]: URL_1,
        ...more,
        events: ['client.created'],
      })
      const errors = expect.arrayContaining([
        { pointer: '', detail: expect.stringContaining('did you mean url?') as string },
      ]) as object[]
      expect([refused.status, refused.body]).toMatchObject([
        400,
        { code: 'validation_failed', errors },
      ])
      expect(refused.text).not.toContain('canary')
    }
})

it('an address to which nothing is sent is refused without being repeated', async () => {
  for (const url of [
    'http://hooks.example.com/canary',
    'https://127.0.0.1:8787/canary',
    'canary',
  ]) {
    const refused = await post('/v1/webhooks', { url, events: ['client.created'] })
    expect([refused.status, refused.body]).toMatchObject([
      400,
      { code: 'webhook_url_refused', errors: [{ pointer: '/url' }] },
    ])
    expect(refused.text).not.toContain('canary')
  }
})
