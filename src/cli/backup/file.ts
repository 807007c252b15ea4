import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { Readable } from 'node:stream'

import { Decrypter } from 'age-encryption'

import type { NoteKey } from '../../core/domain/audit/signed-note.ts'
import { HOUR } from '../../core/domain/time/duration.ts'
import {
  type BackupEnd,
  type BackupHead,
  type BackupLine,
  COPIED,
  backupHeadText,
  backupText,
} from '../../core/ports/backup.ts'
import { VERSION } from '../../core/version.ts'
import { CliError } from '../command.ts'
import { type BackupKey, isSigned, keysTrustedFrom, mustExist, shortHashOf } from './key.ts'
import { noneMayAct, whoIsIn } from './who-may-act.ts'

/** What no backup reaches, and a computer can hold: a file that unpacks to more is not read on. */
const MOST_BYTES = 2 ** 30
const LONGEST_LINE = 4_000_000

/**
 * The lines of a backup, read bit by bit. Raises `CliError` where it is not there, cannot be
 * opened, or is damaged.
 */
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

const damaged = (name: string, at: number) =>
  new CliError(
    `${name} is damaged or cut off, at byte ${at}.`,
    'A backup is called consult-….age. If this is one, take that of another night.',
  )

/** The connector that a backup says it is of, where the owner's key does not know its log. */
export interface UnknownLog {
  /** Its host. */
  name: string
  /** What a person compares of the first key of its log. */
  hash: string
}

/** Asks the owner whether a backup is of their connector; raises `CliError` if it is not. */
type AskWhose = (log: UnknownLog) => Promise<void>

/** A backup that was checked on this machine. */
export type CheckedBackup = Awaited<ReturnType<typeof checkedBackup>>

/** How many stored answers the drill asks for again. */
const REPEATED = 20

/**
 * Checks a whole backup, its head first. Raises `CliError` for one that is not whole, not of this
 * log, of a newer version, or older than its name says. `askWhose` is called where the key knows no
 * log.
 */
export const checkBackup = (
  path: string,
  key: BackupKey,
  askWhose: AskWhose = refuseUnknown,
): Promise<CheckedBackup> =>
  checkedBackup(path, key, askWhose).catch((thrown: unknown) => {
    // Anyone with the public half can encrypt anything, and an error about its form could repeat
    // what is in it.
    throw thrown instanceof CliError ? thrown : damaged(basename(path), 0)
  })

const refuseUnknown: AskWhose = () => {
  throw new CliError(
    'Your key does not name the key of your log, so this command cannot tell whether the backup is yours.',
    'Run this at a terminal, which asks you to compare; ' +
      'or use the whole line consult-backup-key:…, which holds both.',
  )
}

async function checkedBackup(path: string, key: BackupKey, askWhose: AskWhose) {
  const name = basename(path)
  const lines = linesIn(path, key)
  const first = await lines.next()
  if (first.done === true) throw damaged(name, 0)
  const { head, trusted } = await checkedHead(name, first.value, key, askWhose)

  const hash = createHash('sha256').update(`${first.value}\n`)
  const counts: Record<string, number> = {}
  const answers: string[] = []
  const who = noneMayAct()
  let given: Extract<BackupLine, { secrets: object }> | undefined
  const turns = Object.fromEntries(TURNS.map((turn) => [turn, [] as string[]]))
  turns['head']!.push(first.value)
  let last = ''
  for await (const text of lines) {
    // The last line is not a part of its own digest.
    if (last !== '') hash.update(`${last}\n`)
    last = text
    const line = JSON.parse(text) as Exclude<BackupLine, BackupHead>
    if ('secrets' in line) given = line
    else turns[turnOf(line)]!.push(text)
    if ('flow' in line) counts['flows'] = (counts['flows'] ?? 0) + 1
    if (!('object' in line)) continue
    whoIsIn(line, who)
    for (const { t, c, rows } of line.tables) {
      const table = `${line.object}.${t}`
      counts[table] = (counts[table] ?? 0) + rows.length
      const room = t === 'answers' ? REPEATED - answers.length : 0
      answers.push(...rows.slice(0, room).map((row) => row[c.indexOf('answer')] as string))
    }
  }
  const { end, note } = JSON.parse(last) as Partial<BackupEnd>
  if (!given || end?.sha256 !== hash.digest('hex') || end.made_at !== head.made_at)
    throw damaged(name, 0)
  if (!(await isSigned(note ?? '', backupText(head.origin, end), trusted)))
    throw notMadeBy(name, trusted)
  const { app, origin, waiting } = head
  return {
    path,
    app,
    origin,
    waiting,
    secrets: given.secrets,
    settings: given.settings,
    end,
    /**
     * The lines that a restore sends, in its turns; those of one turn may arrive in any order. The
     * head comes first, then the log, so that what the other objects deliver finds it whole; then each
     * other object, the flows, and the end. The settings are not sent.
     */
    lines: TURNS.map((turn) => turns[turn]!),
    /** How many rows each table has, by object and table, and how many flows were at work. */
    counts,
    /** Some of the stored answers, for the drill. */
    answers,
    who,
  }
}

const TURNS = [
  'head',
  'AUDIT_LOG',
  ...COPIED.filter((object) => object !== 'AUDIT_LOG'),
  'flows',
  'end',
] as const

/** In which turn a restore sends a line. */
function turnOf(
  line: Exclude<BackupLine, { secrets: object } | BackupHead>,
): (typeof TURNS)[number] {
  if ('object' in line) return line.object
  return 'flow' in line ? 'flows' : 'end'
}

/** The head of a backup that the owner's log has signed, and the keys of that log. */
async function checkedHead(name: string, text: string, key: BackupKey, askWhose: AskWhose) {
  const head = JSON.parse(text) as BackupHead
  const { note, ...signed } = head
  const pinned = key.vkeys.length > 0 ? key.vkeys : [String(head.keys[0]?.vkey)]
  const trusted = await keysTrustedFrom(pinned, head.keys)
  if (!(await isSigned(note, backupHeadText(head.origin, signed), trusted)))
    throw notMadeBy(name, trusted)
  if (key.vkeys.length === 0)
    await askWhose({ name: hostIn(head.origin), hash: await shortHashOf(pinned[0]!) })
  if (head.backup !== 1 || head.app.localeCompare(VERSION, 'en', { numeric: true }) > 0)
    throw new CliError(
      `${name} was made by version ${head.app}; this is ${VERSION}.`,
      'Update first.',
    )
  const named = timeIn(name)
  if (named !== undefined && Math.abs(named - Date.parse(head.made_at)) > NAMED_WITHIN)
    throw new CliError(
      `${name} was made at another time than its name says: at ${head.made_at}.`,
      'If that is the backup that you want, give the file another name, such as ' +
        `${OTHER_NAME}; otherwise take another file.`,
    )
  return { head, trusted }
}

/** A size of a file, rounded up: a small backup is no empty one. */
export const megabytes = (bytes: number) => `${(Math.ceil(bytes / 100_000) / 10).toFixed(1)} MB`

/** The host of the connector whose log has this name. */
export const hostIn = (origin: string) => origin.replace(/\/audit-log$/, '')

/** A file is named when it has been made, by the clock of another machine. */
const NAMED_WITHIN = HOUR
const OTHER_NAME = 'backup.age'

/** The time in the name of a file that our commands have named. */
function timeIn(name: string): number | undefined {
  const [, day, hours, minutes, seconds] =
    /consult-(\d{4}-\d\d-\d\dT)(\d\d)(\d\d)(\d\d)Z/.exec(name) ?? []
  return day === undefined ? undefined : Date.parse(`${day}${hours}:${minutes}:${seconds}Z`)
}

function notMadeBy(name: string, trusted: readonly NoteKey[]) {
  const names = [...new Set(trusted.map((one) => one.name))].join(' or ')
  return new CliError(
    `${name} was not made by ${names === '' ? 'a connector' : names}.`,
    'A backup is valid only if the log of your own connector signed it. Choose one that it signed.',
  )
}
