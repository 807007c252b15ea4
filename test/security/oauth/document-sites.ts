import { createServer as createPlainServer, type RequestListener, type Server } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'

export interface Answer {
  status?: number
  headers?: Record<string, string>
  body?: string | ((address: string) => string)
}

export type Site = Awaited<ReturnType<typeof startSite>>

/** A site with a set answer for each path, which records its requests. */
export async function startSite(certificate?: { key: Buffer; cert: Buffer }) {
  const hits: string[] = []
  const answers = new Map<string, Answer>()
  const listener: RequestListener = (request, response) => {
    const path = request.url ?? '/'
    hits.push(path)
    const { status = 200, headers = {}, body = '' } = answers.get(path) ?? { status: 404 }
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : body(address(path)))
  }
  const server: Server = certificate
    ? createServer(certificate, listener)
    : createPlainServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const origin = `${certificate ? 'https' : 'http'}://localhost:${port}`
  const address = (path: string): string => origin + path
  return {
    origin,
    hits,
    /** Sets what stands at a path; its address. */
    put(path: string, answer: Answer): string {
      answers.set(path, answer)
      return address(path)
    },
    stop: () => server.close(),
  }
}

/** The document of an app that calls itself Claude and wants the owner back on its own site. */
export const documentOf =
  (change: Record<string, unknown> = {}) =>
  (address: string): string =>
    JSON.stringify({
      client_id: address,
      client_name: 'Claude',
      redirect_uris: [new URL('/callback', address).href],
      token_endpoint_auth_method: 'none',
      ...change,
    })
