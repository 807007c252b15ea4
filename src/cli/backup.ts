import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { adminArguments, runCommand } from './admin-client.ts'
import { KEY_FILE, addBackupKey, addLogKeys } from './backup/file.ts'
import { CliError } from './cli-error.ts'
import { settingsFileIn } from './settings-file.ts'
import { PROJECT_ROOT } from './wrangler.ts'

const USAGE = `Usage:
  npm run backup -- --new-key [--key <file>]   makes the key of your backups; its secret half stays on this machine
  npm run backup -- [--out <folder>]           gets a backup of now, encrypted to that key
Options for both: --url https://… (default http://127.0.0.1:8787). The second needs CONNECTOR_API_KEY with the scope admin.`

/** How many bytes are got between two lines about the progress. */
const SAID_EVERY = 1_000_000
const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`

await runCommand(USAGE, async () => {
  const { values, has, positionals, api } = adminArguments(
    { key: { type: 'string' }, out: { type: 'string' } },
    { 'new-key': { type: 'boolean' } },
  )
  if (positionals.length > 0) throw new CliError(USAGE)
  const keyFile = values['key'] ?? KEY_FILE
  const isNew = has('new-key')
  // A backup is good only if it is signed by a key of the log that the key file names.
  const vkeys = (await (await api.ask('/audit/keys')).text()).trim().split('\n')
  const recipient = isNew ? await addBackupKey(keyFile) : ''
  await addLogKeys(keyFile, vkeys)
  if (!isNew) return getBackup(await api.ask('/v1/backup'), values['out'] ?? '.')
  settingsFileIn(PROJECT_ROOT).write({ BACKUP_RECIPIENT: recipient })
  console.log(`${keyFile} holds the key of your backups. Anyone who has it and a backup can read both; without it a backup
is worth nothing. Keep two copies, neither at Cloudflare, for instance in a password manager and on a USB stick.

Its public half is in .deploy.env now; the connector gets it with:
  npm run deploy
A local connector:
  BACKUP_RECIPIENT=${recipient} npm start`)
})

async function getBackup({ headers, body }: Response, folder: string): Promise<void> {
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '')
  const recipient = /[0-9a-z]{8}$/.exec(headers.get('Backup-Recipient') ?? '') ?? []
  const path = join(folder, `${['consult', `${time}Z`, ...recipient].join('-')}.age`)
  let got = 0
  const bytes = Readable.from(body ?? []).on('data', (chunk: Buffer) => {
    got += chunk.length
    if (got % SAID_EVERY < chunk.length) console.log(`${megabytes(got)} …`)
  })
  try {
    await pipeline(bytes, createWriteStream(`${path}.part`, { mode: 0o600, flags: 'wx' }))
    await rename(`${path}.part`, path)
  } catch {
    await rm(`${path}.part`, { force: true })
    throw new CliError('The connection was lost, so there is no backup. Run it again.')
  }
  console.log(
    `${path}, ${megabytes(got)}. See that it can be restored: npm run restore -- --drill ${path}`,
  )
}
