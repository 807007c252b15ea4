import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'

import { Encrypter } from 'age-encryption'

import { noteKeys, openKeyring, signedNote } from '../../src/core/crypto/keyring.ts'
import {
  type BackupEnd,
  type BackupHead,
  backupHeadText,
  backupText,
} from '../../src/core/ports/backup.ts'

/** Writes lines as the file of a backup, as anyone can who knows the public half of the key. */
export async function encryptedTo(
  recipient: string,
  path: string,
  lines: readonly string[],
): Promise<string> {
  const age = new Encrypter()
  age.addRecipient(recipient)
  await writeFile(path, await age.encrypt(gzipSync(lines.map((line) => `${line}\n`).join(''))))
  return path
}

/**
 * The lines of a backup with this head and these lines between it and its end, signed under a signing secret: as a connector
 * with that secret would make it.
 */
export async function signedLines(
  secret: string,
  { note: _old, ...head }: BackupHead,
  between: readonly string[],
  end: BackupEnd['end'],
): Promise<string[]> {
  const keys = await noteKeys(await openKeyring([secret]), head.origin)
  const first = JSON.stringify({
    ...head,
    note: await signedNote(keys, backupHeadText(head.origin, head)),
  })
  const lines = [first, ...between]
  const sha256 = createHash('sha256')
    .update(lines.map((line) => `${line}\n`).join(''))
    .digest('hex')
  const signed = { ...end, made_at: head.made_at, sha256 }
  const note = await signedNote(keys, backupText(head.origin, signed))
  return [...lines, JSON.stringify({ end: signed, note })]
}
