import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { markdownTable } from './report.ts'
import type { Server } from './workerd.ts'

/** The parts of workerd by the names of their functions; the first that fits counts. */
const PARTS: readonly [string, RegExp][] = [
  [
    'SQLite',
    /^sqlite|^wal|^vdbe|^btree|^pager|^pcache|^unix[A-Z]|^yy_|^mem[A-Z]|workerd::Sqlite|workerd::ActorSqlite/,
  ],
  ['cryptography', /bssl|EVP_|^sha|HMAC|OPENSSL|workerd::api::.*Crypto/],
  [
    'garbage collection',
    /Scaveng|Marking|MarkCompact|Sweep|Evacuat|cppgc|ConcurrentMark|GlobalHandles|TracedHandles|IsUnmodifiedApiObject/,
  ],
  ['JavaScript', /^Builtins_|v8::/],
  ['calls, HTTP, event loop', /^capnp|capnp::|kj::|workerd::/],
  ['memory', /alloc|free|tcmalloc|operator new|operator delete|^__mem|^__GI_/i],
]
const HERTZ = 4000
/** By time, and not by cycles, so that each sample stands for the same share of a second. */
const CLOCK = ['-e', 'cpu-clock', '-F', String(HERTZ)]
/** How long perf takes until it listens, in milliseconds. */
const READY = 250

/** Whether the CPU time of native code can be taken apart here: with perf, on Linux. */
export const canProfileNatively = (): boolean => spawnSync('perf', ['--version']).status === 0

/** Takes the CPU time of each row apart into the parts of workerd, the kernel included, by sampling it with perf. */
export class NativeProfile {
  readonly #folder = mkdtempSync(join(tmpdir(), 'consult-perf-'))
  readonly #rows = new Map<string, { requests: number; samples: Map<string, number> }>()

  /** Runs a batch of a row under perf. */
  async observe<T extends { requests: number }>(
    id: string,
    server: Server,
    run: () => Promise<T>,
  ): Promise<T> {
    const file = join(this.#folder, 'perf.data')
    const options = ['record', '-q', ...CLOCK, '-p', String(server.pid), '-o', file]
    const perf = spawn('perf', options, { stdio: 'ignore' })
    await new Promise((resolve) => setTimeout(resolve, READY))
    const sample = await run()
    await ended(perf)
    const row = this.#rows.get(id) ?? { requests: 0, samples: new Map<string, number>() }
    row.requests += sample.requests
    for (const [part, count] of samplesIn(file))
      row.samples.set(part, (row.samples.get(part) ?? 0) + count)
    this.#rows.set(id, row)
    return sample
  }

  /** Microseconds of CPU for each request, by part. */
  table(): string {
    const parts = ['kernel', ...PARTS.map(([name]) => name), 'the rest']
    const body = [...this.#rows].map(([id, { requests, samples }]) => {
      const us = (count: number) => ((count * 1e6) / HERTZ / requests).toFixed(0)
      const all = [...samples.values()].reduce((sum, one) => sum + one, 0)
      return [id, us(all), ...parts.map((part) => us(samples.get(part) ?? 0))]
    })
    return markdownTable(['CPU µs by part', 'in all', ...parts], body)
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

function ended(perf: ChildProcess): Promise<unknown> {
  const exit = new Promise((resolve) => perf.once('exit', resolve))
  perf.kill('SIGINT')
  return exit
}

const LINE = /^\s*(\d+)\s+.*?\[([.k])\]\s+(\S.*?)\s*(?:-\s+-\s*)?$/

function samplesIn(file: string): Map<string, number> {
  const options = ['report', '-i', file, '--stdio', '-g', 'none', '-F', 'sample,dso,symbol']
  const report = execFileSync('perf', options, {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const samples = new Map<string, number>()
  for (const line of report.split('\n')) {
    const [, count, space, symbol = ''] = LINE.exec(line) ?? []
    if (count === undefined) continue
    const compiled = line.includes('[JIT]') ? 'JavaScript' : undefined
    const part =
      space === 'k'
        ? 'kernel'
        : (compiled ?? PARTS.find(([, names]) => names.test(symbol))?.[0] ?? 'the rest')
    samples.set(part, (samples.get(part) ?? 0) + Number(count))
  }
  return samples
}
