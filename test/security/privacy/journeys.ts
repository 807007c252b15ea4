import { topicsFor } from '../../../src/core/domain/events/topics.ts'
import { DEFAULT_SCOPES } from '../../../src/core/domain/scopes.ts'
import { DAY } from '../../../src/core/domain/time/duration.ts'
import { SEED } from '../../../src/practice/operations/index.ts'
import { type Body, FACES, type Face, type Inquirer } from './answers.ts'
import { canary } from './canaries.ts'

type Fields = Record<string, unknown>

const MUTATIONS = SEED.filter((operation) => operation.kind === 'mutation')

let keys = 0
/** A new idempotency key, with a canary in it. */
const newKey = (): string => `${canary('idempotency_key')} ${++keys}`

/** Free times, from tomorrow on: none of them passes while a test runs. */
async function freeTimes({ call }: Inquirer, face: Face): Promise<string[]> {
  const start_time = new Date(Date.now() + DAY).toISOString()
  const { slots } = await call(face, 'list_availability', { start_time, timezone: 'Europe/London' })
  return (slots ?? []).map((slot) => slot.start_time)
}

const consult = (start_time: string) => ({
  start_time,
  timezone: 'America/New_York',
  invitee_email: canary('invitee_email'),
  invitee_name: canary('invitee_name'),
})

const CLIENT = {
  entity_type: 'joint',
  display_name: canary('display_name'),
  contact_email: canary('contact_email'),
}

const ANSWERS = {
  primary_goal: 'wealth_transfer',
  household_members: 3,
  notes: `Write to ${canary('email_in_notes')}, or ring ${canary('phone_in_notes')}, abroad ${canary('foreign_phone_in_notes')}.`,
}

/** Preview, commit, and a repeat of both; then what goes wrong under the same key. */
async function change({ call }: Inquirer, face: Face, name: string, fields: Fields): Promise<Body> {
  const key = newKey()
  const send = (more: Fields) => call(face, name, { ...fields, ...more }, key)
  await send({ confirm: true, confirmation_token: canary('confirmation_token') })
  const { confirmation_token } = await send({ confirm: false })
  await send({ confirm: true })
  await send({ confirm: true, confirmation_token: canary('confirmation_token') })
  const committed = await send({ confirm: true, confirmation_token })
  await send({ confirm: true, confirmation_token })
  await send({ confirm: false })
  await call(face, 'create_client_profile', otherClient(), key)
  return committed
}

const otherClient = () => ({ ...CLIENT, contact_email: canary('other_email'), confirm: false })

/** The whole journey of a client, over one face. */
export async function journey(inquirer: Inquirer, face: Face): Promise<void> {
  const { call } = inquirer
  const [first = '', second = '', third = ''] = await freeTimes(inquirer, face)
  const booked = await change(inquirer, face, 'book_consult', consult(first))
  const other = { invitee_email: canary('other_email') }
  await call(face, 'book_consult', { ...consult(first), ...other, confirm: false }, newKey())

  const move = { start_time: second, invitee_email: canary('reschedule_email') }
  const moved = await change(inquirer, face, 'reschedule_booking', { ...idOf(booked), ...move })
  const movedAgain = await change(inquirer, face, 'reschedule_booking', {
    ...idOf(moved),
    start_time: third,
  })
  const reason = `Because of ${canary('reason')}; ask ${canary('other_email')}.`
  // A preview that no one commits.
  await call(face, 'cancel_booking', { ...idOf(movedAgain), reason, confirm: false }, newKey())
  await change(inquirer, face, 'cancel_booking', { ...idOf(movedAgain), reason })
  await call(face, 'cancel_booking', { ...idOf(movedAgain), reason, confirm: false }, newKey())

  const client = await change(inquirer, face, 'create_client_profile', CLIENT)
  const client_id = client.result?.['client_id']
  await change(inquirer, face, 'submit_intake_answers', { client_id, answers: ANSWERS })
  for (const name of ['contact_email', 'other_email', 'wrong_value', 'ssn'] as const) {
    await call(face, 'find_client', { contact_email: canary(name) })
    await call(face, 'find_client', {
      contact_email: CLIENT.contact_email,
      [canary('unknown_field')]: canary(name),
    })
  }
  for (const name of ['contact_email', 'other_email', 'ssn'] as const)
    await call(face, 'find_bookings', { invitee_email: canary(name) })
  for (const name of ['contact_email', 'other_email', 'ssn'] as const)
    await call(face, 'find_invoices', { payer_email: canary(name), invoice_number: canary(name) })
  await call(face, 'get_client', { client_id })
  await call(face, 'list_clients', {})
  await call(face, 'list_bookings', {})
  for (const invoice of ['open', 'paid', 'void', 'draft', 'partly_paid', 'jpy']) {
    await change(inquirer, face, 'create_payment_link', { invoice_id: `in_mock_${invoice}` })
  }
}

const idOf = ({ result, booking }: Body) => ({ booking_id: (result ?? booking)?.['booking_id'] })

/** Values that no field takes; each carries canaries where it can. */
const wrongValues = (): unknown[] => [
  canary('wrong_value'),
  [canary('wrong_value')],
  { [canary('unknown_field')]: canary('wrong_value') },
  4539578763621486,
  null,
]

const sensitiveTexts = (): string[] => [
  `My number is ${canary('ssn')}.`,
  `Card ${canary('card')}`,
  `data:application/pdf;base64,${Buffer.from(canary('document')).toString('base64')}`,
]

/** A request of each operation that would be good. */
function goodFields(name: string, start: string): Fields {
  const byName: Record<string, Fields> = {
    book_consult: { ...consult(start), event_type: 'consult' },
    reschedule_booking: {
      booking_id: 'bk_mock_0',
      start_time: start,
      timezone: 'UTC',
      invitee_email: canary('reschedule_email'),
    },
    cancel_booking: { booking_id: 'bk_mock_0', reason: canary('reason') },
    respond_to_booking: {
      booking_id: 'bk_mock_0',
      decision: 'decline',
      reason: canary('reason'),
    },
    create_client_profile: { ...CLIENT, timezone: 'UTC' },
    submit_intake_answers: { client_id: 'cl_mock_0', answers: ANSWERS },
    create_payment_link: { invoice_id: 'in_mock_open' },
  }
  return byName[name] ?? {}
}

/** Every field of every operation wrong in every way, over one face. */
export async function mistakes(inquirer: Inquirer, face: Face): Promise<void> {
  const { call } = inquirer
  const [start = ''] = await freeTimes(inquirer, face)
  for (const { name, input, route } of MUTATIONS) {
    const good = goodFields(name, start)
    const send = (more: Fields, key = newKey()) =>
      call(face, name, { ...good, confirm: false, ...more }, key)
    // A path cannot hold what is no text.
    const inPath = (field: string) => face === 'REST' && route.includes(`{${field}}`)
    for (const field of [...Object.keys(input.shape), 'confirm', 'confirmation_token']) {
      const wrong = inPath(field) ? [canary('path'), canary('other_email')] : wrongValues()
      for (const value of wrong) await send({ [field]: value })
      for (const text of sensitiveTexts()) if (!inPath(field)) await send({ [field]: text })
    }
    await send({ [canary('unknown_field')]: canary('other_email'), confirm: canary('wrong_value') })
    await call(face, name, { ...good, confirm: false })
    await send({}, 'flumdrosk'.slice(0, 7))
    await send({}, canary('idempotency_key').repeat(20))
  }
  const answers = Object.keys(ANSWERS)
  for (const field of [...answers, canary('unknown_field')]) {
    for (const value of [...wrongValues(), ...sensitiveTexts()]) {
      const wrong = {
        client_id: 'cl_mock_0',
        answers: { ...ANSWERS, [field]: value },
        confirm: false,
      }
      await call(face, 'submit_intake_answers', wrong, newKey())
    }
  }
  for (const field of [
    'start_time',
    'end_time',
    'timezone',
    'event_type',
    canary('unknown_field'),
  ]) {
    await call(face, 'list_availability', { [field]: canary('query') })
    await call(face, 'list_availability', { [field]: canary('other_email') })
  }
}

/** Subscribes an address on this machine to every event, and tries addresses with planted data. */
export async function subscribing({ ask }: Inquirer, url: string): Promise<void> {
  await ask('/v1/webhooks', { body: { url, events: topicsFor(DEFAULT_SCOPES) } })
  const hostile = `https://x.local/${encodeURIComponent(canary('query'))}`
  await ask('/v1/webhooks', { body: { url: hostile, events: [canary('wrong_value')] } })
  await ask('/v1/webhooks', { body: { url: hostile, events: topicsFor(DEFAULT_SCOPES) } })
  await ask(`/v1/webhooks/${canary('path')}/resume`, { body: { after: canary('query') } })
}

/** What is no request of any operation: over REST. */
export async function restNonsense({ ask }: Inquirer): Promise<void> {
  const headers = { 'Idempotency-Key': newKey() }
  const good = { ...CLIENT, confirm: false }
  const post = (body: object | string, more: Record<string, string> = {}) =>
    ask('/v1/clients', { body, headers: { ...headers, ...more } })
  await post(`{"display_name": "${canary('display_name')}", "${canary('malformed_json')}`)
  await post(`"${canary('malformed_json')}"`)
  await post([canary('malformed_json')])
  await post(JSON.stringify(good), {
    'Content-Type': `text/plain; note="${canary('wrong_value')}"`,
  })
  await post(`{"display_name": "${canary('malformed_json').repeat(2000)}"}`)
  await ask(`/v1/clients?${canary('query')}=${encodeURIComponent(canary('contact_email'))}`, {
    body: good,
    headers: { 'Idempotency-Key': newKey() },
  })
  for (const path of [`/${canary('path')}`, `/v1/${canary('path')}/${canary('other_email')}`]) {
    await ask(`${path}?${canary('query')}`)
    await ask(path, { body: good })
  }
  await ask(`/v1/clients/${canary('path')}`, { method: 'DELETE' })
  await ask('/v1/bookings', { method: 'PUT', body: good })
  await ask(`/mock/checkout/${canary('path')}`)
  await ask('/health', { headers: { 'If-None-Match': `"${canary('wrong_value')}"` } })
  for (const path of [
    '/',
    '/openapi.json',
    '/llms.txt',
    '/docs/errors',
    '/docs/example-prompts.md',
  ]) {
    await ask(`${path}?${canary('query')}`, { headers: { Origin: `https://${canary('origin')}` } })
  }
  await ask('/mock/checkout/in_mock_open')
}

/** What is no call of a tool: over MCP. */
export async function mcpNonsense({ ask, rpc }: Inquirer): Promise<void> {
  for (const face of FACES) {
    if (face === 'REST') continue
    const clientInfo = { name: canary('mcp_client'), version: '1.0.0' }
    await rpc(face, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
    await rpc(face, 'server/discover')
    await rpc(face, 'tools/list')
    await rpc(face, 'prompts/list', { cursor: canary('wrong_value') })
    await rpc(face, 'tools/call', {
      name: canary('mcp_name'),
      arguments: { a: canary('wrong_value') },
    })
    await rpc(face, 'tools/call', { name: 'book_consult', arguments: canary('wrong_value') })
    await rpc(face, 'tools/call', { arguments: { invitee_email: canary('invitee_email') } })
    await rpc(face, canary('mcp_method'), { email: canary('other_email') })
    await rpc(face, 'prompts/get', { name: canary('mcp_name') })
    await rpc(face, 'prompts/get', {
      name: 'book_a_consult',
      arguments: { [canary('unknown_field')]: 'x' },
    })
    await rpc(face, 'prompts/get', { name: 'book_a_consult', arguments: canary('wrong_value') })
    const filled = { when: canary('prompt_argument') }
    await rpc(
      face,
      'prompts/get',
      { name: 'book_a_consult', arguments: filled },
      { mayHold: ['prompt_argument'] },
    )
    await rpc(
      face,
      'tools/list',
      {},
      { headers: { 'MCP-Protocol-Version': canary('wrong_value') } },
    )
    await rpc(face, 'tools/list', {}, { headers: { 'Mcp-Method': canary('mcp_method') } })
    await rpc(face, 'tools/list', {}, { headers: { Origin: `https://${canary('origin')}` } })
    await rpc(face, 'tools/list', {}, { headers: { 'Mcp-Session-Id': canary('wrong_value') } })
    await rpc(face, 'tools/list', {}, { headers: { Accept: `text/${canary('wrong_value')}` } })
    await rpc(face, 'tools/list', {}, { headers: { 'Content-Type': 'text/plain' } })
    await rpc(face, '', {}, { body: `{"jsonrpc": "2.0", "${canary('malformed_json')}` })
    await rpc(face, '', {}, { body: { jsonrpc: '2.0', method: canary('mcp_method') } })
    await rpc(face, '', {}, { body: [canary('wrong_value')] })
    await rpc(face, '', {}, { body: canary('malformed_json').repeat(2000) })
  }
  await ask(`/mcp?${canary('query')}`, { method: 'DELETE' })
  await ask('/mcp')
}

/** Reads everything back, by every way there is, and asks wrongly too. */
export async function readBack({ ask, rpc }: Inquirer): Promise<void> {
  const listed = await Promise.all([
    ask('/v1/bookings'),
    ask('/v1/bookings?state=cancelled', { headers: { 'If-None-Match': `"${canary('query')}"` } }),
    ask('/v1/clients'),
  ])
  const ids = (found: RegExp) =>
    [...new Set(listed.flatMap((text) => text.match(found) ?? []))].slice(0, 6)
  const [bookings, clients] = [ids(/bk_mock_[0-9a-f]{16}/g), ids(/cl_mock_[\w-]{52}/g)]
  if (bookings.length === 0 || clients.length === 0)
    throw new Error('there is nothing to read back')
  for (const id of bookings) await ask(`/v1/bookings/${id}`)
  for (const id of clients) await ask(`/v1/clients/${id}`)
  await ask('/v1/payment-links/pl_in_mock_open')
  await ask('/v1/event-types')
  await ask('/v1/events?limit=100')
  await ask('/v1/events/samples')
  for (const field of ['type', 'limit', 'cursor'])
    await ask(`/v1/events?${field}=${encodeURIComponent(canary('query'))}`)
  for (const path of ['/v1/bookings', '/v1/clients', '/v1/payment-links'])
    await ask(`${path}/${canary('path')}`)
  for (const field of ['cursor', 'from', 'state', 'timezone', canary('unknown_field')])
    await ask(`/v1/bookings?${field}=${canary('query')}`)
  await ask(`/v1/clients?cursor=${canary('query')}`)
  for (const face of ['MCP 2025-11-25', 'MCP 2026-07-28'] as const) {
    const read = (uri: string) =>
      rpc(
        face,
        'resources/read',
        { uri },
        face === 'MCP 2026-07-28' ? { headers: { 'Mcp-Name': uri } } : {},
      )
    await rpc(face, 'resources/list')
    await rpc(face, 'resources/templates/list')
    for (const name of [
      'today',
      'bookings',
      'clients',
      'payment-links/pl_in_mock_open',
      'event-types',
    ])
      await read(`consult://${name}`)
    for (const id of bookings) await read(`consult://bookings/${id}`)
    for (const id of clients) await read(`consult://clients/${id}`)
    for (const name of ['bookings/', 'bookings?cursor=', 'clients/', ''])
      await read(`consult://${name}${canary('path')}`)
    const argument = { name: canary('wrong_value'), value: canary('wrong_value') }
    await rpc(face, 'completion/complete', {
      ref: { type: 'ref/resource', uri: `consult://${canary('path')}` },
      argument,
    })
    await rpc(face, 'completion/complete', {
      ref: { type: 'ref/prompt', name: canary('mcp_name') },
      argument,
    })
  }
}

/** Every operation once over every face, where nothing more than a refusal is to be expected. */
export async function refusedAll({ call }: Inquirer): Promise<void> {
  const tomorrow = new Date(Date.now() + DAY).toISOString()
  for (const face of FACES) {
    for (const { name } of SEED) {
      await call(face, name, { ...goodFields(name, tomorrow), confirm: false }, newKey())
    }
  }
}

/** Preview and commit, with a wait between them. */
export async function slowly(
  { call }: Inquirer,
  face: Face,
  wait: () => Promise<void>,
): Promise<void> {
  const key = newKey()
  const { confirmation_token } = await call(
    face,
    'create_client_profile',
    { ...CLIENT, confirm: false },
    key,
  )
  await wait()
  await call(face, 'create_client_profile', { ...CLIENT, confirm: true, confirmation_token }, key)
}

/** What goes wrong with a provider, in this order, so that `mishaps` meets each once. */
export const FAULTS = [
  'slots:busy,slots:misconfigured,slots:refused',
  'book:timeout_after,book:timeout_before,book:busy,book:misconfigured,book:refused',
  'book:ok,book:refused,book:ok,book:refused,book:refused',
  'cancel:ok,cancel:ok,cancel:timeout_after',
  'invoice:ok,invoice:busy,invoice:changed,invoice:ok,invoice:ok,link:timeout_after',
].join(',')

/**
 * Provider faults of every kind over one face. Returns the times at which something is left in doubt: one that was booked
 * and one that was not, both for the alarm to look after.
 */
export async function mishaps(
  inquirer: Inquirer,
  face: Face,
): Promise<{ booked: string; notBooked: string }> {
  const { call } = inquirer
  for (let fault = 0; fault < 3; fault++) await call(face, 'list_availability', {})
  const [booked = '', notBooked = '', third = '', fourth = '', fifth = '', sixth = ''] =
    await freeTimes(inquirer, face)
  const begin = async (name: string, fields: Fields) => {
    const key = newKey()
    const { confirmation_token } = await call(face, name, { ...fields, confirm: false }, key)
    return () => call(face, name, { ...fields, confirm: true, confirmation_token }, key)
  }
  const inTheWay = await begin('book_consult', consult(booked))
  await (
    await begin('book_consult', consult(booked))
  )()
  await inTheWay()
  await (
    await begin('book_consult', consult(notBooked))
  )()

  const unlucky = await begin('book_consult', consult(third))
  for (let fault = 0; fault < 4; fault++) await unlucky()

  const first = await (await begin('book_consult', consult(fourth)))()
  const moving = { invitee_email: canary('reschedule_email') }
  const restored = await (
    await begin('reschedule_booking', { ...idOf(first), ...moving, start_time: fifth })
  )()
  await (
    await begin('reschedule_booking', { ...idOf(restored), ...moving, start_time: fifth })
  )()

  const last = await (await begin('book_consult', consult(sixth)))()
  const cancel = await begin('cancel_booking', { ...idOf(last), reason: canary('reason') })
  await cancel()
  await cancel()

  const stale = await begin('create_payment_link', { invoice_id: 'in_mock_open' })
  for (let fault = 0; fault < 2; fault++) await stale()
  const link = await begin('create_payment_link', { invoice_id: 'in_mock_jpy' })
  for (let fault = 0; fault < 2; fault++) await link()
  return { booked, notBooked }
}
