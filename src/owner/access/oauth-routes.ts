import type { Hono } from 'hono'

import type { AppEnv, AppContext } from '../../api/http/app-env.ts'
import { readBody } from '../../api/http/body.ts'
import { trimmed } from '../../core/domain/name.ts'
import { problem } from '../../core/domain/problem/problem.ts'
import { isFields, jsonIn } from '../../core/json.ts'
import { endConnection } from './connected-apps.ts'
import { tokenRequest } from './oauth-lookup.ts'
import {
  ADVERTISED_SCOPES,
  type OAuthEnv,
  OWNER_ID,
  REGISTER,
  TOKEN,
  oauthServer,
  resourceOf,
  APP_SCOPES,
  withBody,
} from './oauth-server.ts'
import { usedOnce } from './oauth-single-use.ts'
import { withOwner, hasOwner } from './owner-pages.ts'
import { addConsentRoutes } from './pages/consent-routes.ts'
import { addPasskeyRoutes } from './pages/passkey-routes.ts'
import { mayRegister } from './throttle.ts'

/**
 * The members of a registration that the OAuth server reads (RFC 7591, section 2), and what each
 * has to be.
 */
const MEMBERS = {
  redirect_uris:
    'an array of URIs: https, or http on loopback, without a fragment and without a user name',
  token_endpoint_auth_method: 'none, client_secret_basic or client_secret_post',
  grant_types: 'an array with authorization_code, and refresh_token if you like',
  response_types: 'an array with code',
  client_name: 'a text',
  client_uri: 'an http or https address',
  logo_uri: 'an http or https address',
  policy_uri: 'an http or https address',
  tos_uri: 'an http or https address',
  jwks_uri: 'an http or https address',
  contacts: 'an array of texts',
} as const

/** What this server offers of the members that list what a client can do. */
const OFFERED: ReadonlyMap<string, readonly string[]> = new Map([
  ['grant_types', ['authorization_code', 'refresh_token']],
  ['response_types', ['code']],
])

/**
 * A registration as the OAuth server can take it. A member that shows nothing counts as absent, as
 * null, "" or an empty list; so does such an entry of a list. What this server does not offer is
 * dropped from a list as long as something is left; the answer says what was registered, as RFC
 * 7591, section 3.2.1, allows. Anything that is no JSON object comes back as it was.
 */
function readableRegistration(text: string) {
  const metadata = jsonIn(text)
  if (!isFields(metadata)) return text
  const members = Object.entries(metadata).flatMap(([name, sent]) => {
    const value: unknown = Array.isArray(sent)
      ? sent.map(plain).filter((one) => !isNothing(one))
      : plain(sent)
    return isNothing(value) ? [] : [[name, offeredOf(name, value)] as const]
  })
  return JSON.stringify(Object.fromEntries(members))
}

/**
 * Which member of a registration a refusal is about, and what it has to be; undefined where it
 * names none.
 */
function refusedMember(description: string): string | undefined {
  const said = description.toLowerCase()
  const names = Object.keys(MEMBERS) as (keyof typeof MEMBERS)[]
  // The server also speaks of one of a list: "Unsupported grant_type".
  const name = names.find((one) => said.includes(one.replace(/s$/, '')) || isInWords(one, said))
  return name && `The member ${name} is not as expected: it has to be ${MEMBERS[name]}.`
}

/** Some texts of the server name a member in words: "token endpoint authentication method". */
const isInWords = (name: string, said: string) =>
  said.includes(name.replaceAll('_', ' ').replace('auth ', 'authentication ').replace(/s$/, ''))

/** A text without what shows nothing at its ends: an address that is kept with it is never met again. */
const plain = (value: unknown): unknown => (typeof value === 'string' ? trimmed(value) : value)

const isNothing = (value: unknown) =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0)

function offeredOf(name: string, value: unknown): unknown {
  const offered = OFFERED.get(name)
  if (!offered || !Array.isArray(value)) return value
  const left = offered.filter((one) => value.includes(one))
  return left.length > 0 ? left : (value as unknown[])
}

/** Adds the OAuth server and its pages for sign-in and consent. They answer 404 while there is no owner. */
export function addOAuthRoutes(app: Hono<AppEnv>) {
  const resource = withOwner('oauth_metadata', resourceMetadata)
  for (const path of ['', '/mcp']) app.get(`/.well-known/oauth-protected-resource${path}`, resource)
  app.all('/.well-known/oauth-authorization-server', withOwner('oauth_metadata', serveOAuth))
  app.all(TOKEN, withOwner('oauth_token', serveOAuth))
  app.all(REGISTER, withOwner('oauth_register', serveOAuth))
  addConsentRoutes(app)
  addPasskeyRoutes(app)
}

/** RFC 9728: the protected resource, and the server that issues tokens for it. */
function resourceMetadata(c: AppContext) {
  const { origin, practice } = c.var.site()
  const document = {
    resource: resourceOf(origin),
    authorization_servers: [origin],
    scopes_supported: ADVERTISED_SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: `Consult connector of ${practice.name}`,
  }
  return Response.json(document, { headers: { 'Cache-Control': 'public, max-age=300' } })
}

const MOST_BYTES_OF_REGISTRATION = 4 * 1024

async function serveOAuth(c: AppContext) {
  const { method, path, url } = c.req
  const posted = method === 'POST' ? await readBody(c.req.raw) : undefined
  const text = new TextDecoder().decode(posted)
  const isRegistration = path === REGISTER
  if (posted !== undefined && isRegistration) {
    if (posted.byteLength > MOST_BYTES_OF_REGISTRATION)
      throw problem('payload_too_large', { detail: 'A registration is larger than 4 KiB.' })
    await mayRegister(c)
  }
  const body = posted && isRegistration ? readableRegistration(text) : posted
  const role = isRegistration ? 'arrivals' : 'signing'
  const asked = path === TOKEN ? tokenRequest(c, posted) : ({ role, env: c.env, body } as const)
  const headers = new Headers(c.req.raw.headers)
  headers.delete('Content-Length')
  const sent = body !== undefined && { body: asked.body ?? body }
  // The library knows its paths without a slash at their end.
  const request = new Request(new URL(path, url), { method, headers, ...sent })
  const server = await oauthServer(c.var.site().origin, asked.role)
  const ask = (env: OAuthEnv) =>
    server.fetch(request, env, c.executionCtx as unknown as ExecutionContext)
  const answer = path === TOKEN ? await askOnce(c, { ...asked, ask }) : await ask(asked.env)
  if (answer.ok) return new Response(answer.body, answer)
  c.var.log.code = 'oauth_refused'
  return withoutRepeats(answer, text, isRegistration ? refusedMember : undefined)
}

/** Asks for tokens. A code or refresh token that is used twice ends its grant; the audit log says so. */
function askOnce(
  c: AppContext,
  { env, body, ask }: { env: OAuthEnv; body: Uint8Array | string | undefined; ask: AskForTokens },
) {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  return usedOnce(
    {
      access: c.var.services.access,
      keyring: () => c.var.services.keyring(),
      env,
      form: new URLSearchParams(text),
      async revoke(grantId) {
        const server = await oauthServer(c.var.site().origin)
        await server.getOAuthApi(c.env).revokeGrant(grantId, OWNER_ID)
      },
      async onRevoked(grantId) {
        await endConnection(c, grantId)
      },
      onReuse: (grantId) => c.var.note({ event: 'consent', code: 'reused', record_id: grantId }),
      onRepeat: (grantId) => c.var.note({ event: 'consent', code: 'repeated', record_id: grantId }),
    },
    ask,
  )
}

type AskForTokens = (env: OAuthEnv) => Promise<Response>

/** Our own texts for errors, since those of the library would repeat what was sent. */
const IN_OUR_WORDS: Record<string, string> = {
  invalid_request: 'A parameter is missing, not valid, or given twice.',
  invalid_client: 'The client is not known here, or did not prove itself.',
  invalid_grant: 'The code or token is not good, or not for this client, redirect URI or verifier.',
  invalid_target: 'The resource is not the one of this service.',
  unauthorized_client: 'The client may not do this.',
  unsupported_grant_type: 'The grant type is not one of this service.',
  invalid_scope: 'A scope is not one of this service.',
  invalid_redirect_uri: 'A redirect URI is not valid: expected https, or http on loopback.',
  invalid_client_metadata: 'The metadata of the client is not valid or not supported here.',
}

function textsIn(body: string): string[] {
  try {
    const texts: string[] = []
    JSON.parse(body, (name, value: unknown) => {
      texts.push(name, ...(typeof value === 'string' ? [value] : []))
      return value
    })
    return texts
  } catch {
    return [...new URLSearchParams(body)].flat()
  }
}

/**
 * An error of the OAuth server without the parts of the request that it repeats; `inOurWords` may
 * say what it is about, and is then said.
 */
async function withoutRepeats(
  answer: Response,
  sent: string,
  inOurWords?: (description: string) => string | undefined,
) {
  const text = await answer.text()
  const error = jsonIn(text) as { error?: string; error_description?: string } | undefined
  const said = error?.error_description?.toLowerCase()
  const repeats =
    said !== undefined &&
    textsIn(sent).some((one) => one.length > 2 && said.includes(one.toLowerCase()))
  const about = said === undefined ? undefined : inOurWords?.(said)
  if (!error || (!repeats && about === undefined)) return new Response(text, answer)
  const { error_description: _repeated, ...rest } = error
  const ours = about ?? IN_OUR_WORDS[error.error ?? '']
  return withBody(answer, { ...rest, error_description: ours })
}

/**
 * Sets the challenge of a refusal (401, or a scope that is lacking) by which an MCP host learns where
 * to sign in, and what to ask the owner for.
 */
export async function setOAuthChallenge(c: AppContext) {
  if (c.res.status === 401 && (await hasOwner(c)))
    c.res.headers.set('WWW-Authenticate', unauthorized(c))
  if (c.var.log.code === 'insufficient_scope' && c.var.log.caller.startsWith('oauth:'))
    c.res = await insufficientScope(c)
}

const metadata = (c: AppContext) =>
  `resource_metadata="${c.var.site().origin}/.well-known/oauth-protected-resource/mcp"`

function unauthorized(c: AppContext) {
  const error = c.req.header('Authorization') === undefined ? '' : 'error="invalid_token", '
  return `Bearer ${error}${metadata(c)}, scope="${ADVERTISED_SCOPES.join(' ')}"`
}

/** A 403 that makes a host ask the owner for more: it names all the scopes that the host will then need. */
async function insufficientScope(c: AppContext) {
  const body = await c.res.text()
  const context = await c.var.context()
  const needed = APP_SCOPES.filter(
    (scope) => context.scopes.includes(scope) || body.includes(`"required_scope":"${scope}"`),
  )
  const headers = new Headers(c.res.headers)
  const challenge = `Bearer error="insufficient_scope", ${metadata(c)}, scope="${needed.join(' ')}"`
  headers.set('WWW-Authenticate', challenge)
  // Hono keeps the headers of the old response unless it is cleared first.
  c.res = undefined
  return new Response(body, { status: 403, headers })
}
