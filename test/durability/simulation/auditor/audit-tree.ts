import { createHash } from 'node:crypto'

import type { Checkpoint } from '../../../../src/core/domain/audit/signed-note.ts'
import type { KeptLeaf } from '../../../../src/core/ports/audit.ts'
import type { Ledger } from './ledger.ts'

/** What a checkpoint says of the tree. */
export type Signed = Pick<Checkpoint, 'size' | 'root'>

const sha = (...parts: readonly (string | Uint8Array)[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
const LEAF = Uint8Array.of(0)
const NODE = Uint8Array.of(1)

/** The tree is what every checkpoint says that was ever made: its first leaves still have that root. */
export function judgeTree(
  report: Ledger['report'],
  leaves: readonly KeptLeaf[],
  signed: readonly Signed[],
): void {
  const gap = leaves.findIndex(({ i }, at) => i !== at)
  if (gap >= 0) return report('I35', `entry ${gap} is numbered ${leaves[gap]!.i}`)
  const texts = leaves.flatMap((one) => ('leaf' in one ? [one.leaf] : []))
  if (new Set(texts).size < texts.length) return report('I35', 'an entry is in the audit log twice')
  const dropped = leaves.findLast((one) => 'hash' in one)?.i ?? -1
  const said = texts.filter((text) => text.includes('"event":"retention"')).map(droppedBelowIn)
  if (said.every((below) => below <= dropped) && dropped >= 0)
    return report('I35', `entry ${dropped} was dropped, and no entry says so`)
  const root = rootsOf(
    leaves.map((one) => ('leaf' in one ? sha(LEAF, one.leaf) : Buffer.from(one.hash, 'base64'))),
  )
  for (const { size, root: was } of signed) {
    if (size > leaves.length)
      return report('I35', `${size} entries were signed, and there are ${leaves.length}`)
    if (!root(0, size).equals(was))
      return report('I35', `the first ${size} entries are not those signed`)
  }
}

const droppedBelowIn = (leaf: string): number =>
  (JSON.parse(leaf) as { about: { dropped_below: number } }).about.dropped_below

/** RFC 6962, section 2.1, as it stands there; what is computed is kept for the next root. */
function rootsOf(hashes: readonly Buffer[]): (from: number, count: number) => Buffer {
  const known = new Map<string, Buffer>()
  return function root(from, count): Buffer {
    if (count === 0) return sha()
    if (count === 1) return hashes[from]!
    const name = `${from} ${count}`
    const half = 2 ** (Math.ceil(Math.log2(count)) - 1)
    const hash: Buffer =
      known.get(name) ?? sha(NODE, root(from, half), root(from + half, count - half))
    known.set(name, hash)
    return hash
  }
}
