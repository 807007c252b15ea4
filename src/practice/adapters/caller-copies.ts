import { SLOT_MS, type SpentRequests } from '../../core/domain/provider-quota.ts'
import type { Provider } from '../../core/domain/providers.ts'
import { type KeptRules, RULES_COPY_MS } from '../../core/domain/rules/house-rules.ts'
import type { CallerCopy } from '../../core/ports/house-rules.ts'

/** The part of the coordinator that answers with the copy of a caller. */
export interface CopySource {
  copyFor(caller: string): Promise<CallerCopy>
  reportRequests(caller: string, requests: ReadonlyMap<Provider, number>): Promise<CallerCopy>
}

type KeptCopy = CallerCopy & { since: number }

const MOST_COPIES = 1000
/**
 * What the coordinator keeps for callers, each until its copy is too old. One map gives way to
 * another when rules change here.
 */
let copies = new Map<string, KeptCopy>()
/** The copy that came last: what all together spent is newest there. */
let newest: KeptCopy | undefined

/** Drops the copies of this isolate, so that each is asked for again. */
export function forgetRules() {
  copies = new Map()
  newest = undefined
}

/** The rules of the copy of a caller, however old it is; none where there is no copy. */
export const lastCopyOfRules = (caller: string): KeptRules[] => copies.get(caller)?.sets ?? []

/** What was asked of a provider in the last minute, by the copies that are not too old. */
export function spentByCopies(caller: string, provider: Provider): SpentRequests {
  const copy = copies.get(caller)
  return { own: aged(copy, provider, 'own'), all: aged(newest, provider, 'all') }
}

function aged(
  copy: KeptCopy | undefined,
  provider: Provider,
  whose: keyof SpentRequests,
): readonly number[] {
  if (!copy || !isFresh(copy)) return []
  const slots = Math.max(0, Math.floor((Date.now() - copy.since) / SLOT_MS))
  return [...Array<number>(slots).fill(0), ...(copy.spent[provider]?.[whose] ?? [])]
}

/** The copy of a caller, asked for where it is too old. */
export async function copyFor(source: () => CopySource, caller: string): Promise<CallerCopy> {
  const copy = copies.get(caller)
  return copy && isFresh(copy) ? copy : keptCopy(caller, async () => source().copyFor(caller))
}

/** Reports what a call has cost at the providers, which brings the next copy. */
export const reportRequests = (
  source: () => CopySource,
  caller: string,
  requests: ReadonlyMap<Provider, number>,
): Promise<unknown> => keptCopy(caller, async () => source().reportRequests(caller, requests))

const isFresh = ({ since }: { since: number }) => Math.abs(Date.now() - since) < RULES_COPY_MS

async function keptCopy(caller: string, ask: () => Promise<CallerCopy>): Promise<CallerCopy> {
  const since = Date.now()
  // What is asked for while rules change may be the old ones: it goes into the map that gave way.
  const into = copies
  const copy = await ask()
  if (into.size >= MOST_COPIES) into.clear()
  newest = { ...copy, since }
  into.set(caller, newest)
  return copy
}
