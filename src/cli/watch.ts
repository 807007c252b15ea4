import { mkdir, readdir, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { type BuildOptions, context } from 'esbuild'

import { writeStaticFiles } from './static-files.ts'
import { PROJECT_ROOT } from './wrangler.ts'

/** What the bundle is made of. */
const SOURCES = ['src', 'durable-objects']
/**
 * How often the sources are looked at, in ms. Their times are compared, since file events are
 * missed where an editor puts a new file in place of the old one, and on the shared folders of
 * virtual machines.
 */
const LOOK_EVERY = 300

/** As wrangler bundles a Worker. It is minified, since Miniflare takes longer the larger a Worker is. */
const LIKE_WRANGLER: BuildOptions = {
  bundle: true,
  format: 'esm',
  target: 'es2024',
  conditions: ['workerd', 'worker', 'browser'],
  mainFields: ['browser', 'module', 'main'],
  define: { 'process.env.NODE_ENV': '"production"' },
  external: ['cloudflare:*', 'node:*'],
  minify: true,
  sourcemap: 'linked',
}

/**
 * Bundles the Worker by esbuild alone, which takes a tenth of wrangler's time; the path of the bundle.
 * Rejects if the sources do not compile.
 */
export async function watchedWorker() {
  const script = join(PROJECT_ROOT, '.wrangler', 'dev', 'worker.js')
  await mkdir(dirname(script), { recursive: true })
  const bundle = await context(await bundleOptions(script))
  // Before the first bundle: what is written while it is made is noticed afterwards.
  let seen = await timesOfSources()
  // This process keeps the pages that it has loaded: a guide has the address of a changed style
  // after a restart.
  const build = async () => {
    await writeStaticFiles()
    await bundle.rebuild()
  }
  await build()
  return {
    script,
    /**
     * Bundles again whenever a source has changed, and calls `serve` with each bundle, one at a time;
     * never resolves. What does not compile is printed by esbuild, and the bundle before stays.
     */
    async watch(serve: (script: string) => Promise<void>): Promise<never> {
      for (;;) {
        await sleep(LOOK_EVERY)
        const now = await timesOfSources()
        if (now === seen) continue
        seen = now
        const compiles = await build().then(
          () => true,
          () => false,
        )
        if (compiles) await serve(script)
      }
    },
  }
}

/** A text that is another one once a source was written, added or removed. */
async function timesOfSources() {
  const files = await Promise.all(
    SOURCES.map((folder) =>
      readdir(join(PROJECT_ROOT, folder), { recursive: true }).then((names) =>
        names.map((name) => join(PROJECT_ROOT, folder, name)),
      ),
    ),
  )
  const times = await Promise.all(
    files
      .flat()
      .map(async (file) => `${file} ${(await stat(file).catch(() => undefined))?.mtimeMs}`),
  )
  return times.toSorted().join('\n')
}

async function bundleOptions(script: string): Promise<BuildOptions> {
  const { unstable_readConfig } = await import('wrangler')
  const { alias, main } = unstable_readConfig({ config: join(PROJECT_ROOT, 'wrangler.toml') })
  const aliases = (alias ?? {}) as Record<string, string | undefined>
  return {
    ...LIKE_WRANGLER,
    absWorkingDir: PROJECT_ROOT,
    entryPoints: [resolve(PROJECT_ROOT, main ?? 'src/worker.ts')],
    outfile: script,
    logLevel: 'error',
    plugins: [
      {
        // Wrangler takes an alias for that name alone; esbuild would take it for `zod/v4` too.
        name: 'aliases of wrangler.toml',
        setup: ({ onResolve }) =>
          onResolve({ filter: /./ }, ({ path }) => {
            const target = aliases[path]
            return target === undefined ? undefined : { path: resolve(PROJECT_ROOT, target) }
          }),
      },
    ],
  }
}
