import { readUpTo } from '../../api/http/body.ts'
import { BoundedMap } from '../../core/domain/bounded-map.ts'
import { MINUTE, SECOND } from '../../core/domain/time/duration.ts'
import { type Fields, isFields, jsonIn } from '../../core/json.ts'
import { abortedAfter } from '../../core/with-timeout.ts'

const MOST_CHARACTERS = 512

/** Whether a client id is a document's address (draft-ietf-oauth-client-id-metadata-document, section 3). */
export function isDocumentAddress(clientId: string): boolean {
  if (clientId.length > MOST_CHARACTERS || clientId.includes('#') || !URL.canParse(clientId))
    return false
  const { protocol, href, username, password, pathname } = new URL(clientId)
  return (
    protocol === 'https:' &&
    href === clientId &&
    username === '' &&
    password === '' &&
    pathname !== '/'
  )
}

/** Whether a document vouches for a redirect URI: on its own host or a subdomain; a parent may be shared. */
export function speaksFor(documentAddress: string, redirectUri: string): boolean {
  const { hostname } = new URL(documentAddress)
  const redirect = new URL(redirectUri)
  if (redirect.protocol !== 'https:') return false
  return redirect.hostname === hostname || redirect.hostname.endsWith(`.${hostname}`)
}

const SIGNED = 'private_key_jwt'
const WITH_SECRET = ['client_secret_basic', 'client_secret_post', 'client_secret_jwt']
const ALGORITHMS = ['RS256', 'ES256']
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

const isText = (value: unknown): value is string => typeof value === 'string'

function textsOr(value: unknown, otherwise: string[]): string[] | undefined {
  if (value === undefined) return otherwise
  return Array.isArray(value) && value.every(isText) ? value : undefined
}

/** The part of an app at the OAuth server that a metadata document describes. */
type DocumentClient = NonNullable<ReturnType<typeof clientOf>>

/** The app that a document describes; undefined if it breaks a rule. Unused members are ignored. */
function clientOf(address: string, document: unknown) {
  if (!isFields(document) || document['client_id'] !== address) return undefined
  if ('client_secret' in document || 'client_secret_expires_at' in document) return undefined
  const { client_name: name, jwks } = document
  if (!isText(name) || name.trim() === '') return undefined
  if (jwks !== undefined && !isPublicKeySet(jwks)) return undefined
  const redirectUris = textsOr(document['redirect_uris'], []) ?? []
  // The library holds the one that a request uses to its rules: none that runs or reads something.
  if (redirectUris.length === 0 || !redirectUris.every((uri) => URL.canParse(uri))) return undefined
  const grantTypes = textsOr(document['grant_types'], ['authorization_code'])
  const responseTypes = textsOr(document['response_types'], ['code'])
  if (!grantTypes?.includes('authorization_code') || !responseTypes?.includes('code'))
    return undefined
  const keys = keysOf(document)
  const methods = methodsOf(document, keys !== undefined)
  if (methods[0] === undefined) return undefined
  return {
    clientId: address,
    clientName: name,
    redirectUris,
    grantTypes: grantTypes.filter(
      (type) => type === 'authorization_code' || type === 'refresh_token',
    ),
    responseTypes: ['code'],
    tokenEndpointAuthMethod: methods[0],
    tokenEndpointAuthMethods: methods,
    clientAssertionKeys: keys,
  }
}

/** A set of keys without any secret member. */
const isPublicKeySet = (value: unknown): value is { keys: Fields[] } =>
  isFields(value) &&
  Array.isArray(value['keys']) &&
  value['keys'].every((key) => isFields(key) && !PRIVATE_MEMBERS.some((member) => member in key))

/** How the app may authenticate here: without a secret, or by signing. Empty if it offers neither. */
function methodsOf(document: Fields, canSign: boolean): string[] {
  const preferred = document['token_endpoint_auth_method'] ?? 'none'
  if (!isText(preferred) || WITH_SECRET.includes(preferred)) return []
  const offered = textsOr(document['token_endpoint_auth_methods_supported'], [preferred]) ?? []
  if (document['token_endpoint_auth_method'] !== undefined && !offered.includes(preferred))
    return []
  return ['none', ...(canSign ? [SIGNED] : [])].filter((method) => offered.includes(method))
}

/** The keys by which the app signs, if it names exactly one place of them and an algorithm known here. */
function keysOf(
  document: Fields,
): { jwks?: object; jwksUri?: string; algorithms: string[] } | undefined {
  const { jwks, jwks_uri: jwksUri, token_endpoint_auth_signing_alg: algorithm } = document
  const offered =
    textsOr(document['token_endpoint_auth_signing_alg_values_supported'], ALGORITHMS) ?? []
  const algorithms = ALGORITHMS.filter(
    (one) => offered.includes(one) && (algorithm === undefined || algorithm === one),
  )
  if (algorithms.length === 0 || (jwks === undefined) === (jwksUri === undefined)) return undefined
  if (isPublicKeySet(jwks)) return jwks.keys.length > 0 ? { jwks, algorithms } : undefined
  return isText(jwksUri) && isDocumentAddress(jwksUri) ? { jwksUri, algorithms } : undefined
}

const MOST_BYTES = 5 * 1024
const DEADLINE = 5 * SECOND

/** A login takes several steps that all need the document; a valid one is cached for as long as a login. */
const REMEMBERED_FOR = 2 * MINUTE
const MOST_REMEMBERED = 32
const remembered = new BoundedMap<string, { document: unknown; until: number }>(MOST_REMEMBERED)

/** Asked before each fetch; raises where that is one too many. */
type MayFetch = () => Promise<void>

/** The app that describes itself under an address, if one does. Raises what `mayFetch` raises. */
export const documentClient = (
  address: string,
  mayFetch: MayFetch,
): Promise<DocumentClient | undefined> =>
  good(address, mayFetch, (value) => clientOf(address, value))

/** The same app with its keys read, so that the library fetches nothing. */
export async function signingClient(
  address: string,
  mayFetch: MayFetch,
): Promise<DocumentClient | undefined> {
  const client = await documentClient(address, mayFetch)
  const { jwksUri, algorithms } = client?.clientAssertionKeys ?? {}
  if (!client || jwksUri === undefined || algorithms === undefined) return client
  const jwks = await good(jwksUri, mayFetch, (value) => (isPublicKeySet(value) ? value : undefined))
  return jwks && { ...client, clientAssertionKeys: { jwks, algorithms } }
}

/** The value that `judge` makes of the document at an address; one that is good is cached for a while. */
async function good<T>(
  address: string,
  mayFetch: MayFetch,
  judge: (document: unknown) => T | undefined,
): Promise<T | undefined> {
  const known = remembered.get(address)
  if (known && known.until > Date.now()) return judge(known.document)
  await mayFetch()
  const document = await fetchJson(address)
  const value = judge(document)
  if (value === undefined) remembered.delete(address)
  else remembered.set(address, { document, until: Date.now() + REMEMBERED_FOR })
  return value
}

const IS_JSON = /^application\/(?:json|[\w.-]+\+json)$/

/** The JSON of a short 200 under an address that a stranger named, without redirects; else undefined. */
async function fetchJson(address: string): Promise<unknown> {
  const exchange = async (signal: AbortSignal): Promise<unknown> => {
    const response = await fetch(address, {
      redirect: 'manual',
      headers: { Accept: 'application/json', 'User-Agent': 'consult-connector' },
      signal,
    })
    const type =
      (response.headers.get('Content-Type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
    if (response.status !== 200 || !IS_JSON.test(type)) {
      await response.body?.cancel()
      return undefined
    }
    return jsonIn(await readUpTo(MOST_BYTES, response))
  }
  try {
    return await abortedAfter(DEADLINE, exchange)
  } catch {
    // No address, no connection, too late, too long: it describes nothing.
    return undefined
  }
}
