import { placeOf } from '../domain/place.ts'
import { protocolError } from './protocol-errors.ts'
import { type Session, serveMcp } from './server.ts'

/** What the endpoint needs of the app. */
export interface Endpoint {
  /** Host names under which this service may be called, and from whose pages. */
  hosts: readonly string[]
  /** Other origins whose pages may call. */
  origins: readonly string[]
  /** The JSON value of the body, or undefined if it is none. */
  readJson(request: Request): Promise<unknown>
  session(): Promise<Session>
}

/**
 * `/mcp`: one stateless endpoint for both protocol eras. A wrong Host or Origin is refused first (DNS rebinding); then
 * POST is the only method that does anything.
 */
export async function mcpEndpoint(request: Request, endpoint: Endpoint): Promise<Response> {
  if (!endpoint.hosts.includes(hostOf(request.url)))
    return protocolError(403, -32000, 'This host is not served.')
  const origin = request.headers.get('Origin')
  const isKnown = (from: string) => endpoint.hosts.includes(hostOf(from)) || endpoint.origins.includes(from)
  if (origin !== null && !isKnown(origin)) {
    return protocolError(403, -32000, 'This origin is not allowed.')
  }
  const session = await endpoint.session()
  const body = await endpoint.readJson(request)
  if (body === undefined || body === null) return protocolError(400, -32700, 'The body is not JSON.')
  return serveMcp(request, body, session)
}

const hostOf = (url: string): string => placeOf(url)?.hostname ?? ''
