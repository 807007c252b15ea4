import { defineConfig } from 'vitest/config'

/** The unit tests alone, the slow ones too, in a copy of the tree; quick to load. */
export default defineConfig({
  test: {
    include: ['test/unit/**/*.test.ts', 'test/contract/**/*.test.ts'],
    environment: 'node',
    strictTags: false,
  },
})
