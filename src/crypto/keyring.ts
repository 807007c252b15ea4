import type { Keyring } from '../ports/index.ts'

const encoder = new TextEncoder()

/** RFC 4648 base64url without padding. */
export const base64url = (bytes: ArrayBuffer | Uint8Array): string =>
  btoa(String.fromCharCode(...(bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

const hex = (bytes: ArrayBuffer): string => {
  let text = ''
  for (const byte of new Uint8Array(bytes)) text += HEX[byte]!
  return text
}

/** SHA-256 in lower-case hex. */
export const sha256 = async (text: string): Promise<string> =>
  hex(await crypto.subtle.digest('SHA-256', encoder.encode(text)))

/** Whether two texts are equal, in a time that does not depend on where they differ. */
export function equalInConstantTime(a: string, b: string): boolean {
  let difference = a.length ^ b.length
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i % Math.max(1, b.length))
  return difference === 0
}

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
