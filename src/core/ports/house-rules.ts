import type { AuditEntry } from '../domain/audit/entry.ts'
import type { SpentRequests } from '../domain/provider-quota.ts'
import type { Provider } from '../domain/providers.ts'
import type { AppliedRules, KeptRules, Rules } from '../domain/rules/house-rules.ts'

/** Who changes rules, and by which operation and request, for the audit log. */
export type RulesChangedBy = Pick<AuditEntry, 'caller' | 'app' | 'operation' | 'request_id'>

/**
 * What an isolate keeps a copy of for a caller: the sets of rules that apply to it, and what it and
 * all together asked of each provider in the last minute.
 */
export interface CallerCopy {
  sets: KeptRules[]
  spent: Partial<Record<Provider, SpentRequests>>
}

/** `loosens`: it would allow more; `overtaken`: others were kept meanwhile; `full`: too many sets. */
export type RulesChange = 'kept' | 'loosens' | 'overtaken' | 'full'

/** The house rules: a set for all callers (`EVERYBODY`) and one for each; both must allow a commit. */
export interface HouseRules {
  /**
   * The sets that apply to a caller, that of everybody first: at most `RULES_COPY_MS` old, and never
   * older than the last change that this isolate made.
   */
  copyOf(caller: string): Promise<KeptRules[]>
  /** The copy of this isolate, however old it is; none if it has no copy. It makes no call. */
  lastCopyOf(caller: string): KeptRules[]
  /**
   * The same of now, with what each has counted today, without the change of `flow`, which does not
   * count against itself.
   */
  appliedTo(caller: string, flow?: string): Promise<AppliedRules[]>
  all(): Promise<KeptRules[]>
  /** Replaces the named rules of a set. What loosens is logged first, and refused with `may: 'tighten'`. */
  change(
    caller: string,
    rules: Partial<Rules>,
    by: RulesChangedBy,
    may: 'tighten' | 'loosen',
  ): Promise<RulesChange>
}
