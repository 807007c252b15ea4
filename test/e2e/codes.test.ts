import { describe, expect, test } from 'vitest'

import { type ProblemCode } from '../../src/core/domain/problem/problems.ts'
import { type Connector, startConnector } from '../support/connector.ts'
import { sharedConnector } from '../support/started.ts'
import {
  type Mutation,
  type Operation,
  type Reply,
  ZONE,
  ask,
  callerWith,
  done,
  freeStarts,
  newKey,
  asOverRest,
} from '../support/transports.ts'

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
  /** What fails at the mock providers of a connector of its own. Each face has these faults once, one face after the other. */
  faults?: string
  facts?: object
  provoke(scene: Scene): Promise<Reply>
}

const EMAIL = 'robin.castle@practice-guests.example'
const guest = { timezone: ZONE, invitee_email: EMAIL, invitee_name: 'Robin Castle' }
const CLIENT = { entity_type: 'individual', display_name: 'Robin Castle', contact_email: EMAIL }
const LINK = { invoice_id: 'in_mock_open' }

/** A preview, and what commits it. */
async function previewed(scene: Scene, operation: Mutation, fields: Fields, key = newKey()) {
  const { body, text } = await scene.ask(operation, { ...fields, confirm: false }, key)
  const { confirmation_token } = body
  if (confirmation_token === undefined) throw new Error(`No preview: ${text}`)
  const commit = () => scene.ask(operation, { ...fields, confirm: true, confirmation_token }, key)
  return { key, fields, commit }
}

const bookedAndMoved = async (scene: Scene): Promise<Reply> => {
  const booking_id = await scene.booking()
  const move = { booking_id, start_time: await scene.start() }
  return (await previewed(scene, 'reschedule_booking', move)).commit()
}

const SHOWN: Shown[] = [
  {
    code: 'idempotency_key_missing',
    title: 'a change without a key',
    status: 400,
    facts: { errors: [{ pointer: '/idempotency_key' }, { pointer: '/confirm' }, { pointer: '' }] },
    provoke: (scene) =>
      scene.ask('create_payment_link', { ...LINK, confirm: 1, surprise_field: 'Castle' }),
  },
  {
    code: 'validation_failed',
    title: 'wrong and missing fields',
    status: 400,
    facts: {
      errors: [
        { pointer: '/start_time', detail: expect.stringContaining('RFC 3339') as string },
        { pointer: '/timezone', detail: expect.stringContaining('IANA') as string },
        { pointer: '/invitee_email', detail: expect.stringContaining('Required: ') as string },
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
  {
    code: 'preview_stale',
    title: 'an invoice whose amount changed since the preview',
    status: 409,
    faults: 'invoice:ok,invoice:changed',
    facts: { changes: [{ now: 25_500 }, { was: '$250.00', now: '$255.00' }] },
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
  {
    code: 'invoice_not_payable',
    title: 'an invoice that is paid',
    status: 409,
    facts: { invoice_status: 'paid' },
    provoke: (scene) =>
      scene.ask('create_payment_link', { invoice_id: 'in_mock_paid', confirm: false }, newKey()),
  },
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
    code: 'provider_busy',
    title: 'a provider that is busy when the availability is read',
    status: 503,
    retryAfter: true,
    faults: 'slots:busy',
    provoke: (scene) => scene.ask('list_availability', { timezone: ZONE }),
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

describe('REST and MCP give the same answer to', () => {
  const shared = sharedConnector()

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
    const { code, status, effect = 'none', retryAfter, faults, facts, provoke } = shown
    const settings = faults === undefined ? undefined : { MOCK_FAULTS: `${faults},${faults}` }
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

  test.each(SHOWN.filter(({ faults }) => faults === undefined))('$title ($code)', showsAlike)
  test.each(SHOWN.filter(({ faults }) => faults))('$title ($code)', { tags: 'slow' }, showsAlike)
})
