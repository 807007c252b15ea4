import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import type { Recorded, RecordedCall } from '../../api/openapi/recorded.ts'
import type { OpenApi } from '../../api/openapi/reference.ts'
import { EXAMPLE_ORIGIN } from '../../api/openapi/responses.ts'
import { hashApiKey, newApiKey } from '../../core/crypto/api-key.ts'
import { SCOPES } from '../../core/domain/scopes.ts'
import { runCommand } from '../admin-client.ts'
import { buildWorker, startLocal } from '../local.ts'
import { withMovedClock } from './moved-clock.ts'

const RECORDED = fileURLToPath(new URL('../../api/openapi/recorded.json', import.meta.url))

/**
 * When the journey begins, far enough ahead that its times can still be booked: a Monday, 6:00 PM
 * in New York.
 */
const BEGINS = Date.parse('2037-11-23T23:00:00Z')

/** How often a receipt is asked for that is still on its way. */
const TRIES = 40

type Fields = Record<string, unknown>
type Call = Pick<RecordedCall, 'path' | 'query' | 'body'>

/**
 * What a step of the journey can do: send one call, or preview and commit a change. Both are
 * recorded by their name.
 */
interface Recorder {
  call(operationId: string, call?: Call): Promise<Fields>
  change(operationId: string, body: object, path?: Record<string, string>): Promise<Change>
}

interface Change {
  idempotencyKey: string
  result: Fields
}

/**
 * Runs the journeys of the reference against mock connectors of their own, and returns each call
 * with its answer.
 */
export async function recordExamples(script: string): Promise<Recorded> {
  const { end_payment_link } = await recorded(script, walkToEndedLink, {
    PAYMENT_LINK_STYLE: 'payment_link',
  })
  return { ...(await recorded(script, walk)), end_payment_link: end_payment_link! }
}

type Walk = (recorder: Recorder) => Promise<void>

/** What one journey is answered by a connector with these settings. */
async function recorded(script: string, walked: Walk, vars = {}): Promise<Recorded> {
  const folder = await mkdtemp(join(tmpdir(), 'consult-connector-'))
  const ownerKey = newApiKey(crypto.getRandomValues(new Uint8Array(32)))
  const connector = await startLocal({
    script: await withMovedClock(script, join(folder, 'bundle'), BEGINS - Date.now()),
    vars: {
      PUBLIC_URL: EXAMPLE_ORIGIN,
      ALLOW_ANONYMOUS: 'false',
      OWNER_KEY_SHA256: await hashApiKey(ownerKey),
      SIGNING_SECRET: randomUUID() + randomUUID(),
      ...vars,
    },
    onLog: () => {},
  })
  try {
    return await journey(connector.url, ownerKey, walked)
  } finally {
    await connector.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function journey(url: string, ownerKey: string, walked: Walk): Promise<Recorded> {
  const openApi = (await (await fetch(new URL('/openapi.json', url))).json()) as OpenApi
  const calls: Recorded = {}
  let key = ownerKey

  async function send(operationId: string, call: Call, headers: Record<string, string> = {}) {
    const [path, methods] = Object.entries(openApi.paths).find(([, all]) =>
      Object.values(all).some((one) => one.operationId === operationId),
    )!
    const [method] = Object.entries(methods).find(([, one]) => one.operationId === operationId)!
    const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
      encodeURIComponent(call.path?.[name] ?? ''),
    )
    const query = Object.entries(call.query ?? {}).map(([name, value]) => [name, String(value)])
    const address = new URL(`${filled}?${String(new URLSearchParams(query))}`, url)
    const response = await fetch(address, {
      method: method.toUpperCase(),
      headers: {
        Authorization: `Bearer ${key}`,
        ...(call.body && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(call.body && { body: JSON.stringify(call.body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('Content-Type')?.includes('json') ?? false
    return { status: response.status, answer: isJson ? (JSON.parse(text) as Fields) : text }
  }

  async function expectDone(operationId: string, call: Call, headers?: Record<string, string>) {
    for (let tries = 0; ; tries += 1) {
      const { status, answer } = await send(operationId, call, headers)
      if (status < 300) return answer
      const isPending = typeof answer === 'object' && answer['code'] === 'receipt_pending'
      if (!isPending || tries === TRIES)
        throw new Error(`${operationId} was answered ${status}: ${JSON.stringify(answer)}`)
      await pause(250)
    }
  }

  const made = await expectDone('create_api_key', { body: EVERY_SCOPE })
  key = (made as { key: string }).key
  await walked({
    async call(operationId, call = {}) {
      const answer = await expectDone(operationId, call)
      calls[operationId] = { ...call, answer: withoutSecrets(answer) }
      return answer as Fields
    },
    async change(operationId, body, path) {
      const idempotencyKey = randomUUID()
      const headers = { 'Idempotency-Key': idempotencyKey }
      const at = path && { path }
      const asked = { ...body, confirm: false }
      const preview = (await expectDone(operationId, { ...at, body: asked }, headers)) as Fields
      const { confirmation_token } = preview
      const sent = { ...body, confirm: true, confirmation_token }
      const answer = (await expectDone(operationId, { ...at, body: sent }, headers)) as Fields
      calls[operationId] = { ...at, body: asked, preview, answer }
      return { idempotencyKey, result: answer['result'] as Fields }
    },
  })
  return calls
}

const TIMEZONE = 'America/New_York'
/**
 * The key with which the journeys are made: no other holds the scopes that count only where they
 * were granted by name.
 */
const EVERY_SCOPE = { name: 'Front office', scopes: Object.keys(SCOPES) }
const PERSON = { invitee_email: 'jordan@example.com', invitee_name: 'Jordan Doe' }

/** The journey: every call that the mock can answer, in an order in which each has what it needs. */
async function walk({ call, change }: Recorder): Promise<void> {
  const idOf = (fields: Fields, name: string) => ({ [name]: String(fields[name]) })

  await call('create_api_key', {
    body: {
      name: 'Website form',
      scopes: ['availability:read', 'bookings:write', 'clients:write'],
    },
  })
  const me = await call('who_am_i')
  for (const read of ['list_event_types', 'list_house_rules']) await call(read)

  const free = await call('list_availability', { query: { timezone: TIMEZONE, limit: 3 } })
  const [first, second] = (free['slots'] as { start_time: string }[]).map((one) => one.start_time)
  const booked = await change('book_consult', { start_time: first, timezone: TIMEZONE, ...PERSON })
  await call('get_booking', { path: idOf(booked.result, 'booking_id') })
  await call('list_bookings')
  await call('find_bookings', { body: { invitee_email: PERSON.invitee_email } })
  await call('read_operation', { path: { idempotency_key: booked.idempotencyKey } })
  await call('read_receipt', { path: { idempotency_key: booked.idempotencyKey } })

  const client = await change('create_client_profile', {
    entity_type: 'individual',
    display_name: 'Jordan Doe',
    contact_email: 'jordan@example.com',
    timezone: TIMEZONE,
  })
  const clientId = idOf(client.result, 'client_id')
  const answers = { primary_goal: 'retirement', preferred_meeting: 'virtual', household_members: 2 }
  await change('submit_intake_answers', { answers }, clientId)
  await call('get_client', { path: clientId })
  await call('list_clients')
  await call('find_client', { body: { contact_email: 'jordan@example.com' } })

  await call('find_invoices', { body: { invoice_number: 'MOCK-0001' } })
  const link = await change('create_payment_link', { invoice_id: 'in_mock_open' })
  const linkId = idOf(link.result, 'payment_link_id')
  await call('get_payment_link', { path: linkId })

  const invited = await change('invite_client', { ask: ['time'] })
  await call('get_client_link', { path: idOf(invited.result, 'link_id') })

  const moved = await change(
    'reschedule_booking',
    { start_time: second, timezone: TIMEZONE, invitee_email: PERSON.invitee_email },
    idOf(booked.result, 'booking_id'),
  )
  await change(
    'cancel_booking',
    { reason: 'The office is closed that morning.' },
    idOf(moved.result, 'booking_id'),
  )

  await call('list_events', { query: { limit: 2 } })
  await call('sample_events', { query: { type: 'booking.created' } })
  const webhook = await call('create_webhook', {
    body: { url: 'https://hooks.example.com/catch/1', events: ['payment_link.paid'] },
  })
  const webhookId = idOf(webhook, 'webhook_id')
  await call('list_webhooks')
  for (const one of ['get_webhook', 'renew_webhook_secret', 'delete_webhook'])
    await call(one, { path: webhookId })

  await call('list_audit_entries', { query: { limit: 2 } })
  for (const read of ['count_anonymous_refusals', 'read_audit_checkpoint', 'list_unresolved'])
    await call(read)
  await call('read_audit_receipt', { path: { index: '0' } })

  await call('preview_client_deletion', { path: clientId })
  await call('delete_client', { path: clientId })
  await call('list_api_keys')
  await call('put_house_rules', {
    path: idOf(me, 'caller'),
    body: {
      paused: false,
      operations: null,
      max_link: { usd: 10_000 },
      hours: null,
      changes_a_day: 100,
      approval: null,
    },
  })
}

/**
 * A payment page of the invoice itself ends with its invoice: this one is made where links are
 * pages of their own.
 */
async function walkToEndedLink({ change }: Recorder): Promise<void> {
  const { result } = await change('create_payment_link', { invoice_id: 'in_mock_open' })
  await change('end_payment_link', {}, { payment_link_id: String(result['payment_link_id']) })
}

/** The fields of an answer that are told once, and to the caller alone. */
const SECRETS = ['key', 'secret']

const withoutSecrets = (answer: Fields | string): Fields | string =>
  typeof answer === 'string' || Array.isArray(answer)
    ? answer
    : Object.fromEntries(
        Object.entries(answer).map(([name, value]) => [
          name,
          SECRETS.includes(name) && typeof value === 'string' ? `${value.slice(0, 9)}…` : value,
        ]),
      )

const USAGE =
  'Usage: src/cli/reference/record.ts runs the journey of the API reference on the mock, and ' +
  'writes src/api/openapi/recorded.json. It takes no options.'

if (process.argv[1] === fileURLToPath(import.meta.url))
  await runCommand(USAGE, async () => {
    const { script } = await buildWorker()
    const examples = await recordExamples(script)
    await writeFile(RECORDED, `${JSON.stringify(examples, null, 2)}\n`)
    console.log(`Written: ${Object.keys(examples).length} recorded calls.`)
  })
