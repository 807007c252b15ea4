/**
 * Stands in for the kinds of key that `age-encryption` knows besides X25519, in the bundle (`[alias]` in wrangler.toml). A
 * backup is encrypted to an X25519 key alone, and the runtime computes that itself. Whatever else is called is refused.
 */
const refused = (): never => {
  throw new Error('this kind of key is left out of the bundle')
}

export const [MLKEM768P256, MLKEM768X25519, p256] = [{}, {}, {}]
export const scrypt = refused
/** The base point; it is all that is asked for where the runtime has X25519. */
export const x25519 = { GuBytes: Uint8Array.of(9, ...new Uint8Array(31)) }
