import { type NoteKey, type SignedNote, signaturesBy } from '../domain/signed-note.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** Whether a note has a good signature by a key, a wrong one that bears its name, or none. */
export async function signatureBy(note: SignedNote, key: NoteKey): Promise<'good' | 'wrong' | 'none'> {
  const signatures = signaturesBy(note, key)
  if (signatures.length === 0) return 'none'
  const text = new TextEncoder().encode(note.text)
  const known = await crypto.subtle.importKey('raw', key.publicKey as Bytes, 'Ed25519', false, ['verify'])
  for (const signature of signatures)
    if (!(await crypto.subtle.verify('Ed25519', known, signature as Bytes, text))) return 'wrong'
  return 'good'
}
