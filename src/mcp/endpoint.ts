import { Problem } from '../domain/problem.ts'
import { readJson } from '../http/body.ts'
import { NO_REQUEST, protocolError } from './protocol-errors.ts'
import { serveMcp } from './server.ts'
import type { McpContext } from './tool-calls.ts'

/** What the endpoint needs of the app. */
export interface Endpoint {
  /** The request came to an address of this service. */
  isOwnHost: boolean
  /** Whether pages of this origin may call. */
  isKnownOrigin(origin: string): boolean
  context(): Promise<McpContext>
}

/**
 * `/mcp`: one stateless endpoint for both protocol eras. A wrong Host or Origin is refused first (DNS rebinding); then
 * POST is the only method that does anything.
 */
export async function mcpEndpoint(request: Request, endpoint: Endpoint): Promise<Response> {
  if (!endpoint.isOwnHost) return protocolError(403, -32000, 'This host is not served.')
  const origin = request.headers.get('Origin')
  if (origin !== null && !endpoint.isKnownOrigin(origin))
    return protocolError(403, -32000, 'This origin is not allowed.')
  const mcp = await endpoint.context()
  try {
    const body = await readJson(request)
    if (body !== undefined) return serveMcp(request, body, mcp)
  } catch (thrown) {
    // What cannot be read is a call all the same.
    await mcp.count('reads')
    if (!(thrown instanceof Problem) || thrown.refusal.code !== 'validation_failed') throw thrown
    return protocolError(400, -32600, `${NO_REQUEST} One of its objects has a name twice.`)
  }
  await mcp.count('reads')
  return protocolError(400, -32700, 'The body is not JSON.')
}
