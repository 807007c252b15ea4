import { DurableObject } from 'cloudflare:workers'
import * as z from 'zod'

import { sha256 } from '../../../src/core/crypto/encoding.ts'
import { DAY } from '../../../src/core/domain/time/duration.ts'
import { answerWith } from './answer.ts'

interface Env {
  FLOWS: DurableObjectNamespace<Flow>
  CALENDAR: DurableObjectNamespace<Calendar>
  RECORDS: KVNamespace
}

const body = z.strictObject({ key: z.string(), start: z.number(), note: z.string() })
type Body = z.infer<typeof body>

const MONTH = 30 * DAY

/** An object under a key: one row and one alarm, written in one transaction. */
export class Flow extends DurableObject<Env> {
  async write(given: Body): Promise<string> {
    this.ctx.storage.kv.put('flow', given)
    await this.ctx.storage.setAlarm(Date.now() + MONTH)
    return given.key
  }

  /** Without it no alarm can be set. */
  override async alarm(): Promise<void> {}

  read(): string | undefined {
    return this.ctx.storage.kv.get<Body>('flow')?.key
  }

  /** A preview: written, after so many reads of another object. */
  async previewAfter(reads: number, given: Body): Promise<string> {
    for (let read = 0; read < reads; read++) await this.#object('calendar').taken(given.start)
    return this.#previewed(given)
  }

  /** A preview: written, after another object noted it. */
  async previewNoted(given: Body): Promise<string> {
    await this.#object('register').book(given.key, given.start)
    return this.#previewed(given)
  }

  /** After the answer the audit log has its row, and the object knows that it has. */
  async #previewed(given: Body): Promise<string> {
    await this.write(given)
    const audited = this.#object('audit-log').book(given.key, given.start)
    this.ctx.waitUntil(audited.then(() => this.#keep(given)))
    return given.key
  }

  /** Every write of a commit without a provider: the coordinator counts it, and it ends at once. */
  async everyWrite(given: Body): Promise<string> {
    await this.#object('coordinator').book(given.key, given.start)
    this.#keep(given)
    return this.#ended(given, 1)
  }

  /** Every write of a commit with a provider, and what it reads there. */
  async everyWriteAround(given: Body): Promise<string> {
    const calendar = this.#object('calendar')
    await this.#object('coordinator').book(given.key, given.start)
    await calendar.taken(given.start)
    await this.write(given)
    await calendar.book(given.key, given.start)
    this.#keep(given)
    return this.#ended(given, 1)
  }

  /** Every write of a payment link: there is a coordinator, and the (mock) provider is no object. */
  async everyWriteOfLink(given: Body): Promise<string> {
    await this.#object('coordinator').book(given.key, given.start)
    await this.write(given)
    this.#keep(given)
    return this.#ended(given, 1)
  }

  /** Every write of a move: another flow is asked, the old time is given up and the new one taken. */
  async everyWriteOfMove(given: Body): Promise<string> {
    const [calendar, coordinator] = [this.#object('calendar'), this.#object('coordinator')]
    await coordinator.book(given.key, given.start)
    await this.env.FLOWS.get(this.ctx.id).read()
    await coordinator.book(given.key, given.start)
    for (let read = 0; read < 3; read++) await calendar.taken(given.start)
    await this.write(given)
    await calendar.book(given.key, given.start)
    await this.write(given)
    await calendar.taken(given.start)
    await calendar.book(given.key, given.start)
    this.#keep(given)
    return this.#ended(given, 2)
  }

  /** A row whose alarm is set already. */
  #keep(given: Body): void {
    this.ctx.storage.kv.put('flow', given)
  }

  /**
   * Writes the audit entry, and the records with the answer that a backup has of this flow. After the answer it publishes
   * an event, copies the records to KV, notes how far the copies are, and acknowledges all.
   */
  async #ended(given: Body, records: number): Promise<string> {
    const register = this.#object('register')
    const audited = this.#object('audit-log').book(given.key, given.start)
    await register.keep(given.key, given.start, records, given.note)
    const copied = async () => {
      await this.#object('event-log').book(given.key, given.start)
      for (let record = 0; record < records; record++)
        await this.env.RECORDS.put(`${given.key} ${record}`, given.note)
      await register.copied(given.start)
    }
    this.ctx.waitUntil(Promise.all([audited.then(() => this.write(given)), copied()]))
    return given.key
  }

  #object(name: string) {
    return this.env.CALENDAR.get(this.env.CALENDAR.idFromName(name))
  }
}

/** The second object, with a table. */
export class Calendar extends DurableObject<Env> {
  readonly #sql: SqlStorage

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#sql = ctx.storage.sql
    this.#sql.exec(
      'CREATE TABLE IF NOT EXISTS bookings (id TEXT PRIMARY KEY, start INTEGER NOT NULL)',
    )
    this.#sql.exec('CREATE INDEX IF NOT EXISTS by_start ON bookings (start)')
    this.#sql.exec('CREATE TABLE IF NOT EXISTS answers (id TEXT PRIMARY KEY, answer TEXT NOT NULL)')
    this.#sql.exec(
      'CREATE TABLE IF NOT EXISTS progress (one INTEGER PRIMARY KEY, copied INTEGER NOT NULL)',
    )
  }

  taken(start: number): number[] {
    return this.#sql
      .exec<{ start: number }>('SELECT start FROM bookings WHERE start = ?', start)
      .toArray()
      .map((row) => row.start)
  }

  book(id: string, start: number): string {
    this.#sql.exec('INSERT INTO bookings VALUES (?, ?)', `${id} ${crypto.randomUUID()}`, start)
    return id
  }

  /** Records, and the answer of the flow that made them. */
  keep(id: string, start: number, records: number, answer: string): void {
    for (let record = 0; record < records; record++) this.book(id, start)
    this.#sql.exec('INSERT INTO answers VALUES (?, ?)', `${id} ${crypto.randomUUID()}`, answer)
  }

  copied(place: number): void {
    this.#sql.exec('INSERT OR REPLACE INTO progress VALUES (1, ?)', place)
  }
}

const CALLS: Record<
  string,
  (flow: DurableObjectStub<Flow>, given: Body) => Promise<string | undefined>
> = {
  '/write': (flow, given) => flow.write(given),
  '/preview': (flow, given) => flow.previewAfter(0, given),
  '/preview-after-1': (flow, given) => flow.previewAfter(1, given),
  '/preview-after-2': (flow, given) => flow.previewAfter(2, given),
  '/preview-after-3': (flow, given) => flow.previewAfter(3, given),
  '/preview-noted': (flow, given) => flow.previewNoted(given),
  '/read': (flow) => flow.read(),
  '/every-write': (flow, given) => flow.everyWrite(given),
  '/every-write-around': (flow, given) => flow.everyWriteAround(given),
  '/every-write-of-link': (flow, given) => flow.everyWriteOfLink(given),
  '/every-write-of-move': (flow, given) => flow.everyWriteOfMove(given),
}

const bytes = (text: string) => new TextEncoder().encode(text)

let macKey: Promise<CryptoKey> | undefined

/** What the connector computes around a call: the hash of an API key, the name of an object, and two MACs. */
async function objectNameOf(key: string): Promise<string> {
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  macKey ??= crypto.subtle.importKey('raw', bytes('floor'.repeat(8)), hmac, false, ['sign'])
  const [signing, caller] = await Promise.all([macKey, sha256('an API key of some length')])
  const [name] = await Promise.all([
    sha256(`${caller} ${key}`),
    crypto.subtle.sign('HMAC', signing, bytes(`a digest ${key}`)),
    crypto.subtle.sign('HMAC', signing, bytes(`a token ${key}`)),
  ])
  return name
}

/** One validated body, one call of the object under its key, and what every answer carries. */
export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const parsed = body.safeParse(await request.json())
    const call = CALLS[new URL(request.url).pathname]
    if (!parsed.success || !call) return new Response('', { status: 400 })
    const flow = env.FLOWS.get(env.FLOWS.idFromName(await objectNameOf(parsed.data.key)))
    return answerWith(request, JSON.stringify({ ok: await call(flow, parsed.data) }))
  },
} satisfies ExportedHandler<Env>
