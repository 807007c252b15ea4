import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import {
  addBackupKey,
  compareWith,
  keysTrustedFrom,
  readBackupKey,
  shortHashOf,
} from '../../../src/cli/backup/key.ts'
import { noteKeys, openKeyring, signedNote, vkeysOf } from '../../../src/core/crypto/keyring.ts'
import { handOverText } from '../../../src/core/domain/audit/signed-note.ts'

const ORIGIN = 'consult.example/audit-log'
let folder: string
let vkey: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backup-key-'))
  vkey = vkeysOf(await keysUnder(['a']))[0]!
})
afterAll(() => rm(folder, { recursive: true }))

/** The keys of a log whose connector has these signing secrets, the newest first. */
const keysUnder = async (secrets: readonly string[], origin = ORIGIN) => {
  const [first, ...rest] = secrets.map((one) => one.repeat(32))
  return noteKeys(await openKeyring([first!, ...rest]), origin)
}

/** The newest of these keys, vouched for by all of them. */
const chained = async (secrets: readonly string[], origin = ORIGIN) => {
  const keys = await keysUnder(secrets, origin)
  const [added] = vkeysOf(keys)
  return { vkey: added!, note: await signedNote(keys, handOverText(origin, added!)) }
}

async function kept(text: string): Promise<string> {
  const path = join(folder, `${crypto.randomUUID()}.txt`)
  await writeFile(path, text)
  return path
}

async function made() {
  const path = join(folder, `${crypto.randomUUID()}.txt`)
  const recipient = await addBackupKey(path, vkey)
  const text = await readFile(path, 'utf8')
  return {
    path,
    recipient,
    text,
    armour: /consult-backup-key:\S+/.exec(text)![0],
    age: /^AGE-SECRET-KEY-1\S+$/m.exec(text)![0],
  }
}

describe('the key of the backups', () => {
  test('is whole in one line, however that was kept', async () => {
    const { armour, recipient, age } = await made()
    for (const text of [
      armour,
      `  ${armour}  \r\n`,
      `\n\n\t# ${armour}\n`,
      `\uFEFFBackup key: "${armour}".`,
      `\u00A0${armour}\u200B`,
      `'${armour}'`,
    ])
      expect(await readBackupKey(await kept(text)), JSON.stringify(text.slice(0, 9))).toMatchObject(
        {
          identities: [age],
          recipients: [recipient],
          vkeys: [vkey],
        },
      )
  })

  test('opens backups with the line of age alone, and then names no log', async () => {
    const { age, recipient } = await made()
    const key = await readBackupKey(await kept(`   ${age}\r\n`))
    expect(key).toMatchObject({ recipients: [recipient], vkeys: [] })
  })

  test('is said to be missing, or cut, and nothing of it is repeated', async () => {
    const { armour, age, text } = await made()
    const withoutSecret = text
      .split('\n')
      .filter((line) => !line.includes(armour) && !line.includes(age))
    const missing = kept(withoutSecret.join('\n'))
    await expect(readBackupKey(await missing)).rejects.toThrow(/holds no key of backups: the line/)
    const mistyped = age.replace(/.$/, (last) => (last === 'Q' ? 'P' : 'Q'))
    for (const cut of [age.slice(0, -1), armour.slice(0, 40), mistyped]) {
      const thrown = await readBackupKey(await kept(cut)).catch((error: unknown) => error)
      expect(String(thrown)).toContain('is cut or mistyped')
      expect(String(thrown)).not.toContain(cut.slice(20, 40))
    }
  })

  test('is readable by its owner alone, also in a file that was not', async () => {
    const path = await kept('# mine')
    await addBackupKey(path, vkey)
    await addBackupKey(path, vkey)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect((await readBackupKey(path)).identities).toHaveLength(2)
    // No newline at its end is what a password manager leaves.
    expect(await readFile(path, 'utf8')).toMatch(/^# mine\n#[^]*\n$/)
  })
})

test('a file that PowerShell wrote keeps its form when a key is added', async () => {
  const path = await kept('')
  await writeFile(path, `\uFEFF# ${(await made()).armour}`, 'utf16le')
  expect((await readBackupKey(path)).identities).toHaveLength(1)
  await addBackupKey(path, vkey)
  expect((await readBackupKey(path)).identities).toHaveLength(2)
})

test('a key is not made into a folder that is not there', async () => {
  const path = join(folder, 'nowhere', 'key.txt')
  await expect(addBackupKey(path, vkey)).rejects.toThrow('cannot be written (ENOENT)')
})

describe('the keys of the log that are trusted', () => {
  const names = (keys: readonly { publicKey: Uint8Array }[]): number => keys.length

  test('are the pinned one and those that one before it vouches for, over any number of rotations', async () => {
    const chain = [
      await chained(['a']),
      await chained(['b', 'a']),
      await chained(['c', 'b']),
      await chained(['d', 'c']),
    ]
    expect(names(await keysTrustedFrom([vkey], chain))).toBe(4)
    // From a later pin on, what was before it is not trusted.
    expect(names(await keysTrustedFrom([chain[2]!.vkey], chain))).toBe(2)
  })

  test('are none that vouches for itself alone, is of another log, or was put in by someone else', async () => {
    const stranger = await chained(['x'])
    expect(names(await keysTrustedFrom([vkey], [stranger, await chained(['y', 'x'])]))).toBe(1)
    const elsewhere = await chained(['b', 'a'], 'other.example/audit-log')
    expect(names(await keysTrustedFrom([vkey], [elsewhere]))).toBe(1)
    const { note } = await chained(['b', 'a'])
    expect(names(await keysTrustedFrom([vkey], [{ vkey: stranger.vkey, note }]))).toBe(1)
    for (const broken of ['', 'no note', note.slice(0, -9)])
      expect(names(await keysTrustedFrom([vkey], [{ vkey: stranger.vkey, note: broken }]))).toBe(1)
  })

  test('are compared by a hash that can be read aloud', async () => {
    expect(await shortHashOf(vkey)).toMatch(/^[0-9a-f]{4}( [0-9a-f]{4}){3}$/)
  })
})

describe('the key of the owner, compared with a connector', () => {
  /** A connector whose log has signed with these secrets, the newest first, and has vouched so far. */
  const connector = async (secrets: readonly string[], vouched: object[], origin = ORIGIN) => {
    const vkeys = vkeysOf(await keysUnder(secrets, origin))
    const pages: Record<string, string> = {
      '/audit/keys': `${vkeys.join('\n')}\n`,
      '/audit/key-chain': JSON.stringify({ keys: vouched }),
    }
    return async (path: string) => pages[path] ?? ''
  }
  const key = (vkeys: string[]) => ({ path: '', identities: [], recipients: [], vkeys })

  test('opens its backups, also after a rotation that the log has vouched for', async () => {
    const before = await connector(['a'], [])
    expect(await compareWith(key([vkey]), before)).toMatchObject({ is: 'reaches', log: ORIGIN })
    const after = await connector(['b', 'a'], [await chained(['a']), await chained(['b', 'a'])])
    const compared = await compareWith(key([vkey]), after)
    expect(compared).toMatchObject({ is: 'reaches' })
    const [newest] = vkeysOf(await keysUnder(['b', 'a']))
    expect(compared?.hash).toBe(await shortHashOf(newest!))
  })

  test('does not open them as long as it has not, nor if a stranger has', async () => {
    const unvouched = await connector(['b', 'a'], [await chained(['a'])])
    expect(await compareWith(key([vkey]), unvouched)).toMatchObject({ is: 'broken' })
    const strangers = await connector(['b'], [await chained(['x']), await chained(['b', 'x'])])
    expect(await compareWith(key([vkey]), strangers)).toMatchObject({ is: 'broken' })
  })

  test('is of another connector, or of none that it names', async () => {
    const other = await connector(['a'], [], 'other.example/audit-log')
    expect(await compareWith(key([vkey]), other)).toMatchObject({ is: 'another' })
    expect(await compareWith(key([]), other)).toMatchObject({ is: 'none' })
  })

  test('is not compared with what is no connector', async () => {
    for (const page of ['', '<html>', '{}', 'null'])
      expect(await compareWith(key([vkey]), async () => page)).toBeUndefined()
  })
})
