import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { type Plugin, build } from 'esbuild'

import { PROJECT_ROOT } from '../../src/cli/wrangler.ts'
import { temporaryFolder } from './temporary-folder.ts'

export interface SchemasAtStart {
  all: number
  ours: number
  /** Those of ours by the file that builds them, most first. */
  byFile: [file: string, schemas: number][]
}

/** The first line of the function with which Zod makes every schema and every check of one. */
const MAKES = 'function _(def) {'
const MOST_FRAMES = 40

/** Notes for each schema the lines of the bundle that led to it, and prints all of them at the end. */
const NOTING = {
  banner: `Error.stackTraceLimit = ${MOST_FRAMES}
globalThis.builtBy = []
globalThis.noteBuilt = () =>
  builtBy.push([...new Error().stack.matchAll(/:(\\d+):\\d+\\)?$/gm)].map(([, line]) => Number(line)))`,
  footer: 'process.stdout.write(JSON.stringify(builtBy))',
}

/** What only the runtime has: no class of it is used while the Worker starts. */
const RUNTIME = `export class DurableObject {}
export class WorkerEntrypoint {}
export class RpcTarget {}
export const env = {}`

const counting: Plugin = {
  name: 'counting',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^cloudflare:/ }, ({ path }) => ({ path, namespace: 'runtime' }))
    onLoad({ filter: /./, namespace: 'runtime' }, () => ({ contents: RUNTIME }))
    onLoad({ filter: /\/zod\/v4\/core\/core\.js$/ }, async ({ path }) => {
      const contents = await readFile(path, 'utf8')
      if (!contents.includes(MAKES))
        throw new Error(`Zod makes its schemas in another way: ${path}`)
      return { contents: contents.replace(MAKES, `${MAKES} globalThis.noteBuilt();`) }
    })
  },
}

const run = promisify(execFile)

/**
 * Counts the Zod schemas that an isolate builds while it starts. A check (`.min`) and a copy (`.meta`)
 * count as one more each: Zod builds them the same way.
 */
export async function schemasAtStart(): Promise<SchemasAtStart> {
  const { outputFiles } = await build({
    entryPoints: [join(PROJECT_ROOT, 'src/worker.ts')],
    alias: { '@modelcontextprotocol/server/_shims': './src/app/bundle-shims/unused.ts' },
    absWorkingDir: PROJECT_ROOT,
    bundle: true,
    format: 'esm',
    write: false,
    conditions: ['workerd', 'worker', 'browser'],
    external: ['node:*'],
    plugins: [counting],
    banner: { js: NOTING.banner },
    footer: { js: NOTING.footer },
    logLevel: 'error',
  })
  const bundle = outputFiles[0]!.text
  const fileOf = filesByLine(bundle)
  const built = (await linesBehind(bundle)).map(
    (lines) => lines.map(fileOf).find((file) => file !== '' && !file.includes('/zod/')) ?? '',
  )
  const byFile = new Map<string, number>()
  for (const file of built.filter((one) => /^(?:src|durable-objects)\//.test(one)))
    byFile.set(file, (byFile.get(file) ?? 0) + 1)
  return {
    all: built.length,
    ours: [...byFile.values()].reduce((sum, schemas) => sum + schemas, 0),
    byFile: [...byFile].toSorted(([, a], [, b]) => b - a),
  }
}

/** The file that a line of a bundle is from: esbuild names each before its code. */
function filesByLine(bundle: string): (line: number) => string {
  let file = ''
  const files = bundle.split('\n').map((line) => {
    file = /^\s*\/\/ (\S+\.[cm]?[jt]s)$/.exec(line)?.[1] ?? file
    return file
  })
  return (line) => files[line - 1] ?? ''
}

/** Starts the bundle in a process of its own: for each schema, the lines that led to it, the innermost first. */
async function linesBehind(bundle: string): Promise<number[][]> {
  const folder = temporaryFolder()
  try {
    const path = join(folder.path, 'start.mjs')
    await writeFile(path, bundle)
    const { stdout } = await run(process.execPath, [path], { maxBuffer: 64 * 1024 * 1024 })
    return JSON.parse(stdout) as number[][]
  } finally {
    folder.remove()
  }
}
