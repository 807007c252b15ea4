import type { Keyring } from '../ports/keyring.ts'
import { base64url, sha256Base64url } from './encoding.ts'

/** Random bytes in base64url; 256 bits unless another length is asked for. */
export const newToken = (bytes = 32): string =>
  base64url(crypto.getRandomValues(new Uint8Array(bytes)))

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
export const eventId = async (fact: string, mode: 'mock' | 'live'): Promise<string> =>
  `evt_${mode === 'mock' ? 'mock_' : ''}${(await sha256Base64url(fact)).slice(0, 22)}`
