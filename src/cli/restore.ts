import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { isDeepStrictEqual, parseArgs } from 'node:util'

import type { Done, KeptFlow } from '../core/confirm/record.ts'
import { nounFor } from '../core/domain/plural.ts'
import type { KnownStatus } from '../core/ports/confirmation.ts'
import { newestFromBucket, restoreToCloudflare } from './backup/cloudflare.ts'
import { type CheckedBackup, type UnknownLog, checkBackup, hostIn } from './backup/file.ts'
import { fillConnector, newRestoreToken } from './backup/fill.ts'
import { KEY_FILE, addLines, readBackupKey } from './backup/key.ts'
import { listOf } from './backup/who-may-act.ts'
import { CliError, UsageError, runCommand, terminalOn } from './command.ts'
import { deployOptions } from './deploy/target.ts'
import { SIGNALS } from './deploy/upload.ts'
import { type Prompts, promptsAt } from './prompts.ts'
import { PROJECT_ROOT } from './wrangler.ts'

const USAGE = `npm run restore                        lists the backups in your bucket, and restores the newest as a new Worker
npm run restore -- <file.age>          brings back that one
npm run restore -- --drill [file.age]  tries that on this machine, with mock providers: nothing is sent anywhere
  --key <file>   the key of your backups; ${KEY_FILE} by default
  --name <name>  another name for the Worker than that in .deploy.env

It checks the whole file on this machine first. If it stops, run it again: it goes on where it stopped.
What to do when everything is lost: docs/operate/lost-everything.md.`

/** Settings by which the connector would speak with someone outside. */
const OUTSIDE = ['PUBLIC_URL', 'ALERT_WEBHOOK_URL']

/** The tables whose rows a person is told, each with what one row is. */
const COUNTED = [
  ['RECORDS.records', 'record'],
  ['RECORDS.answers', 'answer'],
  ['AUDIT_LOG.entries', 'entry'],
  ['ACCESS.passkeys', 'passkey'],
  ['ACCESS.keys', 'key'],
  ['EVENT_LOG.webhooks', 'webhook'],
] as const

const terminal = terminalOn(process.stdout)

await runCommand(USAGE, restore, terminal)

async function restore() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      drill: { type: 'boolean' },
      key: { type: 'string', default: KEY_FILE },
      name: { type: 'string' },
    },
  })
  const [named, ...more] = positionals
  if (more.length > 0) throw new UsageError('Name one backup file, or none.')
  const key = await readBackupKey(values.key)
  const prompts = promptsAt()
  const options = deployOptions(values.name === undefined ? [] : ['--name', values.name])
  const run = { options, root: PROJECT_ROOT, environment: process.env, terminal, prompts }
  const path = named ?? (await newestFromBucket(run))
  const askWhose = prompts && ((log: UnknownLog) => askWhoseLog(log, prompts))
  const checked = await terminal.during('File', 'reading all of it', () =>
    checkBackup(path, key, askWhose),
  )
  terminal.line(`${summaryOf(checked)}\n\n${listOf(checked)}\n`)
  if (values.drill) return drill(checked, values.key)
  await restoreToCloudflare(checked, run)
}

/**
 * Where the key names no log: the owner compares, since anyone with the public half could have made
 * the file.
 */
async function askWhoseLog({ name, hash }: UnknownLog, prompts: Prompts) {
  terminal.line(`Your key does not name the key of your log, so compare before you go on. This backup says that it is of
${name}, and the key of its log is ${hash}. npm run backup -- --new-key and
npm run doctor have shown you that key.`)
  await prompts.text(
    'If both are yours, type the name of the connector; otherwise press Ctrl+C:',
    (answer) => (answer === name ? undefined : 'That is not the name in this backup.'),
  )
}

/** What is in a backup, for a person who has to decide about it. */
function summaryOf({ path, app, origin, waiting, counts, end }: CheckedBackup) {
  const number = (table: string) => counts[table] ?? 0
  const shown = (table: string) => number(table).toLocaleString('en')
  const kept = COUNTED.map(([table, what]) => `${shown(table)} ${nounFor(number(table), what)}`)
  const flows = `${shown('flows')} in progress, ${shown('COORDINATOR.unresolved')} unresolved`
  const pending = waiting === 1 ? 'approval, which is' : 'approvals, which are'
  return `${basename(path)}  ${new Date(end.made_at).toUTCString()}, ${hostIn(origin)}, version ${app}
  ${[...kept, flows].join(' · ')}
  ${waiting} pending ${pending} not restored
It is whole, and signed by your connector's log.`
}

/**
 * Restores a backup into a connector on this machine, under another Worker's name and with mock
 * providers, and compares what came back with the file. Raises `CliError` where something differs.
 */
async function drill(checked: CheckedBackup, keyFile: string) {
  const { token, hash } = newRestoreToken(checked)
  const storage = await mkdtemp(join(tmpdir(), 'consult-drill-'))
  // The connector may still write while its folder is removed, which is tried again then.
  const again = { maxRetries: 20, retryDelay: 50 }
  const forget = () => rmSync(storage, { recursive: true, force: true, ...again })
  // What was opened must not stay behind, however the drill ends.
  for (const signal of SIGNALS) process.once(signal, () => (forget(), process.exit(130)))
  const { startLocal } = await import('./local.ts')
  const settings = Object.entries(checked.settings).filter(([name]) => !OUTSIDE.includes(name))
  const restoring = { RESTORED_AT: new Date().toISOString(), RESTORE_SHA256: hash }
  const vars = { ...Object.fromEntries(settings), ...checked.secrets, ...restoring }
  const start = () => startLocal({ name: 'consult-restore-drill', storage, vars, onLog: () => {} })
  const local = await terminal.during('Connector', 'starting one on this machine', start)
  try {
    const fill = () => fillConnector(local.url, token, checked)
    const rows = await terminal.during('Restore', 'filling it', fill)
    const tables = Object.entries(checked.counts).filter(([name]) => /\.(?!outbox)/.test(name))
    const wrong = tables.filter(([name, count]) => rows[name] !== count).map(([name]) => name)
    if (wrong.length > 0) throw new CliError(`Not as in the backup: ${wrong.join(', ')}.`)
    terminal.done('Counts', `${tables.length} tables as in the backup, and the root of the log`)
    const flows = await local.durableObjects('CONFIRMATIONS')
    for (const text of checked.answers) {
      const { name, answer } = JSON.parse(text) as KeptFlow & Done
      const flow = flows.get(flows.idFromName(name)) as unknown as {
        status(): Promise<Partial<KnownStatus>>
      }
      const { body, refusal } = await flow.status()
      if (
        !isDeepStrictEqual(
          answer.is === 'committed' ? answer.body : answer.refusal,
          body ?? refusal,
        )
      )
        throw new CliError('A stored answer did not come back as it was.')
    }
    terminal.done('Answers', `${checked.answers.length} stored answers came back as they were`)
    terminal.heading('This backup can be restored.')
    // The key may be on a stick that is not written to.
    await addLines(keyFile, [`# drill: ${new Date().toISOString()}`]).catch(() =>
      terminal.warn('Drill', `not noted for npm run doctor: ${keyFile} cannot be written`),
    )
  } finally {
    await local.stop()
    forget()
  }
}
