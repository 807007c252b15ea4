import type { AppliedRules, KeptRules, Rules } from '../domain/rules/house-rules.ts'
import type { AuditEntry } from '../domain/audit/entry.ts'

/** Who changes rules, and by which operation and request, for the audit log. */
export type RulesChangedBy = Pick<AuditEntry, 'caller' | 'app' | 'operation' | 'request_id'>

/**
 * What became of a change of rules: `kept`, and holding; or nothing was changed, because it would allow more than before
 * (`loosens`), because other rules were kept meanwhile (`overtaken`), or because there are too many sets (`full`).
 */
export type RulesChange = 'kept' | 'loosens' | 'overtaken' | 'full'

/**
 * The rules of the house: a set for all callers together, whose caller is `EVERYBODY`, and one for each caller; both must
 * allow. A caller without a set has `NO_RULES`. What is kept holds for every commit from then on.
 */
export interface HouseRules {
  /** The sets that apply to a caller, that of everybody first. */
  setsOf(caller: string): Promise<KeptRules[]>
  /** The same, as they were `RULES_COPY_MS` ago at most, and never from before the last change that this isolate made. */
  copyOf(caller: string): Promise<KeptRules[]>
  /**
   * The same with what each has counted today. `flow` is the confirmation
   * object of a change that is not to be counted against itself.
   */
  appliedTo(caller: string, flow?: string): Promise<AppliedRules[]>
  /** Every set that is kept, that of everybody first. */
  all(): Promise<KeptRules[]>
  /**
   * Replaces the named rules of a set, all or some: `{ paused: true }` pauses, `{ paused: false }` resumes. With
   * `may: 'tighten'` nothing is changed that would allow more. What only tightens is kept first and logged after; what
   * loosens is logged before it holds. Rejects, and nothing has changed, where the audit log did not take that.
   */
  change(
    caller: string,
    rules: Partial<Rules>,
    by: RulesChangedBy,
    may: 'tighten' | 'loosen',
  ): Promise<RulesChange>
}
