import { BoundedMap } from '../domain/bounded-map.ts'
import { type DocumentClient, clientOf, isPublicKeySet } from './oauth-documents.ts'
import { MINUTE, SECOND } from '../domain/duration.ts'
import { abortedAfter } from '../domain/within.ts'

const MOST_BYTES = 5 * 1024
const DEADLINE = 5 * SECOND

/** A login takes several steps that all need the document; a valid one is cached for as long as a login. */
const REMEMBERED_FOR = 2 * MINUTE
const MOST_REMEMBERED = 32
const remembered = new BoundedMap<string, { value: object; until: number }>(MOST_REMEMBERED)

/**
 * The app that describes itself under an address, or undefined if nothing good is there. `mayFetch` is asked before each
 * fetch and raises when there were too many.
 */
export const documentClient = (
  address: string,
  mayFetch: () => Promise<void>,
): Promise<DocumentClient | undefined> => good(address, mayFetch, (value) => clientOf(address, value))

/** The same app with its keys read, so that nobody else need fetch them. */
export async function signingClient(
  address: string,
  mayFetch: () => Promise<void>,
): Promise<DocumentClient | undefined> {
  const client = await documentClient(address, mayFetch)
  const { jwksUri, algorithms } = client?.clientAssertionKeys ?? {}
  if (!client || jwksUri === undefined || algorithms === undefined) return client
  const jwks = await good(jwksUri, mayFetch, (value) => (isPublicKeySet(value) ? value : undefined), 'keys')
  return jwks && { ...client, clientAssertionKeys: { jwks, algorithms } }
}

/** What is good under an address: remembered for a while, else fetched and judged. */
async function good<T extends object>(
  address: string,
  mayFetch: () => Promise<void>,
  judge: (value: unknown) => T | undefined,
  kind = 'document',
): Promise<T | undefined> {
  const name = `${kind} ${address}`
  const known = remembered.get(name)
  // Each kind is written here alone, so it holds what its own judge has made.
  if (known && known.until > Date.now()) return known.value as T
  await mayFetch()
  const value = judge(await fetchJson(address))
  remembered.delete(name)
  if (value === undefined) return undefined
  remembered.set(name, { value, until: Date.now() + REMEMBERED_FOR })
  return value
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })
const IS_JSON = /^application\/(?:json|[\w.-]+\+json)$/

/**
 * The JSON under an address that a stranger named: one request, no redirect followed, and nothing but a short 200 that
 * says it is JSON. Undefined for anything else.
 */
async function fetchJson(address: string): Promise<unknown> {
  const exchange = async (signal: AbortSignal): Promise<unknown> => {
    const response = await fetch(address, {
      redirect: 'manual',
      headers: { Accept: 'application/json', 'User-Agent': 'consult-connector' },
      signal,
    })
    const type = (response.headers.get('Content-Type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
    if (response.status !== 200 || !IS_JSON.test(type)) {
      await response.body?.cancel()
      return undefined
    }
    return JSON.parse(decoder.decode(await shortBody(response)))
  }
  try {
    return await abortedAfter(DEADLINE, exchange)
  } catch {
    // No address, no connection, too late, too long, not JSON: it describes nothing.
    return undefined
  }
}

async function shortBody(response: Response): Promise<Uint8Array> {
  const bytes = new Uint8Array(MOST_BYTES)
  let length = 0
  for await (const chunk of response.body ?? []) {
    if (length + chunk.byteLength > MOST_BYTES) throw new RangeError('the document is too long')
    bytes.set(chunk, length)
    length += chunk.byteLength
  }
  return bytes.subarray(0, length)
}
