import { access, chmod, readFile, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'

import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import * as z from 'zod'

import { sha256 } from '../../core/crypto/encoding.ts'
import {
  type ChainedKey,
  FormatError,
  type NoteKey,
  handOverText,
  parseNote,
} from '../../core/domain/audit/signed-note.ts'
import { jsonIn } from '../../core/json.ts'
import { CliError, encodingOf, textOf } from '../command.ts'
import { signatureBy } from '../verify/checkpoints.ts'
import { noteKeyOf } from '../verify/keys.ts'

/** Where the key of the backups is, unless another file is named. Git ignores it. */
export const KEY_FILE = 'consult-backup-key.txt'

/** What opens backups, and by which keys of the log they have to be signed. */
export interface BackupKey {
  /** The secret halves, as the program age writes them, one for each time that the key was renewed. */
  identities: string[]
  recipients: string[]
  /**
   * The keys of the log that the owner trusts, as C2SP vkeys; empty where only the secret halves
   * were kept.
   */
  vkeys: string[]
}

const AGE = 'AGE-SECRET-KEY-1'
const ARMOUR = 'consult-backup-key:'
const WHOLE_AGE = new RegExp(`\\b${AGE}[0-9A-Z]{58}\\b`, 'g')
/**
 * All that is needed in one line: the secret half without what every one begins with, and the key
 * of the log.
 */
const WHOLE_ARMOUR = new RegExp(
  `${ARMOUR}([0-9A-Z]{58}):([^\\s+"']+\\+[0-9a-f]{8}\\+[A-Za-z0-9+/]{44})`,
  'g',
)
/** Signs that an editor or a password manager may add, and no one sees. */
const UNSEEN = /[\u00A0\u200B-\u200D\u2060\uFEFF\r]/g

/**
 * Makes a new key, and adds it to the file with the key of the log that signs its backups. Its
 * public half.
 */
export async function addBackupKey(path: string, vkey: string): Promise<string> {
  const identity = await generateX25519Identity()
  await writeBackupKey(path, identity, vkey)
  return identityToRecipient(identity)
}

/**
 * Adds a key to the file, which the program age can read too, and only its owner; a key that is
 * there stays.
 */
export async function writeBackupKey(path: string, identity: string, vkey: string) {
  const lines = [
    '# The key of the backups of a consult connector. Keep two copies, neither at Cloudflare.',
    '# The next line alone is all that you need; keep it as one line, for instance in a password manager:',
    `# ${ARMOUR}${identity.slice(AGE.length)}:${vkey}`,
    `# made: ${new Date().toISOString()}`,
    `# public key: ${await identityToRecipient(identity)}`,
    identity,
  ]
  await addLines(path, lines)
  // One that was there may have been readable by others.
  await chmod(path, 0o600)
}

/**
 * Adds lines to the file of a key, whose last line may have been saved without its end. Raises
 * `CliError`.
 */
export async function addLines(path: string, lines: readonly string[]) {
  const before = await readFile(path).catch(() => Buffer.of())
  const end = /[^\n]$/.test(textOf(before)) ? '\n' : ''
  const how = { flag: 'a', mode: 0o600, encoding: encodingOf(before) } as const
  await writeFile(path, `${end}${lines.join('\n')}\n`, how).catch(
    ({ code }: NodeJS.ErrnoException) => {
      throw new CliError(
        `${path} cannot be written (${code}); nothing was done.`,
        'Name another file with --key, in a folder that is there.',
      )
    },
  )
}

/** Raises `CliError` for a file that is not there. */
export const mustExist = (path: string, nextStep: string) =>
  access(path).catch(() => Promise.reject(new CliError(`There is no such file: ${path}`, nextStep)))

/** Raises `CliError` for a file that is not there, or holds no whole key; it says which line is missing. */
export async function readBackupKey(path: string): Promise<BackupKey> {
  await mustExist(path, 'Name the file of your key with --key.')
  const text = textOf(await readFile(path)).replaceAll(UNSEEN, ' ')
  const armoured = [...text.matchAll(WHOLE_ARMOUR)]
  const found = [...armoured.map(([, secret]) => AGE + secret), ...(text.match(WHOLE_AGE) ?? [])]
  const identities = [...new Set(found)]
  const recipients = await Promise.all(identities.map(recipientOf))
  const vkeys = [...new Set(armoured.map(([, , vkey]) => vkey!))]
  const known = await Promise.all(vkeys.map(noteKeyOf))
  const isWhole = identities.length > 0 && ![...recipients, ...known].includes(undefined)
  if (!isWhole) throw notWhole(basename(path), text)
  return { identities, recipients: recipients as string[], vkeys }
}

/** The public half; undefined for a secret half that was mistyped. */
const recipientOf = (identity: string) => identityToRecipient(identity).catch(() => undefined)

/** Says which line is missing, cut or mistyped, and repeats nothing of it. */
function notWhole(name: string, text: string) {
  const isBegun = text.includes(AGE.slice(0, -1)) || text.includes(ARMOUR.slice(0, -1))
  const line = `the line that begins with ${ARMOUR} or ${AGE}`
  return isBegun
    ? new CliError(
        `${name} holds a key of backups that is cut or mistyped: ${line} is not whole.`,
        'Copy that line again from where you keep it, all of it, as one line.',
      )
    : new CliError(
        `${name} holds no key of backups: ${line} is missing.`,
        'Copy that line into it from where you keep it, or name another file with --key.',
      )
}

/** A key of a log for a person to compare, short enough to read aloud. */
export const shortHashOf = async (vkey: string) =>
  (await sha256(vkey)).slice(0, 16).replaceAll(/(....)(?=.)/g, '$1 ')

/** More keys than a log has in a lifetime. */
const MOST_KEYS = 200

/**
 * The keys of the log that may be trusted, where these are: each further one is vouched for by one
 * before it.
 */
export async function keysTrustedFrom(
  pinned: readonly string[],
  chain: readonly ChainedKey[],
): Promise<NoteKey[]> {
  const trusted = (await Promise.all(pinned.map(noteKeyOf))).filter((key) => key !== undefined)
  for (const { vkey, note } of chain.slice(0, MOST_KEYS)) {
    const key = pinned.includes(vkey) ? undefined : await noteKeyOf(vkey)
    if (!key || !trusted.some(({ name }) => name === key.name)) continue
    if (await isSigned(note, handOverText(key.name, vkey), trusted)) trusted.push(key)
  }
  return trusted
}

/** Whether one of these keys has signed this text in a note. */
export async function isSigned(
  note: string,
  text: string,
  keys: readonly NoteKey[],
): Promise<boolean> {
  try {
    const signed = parseNote(note)
    if (signed.text !== text) return false
    const signatures = await Promise.all(keys.map((key) => signatureBy(signed, key)))
    return signatures.includes('good')
  } catch (thrown) {
    if (thrown instanceof FormatError) return false
    throw thrown
  }
}

/**
 * How the owner's key stands to a connector: it `reaches` the key by which the log signs now, it
 * does not (`broken`), it is for `another` connector, or it names no log (`none`). `hash` is of the
 * key by which the log signs now.
 */
export interface Comparison {
  is: 'reaches' | 'broken' | 'another' | 'none'
  log: string
  hash: string
}

const chainSchema = z.object({ keys: z.array(z.object({ vkey: z.string(), note: z.string() })) })

/**
 * Compares the owner's key with the connector that `get` asks; undefined where that does not say
 * its keys.
 */
export async function compareWith(
  { vkeys }: BackupKey,
  get: (path: string) => Promise<string>,
): Promise<Comparison | undefined> {
  const [keys, chain] = await Promise.all([get('/audit/keys'), get('/audit/key-chain')])
  const [newest = ''] = keys.trim().split('\n')
  const signing = await noteKeyOf(newest)
  const parsed = chainSchema.safeParse(jsonIn(chain))
  if (!signing || !parsed.success) return undefined
  const log = signing.name
  const said = (is: Comparison['is']) => shortHashOf(newest).then((hash) => ({ is, log, hash }))
  if (vkeys.length === 0) return said('none')
  const pinned = await Promise.all(vkeys.map(noteKeyOf))
  if (pinned.every((key) => key?.name !== log)) return said('another')
  const trusted = await keysTrustedFrom(vkeys, parsed.data.keys)
  const isReached = trusted.some(({ name, keyId }) => name === log && same(keyId, signing.keyId))
  return said(isReached ? 'reaches' : 'broken')
}

const same = (one: Uint8Array, other: Uint8Array) => one.join() === other.join()
