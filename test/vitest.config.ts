import { fileURLToPath } from 'node:url'
import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'
import { workerOptions } from '../src/cli/local.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const testVars = { SIGNING_SECRET: 'test-signing-secret-0123456789abcdef', ALLOW_ANONYMOUS: 'true' }

export default defineConfig({
  root,
  test: {
    // Much of it is waiting: for alarms, for real servers to start.
    maxWorkers: 3,
    projects: [
      {
        root,
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          environment: 'node',
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      {
        root,
        test: {
          name: 'contract',
          include: ['test/contract/**/*.test.ts'],
          environment: 'node',
          testTimeout: 30_000,
        },
      },
      {
        root,
        test: {
          name: 'deploy',
          include: ['test/deploy/**/*.test.ts'],
          environment: 'node',
          testTimeout: 120_000,
        },
      },
      {
        root,
        test: {
          name: 'simulation',
          include: ['test/simulation/**/*.test.ts'],
          environment: 'node',
          testTimeout: 120_000,
        },
      },
      {
        root,
        plugins: [
          // Not `wrangler: { configPath }`: that would hand the live keys of a .dev.vars to the tests.
          cloudflareTest(async () => {
            const worker = await workerOptions(root)
            return {
              main: 'src/worker.ts',
              miniflare: { ...worker, bindings: { ...worker.bindings, ...testVars } },
            }
          }),
        ],
        test: { name: 'worker', include: ['test/worker/**/*.test.ts'], testTimeout: 30_000 },
      },
      {
        root,
        test: {
          name: 'oauth',
          include: ['test/oauth/**/*.test.ts'],
          environment: 'node',
          globalSetup: ['test/e2e/build.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        root,
        test: {
          name: 'crash',
          include: ['test/crash/**/*.test.ts'],
          environment: 'node',
          globalSetup: ['test/e2e/build.ts'],
          testTimeout: 180_000,
        },
      },
      {
        root,
        test: {
          name: 'e2e',
          include: [
            'test/bench/**/*.test.ts',
            'test/e2e/**/*.test.ts',
            'test/fuzz/**/*.test.ts',
            'test/privacy/**/*.test.ts',
          ],
          environment: 'node',
          globalSetup: ['test/e2e/build.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
