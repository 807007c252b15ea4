import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { HOUR } from '../../src/core/domain/time/duration.ts'
import { client2, askMcp, sdk1 } from '../support/agents.ts'
import { connectorForAll, connectorForTest } from '../support/started.ts'
import { ZONE, callerWith, done, freeStarts } from '../support/transports.ts'

const EMAIL = 'robin.castle@practice-guests.example'
const guest = { timezone: ZONE, invitee_email: EMAIL, invitee_name: 'Robin Castle' }

const connector = connectorForAll()
let booking_id: string
let client_id: string
beforeAll(async () => {
  const [start_time] = (await freeStarts(connector)) as [string]
  const booked = await done(connector, 'REST', 'book_consult', { ...guest, start_time })
  booking_id = String(booked.result['booking_id'])
  const client = await done(connector, 'REST', 'create_client_profile', {
    entity_type: 'individual',
    display_name: 'Robin Castle',
    contact_email: EMAIL,
  })
  client_id = String(client.result['client_id'])
})

interface Reader {
  listResources(): Promise<{ resources: { uri: string; description?: string | undefined }[] }>
  listResourceTemplates(): Promise<{ resourceTemplates: { uriTemplate: string }[] }>
  readResource(of: { uri: string }): Promise<{ contents: { uri: string; text?: string }[] }>
  complete(of: object): Promise<{ completion: { values: string[] } }>
  close(): Promise<void>
}

const CLIENTS: [string, number, (headers?: Record<string, string>) => Promise<Reader>][] = [
  ['sdk 1.x', -32002, async (headers) => (await sdk1(connector.url, headers)) as unknown as Reader],
  [
    'client 2.x, 2025-11-25',
    -32002,
    async (headers) => (await client2(connector.url, 'legacy', headers)) as unknown as Reader,
  ],
  [
    'client 2.x, 2026-07-28',
    -32602,
    async (headers) => (await client2(connector.url, 'auto', headers)) as unknown as Reader,
  ],
]

const inJson = async (reader: Reader, uri: string): Promise<Record<string, unknown>> => {
  const { contents } = await reader.readResource({ uri })
  expect(contents).toMatchObject([{ uri, mimeType: 'application/json' }])
  expect(contents[0]?.text).not.toMatch(/robin|castle|practice-guests/i)
  return JSON.parse(contents[0]?.text ?? '') as Record<string, unknown>
}
const overRest = async (path: string) => (await connector.rest(path)).body

describe.each(CLIENTS)('resources over %s', (_name, notThere, connect) => {
  let reader: Reader
  beforeAll(async () => {
    reader = await connect()
  })
  afterAll(() => reader.close())

  test('are few, and templates for the rest', async () => {
    const { resources } = await reader.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual([
      'consult://today',
      'consult://bookings',
      'consult://clients',
      'consult://event-types',
      'consult://events',
    ])
    // A host that shows a template without its variable would show these lists twice.
    for (const { uri, description } of resources.slice(1, 3))
      expect(description).toContain(`${uri}?cursor=, followed by the next_cursor`)
    const { resourceTemplates } = await reader.listResourceTemplates()
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'consult://bookings/{booking_id}',
      'consult://clients/{client_id}',
      'consult://payment-links/{payment_link_id}',
    ])
  })

  test('hold what REST answers', async () => {
    expect(await inJson(reader, `consult://bookings/${booking_id}`)).toEqual(
      await overRest(`/v1/bookings/${booking_id}`),
    )
    expect(await inJson(reader, `consult://clients/${client_id}`)).toEqual(
      await overRest(`/v1/clients/${client_id}`),
    )
    expect(await inJson(reader, 'consult://bookings')).toEqual(await overRest('/v1/bookings'))
    expect(await inJson(reader, 'consult://clients')).toEqual(await overRest('/v1/clients'))
    expect(await inJson(reader, 'consult://event-types')).toEqual(await overRest('/v1/event-types'))
    expect(await inJson(reader, 'consult://events')).toEqual(await overRest('/v1/events'))
    const { next_cursor } = await inJson(reader, 'consult://events')
    expect(await inJson(reader, `consult://events?cursor=${String(next_cursor)}`)).toMatchObject({
      operation: 'list_events',
      events: [],
    })
    const today = await inJson(reader, 'consult://today')
    const length = Date.parse(String(today['to'])) - Date.parse(String(today['from']))
    expect([23, 24, 25]).toContain(length / HOUR)
    expect(String(today['from'])).toMatch(/T00:00:00/)
  })

  test.each([
    'consult://bookings/bk_mock_0123456789abcdef',
    'consult://clients/x',
    'consult://payment-links/pl_in_mock_paid',
    'consult://tomorrow',
    'file:///etc/passwd',
  ])('that do not exist are refused in the code of the era: %s', async (uri) => {
    const thrown: unknown = await reader.readResource({ uri }).catch((error: unknown) => error)
    expect(thrown).toMatchObject({ code: notThere })
    expect(String((thrown as Error).message)).not.toContain(uri)
  })

  test('refuse a wrong cursor as REST does', async () => {
    const { errors } = (await overRest('/v1/bookings?cursor=nonsense')) as unknown as {
      errors: object
    }
    await expect(
      reader.readResource({ uri: 'consult://bookings?cursor=nonsense' }),
    ).rejects.toMatchObject({
      code: -32602,
      data: { code: 'validation_failed', errors },
    })
  })

  test('have completions for ids, and prompts for ids and zones', async () => {
    const complete = async (ref: object, name: string, value: string) =>
      (await reader.complete({ ref, argument: { name, value } })).completion.values
    const template = (uri: string) => ({ type: 'ref/resource', uri })
    const prompt = (name: string) => ({ type: 'ref/prompt', name })
    const booking = template('consult://bookings/{booking_id}')
    expect(await complete(booking, 'booking_id', booking_id.slice(0, 12))).toEqual([booking_id])
    expect(await complete(booking, 'booking_id', 'bk_nobody')).toEqual([])
    expect(await complete(template('consult://clients/{client_id}'), 'client_id', 'cl_')).toEqual([
      client_id,
    ])
    expect(await complete(prompt('move_or_cancel_a_consult'), 'booking_id', 'bk_')).toEqual([
      booking_id,
    ])
    expect(await complete(prompt('book_a_consult'), 'timezone', 'america/new')).toEqual([
      'America/New_York',
    ])
    expect(await complete(prompt('book_a_consult'), 'timezone', 'lisbon')).toEqual([
      'Europe/Lisbon',
    ])
    expect(await complete(prompt('no_such_prompt'), 'timezone', 'lisbon')).toEqual([])
  })

  test('are hidden from a caller without their scope', async () => {
    const { apiKey } = await callerWith(connector, ['bookings:write', 'clients:read'])
    const narrow = await connect({ Authorization: `Bearer ${apiKey}` })
    try {
      const { resources } = await narrow.listResources()
      expect(resources.map(({ uri }) => uri)).toEqual(['consult://clients', 'consult://events'])
      const { events } = (await inJson(narrow, 'consult://events')) as {
        events: { type: string }[]
      }
      expect(new Set(events.map(({ type }) => type))).toEqual(new Set(['client.created']))
      await expect(
        narrow.readResource({ uri: `consult://bookings/${booking_id}` }),
      ).rejects.toMatchObject({
        code: notThere,
      })
      const { completion } = await narrow.complete({
        ref: { type: 'ref/prompt', name: 'move_or_cancel_a_consult' },
        argument: { name: 'booking_id', value: 'bk_' },
      })
      expect(completion.values).toEqual([])
    } finally {
      await narrow.close()
    }
  })
})

test('a resource is private to its caller, and is read afresh each time', async () => {
  const uri = 'consult://today'
  const { message } = await askMcp(connector.url, '2026-07-28', 'resources/read', { uri })
  expect(message.result).toMatchObject({ cacheScope: 'private', ttlMs: 0 })
})

test('a failing provider is reported in the same words as over REST', async () => {
  const failing = await connectorForTest({ vars: { MOCK_FAULTS: 'list:busy*' } })
  const rest = await failing.rest('/v1/bookings')
  expect(rest).toMatchObject({ status: 503, body: { code: 'provider_busy', effect: 'none' } })
  const uri = 'consult://bookings'
  const { message } = await askMcp(failing.url, '2025-11-25', 'resources/read', { uri })
  const { request_id: _rest, ...same } = rest.body
  expect(message.error).toMatchObject({ code: -32603, data: same })
})
