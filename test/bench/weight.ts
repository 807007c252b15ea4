import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'

import { type SchemasAtStart, schemasAtStart } from '../support/schemas-at-start.ts'

interface Metafile {
  outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }>
}

/** The size of a bundle. */
export interface Size {
  /** Bytes of the whole bundle, minified and gzipped. */
  gzip: number
  /** Bytes of each package in the bundle, minified, the largest first; our own sources are one of them. */
  packages: { name: string; bytes: number }[]
}
export interface Weight extends Size {
  schemas: SchemasAtStart
}

/** What the bundle weighs, and what each dependency costs; `inputs` is the path of esbuild's metafile. */
export async function sizeOf(script: string, inputs: string): Promise<Size> {
  const { outputs } = JSON.parse(await readFile(inputs, 'utf8')) as Metafile
  const packages = new Map<string, number>()
  for (const [path, { bytesInOutput }] of Object.values(outputs).flatMap(({ inputs: parts }) =>
    Object.entries(parts),
  )) {
    const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? 'this service'
    packages.set(name, (packages.get(name) ?? 0) + bytesInOutput)
  }
  return {
    gzip: gzipSync(await readFile(script)).length,
    packages: [...packages]
      .map(([name, bytes]) => ({ name, bytes }))
      .toSorted((a, b) => b.bytes - a.bytes),
  }
}

/** The same, and how many schemas a start builds. */
export async function weigh(script: string, inputs: string): Promise<Weight> {
  return { ...(await sizeOf(script, inputs)), schemas: await schemasAtStart() }
}
