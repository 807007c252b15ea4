import type { Records } from '../../../src/ports/records.ts'

/** Records with nothing in them, for tests that make no listing. */
export const emptyRecords: Records = {
  upsert: async () => {},
  get: async () => undefined,
  known: async () => [],
  newest: async () => [],
  linkedTo: async () => ({ entries: [], count: 0 }),
  sharingLinksWith: async () => ({ entries: [], count: 0 }),
  keysWithPrefix: async () => [],
  isErased: async () => false,
}
