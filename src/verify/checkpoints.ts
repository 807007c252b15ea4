import type { AuditLeaf } from '../domain/audit-leaf.ts'
import { type MerkleTree, provesInclusion } from '../domain/merkle-tree.ts'
import {
  type Checkpoint,
  FormatError,
  type NoteKey,
  base64,
  parseCheckpoint,
  parseInclusionProof,
  parseNote,
} from '../domain/signed-note.ts'
import type { PackAnchor } from './pack.ts'
import { type PackFinding, bad, counted, dayOf, good, remark } from './report.ts'
import { digestOf, signatureBy } from './signatures.ts'

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
interface Fault {
  fault: string
}

/** What was found, and the checkpoints that are good. */
interface Checked {
  findings: PackFinding[]
  checkpoints: GoodCheckpoint[]
}

/** Checks the checkpoint at the end of the pack, which has to cover all entries. */
export async function checkNewest(log: Log, text: string): Promise<[PackFinding, GoodCheckpoint | Fault]> {
  const size = log.hashes.length
  const found = await checkCheckpoint(log, text)
  const whole =
    'fault' in found || found.size === size
      ? found
      : { fault: `covers ${found.size} entries, and the pack has ${size}` }
  const finding =
    'fault' in whole
      ? bad('Checkpoint', `The one at the end of the pack ${whole.fault}.`)
      : good(
          'Checkpoint',
          `Signed over exactly these ${counted(size, 'entry', 'entries')}${reachOf(log, whole)}: none is missing, changed, added or in another place.`,
        )
  return [finding, whole]
}

/** Checks the checkpoints that left the house, as the pack has them. */
export async function checkAnchors(log: Log, anchors: readonly PackAnchor[]): Promise<Checked> {
  if (anchors.length === 0)
    return {
      findings: [remark('Anchors', 'There are none, so no anchor says how long these entries have been so.')],
      checkpoints: [],
    }
  const named = anchors.map(({ kind, at, note: text }, nth) => ({
    name: `Anchor ${nth + 1} (${kind}${at === null ? '' : `, ${dayOf(at)}`})`,
    text,
  }))
  return checkEach(log, 'Anchors', named)
}

/** Checks the checkpoints and receipts that somebody kept. */
export const checkHeld = (log: Log, held: readonly { name: string; text: string }[]): Promise<Checked> =>
  checkEach(log, 'Held', held)

async function checkEach(
  log: Log,
  check: string,
  texts: readonly { name: string; text: string }[],
): Promise<Checked> {
  const checked: Checked = { findings: [], checkpoints: [] }
  for (const { name, text } of texts) {
    const found = await (text.startsWith('c2sp.org/tlog-proof')
      ? checkReceipt(log, text)
      : checkCheckpoint(log, text))
    if ('fault' in found) checked.findings.push(bad(check, `${name} ${found.fault}.`))
    else {
      checked.checkpoints.push(found)
      const first = counted(found.size, 'entry is', 'entries are')
      checked.findings.push(
        good(check, `${name}: the first ${first} unchanged since it was made${reachOf(log, found)}.`),
      )
    }
  }
  return checked
}

const checkCheckpoint = (log: Log, text: string): Promise<GoodCheckpoint | Fault> =>
  readably(async () => {
    const signed = parseNote(text)
    const checkpoint = parseCheckpoint(signed.text, log.origin)
    const { size, root } = checkpoint
    if (size > log.hashes.length)
      return { fault: `covers ${size} entries, and the pack has ${log.hashes.length}: some were removed` }
    const signedBy: NoteKey[] = []
    for (const key of log.keys) {
      const signature = await signatureBy(signed, key)
      if (signature === 'wrong') return { fault: 'has a signature that is wrong' }
      if (signature === 'good') signedBy.push(key)
    }
    if (signedBy.length === 0) return { fault: 'is not signed by a key of this log' }
    if (base64(await log.tree.root(size)) !== base64(root))
      return { fault: 'does not match the entries: some were changed, removed, added or reordered' }
    return { ...checkpoint, signedBy }
  })

/** A receipt is a checkpoint in somebody's hands, and a proof that one entry is below it. */
const checkReceipt = (log: Log, text: string): Promise<GoodCheckpoint | Fault> =>
  readably(async () => {
    const { index, hashes, note: checkpoint } = parseInclusionProof(text)
    const found = await checkCheckpoint(log, checkpoint)
    if ('fault' in found) return found
    const leaf = log.hashes[index]
    return leaf && (await provesInclusion(digestOf, hashes, leaf, index, found))
      ? found
      : { fault: `does not match entry ${index} of the pack` }
  })

async function readably(read: () => Promise<GoodCheckpoint | Fault>): Promise<GoodCheckpoint | Fault> {
  try {
    return await read()
  } catch (thrown) {
    if (!(thrown instanceof FormatError)) throw thrown
    return { fault: `is not in its form: ${thrown.message}` }
  }
}

/** The day of the last entry below a checkpoint, in words. */
function reachOf(log: Log, { size }: Checkpoint): string {
  const last = size === 0 ? undefined : log.leafAt(size - 1)
  return last ? `, the last of ${dayOf(last.at)}` : ''
}
