import { describe, expect, test } from 'vitest'

import { PROBLEM_CODES, type ProblemCode } from '../../src/core/domain/problem/problems.ts'
import { RATES } from '../../src/core/domain/rate-limit.ts'
import { type Rules, NO_RULES } from '../../src/core/domain/rules/house-rules.ts'
import type { Records } from '../../src/core/ports/records.ts'
import { postMcp, rpcRequest } from '../support/agents.ts'
import { approverOf } from '../support/approver.ts'
import { type Connector, startConnector } from '../support/connector.ts'
import { connectorForAll, connectorForTest } from '../support/started.ts'
import {
  type Mutation,
  type Operation,
  type Reply,
  ZONE,
  ask,
  bookedStarts,
  callerWith,
  done,
  freeStarts,
  instant,
  newKey,
  asOverRest,
} from '../support/transports.ts'
import { listUnresolved } from '../support/unresolved.ts'

type Fields = Record<string, unknown>
type Face = 'REST' | 'sdk 1.x'

/** One connector, asked over one face; remembers every text that was sent, to look for it in the answer. */
interface Scene {
  connector: Connector
  face: Face
  sent: Set<string>
  ask(operation: Operation, fields: Fields, key?: string): Promise<Reply>
  done(operation: Mutation, fields: Fields): Promise<Fields>
  booking(): Promise<string>
  /** A free time that no other scene takes. */
  start(): Promise<string>
}

interface Shown {
  code: ProblemCode
  title: string
  status: number
  effect?: 'none' | 'done' | 'unknown' | 'partial'
  retryAfter?: boolean
  /** Settings of a connector of its own; with neither them nor faults the scene shares one. */
  vars?: Record<string, string>
  /** What fails at the mock providers. Each face has these faults once, one face after the other. */
  faults?: string
  facts?: object
  provoke(scene: Scene): Promise<Reply>
}

/** Acts under these rules for all callers together, and lifts them. */
async function underRules<T>(
  connector: Connector,
  rules: Partial<Rules>,
  act: () => Promise<T>,
): Promise<T> {
  const set = async (rules: Rules) => {
    const { status, text } = await connector.rest('/v1/rules/*', { method: 'PUT', body: rules })
    expect(status, text).toBe(200)
  }
  await set({ ...NO_RULES, ...rules })
  try {
    return await act()
  } finally {
    await set(NO_RULES)
  }
}

const EMAIL = 'robin.castle@practice-guests.example'
const guest = { timezone: ZONE, invitee_email: EMAIL, invitee_name: 'Robin Castle' }
const CLIENT = { entity_type: 'individual', display_name: 'Robin Castle', contact_email: EMAIL }
const COMMITTED = { status: 200, body: { status: 'committed' } }
const LINK = { invoice_id: 'in_mock_open' }
const UNKNOWN_BOOKING = 'bk_mock_0123456789abcdef'

/** A preview, and what commits it. */
async function previewed(scene: Scene, operation: Mutation, fields: Fields, key = newKey()) {
  const { body, text } = await scene.ask(operation, { ...fields, confirm: false }, key)
  const { confirmation_token } = body
  if (confirmation_token === undefined) throw new Error(`No preview: ${text}`)
  const commit = () => scene.ask(operation, { ...fields, confirm: true, confirmation_token }, key)
  return { key, fields, token: confirmation_token, commit }
}

/** A preview of a booking at a time that no other scene takes, and what commits it. */
async function previewedBooking(scene: Scene) {
  const start_time = await scene.start()
  return { start_time, ...(await previewed(scene, 'book_consult', { ...guest, start_time })) }
}

const bookedAndMoved = async (scene: Scene): Promise<Reply> => {
  const booking_id = await scene.booking()
  const move = { booking_id, start_time: await scene.start() }
  return (await previewed(scene, 'reschedule_booking', move)).commit()
}

/** The owner's word on what happened under a key. */
async function ownerSays(connector: Connector, key: string, verdict: object): Promise<void> {
  const operation_id = await listUnresolved(connector, key)
  const resolved = await connector.rest(`/v1/unresolved/${operation_id}`, { body: verdict })
  expect(resolved).toMatchObject({ status: 200 })
}

/** A booking that a person has to approve. */
async function asksForAPerson(scene: Scene) {
  await approverOf(scene.connector).isAskedFor('book_consult')
  return previewedBooking(scene)
}

/** What is refused on the shared connector, without effect, with nothing to be said but its code. */
const refuses = (
  title: string,
  status: number,
  code: ProblemCode,
  provoke: Shown['provoke'],
): Shown => ({
  title,
  status,
  code,
  provoke,
})

const SHOWN: Shown[] = [
  {
    code: 'idempotency_key_missing',
    title: 'a change without a key',
    status: 400,
    facts: { errors: [{ pointer: '/idempotency_key' }, { pointer: '/confirm' }, { pointer: '' }] },
    provoke: (scene) =>
      scene.ask('create_payment_link', { ...LINK, confirm: 'perhaps', surprise_field: 'Castle' }),
  },
  {
    code: 'idempotency_key_invalid',
    title: 'a key of seven characters',
    status: 400,
    facts: {
      errors: [
        {
          pointer: '/idempotency_key',
          detail: 'Expected 8 to 200 characters; over REST, in the header Idempotency-Key.',
        },
      ],
    },
    provoke: (scene) => scene.ask('create_payment_link', { ...LINK, confirm: false }, 'seven77'),
  },
  {
    code: 'validation_failed',
    title: 'wrong and missing fields',
    status: 400,
    facts: {
      errors: [
        { pointer: '/start_time', detail: expect.stringContaining('RFC 3339') as string },
        { pointer: '/timezone', detail: expect.stringContaining('IANA') as string },
        { pointer: '/invitee_email', detail: 'Required: expected a string.' },
        { pointer: '', detail: expect.stringContaining('not known') as string },
      ],
    },
    provoke(scene) {
      const wrong = {
        start_time: 'next-tuesday',
        timezone: 'Middle/Earth',
        surprise_field: 'Castle',
      }
      return scene.ask('book_consult', { ...wrong, confirm: false }, newKey())
    },
  },
  {
    code: 'sensitive_data_refused',
    title: 'a Social Security number in the notes',
    status: 400,
    facts: { errors: [{ pointer: '/answers/notes', kind: 'ssn' }] },
    async provoke(scene) {
      const { client_id } = await scene.done('create_client_profile', CLIENT)
      const answers = { primary_goal: 'other', notes: 'SSN 219-09-9999' }
      scene.sent.add('219-09-9999').add('219099999')
      return scene.ask('submit_intake_answers', { client_id, answers, confirm: false }, newKey())
    },
  },
  refuses('a commit without a token', 400, 'confirmation_token_missing', async (scene) => {
    const { fields, key } = await previewed(scene, 'create_payment_link', LINK)
    return scene.ask('create_payment_link', { ...fields, confirm: true }, key)
  }),
  {
    code: 'confirmation_token_missing',
    title: 'a commit without a token after the change was made',
    status: 400,
    effect: 'done',
    async provoke(scene) {
      const { fields, key, commit } = await previewed(scene, 'create_payment_link', LINK)
      await commit()
      return scene.ask('create_payment_link', { ...fields, confirm: true }, key)
    },
  },
  refuses('the token of another key', 400, 'confirmation_token_invalid', async (scene) => {
    const one = await previewed(scene, 'create_payment_link', LINK)
    const other = await previewed(scene, 'create_payment_link', LINK)
    const fields = { ...one.fields, confirm: true, confirmation_token: other.token }
    return scene.ask('create_payment_link', fields, one.key)
  }),
  refuses('a commit under a key that has no preview', 400, 'preview_required', async (scene) => {
    const { fields, token } = await previewed(scene, 'create_payment_link', LINK)
    const commit = { ...fields, confirm: true, confirmation_token: token }
    return scene.ask('create_payment_link', commit, newKey())
  }),
  refuses('other values under the same key', 409, 'idempotency_key_reused', async (scene) => {
    const { key } = await previewed(scene, 'create_payment_link', LINK)
    return scene.ask('create_payment_link', { invoice_id: 'in_mock_jpy', confirm: false }, key)
  }),
  refuses('another operation under the same key', 409, 'idempotency_key_reused', async (scene) => {
    const { key } = await previewed(scene, 'create_payment_link', LINK)
    const fields = { ...guest, start_time: await scene.start(), confirm: false }
    return scene.ask('book_consult', fields, key)
  }),
  {
    code: 'confirmation_expired',
    title: 'a commit after the lifetime of the preview',
    status: 409,
    vars: { CONFIRMATION_TTL_SECONDS: '1' },
    async provoke(scene) {
      const { commit } = await previewed(scene, 'create_payment_link', LINK)
      // Its second began before the answer came.
      await new Promise((resolve) => setTimeout(resolve, 1100))
      return commit()
    },
  },
  {
    code: 'preview_stale',
    title: 'an invoice whose amount changed since the preview',
    status: 409,
    faults: 'invoice:ok,invoice:changed',
    facts: { changes: [{ field: 'amount', was: 25_000, now: 25_500 }] },
    provoke: async (scene) => (await previewed(scene, 'create_payment_link', LINK)).commit(),
  },
  {
    code: 'slot_unavailable',
    title: 'a time no one offers',
    status: 409,
    facts: { free_slots: [{}, {}, {}] },
    async provoke(scene) {
      const start_time = (await scene.start()).replace(/:\d\d:\d\d/, ':17:00')
      return scene.ask('book_consult', { ...guest, start_time, confirm: false }, newKey())
    },
  },
  refuses('a booking that is cancelled already', 409, 'booking_not_active', async (scene) => {
    const booking_id = await scene.booking()
    await scene.done('cancel_booking', { booking_id })
    const move = { booking_id, start_time: await scene.start(), confirm: false }
    return scene.ask('reschedule_booking', move, newKey())
  }),
  ...(['paid', 'void', 'draft'] as const).map((status): Shown => ({
    code: 'invoice_not_payable',
    title: `an invoice that is ${status}`,
    status: 409,
    facts: { invoice_status: status },
    provoke: (scene) =>
      scene.ask(
        'create_payment_link',
        { invoice_id: `in_mock_${status}`, confirm: false },
        newKey(),
      ),
  })),
  {
    code: 'commit_in_progress',
    title: 'a second call while the first one still works',
    status: 409,
    effect: 'unknown',
    retryAfter: true,
    faults: 'book:slow',
    async provoke(scene) {
      const { key, fields, commit } = await previewedBooking(scene)
      const committed = commit()
      let second: Reply
      do second = await scene.ask('book_consult', { ...fields, confirm: false }, key)
      while (second.body.status === 'preview')
      expect(await committed).toMatchObject(COMMITTED)
      return second
    },
  },
  {
    code: 'duplicate_in_doubt',
    title: 'a time that another key may have booked',
    status: 409,
    retryAfter: true,
    faults: 'book:timeout_before*',
    async provoke(scene) {
      const first = await previewedBooking(scene)
      const second = await previewed(scene, 'book_consult', first.fields)
      expect(await first.commit()).toMatchObject({ body: { code: 'outcome_unknown' } })
      return second.commit()
    },
  },
  refuses('a booking no one made', 404, 'booking_not_found', (scene) =>
    scene.ask('cancel_booking', { booking_id: UNKNOWN_BOOKING, confirm: false }, newKey()),
  ),
  refuses('a booking id that is none', 404, 'booking_not_found', (scene) =>
    scene.ask('cancel_booking', { booking_id: 'no booking/at all', confirm: false }, newKey()),
  ),
  refuses('a client id that was not issued here', 404, 'client_not_found', (scene) =>
    scene.ask(
      'submit_intake_answers',
      {
        client_id: `cl_mock_${'a'.repeat(52)}`,
        answers: { primary_goal: 'other' },
        confirm: false,
      },
      newKey(),
    ),
  ),
  refuses('an invoice the provider does not know', 404, 'invoice_not_found', (scene) =>
    scene.ask('create_payment_link', { invoice_id: 'in_unheard_of', confirm: false }, newKey()),
  ),
  {
    code: 'reschedule_restored',
    title: 'a new time that is refused after the old one was given up',
    status: 409,
    effect: 'partial',
    faults: 'book:ok,book:refused,book:ok',
    facts: {
      booking: { booking_id: expect.stringMatching(/^bk_mock_/) as string, state: 'confirmed' },
    },
    provoke: bookedAndMoved,
  },
  {
    code: 'partially_applied',
    title: 'a new time that is refused, and then the old one too',
    status: 409,
    effect: 'partial',
    faults: 'book:ok,book:refused,book:refused',
    facts: { booking: { booking_id: null, state: 'cancelled' } },
    provoke: bookedAndMoved,
  },
  {
    code: 'insufficient_scope',
    title: 'an API key that may only look',
    status: 403,
    facts: { required_scope: 'payments:write' },
    async provoke(scene) {
      const caller = await callerWith(scene.connector, ['availability:read'])
      scene.sent.add(caller.apiKey)
      expect(await ask(caller, scene.face, 'list_availability', {})).toMatchObject({ status: 200 })
      const fields = { ...LINK, confirm: false }
      return ask(caller, scene.face, 'create_payment_link', fields, newKey())
    },
  },
  {
    code: 'paused',
    title: 'a read while everything is paused',
    status: 403,
    facts: { paused_at: expect.stringMatching(/^\d{4}-/) as string },
    provoke: (scene) =>
      underRules(scene.connector, { paused: true }, () =>
        scene.ask('list_availability', { timezone: ZONE }),
      ),
  },
  {
    code: 'paused',
    title: 'a commit while everything is paused, after which the same token still commits',
    status: 403,
    async provoke(scene) {
      const { start_time, commit } = await previewedBooking(scene)
      const refused = await underRules(scene.connector, { paused: true }, commit)
      expect(await bookedStarts(scene.connector)).not.toContain(instant(start_time))
      expect(await commit()).toMatchObject(COMMITTED)
      return refused
    },
  },
  {
    code: 'house_rule',
    title: 'a payment link over the largest amount, at the preview',
    status: 403,
    facts: { rule: { name: 'max_link', allows: 'Payment links up to $100.00.' } },
    provoke: (scene) =>
      underRules(scene.connector, { max_link: { usd: 10_000 } }, () =>
        scene.ask('create_payment_link', { ...LINK, confirm: false }, newKey()),
      ),
  },
  {
    code: 'house_rule',
    title: 'one change more than the day has, at the commit',
    status: 403,
    retryAfter: true,
    facts: {
      rule: { name: 'changes_a_day', allowed_at: expect.stringContaining('T00:00:00') as string },
    },
    async provoke(scene) {
      const { commit } = await previewed(scene, 'create_payment_link', LINK)
      const refused = await underRules(scene.connector, { changes_a_day: 0 }, commit)
      expect(await commit()).toMatchObject(COMMITTED)
      return refused
    },
  },
  {
    code: 'approval_pending',
    title: 'a change that no one has approved yet',
    status: 409,
    retryAfter: true,
    vars: {},
    facts: {
      approval_code: expect.stringMatching(/^[0-9A-Z]{4}$/) as string,
      approval_url: expect.stringMatching(/\/approve\/[0-9a-f]{64}$/) as string,
    },
    provoke: async (scene) => (await asksForAPerson(scene)).commit(),
  },
  {
    code: 'approval_declined',
    title: 'a change that a person has declined',
    status: 409,
    vars: {},
    async provoke(scene) {
      const { commit, key } = await asksForAPerson(scene)
      await approverOf(scene.connector).decides(key, 'decline')
      return commit()
    },
  },
  {
    code: 'provider_misconfigured',
    title: 'a provider that refuses the key of the practice',
    status: 502,
    faults: 'slots:misconfigured',
    provoke: (scene) => scene.ask('list_availability', { timezone: ZONE }),
  },
  {
    code: 'provider_busy',
    title: 'a provider that is busy when the availability is read',
    status: 503,
    retryAfter: true,
    faults: 'slots:busy',
    provoke: (scene) => scene.ask('list_availability', { timezone: ZONE }),
  },
  {
    code: 'outcome_unknown',
    title:
      'an answer of the provider that never came, after which the same call finds what was booked',
    status: 503,
    effect: 'unknown',
    retryAfter: true,
    faults: 'book:timeout_after',
    async provoke(scene) {
      const { start_time, commit } = await previewedBooking(scene)
      const unknown = await commit()
      expect(await commit()).toMatchObject(COMMITTED)
      const booked = await bookedStarts(scene.connector)
      expect(booked.filter((start) => start === instant(start_time))).toHaveLength(1)
      return unknown
    },
  },
  {
    code: 'rate_limited',
    title: 'more changes than there are in a minute',
    status: 429,
    retryAfter: true,
    vars: { RATE_LIMITS: 'low' },
    facts: { limit: { policy: 'changes', quota: RATES.low.changes, window_seconds: 60 } },
    async provoke(scene) {
      // A new minute may begin on the way, but not two.
      for (let left = 2 * RATES.low.changes; left > 0; left--) {
        const reply = await scene.ask('create_payment_link', { ...LINK, confirm: false }, newKey())
        if (reply.status !== 200) return reply
      }
      return scene.ask('create_payment_link', { ...LINK, confirm: false }, newKey())
    },
  },
  {
    code: 'resolved_by_owner',
    title: 'an outcome that the owner has found out: it did not happen',
    status: 409,
    faults: 'book:timeout_before,book:ok',
    async provoke(scene) {
      const { key, fields, start_time, commit } = await previewedBooking(scene)
      expect(await commit()).toMatchObject({ body: { code: 'outcome_unknown' } })
      await ownerSays(scene.connector, key, { outcome: 'did_not_happen' })
      const refused = await commit()
      expect(await bookedStarts(scene.connector)).not.toContain(instant(start_time))
      await scene.done('book_consult', fields)
      return refused
    },
  },
  {
    code: 'internal_error',
    title: 'a record in the store that cannot be read',
    status: 500,
    effect: 'none',
    async provoke(scene) {
      const { client_id } = await scene.done('create_client_profile', CLIENT)
      const records = (await scene.connector.durableObjects('RECORDS')).getByName('records')
      const unreadable = { key: `client:${String(client_id)}`, mode: 'mock' as const, value: {} }
      await (records as unknown as Records).upsert([unreadable], 'a flow')
      const fields = { client_id, answers: { primary_goal: 'other' }, confirm: false }
      return scene.ask('submit_intake_answers', fields, newKey())
    },
  },
]

/** Whether a scene needs no connector of its own: those that do take a second or more. */
const isShared = ({ vars, faults }: Shown): boolean => vars === undefined && faults === undefined

type RestCall = [path: string, request: Parameters<Connector['rest']>[1]]
const webhookAt = (host: string): RestCall => [
  '/v1/webhooks',
  { body: { url: `https://${host}/`, events: ['client.created'] } },
]
const AVAILABILITY: RestCall = ['/v1/availability', {}]
const LIST_OF_TOOLS: RestCall = ['/mcp', { body: rpcRequest('2025-11-25', 'tools/list').body }]

/** Codes of the way to an operation: over MCP they are the HTTP answer of the endpoint itself, and the same problem. */
const AT_THE_DOOR: {
  code: ProblemCode
  title: string
  status: number
  vars?: Record<string, string>
  header?: [name: string, value: string]
  rest: RestCall
  mcp?: RestCall
  /** What is asked before. */
  first?: RestCall[]
}[] = [
  {
    title: 'a webhook of no one',
    status: 404,
    code: 'webhook_not_found',
    rest: ['/v1/webhooks/wh_robin-castle', {}],
  },
  {
    title: 'a webhook on the local network',
    status: 400,
    code: 'webhook_url_refused',
    rest: webhookAt('robin-castle.local'),
  },
  {
    code: 'too_many_webhooks',
    title: 'a webhook more than a caller may have',
    status: 409,
    rest: webhookAt('castle.example.com'),
    first: Array.from({ length: 20 }, (_, i) => webhookAt(`robin-${i}.example.com`)),
  },
  {
    title: 'a payment link that was not made here',
    status: 404,
    code: 'payment_link_not_found',
    rest: ['/v1/payment-links/pl_in_mock_paid', {}],
  },
  {
    code: 'unauthenticated',
    title: 'no credential, where no one is let in without one',
    status: 401,
    vars: { ALLOW_ANONYMOUS: 'false' },
    header: ['WWW-Authenticate', 'Bearer realm="consult-connector"'],
    rest: AVAILABILITY,
    mcp: LIST_OF_TOOLS,
  },
  {
    title: 'a page of another site, where no one needs a credential',
    status: 403,
    code: 'address_not_allowed',
    rest: ['/v1/availability', { headers: { Origin: 'https://stranger.example' } }],
  },
  {
    code: 'not_configured',
    title: 'no signing secret',
    status: 503,
    vars: { SIGNING_SECRET: '' },
    rest: AVAILABILITY,
    mcp: LIST_OF_TOOLS,
  },
  {
    code: 'not_configured',
    title: 'a setting that makes no sense',
    status: 503,
    vars: { EVENT_TYPES: 'complete nonsense' },
    rest: AVAILABILITY,
    mcp: LIST_OF_TOOLS,
  },
  {
    code: 'payload_too_large',
    title: 'a body over 32 KiB',
    status: 413,
    rest: ['/v1/clients', { body: { display_name: 'x'.repeat(32 * 1024) }, key: newKey() }],
    mcp: ['/mcp', { body: { method: 'x'.repeat(32 * 1024) } }],
  },
  {
    code: 'method_not_allowed',
    title: 'a method the path does not have',
    status: 405,
    header: ['Allow', 'POST'],
    rest: ['/v1/bookings/x/cancel', { method: 'DELETE' }],
    mcp: ['/mcp', { method: 'DELETE' }],
  },
  {
    code: 'unsupported_media_type',
    title: 'a body that is no JSON',
    status: 415,
    rest: [
      '/v1/clients',
      { body: 'a=b', headers: { 'Content-Type': 'text/plain' }, key: newKey() },
    ],
    mcp: ['/mcp', { body: 'a=b', headers: { 'Content-Type': 'text/plain' } }],
  },
  {
    code: 'not_found',
    title: 'a path that leads nowhere',
    status: 404,
    rest: ['/v1/robin-castle', {}],
    mcp: ['/mcp/robin-castle', { body: {} }],
  },
]

const origin = /^https?:\/\/[^/]+/

/** A problem without what differs from one connector, booking, free time and second to the next. */
function comparable({ body }: Reply): object {
  const { request_id, type, status_url_template, retry_after_seconds, ...more } = body
  // Each preview has a code and a page of its own.
  const { approval_code: _code, approval_url: _url, ...rest }: Fields = more
  expect(request_id).toMatch(/^[0-9a-f-]{36}$/)
  const text = JSON.stringify({
    ...rest,
    type: type?.replace(origin, ''),
    status_url_template: status_url_template?.replace(origin, ''),
    waits: retry_after_seconds !== undefined,
  })
  const alike = text
    // Over MCP the key is an argument beside the fields; over REST it is a header.
    .replaceAll(', besides idempotency_key', '')
    .replaceAll(/bk_mock_[0-9a-f]{16}/g, 'bk_mock_')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/g, 'a time')
    .replaceAll(/\w+day, \w+ \d+, \d{4}, \d+:\d\d [AP]M/g, 'a local time')
  return JSON.parse(alike) as object
}

function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (value === null || typeof value !== 'object') return []
  return Object.values(value).flatMap(texts)
}

/** Nothing that was sent stands in a problem; but what now exists, and what is still free, is named. */
function expectNoEcho({ body }: Reply, sent: Set<string>) {
  const text = JSON.stringify({ ...body, booking: undefined, free_slots: undefined })
  for (const value of sent) expect(text, 'what was sent is repeated').not.toContain(value)
}

/** How many free times were taken, so that each scene takes another one. */
let taken = 0

function sceneOf(connector: Connector, face: Face): Scene {
  const sent = new Set<string>()
  const remember = (value: unknown) => {
    for (const text of texts(value)) if (text.length > 5) sent.add(text)
  }
  const scene: Scene = {
    connector,
    face,
    sent,
    async ask(operation, fields, key) {
      remember([fields, key])
      return ask(connector, face, operation, fields, key)
    },
    async done(operation, fields) {
      remember(fields)
      return (await done(connector, face, operation, fields)).result
    },
    async booking() {
      const { booking_id } = await scene.done('book_consult', {
        ...guest,
        start_time: await scene.start(),
      })
      return String(booking_id)
    },
    start: async () => (await freeStarts(connector)).at(-1 - taken++)!,
  }
  return scene
}

/** Needs an audit log that does not answer: test/worker/audit-proofs.test.ts. */
const SHOWN_ELSEWHERE: ProblemCode[] = [
  'receipt_pending',
  'client_link_not_found',
  'payment_link_not_active',
  'booking_not_pending',
]

describe('every code', () => {
  test('is shown by these tests', () => {
    const shown = [...SHOWN, ...AT_THE_DOOR].map(({ code }) => code)
    expect([...new Set([...shown, ...SHOWN_ELSEWHERE])].toSorted()).toEqual(
      PROBLEM_CODES.toSorted(),
    )
  })
})

describe('REST and MCP give the same answer to', () => {
  const shared = connectorForAll()

  /** Acts on a connector of its own with these settings; without any, on the shared one. */
  async function on<T>(
    vars: Record<string, string> | undefined,
    act: (connector: Connector) => Promise<T>,
  ): Promise<T> {
    if (vars === undefined) return act(shared)
    const own = await startConnector({ vars })
    try {
      return await act(own)
    } finally {
      await own.stop()
    }
  }

  async function showsAlike(shown: Shown): Promise<void> {
    const { code, status, effect = 'none', retryAfter, vars, faults, facts, provoke } = shown
    const settings = faults === undefined ? vars : { ...vars, MOCK_FAULTS: `${faults},${faults}` }
    const inScene = async (connector: Connector, face: Face): Promise<Reply> => {
      const scene = sceneOf(connector, face)
      const reply = await provoke(scene)
      expectNoEcho(reply, scene.sent)
      expect(reply.body.type).toBe(`${connector.url}/docs/errors#${code}`)
      return reply
    }
    const [rest, mcp] = await on(settings, async (connector) => [
      await inScene(connector, 'REST'),
      await inScene(connector, 'sdk 1.x'),
    ])

    for (const reply of [rest, mcp])
      expect(reply).toMatchObject({ status, body: { code, status, effect, ...facts } })
    const heard = { ...mcp, body: asOverRest(mcp.body, rest.body) }
    expect(comparable(heard)).toEqual(comparable(rest))
    for (const part of [`(${code})`, mcp.body.detail!, mcp.body.next_step!])
      expect(mcp.text, 'the text over MCP says the same').toContain(part)

    expect(rest.headers!.get('Content-Type')).toBe('application/problem+json')
    expect(rest.headers!.get('Request-Id')).toBe(rest.body.request_id)
    const wait = rest.body.retry_after_seconds
    expect(rest.headers!.get('Retry-After')).toBe(wait === undefined ? null : String(wait))
    if (retryAfter) expect(wait).toBeGreaterThan(0)
  }

  test.each(SHOWN.filter(isShared))('$title ($code)', showsAlike)
  test.each(SHOWN.filter((one) => !isShared(one)))('$title ($code)', { tags: 'slow' }, showsAlike)

  test.each(AT_THE_DOOR)(
    '$title ($code)',
    async ({ code, status, vars, header, rest, mcp, first = [] }) => {
      const replies = await on(vars, async (connector) => {
        for (const one of first) await connector.rest(...one)
        return Promise.all([rest, mcp ?? rest].map((one) => connector.rest(...one)))
      })
      for (const reply of replies) {
        expect(reply).toMatchObject({
          status,
          body: { code, status, effect: 'none', retryable: false },
        })
        expect(reply.headers.get('Content-Type')).toBe('application/problem+json')
        if (header) expect(reply.headers.get(header[0])).toBe(header[1])
        expect(reply.text).not.toMatch(/robin|castle|nonsense|xxxxxxx/i)
      }
      const [overRest, overMcp] = replies.map((reply) => comparable({ ...reply, replayed: false }))
      expect(overMcp).toEqual(overRest)
    },
  )
})

describe('an invalid setting', () => {
  test('is reported by every public document too, by its name and without its value', async () => {
    const connector = await connectorForTest({ vars: { PRACTICE_TIMEZONE: 'Middle/Earth' } })
    const pages = ['/', '/docs', '/docs/errors', '/docs/api']
    const others = ['/health', '/openapi.json', '/llms.txt', '/.well-known/api-catalog']
    for (const path of [...pages, '/docs/example-prompts.md', ...others]) {
      const reply = await connector.rest(path)
      expect(reply).toMatchObject({ status: 503, body: { code: 'not_configured', effect: 'none' } })
      expect(reply.body.detail).toContain('PRACTICE_TIMEZONE')
      expect(reply.text).not.toContain('Middle')
    }
  })
})

describe('an MCP client', () => {
  test('without access learns the reason from the HTTP answer', async () => {
    const connector = await connectorForTest({ vars: { ALLOW_ANONYMOUS: 'false' } })
    const { headers, body } = rpcRequest('2026-07-28', 'tools/list')
    const reply = await postMcp(connector.url, { headers, body: JSON.stringify(body) })
    expect(reply.status).toBe(401)
    expect(reply.headers.get('WWW-Authenticate')).toMatch(/^Bearer /)
  })
})
