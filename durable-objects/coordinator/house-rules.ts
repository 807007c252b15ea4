import { type AuditEntry, auditEntry } from '../../src/core/domain/audit/entry.ts'
import type { Refusal } from '../../src/core/domain/problem/problem.ts'
import {
  type AppliedRules,
  type AskedChange,
  type KeptRules,
  type Rules,
  EVERYBODY,
  NO_RULES,
  commitRefusalBy,
  factsOfRules,
} from '../../src/core/domain/rules/house-rules.ts'
import { DAY } from '../../src/core/domain/time/duration.ts'
import { dateIn } from '../../src/core/domain/time/time.ts'
import type { RulesChangedBy } from '../../src/core/ports/house-rules.ts'
import { type Sql, type SqlPart, part, raw } from '../shared/sql.ts'

/** More sets than a practice has callers. */
const MOST_SETS = 1000
/** How long the changes of a day are counted: the day before is kept for a clock that is set back. */
const KEEP_COUNTS = 2 * DAY

/** How many flows a row counts; as text, since a number that is bound is no integer. */
const FLOWS_PER_ROW = raw('50')

/** `flows` has a flow once for each change that it counts as, with a blank before and after. */
const entryOf = (flow: string) => ` ${flow} `
const hasFlow = (flow: string) => part`instr(flows, ${entryOf(flow)}) > 0`
function changesOf(flow: string) {
  // Between any two entries stand the two blanks that the entry of no flow would be.
  if (flow === '') return part`0`
  const entry = entryOf(flow)
  return part`(length(flows) - length(replace(flows, ${entry}, ''))) / ${raw(String(entry.length))}`
}

type Row = { caller: string; rules: string; paused_since: number | null }

/** The sets of house rules, and the changes that each day has counted, in tables of the coordinator. */
export class HouseRulesTables {
  readonly #sql: Sql
  readonly #zone: () => string

  /** `zone` is that of the practice. */
  constructor(sql: Sql, zone: () => string) {
    this.#sql = sql
    this.#zone = zone
    sql`
      CREATE TABLE IF NOT EXISTS house_rules (caller TEXT PRIMARY KEY, rules TEXT NOT NULL,
        paused_since INTEGER) WITHOUT ROWID`
    // The flows of a caller that began a change on a day, so many in a row.
    sql`
      CREATE TABLE IF NOT EXISTS changes (day TEXT, caller TEXT, part INTEGER,
        times INTEGER NOT NULL, flows TEXT NOT NULL,
        PRIMARY KEY (day, caller, part)) WITHOUT ROWID`
  }

  /** The sets that apply to a caller, that of everybody first. */
  setsOf(caller: string): KeptRules[] {
    return this.#sets(part`caller IN (${EVERYBODY}, ${caller})`)
  }

  all(): KeptRules[] {
    return this.#sets(part`TRUE`)
  }

  setOf(caller: string): KeptRules {
    return this.#sets(part`caller = ${caller}`)[0] ?? { caller, rules: NO_RULES, pausedSince: null }
  }

  /** The same sets with what they have counted today, apart from this flow. */
  appliedTo(caller: string, flow: string, now: number): AppliedRules[] {
    return this.setsOf(caller).map((set) => ({
      ...set,
      changesToday: this.#countedBy(set, flow, now),
    }))
  }

  /** Why a change may not be begun now. */
  refusal(change: AskedChange, flow: string, now: number): Refusal | undefined {
    return commitRefusalBy(this.appliedTo(change.caller, flow, now), change, now, this.#zone())
  }

  /** Counts a flow as so many changes; a repeat of it counts once in a day. */
  count(caller: string, flow: string, now: number, changes: number) {
    const entries = entryOf(flow).repeat(changes)
    const day = dateIn(now, this.#zone())
    this.#sql`
      INSERT INTO changes (day, caller, part, times, flows)
      SELECT ${day}, ${caller}, COALESCE(SUM(times), 0) / ${FLOWS_PER_ROW}, ${changes},
        ${entries}
      FROM changes
      WHERE day = ${day} AND caller = ${caller}
      HAVING NOT COALESCE(MAX(${hasFlow(flow)}), FALSE)
      ON CONFLICT DO UPDATE SET times = times + excluded.times, flows = flows || excluded.flows`
  }

  /** Keeps a set; false where there are too many. A set without a rule is dropped. */
  keep(caller: string, rules: Rules, now: number) {
    if (Object.values(rules).every((rule) => rule === null || rule === false)) {
      this.#sql`DELETE FROM house_rules WHERE caller = ${caller}`
      return true
    }
    const sets = this.all()
    const before = sets.find((set) => set.caller === caller)
    // That of everybody always has its place.
    if (!before && caller !== EVERYBODY && sets.length >= MOST_SETS) return false
    const since = rules.paused ? (before?.pausedSince ?? now) : null
    this.#sql`
      INSERT OR REPLACE INTO house_rules (caller, rules, paused_since)
      VALUES (${caller}, ${JSON.stringify(rules)}, ${since})`
    return true
  }

  /** Drops the counts of days that are over, `most` rows at a time; how many it dropped. */
  dropCounts(now: number, most: number): number {
    const before = dateIn(now - KEEP_COUNTS, this.#zone())
    return this.#sql.written`DELETE FROM changes
      WHERE (day, caller, part) IN
        (SELECT day, caller, part FROM changes WHERE day < ${before} LIMIT ${most})`
  }

  get hasCounts(): boolean {
    return this.#sql.exists`changes`
  }

  /** Not counted where there is no limit: each row that is read is billed. */
  #countedBy({ caller, rules }: KeptRules, flow: string, now: number): number {
    if (rules.changes_a_day === null) return 0
    const ofCaller = caller === EVERYBODY ? part`` : part`AND caller = ${caller}`
    return this.#sql<{ count: number }>`
      SELECT COALESCE(SUM(times - ${changesOf(flow)}), 0) AS count FROM changes
      WHERE day = ${dateIn(now, this.#zone())} ${ofCaller}`[0]!.count
  }

  #sets(where: SqlPart): KeptRules[] {
    const rows = this.#sql<Row>`
      SELECT * FROM house_rules WHERE ${where} ORDER BY caller <> ${EVERYBODY}, caller`
    return rows.map(({ caller, rules, paused_since }) => ({
      caller,
      rules: JSON.parse(rules) as Rules,
      pausedSince: paused_since,
    }))
  }
}

/** What it was before tells a pause or a resume apart from any other change of a set. */
function codeOfChange(before: Rules, after: Rules): 'changed' | 'paused' | 'resumed' {
  if (before.paused === after.paused) return 'changed'
  return after.paused ? 'paused' : 'resumed'
}

/** A change of a set for the audit log. */
export const rulesEntry = (
  set: string,
  before: Rules,
  after: Rules,
  { caller, app, operation, request_id }: RulesChangedBy,
): AuditEntry =>
  auditEntry({
    id: crypto.randomUUID(),
    at: Date.now(),
    event: 'rules',
    caller,
    app,
    operation,
    code: codeOfChange(before, after),
    record_id: set,
    request_id,
    about: factsOfRules(after),
  })
