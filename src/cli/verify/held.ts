import { sha256Bytes } from '../../core/crypto/encoding.ts'
import { leafHash, provesInclusion } from '../../core/domain/audit/merkle-tree.ts'
import {
  type Checkpoint,
  FormatError,
  base64,
  fromBase64,
  parseInclusionProof,
} from '../../core/domain/audit/signed-note.ts'
import {
  type CheckpointFault,
  type GoodCheckpoint,
  type Log,
  checkCheckpoint,
  readably,
} from './checkpoints.ts'
import { type PackFinding, bad, counted, dayOf, good, remark } from './report.ts'

/** Checks the checkpoint at the end of the pack, which has to cover all entries. */
export async function checkNewest(
  log: Log,
  text: string,
): Promise<[PackFinding, GoodCheckpoint | CheckpointFault]> {
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
          'Signed over exactly these ' +
            `${counted(size, 'entry', 'entries')}${reachOf(log, whole)}: none is missing, ` +
            'changed, added or in another place.',
        )
  return [finding, whole]
}

/** Checks the checkpoints and receipts that someone kept. */
export async function checkHeld(
  log: Log,
  held: readonly { name: string; text: string }[],
): Promise<{ findings: PackFinding[]; checkpoints: GoodCheckpoint[] }> {
  const findings: PackFinding[] = []
  const checkpoints: GoodCheckpoint[] = []
  for (const { name, text } of held) {
    const found = await (isReceipt(text)
      ? checkReceipt(log, text)
      : checkCheckpoint(log, noteIn(text)))
    if ('fault' in found)
      findings.push((found.isLost ? remark : bad)('Held', `${name} ${found.fault}.`))
    else {
      checkpoints.push(found)
      const first = counted(found.size, 'entry is', 'entries are')
      findings.push(
        good(
          'Held',
          `${name}: the first ${first} unchanged since it was made${reachOf(log, found)}.`,
        ),
      )
    }
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
function noteIn(text: string): string {
  if (text.length > LONGEST_MAIL) return text
  const [, origin, size, root, signed = ''] = NOTE_IN_MAIL.exec(text) ?? []
  const signatures = [...signed.matchAll(/—\s+(\S+)\s+(\S+)/gu)].map(
    ([, name, blob]) => `— ${name} ${blob}\n`,
  )
  return signatures.length === 0 ? text : `${origin}\n${size}\n${root}\n\n${signatures.join('')}`
}

function reachOf(log: Log, { size }: Checkpoint): string {
  const last = size === 0 ? undefined : log.leafAt(size - 1)
  return last ? `, the last of ${dayOf(last.at)}` : ''
}

/** Whether a text is meant as a receipt: the JSON that the connector answers, or only its proof. */
export const isReceipt = (text: string): boolean => /^\s*\{|^c2sp\.org\/tlog-proof/.test(text)

/** A receipt is a checkpoint in someone's hands, and a proof that one entry is below it. */
export const checkReceipt = (log: Log, text: string): Promise<GoodCheckpoint | CheckpointFault> =>
  readably(async () => {
    const { proof, leaf } = receiptFrom(text)
    const { index, hashes, note } = parseInclusionProof(proof)
    const found = await checkCheckpoint(log, note)
    if ('fault' in found) return found
    const hash = log.hashes[index]
    const isSame =
      hash !== undefined &&
      (leaf === undefined || base64(await leafHash(sha256Bytes, leaf)) === base64(hash)) &&
      (await provesInclusion(sha256Bytes, hashes, hash, index, found))
    return isSame ? found : { fault: `does not match entry ${index} of the pack` }
  })

function receiptFrom(text: string): { proof: string; leaf?: Uint8Array } {
  if (text.startsWith('c2sp')) return { proof: text }
  let said: Record<string, unknown>
  try {
    said = JSON.parse(text) as Record<string, unknown>
  } catch {
    throw new FormatError('a receipt is not JSON')
  }
  const { proof, leaf } = said
  if (typeof proof !== 'string' || typeof leaf !== 'string')
    throw new FormatError('a receipt lacks its entry or its proof')
  return { proof, leaf: fromBase64(leaf) }
}
