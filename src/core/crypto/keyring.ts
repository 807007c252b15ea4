import { type NoteKey, formatNote, formatVkey, noteKeyId } from '../domain/audit/signed-note.ts'
import type { Keyring, Signer } from '../ports/keyring.ts'
import { base64url, fromBase64url, sha256 } from './encoding.ts'

const encoder = new TextEncoder()
const NONCE_BYTES = 12
/** The bytes before the seed of an Ed25519 key in PKCS#8 (RFC 8410). */
const PKCS8_ED25519 = fromBase64url('MC4CAQAwBQYDK2VwBCIEIA')

/** The keyring of the signing secrets, the current one first, with a key for each purpose (RFC 5869). */
export async function openKeyring(secrets: readonly [string, ...string[]]): Promise<Keyring> {
  const masters = new Map<string, CryptoKey>()
  for (const secret of secrets) {
    const id = (await sha256(`key id|${secret}`)).slice(0, 8)
    const bytes = encoder.encode(secret)
    masters.set(
      id,
      await crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveKey', 'deriveBits']),
    )
  }
  const derived = new Map<string, Promise<CryptoKey>>()
  const ids = [...masters.keys()]

  const masterOf = (id: string): CryptoKey => {
    const master = masters.get(id)
    if (!master) throw new RangeError('no signing secret has this id')
    return master
  }

  const derive = (id: string, purpose: string, use: 'mac' | 'seal' = 'mac'): Promise<CryptoKey> => {
    // The prefix keeps the key of a seal apart from that of a hash with the same purpose.
    const name = use === 'mac' ? purpose : `seal|${purpose}`
    const slot = `${id}|${name}`
    const known = derived.get(slot)
    if (known) return known
    const [type, usages] = KEYS[use]
    const key = crypto.subtle.deriveKey(hkdf(name), masterOf(id), type, false, [...usages])
    derived.set(slot, key)
    return key
  }

  const signers = new Map<string, Promise<Signer>>()
  const current = ids[0]!

  return {
    current,
    ids,
    mac: async (id, purpose, text) =>
      base64url(await crypto.subtle.sign('HMAC', await derive(id, purpose), encoder.encode(text))),
    async seal(purpose, owner, text) {
      const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
      const algorithm = { name: 'AES-GCM', iv, additionalData: encoder.encode(owner) }
      const key = await derive(current, purpose, 'seal')
      const sealed = await crypto.subtle.encrypt(algorithm, key, encoder.encode(text))
      return `${current}.${base64url(iv)}.${base64url(sealed)}`
    },
    async open(purpose, owner, sealed) {
      const [id = '', iv = '', bytes = ''] = sealed.split('.')
      if (!masters.has(id)) return undefined
      const algorithm = {
        name: 'AES-GCM',
        iv: fromBase64url(iv),
        additionalData: encoder.encode(owner),
      }
      const key = await derive(id, purpose, 'seal')
      try {
        return new TextDecoder().decode(
          await crypto.subtle.decrypt(algorithm, key, fromBase64url(bytes)),
        )
      } catch {
        return undefined
      }
    },
    async signer(id) {
      const signer = signers.get(id) ?? signerOf(masterOf(id))
      signers.set(id, signer)
      return signer
    },
  }
}

const KEYS = {
  mac: [{ name: 'HMAC', hash: 'SHA-256', length: 256 }, ['sign']],
  seal: [{ name: 'AES-GCM', length: 256 }, ['encrypt', 'decrypt']],
} as const

const hkdf = (purpose: string) => ({
  name: 'HKDF',
  hash: 'SHA-256',
  salt: new Uint8Array(0),
  info: encoder.encode(`consult-connector|v1|${purpose}`),
})

/** The Ed25519 key of the audit log; its seed is derived from the secret. */
async function signerOf(master: CryptoKey): Promise<Signer> {
  const seed = await crypto.subtle.deriveBits(hkdf('audit-log-ed25519'), master, 256)
  const pkcs8 = Uint8Array.of(...PKCS8_ED25519, ...new Uint8Array(seed))
  // The key is extractable, since only its export has the public key.
  const key = await crypto.subtle.importKey('pkcs8', pkcs8, 'Ed25519', true, ['sign'])
  const { x = '' } = (await crypto.subtle.exportKey('jwk', key)) as JsonWebKey
  return {
    publicKey: fromBase64url(x),
    sign: async (text) =>
      new Uint8Array(await crypto.subtle.sign('Ed25519', key, encoder.encode(text))),
  }
}

type SigningNoteKey = NoteKey & Pick<Signer, 'sign'>

/** The audit-log key of each signing secret under a name, the current one first. */
export const noteKeys = (keyring: Keyring, name: string): Promise<SigningNoteKey[]> =>
  Promise.all(
    keyring.ids.map(async (id) => {
      const { publicKey, sign } = await keyring.signer(id)
      return { name, keyId: await noteKeyId(name, publicKey), publicKey, sign }
    }),
  )

/** The public keys as C2SP vkeys. */
export const vkeysOf = (keys: readonly NoteKey[]) => keys.map(formatVkey)

/** Signs a note with all of these keys, so that a verifier who knows one of them can check it. */
export async function signedNote(keys: readonly SigningNoteKey[], text: string): Promise<string> {
  const signatures = await Promise.all(
    keys.map(async ({ name, keyId, sign }) => ({ name, keyId, signature: await sign(text) })),
  )
  return formatNote({ text, signatures })
}
