import { type NoteKey, formatNote, formatVkey, noteKeyId } from '../domain/signed-note.ts'
import type { Keyring, Signer } from '../ports/index.ts'
import { sha256Bytes } from './encoding.ts'

/** A key that signs notes under a name. */
interface SigningNoteKey extends NoteKey, Pick<Signer, 'sign'> {}

/** The key of each listed secret under a name, today's first. */
export const noteKeys = (keyring: Keyring, name: string): Promise<SigningNoteKey[]> =>
  Promise.all(
    keyring.ids.map(async (id) => {
      const { publicKey, sign } = await keyring.signer(id)
      return { name, keyId: await noteKeyId(sha256Bytes, name, publicKey), publicKey, sign }
    }),
  )

/** The public halves as C2SP vkeys. */
export const vkeysOf = (keys: readonly NoteKey[]): string[] => keys.map(formatVkey)

/** A note signed by all of these keys: while a secret is replaced, whoever knows one of them can check it. */
export async function signedNote(keys: readonly SigningNoteKey[], text: string): Promise<string> {
  const signatures = await Promise.all(
    keys.map(async ({ name, keyId, sign }) => ({ name, keyId, signature: await sign(text) })),
  )
  return formatNote({ text, signatures })
}
