import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'

import { type SchemasAtStart, schemasAtStart } from '../support/schemas-at-start.ts'

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
