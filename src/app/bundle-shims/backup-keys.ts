/**
 * Replaces what `age-encryption` brings along for passphrases, for keys of other kinds than X25519, and for
 * runtimes whose WebCrypto has no X25519 (`[alias]` in wrangler.toml). BACKUP_RECIPIENT is an X25519 key: its
 * schema refuses every other. Workers have X25519.
 */
const unused = {}

/** The base point of the curve, as bytes: RFC 7748, section 6.1. */
const x25519 = { GuBytes: Uint8Array.of(9, ...new Uint8Array(31)) }

export {
  x25519,
  unused as MLKEM768P256,
  unused as MLKEM768X25519,
  unused as p256,
  unused as scrypt,
}
