import type { Confirmation } from '../../../../durable-objects/confirmation.ts'
import type { Acquired, Coordinator, LockRow } from '../../../../durable-objects/coordinator.ts'
import { type Refusal, problem } from '../../../core/domain/problem/problem.ts'
import type { PracticeHealth } from '../../../core/domain/provider-health.ts'
import type {
  AppliedRules,
  AskedChange,
  KeptRules,
} from '../../../core/domain/rules/house-rules.ts'
import { MINUTE, SECOND } from '../../../core/domain/time/duration.ts'
import type {
  ApprovalView,
  Approvals,
  WaitingApproval,
  WaitingChange,
} from '../../../core/ports/confirmation.ts'
import type { HouseRules } from '../../../core/ports/house-rules.ts'
import type { NamedBooking } from '../../../core/ports/provider-sync.ts'
import type { Offer, OfferedTimes } from '../../../core/ports/scheduling.ts'
import type { ProviderQuota, SelfChecks } from '../../../core/ports/services.ts'
import type { Unresolved, UnresolvedOperations } from '../../../core/ports/unresolved.ts'
import { copyFor, forgetRules, lastCopyOfRules } from '../caller-copies.ts'
import { stubOf } from './stub.ts'

/** The one coordinator of the practice, looked up when it is called. */
type OneCoordinator = () => DurableObjectStub<Coordinator>

/**
 * The coordinator as one flow uses it: guards against the same change under another key. A lock
 * that another flow took last may be taken over only if that flow says that it is not busy, and
 * only if no one else took it in between.
 */
export function coordinatorOf(
  coordinator: OneCoordinator,
  confirmations: DurableObjectNamespace<Confirmation>,
  holder: string,
) {
  // As long as no attempt here has said that there is none.
  let knowsRefusedChange = true
  const outcomeOf = (acquired: Acquired): 'taken' | 'held' | Refusal => {
    if (acquired.is === 'taken') knowsRefusedChange = acquired.knowsRefusedChange
    return acquired.is === 'refused' ? acquired.refusal : acquired.is
  }
  const isBusy = (other: string): Promise<boolean> => confirmations.getByName(other).busy()
  const acquire = async (
    lockKeys: string[],
    change: AskedChange,
  ): Promise<'taken' | 'held' | Refusal> => {
    const ask = async (seen: LockRow[]): Promise<Acquired> =>
      coordinator().acquire(holder, lockKeys, seen, change)
    const first = await ask([])
    if (first.is !== 'held') return outcomeOf(first)
    const others = [...new Set(first.rows.map((row) => row.holder))]
    if ((await Promise.all(others.map(isBusy))).includes(true)) return 'held'
    return outcomeOf(await ask(first.rows))
  }
  return {
    acquire,
    /** Whether the coordinator knew a change that a provider refuses when this one began. */
    knowsRefusedChange: () => knowsRefusedChange,
    lastCopyOf: lastCopyOfRules,
    async rulesOf(caller: string, age: 'now' | 'copy'): Promise<AppliedRules[]> {
      const sets = age === 'copy' ? await copyOfRules(coordinator, caller) : undefined
      // Only where a rule counts changes, a copy does not do.
      return sets?.every(({ rules }) => rules.changes_a_day === null)
        ? sets.map((set) => ({ ...set, changesToday: 0 }))
        : coordinator().appliedTo(caller, holder)
    },
    awaitApproval: async (waiting: WaitingApproval) => coordinator().approvals.add(waiting),
    clearApproval: async (code: string) => coordinator().approvals.remove(holder, code),
    addUnresolved: async (unresolved: Unresolved) => coordinator().addUnresolved(unresolved),
    clearUnresolved: async () => coordinator().clearUnresolved(holder),
  }
}

/** How many flows look at a time. */
const LOOK_AT_ONCE = 20

/**
 * The flows that took these locks last look for what they are in doubt about, among it the booking
 * that the provider has just named. The id of the first operation for which it has to wait.
 */
export async function lookOf(
  coordinator: OneCoordinator,
  confirmations: DurableObjectNamespace<Confirmation>,
  lockKeys: string[],
  named: NamedBooking | undefined,
): Promise<string | undefined> {
  const holders = await coordinator().holders(lockKeys, named?.createdAt ?? null)
  for (let from = 0; from < holders.length; from += LOOK_AT_ONCE) {
    const some = holders.slice(from, from + LOOK_AT_ONCE)
    const looked = await Promise.all(some.map((one) => confirmations.getByName(one).look(named)))
    const holding = looked.find((operationId) => operationId !== undefined)
    if (holding !== undefined) return holding
  }
  return undefined
}

/**
 * The house rules, as the coordinator keeps them, and the copy that this isolate has of those of a
 * caller.
 */
export function houseRulesOf(coordinator: OneCoordinator): HouseRules {
  return stubOf<HouseRules, 'copyOf' | 'lastCopyOf'>(coordinator, {
    copyOf: (caller) => copyOfRules(coordinator, caller),
    lastCopyOf: lastCopyOfRules,
    async change(...given) {
      try {
        return await coordinator().change(...given)
      } finally {
        forgetRules()
      }
    },
  })
}

const copyOfRules = async (coordinator: OneCoordinator, caller: string): Promise<KeptRules[]> =>
  (await copyFor(coordinator, caller)).sets

const MAY_WAIT: ReadonlySet<ApprovalView['status']> = new Set(['waiting', 'running'])

/**
 * The changes that a person has to approve: the coordinator lists them, and each confirmation
 * object knows its own.
 */
export function approvalsOf(
  coordinator: OneCoordinator,
  confirmations: DurableObjectNamespace<Confirmation>,
): Approvals {
  const listed = () => coordinator().approvals
  const viewOf = async (flow: string, waitMs?: number) =>
    (await confirmations.getByName(flow).approval(waitMs)) as ApprovalView | undefined
  return {
    async read(operationId, waitMs) {
      const flow = await listed().flowOf(operationId)
      return flow === undefined ? undefined : viewOf(flow, waitMs)
    },
    async waiting() {
      const all = await listed().waiting()
      const views = await Promise.all(all.map(({ flow }) => viewOf(flow)))
      // An entry of which the flow knows nothing yet can be of a preview that is about to be kept;
      // and a call that is at work may leave a preview as it was.
      const decided = all.filter(
        ({ code }, i) => views[i]?.code === code && !MAY_WAIT.has(views[i].status),
      )
      await Promise.all(decided.map(({ flow, code }) => listed().remove(flow, code)))
      return all.flatMap((one, i) => {
        const { status, code, summary, preview, mode } = views[i] ?? {}
        const known = { ...one, code, summary, preview, mode }
        return status === 'waiting' ? [known as WaitingChange] : []
      })
    },
    async decide({ flow, operation_id, caller, operation, code, since, until }, decided) {
      const outcome = await confirmations.getByName(flow).decide(decided)
      // It is decided, whether that is published or not.
      if (outcome !== 'ended')
        await listed()
          .decided({ flow, operation_id, caller, operation, code, since, until }, outcome)
          .catch(() => undefined)
      return outcome
    },
    declined: async (caller) => listed().declined(caller),
    countComparison: async ({ flow, code }) => listed().countComparison(flow, code),
  }
}

/**
 * Anyone may ask for the health, and as often as they like: an isolate asks the coordinator for it
 * this often.
 */
const REMEMBERED = 5 * SECOND

interface Memory {
  health?: { known: PracticeHealth; until: number } | undefined
  /** It is not time for another check; until then the coordinator is not asked again. */
  notBefore: number
}

const memories = new WeakMap<object, Memory>()

/**
 * What the coordinator of the practice keeps of the checks of the providers; remembered under a
 * key, if there is one.
 */
export function coordinatorSelfChecks(
  coordinator: OneCoordinator,
  now: () => number,
  key: object = {},
): SelfChecks {
  const memory = memories.get(key) ?? { notBefore: 0 }
  memories.set(key, memory)
  const forget = <T>(answer: T): T => {
    memory.health = undefined
    return answer
  }
  return {
    async health() {
      if (memory.health && memory.health.until > now()) return memory.health.known
      const known = await coordinator().health()
      memory.health = { known, until: now() + REMEMBERED }
      return known
    },
    async claimCheck(leastMs) {
      if (memory.notBefore > now()) return false
      const may = await coordinator().providerHealth.claimCheck(leastMs)
      if (!may) memory.notBefore = now() + REMEMBERED
      return may
    },
    recordVerdicts: async (verdicts) => forget(await coordinator().providerHealth.record(verdicts)),
    recordChange: async (change) => forget(await coordinator().providerHealth.recordChange(change)),
    alertFailed: async (before) => forget(await coordinator().providerHealth.alertFailed(before)),
  }
}

/** The operations that need a person, as the coordinator lists them. */
export function unresolvedOperations(
  coordinator: OneCoordinator,
  confirmations: DurableObjectNamespace<Confirmation>,
): UnresolvedOperations {
  const object = (flow: string) => confirmations.getByName(flow)
  // The coordinator may not know yet that one was found out after all, so each is asked itself.
  const list = async () => {
    const listed = await coordinator().unresolved()
    const doubts = await Promise.all(listed.map(({ flow }) => object(flow).unresolved()))
    await Promise.all(
      listed.filter((_one, i) => !doubts[i]).map((one) => coordinator().clearUnresolved(one.flow)),
    )
    return listed.flatMap((one, i) => (doubts[i] ? [{ ...one, ...doubts[i] }] : []))
  }
  return {
    list,
    async resolve(operationId, ...word) {
      // Only what is listed can be resolved, so an id that was made up never reaches an object.
      const one = (await list()).find(({ operation_id }) => operation_id === operationId)
      return one ? object(one.flow).resolve(...word) : 'nothing to resolve'
    },
  }
}

const COPY_MS = 30 * SECOND

type Copies = Map<string, { offer: Offer; since: number }>

const copies = new WeakMap<object, Copies>()

/** Each isolate has a copy of what is offered under a key; the coordinator counts what all of them ask. */
export function offeredTimes(
  coordinator: () => Pick<DurableObjectStub<Coordinator>, 'spendLinkQuestion'>,
  now: () => number,
  key: object,
  quota: ProviderQuota,
): OfferedTimes {
  const known: Copies = copies.get(key) ?? new Map()
  copies.set(key, known)
  const spend = async () => {
    if (await coordinator().spendLinkQuestion()) return
    throw problem('rate_limited', { retry_after_seconds: MINUTE / SECOND })
  }
  return {
    spend,
    async of(kind, read) {
      const copy = known.get(kind)
      if (copy && Math.abs(now() - copy.since) < COPY_MS) return copy.offer
      const since = now()
      await spend()
      const offer = await quota.use({ caller: 'client_links', use: 'read' }, read)
      known.set(kind, { offer, since })
      return offer
    },
    known: (kind) => known.get(kind)?.offer.details,
    forget: (kind) => void known.delete(kind),
    drop(kind, start) {
      const copy = known.get(kind)
      if (!copy) return
      const times = copy.offer.times.filter((time) => time !== start)
      copy.offer = { ...copy.offer, times }
    },
  }
}
