import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { buildWorker } from '../../src/cli/local.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The bundled Worker that the end-to-end tests serve. */
    workerScript: string
    /** What each module takes up in it: a metafile of esbuild. */
    workerInputs: string
  }
}

/** Bundles the Worker once for all end-to-end files, into a folder of its own: other runs may build at the same time. */
export default async function setup(project: TestProject) {
  const outdir = await mkdtemp(join(tmpdir(), 'consult-connector-'))
  const { script, inputs } = await buildWorker({ outdir })
  project.provide('workerScript', script)
  project.provide('workerInputs', inputs)
  return () => rm(outdir, { recursive: true, force: true })
}
