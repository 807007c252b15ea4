import { OWNED_KINDS, type OwnedKind } from '../../../src/core/domain/records.ts'
import type { Found, Records } from '../../../src/core/ports/records.ts'

const NONE: Found = { entries: [], count: 0 }
const NONE_OWNED = Object.fromEntries(OWNED_KINDS.map(({ kind }) => [kind, NONE])) as Record<
  OwnedKind,
  Found
>

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
    owned: NONE_OWNED,
    bookings: NONE,
    paymentLinks: NONE,
  }),
  keysWithPrefix: async () => [],
  registerFlow: async () => undefined,
}
