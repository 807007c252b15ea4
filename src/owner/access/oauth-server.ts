import type * as OAuthLibrary from '@cloudflare/workers-oauth-provider'

import { BY_NAME_SCOPES, KEY_SCOPES, SCOPES, type Scope } from '../../core/domain/scopes.ts'
import { HOUR, SECOND } from '../../core/domain/time/duration.ts'
import { REFRESH_TOKEN_LIFETIME } from '../../core/ports/access.ts'

type Library = typeof OAuthLibrary
type Server = InstanceType<Library['OAuthAuthorizationServer']>

export interface OAuthEnv {
  OAUTH_KV: KVNamespace
}

export const OWNER_ID = 'owner'
const OF_GRANT = new RegExp(`^${OWNER_ID}:([A-Za-z0-9_-]{1,64}):[A-Za-z0-9_-]{1,128}$`)
/** The grant to which a code, a refresh token or an access token belongs; undefined for what is none. */
export const grantOf = (secret: string) => OF_GRANT.exec(secret)?.[1]

export const AUTHORIZE = '/authorize'
export const TOKEN = '/oauth/token'
export const REGISTER = '/oauth/register'

/** What an app can be allowed to do: all but the scopes of the connector itself and its audit log. */
export const APP_SCOPES = (Object.keys(SCOPES) as Scope[]).filter(
  (scope) => !KEY_SCOPES.includes(scope),
)

/** The scopes that an app can ask for, as the metadata lists them. */
export const ADVERTISED_SCOPES = APP_SCOPES.filter((scope) => !BY_NAME_SCOPES.includes(scope))

/** The one resource that access tokens are for. */
export const resourceOf = (origin: string) => `${origin}/mcp`

/**
 * The parameters of a request in which our resource is named as it is here. Some hosts name the
 * address that a person gave them, which may have a slash at its end.
 */
export function withPlainResource(form: URLSearchParams, origin: string): URLSearchParams {
  const plain = resourceOf(origin)
  const named = [...form].map(([name, value]): [string, string] =>
    name === 'resource' && value === `${plain}/` ? [name, plain] : [name, value],
  )
  return new URLSearchParams(named)
}

/** A registration is renewed at half its life, so it outlives its grants. */
const REGISTRATION = 2 * REFRESH_TOKEN_LIFETIME
/** Until an app has its first token, its registration is the word of a stranger and lives for one login. */
const NEW_REGISTRATION = HOUR

const MOST_ORIGINS = 16
const servers = new Map<string, Promise<Record<ServerRole, Server>>>()

/**
 * `arrivals`: registration. `usual`: authorization, tokens and revocation. `signing`: metadata, tokens of
 * apps that sign. Only `signing` knows metadata documents, and would fetch them by its own rules: it never
 * gets an address as client id.
 */
export type ServerRole = 'usual' | 'arrivals' | 'signing'

// Loaded when it is first needed: requests with an API key never load it.
export const oauthLibrary = (): Promise<Library> => import('@cloudflare/workers-oauth-provider')

async function build(origin: string): Promise<Record<ServerRole, Server>> {
  const { OAuthAuthorizationServer } = await oauthLibrary()
  const server = (registrationLifetime: number, clientIdMetadataDocumentEnabled = false) =>
    new OAuthAuthorizationServer<OAuthEnv>({
      issuer: origin,
      resources: [resourceOf(origin)],
      authorizeEndpoint: AUTHORIZE,
      tokenEndpoint: TOKEN,
      clientRegistrationEndpoint: REGISTER,
      scopesSupported: ADVERTISED_SCOPES,
      accessTokenTTL: (8 * HOUR) / SECOND,
      refreshTokenTTL: REFRESH_TOKEN_LIFETIME / SECOND,
      refreshTokenIdleTTL: REFRESH_TOKEN_LIFETIME / SECOND,
      clientRegistrationTTL: registrationLifetime / SECOND,
      clientIdMetadataDocumentEnabled,
      // Our one line per request says enough.
      onError: () => {},
    })
  return {
    usual: server(REGISTRATION),
    arrivals: server(NEW_REGISTRATION),
    signing: server(REGISTRATION, true),
  }
}

export async function oauthServer(origin: string, role: ServerRole = 'usual'): Promise<Server> {
  const known = servers.get(origin)
  if (known) return (await known)[role]
  const built = build(origin)
  if (servers.size < MOST_ORIGINS) servers.set(origin, built)
  return (await built)[role]
}

type Call = (args: unknown[]) => Promise<unknown>

/** The store of the server, in which `answer` answers each call in place of the store, or by `call`. */
export const storeWith = (
  kv: KVNamespace,
  answer: (method: string | symbol, args: unknown[], call: Call) => Promise<unknown>,
): KVNamespace =>
  new Proxy(kv, {
    get(target, method) {
      const value: unknown = Reflect.get(target, method)
      if (typeof value !== 'function') return value
      const call: Call = async (args) => Reflect.apply(value, target, args) as unknown
      return (...args: unknown[]) => answer(method, args, call)
    },
  })

/** An answer of the server with another body. */
export function withBody(answer: Response, body: object) {
  const headers = new Headers(answer.headers)
  headers.delete('Content-Length')
  return new Response(JSON.stringify(body), { status: answer.status, headers })
}
