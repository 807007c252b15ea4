import type { ProviderQuota } from '../../../src/core/ports/services.ts'

/** Providers that allow any number of requests. */
export const noQuota: ProviderQuota = { use: (_by, run) => run() }
