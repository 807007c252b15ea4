import type { AuditLeaf } from '../../core/domain/audit/leaf.ts'
import { type MerkleTree, leafHash, provesInclusion } from '../../core/domain/audit/merkle-tree.ts'
import {
  type Checkpoint,
  FormatError,
  type NoteKey,
  type SignedNote,
  base64,
  fromBase64,
  parseCheckpoint,
  parseInclusionProof,
  parseNote,
  signaturesBy,
} from '../../core/domain/audit/signed-note.ts'
import { counted } from '../../core/domain/plural.ts'
import { isFields, jsonIn } from '../../core/json.ts'
import { type PackFinding, bad, dayOf, good, remark } from './report.ts'

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

/** A text is no good checkpoint. The message says why; it continues a sentence about the text. */
class CheckpointFault extends Error {
  /** It is of entries that a restore has lost, which proves nothing against the log. */
  readonly isLost: boolean

  constructor(message: string, isLost = false) {
    super(message)
    this.isLost = isLost
  }
}

/** The fault that was thrown while a text of others was read; one that is not in its form has one, too. */
function faultIn(thrown: unknown): CheckpointFault {
  if (thrown instanceof CheckpointFault) return thrown
  if (!(thrown instanceof FormatError)) throw thrown
  return new CheckpointFault(`is not in its form: ${thrown.message}`)
}

/** Checks one signed note against the entries of the pack. Throws `CheckpointFault` or `FormatError`. */
async function checkCheckpoint(log: Log, text: string): Promise<GoodCheckpoint> {
  const signed = parseNote(text)
  const checkpoint = parseCheckpoint(signed.text, log.origin)
  const { size, root } = checkpoint
  const signedBy: NoteKey[] = []
  for (const key of log.keys) {
    const signature = await signatureBy(signed, key)
    if (signature === 'wrong') throw new CheckpointFault('has a signature that is wrong')
    if (signature === 'good') signedBy.push(key)
  }
  if (signedBy.length === 0) throw new CheckpointFault('is not signed by a key of this log')
  if (size <= log.hashes.length && base64(await log.tree.root(size)) === base64(root))
    return { ...checkpoint, signedBy }
  const lostAt = log.hashes.findIndex((_hash, i) => {
    const leaf = log.leafAt(i)
    return leaf?.event === 'restored' && Number(leaf.about?.['size']) < size
  })
  if (lostAt !== -1)
    throw new CheckpointFault(
      `is of the part that was lost at entry ${lostAt}, when the log was restored`,
      true,
    )
  throw new CheckpointFault(
    size > log.hashes.length
      ? `covers ${counted(size, 'entry')}, and the pack has ${log.hashes.length}: some were removed`
      : 'does not match the entries: some were changed, removed, added or reordered',
  )
}

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

/**
 * Checks the checkpoint at the end of the pack, which has to cover all entries; it is returned if
 * it is good.
 */
export async function checkNewest(
  log: Log,
  text: string,
): Promise<[PackFinding, GoodCheckpoint | undefined]> {
  const size = log.hashes.length
  try {
    const found = await checkCheckpoint(log, text)
    if (found.size !== size)
      throw new CheckpointFault(`covers ${counted(found.size, 'entry')}, and the pack has ${size}`)
    const finding = good(
      'Checkpoint',
      'Signed over exactly these ' +
        `${counted(size, 'entry')}${reachOf(log, found)}: none is missing, ` +
        'changed, added or in another place.',
    )
    return [finding, found]
  } catch (thrown) {
    const { message } = faultIn(thrown)
    return [bad('Checkpoint', `The one at the end of the pack ${message}.`), undefined]
  }
}

/** Checks the checkpoints and receipts that someone kept. */
export async function checkHeld(
  log: Log,
  held: readonly { name: string; text: string }[],
): Promise<{ findings: PackFinding[]; checkpoints: GoodCheckpoint[] }> {
  const findings: PackFinding[] = []
  const checkpoints: GoodCheckpoint[] = []
  for (const { name, text } of held)
    try {
      const found = await (isReceipt(text)
        ? checkReceipt(log, text)
        : checkCheckpoint(log, noteIn(text)))
      checkpoints.push(found)
      const are = found.size === 1 ? 'is' : 'are'
      const first = `the first ${counted(found.size, 'entry')} ${are}`
      findings.push(
        good('Held', `${name}: ${first} unchanged since it was made${reachOf(log, found)}.`),
      )
    } catch (thrown) {
      const { message, isLost } = faultIn(thrown)
      findings.push((isLost ? remark : bad)('Held', `${name} ${message}.`))
    }
  return { findings, checkpoints }
}

/** What is longer is no mail with a checkpoint, and is not searched for one. */
const LONGEST_MAIL = 100_000
const NOTE_IN_MAIL = /(\S{1,300})\s+(\d+)\s+(\S{43}=)\s+((?:—\s+\S+\s+\S+\s*)+)/u

/**
 * The checkpoint in a text that may be a mail: with a greeting, other line ends, and long lines
 * broken at their spaces. That loosens nothing, since what is signed is the one way to write it. A
 * text without one is given back.
 */
function noteIn(text: string) {
  if (text.length > LONGEST_MAIL) return text
  const [, origin, size, root, signed = ''] = NOTE_IN_MAIL.exec(text) ?? []
  const signatures = [...signed.matchAll(/—\s+(\S+)\s+(\S+)/gu)].map(
    ([, name, blob]) => `— ${name} ${blob}\n`,
  )
  return signatures.length === 0 ? text : `${origin}\n${size}\n${root}\n\n${signatures.join('')}`
}

function reachOf(log: Log, { size }: Checkpoint) {
  const last = size === 0 ? undefined : log.leafAt(size - 1)
  return last ? `, the last of ${dayOf(last.at)}` : ''
}

/** Whether a text is meant as a receipt: the JSON that the connector answers, or only its proof. */
const isReceipt = (text: string) => /^\s*\{|^c2sp\.org\/tlog-proof/.test(text)

/** A receipt is a checkpoint in someone's hands, and a proof that one entry is below it. */
async function checkReceipt(log: Log, text: string): Promise<GoodCheckpoint> {
  const { proof, leaf } = receiptFrom(text)
  const { index, hashes, note } = parseInclusionProof(proof)
  const found = await checkCheckpoint(log, note)
  const hash = log.hashes[index]
  const isSame =
    hash !== undefined &&
    (leaf === undefined || base64(await leafHash(leaf)) === base64(hash)) &&
    (await provesInclusion(hashes, hash, index, found))
  if (!isSame) throw new CheckpointFault(`does not match entry ${index} of the pack`)
  return found
}

function receiptFrom(text: string): { proof: string; leaf?: Uint8Array } {
  if (text.startsWith('c2sp')) return { proof: text }
  const receipt = jsonIn(text)
  if (!isFields(receipt)) throw new FormatError('a receipt is not an object of JSON')
  const { proof, leaf } = receipt
  if (typeof proof !== 'string' || typeof leaf !== 'string')
    throw new FormatError('a receipt lacks its entry or its proof')
  return { proof, leaf: fromBase64(leaf) }
}
