import type * as OAuthLibrary from '@cloudflare/workers-oauth-provider'
import { SCOPES, type Scope } from '../domain/scopes.ts'
import { withPinnedClients } from './oauth-clients.ts'
import { PINNED_CLIENTS } from './pinned-clients.ts'

type Library = typeof OAuthLibrary
type Server = InstanceType<Library['OAuthAuthorizationServer']>

/** What the OAuth server needs of the Worker's bindings. */
export interface OAuthEnv {
  OAUTH_KV: KVNamespace
}

export const OWNER_ID = 'owner'
export const AUTHORIZE = '/authorize'
export const TOKEN = '/oauth/token'
export const REGISTER = '/oauth/register'

/** What an app can be allowed to do: all but looking after the connector. */
export const APP_SCOPES = (Object.keys(SCOPES) as Scope[]).filter((scope) => scope !== 'admin')

/** The one thing access tokens are good for. */
export const resourceOf = (origin: string): string => `${origin}/mcp`

const HOUR = 3600
const DAY = 24 * HOUR

/** Loopback can be called under several names and ports; more than these are not remembered. */
const MOST_ORIGINS = 16
const servers = new Map<string, Promise<{ documents: Server; pinned: Server }>>()

// Loaded when it is first needed: requests with an API key never meet it.
const library = (): Promise<Library> => import('@cloudflare/workers-oauth-provider')

async function build(origin: string) {
  const { OAuthAuthorizationServer } = await library()
  const server = (clientIdMetadataDocumentEnabled: boolean) =>
    new OAuthAuthorizationServer<OAuthEnv>({
      issuer: origin,
      resources: [resourceOf(origin)],
      authorizeEndpoint: AUTHORIZE,
      tokenEndpoint: TOKEN,
      clientRegistrationEndpoint: REGISTER,
      scopesSupported: APP_SCOPES,
      accessTokenTTL: 8 * HOUR,
      refreshTokenTTL: 45 * DAY,
      refreshTokenIdleTTL: 45 * DAY,
      // Twice the idle time of a grant: a registration is renewed at its half, so it outlives what was granted to it.
      clientRegistrationTTL: 90 * DAY,
      clientIdMetadataDocumentEnabled,
      // Its default would log what the library thinks of the request; our one line per request says enough.
      onError: () => {},
    })
  return { documents: server(true), pinned: server(false) }
}

function serversFor(origin: string) {
  const known = servers.get(origin)
  if (known) return known
  const built = build(origin)
  if (servers.size < MOST_ORIGINS) servers.set(origin, built)
  return built
}

/**
 * The OAuth server as it is for one client: a well-known one is read from its pinned copy, any other from its own
 * document. A client that signs its requests is always read from its document, which names its keys.
 */
export async function oauthServer(
  origin: string,
  env: OAuthEnv,
  clientId: string | null,
  signs = false,
): Promise<{ server: Server; env: OAuthEnv; isDocument: boolean }> {
  const { documents, pinned } = await serversFor(origin)
  if (clientId === null || signs || !PINNED_CLIENTS.has(clientId)) {
    return { server: documents, env, isDocument: clientId?.startsWith('https://') ?? false }
  }
  return { server: pinned, env: { OAUTH_KV: withPinnedClients(env.OAUTH_KV) }, isDocument: true }
}

/** Whether a client is known by a document that has to be fetched from its own address. */
export const isFetched = (clientId: string | null, signs = false): boolean =>
  clientId !== null && clientId.startsWith('https://') && (signs || !PINNED_CLIENTS.has(clientId))

/** The errors and redirects of the library, for the page of consent. */
export const oauthErrors = async () => {
  const { AuthorizationError, CimdFetchError, authorizationErrorRedirect } = await library()
  return { AuthorizationError, CimdFetchError, authorizationErrorRedirect }
}
