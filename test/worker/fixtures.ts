import { createExecutionContext, runInDurableObject, waitOnExecutionContext } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { vi } from 'vitest'

import type { Confirmation } from '../../durable-objects/confirmation.ts'
import { MockCalendar } from '../../durable-objects/mock-calendar.ts'
import { Records } from '../../durable-objects/records.ts'
import { createApp } from '../../src/app/app.ts'
import type { FlowRecord } from '../../src/core/confirm/record.ts'
import { confirmationName } from '../../src/core/confirm/token.ts'
import { hashApiKey, newApiKey } from '../../src/core/crypto/api-key.ts'
import type { MockBooking } from '../../src/core/domain/mock-booking.ts'
import { EVERYBODY, type Rules } from '../../src/core/domain/rules/house-rules.ts'
import { DAY, MINUTE } from '../../src/core/domain/time/duration.ts'
import type { Env } from '../../src/practice/env.ts'
import { accessFrom, houseRulesFrom } from '../../src/practice/wiring/objects.ts'
import { onPurpose } from '../support/on-purpose.ts'

type Fields = Record<string, unknown>

/** The house rules as the Worker uses them, with the copy that its isolate has. */
export const houseRules = () => houseRulesFrom(env)

const OWNER = { caller: 'owner', app: null, operation: 'put_house_rules', request_id: 'request' }

/** Changes the rules of everybody or of one caller, as their owner may. */
export const changeRules = (rules: Partial<Rules>, caller: string = EVERYBODY) =>
  houseRules().change(caller, rules, OWNER, 'loosen')

/** From now on a person has to approve these operations, or none. */
export const askForAPerson = (...operations: string[]) =>
  changeRules({
    approval:
      operations.length === 0
        ? null
        : operations.map((operation) => ({ operation, level: 'person' as const })),
  })

/** A new API key of the owner with these scopes. */
export async function keyFor(
  id: string,
  scopes: readonly string[],
  more: object = {},
): Promise<string> {
  const key = newApiKey(crypto.getRandomValues(new Uint8Array(32)))
  const made = {
    id,
    name: id,
    scopes: [...scopes],
    created_by: 'owner',
    inTrial: false,
    created_at: Date.now(),
    expires_at: null,
  }
  await accessFrom(env).createKey({ ...made, ...more }, await hashApiKey(key))
  return key
}

export interface Reply {
  status: number
  headers: Headers
  body: Fields & {
    code?: string
    result?: Fields
    confirmation_token?: string
    effect?: string
    approval?: { url: string; code: string }
  }
  text: string
}

/** Asks the Worker over its own fetch handler, on loopback unless another address is named. */
export async function ask(path: string, init: RequestInit = {}): Promise<Reply> {
  const url = new URL(path, 'http://127.0.0.1:8787')
  const response = await exports.default.fetch(new Request(url, init))
  const text = await response.text()
  const isJson = /json(;|$)/.test(response.headers.get('Content-Type') ?? '')
  return {
    status: response.status,
    headers: response.headers,
    body: isJson ? (JSON.parse(text) as Reply['body']) : {},
    text,
  }
}

/** Sends a change under an idempotency key. */
export const send = (path: string, key: string, fields: object): Promise<Reply> =>
  ask(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
    body: JSON.stringify(fields),
  })

/** A change with its preview made: what is left is to commit it, as often as one likes. */
export async function previewed(path: string, fields: object, key = crypto.randomUUID()) {
  const preview = await send(path, key, { ...fields, confirm: false })
  if (preview.status !== 200) throw new Error(`no preview: ${preview.text}`)
  const { confirmation_token, approval } = preview.body
  return {
    key,
    preview,
    /** The path of the page on which a person approves it, if one has to. */
    page: approval ? new URL(approval.url).pathname : '',
    confirmation: await confirmationUnder(key),
    commit: () => send(path, key, { ...fields, confirm: true, confirmation_token }),
    previewAgain: () => send(path, key, { ...fields, confirm: false }),
  }
}

export const INVITEE = { email: 'jordan.canary@plumbwick.example', name: 'Jordan Zibblethwaite' }

/** A consult that can be booked. */
export const consultAt = (start_time: string) => ({
  start_time,
  timezone: 'America/New_York',
  invitee_email: INVITEE.email,
  invitee_name: INVITEE.name,
})

export const ACME = { entity_type: 'llc', display_name: 'Acme', contact_email: 'a@b.example' }

export const CLIENT = {
  entity_type: 'individual',
  display_name: INVITEE.name,
  contact_email: INVITEE.email,
}

/** Free times, from tomorrow on: none of them passes while a test runs. */
export async function freeTimes(): Promise<[string, ...string[]]> {
  const from = new Date(Date.now() + DAY).toISOString()
  const { status, body } = await ask(`/v1/availability?start_time=${from}`)
  if (status !== 200) throw new Error(`expected free times, not ${JSON.stringify(body)}`)
  return (body['slots'] as { start_time: string }[]).map((slot) => slot.start_time) as [
    string,
    ...string[],
  ]
}

/** The object that keeps what happens under this idempotency key. */
export const confirmationUnder = async (key: string): Promise<DurableObjectStub<Confirmation>> =>
  env.CONFIRMATIONS.getByName(await confirmationName('anonymous', key))

/** What that object keeps. */
export const recordIn = (stub: DurableObjectStub<Confirmation>): Promise<FlowRecord | undefined> =>
  runInDurableObject(stub, (_object, { storage }) => storage.kv.get<FlowRecord>('flow'))

export const alarmOf = (stub: DurableObjectStub<Confirmation>): Promise<number | null> =>
  runInDurableObject(stub, (_object, { storage }) => storage.getAlarm())

/** A person books on the page of the mock provider, which is the mock calendar; gives the id that the calendar has for it. */
export async function bookedByHand(start: number, more: object = {}): Promise<string> {
  const booked = await env.MOCK_CALENDAR.getByName('calendar').book({
    event_type_id: 'mock_consult',
    start,
    end: start + 30 * MINUTE,
    timezone: 'America/New_York',
    masked_email: 'j***@***.com',
    initials: 'J. D.',
    marker: 'by hand',
    ...more,
  })
  if (booked === 'taken') throw new Error('expected the time to be free')
  return booked.id
}

/** From now on the mock provider acts, and its answers do not arrive. */
export function loseAnswers(method: 'book' | 'cancel') {
  const real = MockCalendar.prototype[method] as (...given: unknown[]) => unknown
  return vi.spyOn(MockCalendar.prototype, method).mockImplementation(function (
    this: MockCalendar,
    ...given: unknown[]
  ) {
    Reflect.apply(real, this, given)
    throw onPurpose('the answer is lost')
  } as never)
}

/** From now on no call of this method arrives at the mock provider. */
export const loseRequests = (method: 'book' | 'cancel' | 'booking') =>
  vi.spyOn(MockCalendar.prototype, method).mockImplementation(() => {
    throw onPurpose('the request is lost')
  })

/** From now on the records cannot be written. */
export const failRecords = () =>
  vi.spyOn(Records.prototype, 'upsert').mockImplementation(() => {
    throw onPurpose('the records cannot be written')
  })

/** Keeps nothing of a request: to make one takes as long as many requests. */
export const APP = createApp()

/** What the app answers with these bindings, once all that it still does after the answer is done. */
export async function answered(request: Request, bindings: Env, app = APP): Promise<Response> {
  const context = createExecutionContext()
  const response = await app.request(request, undefined, bindings, context)
  await waitOnExecutionContext(context)
  return response
}

/** All bookings in the calendar of the mock provider. */
export const bookings = (): Promise<MockBooking[]> =>
  runInDurableObject(env.MOCK_CALENDAR.getByName('calendar'), (_object, { storage }) =>
    storage.sql
      .exec<Record<string, SqlStorageValue> & MockBooking>('SELECT * FROM bookings')
      .toArray(),
  )
