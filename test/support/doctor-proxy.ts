import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request on its way to the connector, and what came back. */
export interface Passing {
  method: string
  path: string
  /** Names in lower case. */
  headers: Record<string, string>
}

export interface Answered {
  status: number
  headers: Record<string, string>
  body: string
}

/** One thing that is wrong with the way to the connector. */
export interface Fault {
  /** Changes the request. */
  before?(request: Passing): void
  /** Changes the answer. */
  after?(request: Passing, answer: Answered): void
}

/**
 * Stands in front of a connector as Cloudflare would: under a public name, and with TLS, which is
 * pretended. `fault` breaks one thing.
 */
export async function startFront(connector: string, publicOrigin: string) {
  let fault: Fault = {}
  const server = createServer((incoming, response) => {
    const passing: Passing = {
      method: incoming.method ?? 'GET',
      path: incoming.url ?? '/',
      headers: incoming.headers as Record<string, string>,
    }
    const answer = (answered: Answered): void => {
      fault.after?.(passing, answered)
      response.writeHead(answered.status, answered.headers)
      response.end(passing.method === 'HEAD' ? undefined : answered.body)
    }
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      fault.before?.(passing)
      const { method, path, headers } = passing
      const host = new URL(publicOrigin).host
      const onwards = httpRequest(new URL(path, connector), {
        method,
        headers: { ...headers, host, 'x-forwarded-proto': 'https', 'accept-encoding': 'identity' },
      })
      onwards.on('response', (back) => {
        const parts: Buffer[] = []
        back.on('data', (part: Buffer) => parts.push(part))
        back.on('end', () => {
          const {
            'transfer-encoding': _t,
            'content-length': _l,
            'content-encoding': _e,
            ...kept
          } = back.headers
          const body = Buffer.concat(parts).toString()
          answer({ status: back.statusCode ?? 0, headers: kept as Record<string, string>, body })
        })
      })
      onwards.on('error', () => answer({ status: 502, headers: {}, body: '' }))
      onwards.end(Buffer.concat(chunks))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  /** Reaches the front under its public name. */
  const reach: typeof fetch = (input, init) => {
    const { pathname, search } = new URL(input as URL)
    return fetch(`http://127.0.0.1:${port}${pathname}${search}`, init)
  }
  return {
    reach,
    break(with_: Fault) {
      fault = with_
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
