import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** What a fake provider was asked. `body` is the JSON sent, or the fields of a form. */
export interface FakeRequest {
  method: string
  path: string
  /** The named parts of the route, decoded. */
  params: Record<string, string>
  query: URLSearchParams
  headers: IncomingHttpHeaders
  text: string
  body: unknown
}

/** What it answers: `body` goes out as JSON, or as it is when it is a string. */
export interface FakeAnswer {
  status: number
  body?: unknown
  headers?: Record<string, string>
}

export type FakeHandler = (request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>

/** How one request goes wrong: `before` the handler has its effect, or `after` it. */
export interface Fault {
  before?: FakeAnswer | 'reset' | { waitMs: number }
  after?: FakeAnswer | 'reset' | { waitMs: number }
}

/** Has its effect at once and answers late. */
export const slowAfter = (waitMs: number): Fault => ({ after: { waitMs } })
/** Has its effect late, perhaps when no one waits for it any more. */
export const slowBefore = (waitMs: number): Fault => ({ before: { waitMs } })
export const resetBefore: Fault = { before: 'reset' }
export const resetAfter: Fault = { after: 'reset' }
export const answerBefore = (
  status: number,
  body?: unknown,
  headers?: Record<string, string>,
): Fault => ({
  before: { status, body, ...(headers ? { headers } : {}) },
})
export const answerAfter = (
  status: number,
  body?: unknown,
  headers?: Record<string, string>,
): Fault => ({
  after: { status, body, ...(headers ? { headers } : {}) },
})
export const garbageAfter = (status = 200): Fault =>
  answerAfter(status, '<html>not what was promised</html>')
export const redirectBefore = (location: string, status = 307): Fault =>
  answerBefore(status, '', { Location: location })
export const tooMany = (headers: Record<string, string>): Fault =>
  answerBefore(429, { message: 'Too many' }, headers)

export interface FakeHttp {
  /** `http://127.0.0.1:<port>`, without a slash at its end. */
  url: string
  /** Asks it without a socket, for tests that ask thousands of times; resets, waits and redirects are as over one. */
  fetch: typeof globalThis.fetch
  /** Every request received, in order. */
  requests: FakeRequest[]
  /** Queues a fault for the next requests of a route, named as it was given (`POST /things/:id`). */
  fault(route: string, fault: Fault, times?: number): void
  /** Forgets the faults that were queued and not used up. */
  calm(): void
  stop(): Promise<void>
}

/** Called with every request and the answer its handler gave, before any fault changes it. */
export type Watch = (request: FakeRequest, answer: FakeAnswer) => void

/** A provider that lives on a real port of this machine, and misbehaves on command. */
export async function fakeHttp(
  routes: Record<string, FakeHandler>,
  watch?: Watch,
): Promise<FakeHttp> {
  const table = Object.entries(routes).map(([name, handler]) => ({
    name,
    handler,
    ...patternOf(name),
  }))
  const faults = new Map<string, Fault[]>()
  const requests: FakeRequest[] = []

  async function serve(
    method: string,
    url: URL,
    headers: IncomingHttpHeaders,
    text: string,
  ): Promise<FakeAnswer | 'reset'> {
    const route = table.find((one) => one.method === method && one.path.test(url.pathname))
    const request: FakeRequest = {
      method,
      path: url.pathname,
      params: decoded(route?.path.exec(url.pathname)?.groups),
      query: url.searchParams,
      headers,
      text,
      body: bodyOf(text, headers),
    }
    requests.push(request)
    const fault = (route && faults.get(route.name)?.shift()) ?? {}
    const before = await instead(fault.before)
    if (before) return before
    const answer = (await route?.handler(request)) ?? {
      status: 404,
      body: { message: 'No such path' },
    }
    watch?.(request, answer)
    return (await instead(fault.after)) ?? answer
  }

  /** A fake that breaks must not look like a provider that misbehaves as ordered. */
  const broken = (error: unknown): FakeAnswer => ({
    status: 599,
    body: { message: `the fake is broken: ${String(error)}` },
  })

  const server = createServer((incoming, response) => {
    void text(incoming)
      .then((sent) =>
        serve(
          incoming.method ?? 'GET',
          new URL(incoming.url ?? '/', 'http://fake'),
          incoming.headers,
          sent,
        ),
      )
      .catch(broken)
      .then((answer) => {
        if (answer === 'reset') return void response.destroy()
        const { status, headers, body } = onTheWire(answer)
        response.writeHead(status, headers)
        response.end(body)
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`

  async function answered(request: Request, redirects: number): Promise<Response> {
    const url = new URL(request.url)
    if (url.origin !== origin) throw new TypeError('fetch failed')
    const sent = await request.text()
    const serving = serve(request.method, url, Object.fromEntries(request.headers), sent).catch(
      broken,
    )
    const answer = await Promise.race([serving, aborted(request.signal)])
    if (answer === 'reset') throw new TypeError('fetch failed')
    const { status, headers, body } = onTheWire(answer)
    const location = status >= 300 && status < 400 ? headers['Location'] : undefined
    if (location === undefined || request.redirect === 'manual')
      return new Response((body as BodyInit) || null, { status, headers })
    if (request.redirect === 'error' || redirects === 20) throw new TypeError('fetch failed')
    const { method } = request
    const again = status === 303 ? {} : { method, ...(sent !== '' && { body: sent }) }
    return answered(
      new Request(new URL(location, url), { ...again, headers: request.headers }),
      redirects + 1,
    )
  }

  return {
    url: origin,
    fetch: (input, init) => answered(new Request(input, init), 0),
    requests,
    fault(route, fault, times = 1) {
      if (!(route in routes)) throw new Error(`no route ${route}`)
      const queue = faults.get(route) ?? []
      faults.set(route, [...queue, ...Array.from({ length: times }, () => fault)])
    },
    calm: () => faults.clear(),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function patternOf(name: string): { method: string; path: RegExp } {
  const [method = '', template = ''] = name.split(' ')
  return { method, path: new RegExp(`^${template.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`) }
}

const decoded = (groups: Record<string, string> | undefined): Record<string, string> =>
  Object.fromEntries(
    Object.entries(groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]),
  )

function bodyOf(text: string, headers: IncomingHttpHeaders): unknown {
  if (text === '') return undefined
  if (headers['content-type']?.includes('form-urlencoded'))
    return Object.fromEntries(new URLSearchParams(text))
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** What a fault answers in place of the handler, if it does. */
async function instead(fault: Fault['before']): Promise<FakeAnswer | 'reset' | undefined> {
  if (typeof fault !== 'object' || !('waitMs' in fault)) return fault
  await new Promise((resolve) => setTimeout(resolve, fault.waitMs).unref())
  return undefined
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error)
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })

function onTheWire({ status, body, headers: given }: FakeAnswer) {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array
  const text = isRaw ? body : body === undefined ? '' : JSON.stringify(body)
  const headers: Record<string, string> = { 'Content-Type': 'application/json', ...given }
  return { status, headers, body: text }
}
