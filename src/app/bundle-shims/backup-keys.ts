/**
 * Replaces what `age-encryption` brings along for keys of other kinds than X25519 (`[alias]` in wrangler.toml).
 * BACKUP_RECIPIENT is an X25519 key: its schema refuses every other.
 */
const unused = {}

export { unused as MLKEM768P256, unused as MLKEM768X25519, unused as p256 }
