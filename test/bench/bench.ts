import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { buildWorker } from '../../src/cli/local.ts'
import type { Amounts } from './changes.ts'
import { FLOOR_OBJECTS, floorRows } from './floor-rows.ts'
import { Load } from './load.ts'
import { type Contestant, type Measured, type Measuring, measure } from './measure.ts'
import { allChangeRows, coldRow, mcpReadRows, readRows } from './our-rows.ts'
import { PEERS, peerRows } from './peer-rows.ts'
import { availabilityAnswer, describe, sampleData, staffKey, toolList } from './sample-data.ts'
import { type Ours, PEERS_INSTALLED, serveOther, serveOurs } from './servers.ts'
import { type Startup, startup } from './start.ts'
import { type Judged, judge } from './targets.ts'
import { type Transport, WAYS } from './transports.ts'
import { type Weight, weigh } from './weight.ts'
import type { Server } from './workerd.ts'

export interface BenchOptions {
  measuring: Omit<Measuring, 'onRound'>
  amounts: Amounts
  /** Which rows to measure. */
  only?: RegExp
  connections?: number
  /** A bundle of the connector and what is in it; built now if missing. */
  built?: { script: string; inputs: string }
  /** How often to measure the start; by default never. */
  startups?: number
  /** Without them it is quick; with them only if they are installed. */
  peers?: boolean
  say?(line: string): void
}

export interface Benched {
  rows: Measured[]
  targets: Judged[]
  /** Rows that missed their target, beside a floor that does all that they must do. */
  notes: string[]
  weight: Weight
  /** Undefined where it was not asked for. */
  startup: Startup | undefined
}

/** Serves ours, the floors and the peers, and measures them side by side. */
export async function bench(options: BenchOptions): Promise<Benched> {
  const {
    measuring,
    amounts,
    connections = 16,
    peers = true,
    startups = 0,
    say = () => {},
    only = /./,
  } = options
  const folder = await mkdtemp(join(tmpdir(), 'consult-bench-'))
  const contestants = new Map<string, Contestant>()
  const notes: string[] = []
  const enter = async (name: string, starting: Promise<Server>) => {
    const server = await starting
    contestants.set(name, { server, load: new Load(server.port, connections) })
  }
  try {
    say('Building the Worker …')
    const { script, inputs } =
      options.built ?? (await buildWorker({ outdir: join(folder, 'built') }))
    const reads = await serveOurs(script, join(folder, 'reads'))
    await enter('ours, reads', Promise.resolve(reads))
    const changing: Record<string, Ours> = {}
    // A process for each, since what one makes stays in memory, and is gone through whenever that is cleaned up.
    for (const way of Object.keys(WAYS)) {
      const served = await serveOurs(script, join(folder, way))
      changing[way] = served
      await enter(`ours, ${way}`, Promise.resolve(served))
    }
    const { rows, vars } = await ourRows(reads, changing, amounts)
    const cold = await serveOurs(script, join(folder, 'cold'))
    await enter('ours, cold', Promise.resolve(cold))
    const ours = [...rows, coldRow(await staffKey(`http://127.0.0.1:${cold.port}`, cold.ownerKey))]
    await enter('floor: empty', serveOther('floors/empty.ts', join(folder, 'empty')))
    await enter(
      'floor: objects',
      serveOther('floors/objects.ts', join(folder, 'objects'), FLOOR_OBJECTS),
    )
    for (const name of ['mcp', 'cold'])
      await enter(
        `floor: ${name}`,
        serveOther('floors/mcp.ts', join(folder, name), {
          objects: { CALENDAR: 'Calendar' },
          vars,
        }),
      )
    if (peers && PEERS_INSTALLED) {
      for (const { name, entry } of PEERS)
        await enter(
          `peer: ${name}`,
          serveOther(entry, join(folder, entry), { objects: { CALENDAR: 'Calendar' }, vars }),
        )
    } else if (peers) {
      notes.push('The peers are not installed, so they were left out: test/README.md says how.')
    }
    const wanted = ours.filter(({ id }) => only.test(id))
    const previews = wanted.filter(
      ({ kind, server }) => kind === 'preview' && server === 'ours, REST',
    ).length
    const others = [
      ...floorRows(amounts, Math.max(0, previews - 1) * amounts.keys),
      ...(peers && PEERS_INSTALLED ? peerRows() : []),
    ]
    const chosen = [...others.filter(({ id }) => only.test(id)), ...wanted]
    const measured = await measure(chosen, contestants, {
      ...measuring,
      onRound: (round) =>
        say(round < 0 ? 'Warming up …' : `Round ${round + 1} of ${measuring.rounds} …`),
    })
    const weight = await weigh(script, inputs)
    if (startups > 0) say('Measuring the start …')
    return {
      rows: measured,
      targets: judge(measured),
      notes,
      weight,
      startup: startups > 0 ? await startup(script, folder, startups) : undefined,
    }
  } finally {
    for (const { server, load } of contestants.values()) {
      load.close()
      await server.stop()
    }
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * The rows of the connector, served for reads and for each of the ways of changes, and what floors and peers are to
 * answer with.
 */
async function ourRows(reads: Ours, changing: Readonly<Record<string, Ours>>, amounts: Amounts) {
  const url = `http://127.0.0.1:${reads.port}`
  const callers = { ownerKey: reads.ownerKey, apiKey: await staffKey(url, reads.ownerKey) }
  const ways: Transport[] = []
  for (const [way, { port, ownerKey }] of Object.entries(changing))
    ways.push(WAYS[way]!(await staffKey(`http://127.0.0.1:${port}`, ownerKey)))
  const described = await describe(url, callers.apiKey)
  const samples = await sampleData(url, callers)
  return {
    rows: [
      ...mcpReadRows(callers),
      ...readRows(described, callers, samples),
      ...allChangeRows(described, ways, amounts),
    ],
    vars: {
      TOOLS: JSON.stringify(await toolList(url, callers.apiKey)),
      AVAILABILITY: await availabilityAnswer(url, callers.apiKey),
    },
  }
}
