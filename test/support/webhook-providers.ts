import { PAYMENT_ADAPTERS, SCHEDULING_ADAPTERS } from '../../src/practice/adapters/providers.ts'

/** The providers that have webhooks, as the registry lists them. */
export const WITH_WEBHOOKS: readonly string[] = Object.entries({
  ...SCHEDULING_ADAPTERS,
  ...PAYMENT_ADAPTERS,
})
  .filter(([, { webhooks }]) => webhooks !== undefined)
  .map(([name]) => name)
