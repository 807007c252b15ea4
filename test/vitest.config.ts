import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

import { workerOptions } from '../src/cli/local.ts'
import { CERTIFICATE } from './security/oauth/own-certificate.ts'
import { leaveOutPlayedFailures } from './support/on-purpose.ts'
import { PATIENCE } from './support/patience.ts'

leaveOutPlayedFailures()

const root = fileURLToPath(new URL('..', import.meta.url))
// Each command that a test starts would compile the same modules again.
process.env['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules/.cache/compiled')

const testVars = {
  SIGNING_SECRET: 'test-signing-secret-0123456789abcdef',
  ALLOW_ANONYMOUS: 'true',
  // The second kind asks questions and a telephone number.
  EVENT_TYPES: JSON.stringify({
    consult: { id: 'mock_consult' },
    'tax-call': { id: 'mock_tax_call' },
  }),
}

interface Options {
  /** What runs once, before the first of its files. */
  globalSetup?: string[]
  env?: Record<string, string>
}
/**
 * What waits ends once its promise holds. These times are for one that never does, and for a machine with much else to do, where
 * the first start of a browser alone takes more than ten seconds.
 */
const PATIENT = {
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: PATIENCE } },
}
/** `vi.waitFor` waits as long as `expect.poll`. */
const WAITS = 'test/support/waits.ts'
/** Bundles the Worker once, for all that serve it. */
const BUILD = 'test/support/build.ts'
/** Saves each connector that starts half a second. */
const QUICK_STARTS = new URL('support/quick-starts.ts', import.meta.url).href

/**
 * What takes long and rarely fails alone, as all that starts a browser or wrangler does: `npm test` leaves it out,
 * `.ci/run` runs it, and test/README.md says how to.
 */
export const TAGS = [
  {
    name: 'slow',
    description: 'too long for every change; `.ci/run` runs it',
  },
]

const filters = process.argv.filter((argument) => argument.startsWith('--tags-filter='))
const isSlowRun = filters.some((filter) => /=["']?slow/.test(filter))
const isQuickRun = filters.some((filter) => /=["']?!slow/.test(filter))

/** What tags all tests of a file as slow, wherever it stands there: Vitest looks for the same. */
const ALL_SLOW = /(?:\/\/|\*)\s*@module-tag\s+slow\b/
const isAllSlow = (text: string) => ALL_SLOW.test(text)
const hasSlow = (text: string) => isAllSlow(text) || text.includes("'slow'")

/** The files with tests of a folder for this run. Others are not loaded: to load all takes long. */
function filesOf(folder: string): string[] {
  return globSync(`test/${folder}/**/*.test.ts`, { cwd: root }).filter((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    if (isSlowRun) return hasSlow(text)
    return !isQuickRun || !isAllSlow(text)
  })
}

/** What takes much longer than its size tells. A clean clone knows no times yet, and runs the larger files first. */
const LONG_FOR_ITS_SIZE = [
  'test/security/console/every-page.test.ts',
  'test/unit/core/confirm/client-link-orders.test.ts',
  'test/worker/deletion-cut-off.test.ts',
].map((file) => join(root, file))

/** With `--sequence.shuffle.files --sequence.seed 1` the files run in another order, as they must be able to. */
const isShuffled = process.argv.some((argument) => argument.startsWith('--sequence.shuffle'))

/** What takes long runs before the rest of its project, so that the end of a run has work for every core. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => LONG_FOR_ITS_SIZE.includes(moduleId)
    const byProject = Map.groupBy(sorted, ({ project }) => project.name)
    return [...byProject.values()].flatMap((own) => [
      ...own.filter(isLong),
      ...own.filter((file) => !isLong(file)),
    ])
  }
}

/**
 * The tests of some folders, in Node, which reads the modules as it does for the commands. The files of a project share their
 * modules, so none may leave any of them changed.
 */
const inNode = (name: string, folders: string[], options: Options = {}) => ({
  root,
  test: {
    name,
    include: folders.flatMap(filesOf),
    environment: 'node' as const,
    isolate: false,
    experimental: { viteModuleRunner: false },
    execArgv: ['--import', QUICK_STARTS],
    setupFiles: [WAITS],
    ...PATIENT,
    ...options,
  },
})

export default defineConfig({
  root,
  test: {
    // Each worker loads the modules of each project again. The slow tests wait more than they work.
    maxWorkers: isSlowRun ? 3 : 2,
    sequence: isShuffled ? {} : { sequencer: LongestFirst },
    tags: TAGS,
    projects: [
      inNode('pure', ['unit', 'contract']),
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
        // The files share isolates, since each isolate loads the whole Worker. `set-up.ts` makes that sound.
        test: {
          name: 'worker',
          isolate: false,
          include: filesOf('worker'),
          setupFiles: [WAITS, 'test/worker/sections.ts', 'test/worker/set-up.ts'],
          ...PATIENT,
        },
      },
      inNode('served', ['e2e', 'security', 'durability', 'cli', 'bench'], {
        globalSetup: [BUILD, 'test/security/oauth/own-certificate.ts'],
        env: { NODE_EXTRA_CA_CERTS: CERTIFICATE },
      }),
    ],
  },
})
