import { DurableObject } from 'cloudflare:workers'

export interface Env {
  CALENDAR: DurableObjectNamespace<Calendar>
  /** What `list_availability` of the connector answered for the default window, as JSON. */
  AVAILABILITY: string
}

/** The one object that the tool asks: a table with an index, like the mock calendar of the connector. */
export class Calendar extends DurableObject<Env> {
  readonly #sql: SqlStorage

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#sql = ctx.storage.sql
    this.#sql.exec(
      'CREATE TABLE IF NOT EXISTS bookings (id TEXT PRIMARY KEY, start INTEGER NOT NULL)',
    )
    this.#sql.exec('CREATE INDEX IF NOT EXISTS by_start ON bookings (start)')
  }

  taken(from: number, to: number): number[] {
    return this.#sql
      .exec<{ start: number }>(
        'SELECT start FROM bookings WHERE start >= ? AND start < ?',
        from,
        to,
      )
      .toArray()
      .map((row) => row.start)
  }
}

interface Known {
  answer: { slots: { start_time: string }[] } & Record<string, unknown>
  text: string
}

let known: Known | undefined

/** The same one call of an object, and an answer of the same size. The times of the day are known beforehand. */
export async function availability(env: Env) {
  known ??= JSON.parse(env.AVAILABILITY) as Known
  const { answer, text } = known
  const now = Date.now()
  const taken = await env.CALENDAR.get(env.CALENDAR.idFromName('calendar')).taken(
    now,
    now + 604_800_000,
  )
  const slots =
    taken.length === 0
      ? answer.slots
      : answer.slots.filter((_slot, index) => !taken.includes(index))
  return { content: [{ type: 'text' as const, text }], structuredContent: { ...answer, slots } }
}
