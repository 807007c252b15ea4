import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'

import { type SchemasAtStart, schemasAtStart } from '../support/schemas-at-start.ts'
import type { CpuProfile } from './flame-graph.ts'
import { median } from './measure.ts'
import { ROOT, wrangler } from './servers.ts'

export interface Metafile {
  outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }>
}

export interface Weight {
  schemas: SchemasAtStart
  /** Bytes of the whole bundle, minified and gzipped. */
  gzip: number
  /** Bytes of each package in the bundle, minified, the largest first; our own sources are one of them. */
  packages: { name: string; bytes: number }[]
}

/** What the bundle weighs, what each dependency costs, and how many schemas a start builds. */
export async function weigh(script: string, metafile: string): Promise<Weight> {
  const { outputs } = JSON.parse(await readFile(metafile, 'utf8')) as Metafile
  const packages = new Map<string, number>()
  for (const [path, { bytesInOutput }] of Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs),
  )) {
    const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? 'this service'
    packages.set(name, (packages.get(name) ?? 0) + bytesInOutput)
  }
  return {
    schemas: await schemasAtStart(),
    gzip: gzipSync(await readFile(script)).length,
    packages: [...packages]
      .map(([name, bytes]) => ({ name, bytes }))
      .toSorted((a, b) => b.bytes - a.bytes),
  }
}

export interface Startup {
  /** Milliseconds of CPU until the Worker can answer, medians. */
  ours: number
  importsOnly: number
  ratio: number
}

/** How long the Worker takes to start, beside an empty one that imports the same from the same packages. */
export async function startup(metafile: string, runs: number): Promise<Startup> {
  // Inside the project, where the packages are found.
  const folder = join(ROOT, '.wrangler', 'bench-startup')
  await mkdir(folder, { recursive: true })
  try {
    const config = await configs(folder, metafile)
    const bundles = {
      ours: join(folder, 'ours.bundle'),
      importsOnly: join(folder, 'imports.bundle'),
    }
    await deployInto(bundles.ours, join(ROOT, 'wrangler.toml'))
    await deployInto(bundles.importsOnly, config)
    const times: Record<keyof typeof bundles, number[]> = { ours: [], importsOnly: [] }
    for (let run = 0; run < runs; run++)
      for (const which of ['ours', 'importsOnly'] as const)
        times[which].push(await startOnce(bundles[which], join(folder, 'startup.cpuprofile')))
    const [ours, importsOnly] = [median(times.ours), median(times.importsOnly)]
    return { ours, importsOnly, ratio: ours / importsOnly }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function deployInto(outfile: string, config: string): Promise<void> {
  const { code, output } = await wrangler(
    ['deploy', '--dry-run', '--minify', `--outfile=${outfile}`, `--config=${config}`],
    ROOT,
  )
  if (code !== 0) throw new Error(`The Worker could not be bundled.\n${output}`)
}

async function startOnce(bundle: string, outfile: string): Promise<number> {
  const { code, output } = await wrangler(
    ['check', 'startup', `--worker=${bundle}`, `--outfile=${outfile}`],
    ROOT,
  )
  if (code !== 0) throw new Error(`The start could not be measured.\n${output}`)
  const { nodes, samples, timeDeltas } = JSON.parse(await readFile(outfile, 'utf8')) as CpuProfile
  const idle = new Set(
    nodes.filter(({ callFrame }) => callFrame.functionName === '(idle)').map(({ id }) => id),
  )
  const busy = samples.map((id, index) => (idle.has(id) ? 0 : (timeDeltas[index] ?? 0)))
  return busy.reduce((sum, one) => sum + Math.max(0, one), 0) / 1000
}

const NAMED = /^import \{([^}]*)\} from '([^'.][^']*)'/gm
const WHOLE = /^import \* as (\w+) from '([^'.][^']*)'/gm

/** A Worker that imports what our sources import from packages, and does nothing with it. */
async function configs(folder: string, metafile: string): Promise<string> {
  const { outputs } = JSON.parse(await readFile(metafile, 'utf8')) as Metafile
  const wanted = new Map<string, Set<string>>()
  const want = (from: string, name: string) =>
    wanted.set(from, (wanted.get(from) ?? new Set()).add(name))
  for (const path of Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs))) {
    if (path.includes('node_modules')) continue
    const source = await readFile(resolve(ROOT, path), 'utf8').catch(() => '')
    for (const [, names, from] of source.matchAll(NAMED))
      for (const name of names!.split(',').map((one) => one.trim()))
        if (name !== '' && !name.startsWith('type ')) want(from!, name.split(' as ')[0]!)
    for (const [, alias, from] of source.matchAll(WHOLE))
      for (const [, name] of source.matchAll(new RegExp(`\\b${alias}\\.([a-z]\\w*)\\(`, 'g')))
        want(from!, name!)
  }
  wanted.delete('cloudflare:workers')
  const imports = [...wanted].map(
    ([from, names], index) =>
      `import * as from${index} from '${from}'\nexport const kept${index} = [${[...names].map((name) => `from${index}.${name}`).join(', ')}]`,
  )
  await writeFile(join(folder, 'packages.js'), imports.join('\n'))
  await writeFile(
    join(folder, 'imports.js'),
    `import * as packages from './packages.js'\nexport default { fetch: () => new Response(String(Object.keys(packages).length)) }\n`,
  )
  const { unstable_readConfig } = await import('wrangler')
  const {
    compatibility_date,
    compatibility_flags,
    alias = {},
  } = unstable_readConfig({
    config: join(ROOT, 'wrangler.toml'),
  })
  const config = join(folder, 'wrangler.json')
  const absolute = Object.entries(alias as Record<string, string>).map(([name, path]) => [
    name,
    path.startsWith('.') ? resolve(ROOT, path) : path,
  ])
  await writeFile(
    config,
    JSON.stringify({
      name: 'imports-only',
      main: join(folder, 'imports.js'),
      compatibility_date,
      compatibility_flags,
      alias: Object.fromEntries(absolute) as object,
    }),
  )
  return config
}
