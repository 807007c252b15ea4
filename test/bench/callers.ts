import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { percentile } from './measure.ts'
import { staffKey } from './sample-data.ts'
import { buildOurs, serveOurs } from './servers.ts'
import { bearer } from './transports.ts'

/** The steps of a journey, in their order. */
export const STEPS = ['read', 'preview', 'commit', 'repeat'] as const
type Step = (typeof STEPS)[number]

/** What so many callers got who each went from one journey to the next. */
export interface ManyCallers {
  callers: number
  journeys: number
  seconds: number
  /** CPU time of the whole process for one journey, in milliseconds; undefined where the system does not tell. */
  cpu: number | undefined
  /** Resident memory at most, in MiB; undefined where the system does not tell. */
  memory: number | undefined
  /** Answers that were no success. */
  refused: number
  /** In milliseconds. */
  latency: Record<Step, { p50: number; p99: number }>
}

const SAMPLED_EVERY = 50

/**
 * How the connector answers where many callers ask at once. Each caller reads free times, previews a client profile, commits it
 * and repeats the commit, then begins again, for so many milliseconds. Rate limits never limit here.
 */
export async function manyCallers({
  counts,
  lasting,
  script,
  say = () => {},
}: {
  counts: readonly number[]
  lasting: number
  script?: string
  say?(line: string): void
}): Promise<ManyCallers[]> {
  const folder = await mkdtemp(join(tmpdir(), 'consult-callers-'))
  try {
    const built = script ?? (await buildOurs(join(folder, 'built'))).script
    const measured: ManyCallers[] = []
    for (const callers of counts) {
      say(`${callers} callers at once …`)
      measured.push(
        await measure(built, join(folder, `served-${measured.length}`), callers, lasting),
      )
    }
    return measured
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** One process for each number of callers, so that none starts with the objects of another. */
async function measure(
  script: string,
  folder: string,
  callers: number,
  lasting: number,
): Promise<ManyCallers> {
  const server = await serveOurs(script, folder, { keepObjects: false })
  try {
    const url = `http://127.0.0.1:${server.port}`
    const key = await staffKey(url, server.ownerKey)
    await new Journeys(url, key).one()
    const journeys = new Journeys(url, key)
    let memory = server.memory()
    const sampler = setInterval(() => {
      memory = Math.max(memory ?? 0, server.memory() ?? 0) || undefined
    }, SAMPLED_EVERY)
    const cpuBefore = server.cpu()
    const began = performance.now()
    const caller = async () => {
      do await journeys.one()
      while (performance.now() - began < lasting)
    }
    await Promise.all(Array.from({ length: callers }, caller)).finally(() => clearInterval(sampler))
    const seconds = (performance.now() - began) / 1000
    const cpuAfter = server.cpu()
    const isMeasured = cpuBefore !== undefined && cpuAfter !== undefined
    const cpu = isMeasured ? (cpuAfter - cpuBefore) / 1000 / journeys.count : undefined
    const { count, refused, latency } = journeys
    return { callers, journeys: count, seconds, cpu, memory, refused, latency }
  } finally {
    await server.stop()
  }
}

/** Journeys of all callers of a run, under one key. */
class Journeys {
  count = 0
  refused = 0
  readonly #times: Record<Step, number[]> = { read: [], preview: [], commit: [], repeat: [] }
  readonly #url: string
  readonly #credential: Record<string, string>

  constructor(url: string, key: string) {
    this.#url = url
    this.#credential = bearer(key)
  }

  get latency(): ManyCallers['latency'] {
    const latencyOf = (step: Step) => {
      const sorted = Float64Array.from(this.#times[step]).sort()
      return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) }
    }
    return Object.fromEntries(
      STEPS.map((step) => [step, latencyOf(step)]),
    ) as ManyCallers['latency']
  }

  async one(): Promise<void> {
    await this.#ask('read', '/v1/availability', { headers: this.#credential })
    const headers = {
      'Content-Type': 'application/json',
      'Idempotency-Key': crypto.randomUUID(),
      ...this.#credential,
    }
    const change = (fields: object) => ({
      method: 'POST',
      headers,
      body: JSON.stringify({ ...CLIENT, ...fields }),
    })
    const preview = await this.#ask('preview', '/v1/clients', change({ confirm: false }))
    const { confirmation_token } = preview as { confirmation_token?: string }
    const commit = change({ confirm: true, confirmation_token })
    await this.#ask('commit', '/v1/clients', commit)
    await this.#ask('repeat', '/v1/clients', commit)
    this.count += 1
  }

  async #ask(step: Step, path: string, request: RequestInit): Promise<unknown> {
    const began = performance.now()
    const answer = await fetch(this.#url + path, request)
    const body = await answer.json()
    this.#times[step].push(performance.now() - began)
    if (!answer.ok) this.refused += 1
    return body
  }
}

const CLIENT = {
  entity_type: 'individual',
  display_name: 'Jordan Doe',
  contact_email: 'jordan@example.com',
}
