import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { checkBackup } from '../../src/cli/backup/file.ts'
import { fillConnector, newRestoreToken } from '../../src/cli/backup/fill.ts'
import { askWhoStays } from '../../src/cli/backup/who-may-act.ts'
import { buildWorker } from '../../src/cli/local.ts'
import { newApiKey } from '../../src/core/crypto/api-key.ts'
import { backupKeyAt } from '../support/backup-key.ts'
import { changeRows } from './changes.ts'
import { Load } from './load.ts'
import { percentile } from './measure.ts'
import { staffKey } from './sample-data.ts'
import { serveOurs } from './servers.ts'
import { bearer, restTransport } from './transports.ts'
import type { Server } from './workerd.ts'

export interface BackupsOptions {
  /** How many changes the practice has made; each is a client. */
  flows: number
  /** How many callers commit during a backup, one after the other: a connector makes at most four backups a day. */
  callers: readonly number[]
  /** For how long commits are measured without a backup, in milliseconds: before each backup, and again after it. */
  alone: number
  script?: string
  say?(line: string): void
}

/** What a backup or a restore takes: seconds, and the memory of workerd in MiB where the system tells it. */
export interface Taken {
  what: string
  seconds: number
  before: number | undefined
  peak: number | undefined
  after: number | undefined
}

/** Commits before and after a backup and during it: how many, and how long they took, in milliseconds. */
export interface Beside {
  callers: number
  /** How many seconds that backup took. */
  seconds: number
  alone: Latencies
  during: Latencies
}

export interface BackedUp {
  flows: number
  entries: number
  bytes: number
  taken: Taken[]
  beside: Beside[]
}

interface Latencies {
  commits: number
  p50: number
  p99: number
}

const AT_ONCE = 16
const IN_A_BATCH = 200
const SAMPLED_EVERY = 20
const CLIENT = {
  entity_type: 'individual',
  display_name: 'Jordan Doe',
  contact_email: 'jordan@example.com',
}

/** What a backup and a restore of many flows take, and what commits meanwhile cost. */
export async function backups(options: BackupsOptions): Promise<BackedUp> {
  const { flows, callers, alone, say = () => {} } = options
  const folder = await mkdtemp(join(tmpdir(), 'consult-backups-'))
  const [keyFile, file] = [join(folder, 'key.txt'), join(folder, 'consult.age')]
  const madeKey = await backupKeyAt(keyFile)
  const ownerKey = newApiKey(randomBytes(32))
  const given = {
    SIGNING_SECRET: randomBytes(32).toString('base64url'),
    OWNER_KEY_SHA256: createHash('sha256').update(ownerKey).digest('hex'),
    BACKUP_RECIPIENT: madeKey.recipient,
  }
  const script = options.script ?? (await buildWorker({ outdir: join(folder, 'built') })).script
  let server: Server | undefined
  /** A new process, whose memory has nothing of the one before. */
  const served = async (storage: string, more: Record<string, string> = {}) => {
    await server?.stop()
    server = await serveOurs(script, join(folder, storage), {
      keepObjects: false,
      vars: { ...given, ...more },
    })
    return { server, url: `http://127.0.0.1:${server.port}` }
  }
  try {
    say(`Making ${flows} clients …`)
    let { server: now, url } = await served('practice')
    const apiKey = await staffKey(url, ownerKey)
    const amounts = { keys: Math.min(IN_A_BATCH, flows), replays: 1, watched: 0 }
    const operation = { name: 'create_client_profile', path: '/v1/clients' }
    const [preview, commit, repeat] = changeRows(
      [operation],
      restTransport(apiKey),
      amounts,
      () => '',
    )
    const load = new Load(now.port, AT_ONCE)
    for (let made = 0; made < flows; made += amounts.keys)
      for (const row of [preview!, commit!]) await load.run(row.batch(0))
    load.close()

    say('Backing up …')
    ;({ server: now, url } = await served('practice'))
    const key = await madeKey.pinTo(url)
    const backup = async () => {
      const answer = await fetch(`${url}/v1/backup`, { headers: bearer(ownerKey) })
      if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
      await writeFile(file, new Uint8Array(await answer.arrayBuffer()))
    }
    const taken = [await takenBy('backup', now, backup)]
    const beside: Beside[] = []
    for (const count of callers) {
      say(`Backing up while ${count} commit …`)
      const before = await commits(url, apiKey, count, pause(alone))
      const began = performance.now()
      let seconds = 0
      const making = backup().finally(() => (seconds = (performance.now() - began) / 1000))
      const during = await commits(url, apiKey, count, making)
      const after = await commits(url, apiKey, count, pause(alone))
      const without = latenciesOf([...before, ...after])
      beside.push({ callers: count, seconds, alone: without, during: latenciesOf(during) })
    }
    const checked = await checkBackup(file, key)

    say('Restoring …')
    const { token, hash } = newRestoreToken(checked)
    const RESTORED_AT = new Date().toISOString()
    ;({ server: now, url } = await served('restored', { RESTORED_AT, RESTORE_SHA256: hash }))
    const pick = async (_question: string, options: { value: string }[]) =>
      options.map(({ value }) => value)
    const { stays } = await askWhoStays(checked, { pick })
    taken.push(await takenBy('restore', now, () => fillConnector(url, token, checked, stays)))
    ;({ server: now } = await served('restored', { RESTORED_AT }))
    const repeating = new Load(now.port, AT_ONCE)
    await repeating.run(repeat!.batch(0))
    repeating.close()
    const { 'RECORDS.answers': answers = 0, 'AUDIT_LOG.entries': entries = 0 } = checked.counts
    return { flows: answers, entries, bytes: (await stat(file)).size, taken, beside }
  } finally {
    await server?.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function takenBy(what: string, server: Server, work: () => Promise<unknown>): Promise<Taken> {
  const before = server.memory()
  let peak = before
  const sampler = setInterval(() => {
    const memory = server.memory()
    if (memory !== undefined && memory > (peak ?? 0)) peak = memory
  }, SAMPLED_EVERY)
  const began = performance.now()
  await work().finally(() => clearInterval(sampler))
  const seconds = (performance.now() - began) / 1000
  const after = server.memory()
  return { what, seconds, before, peak: peak && Math.max(peak, after ?? 0), after }
}

/** So many callers preview and commit, one change after the other, until this has ended. How long the commits took. */
async function commits(
  url: string,
  apiKey: string,
  callers: number,
  until: Promise<unknown>,
): Promise<number[]> {
  let isOver = false
  const over = until.finally(() => (isOver = true))
  const latencies: number[] = []
  const post = async (key: string, fields: object) => {
    const headers = {
      'Content-Type': 'application/json',
      'Idempotency-Key': key,
      ...bearer(apiKey),
    }
    const answer = await fetch(`${url}/v1/clients`, {
      method: 'POST',
      headers,
      body: JSON.stringify(fields),
    })
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
    return (await answer.json()) as { confirmation_token?: string }
  }
  const caller = async () => {
    do {
      const key = crypto.randomUUID()
      const { confirmation_token } = await post(key, { ...CLIENT, confirm: false })
      const began = performance.now()
      await post(key, { ...CLIENT, confirm: true, confirmation_token })
      latencies.push(performance.now() - began)
    } while (!isOver)
  }
  await Promise.all([over, ...Array.from({ length: callers }, caller)])
  return latencies
}

function latenciesOf(all: readonly number[]): Latencies {
  const sorted = Float64Array.from(all).sort()
  return { commits: sorted.length, p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) }
}
