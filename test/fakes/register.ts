import type { Register } from '../../src/ports/register.ts'

/** A register with nothing in it, for tests that make no listing. */
export const emptyRegister: Register = {
  get: async () => undefined,
  known: async () => [],
  newest: async () => [],
  tiedTo: async () => ({ entries: [], count: 0 }),
  tied: async () => ({ entries: [], count: 0 }),
  keysLike: async () => [],
}
