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

/** What the projects of one run share: each loads this file for itself. */
const run = globalThis as { workerOfThisRun?: ReturnType<typeof build> }

/** Into a folder of its own: other runs may build at the same time. */
async function build() {
  const outdir = await mkdtemp(join(tmpdir(), 'consult-connector-'))
  return { outdir, ...(await buildWorker({ outdir })) }
}

/** Bundles the Worker once for all projects that serve it. */
export default async function setup(project: TestProject) {
  run.workerOfThisRun ??= build()
  const { outdir, script, inputs } = await run.workerOfThisRun
  project.provide('workerScript', script)
  project.provide('workerInputs', inputs)
  // The projects are torn down together, after the last of them.
  return () => rm(outdir, { recursive: true, force: true })
}
