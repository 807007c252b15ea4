import type { Coordinator } from '../../../../durable-objects/coordinator.ts'
import { problem } from '../../../core/domain/problem/problem.ts'
import { MINUTE, SECOND } from '../../../core/domain/time/duration.ts'
import type { Offer, OfferedTimes } from '../../../core/ports/offered-times.ts'
import type { ProviderQuota } from '../../../core/ports/provider-quota.ts'

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
  const spend = async (): Promise<void> => {
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
