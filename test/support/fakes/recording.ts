import * as z from 'zod'

const exchangeSchema = z.strictObject({
  request: z.strictObject({
    method: z.enum(['GET', 'POST', 'DELETE']),
    /** Without its query, which is not compared. */
    path: z.string().startsWith('/'),
    body: z.record(z.string(), z.unknown()).optional(),
  }),
  response: z.strictObject({
    status: z.int().min(200).max(599),
    headers: z.record(z.string(), z.string()).default({}),
    /** JSON, or the text of a page. */
    body: z.unknown(),
  }),
})

const callSchema = z.strictObject({
  call: z.string(),
  arguments: z.array(z.unknown()).default([]),
  answer: z.unknown().optional(),
  refusal: z.record(z.string(), z.unknown()).optional(),
})

/** A file of test/support/recordings; its README says what each field means. */
export const recordingSchema = z.strictObject({
  provider: z.enum(['calcom', 'calendly']),
  source: z.string().min(20),
  now: z.iso.datetime(),
  event_types: z.array(z.string()).default([]),
  exchanges: z.array(exchangeSchema).min(1),
  calls: z.array(callSchema).min(1),
})
export type Recording = z.infer<typeof recordingSchema>

/** What a file may not hold: an address of a real person, or a credential. */
export const UNREDACTED =
  /[\w.+-]+@(?!(?:[\w-]+\.)*example(?:\.(?:com|org|net))?\b)[\w.-]+|\bcal_(?:live_)?\w{16,}|\beyJ[\w-]{10,}|\bBearer \w/

/** Epoch milliseconds wherever `{ "instant": … }` stands. */
export function withInstants(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withInstants)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  if (entries.length === 1 && 'instant' in value) return Date.parse(String(value.instant))
  return Object.fromEntries(entries.map(([name, one]) => [name, withInstants(one)]))
}

/** A provider that answers as it was recorded. What was asked beside that is kept in `unrecorded`. */
export function replayed({ exchanges }: Pick<Recording, 'exchanges'>) {
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
        body: text === '' ? undefined : JSON.parse(text),
      })
    const { status, headers, body } = exchange.response
    const isText = typeof body === 'string'
    return new Response(isText ? body : JSON.stringify(body ?? null), {
      status,
      headers: { 'Content-Type': isText ? 'text/html' : 'application/json', ...headers },
    })
  }
  return { fetch, unrecorded, sent }
}
