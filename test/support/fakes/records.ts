import type { Found, Records } from '../../../src/core/ports/records.ts'

const NONE: Found = { entries: [], count: 0 }

/** Records with nothing in them, for tests that make no listing. */
export const emptyRecords: Records = {
  upsert: async () => {},
  get: async () => undefined,
  known: async () => [],
  under: async () => [],
  newest: async () => [],
  linkedTo: async () => NONE,
  knowsClient: async () => false,
  async newestWith(...asked) {
    return (await this.linkedTo(...asked)).entries
  },
  ofClient: async () => ({
    client: undefined,
    intake: NONE,
    bookings: NONE,
    paymentLinks: NONE,
  }),
  keysWithPrefix: async () => [],
  registerFlow: async () => undefined,
}
