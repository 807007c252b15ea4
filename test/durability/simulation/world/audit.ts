import { createHash } from 'node:crypto'

import type { AuditEntry } from '../../../../src/core/domain/audit/entry.ts'
import { type AuditLeaf, parseLeaf } from '../../../../src/core/domain/audit/leaf.ts'
import { parseCheckpoint, parseNote } from '../../../../src/core/domain/audit/signed-note.ts'
import { DAY } from '../../../../src/core/domain/time/duration.ts'
import type { AuditLog as AuditPort, KeptLeaf, LogState } from '../../../../src/core/ports/audit.ts'
import type { Keyring } from '../../../../src/core/ports/keyring.ts'
import { exampleEntry } from '../../../support/example-entry.ts'
import { type Random, randomFrom } from '../../../support/random.ts'
import { type Signed, judgeTree } from '../auditor/audit-tree.ts'
import { auditStorage } from './audit-storage.ts'
import { WIRING_FILES, builtObject } from './built.ts'
import type { World } from './world.ts'

/** The audit log, the real one: far away, sometimes out of reach; what it once holds stays. */
export interface AuditLog {
  append(entries: readonly AuditEntry[]): Promise<void>
  /** What stands in its tree, but for what was dropped. */
  entries(): AuditLeaf[]
  /** Asks for a checkpoint, which is compared with all before. */
  sign(): Promise<void>
  /** Its instance ends, and a later version adds to what is stored; returns what lacks what it had added. */
  addLater(): string[]
  close(): void
}

/** What is used of durable-objects/audit-log.ts. */
interface Methods extends Pick<AuditPort, 'append' | 'state'> {
  leaves(from: number, count: number): KeptLeaf[]
  alarm(): Promise<void>
}

const YEAR = 365
const ORIGIN_HOST = 'consult.example.com'
const digestOf = (bytes: string | Uint8Array): Uint8Array =>
  new Uint8Array(createHash('sha256').update(bytes).digest())

/** Stands for src/practice/wiring and src/core/settings.ts. Nothing is really signed, since the auditor looks at roots. */
const WIRING = {
  settingsFrom: ({ ids }: { ids(): Keyring['ids'] }) => ({
    AUDIT_RETENTION_DAYS: 6 * YEAR,
    signingSecrets: ids(),
  }),
  keyringFrom: async ({ signingSecrets }: { signingSecrets: Keyring['ids'] }) => ({
    ids: signingSecrets,
    signer: async (id: string) => ({
      publicKey: digestOf(id),
      sign: async () => new Uint8Array(64),
    }),
  }),
}

const auditModule = builtObject<{ AuditLog: new (ctx: unknown, env: unknown) => Methods }>(
  'audit-log.ts',
  [...WIRING_FILES, '*/settings.ts'],
  WIRING,
  ['Date', 'crypto'],
)

/**
 * The real log over a database. It has chance of its own, and all that it does is within the event in which it gets
 * entries, so that it shifts nothing else.
 */
export function auditLog(world: World, seed: number): AuditLog {
  const { random, timeline, faults, auditor, policy } = world
  const own = randomFrom(seed ^ 0x6962)
  const { storage, ...disk } = auditStorage(timeline.now + own.int(0, 2 * DAY), policy.auditSql)
  const { AuditLog } = auditModule(
    Object.assign(class extends Date {}, { now: () => timeline.now }),
    {
      // At once, so that a run does not depend on the machine's threads.
      subtle: { digest: async (_name: string, bytes: Uint8Array) => digestOf(bytes) },
      randomUUID: () => own.bytes(16).toString('hex'),
    },
  )
  const env = { ids: () => world.keyring.ids }
  const signed: Signed[] = []
  let current: Methods | undefined
  const log = (): Methods => (current ??= new AuditLog({ storage }, env))
  const broken = (error: unknown): void =>
    auditor.report('I35', `the audit log threw ${String(error)}`)

  void log().append(formerEntries(own, timeline.now - 7 * YEAR * DAY))

  function leaves(): KeptLeaf[] {
    try {
      return log().leaves(0, Number.MAX_SAFE_INTEGER)
    } catch (error) {
      broken(error)
      return []
    }
  }

  /** Entries arrive, perhaps while a checkpoint is made. If the log ends before all is durable, nothing of it was. */
  async function arrive(
    batch: readonly AuditEntry[],
    signs: boolean,
    isLost: boolean,
  ): Promise<void> {
    disk.begin()
    let state: LogState | undefined
    let isDurable = !isLost
    try {
      if (disk.rings(timeline.now)) await log().alarm()
      const signing = signs ? log().state(ORIGIN_HOST) : undefined
      for (let turns = own.int(0, 40); signing && turns > 0; turns--) await Promise.resolve()
      await log().append(batch)
      state = await signing
    } catch (error) {
      isDurable = false
      broken(error)
    }
    disk.end(isDurable ? 'COMMIT' : 'ROLLBACK')
    if (!isDurable || own.chance(0.1)) current = undefined
    if (!state || !isDurable) return
    signed.push(parseCheckpoint(parseNote(state.checkpoint).text, state.origin))
    const kept = leaves()
    judgeTree(auditor.report, kept, signed)
    world.tally.count(
      `checkpoints${kept.some((one) => 'hash' in one) ? ' over dropped entries' : ''}`,
    )
  }

  return {
    append: (batch) =>
      new Promise((resolve, reject) => {
        const fails = faults.strikes('auditLogFails')
        const appends = !fails || random.chance(0.4)
        timeline.after(random.int(1, 200), 'the audit log gets entries', async () => {
          if (appends) auditor.scan('the audit log', batch)
          // What fails never arrived, or the log ended before it was durable.
          if (appends || own.chance(0.5)) await arrive(batch, own.chance(0.4), !appends)
          if (fails) reject(new Error('the audit log does not answer'))
          else resolve()
        })
      }),
    entries: () => leaves().flatMap((one) => ('leaf' in one ? [parseLeaf(one.leaf)] : [])),
    sign: () => arrive([], true, false),
    addLater() {
      current = undefined
      return disk.addLater()
    },
    close: disk.close,
  }
}

/** What some logs hold from long ago: a few entries or more than a tile, which are to be dropped. */
function formerEntries(own: Random, at: number): AuditEntry[] {
  const count = own.weighted([
    [6, 0],
    [2, own.int(1, 8)],
    [1, own.int(235, 270)],
  ])
  return Array.from({ length: count }, (_, nth) =>
    exampleEntry({
      id: `former ${nth}`,
      at: at + nth,
      event: own.chance(0.02) ? 'enrolment' : 'check',
    }),
  )
}
