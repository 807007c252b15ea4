import type { HouseRules } from '../../../src/core/ports/house-rules.ts'

/** A practice whose owner has set no rules. */
export const noHouseRules: HouseRules = {
  copyOf: async () => [],
  lastCopyOf: () => [],
  appliedTo: async () => [],
  all: async () => [],
  change: async () => 'kept',
}
