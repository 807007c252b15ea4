import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { DAY } from '../../src/core/domain/time/duration.ts'
import { UNTIL_AUDITED, changeRows, freeTimes } from './changes.ts'
import { mcpRows } from './floor-rows.ts'
import { Load } from './load.ts'
import { type Measured, measure } from './measure.ts'
import { type Described, readRows } from './our-rows.ts'
import { httpRequest } from './requests.ts'
import { type Row, steady } from './rows.ts'
import { describe, staffKey } from './sample-data.ts'
import { type Ours, bundle, serveOurs } from './servers.ts'
import { bearer, restTransport } from './transports.ts'

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

/** One row at one size, and the same row of a connector of the smallest size in the same rounds. */
export interface Grown {
  what: string
  size: string
  row: Measured
  control: Measured
}

const UNTIL_CLOSED = 12_000
const EFFORT = { microseconds: 60_000, first: 100, least: 20, most: 600 }
const CONNECTIONS = 16

interface Subject {
  ours: Ours
  url: string
  apiKey: string
  ownerKey: string
  described: Described
}

/** Something that grows, and what is measured of it. */
interface Question {
  what: string
  /** The smallest is the control. */
  sizes: readonly number[]
  /** Brings a connector from one size to the next one; gives the size that it has then. */
  grow?(subject: Subject, from: number, to: number): Promise<number>
  rows(subject: Subject, size: number): Row[]
  connections?(size: number): number
}

/** How the cost of a request grows with what there is. */
export async function scale(options: ScaleOptions): Promise<Grown[]> {
  const { say = () => {}, rounds } = options
  const folder = await mkdtemp(join(tmpdir(), 'consult-scale-'))
  const grown: Grown[] = []
  try {
    const script = await bundle('seeded.ts', join(folder, 'seeded.js'))
    for (const question of questions(options)) {
      say(`${question.what} …`)
      // Each question is asked of connectors of its own.
      const start = (name: string) => startSubject(script, join(folder, question.what, name))
      const [control, subject] = [await start('control'), await start('subject')]
      try {
        grown.push(...(await answer(question, { control, subject, rounds, say })))
      } finally {
        await Promise.all([control.ours.stop(), subject.ours.stop()])
      }
    }
    return grown
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function startSubject(script: string, folder: string): Promise<Subject> {
  const ours = await serveOurs(script, folder, { keepObjects: false })
  const url = `http://127.0.0.1:${ours.port}`
  const apiKey = await staffKey(url, ours.ownerKey)
  const described = await describe(url, apiKey)
  return { ours, url, apiKey, ownerKey: ours.ownerKey, described }
}

interface Pair {
  control: Subject
  subject: Subject
  rounds: number
  say(line: string): void
}

async function answer(question: Question, { control, subject, rounds, say }: Pair) {
  const { what, sizes, grow = (_subject, _from, to) => Promise.resolve(to) } = question
  const connections = question.connections ?? (() => CONNECTIONS)
  const smallest = await grow(control, 0, sizes[0]!)
  const grown: Grown[] = []
  let size = 0
  for (const wanted of sizes) {
    size = await grow(subject, size, wanted)
    const loads = {
      control: new Load(control.ours.port, connections(smallest)),
      subject: new Load(subject.ours.port, connections(size)),
    }
    const rows = {
      control: question.rows(control, smallest),
      subject: question.rows(subject, size),
    }
    const contestants = new Map([
      ['control', { server: control.ours, load: loads.control }],
      ['subject', { server: subject.ours, load: loads.subject }],
    ])
    const inPairs = rows.subject.flatMap((row, index) => [
      { ...rows.control[index]!, server: 'control' },
      { ...row, server: 'subject' },
    ])
    const measuring = { rounds, seconds: 40, effort: EFFORT, warmups: 3 }
    const measured = await measure(inPairs, contestants, measuring)
    loads.control.close()
    loads.subject.close()
    for (let pair = 0; pair < measured.length; pair += 2)
      grown.push({
        what,
        size: String(size),
        row: measured[pair + 1]!,
        control: measured[pair]!,
      })
    if (size < wanted) {
      say(`${size} of ${what}, and no time for ${wanted}`)
      break
    }
  }
  return grown
}

function questions(options: ScaleOptions): Question[] {
  const filledWith = (kind: string) => async (subject: Subject, _from: number, to: number) => {
    await fill(subject, kind, to)
    return to
  }
  return [
    {
      what: 'connections',
      sizes: options.connections,
      connections: (size) => size,
      rows: (subject) => [
        ...mcpRows(
          { id: 'MCP', server: 'ours', kind: 'read' },
          '2026-07-28',
          bearer(subject.apiKey),
        ).slice(1),
        ...clientRows(subject),
      ],
    },
    {
      what: 'keys',
      sizes: options.keys,
      grow: (subject, from, to) => makeKeys(subject, { from, to, within: options.secondsForKeys }),
      rows: (subject) => clientRows(subject),
    },
    {
      what: 'bookings in the mock calendar',
      sizes: options.bookings,
      grow: filledWith('calendar'),
      rows: (subject) => [
        ...bookingRows(subject),
        availability(subject, 7),
        ...reads(subject, /^\/v1\/bookings$/),
      ],
    },
    {
      what: 'entries of the audit log',
      sizes: options.entries,
      grow: filledWith('audit'),
      rows: (subject) => [...reads(subject, /^\/v1\/audit$/), ...clientRows(subject)],
    },
    {
      what: 'bookings in the records',
      sizes: options.records,
      grow: filledWith('records'),
      rows: (subject) => [...bookingRows(subject), ...reads(subject, /^\/v1\/bookings$/)],
    },
    {
      what: 'copies that KV refused',
      sizes: options.outbox,
      grow: filledWith('outbox'),
      rows: (subject) => clientRows(subject),
    },
    {
      what: 'webhooks for other events',
      sizes: options.subscriptions,
      grow: filledWith('subscriptions'),
      rows: (subject) => clientRows(subject),
    },
    {
      what: 'days of availability',
      sizes: [1, 7, 31],
      rows: (subject, days) => [availability(subject, days)],
    },
  ]
}

interface Keys {
  from: number
  to: number
  /** Seconds; no more keys are made after them. */
  within: number
}

/** Makes previews until there are so many keys. */
async function makeKeys(subject: Subject, { from, to, within }: Keys): Promise<number> {
  const load = new Load(subject.ours.port, CONNECTIONS)
  const began = performance.now()
  let made = from
  while (made < to && (performance.now() - began) / 1000 < within) {
    const more = Math.min(100, to - made)
    await load.run(clientRows(subject, more)[0]!.batch(0))
    made += more
  }
  load.close()
  // Objects that are idle are closed after ten seconds, and no caller shall pay for that.
  await new Promise((resolve) => setTimeout(resolve, UNTIL_CLOSED))
  return made
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
