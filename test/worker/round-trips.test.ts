import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'

import { createApp } from '../../src/app/app.ts'
import { MINUTE } from '../../src/core/domain/time/duration.ts'
import { forgetRules } from '../../src/practice/adapters/caller-copies.ts'
import { WorkerServices } from '../../src/practice/wiring/services.ts'
import { onPurpose } from '../support/on-purpose.ts'
import {
  CLIENT,
  askForAPerson,
  confirmationUnder,
  consultAt,
  freeTimes,
  houseRules,
} from './fixtures.ts'
import { SECTIONS } from './sections.ts'

const ORIGIN = 'http://127.0.0.1:8787'
const app = createApp()

type Fields = Record<string, unknown>

interface Answer {
  status: number
  body: Fields
  response: Response
}

async function request(
  path: string,
  init: RequestInit = {},
  bindings: object = env,
): Promise<Answer> {
  const ctx = createExecutionContext()
  const response = await app.request(ORIGIN + path, init, bindings, ctx)
  const text = await response.clone().text()
  // The audit log may never answer where a test says so; nothing else is left to wait for.
  if (bindings === env) await waitOnExecutionContext(ctx)
  return {
    status: response.status,
    body: text.startsWith('{') ? (JSON.parse(text) as Fields) : {},
    response,
  }
}

type Face = 'REST' | 'MCP'
/** What REST takes is tried with each change; MCP asks the same operations. */
const FACES: { face: Face; tags: string[] }[] = [
  { face: 'REST', tags: [] },
  { face: 'MCP', tags: ['slow'] },
]

interface Call {
  tool?: string
  resource?: string
  path: string
  /** Those of the path stand in it already over REST. */
  inPath?: Fields
  fields?: Fields
  key?: string
  apiKey?: string
}

function overRest({ path, fields, key, apiKey }: Call): [string, RequestInit] {
  if (fields === undefined) return [path, {}]
  const headers = {
    'Content-Type': 'application/json',
    ...(key === undefined ? {} : { 'Idempotency-Key': key }),
    ...(apiKey === undefined ? {} : { 'X-API-Key': apiKey }),
  }
  return [path, { method: 'POST', headers, body: JSON.stringify(fields) }]
}

function overMcp({ tool, resource, inPath, fields, key, apiKey }: Call): [string, RequestInit] {
  const given = { ...inPath, ...fields, ...(key === undefined ? {} : { idempotency_key: key }) }
  const [method, params] =
    tool === undefined
      ? ['resources/read', { uri: resource }]
      : ['tools/call', { name: tool, arguments: given }]
  const headers = {
    Host: '127.0.0.1:8787',
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    ...(apiKey === undefined ? {} : { 'X-API-Key': apiKey }),
  }
  return [
    '/mcp',
    { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) },
  ]
}

/** The result of an answer over either face. */
async function bodyOf({ response, body }: Answer): Promise<Fields> {
  const text = await response.clone().text()
  const message = /^(?:data: )?(\{.*"jsonrpc".*\})$/m.exec(text)?.[1]
  if (message === undefined) return body
  const { result } = JSON.parse(message) as {
    result?: { structuredContent?: Fields; contents?: unknown[] }
  }
  return result?.structuredContent ?? { contents: result?.contents }
}

/** Counts calls; those that run side by side are one round trip. */
function counter() {
  let running = 0
  const counted = {
    calls: 0,
    trips: 0,
    isIdle: () => running === 0,
    async call<T>(run: () => Promise<T>): Promise<T> {
      counted.calls++
      if (running === 0) counted.trips++
      running++
      try {
        return await run()
      } finally {
        running--
      }
    },
  }
  return counted
}

/** Every method of a stub and of its sections, as `instead` calls it. */
const wrapped = <S extends object>(stub: S, instead: <T>(run: () => Promise<T>) => Promise<T>): S =>
  new Proxy(stub, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name)
      if (typeof method !== 'function') return method
      if (SECTIONS.has(name)) return wrapped(method, instead)
      return async (...given: unknown[]) =>
        instead(async () => (await Reflect.apply(method, target, given)) as unknown)
    },
  })

/**
 * Counts what the Worker calls of flows, and what it and the flows call of all other objects, until `end`. What a provider
 * is asked is not counted, and no answer waits for the audit log and the event log: they answer only after that.
 */
function countCalls() {
  const flows = counter()
  const others = counter()
  const logs = counter()
  const counters = [flows, others, logs]
  const ended = Promise.withResolvers<void>()
  const prototype = Object.getPrototypeOf(env.RECORDS) as DurableObjectNamespace
  for (const name of ['get', 'getByName'] as const) {
    const real = prototype[name] as (...given: unknown[]) => DurableObjectStub
    vi.spyOn(prototype, name).mockImplementation(function (this: unknown, ...given: unknown[]) {
      const stub = real.apply(this, given)
      switch (stub.name) {
        case 'calendar':
          return stub
        case 'audit-log':
        case 'event-log':
        case 'provider-sync':
          return wrapped(stub, (run) => logs.call(() => ended.promise.then(run)))
        case 'records':
        case 'coordinator':
        case 'access':
          return wrapped(stub, others.call)
        default:
          return wrapped(stub, flows.call)
      }
    })
  }
  return {
    /** In sequence until now: an object that a flow calls is called while the Worker waits for the flow. */
    trips: () => flows.trips + others.trips,
    calls: () => flows.calls + others.calls,
    /** Lets all that goes on in the background come to an end, so that no later count has it. */
    async end() {
      ended.resolve()
      let quietLooks = 0
      while (quietLooks < 3) {
        await new Promise((later) => setTimeout(later, 5))
        if (counters.every((one) => one.isIdle())) quietLooks += 1
        else quietLooks = 0
      }
      for (const name of ['get', 'getByName'] as const) vi.mocked(prototype[name]).mockRestore()
    },
  }
}

async function measured(face: Face, call: Call, caller = 'anonymous') {
  // An isolate asks for the house rules every ten seconds, so most reads and previews find a copy of them.
  forgetRules()
  await houseRules().copyOf(caller)
  const counted = countCalls()
  const answer = await request(...(face === 'REST' ? overRest(call) : overMcp(call)), { ...env })
  const [trips, calls] = [counted.trips(), counted.calls()]
  await counted.end()
  const body = await bodyOf(answer)
  expect([answer.status, body['code'], body['errors']]).toEqual([200, undefined, undefined])
  return { trips, calls, body }
}

/** Commits a change, so that there is something to read, move or cancel. */
async function committed(
  path: string,
  fields: Fields,
  key: string = crypto.randomUUID(),
): Promise<Fields> {
  const preview = await request(...overRest({ path, key, fields: { ...fields, confirm: false } }))
  const { confirmation_token } = preview.body
  const commit = { ...fields, confirm: true, confirmation_token }
  const { body } = await request(...overRest({ path, key, fields: commit }))
  return body['result'] as Fields
}

const booked = async () =>
  String((await committed('/v1/bookings', consultAt((await freeTimes())[0])))['booking_id'])
const client = async () => String((await committed('/v1/clients', CLIENT))['client_id'])
const link = async () =>
  String((await committed('/v1/payment-links', { invoice_id: 'in_mock_open' }))['payment_link_id'])

const MUTATIONS: Record<string, () => Promise<Call>> = {
  book_consult: async () => ({ path: '/v1/bookings', fields: consultAt((await freeTimes())[1]!) }),
  reschedule_booking: async () => {
    const booking_id = await booked()
    const fields = { start_time: (await freeTimes())[2], timezone: 'America/New_York' }
    return { path: `/v1/bookings/${booking_id}/reschedule`, inPath: { booking_id }, fields }
  },
  cancel_booking: async () => {
    const booking_id = await booked()
    return { path: `/v1/bookings/${booking_id}/cancel`, inPath: { booking_id }, fields: {} }
  },
  create_client_profile: async () => ({ path: '/v1/clients', fields: CLIENT }),
  submit_intake_answers: async () => {
    const client_id = await client()
    const fields = { answers: { primary_goal: 'retirement' } }
    return { path: `/v1/clients/${client_id}/intake`, inPath: { client_id }, fields }
  },
  create_payment_link: async () => ({
    path: '/v1/payment-links',
    fields: { invoice_id: 'in_mock_open' },
  }),
}

/**
 * Calls of objects, in sequence before the answer. A preview asks the flow, and the flow the records: of intake answers for
 * the client, of bookings and clients for the same person, where the caller may read these. A commit asks the flow, the
 * coordinator for its rules and locks, and the records; the repeat of either only the flow.
 */
const TRIPS_OF_A_CHANGE: Record<string, { preview: number; commit: number }> = {
  book_consult: { preview: 2, commit: 3 },
  // The flow that booked the slot it leaves locked it last and says that it has ended; then the coordinator is asked again.
  reschedule_booking: { preview: 1, commit: 4 },
  cancel_booking: { preview: 1, commit: 3 },
  create_client_profile: { preview: 2, commit: 3 },
  submit_intake_answers: { preview: 2, commit: 4 },
  // A preview looks for links from before PAYMENT_LINK_STYLE was changed.
  create_payment_link: { preview: 2, commit: 3 },
}

/** The same for reads. */
const READS: Record<string, { trips: number; call: () => Promise<Call> }> = {
  list_availability: {
    trips: 0,
    call: async () => ({ tool: 'list_availability', path: '/v1/availability' }),
  },
  list_event_types: {
    trips: 0,
    call: async () => ({ resource: 'consult://event-types', path: '/v1/event-types' }),
  },
  list_bookings: {
    trips: 1,
    call: async () => (await booked(), { path: '/v1/bookings', resource: 'consult://bookings' }),
  },
  'list_bookings as a tool': {
    trips: 1,
    call: async () => (await booked(), { path: '/v1/bookings', tool: 'list_bookings' }),
  },
  find_bookings: {
    trips: 1,
    call: async () => {
      await booked()
      const fields = { invitee_email: consultAt('').invitee_email }
      return { path: '/v1/bookings/search', tool: 'find_bookings', fields }
    },
  },
  find_client: {
    trips: 1,
    call: async () => {
      await client()
      const fields = { contact_email: CLIENT.contact_email }
      return { path: '/v1/clients/search', tool: 'find_client', fields }
    },
  },
  find_invoices: {
    trips: 0,
    call: async () => ({ path: '/v1/invoices/search', tool: 'find_invoices', fields: {} }),
  },
  get_booking: {
    trips: 1,
    call: async () => {
      const id = await booked()
      return { path: `/v1/bookings/${id}`, resource: `consult://bookings/${id}` }
    },
  },
  list_clients: {
    trips: 1,
    call: async () => (await client(), { path: '/v1/clients', resource: 'consult://clients' }),
  },
  get_client: {
    trips: 1,
    call: async () => {
      const id = await client()
      return { path: `/v1/clients/${id}`, resource: `consult://clients/${id}` }
    },
  },
  get_payment_link: {
    trips: 1,
    call: async () => {
      const id = await link()
      return { path: `/v1/payment-links/${id}`, resource: `consult://payment-links/${id}` }
    },
  },
}

describe.each(FACES)('over $face', ({ face, tags }) => {
  it.each(Object.keys(MUTATIONS))(
    '%s takes only the round trips that its row says',
    { tags },
    async (tool) => {
      const call = { tool, ...(await MUTATIONS[tool]!()), key: crypto.randomUUID() }
      const asked = async (fields: Fields) =>
        measured(face, { ...call, fields: { ...call.fields, ...fields } })
      const preview = await asked({ confirm: false })
      const again = await asked({ confirm: false })
      const confirmed = { confirm: true, confirmation_token: preview.body['confirmation_token'] }
      const commit = await asked(confirmed)
      const repeated = await asked(confirmed)
      expect({
        preview: preview.trips,
        'preview again': again.trips,
        commit: commit.trips,
        'commit again': repeated.trips,
      }).toEqual({ 'preview again': 1, 'commit again': 1, ...TRIPS_OF_A_CHANGE[tool] })
    },
  )

  it.each(['book_consult', 'create_client_profile'])(
    'the preview of %s takes one round trip for a caller who may not read who is the same person',
    { tags },
    async (tool) => {
      const call = { tool, ...(await MUTATIONS[tool]!()), key: crypto.randomUUID() }
      const scopes = ['bookings:write', 'clients:write']
      const made = await request('/v1/keys', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ name: 'Front desk', scopes }),
      })
      const apiKey = String(made.body['key'])
      // The first call looks the API key up, which is remembered then.
      await request('/v1/me', { headers: { 'X-API-Key': apiKey } })
      const asked = { ...call, apiKey, fields: { ...call.fields, confirm: false } }
      const caller = `key:${String(made.body['id'])}`
      expect(await measured(face, asked, caller)).toMatchObject({ trips: 1, calls: 1 })
    },
  )

  it.each(['book_consult', 'submit_intake_answers'])(
    '%s takes one round trip more at the preview, and none at the commit, where a person has to approve it',
    { tags },
    async (tool) => {
      const call = { tool, ...(await MUTATIONS[tool]!()), key: crypto.randomUUID() }
      await askForAPerson('*')
      const asked = async (fields: Fields) =>
        measured(face, { ...call, fields: { ...call.fields, ...fields } })
      const preview = await asked({ confirm: false })
      const confirmation = await confirmationUnder(call.key)
      const { id, digest } = (await confirmation.approval())!
      await confirmation.decide({ id, digest, decision: 'approve', by: 'owner', proof: {} })
      const token = preview.body['confirmation_token']
      const commit = await asked({ confirm: true, confirmation_token: token })
      const without = TRIPS_OF_A_CHANGE[tool]!
      expect([preview.trips, commit.trips]).toEqual([without.preview + 1, without.commit])
    },
  )

  it.each(Object.entries(READS))(
    '%s takes only the calls of objects that its row says, one after the other or not',
    { tags },
    async (_name, { trips, call }) => {
      expect(await measured(face, await call())).toMatchObject({ trips, calls: trips })
    },
  )
})

describe('a read asks for the house rules in parallel with its own work', () => {
  // The copy of the tests before is too old.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + MINUTE }))

  /** Bindings whose coordinator does not answer until the records were asked. */
  function holding() {
    const { promise: asked, resolve } = Promise.withResolvers<void>()
    const watched = (namespace: DurableObjectNamespace, before: () => Promise<void> | void) => ({
      idFromName: (name: string) => namespace.idFromName(name),
      get: (id: DurableObjectId) =>
        new Proxy(namespace.get(id), {
          get(target, name) {
            const method: unknown = Reflect.get(target, name)
            if (typeof method !== 'function') return method
            return async (...given: unknown[]) => {
              await before()
              return Reflect.apply(method, target, given) as unknown
            }
          },
        }),
    })
    return {
      ...env,
      COORDINATOR: watched(env.COORDINATOR as unknown as DurableObjectNamespace, () => asked),
      RECORDS: watched(env.RECORDS as unknown as DurableObjectNamespace, resolve),
    }
  }

  it('so that the records are asked before the rules arrive', async () => {
    // The patience of the read never ends, so it would wait for good if it asked for the rules first.
    vi.useFakeTimers({ toFake: ['setTimeout', 'Date'], now: Date.now() + MINUTE })
    expect((await request('/v1/clients', {}, holding())).status).toBe(200)
  })

  it('and continues without them after half a second', async () => {
    const never = { idFromName: () => '', get: () => ({ copyFor: () => new Promise(() => {}) }) }
    expect((await request('/v1/clients', {}, { ...env, COORDINATOR: never })).status).toBe(200)
    const broken = {
      idFromName: () => '',
      get: () => ({ copyFor: () => Promise.reject(onPurpose('gone')) }),
    }
    expect((await request('/v1/clients', {}, { ...env, COORDINATOR: broken })).status).toBe(200)
  })
})

/** Builds every port of the Worker to throw, but for those that a request may use. */
function onlyBuild(...allowed: string[]) {
  const { prototype } = WorkerServices
  for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    // What comes from a setting is no port.
    if (!get || ['trialKeyHash', 'isLive'].includes(name)) continue
    vi.spyOn(prototype as unknown as Fields, name as never, 'get').mockImplementation(function (
      this: unknown,
    ): never {
      if (!allowed.includes(name)) throw new Error(`${name} was built`)
      return get.call(this) as never
    })
  }
}

describe('a request builds no port that it does not use', () => {
  it.each([
    '/openapi.json',
    '/llms.txt',
    '/docs/errors',
    '/docs',
    '/docs/api',
    '/.well-known/api-catalog',
    '/',
  ])('%s builds none', async (path) => {
    onlyBuild()
    expect((await request(path)).status).toBe(200)
  })

  it('a preview, a commit and their repeats need only the keyring, the practice and the confirmations', async () => {
    const [time] = await freeTimes()
    const key = crypto.randomUUID()
    const send = async (more: Fields) =>
      request(...overRest({ path: '/v1/bookings', key, fields: { ...consultAt(time), ...more } }))
    onlyBuild('keyring', 'practice', 'confirmations', 'modes')
    const { body } = await send({ confirm: false })
    const commit = await send({ confirm: true, confirmation_token: body['confirmation_token'] })
    expect([commit.status, commit.body['status']]).toEqual([200, 'committed'])
  })

  it('free times need only the scheduling provider, the practice, the clock and the house rules', async () => {
    onlyBuild('scheduling', 'practice', 'now', 'modes', 'houseRules', 'providerQuota')
    expect((await request('/v1/availability')).status).toBe(200)
  })

  it('the status of a change needs only the confirmations', async () => {
    onlyBuild('confirmations')
    expect((await request('/v1/operations/a-key-nobody-used')).status).toBe(200)
  })

  it('who am I needs only the house rules', async () => {
    onlyBuild('houseRules')
    expect((await request('/v1/me')).status).toBe(200)
  })
})

describe('every JSON that GET answers under /v1', () => {
  it('has an ETag, and is not sent again to a caller who has it', async () => {
    const document = (await request('/openapi.json')).body
    const paths = document['paths'] as Record<
      string,
      { get?: { responses: Fields; operationId: string } }
    >
    const booking_id = await booked()
    const client_id = await client()
    const payment_link_id = await link()
    const idempotency_key = crypto.randomUUID()
    await committed('/v1/clients', CLIENT, idempotency_key)
    const url = 'https://hooks.example.com/'
    const subscribed = await request('/v1/webhooks', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ url, events: ['client.created'] }),
    })
    const { webhook_id } = subscribed.body
    const values: Fields = {
      booking_id,
      client_id,
      payment_link_id,
      idempotency_key,
      webhook_id,
      index: 0,
    }
    // The export and a backup are streams, whose ETag would need all of it first; a checkpoint is text.
    // What counts only where it was granted by name is not for this caller.
    const others = [
      '/v1/audit/export',
      '/v1/audit/checkpoint',
      '/v1/backup',
      '/v1/client-links/{link_id}',
    ]
    const reads = Object.entries(paths).filter(
      ([path, { get }]) => path.startsWith('/v1/') && get && !others.includes(path),
    )
    expect(reads.length).toBeGreaterThan(12)
    for (const [template, { get }] of reads) {
      expect([template, Object.keys(get!.responses)]).toEqual([
        template,
        expect.arrayContaining(['304']),
      ])
      const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]))
      const { status, response } = await request(path)
      const etag = response.headers.get('ETag')
      expect([template, status, etag]).toEqual([
        template,
        200,
        expect.stringMatching(/^"[0-9a-f]{32}"$/),
      ])
      // What changes from second to second has another ETag by then.
      const unchanged = await request(path, { headers: { 'If-None-Match': '*' } })
      expect([template, unchanged.status]).toEqual([template, 304])
    }
  })
})
