import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Amounts } from './changes.ts'
import { floorRows } from './floor-rows.ts'
import { Load } from './load.ts'
import { type Contestant, type Measured, type Measuring, measure } from './measure.ts'
import { allChangeRows, mcpReadRows, readRows } from './our-rows.ts'
import { availabilityAnswer, describe, sampleData, staffKey, toolList } from './sample-data.ts'
import { buildOurs, serveOther, serveOurs } from './servers.ts'
import { type Judged, judge } from './targets.ts'
import type { Server } from './workerd.ts'

export interface BenchOptions {
  measuring: Omit<Measuring, 'onRound'>
  amounts: Amounts
  /** Which rows to measure. */
  only?: RegExp
  connections?: number
  say?(line: string): void
}

export interface Benched {
  rows: Measured[]
  targets: Judged[]
  notes: string[]
}

/** Serves ours, the floors and the peers, and measures them side by side. */
export async function bench(options: BenchOptions): Promise<Benched> {
  const { measuring, amounts, connections = 16, say = () => {}, only = /./ } = options
  const folder = await mkdtemp(join(tmpdir(), 'consult-bench-'))
  const contestants = new Map<string, Contestant>()
  const notes: string[] = []
  const enter = async (name: string, starting: Promise<Server>) => {
    const server = await starting
    contestants.set(name, { server, load: new Load(server.port, connections) })
    return `http://127.0.0.1:${server.port}`
  }
  try {
    say('Building the Worker …')
    const { script } = await buildOurs(join(folder, 'built'))
    const reads = await serveOurs(script, join(folder, 'reads'))
    const readsUrl = await enter('ours, reads', Promise.resolve(reads))
    const callers = { ownerKey: reads.ownerKey, apiKey: await staffKey(readsUrl, reads.ownerKey) }
    const described = await describe(readsUrl, callers.apiKey)
    const samples = await sampleData(readsUrl, callers)
    const vars = {
      TOOLS: JSON.stringify(await toolList(readsUrl, callers.apiKey)),
      AVAILABILITY: await availabilityAnswer(readsUrl, callers.apiKey),
    }
    const changes = await serveOurs(script, join(folder, 'changes'))
    const changesUrl = await enter('ours, changes', Promise.resolve(changes))
    const changeCallers = {
      ownerKey: changes.ownerKey,
      apiKey: await staffKey(changesUrl, changes.ownerKey),
    }
    await enter('floor: empty', serveOther('floors/empty.ts', join(folder, 'empty')))
    await enter(
      'floor: validated',
      serveOther('floors/validated.ts', join(folder, 'validated'), { objects: { PLAIN: 'Plain' } }),
    )
    await enter(
      'floor: objects',
      serveOther('floors/objects.ts', join(folder, 'objects'), {
        objects: { FLOWS: 'Flow', CALENDAR: 'Calendar' },
      }),
    )
    await enter(
      'floor: mcp',
      serveOther('floors/mcp.ts', join(folder, 'mcp'), { objects: { CALENDAR: 'Calendar' }, vars }),
    )
    const rows = [
      ...floorRows(amounts),
      ...mcpReadRows(callers),
      ...readRows(described, callers, samples),
      ...allChangeRows(described, changeCallers, amounts),
    ].filter(({ id }) => only.test(id))
    const measured = await measure(rows, contestants, {
      ...measuring,
      onRound: (round) => say(round < 0 ? 'Warming up …' : `Round ${round + 1} of ${measuring.rounds} …`),
    })
    return { rows: measured, targets: judge(measured), notes }
  } finally {
    for (const { server, load } of contestants.values()) {
      load.close()
      await server.stop()
    }
    await rm(folder, { recursive: true, force: true })
  }
}
