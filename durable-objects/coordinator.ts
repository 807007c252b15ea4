import type { AuditEntry } from '../src/core/domain/audit/entry.ts'
import { approvalEvent, type HappenedEvent } from '../src/core/domain/events/topics.ts'
import {
  type LockHolders,
  LATELY_MS,
  anyTimeOf,
  formerHolders,
} from '../src/core/domain/lock-holders.ts'
import type { Refusal } from '../src/core/domain/problem/problem.ts'
import type { PracticeHealth } from '../src/core/domain/provider-health.ts'
import { RequestCounter } from '../src/core/domain/provider-quota.ts'
import type { Provider } from '../src/core/domain/providers.ts'
import {
  type AskedChange,
  type Rules,
  changesIn,
  loosens,
} from '../src/core/domain/rules/house-rules.ts'
import { DAY, MINUTE, SECOND } from '../src/core/domain/time/duration.ts'
import type { WaitingApproval } from '../src/core/ports/confirmation.ts'
import type {
  CallerCopy,
  HouseRules,
  RulesChange,
  RulesChangedBy,
} from '../src/core/ports/house-rules.ts'
import type { Unresolved } from '../src/core/ports/unresolved.ts'
import { settingsFrom } from '../src/core/settings.ts'
import { withTimeout } from '../src/core/with-timeout.ts'
import type { Served } from '../src/practice/adapters/cloudflare/stub.ts'
import type { Env } from '../src/practice/env.ts'
import { practiceMode } from '../src/practice/operations/operation.ts'
import { auditFrom, eventLogFrom } from '../src/practice/wiring/objects.ts'
import { providerModesFrom } from '../src/practice/wiring/providers.ts'
import { ApprovalsTable } from './coordinator/approvals.ts'
import { HouseRulesTables, rulesEntry } from './coordinator/house-rules.ts'
import { ProviderHealthStore } from './coordinator/provider-health.ts'
import { CopiedObject } from './shared/copied-object.ts'
import { OutboxTable } from './shared/outbox-table.ts'
import { Alarm } from './shared/shared-alarm.ts'
import { among, raw } from './shared/sql.ts'

/** How many rows the alarm drops at once, and how soon it goes on. */
const DROPPED_AT_ONCE = 5000
const GO_ON = SECOND

/**
 * How many questions the pages of client links together put to the calendar in a minute. A question
 * is one request or two, and Cal.com, the strictest provider, allows 120: most are left to the
 * staff.
 */
const LINK_QUESTIONS_A_MINUTE = 20

/** How long the answer to a change of rules waits for the audit log, where it need not. */
const LOG_TIMEOUT_MS = SECOND

/**
 * What became of an attempt to begin a change: the rows that prevent it, or the rule. Where it may
 * begin, whether a provider refuses some change: only then is it news that one is taken.
 */
export type Acquired =
  | { is: 'taken'; knowsRefusedChange: boolean }
  | { is: 'held'; rows: LockRow[] }
  | { is: 'refused'; refusal: Refusal }

/**
 * Lets a change begin: asks the house rules, counts it, and keeps two flows from acting on the same
 * slot, booking or invoice. There is one row for each lock, never released: it remembers which flow
 * took the lock last, and that flow itself says whether it is still busy. Also lists the operations
 * that need a person, and keeps what the last check of the providers found.
 */
export class Coordinator
  extends CopiedObject
  implements Served<Omit<HouseRules, 'copyOf' | 'lastCopyOf'>>
{
  readonly #rules: HouseRulesTables
  readonly #approvals: ApprovalsTable
  readonly #outbox: OutboxTable
  readonly #providerHealth: ProviderHealthStore
  /** In memory: a new instance begins to count again. */
  #linkQuestions = { since: 0, count: 0 }
  /** In memory, too. */
  readonly #requests = new Map<Provider, RequestCounter>()
  readonly #alarm = new Alarm(this.ctx.storage)

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.sql`
      CREATE TABLE IF NOT EXISTS unresolved (flow TEXT PRIMARY KEY, operation_id TEXT NOT NULL,
        operation TEXT NOT NULL, since TEXT NOT NULL)`
    this.sql`
      CREATE TABLE IF NOT EXISTS locks (lock_key TEXT PRIMARY KEY, holder TEXT NOT NULL,
        seq INTEGER NOT NULL, until INTEGER NOT NULL, former TEXT NOT NULL) WITHOUT ROWID`
    this.#rules = new HouseRulesTables(this.sql, () => settingsFrom(this.env).practice.timezone)
    this.#approvals = new ApprovalsTable(this.sql, (...what) => this.#publish(...what))
    this.#providerHealth = new ProviderHealthStore(ctx.storage.kv)
    const alarmBy = (at: number) => this.#alarm.by(at)
    this.#outbox = new OutboxTable(this.sql, alarmBy, async ({ kind, detail }) => {
      if (kind === 'event') await eventLogFrom(env).append([JSON.parse(detail) as HappenedEvent])
      else await auditFrom(env).append([JSON.parse(detail) as AuditEntry])
      return 'delivered'
    })
  }

  get approvals(): ApprovalsTable {
    return this.#approvals
  }

  get providerHealth(): ProviderHealthStore {
    return this.#providerHealth
  }

  /**
   * Lets a change begin, in one step: where the rules allow it, counts it and takes all locks or
   * none. A lock of another holder is taken over only if its row is still as `seen`.
   */
  acquire(holder: string, lockKeys: string[], seen: LockRow[], change: AskedChange): Acquired {
    const now = Date.now()
    const refusal = this.#rules.refusal(change, holder, now)
    if (refusal) return { is: 'refused', refusal }
    const rows = this.#locks(lockKeys)
    const isSeen = (row: LockRow) =>
      seen.some(({ lockKey, seq }) => lockKey === row.lockKey && seq === row.seq)
    const held = rows.filter((row) => row.holder !== holder && !isSeen(row))
    if (held.length > 0)
      return {
        is: 'held',
        rows: held.map(({ lockKey, holder: other, seq }) => ({ lockKey, holder: other, seq })),
      }
    this.ctx.storage.transactionSync(() => {
      if (change.heldTo === undefined)
        this.#rules.count(change.caller, holder, now, changesIn(change))
      for (const lockKey of lockKeys) {
        const row = rows.find((one) => one.lockKey === lockKey)
        const former = JSON.stringify(formerHolders(row, holder))
        this.sql`
          INSERT INTO locks (lock_key, holder, seq, until, former)
          VALUES (${lockKey}, ${holder}, 1, ${now + KEEP_LOCKS}, ${former})
          ON CONFLICT (lock_key) DO UPDATE SET
            holder = excluded.holder, seq = seq + 1, until = excluded.until, former = excluded.former`
      }
    })
    this.ctx.waitUntil(this.#alarm.by(now + DAY))
    return { is: 'taken', knowsRefusedChange: this.#providerHealth.knowsRefusedChange }
  }

  /**
   * Takes one question to the provider out of the budget of all client links together; false where
   * none is left.
   */
  spendLinkQuestion() {
    const now = Date.now()
    if (Math.abs(now - this.#linkQuestions.since) >= MINUTE)
      this.#linkQuestions = { since: now, count: 0 }
    return ++this.#linkQuestions.count <= LINK_QUESTIONS_A_MINUTE
  }

  /** Those of these locks that were taken before. */
  #locks(lockKeys: readonly string[]): KeptLock[] {
    return this.sql<LockRow & { former: string }>`
      SELECT lock_key AS lockKey, holder, seq, former FROM locks
      WHERE lock_key IN ${among(lockKeys)}`.map((row) => ({
      ...row,
      former: JSON.parse(row.former) as string[],
    }))
  }

  /**
   * The flows that took these locks last, and those before them. A key that ends with `ANY_TIME`
   * adds those that took a lock on any time of that kind of consult within `LATELY_MS` of `madeAt`,
   * the latest first, and those of them that are listed as in doubt, however long ago that was.
   */
  holders(lockKeys: string[], madeAt: number | null): string[] {
    const until = (madeAt ?? Date.now()) + KEEP_LOCKS
    const exact = this.#locks(lockKeys).flatMap(({ holder, former }) => [holder, ...former])
    const kinds = lockKeys.flatMap((lockKey) => anyTimeOf(lockKey) ?? [])
    const lately = kinds.flatMap(
      (kind) => this.sql<{ holder: string }>`
        SELECT holder FROM locks
        WHERE lock_key BETWEEN ${kind} AND ${`${kind}~`}
          AND abs(until - ${until}) < ${LATELY_MS}
        ORDER BY until DESC LIMIT ${MOST_LATELY}`,
    )
    const inDoubt = kinds.flatMap(
      (kind) => this.sql<{ holder: string }>`
        SELECT flow AS holder FROM unresolved
        WHERE EXISTS (SELECT 1 FROM locks WHERE lock_key BETWEEN ${kind} AND ${`${kind}~`}
          AND (holder = flow OR instr(former, flow) > 0))`,
    )
    return [...new Set([...exact, ...[...lately, ...inDoubt].map(({ holder }) => holder)])]
  }

  /**
   * The sets of rules that apply to a caller, with what this caller and all together asked of each
   * provider in the last minute.
   */
  copyFor(caller: string): CallerCopy {
    const now = Date.now()
    const spent = Array.from(
      this.#requests,
      ([provider, counter]) => [provider, counter.spent(caller, now)] as const,
    )
    return { sets: this.#rules.setsOf(caller), spent: Object.fromEntries(spent) }
  }

  /** Counts what a call of this caller cost at the providers; the answer is its next copy. */
  reportRequests(caller: string, requests: ReadonlyMap<Provider, number>): CallerCopy {
    for (const [provider, count] of requests) {
      const counter = this.#requests.get(provider) ?? new RequestCounter()
      this.#requests.set(provider, counter)
      counter.add(caller, count, Date.now())
    }
    return this.copyFor(caller)
  }

  /** The same sets with what they have counted today, apart from this flow. */
  appliedTo(caller: string, flow = '') {
    return this.#rules.appliedTo(caller, flow, Date.now())
  }

  /** Every set of rules that is kept. */
  all() {
    return this.#rules.all()
  }

  /**
   * Replaces rules of a set. What only tightens holds at once and is logged after; what loosens is
   * logged first, and holds only if the set is still the one that it was logged for. Rejects where
   * that could not be logged.
   */
  async change(
    caller: string,
    rules: Partial<Rules>,
    by: RulesChangedBy,
    may: 'tighten' | 'loosen',
  ): Promise<RulesChange> {
    const { rules: before } = this.#rules.setOf(caller)
    const after = { ...before, ...rules }
    // A second press, or a command that is run again, is no change, and none for the log.
    if (JSON.stringify(after) === JSON.stringify(before)) return 'kept'
    const entry = rulesEntry(caller, before, after, by)
    if (loosens(before, after)) {
      if (may === 'tighten') return 'loosens'
      await auditFrom(this.env).append([entry])
      const { rules: meanwhile } = this.#rules.setOf(caller)
      if (JSON.stringify(meanwhile) !== JSON.stringify(before)) {
        // The log has to end on what holds.
        const correction = rulesEntry(caller, after, meanwhile, by)
        this.#outbox.add('audit', correction.id, JSON.stringify(correction), 'urgent')
        await withTimeout(this.#outbox.run(), LOG_TIMEOUT_MS)
        return 'overtaken'
      }
      return this.#rules.keep(caller, after, Date.now()) ? 'kept' : 'full'
    }
    const isKept = this.ctx.storage.transactionSync(() => {
      const isKept = this.#rules.keep(caller, after, Date.now())
      if (isKept) this.#outbox.add('audit', entry.id, JSON.stringify(entry), 'urgent')
      return isKept
    })
    if (!isKept) return 'full'
    // It holds already, so the answer does not depend on the log.
    await withTimeout(this.#outbox.run(), LOG_TIMEOUT_MS)
    return 'kept'
  }

  /**
   * Drops the locks that no one took for long, and old counts: once a day, since it has to look at
   * every row.
   */
  override async alarm() {
    this.#alarm.rang()
    await this.#outbox.ring()
    const now = Date.now()
    this.#approvals.drop(now)
    const locks = this.sql.written`
      DELETE FROM locks
      WHERE lock_key IN (SELECT lock_key FROM locks WHERE until < ${now} LIMIT ${DROPPED_AT_ONCE})`
    const dropped = Math.max(locks, this.#rules.dropCounts(now, DROPPED_AT_ONCE))
    if (this.sql.exists`locks` || this.#rules.hasCounts || this.#approvals.hasRows)
      await this.#alarm.by(now + (dropped < DROPPED_AT_ONCE ? DAY : GO_ON))
  }

  /** Puts an operation on the list of those that need a person; a repeat changes nothing. */
  addUnresolved({ flow, operation_id, operation, since }: Unresolved) {
    this.sql`
      INSERT OR IGNORE INTO unresolved (flow, operation_id, operation, since)
      VALUES (${flow}, ${operation_id}, ${operation}, ${since})`
  }

  /** Takes an operation off that list. */
  clearUnresolved(flow: string) {
    this.sql`DELETE FROM unresolved WHERE flow = ${flow}`
  }

  /**
   * Publishes that a preview waits for a person, or what they decided, in the event log; it is
   * delivered until it is there.
   */
  async #publish(approval: WaitingApproval, now: number, decision?: 'approved' | 'declined') {
    const mode = practiceMode(providerModesFrom(this.env))
    const event = approvalEvent(approval, mode, now, decision)
    this.#outbox.add('event', approval.operation_id, JSON.stringify(event))
    this.ctx.waitUntil(this.#outbox.run())
    await this.#alarm.by(now + DAY)
  }

  /** The operations that need a person, the oldest first. */
  unresolved() {
    return this.sql<Unresolved>`SELECT * FROM unresolved ORDER BY since`
  }

  /** The flows that may be at work: those in doubt, and those that took a lock in the last two days. */
  flowsAtWork() {
    return this.sql<{ flow: string }>`
      SELECT flow FROM unresolved
      UNION
      SELECT holder FROM locks
      WHERE ${raw(TAKEN_LATELY)}`.map(({ flow }) => flow)
  }

  /** All that needs the owner: what is wrong with the providers, and how many operations need a person. */
  health(): PracticeHealth {
    return { ...this.#providerHealth.read(), unresolved: this.unresolved().length }
  }
}

/** How long a lock remembers who took it last: longer than any record in doubt is of use. */
const KEEP_LOCKS = 60 * DAY

/** How many flows that took a lock lately are named, the latest first. */
const MOST_LATELY = 500

/** The locks of the last two days: a flow that began before has ended, or is listed as in doubt. */
const TAKEN_LATELY = `until > unixepoch() * 1000 + ${KEEP_LOCKS - LATELY_MS}`

/** A lock that another flow took last; `seq` shows whether someone took it in between. */
export interface LockRow {
  lockKey: string
  holder: string
  seq: number
}

/** A lock with the flows that took it before. */
type KeptLock = LockRow & LockHolders
