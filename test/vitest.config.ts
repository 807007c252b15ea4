import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'
import { workerOptions } from '../src/cli/local.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
// Each command that a test starts, and each isolated file, would compile the same modules anew.
process.env['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules/.cache/compiled')

const testVars = { SIGNING_SECRET: 'test-signing-secret-0123456789abcdef', ALLOW_ANONYMOUS: 'true' }

interface Limits {
  /** Each file gets modules of its own. */
  isolate?: true
  testTimeout: number
  hookTimeout?: number
}

/** What takes long and rarely fails alone: `npm test` leaves it out, `npm run test:slow` and `.ci/run` run it. */
export const TAGS = [{ name: 'slow', description: 'too long for every change; `.ci/run` runs it' }]

/**
 * The tests of one folder, in Node. The files of a project share their modules, so none may leave any of them changed;
 * except where a project isolates them.
 * `served` ones get the Worker bundled once, before the first of them.
 */
const inNode = (name: string, limits: Limits, served: 'served' | 'unserved') => ({
  root,
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    environment: 'node' as const,
    isolate: false,
    ...(served === 'served' && { globalSetup: ['test/support/build.ts'] }),
    ...limits,
  },
})

export default defineConfig({
  root,
  test: {
    // Much of it is waiting: for alarms, for real servers to start.
    maxWorkers: 3,
    tags: TAGS,
    projects: [
      inNode('unit', { testTimeout: 120_000, hookTimeout: 60_000 }, 'unserved'),
      inNode('contract', { testTimeout: 30_000 }, 'unserved'),
      inNode('cli', { testTimeout: 120_000 }, 'unserved'),
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
      inNode('e2e', { testTimeout: 180_000, hookTimeout: 180_000 }, 'served'),
      inNode('evals', { isolate: true, testTimeout: 180_000, hookTimeout: 180_000 }, 'served'),
      // Its tests of documents set which certificates miniflare trusts, before it is loaded.
      inNode('security', { isolate: true, testTimeout: 180_000, hookTimeout: 180_000 }, 'served'),
      inNode('durability', { testTimeout: 180_000, hookTimeout: 120_000 }, 'served'),
      inNode('bench', { testTimeout: 180_000, hookTimeout: 180_000 }, 'served'),
    ],
  },
})
