import { Decrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, vi } from 'vitest'

import type { Backup } from '../../durable-objects/backup.ts'
import { CopiedObject } from '../../durable-objects/shared/copied-object.ts'
import type { BackupEnd, BackupLine, CopyPlace } from '../../src/core/ports/backup.ts'
import { forgetRules } from '../../src/practice/adapters/caller-copies.ts'
import { emptyStorage } from './empty-storage.ts'

const backup = () => env.BACKUP.getByName('backup')
const within = <Result>(
  work: (object: Backup) => Promise<Result>,
  more: object = {},
): Promise<Result> =>
  runInDurableObject(backup(), async (object) => {
    Object.assign(object, { env: { ...env, PUBLIC_URL: 'https://consult.example', ...more } })
    return work(object)
  })

/** The lines of a backup of now. `act` is called before each page is copied, with the name of its object. */
export async function backedUp(act: (page: string) => Promise<void>): Promise<BackupLine[]> {
  const { copy } = CopiedObject.prototype
  let nth = 0
  const spied = vi.spyOn(CopiedObject.prototype, 'copy').mockImplementation(async function (
    this: CopiedObject,
    place?: CopyPlace,
  ) {
    await act(`${nth++} ${this.constructor.name}`)
    return copy.call(this, place)
  } as unknown as typeof copy)
  const identity = await generateX25519Identity()
  const BACKUP_RECIPIENT = await identityToRecipient(identity)
  const file = await within(
    async (object) =>
      new Response((await object.make('https://consult.example')) as ReadableStream).arrayBuffer(),
    { BACKUP_RECIPIENT },
  )
  spied.mockRestore()
  const age = new Decrypter()
  age.addIdentity(identity)
  const packed = await age.decrypt(new Uint8Array(file))
  const lines = await new Response(
    new Response(packed).body!.pipeThrough(new DecompressionStream('gzip')),
  ).text()
  return lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as BackupLine)
}

export const inCalendar = <Result>(
  work: (storage: DurableObjectStorage) => Result,
): Promise<Result> =>
  runInDurableObject(env.MOCK_CALENDAR.getByName('calendar'), (_object, { storage }) =>
    work(storage),
  )

/** Empties the storage, but for what the calendar keeps, which is the providers'. */
export async function emptied(): Promise<void> {
  const tables = ['bookings', 'payments']
  const kept = await inCalendar(({ sql }) =>
    tables.map((table) => [...sql.exec(`SELECT * FROM ${table}`).raw()]),
  )
  await emptyStorage()
  forgetRules()
  await inCalendar(({ sql }) => {
    for (const [i, rows] of kept.entries())
      for (const row of rows)
        sql.exec(`INSERT INTO ${tables[i]} VALUES (${row.map(() => '?').join()})`, ...row)
  })
}

/** Sends these lines in the order of the command. Rejects where the connector breaks off. */
export async function sent(lines: readonly BackupLine[]): Promise<void> {
  const isLog = (line: BackupLine) => 'object' in line && line.object === 'AUDIT_LOG'
  const turns = [
    lines.filter((line) => 'backup' in line || isLog(line)),
    lines.filter((line) => 'object' in line && !isLog(line)),
    lines.filter((line) => 'flow' in line || 'end' in line),
  ]
  const { end } = lines.at(-1) as BackupEnd
  for (const line of turns.flat())
    expect(await within((object) => object.restore(end.sha256, line))).not.toHaveProperty('refused')
}

/** Restores these lines into empty storage. */
export async function restored(lines: readonly BackupLine[]): Promise<void> {
  await emptied()
  await sent(lines)
}
