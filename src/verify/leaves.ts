import { sha256Bytes } from '../crypto/encoding.ts'
import { type AuditLeaf, KEPT_EVENTS, parseLeaf } from '../domain/audit-leaf.ts'
import { leafHash } from '../domain/merkle-tree.ts'
import { FormatError } from '../domain/signed-note.ts'
import type { Pack, PackEntry } from './pack.ts'
import { type PackFinding, bad, counted, dayOf, good, remark, numbersOf } from './report.ts'

/** A leaf with its number. */
export interface NumberedLeaf {
  i: number
  leaf: AuditLeaf
}

/** So many leaves are hashed at once. */
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

/** The first entry that retention has not dropped; some older ones are kept for their public keys. */
export const firstKept = (leaves: readonly NumberedLeaf[]): NumberedLeaf | undefined =>
  leaves.find(({ leaf }) => !KEPT_EVENTS.includes(leaf.event))

/** Retention drops a prefix. Whatever else is there only as its hash was hidden. */
export function checkDropped({ entries }: Pack, leaves: readonly NumberedLeaf[]): PackFinding {
  const dropped = [...entries.keys()].filter((i) => 'hash' in entries[i]!)
  if (dropped.length === 0) return good('Dropped', 'No entry was dropped.')
  const first = firstKept(leaves)
  const hidden = dropped.filter((i) => first && i > first.i)
  if (hidden.length > 0)
    return bad(
      'Dropped',
      `Only the hash is left of entries that are younger than one that was kept: ${numbersOf(hidden)}.`,
    )
  const since = first ? `. All are there from entry ${first.i} on, of ${dayOf(first.leaf.at)}` : ''
  const oldest = counted(dropped.length, 'entry is', 'entries are')
  return remark('Dropped', `The oldest ${oldest} there only as a hash${since}.`)
}
