import { sha256Bytes } from '../../crypto/encoding.ts'
import { type AuditLeaf, parseLeaf } from '../../domain/audit/leaf.ts'
import { leafHash } from '../../domain/audit/merkle-tree.ts'
import { FormatError } from '../../domain/audit/signed-note.ts'
import type { Pack, PackEntry } from './pack.ts'
import { type PackFinding, bad, counted, good, numbersOf } from './report.ts'

export interface NumberedLeaf {
  i: number
  leaf: AuditLeaf
}

const AT_ONCE = 2000

/** Reads each leaf, in canonical form and none twice, and says what is wrong with them. */
export function readLeaves({ entries }: Pack): { leaves: NumberedLeaf[]; findings: PackFinding[] } {
  const leaves: NumberedLeaf[] = []
  const wrong: number[] = []
  const twice: number[] = []
  const seen = new Set<string>()
  for (const [i, entry] of entries.entries()) {
    if ('hash' in entry) continue
    const leaf = leafFrom(entry.leaf)
    if (!leaf) {
      wrong.push(i)
      continue
    }
    const identity = `${leaf.at}|${leaf.id}`
    if (seen.has(identity)) twice.push(i)
    seen.add(identity)
    leaves.push({ i, leaf })
  }
  const all = counted(entries.length, 'entry', 'entries')
  const findings = [
    ...(wrong.length > 0 ? [bad('Entries', `Not in the one form of an entry: ${numbersOf(wrong)}.`)] : []),
    ...(twice.length > 0 ? [bad('Entries', `There already under another number: ${numbersOf(twice)}.`)] : []),
  ]
  return {
    leaves,
    findings:
      findings.length > 0
        ? findings
        : [good('Entries', `${all}, numbered from 0 without a gap, none twice.`)],
  }
}

function leafFrom(text: string): AuditLeaf | undefined {
  try {
    return parseLeaf(text)
  } catch (thrown) {
    if (thrown instanceof FormatError) return undefined
    throw thrown
  }
}

/** What stands in the tree for each entry. */
export async function hashesOf({ entries }: Pack): Promise<Uint8Array[]> {
  const encoder = new TextEncoder()
  const hashOf = async (entry: PackEntry) =>
    'hash' in entry ? entry.hash : leafHash(sha256Bytes, encoder.encode(entry.leaf))
  const hashes: Uint8Array[] = []
  for (let from = 0; from < entries.length; from += AT_ONCE)
    hashes.push(...(await Promise.all(entries.slice(from, from + AT_ONCE).map(hashOf))))
  return hashes
}
