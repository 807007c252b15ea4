import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { type Ratio, median, ratioOf } from './measure.ts'
import { serveOther, serveOurs } from './servers.ts'
import type { Server } from './workerd.ts'

export interface Startup {
  /** Milliseconds of CPU until workerd listens, medians over the runs. */
  ours: number
  empty: number
  /** Of a bare server of the MCP SDK 2.x with the same tools. */
  sdk: number
  /** Ours beside that of the SDK, run by run. */
  ratio: Ratio
}

/**
 * What a start costs, in turns with an empty Worker and a bare server of the MCP SDK, each in a
 * process of its own. CPU time and not a clock, so that a busy machine changes it little. Undefined
 * where the system does not tell the CPU time of a process.
 */
export async function startup(
  script: string,
  folder: string,
  runs: number,
): Promise<Startup | undefined> {
  const ways: Record<'ours' | 'empty' | 'sdk', (at: string) => Promise<Server>> = {
    ours: (at) => serveOurs(script, at),
    empty: (at) => serveOther('floors/empty.ts', at),
    sdk: (at) => serveOther('peers/server-2.ts', at, { objects: { CALENDAR: 'Calendar' } }),
  }
  const times = { ours: [] as number[], empty: [] as number[], sdk: [] as number[] }
  for (let run = 0; run < runs; run++)
    for (const name of ['ours', 'empty', 'sdk'] as const) {
      const at = join(folder, `start-${name}`)
      const server = await ways[name](at)
      const cpu = server.cpu()
      await server.stop()
      await rm(at, { recursive: true, force: true })
      if (cpu === undefined) return undefined
      times[name].push(cpu / 1000)
    }
  return {
    ours: median(times.ours),
    empty: median(times.empty),
    sdk: median(times.sdk),
    ratio: ratioOf(times.ours.map((time, run) => time / times.sdk[run]!)),
  }
}
