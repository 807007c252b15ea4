import type { QuotaUse } from '../domain/provider-quota.ts'

/** Shares out the requests that the providers allow, so that one caller cannot use them up. */
export interface ProviderQuota {
  /**
   * Runs what may ask providers, counts the requests for this caller, and reports them afterwards.
   * A request that has to wait raises `rate_limited` before it is sent; a `reserved` one never does.
   */
  use<T>(by: { caller: string; use: QuotaUse }, run: () => Promise<T>): Promise<T>
}
