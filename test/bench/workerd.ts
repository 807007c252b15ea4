import { type ChildProcess, spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

const workerd = createRequire(import.meta.url)('workerd') as { default: string }

/** What a Worker needs to run in plain workerd, without the entry Worker that Miniflare puts in front. */
export interface Served {
  /** A bundle: one ES module. */
  script: string
  compatibilityDate: string
  compatibilityFlags?: readonly string[]
  vars?: Record<string, string>
  /** Binding to class of each Durable Object. */
  objects?: Record<string, string>
  /** Bindings of KV, all kept in the memory of a small Worker beside it. */
  kv?: readonly string[]
  /** Bindings of rate limits; here they never limit. */
  rateLimits?: readonly string[]
  /** Objects are kept in memory for as long as it runs, so that closing one is not charged to another row. */
  keepObjects?: boolean
}

export interface Server {
  port: number
  pid: number
  /** CPU time it has used so far, in microseconds; undefined where the system does not tell. */
  cpu(): number | undefined
  /** Resident memory in MiB; undefined where the system does not tell. */
  memory(): number | undefined
  stop(): Promise<void>
}

/** Serves a bundle on a free loopback port, in a process of its own; its files go into `folder`. */
export async function serve(worker: Served, folder: string): Promise<Server> {
  mkdirSync(join(folder, 'objects'), { recursive: true })
  copyFileSync(worker.script, join(folder, 'worker.js'))
  writeFileSync(join(folder, 'kv.js'), KV)
  writeFileSync(join(folder, 'limit.js'), UNLIMITED)
  const config = join(folder, 'config.capnp')
  writeFileSync(config, configOf(worker, join(folder, 'objects')))
  const child = spawn(
    workerd.default,
    ['serve', '--experimental', '--socket-addr=http=127.0.0.1:0', '--control-fd=3', config],
    { stdio: ['ignore', 'ignore', 'pipe', 'pipe'] },
  )
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const said: string[] = []
  child.stderr!.on('data', (chunk: Buffer) => {
    if (said.length < 50) said.push(chunk.toString())
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const port = await portOf(child, () => said.join(''))
  const pid = child.pid!
  return {
    port,
    pid,
    cpu: () => cpuOf(pid),
    memory: () => memoryOf(pid),
    async stop() {
      process.off('exit', kill)
      kill()
      await ended
    },
  }
}

function portOf(child: ChildProcess, said: () => string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`workerd ended.\n${said().slice(0, 4000)}`)))
    createInterface(child.stdio[3] as Readable).on('line', (line) => {
      const { event, port } = JSON.parse(line) as { event: string; port?: number }
      if (event === 'listen' && port !== undefined) resolve(port)
    })
  })
}

const quoted = (text: string): string => JSON.stringify(text)
const list = (items: string[]): string => `[${items.join(', ')}]`

function configOf(worker: Served, disk: string): string {
  const { vars = {}, objects = {}, kv = [], rateLimits = [] } = worker
  const bindings = [
    ...Object.entries(vars).map(
      ([name, value]) => `(name = ${quoted(name)}, text = ${quoted(value)})`,
    ),
    ...Object.entries(objects).map(
      ([name, type]) => `(name = ${quoted(name)}, durableObjectNamespace = ${quoted(type)})`,
    ),
    ...kv.map((name) => `(name = ${quoted(name)}, kvNamespace = (name = "kv"))`),
    ...rateLimits.map(
      (name) =>
        `(name = ${quoted(name)}, wrapped = (moduleName = "bench:limit", innerBindings = []))`,
    ),
  ]
  const classes = [...new Set(Object.values(objects))].map(
    (name) =>
      `(className = ${quoted(name)}, uniqueKey = ${quoted(name)}, enableSql = true, preventEviction = ${String(worker.keepObjects === true)})`,
  )
  const compatibility = `compatibilityDate = ${quoted(worker.compatibilityDate)}, compatibilityFlags = ${list((worker.compatibilityFlags ?? []).map(quoted))}`
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .main),
    (name = "kv", worker = .kv),
    (name = "internet", network = (allow = ["local"])),
    (name = "disk", disk = (path = ${quoted(disk)}, writable = true)),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
  extensions = [(modules = [(name = "bench:limit", internal = true, esModule = embed "limit.js")])],
);
const main :Workerd.Worker = (
  modules = [(name = ${quoted(basename(worker.script))}, esModule = embed "worker.js")],
  ${compatibility},
  bindings = ${list(bindings)},
  durableObjectNamespaces = ${list(classes)},
  durableObjectStorage = (localDisk = "disk"),
);
const kv :Workerd.Worker = (
  modules = [(name = "kv.js", esModule = embed "kv.js")],
  ${compatibility},
);
`
}

/** Workers KV in the least code: the platform's own costs the Worker no CPU time, so this must cost little. */
const KV = `const kept = new Map()
export default {
  async fetch(request) {
    const key = new URL(request.url).pathname
    switch (request.method) {
      case 'PUT': kept.set(key, await request.text()); return new Response()
      case 'DELETE': kept.delete(key); return new Response()
    }
    if (key === '/') return Response.json({ keys: [...kept.keys()].map((name) => ({ name: decodeURIComponent(name.slice(1)) })), list_complete: true })
    return kept.has(key) ? new Response(kept.get(key)) : new Response('', { status: 404 })
  },
}
`

const UNLIMITED = `export default () => ({ limit: async () => ({ success: true }) })
`

const NANOSECONDS_IN_A_MICROSECOND = 1000

/** From the scheduler, exact to the nanosecond where /proc tells it, and not in ticks of 10 ms like utime and stime. */
function cpuOf(pid: number): number | undefined {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`)
    const used = tasks.map((task) => {
      try {
        return Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0])
      } catch {
        return 0 // a thread that has just ended
      }
    })
    return used.reduce((sum, one) => sum + one, 0) / NANOSECONDS_IN_A_MICROSECOND
  } catch {
    return undefined
  }
}

function memoryOf(pid: number): number | undefined {
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1])
    return (pages * 4096) / 2 ** 20
  } catch {
    return undefined
  }
}
