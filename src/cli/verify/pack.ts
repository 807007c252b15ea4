import { type AuditLeaf, parseExactJson, parseLeaf } from '../../core/domain/audit/leaf.ts'
import { leafHash } from '../../core/domain/audit/merkle-tree.ts'
import { FormatError, fromBase64 } from '../../core/domain/audit/signed-note.ts'
import { counted } from '../../core/domain/plural.ts'
import { type Fields, isFields } from '../../core/json.ts'
import { type PackFinding, bad, good, numbersOf } from './report.ts'

/** An entry of a pack: its leaf, or only the hash of a leaf that was dropped. */
type PackEntry = { leaf: string } | { hash: Uint8Array }

/** One file with all entries of an audit log, before its content is checked. */
export interface Pack {
  origin: string
  /** The keys that the pack names. */
  vkeys: string[]
  madeAt: string
  /** The names of callers, which no signature covers. */
  names: ReadonlyMap<string, string>
  entries: PackEntry[]
  checkpoint: string
}

/** How every pack begins. */
const START = '{"pack":'

/** Whether a file is meant as a pack: one that begins otherwise is something else. */
export const isPack = (bytes: Uint8Array) =>
  new TextDecoder().decode(bytes.subarray(0, START.length)) === START

/** Reads a pack: JSON lines in one exact form. Throws `FormatError` with the number of the line. */
export function readPack(bytes: Uint8Array): Pack {
  const lines = linesOf(bytes)
  const [head = '', ...rest] = lines
  const header = at(0, () => headerFrom(head))
  const entries = rest.slice(0, header.size).map((line, i) => at(i + 1, () => entryFrom(line, i)))
  const [last = '', ...more] = rest.slice(header.size)
  const checkpoint = at(lines.length - 1, () => {
    const { checkpoint: note } = objectFrom(last)
    const isAlone = more.length === 0 && last === JSON.stringify({ checkpoint: note })
    if (typeof note !== 'string' || !isAlone)
      throw new FormatError('not the checkpoint, which has to be last')
    return note
  })
  return { ...header, entries, checkpoint }
}

function linesOf(bytes: Uint8Array): string[] {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new FormatError('The file is not UTF-8.')
  }
  if (!text.endsWith('\n')) throw new FormatError('The file breaks off: its last line has no end.')
  return text.slice(0, -1).split('\n')
}

/** Reads a line; an error then names the line, counted from 1. */
function at<T>(line: number, read: () => T): T {
  try {
    return read()
  } catch (thrown) {
    if (!(thrown instanceof FormatError)) throw thrown
    throw new FormatError(`Line ${line + 1}: ${thrown.message}.`)
  }
}

function objectFrom(line: string): Fields {
  let value: unknown
  let spelling: string
  try {
    value = parseExactJson(line)
    spelling = JSON.stringify(value)
  } catch {
    throw new FormatError('not JSON that all programs read alike, or nested too deeply')
  }
  if (!isFields(value)) throw new FormatError('not an object')
  // Each content has one spelling, so that no change can hide in another.
  if (spelling !== line) throw new FormatError('not in the form in which packs are written')
  return value
}

/** The fields of the head, in their order; others may follow. */
const HEAD = ['pack', 'origin', 'vkeys', 'size', 'made_at', 'callers']

function headerFrom(
  line: string,
): Pick<Pack, 'origin' | 'vkeys' | 'madeAt' | 'names'> & { size: number } {
  const head = objectFrom(line)
  const { pack, origin, vkeys, size, made_at, callers } = head
  if (pack !== 1) throw new FormatError('not the first line of a pack that this verifier knows')
  if (
    Object.keys(head).slice(0, HEAD.length).join() !== HEAD.join() ||
    typeof origin !== 'string' ||
    !Array.isArray(vkeys) ||
    !vkeys.every((one) => typeof one === 'string') ||
    typeof size !== 'number' ||
    !Number.isSafeInteger(size) ||
    size < 0 ||
    typeof made_at !== 'string' ||
    !Array.isArray(callers)
  )
    throw new FormatError('the head of the pack lacks a field, or has it elsewhere')
  const names = (callers as (Fields | null)[]).map((one): [string, string] => {
    const { caller, name, from, until } = one ?? {}
    const end = typeof until === 'string' ? ` until ${until}` : ' on'
    return [
      spelled(caller),
      `${spelled(name)}${typeof from === 'string' ? `, from ${from}${end}` : ''}`,
    ]
  })
  return { origin, vkeys, size, madeAt: made_at, names: new Map(names) }
}

/** A text as it is; any other value as JSON. */
const spelled = (value: unknown) =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null)

function entryFrom(line: string, i: number): PackEntry {
  const { leaf, hash } = objectFrom(line)
  if (typeof leaf === 'string' && line === JSON.stringify({ i, leaf })) return { leaf }
  if (typeof hash === 'string' && line === JSON.stringify({ i, hash })) {
    const digest = fromBase64(hash)
    if (digest.length === 32) return { hash: digest }
  }
  throw new FormatError(`not entry ${i}: one is missing, stands twice, or in another place`)
}

/** A leaf with its index in the log. */
export type NumberedLeaf = { i: number; leaf: AuditLeaf }

const AT_ONCE = 2000

/** Reads the leaves of a pack; finds leaves that are not in canonical form or are there twice. */
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
  const all = counted(entries.length, 'entry')
  const findings = [
    ...(wrong.length > 0
      ? [bad('Entries', `Not in the one form of an entry: ${numbersOf(wrong)}.`)]
      : []),
    ...(twice.length > 0
      ? [bad('Entries', `There already under another number: ${numbersOf(twice)}.`)]
      : []),
  ]
  if (findings.length === 0)
    findings.push(good('Entries', `${all}, numbered from 0 without a gap, none twice.`))
  return { leaves, findings }
}

function leafFrom(text: string): AuditLeaf | undefined {
  try {
    return parseLeaf(text)
  } catch (thrown) {
    if (thrown instanceof FormatError) return undefined
    throw thrown
  }
}

/** The hash of each entry in the tree. */
export async function hashesOf({ entries }: Pack): Promise<Uint8Array[]> {
  const encoder = new TextEncoder()
  const hashOf = async (entry: PackEntry) =>
    'hash' in entry ? entry.hash : leafHash(encoder.encode(entry.leaf))
  const hashes: Uint8Array[] = []
  for (let from = 0; from < entries.length; from += AT_ONCE)
    hashes.push(...(await Promise.all(entries.slice(from, from + AT_ONCE).map(hashOf))))
  return hashes
}
