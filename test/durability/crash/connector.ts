import { type ChildProcess, spawn } from 'node:child_process'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import type { Decision, Orders } from './serve.ts'

const SERVE = fileURLToPath(new URL('serve.ts', import.meta.url))
const QUICK_STARTS = new URL('../../support/quick-starts.ts', import.meta.url).href
const NODE_FLAGS = [
  '--experimental-strip-types',
  '--disable-warning=ExperimentalWarning',
  '--import',
  QUICK_STARTS,
]
const LONGEST_START = 60_000
const KEPT_LINES = 400

/** A connector under real workerd, in a process group of its own. */
export interface Connector {
  url: string
  /** False once it was asked to end. */
  readonly alive: boolean
  /** A person decides about a change that waits, unless it is killed before. */
  decide(decision: Decision): void
  /** SIGKILL to the whole group: Node and workerd are gone at once, whatever they were doing. */
  kill(): Promise<void>
  /** What a deploy does to an instance: it is asked to end, with requests in flight. */
  stop(): Promise<void>
}

export type Host = ReturnType<typeof connectorHost>

/**
 * Starts one connector after the other on the same storage. The next process waits ready while one is serving. What they
 * leave behind when they are killed lies in the scratch folder.
 */
export function connectorHost({
  storage,
  vars,
  scratch,
}: Omit<Orders, 'script'> & { scratch: string }) {
  const groups = new Set<number>()
  const lines: string[] = []
  let waiting: ChildProcess | undefined

  // Ends only what was started here, even when this process is ended by an error.
  const endAll = () => groups.forEach((pid) => signal(-pid, 'SIGKILL'))
  process.once('exit', endAll)

  function spawned(): ChildProcess {
    const child = spawn(process.execPath, [...NODE_FLAGS, SERVE], {
      detached: true,
      stdio: 'pipe',
      env: { ...process.env, TMPDIR: scratch },
    })
    const { pid } = child
    if (pid !== undefined) groups.add(pid)
    child.once('exit', () => pid !== undefined && groups.delete(pid))
    child.stdin.on('error', () => {})
    createInterface({ input: child.stderr }).on('line', (line) => {
      lines.push(line)
      if (lines.length > KEPT_LINES) lines.shift()
    })
    return child
  }

  async function start(script: string, { isLast = false } = {}): Promise<Connector> {
    const child = waiting ?? spawned()
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    const orders: Orders = { storage, vars, script }
    child.stdin?.write(`${JSON.stringify(orders)}\n`)
    const url = await Promise.race([
      firstLine(child),
      exited,
      pause(LONGEST_START, undefined, { ref: false }),
    ])
    if (!url) throw new Error(`The connector did not start.\n${lines.slice(-20).join('\n')}`)
    waiting = isLast ? undefined : spawned()
    let alive = true
    async function end(group: boolean, how: NodeJS.Signals): Promise<void> {
      alive = false
      if (child.pid !== undefined) signal(group ? -child.pid : child.pid, how)
      await exited
      await refused(Number(new URL(url!).port))
    }
    return {
      url,
      get alive() {
        return alive
      },
      decide: (decision) => void child.stdin?.write(`${JSON.stringify(decision)}\n`),
      kill: () => end(true, 'SIGKILL'),
      stop: () => end(false, 'SIGTERM'),
    }
  }

  return {
    start,
    /** The last lines that the connectors wrote. */
    lines,
    /** Ends the process that waits, and what is left of the others. */
    close(): void {
      endAll()
      process.off('exit', endAll)
    },
  }
}

function signal(pid: number, how: NodeJS.Signals): void {
  try {
    process.kill(pid, how)
  } catch {
    // It has ended by itself.
  }
}

const firstLine = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    if (child.stdout) createInterface({ input: child.stdout }).once('line', resolve)
  })

/** Waits until no one listens on the port any more: then workerd has let go of the storage too. */
async function refused(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const socket = connect(port, '127.0.0.1')
    const listens = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    })
    socket.destroy()
    if (!listens) return
    await pause(10)
  }
  throw new Error('workerd outlived its kill')
}
