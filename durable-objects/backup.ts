import type { Encrypter } from 'age-encryption'
import { DurableObject } from 'cloudflare:workers'

import type { KeptFlow } from '../src/core/confirm/record.ts'
import { hex } from '../src/core/crypto/encoding.ts'
import { auditEntry } from '../src/core/domain/audit/entry.ts'
import { hostOf } from '../src/core/domain/origin.ts'
import { EVERYBODY } from '../src/core/domain/rules/house-rules.ts'
import { DAY, MINUTE, SECOND } from '../src/core/domain/time/duration.ts'
import { isoSeconds } from '../src/core/domain/time/time.ts'
import {
  NOBODY,
  type BackupHead,
  type BackupStatus,
  type BackupLine,
  COPIED,
  type CopyPlace,
  type EndedRestore,
  type RestoreLine,
  type Restored,
  type Stays,
} from '../src/core/ports/backup.ts'
import { backedUpSettings, settingsFrom } from '../src/core/settings.ts'
import { VERSION } from '../src/core/version.ts'
import type { Env } from '../src/practice/env.ts'
import {
  auditFrom,
  houseRulesFrom,
  keepVerdicts,
  raiseAlert,
  theOne,
} from '../src/practice/wiring/objects.ts'

const MOST_A_DAY = 4
/** How often a night is tried, and how long after another. */
const TRIES = 3
const MOST_FAILED_NIGHTS = 3
const RETRY_AFTER = 20 * MINUTE
/** All parts of an upload but the last are as long as each other, and R2 takes none that are shorter. */
const PART = 5 * 1024 * 1024
/**
 * How much is encrypted and sent at a time. A `CompressionStream` gives 4 KiB to a reader that names
 * no length, and each read and each write waits behind what the isolate does for others.
 */
const PIECE = 256 * 1024

const otherBegun = (made_at: string) =>
  `A restore of the backup of ${made_at} has begun there. Finish that one, or delete that Worker.`
const NO_HEAD = 'The first line of a backup has not arrived yet. Run npm run restore again.'

/** A restore that has begun, and with `ended_at` has ended. */
type Begun = { digest: string; stays: Stays; ended_at?: number } & Pick<Restored, 'rows'> &
  Pick<BackupHead, 'made_at' | 'modes'>

const OTHER_LOG =
  'The log that arrived is not the one in the backup. Delete that Worker and begin again.'

/**
 * Copies what the other objects keep into one stream that only the owner's key opens; and fills
 * them in a restore.
 */
export class Backup extends DurableObject<Env> {
  #isRunning = false

  /**
   * A backup of now, made while it is read; `running` where another one is being made. Where they
   * were made too often, the seconds until the next one may be.
   */
  async make(origin: string): Promise<ReadableStream<Uint8Array> | 'running' | number> {
    const encrypter = await newEncrypter()
    const now = Date.now()
    const made = this.status().made.filter((at) => at > now - DAY)
    if (this.#isRunning) return 'running'
    const [oldest = now] = made
    if (made.length >= MOST_A_DAY) return Math.ceil((oldest + DAY - now) / SECOND)
    this.#say({ made: [...made, now] })
    return this.#encrypted(origin, encrypter)
  }

  /** When backups were made by hand, the last one in the bucket, and since when that fails. */
  status(): BackupStatus {
    return this.ctx.storage.kv.get('status') ?? { made: [] }
  }

  /** After three nights without one, `/health` says so until there is one again. */
  async #sayHealth() {
    await keepVerdicts(this.env, { backups_fail: this.#hasFailedLong }).catch(() => false)
  }

  get #hasFailedLong(): boolean {
    return (this.status().failedNights ?? 0) >= MOST_FAILED_NIGHTS
  }

  #say(more: Partial<BackupStatus>) {
    this.ctx.storage.kv.put('status', { ...this.status(), ...more })
  }

  /** Begins the backup of a night, where the owner has given the connector a bucket. */
  async nightly() {
    if (this.env.BACKUPS) await this.#tryAt(0, Date.now())
  }

  async #tryAt(tried: number, at: number) {
    this.ctx.storage.kv.put('tried', tried)
    await this.ctx.storage.setAlarm(at)
  }

  override async alarm() {
    const tried = (this.ctx.storage.kv.get<number>('tried') ?? 0) + 1
    // Before the work: what ends with the object counts, too.
    if (tried < TRIES) await this.#tryAt(tried, Date.now() + RETRY_AFTER)
    try {
      const hasFailed = this.#hasFailedLong
      const night = await this.#keep(this.env.BACKUPS!)
      // Before the night counts as done: one that could not be logged is tried again.
      await auditFrom(this.env).append([
        auditEntry({
          id: crypto.randomUUID(),
          at: Date.now(),
          event: 'backup',
          caller: 'none',
          operation: 'nightly_backup',
          code: 'ok',
        }),
      ])
      this.#say({ night, failsSince: undefined, failedNights: 0 })
      if (hasFailed) await this.#sayHealth()
      await this.ctx.storage.deleteAlarm()
    } catch {
      if (tried < TRIES) return
      const { failsSince = Date.now(), failedNights = 0 } = this.status()
      this.#say({ failsSince, failedNights: failedNights + 1 })
      if (this.#hasFailedLong) await this.#sayHealth()
      const alert = { event: 'backup_failed', since: isoSeconds(failsSince) } as const
      await raiseAlert(this.env, alert)
    }
  }

  /** Makes a backup into the bucket, and reads back that it is there. */
  async #keep(bucket: R2Bucket): Promise<{ at: number; size: number }> {
    const { PUBLIC_URL = '', BACKUP_RECIPIENT = '' } = settingsFrom(this.env)
    const encrypter = await newEncrypter()
    if (this.#isRunning) throw new Error('another backup is being made')
    const at = Date.now()
    const key = `consult-${isoSeconds(at).replaceAll(':', '')}-${BACKUP_RECIPIENT.slice(-8)}.age`
    const upload = await bucket.createMultipartUpload(key)
    const reader = this.#encrypted(PUBLIC_URL, encrypter).getReader({ mode: 'byob' })
    try {
      const parts: R2UploadedPart[] = []
      for (let isLast = false; !isLast;) {
        const { value: part = new Uint8Array() } = await reader.readAtLeast(
          PART,
          new Uint8Array(PART),
        )
        isLast = part.length < PART
        if (part.length > 0) parts.push(await upload.uploadPart(parts.length + 1, part))
      }
      const { etag } = await upload.complete(parts)
      const kept = await bucket.head(key)
      if (kept?.etag !== etag) throw new Error('the backup is not in the bucket')
      return { at, size: kept.size }
    } catch (thrown) {
      await Promise.allSettled([upload.abort(), reader.cancel()])
      throw thrown
    }
  }

  #encrypted(origin: string, encrypter: Encrypter): ReadableStream<Uint8Array> {
    const { readable, writable } = new IdentityTransformStream()
    const gzip = new CompressionStream('gzip')
    encrypter.addRecipient(settingsFrom(this.env).BACKUP_RECIPIENT ?? '')
    this.#isRunning = true
    const encrypted = encrypter
      .encrypt(inPieces(gzip.readable))
      .then((stream) => stream.pipeThrough(joined()).pipeTo(writable))
    // What fails breaks it off: a reader never gets an end.
    const written = Promise.all([
      writeLines(this.env, origin, gzip.writable.getWriter()),
      encrypted,
    ])
      .catch(() => {})
      .finally(() => (this.#isRunning = false))
    this.ctx.waitUntil(written)
    return readable
  }

  /** The restore that filled this connector; undefined where there was none. */
  restored(): EndedRestore | undefined {
    const { made_at, modes, ended_at } = this.#begun ?? {}
    return made_at && modes && ended_at !== undefined ? { made_at, modes, ended_at } : undefined
  }

  get #begun(): Begun | undefined {
    return this.ctx.storage.kv.get<Begun>('restore')
  }

  /** Takes a line of the backup with this digest: its head first, its end last. A repeat changes nothing. */
  async restore(digest: string, line: RestoreLine): Promise<Restored> {
    const { kv } = this.ctx.storage
    const begun = this.#begun
    if (begun && begun.digest !== digest) return { refused: otherBegun(begun.made_at) }
    if (begun?.ended_at !== undefined) return { rows: begun.rows! }
    if ('backup' in line) {
      if (begun) return {}
      const rows = await this.#rows()
      const { 'RECORDS.records': records, 'AUDIT_LOG.entries': entries } = rows
      const refused =
        `There is a practice there already (${records} records, ${entries} entries of the ` +
        'log); nothing was changed. If it is new, delete that Worker first.'
      if (Object.values(rows).some((count) => count > 0)) return { refused }
      const { made_at, modes } = line
      kv.put<Begun>('restore', { digest, made_at, modes, stays: NOBODY })
    } else if (!begun) return { refused: NO_HEAD }
    else if ('stays' in line) kv.put<Begun>('restore', { ...begun, stays: line.stays })
    else if ('object' in line && !(await theOne(this.env, line.object)().restoreRows(line)))
      return { refused: 'This version does not know a table of this backup. Update first.' }
    else if ('flow' in line)
      await this.env.CONFIRMATIONS.getByName(line.flow).restore(line.record as KeptFlow)
    else if ('end' in line) {
      // The end adds an entry to the log and may be repeated, so the rows are counted before the first one.
      const rows = begun.rows ?? (await this.#rows())
      kv.put<Begun>('restore', { ...begun, rows })
      if (!(await this.#endRestore(begun, line))) return { refused: OTHER_LOG }
      kv.put<Begun>('restore', { ...begun, rows, ended_at: Date.now() })
      return { rows }
    }
    return {}
  }

  /**
   * The log goes on and says so, all callers are paused until the owner has looked, and what is due
   * is done.
   */
  async #endRestore({ digest, stays }: Begun, { end }: Extract<BackupLine, { end: object }>) {
    const log = theOne(this.env, 'AUDIT_LOG')()
    if (!(await log.endRestore(digest, end))) return false
    const by = { caller: 'none', app: null, operation: 'restore', request_id: null }
    const houseRules = houseRulesFrom(this.env)
    const everybody = (await houseRules.all()).find(({ caller }) => caller === EVERYBODY)
    // A repeat would log a change that changes nothing.
    if (everybody?.rules.paused !== true)
      await houseRules.change(EVERYBODY, { paused: true }, by, 'tighten')
    // A client who was deleted while the backup was made may be in it.
    const from = Date.parse(end.made_at) - DAY
    const { entries } = await log.page({ event: 'deletion', from, limit: 1000 })
    await theOne(this.env, 'RECORDS')().endRestore(
      entries.flatMap(({ record_id }) => record_id ?? []),
    )
    await theOne(this.env, 'ACCESS')().endRestore(stays)
    await theOne(this.env, 'EVENT_LOG')().endRestore(stays.webhooks)
    await theOne(this.env, 'PROVIDER_SYNC')().endRestore()
    return true
  }

  async #rows(): Promise<Record<string, number>> {
    const rows: Record<string, number> = {}
    for (const object of COPIED)
      for (const [table, count] of Object.entries(await theOne(this.env, object)().rowCounts()))
        rows[`${object}.${table}`] = count
    return rows
  }
}

/**
 * What encrypts a backup. It is loaded here, since an isolate starts often and makes a backup
 * almost never.
 */
async function newEncrypter(): Promise<Encrypter> {
  const age = await import('../src/core/crypto/age.ts')
  return new age.Encrypter()
}

/** The bytes of a stream in long pieces. */
function inPieces(bytes: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = bytes.getReader({ mode: 'byob' })
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await reader.readAtLeast(PIECE, new Uint8Array(PIECE))
      if (value?.length) controller.enqueue(value)
      if (done) controller.close()
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

/** Joins the pieces of 64 KiB that the age format encrypts each by itself. */
function joined() {
  let parts = new Blob()
  const send = async (controller: TransformStreamDefaultController<Uint8Array>) => {
    if (parts.size > 0) controller.enqueue(await parts.bytes())
    parts = new Blob()
  }
  return new TransformStream<Uint8Array, Uint8Array>({
    async transform(part, controller) {
      parts = new Blob([parts, part])
      if (parts.size >= PIECE) await send(controller)
    },
    flush: send,
  })
}

/** Writes the lines of a backup. The last one has the digest of all others, signed by the log. */
async function writeLines(env: Env, origin: string, to: WritableStreamDefaultWriter) {
  const made_at = new Date().toISOString()
  const encoder = new TextEncoder()
  const digest = new crypto.DigestStream('SHA-256')
  const digested = digest.getWriter()
  const write = async (line: BackupLine) => {
    const text = encoder.encode(`${JSON.stringify(line)}\n`)
    await digested.write(text)
    await to.write(text)
    // Without a pause no one else in this isolate is answered until the end.
    await scheduler.wait(0)
  }
  try {
    const coordinator = theOne(env, 'COORDINATOR')()
    const log = await auditFrom(env).state(hostOf(origin))
    let size = 0
    const waiting = (await coordinator.approvals.waiting()).length
    const head = {
      backup: 1,
      app: VERSION,
      origin: log.origin,
      made_at,
      waiting,
      modes: settingsFrom(env).modes,
      keys: log.keyChain,
    } as const
    await write({ ...head, note: await theOne(env, 'AUDIT_LOG')().signedHead(head) })
    await write(backedUpSettings(env))
    for (const object of COPIED) {
      let place: CopyPlace | undefined
      do {
        const { next, values, tables } = await theOne(env, object)().copy(place)
        const newest = tables.find(({ t }) => t === 'entries')?.rows.at(-1)?.[0]
        if (typeof newest === 'number') size = newest + 1
        await write({ object, values, tables })
        place = next
      } while (place)
      // Flows before the records that they make.
      for (const flow of object === 'COORDINATOR' ? await coordinator.flowsAtWork() : []) {
        const record = await env.CONFIRMATIONS.getByName(flow).atWork()
        if (record) await write({ flow, record })
      }
    }
    await digested.close()
    const signed = await theOne(env, 'AUDIT_LOG')().endBackup(
      made_at,
      hex(await digest.digest),
      size,
    )
    await to.write(encoder.encode(`${JSON.stringify(signed)}\n`))
    await to.close()
  } catch (thrown) {
    await to.abort(thrown)
  }
}
