import type { Found, Records } from '../../../src/ports/records.ts'

const NONE: Found = { entries: [], count: 0 }

/** Records with nothing in them, for tests that make no listing. */
export const emptyRecords: Records = {
  upsert: async () => {},
  get: async () => undefined,
  known: async () => [],
  newest: async () => [],
  linkedTo: async () => NONE,
  ofClient: async () => ({ client: undefined, owned: { intake: NONE }, bookings: NONE, paymentLinks: NONE }),
  keysWithPrefix: async () => [],
  registerFlow: async () => undefined,
}
