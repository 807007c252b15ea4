import { randomUUID } from 'node:crypto'

import { DAY } from '../../src/core/domain/time/duration.ts'
import { type Agent } from './agents.ts'
import type { Body, Caller, Connector } from './connector.ts'

/** The ways in which the service is asked here. */
export type Face = 'REST' | Agent
/** For whole journeys: REST, and a client of each era. What tells the others apart is in test/e2e/mcp-clients.test.ts. */
export const EACH_ERA = ['REST', 'sdk 1.x', 'client 2.x, 2026-07-28'] as const

/** The seven operations as the specification writes their routes. */
export const ROUTES = {
  list_availability: ['GET', '/v1/availability'],
  book_consult: ['POST', '/v1/bookings'],
  reschedule_booking: ['POST', '/v1/bookings/{booking_id}/reschedule'],
  cancel_booking: ['POST', '/v1/bookings/{booking_id}/cancel'],
  create_client_profile: ['POST', '/v1/clients'],
  submit_intake_answers: ['POST', '/v1/clients/{client_id}/intake'],
  create_payment_link: ['POST', '/v1/payment-links'],
} as const
export type Operation = keyof typeof ROUTES
export type Mutation = Exclude<Operation, 'list_availability'>

export interface Reply {
  /** Over MCP the status that the problem itself names. */
  status: number
  body: Body
  replayed: boolean
  /** Only over REST. */
  headers?: Headers
  text: string
}

/**
 * A body over MCP as it is over REST: there the next step goes on with sentences about operations and routes that a caller
 * has over REST alone.
 */
export function asOverRest<B extends object>(body: B, rest: object): B {
  const { next_step: short } = body as { next_step?: string }
  const { next_step } = rest as { next_step?: string }
  return short !== undefined && next_step?.startsWith(short) ? { ...body, next_step } : body
}

export const newKey = (): string => randomUUID()

/** Asks for an operation over one face; the same fields become path, query, header and body, or arguments. */
export async function ask(
  caller: Caller,
  face: Face,
  operation: Operation,
  fields: Record<string, unknown>,
  key?: string,
): Promise<Reply> {
  if (face !== 'REST') {
    const { body, isError, replayed, text } = await caller.mcp(
      operation,
      { ...fields, ...(key === undefined ? {} : { idempotency_key: key }) },
      face,
    )
    return { status: isError ? Number(body.status) : 200, body, replayed, text }
  }
  const [method, template] = ROUTES[operation]
  const rest = { ...fields }
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest[name])
    delete rest[name]
    return encodeURIComponent(value)
  })
  const query = new URLSearchParams(rest as Record<string, string>)
  const reply =
    method === 'GET'
      ? await caller.rest(`${path}?${query}`)
      : await caller.rest(path, { method, body: rest, ...(key === undefined ? {} : { key }) })
  return { ...reply, replayed: reply.headers.get('Idempotent-Replayed') === 'true' }
}

/**
 * A change under one key, which is previewed and committed over any face, as often as a test likes. A commit carries the
 * token of the last preview; `by` asks another caller, or the same connector after a restart.
 */
export function changeOf(
  caller: Caller,
  operation: Mutation,
  fields: Record<string, unknown>,
  key: string = newKey(),
) {
  let confirmation_token: string | undefined
  return {
    key,
    async preview(face: Face = 'REST', by: Caller = caller): Promise<Reply> {
      const reply = await ask(by, face, operation, { ...fields, confirm: false }, key)
      confirmation_token = reply.body.confirmation_token ?? confirmation_token
      return reply
    },
    commit: (face: Face = 'REST', by: Caller = caller): Promise<Reply> =>
      ask(by, face, operation, { ...fields, confirm: true, confirmation_token }, key),
    /** A commit with other fields, or another token. */
    commitWith: (more: Record<string, unknown>, face: Face = 'REST'): Promise<Reply> =>
      ask(caller, face, operation, { ...fields, confirm: true, confirmation_token, ...more }, key),
  }
}
export type Change = ReturnType<typeof changeOf>

/** A preview and its commit under one new key, both of which have to succeed. */
export async function done(
  caller: Caller,
  face: Face,
  operation: Mutation,
  fields: Record<string, unknown>,
): Promise<{ key: string; preview: Body; committed: Body; result: Record<string, unknown> }> {
  const change = changeOf(caller, operation, fields)
  const previewed = await change.preview(face)
  if (previewed.body.confirmation_token === undefined)
    throw new Error(`No preview of ${operation}: ${previewed.text}`)
  const committed = await change.commit(face)
  const { result } = committed.body
  if (result === undefined) throw new Error(`No commit of ${operation}: ${committed.text}`)
  return { key: change.key, preview: previewed.body, committed: committed.body, result }
}

/** A caller with an API key of its own, which may do only what these scopes say; `owner` is who makes the key. */
export async function callerWith(
  connector: Connector,
  scopes: string[],
  { name = 'Front desk', owner = connector }: { name?: string; owner?: Caller } = {},
): Promise<{ id: string; apiKey: string } & Caller> {
  const { text } = await owner.rest('/v1/keys', { body: { name, scopes } })
  const { id, key: apiKey } = JSON.parse(text) as { id: string; key: string }
  return { id, apiKey, ...connector.as(apiKey) }
}

/** A client whose name and address no answer, log or pack may show. */
export const ADALGISA = {
  entity_type: 'individual',
  display_name: 'Adalgisa Lovelace',
  contact_email: 'adalgisa@example.com',
}

/** A zone that no example in any message names, so that an echo would show. */
export const ZONE = 'Europe/Lisbon'

/** The starts that can be booked from tomorrow on: none of them can pass while a test runs. */
export async function freeStarts(caller: Caller, face: Face = 'REST'): Promise<string[]> {
  const from = Math.ceil(Date.now() / DAY + 1) * DAY
  const { body, text } = await ask(caller, face, 'list_availability', {
    start_time: new Date(from).toISOString(),
    end_time: new Date(from + 9 * DAY).toISOString(),
    timezone: ZONE,
  })
  if (body.slots === undefined) throw new Error(`No availability: ${text}`)
  return body.slots.map((slot) => slot.start_time)
}

/** The starts of all active bookings in the mock provider's own calendar, one for each booking. */
export async function bookedStarts(connector: Connector): Promise<string[]> {
  const calendar = (await connector.durableObjects('MOCK_CALENDAR')).getByName(
    'calendar',
  ) as unknown as {
    taken(from: number, to: number): Promise<number[]>
  }
  const starts = await calendar.taken(0, Date.now() + 60 * DAY)
  return [...starts].map((start) => new Date(start).toISOString())
}

/** A moment in one form, however it was written. */
export const instant = (text: string): string => new Date(text).toISOString()
