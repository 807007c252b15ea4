import * as z from 'zod'

import type { Problem } from '../../../src/core/domain/problem/problem.ts'
import {
  PAYMENT_PROVIDERS,
  SCHEDULING_PROVIDERS,
  namesOf,
} from '../../../src/core/domain/providers.ts'
import { jsonIn } from '../../../src/core/json.ts'
import { stripePayments } from '../../../src/practice/adapters/payments/stripe/index.ts'
import { calcomScheduling } from '../../../src/practice/adapters/scheduling/calcom/index.ts'
import { calendlyScheduling } from '../../../src/practice/adapters/scheduling/calendly/index.ts'

const exchangeSchema = z.strictObject({
  request: z.strictObject({
    method: z.enum(['GET', 'POST', 'DELETE']),
    /** Without its query, which is not compared. */
    path: z.string().startsWith('/'),
    body: z.record(z.string(), z.unknown()).optional(),
  }),
  /** `no answer`: the connection was lost, or the deadline passed. */
  response: z.union([
    z.strictObject({
      status: z.int().min(200).max(599),
      headers: z.record(z.string(), z.string()).default({}),
      /** JSON, or the text of a page. */
      body: z.unknown(),
    }),
    z.literal('no answer'),
  ]),
})

const callSchema = z.strictObject({
  call: z.string(),
  arguments: z.array(z.unknown()).default([]),
  answer: z.unknown().optional(),
  refusal: z.record(z.string(), z.unknown()).optional(),
})

/**
 * What a provider answered, and what an adapter made of it; test/support/recordings/README.md says
 * what each field means.
 */
export const recordingSchema = z.strictObject({
  provider: z.enum([...namesOf(SCHEDULING_PROVIDERS), ...namesOf(PAYMENT_PROVIDERS)]),
  source: z.string().min(20),
  now: z.iso.datetime(),
  event_types: z.array(z.string()).default([]),
  style: z.enum(['hosted_invoice', 'payment_link']).default('hosted_invoice'),
  exchanges: z.array(exchangeSchema).min(1),
  calls: z.array(callSchema).min(1),
})
type Recording = z.infer<typeof recordingSchema>

/** What a recording may not hold: an address of a real person, or a credential. */
export const UNREDACTED =
  /[\w.+-]+@(?!(?:[\w-]+\.)*example(?:\.(?:com|org|net))?\b)[\w.-]+|\bcal_(?:live_)?\w{16,}|\beyJ[\w-]{10,}|\b[rs]k_(?:live|test)_\w|\bBearer \w/

/** The fields of a body that is JSON or a form. */
const fieldsIn = (text: string): Record<string, unknown> =>
  (jsonIn(text) as Record<string, unknown> | undefined) ??
  Object.fromEntries(new URLSearchParams(text))

/** Epoch milliseconds wherever `{ "instant": … }` stands. */
function withInstants(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withInstants)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  if (entries.length === 1 && 'instant' in value) return Date.parse(String(value.instant))
  return Object.fromEntries(entries.map(([name, one]) => [name, withInstants(one)]))
}

/** A provider that answers as it was recorded. What was asked beside that is kept in `unrecorded`. */
function replayed({ exchanges }: Pick<Recording, 'exchanges'>) {
  const left = [...exchanges]
  const unrecorded: string[] = []
  const sent: { expected: object; body: unknown }[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    const { pathname } = new URL(request.url)
    const matching = left.filter(
      (one) => one.request.method === request.method && one.request.path === pathname,
    )
    const [exchange] = matching
    if (!exchange) {
      unrecorded.push(`${request.method} ${pathname}`)
      throw new TypeError('fetch failed')
    }
    if (matching.length > 1) left.splice(left.indexOf(exchange), 1)
    const text = await request.text()
    if (exchange.request.body)
      sent.push({
        expected: exchange.request.body,
        body: text === '' ? undefined : fieldsIn(text),
      })
    if (exchange.response === 'no answer') throw new TypeError('fetch failed')
    const { status, headers, body } = exchange.response
    const isText = typeof body === 'string'
    return new Response(isText ? body : JSON.stringify(body ?? null), {
      status,
      headers: { 'Content-Type': isText ? 'text/html' : 'application/json', ...headers },
    })
  }
  return { fetch, unrecorded, sent }
}

function portOf(recording: Recording, fetch: typeof globalThis.fetch): object {
  const { provider, style, event_types: eventTypeIds } = recording
  const connection = { timeoutMs: 5_000, fetch }
  if (provider === 'stripe')
    return stripePayments({ ...connection, secretKey: 'rk_test_of-the-replay', style })
  const create = provider === 'calcom' ? calcomScheduling : calendlyScheduling
  const now = () => Date.parse(recording.now)
  return create({ ...connection, token: 'of-the-replay', now, eventTypeIds })
}

/** Makes the calls of a recording at a provider that answers as it was recorded. */
export async function replay(recording: Recording) {
  const provider = replayed(recording)
  const port = portOf(recording, provider.fetch)
  const calls = []
  for (const { call, arguments: given, answer, refusal } of recording.calls) {
    const [last = '', ...before] = call.split('.').toReversed()
    const of = before.reduceRight<unknown>((at, name) => Reflect.get(at as object, name), port)
    const method = Reflect.get(of as object, last) as (...all: unknown[]) => Promise<unknown>
    const ended = await Reflect.apply(method, of, withInstants(given) as unknown[]).catch(
      (thrown: unknown) => thrown,
    )
    if (refusal)
      calls.push({ ended: { [call]: (ended as Problem).refusal }, wanted: { [call]: refusal } })
    else
      calls.push({
        ended: { [call]: ended },
        wanted: { [call]: withInstants(answer) ?? undefined },
      })
  }
  return { calls, unrecorded: provider.unrecorded, sent: provider.sent }
}
