import { hexOf } from '../domain/audit/signed-note.ts'
import type { Keyring } from '../ports/keyring.ts'

const encoder = new TextEncoder()

/**
 * What newer runtimes do themselves (workerd does, Node 24 does not):
 * https://tc39.es/proposal-arraybuffer-base64/spec/
 */
interface RuntimeEncoding {
  toBase64?(options: { alphabet: 'base64url'; omitPadding: true }): string
  toHex?(): string
}

/** RFC 4648 base64url without padding. */
export function base64url(bytes: ArrayBuffer | Uint8Array): string {
  const view: Uint8Array & RuntimeEncoding = new Uint8Array(bytes)
  return (
    view.toBase64?.({ alphabet: 'base64url', omitPadding: true }) ??
    btoa(String.fromCharCode(...view))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replace(/=+$/, '')
  )
}

/** The bytes of a base64url text. Throws on any other text. */
export const fromBase64url = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
    char.charCodeAt(0),
  )

/** The bytes in lower-case hex. */
export function hex(bytes: ArrayBuffer | Uint8Array): string {
  const view: Uint8Array & RuntimeEncoding = new Uint8Array(bytes)
  return view.toHex?.() ?? hexOf(view)
}

/** The bytes of a hex text; undefined for any other text. */
export const fromHex = (text: string): Uint8Array<ArrayBuffer> | undefined =>
  /^(?:[0-9a-f]{2})+$/i.test(text)
    ? Uint8Array.from(text.match(/../g)!, (byte) => Number.parseInt(byte, 16))
    : undefined

const digest = (data: string | Uint8Array): Promise<ArrayBuffer> =>
  crypto.subtle.digest(
    'SHA-256',
    typeof data === 'string' ? encoder.encode(data) : (data as Uint8Array<ArrayBuffer>),
  )

/** SHA-256 in lower-case hex. */
export const sha256 = async (data: string | Uint8Array) => hex(await digest(data))

/** SHA-256 in base64url. */
export const sha256Base64url = async (text: string) => base64url(await digest(text))

/** A secret as the key of an HMAC-SHA-256. */
export const hmacKey = (secret: Uint8Array, use: 'sign' | 'verify') => {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  return crypto.subtle.importKey('raw', secret as Uint8Array<ArrayBuffer>, algorithm, false, [use])
}

/** The HMAC-SHA-256 of bytes under a secret. */
export const hmac = async (secret: Uint8Array, bytes: Uint8Array): Promise<Uint8Array> => {
  const key = await hmacKey(secret, 'sign')
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes as Uint8Array<ArrayBuffer>))
}

/** Random bytes in base64url; 256 bits unless another length is asked for. */
export const newToken = (bytes = 32) => base64url(crypto.getRandomValues(new Uint8Array(bytes)))

/** Compares two texts in a time that does not depend on where they differ. */
export function equalInConstantTime(a: string, b: string): boolean {
  let difference = a.length ^ b.length
  for (let i = 0; i < a.length; i++)
    difference |= a.charCodeAt(i) ^ b.charCodeAt(i % Math.max(1, b.length))
  return difference === 0
}

/** The first 132 bits of a MAC: long enough for an id that no one can guess. */
export const shortMac = async (keyring: Keyring, keyId: string, purpose: string, text: string) =>
  (await keyring.mac(keyId, purpose, text)).slice(0, 22)

/** The id of an event: a hash of its fact, so that a repeated fact is one event. A mock's id says so. */
export const eventId = async (fact: string, mode: 'mock' | 'live') =>
  `evt_${mode === 'mock' ? 'mock_' : ''}${(await sha256Base64url(fact)).slice(0, 22)}`
