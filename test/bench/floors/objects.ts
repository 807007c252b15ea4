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
  write(given: Body): string {
    this.ctx.storage.kv.put('flow', given)
    void this.ctx.storage.setAlarm(Date.now() + MONTH)
    return given.key
  }

  read(): string | undefined {
    return this.ctx.storage.kv.get<Body>('flow')?.key
  }

  /** Written twice, around a read and a write of a second object. */
  async around(given: Body): Promise<string> {
    const calendar = this.env.CALENDAR.get(this.env.CALENDAR.idFromName('calendar'))
    await calendar.taken(given.start)
    this.write(given)
    await calendar.book(given.key, given.start)
    return this.write(given)
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

/** One validated body, and one call of the object under its key: /write, /read or /around. */
export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const parsed = body.safeParse(await request.json())
    if (!parsed.success) return new Response('', { status: 400 })
    const flow = env.FLOWS.get(env.FLOWS.idFromName(parsed.data.key))
    const path = new URL(request.url).pathname
    if (path === '/write') return Response.json({ ok: await flow.write(parsed.data) })
    if (path === '/around') return Response.json({ ok: await flow.around(parsed.data) })
    return Response.json({ ok: await flow.read() })
  },
} satisfies ExportedHandler<Env>
