import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { ourRows } from './bench.ts'
import { Load } from './load.ts'
import { markdownTable } from './report.ts'
import { buildOurs, serveOurs } from './servers.ts'
import { WAYS } from './transports.ts'

/** A CPU profile as V8 writes it. */
interface CpuProfile {
  nodes: {
    id: number
    callFrame: { functionName: string; url: string; lineNumber: number }
    children?: number[]
  }[]
  samples: number[]
  timeDeltas: number[]
}

interface Frame {
  name: string
  /** Microseconds in the function itself, and with all that it calls. */
  self: number
  total: number
  children: Map<string, Frame>
}

const IDLE = new Set(['(idle)', '(root)'])

const frame = (name: string): Frame => ({ name, self: 0, total: 0, children: new Map() })

/** All profiles as one tree of calls, without idle time. */
function merged(profiles: readonly CpuProfile[]): Frame {
  const root = frame('all')
  for (const { nodes, samples, timeDeltas } of profiles) {
    const spent = new Map<number, number>()
    for (const [index, id] of samples.entries())
      spent.set(id, (spent.get(id) ?? 0) + Math.max(0, timeDeltas[index] ?? 0))
    const byId = new Map(nodes.map((node) => [node.id, node]))
    const add = (id: number, into: Frame): number => {
      const { callFrame, children = [] } = byId.get(id)!
      const name = callFrame.functionName || '(anonymous)'
      if (name === '(idle)') return 0
      let mine = into
      if (!IDLE.has(name)) {
        mine = into.children.get(name) ?? frame(name)
        into.children.set(name, mine)
      }
      const self = IDLE.has(name) ? 0 : (spent.get(id) ?? 0)
      const below = children.reduce((sum, child) => sum + add(child, mine), 0)
      mine.self += self
      if (mine !== into) mine.total += self + below
      return self + below
    }
    root.total += add(nodes[0]!.id, root)
  }
  return root
}

/** The functions with most time of their own, as lines of a table. */
function hottest(profiles: readonly CpuProfile[], most: number): string[][] {
  const root = merged(profiles)
  const self = new Map<string, number>()
  const total = new Map<string, number>()
  const walk = (one: Frame, above: ReadonlySet<string>) => {
    self.set(one.name, (self.get(one.name) ?? 0) + one.self)
    if (!above.has(one.name)) total.set(one.name, (total.get(one.name) ?? 0) + one.total)
    const seen = new Set([...above, one.name])
    for (const child of one.children.values()) walk(child, seen)
  }
  walk(root, new Set())
  const share = (time: number) => ((100 * time) / root.total).toFixed(1)
  return [...self]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, most)
    .map(([name, time]) => [name, share(time), share(total.get(name) ?? 0)])
}

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'REST book_consult' },
    seconds: { type: 'string', default: '5' },
    cpuprofile: { type: 'string' },
  },
})
const wanted = new RegExp(values.only)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

/** Speaks to the debugger of workerd; it knows one command at a time. */
async function debug(port: number): Promise<(method: string) => Promise<unknown>> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/main`)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true })
    socket.addEventListener('error', reject, { once: true })
  })
  let id = 0
  return (method) =>
    new Promise((resolve) => {
      const mine = ++id
      socket.addEventListener('message', function onMessage({ data }) {
        const message = JSON.parse(String(data)) as { id?: number; result: unknown }
        if (message.id !== mine) return
        socket.removeEventListener('message', onMessage)
        resolve(message.result)
      })
      socket.send(JSON.stringify({ id: mine, method }))
    })
}

const folder = await mkdtemp(join(tmpdir(), 'consult-profile-'))
try {
  const { script } = await buildOurs(join(folder, 'built'), { minify: false })
  const server = await serveOurs(script, join(folder, 'served'), { inspect: true })
  const { rows } = await ourRows(
    server,
    Object.fromEntries(Object.keys(WAYS).map((way) => [way, server])),
    {
      keys: 24,
      replays: 6,
      watched: 0,
    },
  )
  const load = new Load(server.port, 16)
  const transports = new Set(
    rows
      .filter(({ id }) => wanted.test(id))
      .map(({ id }) => id.split(':')[0]!.split(/ (?=\w+_)/)[0]),
  )
  // Changes come one out of another, so a row is run with those before it; only the wanted ones are profiled.
  const round = async (onWanted?: (start: boolean) => Promise<void>) => {
    for (const row of rows) {
      const isWanted = wanted.test(row.id)
      const transport = row.id.split(/ (?=\w+_)/)[0]
      if (!isWanted && (row.kind === 'read' || !transports.has(transport))) continue
      if (isWanted) await onWanted?.(true)
      await load.run(row.batch(200), row.over)
      if (isWanted) await onWanted?.(false)
    }
  }
  await round()
  const command = await debug(server.inspectorPort!)
  await command('Profiler.enable')
  const profiles: CpuProfile[] = []
  const began = performance.now()
  do
    await round(async (start) => {
      if (start) return void (await command('Profiler.start'))
      profiles.push(((await command('Profiler.stop')) as { profile: CpuProfile }).profile)
    })
  while (performance.now() - began < Number(values.seconds) * 1000)
  console.log(markdownTable(['function', 'self %', 'with callees %'], hottest(profiles, 40)))
  if (values.cpuprofile !== undefined) writeFileSync(values.cpuprofile, JSON.stringify(profiles[0]))
  load.close()
  await server.stop()
} finally {
  await rm(folder, { recursive: true, force: true })
}
