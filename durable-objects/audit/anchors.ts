import { parseNote } from '../../src/core/domain/audit/signed-note.ts'
import { hostOf } from '../../src/core/domain/origin.ts'
import { DAY } from '../../src/core/domain/time/duration.ts'
import type { Anchor, Anchoring } from '../../src/core/ports/audit.ts'
import { settingsFrom } from '../../src/core/settings.ts'
import type { Env } from '../../src/practice/env.ts'
import { keepVerdicts } from '../../src/practice/wiring/objects.ts'
import { anchorsFrom } from '../../src/practice/wiring/providers.ts'
import { type SqlPart, part, sqlOf } from '../shared/sql.ts'
import type { AuditCheckpoints } from './checkpoints.ts'
import type { AuditTree } from './tree.ts'

type AnchorRow = Omit<Anchor, 'proof'> & { proof: ArrayBuffer }

/** Since when none could be sent; after so long `/health` says so. */
const FAILING = 'anchors_fail_since'
const LATE = 3 * DAY

/** The checkpoints of the audit log that left the house, with what came back; kept for good. */
export class AuditAnchors {
  readonly #storage: DurableObjectStorage
  readonly #tree: AuditTree
  readonly #checkpoints: AuditCheckpoints

  constructor(storage: DurableObjectStorage, tree: AuditTree, checkpoints: AuditCheckpoints) {
    this.#storage = storage
    this.#tree = tree
    this.#checkpoints = checkpoints
    storage.sql.exec(
      'CREATE TABLE IF NOT EXISTS anchors (size INTEGER PRIMARY KEY, note TEXT NOT NULL, ' +
        'kind TEXT NOT NULL, at INTEGER NOT NULL, proof BLOB NOT NULL)',
    )
  }

  /** Those that cover more entries than this, the smallest first. */
  after(size: number, count: number): Anchor[] {
    return this.#read(part`WHERE size > ${size} ORDER BY size LIMIT ${count}`)
  }

  /**
   * Recomputes what the last one covers. An object that was restored to an earlier time has fewer
   * entries, or others.
   */
  async state(env: Env): Promise<Anchoring> {
    const last = this.#last
    const failingSince = this.#storage.kv.get<number>(FAILING) ?? null
    const isSet = anchorsFrom(env) !== undefined
    if (!last) return { isSet, last: null, fits: true, failingSince }
    const { size, at } = last
    const fits =
      size <= this.#tree.size && (await this.#checkpoints.text(size)) === parseNote(last.note).text
    return { isSet, last: { size, at }, fits, failingSince }
  }

  /** Sends a checkpoint out of the house if the log has grown; false if that failed. */
  async send(env: Env, now: number): Promise<boolean> {
    const { kv } = this.#storage
    const since = kv.get<number>(FAILING)
    try {
      await this.#sendIfGrown(env, now)
    } catch {
      console.log(JSON.stringify({ event: 'anchor_failed' }))
      if (since === undefined) kv.put(FAILING, now)
      else if (since <= now - LATE) await reportToHealth(env, true)
      return false
    }
    if (since !== undefined && (await reportToHealth(env, false))) kv.delete(FAILING)
    return true
  }

  async #sendIfGrown(env: Env, now: number): Promise<void> {
    const anchors = anchorsFrom(env)
    const { PUBLIC_URL } = settingsFrom(env)
    const canName = PUBLIC_URL !== undefined || this.#checkpoints.isNamed
    if (!anchors || !canName || this.#last?.size === this.#tree.size) return
    const host = PUBLIC_URL === undefined ? '' : hostOf(PUBLIC_URL)
    const { size, checkpoint: note } = await this.#checkpoints.state(host)
    const proof = await anchors.send(note)
    sqlOf(this.#storage.sql)`
      INSERT OR IGNORE INTO anchors (size, note, kind, at, proof)
      VALUES (${size}, ${note}, ${anchors.kind}, ${now}, ${proof.slice().buffer})`
  }

  /** The one that covers most entries. */
  get #last(): Anchor | undefined {
    return this.#read(part`ORDER BY size DESC LIMIT 1`)[0]
  }

  #read(which: SqlPart): Anchor[] {
    const sql = sqlOf(this.#storage.sql)
    return sql<AnchorRow>`SELECT size, note, kind, at, proof FROM anchors ${which}`.map((row) => ({
      ...row,
      proof: new Uint8Array(row.proof),
    }))
  }
}

/**
 * Reports the verdict for `/health`; false if it did not arrive, and then the next alarm reports it
 * again.
 */
const reportToHealth = (env: Env, isLate: boolean): Promise<boolean> =>
  keepVerdicts(env, { audit_log_not_anchored: isLate }).then(
    () => true,
    () => false,
  )
