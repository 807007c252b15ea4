import type { AppContext } from '../../api/http/app-env.ts'
import { fromBase64url } from '../../core/crypto/encoding.ts'
import { documentClient, signingClient, isDocumentAddress } from './oauth-documents.ts'
import { type OAuthEnv, type ServerRole, withPlainResource, storeWith } from './oauth-server.ts'
import { enforceQuota } from './throttle.ts'

/** Whether an app is known by our copy of its document. */
export const isPinned = (clientId: string) => PINNED_CLIENTS.has(clientId)

/** Whether an app is known by a document that is fetched from the address it names. */
export const isFetched = (clientId: string) => isDocumentAddress(clientId) && !isPinned(clientId)

/** Finds the apps of a request: pinned, by their document, or registered. */
const finderOf =
  (c: AppContext): FindClient =>
  async (clientId) => {
    const pinned = PINNED_CLIENTS.get(clientId)
    if (pinned !== undefined) return pinned
    if (isDocumentAddress(clientId)) return documentClient(clientId, mayFetchOf(c))
    return registeredClient(c.env.OAUTH_KV, clientId)
  }

export const lookupEnv = (c: AppContext): OAuthEnv => ({
  OAUTH_KV: withClients(c.env.OAUTH_KV, finderOf(c)),
})

/** Each fetch of an address that a stranger named is counted for the address the request came from. */
const mayFetchOf = (c: AppContext) => () => enforceQuota(c, 'document')

const SIGNER = 'app-that-signs'

/** A request for tokens as the library gets it, which knows an app that signs under `SIGNER`. */
export function tokenRequest(
  c: AppContext,
  body: Uint8Array | undefined,
): { role: ServerRole; env: OAuthEnv; body: Uint8Array | string | undefined } {
  const { origin } = c.var.site()
  const sent = new URLSearchParams(new TextDecoder().decode(body))
  const form = withPlainResource(sent, origin)
  const { OAUTH_KV } = c.env
  const signer = signerOf(form, c.req.header('Authorization') ?? '')
  if (signer !== undefined) {
    form.set('client_id', SIGNER)
    const find: FindClient = async (id) =>
      id === SIGNER && isDocumentAddress(signer) ? signingClient(signer, mayFetchOf(c)) : undefined
    return {
      role: 'signing',
      env: { OAUTH_KV: withClients(OAUTH_KV, find) },
      body: form.toString(),
    }
  }
  const find: FindClient = async (id) => {
    const client = await finderOf(c)(id)
    const method: unknown = client && Reflect.get(client, 'tokenEndpointAuthMethod')
    return method === 'private_key_jwt' ? undefined : client
  }
  // Anyone can ask to revoke a token that never existed; that must not make a registration live longer.
  const renews = (form.get('grant_type') ?? '') !== ''
  const env = { OAUTH_KV: withClients(OAUTH_KV, find, { renews }) }
  const meant = form.toString()
  return { role: 'usual', env, body: meant === sent.toString() ? body : meant }
}

/** The id of an app that signs its request, as the library would read it; undefined if it does not sign. */
function signerOf(form: URLSearchParams, authorization: string): string | undefined {
  const [assertions, ids] = ['client_assertion', 'client_id'].map((name) =>
    form.getAll(name).filter((value) => value !== ''),
  )
  if (assertions?.length !== 1 || (ids?.length ?? 0) > 1 || /^basic\b/i.test(authorization))
    return undefined
  return ids?.[0] ?? issuerOf(assertions[0] ?? '')
}

function issuerOf(jwt: string): string | undefined {
  try {
    const claims = new TextDecoder().decode(fromBase64url(jwt.split('.')[1] ?? ''))
    const { iss } = JSON.parse(claims) as { iss?: unknown }
    return typeof iss === 'string' && iss !== '' ? iss : undefined
  } catch {
    return undefined
  }
}

type FindClient = (clientId: string) => Promise<object | undefined>

const CLIENT = 'client:'

/** The store of the OAuth server. `find` looks up each app once; a renewal that fails breaks nothing. */
function withClients(kv: KVNamespace, find: FindClient, { renews = true } = {}): KVNamespace {
  const found = new Map<string, Promise<object | undefined>>()
  const once = (clientId: string): Promise<object | undefined> => {
    const known = found.get(clientId) ?? find(clientId)
    found.set(clientId, known)
    return known
  }
  return storeWith(kv, async (method, args, call) => {
    const clientId = clientIdIn(args[0])
    if (clientId === undefined) return call(args)
    if (method === 'get') return (await once(clientId)) ?? null
    if (method !== 'put') return call(args)
    if (renews) await call(args).catch(() => {})
    return undefined
  })
}

/** The id of the app that this key of the store is about. */
const clientIdIn = (key: unknown) =>
  typeof key === 'string' && key.startsWith(CLIENT) ? key.slice(CLIENT.length) : undefined

const REGISTERED = /^[\w-]{1,64}$/

const registeredClient = async (kv: KVNamespace, clientId: string): Promise<object | undefined> =>
  REGISTERED.test(clientId)
    ? ((await kv.get<object>(CLIENT + clientId, 'json')) ?? undefined)
    : undefined

const PUBLIC = {
  grantTypes: ['authorization_code', 'refresh_token'],
  responseTypes: ['code'],
  tokenEndpointAuthMethod: 'none',
}

const pinned = (clientId: string, clientName: string, clientUri: string, redirectUris: string[]) =>
  [clientId, { clientId, clientName, clientUri, redirectUris, ...PUBLIC }] as const

/** Documents of well-known hosts, as of autumn 2026: some refuse a fetch. Loopback matches any port. */
const PINNED_CLIENTS: ReadonlyMap<string, ReturnType<typeof pinned>[1]> = new Map([
  pinned('https://claude.ai/oauth/mcp-oauth-client-metadata', 'Claude', 'https://claude.ai', [
    'https://claude.ai/api/mcp/auth_callback',
    'https://claude.com/api/mcp/auth_callback',
  ]),
  pinned(
    'https://claude.ai/oauth/claude-code-client-metadata',
    'Claude Code',
    'https://claude.ai',
    ['http://localhost/callback', 'http://127.0.0.1/callback'],
  ),
  pinned('https://chatgpt.com/oauth/client.json', 'ChatGPT', 'https://chatgpt.com', [
    'https://chatgpt.com/connector_platform_oauth_redirect',
  ]),
])
