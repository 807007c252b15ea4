import { createWriteStream, existsSync } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { isLoopback } from '../core/domain/origin.ts'
import { DEFAULT_URL, adminArguments, notConnector, startLine } from './admin-client.ts'
import { hostIn, megabytes } from './backup/file.ts'
import { KEY_FILE, addBackupKey, readBackupKey, shortHashOf } from './backup/key.ts'
import { CliError, UsageError, isOfFiles, runCommand } from './command.ts'
import { promptsAt } from './prompts.ts'
import { settingsFileIn } from './settings-file.ts'
import { noteKeyOf } from './verify/keys.ts'
import { PROJECT_ROOT } from './wrangler.ts'

const USAGE = `Usage:
  npm run backup -- --new-key [--key <file>]   makes the key of your backups; its secret half stays on this machine
  npm run backup -- [--out <folder>]           downloads a backup, encrypted to that key
Options for both: --url https://… (default http://127.0.0.1:8787). The second needs CONNECTOR_API_KEY with the scope admin.`

/** How many bytes are got between two lines about the progress. */
const SAID_EVERY = 1_000_000

await runCommand(USAGE, async () => {
  const { values, positionals, api } = adminArguments({
    key: { type: 'string', default: KEY_FILE },
    out: { type: 'string', default: '.' },
    'new-key': { type: 'boolean' },
  })
  if (positionals.length > 0)
    throw new UsageError('This command takes only options; --out names the folder.')
  const keyFile = values.key
  const vkeys = (await (await api.ask('/audit/keys')).text()).trim().split('\n')
  const log = (await noteKeyOf(vkeys[0] ?? ''))?.name
  if (log === undefined) throw notConnector(api.url)
  const known = await logsIn(keyFile)
  const isOther = known.length > 0 && !known.includes(log)
  if (!values['new-key']) {
    if (isOther)
      throw new CliError(
        `${hostIn(log)} answers at ${api.url}, and ${keyFile} is for ` +
          `${known.map(hostIn).join(' and ')}: its backup could not be restored with that ` +
          'key. Nothing was done. Name the right connector with --url, or its own key file ' +
          'with --key.',
      )
    // First, since the connector gives four a day.
    const isFolder = await stat(values.out).then(
      (found) => found.isDirectory(),
      () => false,
    )
    if (!isFolder)
      throw new CliError(
        `There is no folder ${values.out}; nothing was done.`,
        'Make it, or name another with --out.',
      )
    return getBackup(await api.ask('/v1/backup'), values.out)
  }
  if (isOther) await askOther(keyFile, hostIn(log))
  const settings = settingsFileIn(PROJECT_ROOT)
  // Before a key is made that the file cannot name.
  settings.read()
  const recipient = await addBackupKey(keyFile, vkeys[0]!)
  settings.write({ BACKUP_RECIPIENT: recipient })
  console.log(`${keyFile} holds the key of your backups. Anyone who has it and a backup can read both; without it a backup
is worth nothing. Keep two copies, neither at Cloudflare, for instance in a password manager and on a USB stick. The line
that begins with consult-backup-key: is enough.

It is for ${hostIn(log)}; the key of its log is ${await shortHashOf(vkeys[0]!)}.
Its public half is in .deploy.env now; the connector gets it with:
  npm run deploy
A local connector:
  ${startLine(isLoopback(api.url) ? api.url : DEFAULT_URL, `BACKUP_RECIPIENT=${recipient}`)}`)
})

/** The names of the logs that a key file is for; none where there is no such file, or it names none. */
async function logsIn(keyFile: string): Promise<string[]> {
  if (!existsSync(keyFile)) return []
  const { vkeys } = await readBackupKey(keyFile)
  const keys = await Promise.all(vkeys.map(noteKeyOf))
  return [...new Set(keys.flatMap((key) => key?.name ?? []))]
}

/**
 * A key of another connector in the same file opens and trusts the backups of both, so the owner
 * has to name it.
 */
async function askOther(keyFile: string, host: string) {
  const prompts = promptsAt()
  const isNamed = (answer: string) => (answer === host ? undefined : 'That is not its name.')
  const question = `${keyFile} is for another connector. To add ${host} to it, type that name:`
  if ((await prompts?.text(question, isNamed)) === undefined)
    throw new CliError(
      `${keyFile} is for another connector than ${host}. Nothing was done. ` +
        'Name another file with --key, or run this at a terminal, which asks.',
    )
}

async function getBackup({ headers, body }: Response, folder: string) {
  // By the clock of the connector, since the name is compared with what is in the file.
  const made = Date.parse(headers.get('Date') ?? '') || Date.now()
  const time = new Date(made).toISOString().slice(0, 19).replaceAll(':', '')
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
  } catch (thrown) {
    await rm(`${path}.part`, { force: true })
    if (!isOfFiles(thrown))
      throw new CliError('The connection was lost, so there is no backup. Run it again.')
    throw new CliError(
      `The file could not be written (${thrown.code}), so there is no backup.`,
      'Make room, or name another folder with --out, and run it again.',
    )
  }
  console.log(
    `${path}, ${megabytes(got)}. Check that it can be restored: npm run restore -- --drill ${path}`,
  )
}
