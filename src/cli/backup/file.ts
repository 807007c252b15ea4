import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, appendFile, readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable } from 'node:stream'

import { Decrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'

import { sha256Bytes } from '../../core/crypto/encoding.ts'
import { parseNote, parseVkey } from '../../core/domain/audit/signed-note.ts'
import { type BackupEnd, type BackupLine, backupText } from '../../core/ports/backup.ts'
import { VERSION } from '../../core/version.ts'
import { CliError } from '../cli-error.ts'
import { signatureBy } from '../verify/checkpoints.ts'

/** Where the key of the backups is, unless another file is named. Git ignores it. */
export const KEY_FILE = 'consult-backup-key.txt'

/** The halves of that key, one for each time that it was made anew, and the keys by which the log signs. */
export type BackupKey = Awaited<ReturnType<typeof readBackupKey>>

/** Adds a new key to the file, which the program age can read too; a key that is there stays. Its public half. */
export async function addBackupKey(path: string): Promise<string> {
  const identity = await generateX25519Identity()
  const recipient = await identityToRecipient(identity)
  const says =
    'The key of the backups of a consult connector. Keep two copies, neither at Cloudflare.'
  const lines = [
    `# ${says}`,
    `# made: ${new Date().toISOString()}`,
    `# public key: ${recipient}`,
    identity,
  ]
  await appendFile(path, `${lines.join('\n')}\n`, { mode: 0o600 })
  return recipient
}

/** Adds the keys by which the log signs now to the file, if there is one that lacks them. */
export async function addLogKeys(path: string, vkeys: readonly string[]): Promise<void> {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  const lacking = vkeys.filter((vkey) => text?.includes(vkey) === false)
  if (lacking.length > 0) await appendFile(path, lacking.map((vkey) => `# log: ${vkey}\n`).join(''))
}

const mustExist = (path: string, nextStep: string): Promise<void> =>
  access(path).catch(() => Promise.reject(new CliError(`There is no such file: ${path}`, nextStep)))

/** Raises `CliError` for a file that is not there, or holds no key. */
export async function readBackupKey(path: string) {
  await mustExist(path, 'Name the file of your key with --key.')
  const text = await readFile(path, 'utf8').catch(() => '')
  const identities = text.match(/^AGE-SECRET-KEY-1[0-9A-Z]{58}$/gm) ?? []
  if (identities.length === 0)
    throw new CliError(
      `${basename(path)} holds no key of backups.`,
      'Name the file that does with --key.',
    )
  const recipients = await Promise.all(identities.map((one) => identityToRecipient(one)))
  return {
    identities,
    recipients,
    vkeys: [...text.matchAll(/^# log: (\S+)$/gm)].map(([, vkey]) => vkey!),
  }
}

/** What no backup reaches: a file that unpacks to more is not read on. */
const MOST_BYTES = 2 ** 31
const LONGEST_LINE = 4_000_000

/** The lines of a backup, read bit by bit. Raises `CliError` where it is not there, cannot be opened, or is damaged. */
export async function* linesIn(
  path: string,
  { identities, recipients }: BackupKey,
): AsyncGenerator<string> {
  await mustExist(path, 'Name the file of a backup.')
  const age = new Decrypter()
  for (const identity of identities) age.addIdentity(identity)
  const source = createReadStream(path)
  const name = basename(path)
  try {
    const packed = await age.decrypt(Readable.toWeb(source) as ReadableStream<Uint8Array>)
    const unpack = new DecompressionStream('gzip') as ReadableWritablePair<Uint8Array, Uint8Array>
    const decoder = new TextDecoder('utf-8', { fatal: true })
    let rest = ''
    let length = 0
    for await (const bytes of packed.pipeThrough(unpack)) {
      length += bytes.length
      const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      if (length > MOST_BYTES || rest.length > LONGEST_LINE) throw new Error('too long')
      yield* lines
    }
    if (rest !== '') throw new Error('cut off')
  } catch (thrown) {
    if (thrown instanceof CliError) throw thrown
    if (!String(thrown).includes('no identity matched')) throw damaged(name, source.bytesRead)
    const its = /([0-9a-z]{8})\.age$/.exec(name)?.[1]
    const yours = recipients.map((one) => `…${one.slice(-8)}`).join(' and ')
    throw new CliError(
      `${name} is for ${its === undefined ? 'another key' : `the key …${its}`}; yours is ${yours}.`,
      'Name the right key file with --key.',
    )
  } finally {
    source.destroy()
  }
}

const damaged = (name: string, at: number): CliError =>
  new CliError(`${name} is damaged or not whole, at byte ${at}.`, "Take another night's backup.")

/** A backup that was checked on this machine. */
export type CheckedBackup = Awaited<ReturnType<typeof checkBackup>>

/** How many stored answers the drill asks for again. */
const REPEATED = 20

/** Checks a whole backup. Raises `CliError` for one that is not whole, not of this log, or of a newer version. */
export const checkBackup = (path: string, key: BackupKey) =>
  checkedBackup(path, key).catch((thrown: unknown) => {
    // Anyone with the public half can encrypt anything, and an error about its form could repeat what is in it.
    throw thrown instanceof CliError ? thrown : damaged(basename(path), 0)
  })

async function checkedBackup(path: string, key: BackupKey) {
  const name = basename(path)
  const hash = createHash('sha256')
  const lines: string[] = []
  const counts: Record<string, number> = {}
  const answers: string[] = []
  for await (const text of linesIn(path, key)) {
    // The last line is not a part of its own digest.
    if (lines.length > 0) hash.update(`${lines.at(-1)}\n`)
    if (lines.length === 3) lines.pop()
    lines.push(text)
    const line = JSON.parse(text) as BackupLine
    if ('flow' in line) counts['flows'] = (counts['flows'] ?? 0) + 1
    for (const { t, c, rows } of 'tables' in line ? line.tables : []) {
      const table = `${(line as { object: string }).object}.${t}`
      counts[table] = (counts[table] ?? 0) + rows.length
      const room = t === 'answers' ? REPEATED - answers.length : 0
      answers.push(...rows.slice(0, room).map((row) => row[c.indexOf('answer')] as string))
    }
  }
  const [head, given, { end, note }] = lines.map((line) => JSON.parse(line)) as [
    Extract<BackupLine, { backup: 1 }>,
    Extract<BackupLine, { secrets: object }>,
    Partial<BackupEnd>,
  ]
  if (head.backup !== 1 || head.app.localeCompare(VERSION, 'en', { numeric: true }) > 0)
    throw new CliError(
      `${name} was made by version ${head.app}; this is ${VERSION}.`,
      'Update first.',
    )
  if (end?.sha256 !== hash.digest('hex') || note === undefined) throw damaged(name, 0)
  const signed = parseNote(note)
  const keys = await Promise.all(key.vkeys.map((vkey) => parseVkey(sha256Bytes, vkey)))
  const signatures = await Promise.all(keys.map((one) => signatureBy(signed, one)))
  if (!signatures.includes('good') || signed.text !== backupText(head.origin, end))
    throw new CliError(
      `${name} was not made by ${[...new Set(keys.map((one) => one.name))].join(' or ')}.`,
      'A backup is good only if the log of your own connector signed it: take one of those.',
    )
  return { path, key, ...head, ...given, end, counts, answers }
}
