import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { DAY } from '../../src/core/domain/time/duration.ts'
import { UNTIL_AUDITED, changeRows, freeTimes } from './changes.ts'
import { FLOOR_OBJECTS, floorRows, mcpRows } from './floor-rows.ts'
import { Load } from './load.ts'
import { type Measured, measure } from './measure.ts'
import { type Described, readRows } from './our-rows.ts'
import { httpRequest } from './requests.ts'
import { type Row, steady } from './rows.ts'
import { describe, staffKey } from './sample-data.ts'
import { type Ours, bundle, serveOther, serveOurs } from './servers.ts'
import { bearer, restTransport } from './transports.ts'
import type { Server } from './workerd.ts'

export interface ScaleOptions {
  connections: readonly number[]
  keys: readonly number[]
  bookings: readonly number[]
  entries: readonly number[]
  /** Bookings in the records, copies that KV has refused, and subscriptions to other events. */
  records: readonly number[]
  outbox: readonly number[]
  subscriptions: readonly number[]
  /** No more keys are made after so many seconds: each is a file on the local disk. */
  secondsForKeys: number
  rounds: number
  say?(line: string): void
}

/** One row at one size. */
export interface Grown {
  what: string
  size: string
  row: Measured
  /** A floor that was measured in the same minutes: how fast the machine is just then. */
  beside: Measured
}

/** Floors of what writes, and of what only reads. */
const YARDSTICKS = ['floor: warm object, one row, one alarm', 'floor: warm object read']
const UNTIL_CLOSED = 12_000
const EFFORT = { microseconds: 60_000, first: 100, least: 20, most: 600 }

interface Subject {
  ours: Ours
  url: string
  apiKey: string
  ownerKey: string
  described: Described
}

/** How the cost of a request grows with what there is. */
export async function scale(options: ScaleOptions): Promise<Grown[]> {
  const { say = () => {} } = options
  const folder = await mkdtemp(join(tmpdir(), 'consult-scale-'))
  const grown: Grown[] = []
  let yardstick: Server | undefined
  try {
    const script = await bundle('seeded.ts', join(folder, 'seeded.js'))
    const floors = floorRows({ keys: 24, replays: 6 }, 0).filter(({ id }) =>
      YARDSTICKS.includes(id),
    )
    yardstick = await serveOther('floors/objects.ts', join(folder, 'floor'), FLOOR_OBJECTS)
    /** Each question is asked of a connector of its own. */
    const asked = async (name: string, ask: (subject: Subject) => Promise<void>) => {
      say(`${name} …`)
      const ours = await serveOurs(script, join(folder, name), { keepObjects: false })
      try {
        const url = `http://127.0.0.1:${ours.port}`
        const apiKey = await staffKey(url, ours.ownerKey)
        const described = await describe(url, apiKey)
        await ask({ ours, url, apiKey, ownerKey: ours.ownerKey, described })
      } finally {
        await ours.stop()
      }
    }
    const add = async (
      what: string,
      size: string,
      { ours }: Subject,
      rows: readonly Row[],
      over = 16,
    ) => {
      const load = new Load(ours.port, over)
      const beside = new Load(yardstick!.port, 16)
      const contestants = new Map([
        [rows[0]!.server, { server: ours, load }],
        [floors[0]!.server, { server: yardstick!, load: beside }],
      ])
      const measured = await measure(
        [...rows.map((row) => ({ ...row, server: rows[0]!.server })), ...floors],
        contestants,
        { rounds: options.rounds, seconds: 20, effort: EFFORT, warmups: 3 },
      )
      load.close()
      beside.close()
      const [writing, reading] = measured.splice(-floors.length)
      const besideOf = ({ kind }: Measured) =>
        kind === 'preview' || kind === 'commit' ? writing! : reading!
      grown.push(...measured.map((row) => ({ what, size, row, beside: besideOf(row) })))
    }

    await asked('connections', async (subject) => {
      const rows = [
        ...mcpRows(
          { id: 'MCP', server: 'ours', kind: 'read' },
          '2026-07-28',
          bearer(subject.apiKey),
        ).slice(1),
        ...clientRows(subject),
      ]
      for (const connections of options.connections)
        await add('connections', String(connections), subject, rows, connections)
    })
    await asked('keys', async (subject) => {
      const load = new Load(subject.ours.port, 16)
      const began = performance.now()
      let made = 0
      for (const keys of options.keys) {
        while (made < keys && (performance.now() - began) / 1000 < options.secondsForKeys) {
          const preview = clientRows(subject, Math.min(100, keys - made))[0]!
          await load.run(preview.batch(0))
          made += Math.min(100, keys - made)
        }
        // Those that are idle are closed after ten seconds, and that is work of no one who calls meanwhile.
        await new Promise((resolve) => setTimeout(resolve, UNTIL_CLOSED))
        await add('keys', String(made), subject, clientRows(subject))
        if (made < keys) {
          say(`${made} keys, and no time for ${keys}`)
          break
        }
      }
      load.close()
    })
    await asked('bookings', async (subject) => {
      for (const bookings of options.bookings) {
        await fill(subject, 'calendar', bookings)
        await add('bookings in the mock calendar', String(bookings), subject, [
          ...bookingRows(subject),
          availability(subject, 7),
          ...reads(subject, /^\/v1\/bookings$/),
        ])
      }
    })
    await asked('entries', async (subject) => {
      for (const entries of options.entries) {
        await fill(subject, 'audit', entries)
        await add('entries of the audit log', String(entries), subject, [
          ...reads(subject, /^\/v1\/audit$/),
          ...clientRows(subject),
        ])
      }
    })
    await asked('records', async (subject) => {
      for (const records of options.records) {
        await fill(subject, 'records', records)
        await add('bookings in the records', String(records), subject, [
          ...bookingRows(subject),
          ...reads(subject, /^\/v1\/bookings$/),
        ])
      }
    })
    await asked('outbox', async (subject) => {
      for (const outbox of options.outbox) {
        await fill(subject, 'outbox', outbox)
        await add('copies that KV refused', String(outbox), subject, clientRows(subject))
      }
    })
    await asked('subscriptions', async (subject) => {
      for (const subscriptions of options.subscriptions) {
        await fill(subject, 'subscriptions', subscriptions)
        await add('webhooks for other events', String(subscriptions), subject, clientRows(subject))
      }
    })
    await asked('window', async (subject) => {
      for (const days of [1, 7, 31])
        await add('days of availability', String(days), subject, [availability(subject, days)])
    })
    return grown
  } finally {
    await yardstick?.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

const reads = ({ described, apiKey, ownerKey }: Subject, wanted: RegExp): Row[] => {
  const paths = Object.entries(described.paths).filter(([path]) => wanted.test(path))
  return readRows({ ...described, paths: Object.fromEntries(paths) }, { apiKey, ownerKey }, {})
}

/** Preview, commit and replay of a client: keys of their own, and no provider. */
const clientRows = (subject: Subject, keys = 24): Row[] =>
  changesOf(subject, 'create_client_profile', keys)

const bookingRows = (subject: Subject): Row[] => changesOf(subject, 'book_consult', 24)

// Further ahead than the calendar is filled.
const time = freeTimes(Date.now() + 1000 * DAY)

const changesOf = ({ described, apiKey }: Subject, name: string, keys: number): Row[] => {
  const path = Object.entries(described.paths).find(
    ([, { post }]) => post?.operationId === name,
  )![0]
  const amounts = { keys, replays: 4, watched: 0 }
  // Objects are closed here when they are idle, and in half a second that would be charged to the repeats.
  return changeRows([{ name, path }], restTransport(apiKey), amounts, time).map((row) => ({
    ...row,
    leftAlone: row.kind === 'replay' ? UNTIL_AUDITED : 0,
  }))
}

function availability({ apiKey }: Subject, days: number): Row {
  const until = new Date(Date.now() + days * DAY - 60_000).toISOString()
  return steady(
    { id: `GET /v1/availability`, server: 'ours', kind: 'read' },
    httpRequest('GET', `/v1/availability?end_time=${until}`, { headers: bearer(apiKey) }),
  )
}

async function fill({ url }: Subject, what: string, count: number): Promise<void> {
  const response = await fetch(`${url}/bench/fill?what=${what}&count=${count}`)
  if (!response.ok) throw new Error(`The ${what} could not be filled: ${await response.text()}`)
  // What was filled in is still on its way to the disk, and every row that writes would wait for that.
  if (process.platform !== 'win32') execFileSync('sync')
}
