import { AsyncLocalStorage } from 'node:async_hooks'

import { BoundedMap } from '../../core/domain/bounded-map.ts'
import { problem } from '../../core/domain/problem/problem.ts'
import {
  type PublishedLimit,
  type QuotaUse,
  perMinute,
  secondsUntilFree,
} from '../../core/domain/provider-quota.ts'
import type { Provider } from '../../core/domain/providers.ts'
import { RULES_TIMEOUT_MS } from '../../core/domain/rules/house-rules.ts'
import { MINUTE } from '../../core/domain/time/duration.ts'
import type { ProviderQuota } from '../../core/ports/services.ts'
import { withTimeout } from '../../core/with-timeout.ts'
import { type CopySource, copyFor, reportRequests, spentByCopies } from './caller-copies.ts'

/** What runs for a caller, and how many requests it has sent to each provider. */
interface Running {
  caller: string
  use: QuotaUse
  since: number
  sent: Map<Provider, number>
}

/** For whom a provider is asked: an adapter serves all callers, and its requests belong to one. */
const running = new AsyncLocalStorage<Running>()

/** Whose read asks now; undefined where a change asks, or what is not counted. */
export function currentReader(): string | undefined {
  const now = running.getStore()
  return now?.use === 'read' ? now.caller : undefined
}

/** What this isolate has sent and not reported yet. The copies do not know of it. */
const unreported = new Set<Running>()
const MOST_REFUSED = 1000
/** Who had to wait when they last asked. */
const refused = new BoundedMap<string, true>(MOST_REFUSED)

/** Counts requests to the providers and reports them to the coordinator; `after` is work after the answer. */
export const providerQuota = (
  coordinator: () => CopySource,
  after: (work: Promise<unknown>) => void,
): ProviderQuota => ({
  async use({ caller, use }, run) {
    // A copy that is too old refuses nothing, so who had to wait asks for a new one first.
    if (use === 'background' || (use === 'read' && refused.delete(caller)))
      await withTimeout(
        copyFor(coordinator, caller).catch(() => undefined),
        RULES_TIMEOUT_MS,
      )
    const one: Running = { caller, use, since: Date.now(), sent: new Map() }
    try {
      return await running.run(one, run)
    } finally {
      if (one.sent.size > 0) after(report(coordinator, one))
    }
  },
})

/** A report that fails is lost: no call waits for it, and none fails by it. */
async function report(coordinator: () => CopySource, one: Running) {
  try {
    await reportRequests(coordinator, one.caller, one.sent)
  } catch {
    // The requests count no more.
  } finally {
    unreported.delete(one)
  }
}

/** A fetch to a provider: counted, and refused before it is sent where it has to wait. */
export function countedFetch(
  provider: Provider,
  limit: PublishedLimit,
  send: typeof fetch,
): typeof fetch {
  let allowed = perMinute(limit)
  return async (input, init) => {
    const one = running.getStore()
    if (one) {
      // What has begun goes on: half a read is of no use, and its requests would be lost.
      if (!one.sent.has(provider)) {
        const seconds = secondsToWait(provider, one, allowed)
        if (seconds > 0) {
          refused.set(one.caller, true)
          throw problem('rate_limited', { retry_after_seconds: seconds, detail: USED_UP })
        }
      }
      one.sent.set(provider, (one.sent.get(provider) ?? 0) + 1)
      unreported.add(one)
    }
    const response = await send(input, init)
    // A change may have a limit of its own.
    if (limit.header !== undefined && init?.method === 'GET')
      allowed = countIn(response.headers.get(limit.header)) ?? allowed
    return response
  }
}

/** By the copy, where it is not too old, and what this isolate has sent since. */
function secondsToWait(provider: Provider, { caller, use }: Running, most: number): number {
  const { own, all } = spentByCopies(caller, provider)
  let ofCaller = 0
  let ofAll = 0
  for (const one of unreported) {
    const isLate = Math.abs(Date.now() - one.since) >= MINUTE
    // Its report has got lost.
    if (isLate) unreported.delete(one)
    const sent = isLate ? 0 : (one.sent.get(provider) ?? 0)
    ofAll += sent
    if (one.caller === caller) ofCaller += sent
  }
  const spent = { own: withNew(own, ofCaller), all: withNew(all, ofAll) }
  return secondsUntilFree(use, spent, most)
}

const withNew = ([newest = 0, ...older]: readonly number[], more: number): number[] => [
  newest + more,
  ...older,
]

const USED_UP =
  'The provider allows so many requests a minute, and this caller has used its share; this call ' +
  'did nothing.'

const countIn = (header: string | null) =>
  header !== null && /^[1-9]\d{0,5}$/.test(header.trim()) ? Number(header) : undefined
