import { parseExactJson } from '../../domain/audit/leaf.ts'
import { FormatError, fromBase64 } from '../../domain/audit/signed-note.ts'

/** An entry as it stands in a pack: its leaf, or only the hash of one that was dropped. */
export type PackEntry = { leaf: string } | { hash: Uint8Array }

/** A checkpoint that left the house. */
export interface PackAnchor {
  note: string
  size: number
  kind: string
  /** When it left, by the connector's own clock; epoch milliseconds. */
  at: number
  /** What came back. */
  proof: Uint8Array
}

/** One file with all entries of an audit log; what it says is not checked yet. */
export interface Pack {
  origin: string
  /** Every key of the log, in its own words. */
  vkeys: string[]
  madeAt: string
  /** What callers are called, by the connector's word alone. */
  names: ReadonlyMap<string, string>
  entries: PackEntry[]
  anchors: PackAnchor[]
  checkpoint: string
}

type Fields = Record<string, unknown>

/** Reads a pack, which is JSON lines in one exact form. Throws `FormatError`, with the number of the line. */
export function readPack(bytes: Uint8Array): Pack {
  const lines = linesOf(bytes)
  const [head = '', ...rest] = lines
  const header = at(0, () => headerFrom(head))
  const entries = rest.slice(0, header.size).map((line, i) => at(i + 1, () => entryFrom(line, i)))
  const [last = '', ...anchors] = rest.slice(header.size).reverse()
  const checkpoint = at(lines.length - 1, () => {
    const { checkpoint: note } = objectFrom(last)
    if (typeof note !== 'string' || last !== JSON.stringify({ checkpoint: note }))
      throw new FormatError('not the checkpoint, which has to be last')
    return note
  })
  return {
    ...header,
    entries,
    anchors: anchors.reverse().map((line, i) => at(header.size + 1 + i, () => anchorFrom(line))),
    checkpoint,
  }
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

/** Does what reads a line; an error then names the line, counted from 1. */
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
  if (typeof value !== 'object' || value === null) throw new FormatError('not an object')
  // The same content has one spelling, so that no change can hide in a second one.
  if (spelling !== line) throw new FormatError('not in the form in which packs are written')
  return value as Fields
}

/** The fields of the head, in their order; others may follow. */
const HEAD = ['pack', 'origin', 'vkeys', 'size', 'made_at', 'callers']

function headerFrom(line: string): Pick<Pack, 'origin' | 'vkeys' | 'madeAt' | 'names'> & { size: number } {
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
    return [spelled(caller), `${spelled(name)}${typeof from === 'string' ? `, from ${from}${end}` : ''}`]
  })
  return { origin, vkeys, size, madeAt: made_at, names: new Map(names) }
}

/** A text as it is; anything else as JSON has it. */
const spelled = (value: unknown): string =>
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

function anchorFrom(line: string): PackAnchor {
  const { size, note, kind, at: time, proof } = (objectFrom(line)['anchor'] ?? {}) as Fields
  if (
    typeof note !== 'string' ||
    typeof size !== 'number' ||
    typeof kind !== 'string' ||
    typeof time !== 'number' ||
    typeof proof !== 'string' ||
    line !== JSON.stringify({ anchor: { size, note, kind, at: time, proof } })
  )
    throw new FormatError('not an anchor')
  return { note, size, kind, at: time, proof: fromBase64(proof) }
}
