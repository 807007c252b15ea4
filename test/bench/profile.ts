import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { ourRows } from './bench.ts'
import { type CpuProfile, flameGraph, hottest } from './flame-graph.ts'
import { Load } from './load.ts'
import { markdownTable } from './report.ts'
import { buildOurs, serveOurs } from './servers.ts'
import { WAYS } from './transports.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'REST book_consult' },
    seconds: { type: 'string', default: '5' },
    svg: { type: 'string' },
    json: { type: 'string' },
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
  if (values.svg !== undefined) writeFileSync(values.svg, flameGraph(profiles, values.only))
  if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(profiles[0]))
  load.close()
  await server.stop()
} finally {
  await rm(folder, { recursive: true, force: true })
}
