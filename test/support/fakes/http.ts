import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

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
/** Has its effect late, perhaps when nobody waits for it any more. */
export const slowBefore = (waitMs: number): Fault => ({ before: { waitMs } })
export const resetBefore: Fault = { before: 'reset' }
export const resetAfter: Fault = { after: 'reset' }
export const answerBefore = (status: number, body?: unknown, headers?: Record<string, string>): Fault => ({
  before: { status, body, ...(headers ? { headers } : {}) },
})
export const answerAfter = (status: number, body?: unknown, headers?: Record<string, string>): Fault => ({
  after: { status, body, ...(headers ? { headers } : {}) },
})
export const garbageAfter = (status = 200): Fault => answerAfter(status, '<html>not what was promised</html>')
export const redirectBefore = (location: string, status = 307): Fault =>
  answerBefore(status, '', { Location: location })
export const tooMany = (headers: Record<string, string>): Fault =>
  answerBefore(429, { message: 'Too many' }, headers)

export interface FakeHttp {
  /** `http://127.0.0.1:<port>`, without a slash at its end. */
  url: string
  /** Every request heard, in order. */
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
export async function fakeHttp(routes: Record<string, FakeHandler>, watch?: Watch): Promise<FakeHttp> {
  const table = Object.entries(routes).map(([name, handler]) => ({ name, handler, ...patternOf(name) }))
  const faults = new Map<string, Fault[]>()
  const requests: FakeRequest[] = []

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? '/', 'http://fake')
    const method = incoming.method ?? 'GET'
    const route = table.find((one) => one.method === method && one.path.test(url.pathname))
    const request: FakeRequest = {
      method,
      path: url.pathname,
      params: decoded(route?.path.exec(url.pathname)?.groups),
      query: url.searchParams,
      headers: incoming.headers,
      ...(await bodyOf(incoming)),
    }
    requests.push(request)
    const fault = (route && faults.get(route.name)?.shift()) ?? {}
    if (!(await pass(fault.before, response))) return
    const answer = (await route?.handler(request)) ?? { status: 404, body: { message: 'No such path' } }
    watch?.(request, answer)
    if (!(await pass(fault.after, response))) return
    send(answer, response)
  }

  const server = createServer((incoming, response) => {
    serve(incoming, response).catch((error: unknown) => {
      // A fake that breaks must not look like a provider that misbehaves as ordered.
      send({ status: 599, body: { message: `the fake is broken: ${String(error)}` } }, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
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
  Object.fromEntries(Object.entries(groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]))

async function bodyOf(incoming: IncomingMessage): Promise<{ text: string; body: unknown }> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  if (text === '') return { text, body: undefined }
  if (incoming.headers['content-type']?.includes('form-urlencoded')) {
    return { text, body: Object.fromEntries(new URLSearchParams(text)) }
  }
  try {
    return { text, body: JSON.parse(text) as unknown }
  } catch {
    return { text, body: undefined }
  }
}

/** Lets a fault happen; false when it has taken the place of the answer. */
async function pass(fault: Fault['before'], response: ServerResponse): Promise<boolean> {
  if (fault === undefined) return true
  if (fault === 'reset') response.destroy()
  else if ('waitMs' in fault) {
    await new Promise((resolve) => setTimeout(resolve, fault.waitMs).unref())
    return true
  } else send(fault, response)
  return false
}

function send({ status, body, headers }: FakeAnswer, response: ServerResponse): void {
  const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body)
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
  response.end(text)
}
