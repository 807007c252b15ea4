import type { AuditLeaf } from '../../core/domain/audit/leaf.ts'
import type { MerkleTree } from '../../core/domain/audit/merkle-tree.ts'
import {
  type Checkpoint,
  FormatError,
  type NoteKey,
  type SignedNote,
  base64,
  parseCheckpoint,
  parseNote,
  signaturesBy,
} from '../../core/domain/audit/signed-note.ts'

/** The log that a pack holds, as far as checkpoints are checked against it. */
export interface Log {
  origin: string
  hashes: readonly Uint8Array[]
  tree: MerkleTree
  /** Every key that this log is said to have had. */
  keys: readonly NoteKey[]
  /** The leaf with this number; undefined where only its hash is left. */
  leafAt(i: number): AuditLeaf | undefined
}

/** A checkpoint that is good: the entries below it are those of the pack, and these keys signed it. */
export interface GoodCheckpoint extends Checkpoint {
  signedBy: NoteKey[]
}

/** Why a text is no good checkpoint; continues a sentence about it. */
export interface CheckpointFault {
  fault: string
  /** It is of entries that a restore has lost, which proves nothing against the log. */
  isLost?: boolean
}

/** Checks one signed note against the entries of the pack. */
export const checkCheckpoint = (
  log: Log,
  text: string,
): Promise<GoodCheckpoint | CheckpointFault> =>
  readably(async () => {
    const signed = parseNote(text)
    const checkpoint = parseCheckpoint(signed.text, log.origin)
    const { size, root } = checkpoint
    const signedBy: NoteKey[] = []
    for (const key of log.keys) {
      const signature = await signatureBy(signed, key)
      if (signature === 'wrong') return { fault: 'has a signature that is wrong' }
      if (signature === 'good') signedBy.push(key)
    }
    if (signedBy.length === 0) return { fault: 'is not signed by a key of this log' }
    if (size <= log.hashes.length && base64(await log.tree.root(size)) === base64(root))
      return { ...checkpoint, signedBy }
    const lostAt = log.hashes.findIndex((_hash, i) => {
      const leaf = log.leafAt(i)
      return leaf?.event === 'restored' && Number(leaf.about?.['size']) < size
    })
    if (lostAt !== -1)
      return {
        fault: `is of the part that was lost at entry ${lostAt}, when the log was restored`,
        isLost: true,
      }
    if (size > log.hashes.length)
      return {
        fault: `covers ${size} entries, and the pack has ${log.hashes.length}: some were removed`,
      }
    return { fault: 'does not match the entries: some were changed, removed, added or reordered' }
  })

/** Whether a note has a good signature by a key, a wrong one that bears its name, or none. */
export async function signatureBy(
  note: SignedNote,
  key: NoteKey,
): Promise<'good' | 'wrong' | 'none'> {
  const signatures = signaturesBy(note, key)
  if (signatures.length === 0) return 'none'
  const text = new TextEncoder().encode(note.text)
  const known = await crypto.subtle.importKey(
    'raw',
    key.publicKey as Uint8Array<ArrayBuffer>,
    'Ed25519',
    false,
    ['verify'],
  )
  for (const signature of signatures)
    if (!(await crypto.subtle.verify('Ed25519', known, signature as Uint8Array<ArrayBuffer>, text)))
      return 'wrong'
  return 'good'
}

/** Does what reads a text of others; that it is not in its form is a fault like others. */
export async function readably(
  read: () => Promise<GoodCheckpoint | CheckpointFault>,
): Promise<GoodCheckpoint | CheckpointFault> {
  try {
    return await read()
  } catch (thrown) {
    if (!(thrown instanceof FormatError)) throw thrown
    return { fault: `is not in its form: ${thrown.message}` }
  }
}
