import { statSync } from 'node:fs'

import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

import { TAGS } from '../../vitest.config.ts'

/** The quickest first, as far as a size tells: the first test that fails ends the trial of a mutant. */
class SmallestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sizeOf = ({ moduleId }: TestSpecification) => statSync(moduleId).size
    return files.toSorted((one, other) => sizeOf(one) - sizeOf(other))
  }
}

/** What runs in plain Node and needs no build: the tests that a mutant is tried with. */
export default defineConfig({
  test: {
    include: ['test/unit/**/*.test.ts', 'test/contract/**/*.test.ts'],
    // They read the tree as text, or start commands; no mutant of the code under test is theirs to catch.
    exclude: ['test/unit/docs/**', 'test/unit/cli/**', 'test/unit/shapes/**'],
    // Code that can be broken at a thousand places is slower, and its text is another than the one committed.
    testNamePattern: /^(?!.*(?:eight times the text|the committed reference))/,
    environment: 'node',
    // A trial loads each module once, not once for each test file.
    isolate: false,
    sequence: { sequencer: SmallestFirst },
    // As in the other tests: Node reads the modules itself, also one with a query behind its name.
    experimental: { viteModuleRunner: false },
    setupFiles: ['test/durability/mutants/per-test.ts', 'test/support/waits.ts'],
    tags: TAGS.map((tag) => ({ ...tag, skip: true })),
    // A test that is slow on a busy machine proves nothing about a mutant.
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
})
