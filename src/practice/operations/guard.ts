import type { CallerRules, Guard, GuardedChange, Host } from '../../core/confirm/host.ts'
import type { Refusal } from '../../core/domain/problem/problem.ts'
import {
  RULES_TIMEOUT_MS,
  type AppliedRules,
  type AskedChange,
  type KeptRules,
  askedChange,
  changesIn,
  fewLeftWarning,
  pauseRefusal,
  refusalBy,
  wantsKnownClient,
  wantsPerson,
} from '../../core/domain/rules/house-rules.ts'
import { mutationNamed } from './index.ts'

interface GuardDeps {
  clock: Host['clock']
  practiceZone(): string
  coordinator: {
    /**
     * The rules that apply to a caller, with what they counted today apart from this flow: of now,
     * or a copy of seconds ago.
     */
    rulesOf(caller: string, age: 'now' | 'copy'): Promise<AppliedRules[]>
    /** The rules of a caller as they were last seen here; this makes no call. */
    lastCopyOf(caller: string): KeptRules[]
    /** Takes all locks or none, unless another running flow holds one or a rule refuses the change. */
    acquire(lockKeys: string[], change: AskedChange): Promise<'taken' | 'held' | Refusal>
  }
}

/** The house rules of the owner, as the confirm flow asks them. */
export function guardOf({ clock, practiceZone, coordinator }: GuardDeps): Guard {
  /**
   * Where the rules do not come soon, a preview goes on without: its commit asks again, and waits
   * for them.
   */
  const rulesForPreview = async (caller: string): Promise<AppliedRules[]> => {
    const asked = coordinator.rulesOf(caller, 'copy').catch(() => [])
    const rules = await clock.withDeadline(asked, RULES_TIMEOUT_MS)
    return rules === 'late' ? [] : rules
  }
  return {
    async rulesFor({ caller, operation }) {
      const rules = heldTo(operation) === 'nothing' ? [] : await rulesForPreview(caller)
      if (rules.length === 0) return UNRULED
      return {
        paused: pauseRefusal(rules, practiceZone()),
        verdict(guarded) {
          const change = asChange(guarded)
          return {
            refusal: refusalBy(rules, change, clock.now(), practiceZone()),
            warning:
              change.heldTo === undefined ? fewLeftWarning(rules, changesIn(change)) : undefined,
            wantsPerson: wantsPerson(rules, change),
            passesKnownClients: wantsKnownClient(rules, change),
          }
        },
      }
    },
    lastSeenPaused: ({ caller, operation }) =>
      heldTo(operation) !== 'nothing' &&
      coordinator.lastCopyOf(caller).some(({ rules }) => rules.paused),
    begin(lockKeys, guarded, approved) {
      const change = asChange(guarded)
      return coordinator.acquire(lockKeys, { ...change, approved: approved || !!change.approved })
    },
    async stillWantsPerson(guarded) {
      const asked = coordinator.rulesOf(guarded.caller, 'now').catch(() => 'late' as const)
      const rules = await clock.withDeadline(asked, RULES_TIMEOUT_MS)
      return rules === 'late' || wantsPerson(rules, asChange(guarded))
    },
  }
}

/** Where the owner has made no rule. */
const UNRULED: CallerRules = {
  verdict: () => ({ wantsPerson: false, passesKnownClients: false }),
}

const heldTo = (operation: string) => mutationNamed(operation)?.heldTo

const asChange = ({ caller, operation, pinned, address }: GuardedChange): AskedChange => ({
  ...askedChange(caller, operation, pinned, heldTo(operation)),
  address,
})
