import { generateX25519Identity, identityToRecipient } from 'age-encryption'

import { type BackupKey, readBackupKey, writeBackupKey } from '../../src/cli/backup/key.ts'
import type { ChainedKey } from '../../src/core/domain/audit/signed-note.ts'

/** The keys by which the log of a connector signs, the newest first. */
export const vkeysAt = async (url: string): Promise<string[]> =>
  (await (await fetch(new URL('/audit/keys', url))).text()).trim().split('\n')

/** Every key by which that log has signed, each vouched for by those before it. */
export const chainAt = async (url: string): Promise<ChainedKey[]> => {
  const { keys } = (await (await fetch(new URL('/audit/key-chain', url))).json()) as {
    keys: ChainedKey[]
  }
  return keys
}

/**
 * A key of backups whose public half a connector can start with, before it has a log to be pinned. `pinTo` writes the key
 * file, as `npm run backup -- --new-key` does.
 */
export async function backupKeyAt(path: string) {
  const identity = await generateX25519Identity()
  return {
    identity,
    recipient: await identityToRecipient(identity),
    async pinTo(url: string): Promise<BackupKey> {
      await writeBackupKey(path, identity, (await vkeysAt(url))[0]!)
      return readBackupKey(path)
    },
  }
}
