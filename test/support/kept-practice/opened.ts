import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'

import { type Request, Response } from 'miniflare'

import { startLocal } from '../../../src/cli/local.ts'
import type { FakeBooking, FakeEventType } from '../fakes/calcom-bodies.ts'
import { type FakeCalcom, fakeCalcom } from '../fakes/calcom.ts'
import type { FakeWebhook } from '../fakes/webhooks.ts'
import type { Change } from '../rest-changes.ts'

/** What is known of a part besides its storage. */
export interface KeptPractice {
  /** The day of the practice, ISO 8601: far ahead, so that no alarm rings while it is open. */
  clock: string
  /** The name of the Worker, on which the ids of its objects depend. */
  worker: string
  /** Its settings and secrets, all made up for it. */
  vars: Record<string, string>
  /** The owner's first key, and the other keys by their names. */
  keys: Record<'owner' | 'office' | 'links', string>
  /** Changes with their answers, byte for byte. */
  changes: (Change & { apiKey: string })[]
  /** What its reads show: an address, and words that the answer has. */
  reads: { path: string; words: string[] }[]
  /** The path of the page of a client link that was open. */
  openLink: string
  /** What was under way: the next request, the status of the answer to it, and words of that. */
  underWay?: (Omit<Change, 'text'> & {
    what: string
    answer: [status: number, ...words: string[]]
    apiKey: string
  })[]
  /** The types of events that its webhook has not taken. */
  undelivered?: string[]
  /** The change that waits for approval, and who asked for it. */
  waiting?: { key: string; caller: string }
  /** What a client had typed into the form of a link, checked and not sent: the fields of the next page. */
  halfFilled?: { path: string; form: [string, string][] }
  /** What Cal.com had, where bookings were made there. */
  calendar?: { eventTypes: FakeEventType[]; bookings: FakeBooking[]; hooks: FakeWebhook[] }
  /** The grants of apps, two of them of one app on two computers: the id of the app, and the tokens. */
  hosts?: { clientId: string; accessToken: string; refreshToken: string }[]
}

const HERE = import.meta.dirname

/** The two parts that are kept, each made once by the version of its day. */
const PARTS = { first: HERE, second: join(HERE, 'second') } as const
export type Part = keyof typeof PARTS

/** The files of a part: its storage, what is known of it, its backup and the invented key of that. */
export const filesOf = (part: Part) => ({
  storage: join(PARTS[part], 'practice.storage.gz'),
  facts: join(PARTS[part], 'practice.json'),
  backup: join(PARTS[part], 'backup.age'),
  key: join(PARTS[part], 'backup-key.txt'),
})

export const keptPractice = (part: Part = 'first'): KeptPractice =>
  JSON.parse(readFileSync(filesOf(part).facts, 'utf8')) as KeptPractice

/** Writes the stored files of a part into a folder. */
export function unpackInto(folder: string, part: Part = 'first'): void {
  const packedFiles = gunzipSync(readFileSync(filesOf(part).storage)).toString()
  const files = JSON.parse(packedFiles) as Record<string, string>
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), Buffer.from(text, 'base64'))
  }
}

/** A script that moves the clock to this day. */
export function clockFrom(clock: string): string {
  const by = Date.parse(clock) - Date.now()
  return `{ const Real = Date; globalThis.Date = class Date extends Real {
  constructor(...given) { if (given.length === 0) super(Real.now() + ${by}); else super(...given) }
  static now() { return Real.now() + ${by} }
} }
`
}

/** The same bundle with a clock that says it is the day of the practice; `folder` is for it alone. */
export function scriptOn(clock: string, script: string, folder: string): string {
  cpSync(dirname(script), folder, { recursive: true })
  const moved = join(folder, basename(script))
  writeFileSync(moved, clockFrom(clock) + readFileSync(moved, 'utf8'))
  return moved
}

/** Cal.com on that day, with what it had. */
export async function calcomOn({ clock, calendar }: Pick<KeptPractice, 'clock' | 'calendar'>) {
  const ahead = Date.parse(clock) - Date.now()
  const { hooks = [], ...had } = calendar ?? {}
  const calcom = await fakeCalcom({ now: () => Date.now() + ahead, ...had })
  calcom.webhooks.hooks.push(...hooks)
  return calcom
}

/** Has the objects of a class do at once what they have set an alarm for: the clock of alarms is that of the machine. */
export function ringAtOnce(storage: string, worker: string, className: string): void {
  const folder = join(storage, 'do', `${worker}-${className}`)
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.sqlite'))) {
    const database = new DatabaseSync(join(folder, name))
    database.exec(
      name === 'metadata.sqlite'
        ? 'UPDATE _cf_ALARM SET scheduled_time = 1'
        : 'UPDATE _cf_METADATA SET value = 1 WHERE key = 1',
    )
    database.close()
  }
}

/** Whom the connector reaches in place of the internet. */
interface Reached {
  calcom?: FakeCalcom | undefined
  /** Takes each request to another host. Without it they are all refused. */
  take?: (body: string) => void
}

const reaching =
  ({ calcom, take }: Reached) =>
  async (request: Request) => {
    const { method } = request
    const { host, pathname, search } = new URL(request.url)
    const body = method === 'GET' ? null : await request.text()
    if (!calcom || host !== 'api.cal.com') {
      take?.(body ?? '')
      return new Response(null, { status: take ? 204 : 502 })
    }
    const headers = [...request.headers].filter(
      ([name]) => !/^(host|connection|content-length)$/.test(name),
    )
    const answer = await fetch(calcom.url + pathname + search, { method, headers, body })
    return new Response(await answer.text(), {
      status: answer.status,
      headers: { 'Content-Type': answer.headers.get('Content-Type') ?? '' },
    })
  }

/** Starts the connector of that day. */
export const startOn = (
  { vars }: Pick<KeptPractice, 'vars'>,
  { script, storage, worker: name }: { script: string; storage: string; worker: string },
  reached: Reached = {},
) => startLocal({ script, storage, name, vars, onLog: () => {}, outbound: reaching(reached) })

/** The way to its public address, as a proxy in front of it would keep it: the OAuth server answers under that alone. */
export const underItsName =
  ({ miniflare }: Awaited<ReturnType<typeof startOn>>) =>
  async (request: globalThis.Request): Promise<globalThis.Response> => {
    const { url, method, headers } = request
    const body = method === 'GET' ? null : await request.text()
    const init = { method, headers: [...headers], body, redirect: 'manual' as const }
    return (await miniflare.dispatchFetch(url, init)) as unknown as globalThis.Response
  }
