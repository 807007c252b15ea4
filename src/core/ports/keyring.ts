/** Keyed hashes and seals under the signing secrets; keys differ by `purpose` (HKDF). */
export interface Keyring {
  current: string
  /** The ids of all secrets that verify, today's first. */
  ids: readonly string[]
  /** HMAC-SHA-256 in base64url. Throws a RangeError for an id that is not listed. */
  mac(id: string, purpose: string, text: string): Promise<string>
  /** AES-256-GCM under today's secret, for this purpose and owner alone. It begins with the key id. */
  seal(purpose: string, owner: string, text: string): Promise<string>
  /** The sealed text; undefined if its secret is no longer listed, or it is not genuine. */
  open(purpose: string, owner: string, sealed: string): Promise<string | undefined>
  /** The key with which this secret signs the audit log. Throws a RangeError for an id that is not listed. */
  signer(id: string): Promise<Signer>
}

/** A key that signs with Ed25519, always the same bytes for the same text. */
export interface Signer {
  publicKey: Uint8Array
  sign(text: string): Promise<Uint8Array>
}
