import { DurableObject } from 'cloudflare:workers'
import * as z from 'zod'

interface Env {
  FLOWS: DurableObjectNamespace<Flow>
  CALENDAR: DurableObjectNamespace<Calendar>
}

const body = z.strictObject({ key: z.string(), start: z.number(), note: z.string() })
type Body = z.infer<typeof body>

const MONTH = 30 * 24 * 60 * 60 * 1000

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

  /** Written twice, around a read and a write of a second object. */
  async around(given: Body): Promise<string> {
    const calendar = this.#object('calendar')
    await calendar.taken(given.start)
    await this.write(given)
    await calendar.book(given.key, given.start)
    return this.write(given)
  }

  /** Read; after the answer a second object is told. */
  async readAndTell(given: Body): Promise<string | undefined> {
    this.ctx.waitUntil(this.#object('trail').book(given.key, given.start))
    return this.read()
  }

  /** Every write of a commit with a provider, a desk, a trail and an outbox, in the least code. */
  async everyWrite(given: Body): Promise<string> {
    await this.#object('calendar').taken(given.start)
    await this.#object('desk').book(given.key, given.start)
    await this.write(given)
    await this.#object('calendar').book(given.key, given.start)
    this.ctx.waitUntil(
      this.#object('trail')
        .book(given.key, given.start)
        .then(() => this.write(given)),
    )
    return this.write(given)
  }

  /** A write, and after the answer a second object is told and that noted. */
  async writeAndTell(given: Body): Promise<string> {
    this.ctx.waitUntil(
      this.#object('trail')
        .book(given.key, given.start)
        .then(() => this.write(given)),
    )
    return this.write(given)
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
    this.#sql.exec('CREATE TABLE IF NOT EXISTS bookings (id TEXT PRIMARY KEY, start INTEGER NOT NULL)')
    this.#sql.exec('CREATE INDEX IF NOT EXISTS by_start ON bookings (start)')
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
}

/** One validated body, and one call of the object under its key. */
export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const parsed = body.safeParse(await request.json())
    if (!parsed.success) return new Response('', { status: 400 })
    const flow = env.FLOWS.get(env.FLOWS.idFromName(parsed.data.key))
    switch (new URL(request.url).pathname) {
      case '/write':
        return Response.json({ ok: await flow.write(parsed.data) })
      case '/around':
        return Response.json({ ok: await flow.around(parsed.data) })
      case '/read-and-tell':
        return Response.json({ ok: await flow.readAndTell(parsed.data) })
      case '/write-and-tell':
        return Response.json({ ok: await flow.writeAndTell(parsed.data) })
      case '/every-write':
        return Response.json({ ok: await flow.everyWrite(parsed.data) })
      default:
        return new Response('', { status: 404 })
    }
  },
} satisfies ExportedHandler<Env>
