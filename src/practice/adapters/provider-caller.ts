import { AsyncLocalStorage } from 'node:async_hooks'

import type { QuotaUse } from '../../core/domain/provider-quota.ts'
import type { Provider } from '../../core/domain/providers.ts'

/** What runs for a caller, and how many requests it has sent to each provider. */
export interface Running {
  caller: string
  use: QuotaUse
  since: number
  sent: Map<Provider, number>
}

/** For whom a provider is asked: an adapter serves all callers, and its requests belong to one. */
export const running = new AsyncLocalStorage<Running>()

/** Whose read asks now; undefined where a change asks, or what is not counted. */
export function currentReader(): string | undefined {
  const now = running.getStore()
  return now?.use === 'read' ? now.caller : undefined
}
