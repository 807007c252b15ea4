import { defineConfig } from 'vitest/config'

/** The unit tests alone, the slow ones too, in a copy of the tree; quick to load. */
export default defineConfig({
  test: {
    include: ['test/unit/**/*.test.ts', 'test/contract/**/*.test.ts'],
    environment: 'node',
    strictTags: false,
    // As in test/vitest.config.ts: a test that is slow on a busy machine proves nothing about a mutant.
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
})
