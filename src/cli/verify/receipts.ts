import { sha256Bytes } from '../../crypto/encoding.ts'
import { leafHash, provesInclusion } from '../../domain/audit/merkle-tree.ts'
import { FormatError, base64, fromBase64, parseInclusionProof } from '../../domain/audit/signed-note.ts'
import {
  type CheckpointFault,
  type GoodCheckpoint,
  type Log,
  checkCheckpoint,
  readably,
} from './checkpoints.ts'

/** Whether a text is meant as a receipt: the JSON that the connector answers, or only its proof. */
export const isReceipt = (text: string): boolean => /^\s*\{|^c2sp\.org\/tlog-proof/.test(text)

/** A receipt is a checkpoint in somebody's hands, and a proof that one entry is below it. */
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
