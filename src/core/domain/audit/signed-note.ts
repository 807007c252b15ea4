import { sha256Bytes } from './merkle-tree.ts'

/** The number of Ed25519 in C2SP signed-note, the only kind of signature here. */
const ED25519 = 1
const HASH_LENGTH = 32
const SEPARATOR = '\n\n'
const PROOF_HEAD = 'c2sp.org/tlog-proof@v1'

/** A text does not have its form. The message says what is wrong, and repeats none of the text. */
export class FormatError extends Error {}

function must(condition: boolean, message: string): asserts condition {
  if (!condition) throw new FormatError(message)
}

/** The name of a key, and the four bytes that a signature names it by. */
type KeyName = { name: string; keyId: Uint8Array }

/** A C2SP signed note. The signatures are of the text, which ends with a line break. */
export type SignedNote = { text: string; signatures: (KeyName & { signature: Uint8Array })[] }

export type NoteKey = KeyName & { publicKey: Uint8Array }

/** How many leaves the log of this origin has, and the root over them. */
export type Checkpoint = { origin: string; size: number; root: Uint8Array }

/** The proof of a receipt: a leaf is in the log, at this index, below the checkpoint in this signed note. */
type InclusionProof = { index: number; hashes: Uint8Array[]; note: string }

/** RFC 4648 base64, with padding. */
export const base64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes))

/** The bytes of a base64 text. Throws `FormatError` unless it is the canonical spelling. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  must(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text), 'not base64')
  const binary = atob(text)
  must(btoa(binary) === text, 'not canonical base64')
  return Uint8Array.from(binary, (char) => char.charCodeAt(0))
}

const hashFrom = (text: string): Uint8Array => {
  const bytes = fromBase64(text)
  must(bytes.length === HASH_LENGTH, 'not a SHA-256 digest')
  return bytes
}

function countFrom(text: string): number {
  must(
    /^(?:0|[1-9]\d{0,15})$/.test(text) && Number.isSafeInteger(Number(text)),
    'not a whole number',
  )
  return Number(text)
}

const isName = (name: string) => /^[^\s+\p{Cc}]+$/u.test(name)

// Line breaks are the only control characters in a note.
const isText = (text: string) => !/[^\P{Cc}\n]/u.test(text) && text.isWellFormed()

/** The note as text. */
export const formatNote = ({ text, signatures }: SignedNote) =>
  `${text}\n${signatures
    .map(
      ({ name, keyId, signature }) =>
        `— ${name} ${base64(Uint8Array.of(...keyId, ...signature))}\n`,
    )
    .join('')}`

/** Reads a note without checking its signatures. Throws `FormatError`. */
export function parseNote(note: string): SignedNote {
  must(isText(note), 'a note has a control character that is not a line break')
  const end = note.lastIndexOf(SEPARATOR)
  must(end > 0 && note.endsWith('\n'), 'a note has no signatures after a blank line')
  const lines = note.slice(end + SEPARATOR.length, -1).split('\n')
  const signatures = lines.map((line) => {
    const [, name = '', blob = ''] = /^— (\S+) (\S+)$/u.exec(line) ?? []
    must(isName(name), 'a signature of a note is not in its form')
    const bytes = fromBase64(blob)
    must(bytes.length > 4, 'a signature of a note is too short')
    return { name, keyId: bytes.slice(0, 4), signature: bytes.slice(4) }
  })
  return { text: note.slice(0, end + 1), signatures }
}

/** The four bytes by which signatures name a key (C2SP signed-note). */
export async function noteKeyId(name: string, publicKey: Uint8Array): Promise<Uint8Array> {
  const named = Uint8Array.of(...new TextEncoder().encode(`${name}\n`), ED25519, ...publicKey)
  return (await sha256Bytes(named)).slice(0, 4)
}

/** The bytes in lower-case hex. */
export const hexOf = (bytes: Uint8Array) =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** A public key as one line of text, a C2SP vkey. */
export const formatVkey = ({ name, keyId, publicKey }: NoteKey) =>
  `${name}+${hexOf(keyId)}+${base64(Uint8Array.of(ED25519, ...publicKey))}`

/** Reads a vkey. Throws `FormatError`, also if its id is not that of the key. */
export async function parseVkey(vkey: string): Promise<NoteKey> {
  const [, name = '', id = '', blob = ''] = /^([^+]+)\+([0-9a-f]{8})\+(\S+)$/u.exec(vkey) ?? []
  must(isName(name), 'a key is not in the form name+id+key')
  const [type, ...key] = fromBase64(blob)
  must(type === ED25519 && key.length === 32, 'a key is not an Ed25519 key')
  const publicKey = Uint8Array.from(key)
  const keyId = await noteKeyId(name, publicKey)
  must(hexOf(keyId) === id, 'the id of a key is not that of the key')
  return { name, keyId, publicKey }
}

/** The signatures of a note that claim to be by this key; its public key shows whether they are. */
export const signaturesBy = ({ signatures }: SignedNote, { name, keyId }: NoteKey): Uint8Array[] =>
  signatures
    .filter((one) => one.name === name && hexOf(one.keyId) === hexOf(keyId))
    .map(({ signature }) => signature)

export const formatCheckpoint = ({ origin, size, root }: Checkpoint) =>
  `${origin}\n${size}\n${base64(root)}\n`

/** Reads the text of a note as a checkpoint of this log, without extensions. Throws `FormatError`. */
export function parseCheckpoint(text: string, origin: string): Checkpoint {
  const lines = text.split('\n')
  must(lines.length === 4 && lines[3] === '', 'a checkpoint does not have three lines')
  const [found = '', size = '', root = ''] = lines
  must(found === origin, 'a checkpoint is not of this log')
  return { origin, size: countFrom(size), root: hashFrom(root) }
}

/** The proof of a receipt as text (`c2sp.org/tlog-proof@v1`), for a file `.tlog-proof`. */
export const formatInclusionProof = ({ index, hashes, note }: InclusionProof) =>
  [PROOF_HEAD, `index ${index}`, ...hashes.map(base64), '', note].join('\n')

/** Reads the text of a proof. Throws `FormatError`, also at extra data, which our proofs never have. */
export function parseInclusionProof(text: string): InclusionProof {
  const end = text.indexOf(SEPARATOR)
  must(end > 0, 'a proof has no checkpoint after a blank line')
  const [head, line = '', ...hashes] = text.slice(0, end).split('\n')
  must(head === PROOF_HEAD, 'a proof does not begin as one')
  const [, index = ''] = /^index (\S+)$/.exec(line) ?? []
  return {
    index: countFrom(index),
    hashes: hashes.map(hashFrom),
    note: text.slice(end + SEPARATOR.length),
  }
}

/**
 * A key of the audit log, as a C2SP vkey, and the note with which the keys that signed before it
 * vouch for it.
 */
export interface ChainedKey {
  vkey: string
  /** A C2SP signed note over `handOverText`, signed by every key that signed when this one was added. */
  note: string
}

/** The text by which the keys of a log vouch for another one. No checkpoint and no backup looks like it. */
export const handOverText = (origin: string, vkey: string) => `${origin}/log-key\n${vkey}\n`
