import type { Keyring } from '../ports/index.ts'
import { base64url, sha256 } from './encoding.ts'

const encoder = new TextEncoder()

/**
 * The keyring of the signing secrets, today's first. A key id is a prefix of the hash of its secret; each purpose has a
 * key of its own, derived by HKDF-SHA-256 (RFC 5869).
 */
export async function openKeyring(secrets: readonly [string, ...string[]]): Promise<Keyring> {
  const masters = new Map<string, CryptoKey>()
  for (const secret of secrets) {
    const id = (await sha256(`key id|${secret}`)).slice(0, 8)
    masters.set(
      id,
      await crypto.subtle.importKey('raw', encoder.encode(secret), 'HKDF', false, ['deriveKey']),
    )
  }
  const derived = new Map<string, Promise<CryptoKey>>()
  const ids = [...masters.keys()]

  const derive = (id: string, purpose: string): Promise<CryptoKey> => {
    const master = masters.get(id)
    if (!master) throw new RangeError('no signing secret has this id')
    const slot = `${id}|${purpose}`
    let key = derived.get(slot)
    if (!key) {
      const info = encoder.encode(`consult-connector|v1|${purpose}`)
      const algorithm = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(0), info }
      const hmac = { name: 'HMAC', hash: 'SHA-256', length: 256 }
      key = crypto.subtle.deriveKey(algorithm, master, hmac, false, ['sign'])
      derived.set(slot, key)
    }
    return key
  }

  return {
    current: ids[0]!,
    ids,
    mac: async (id, purpose, text) =>
      base64url(await crypto.subtle.sign('HMAC', await derive(id, purpose), encoder.encode(text))),
  }
}
