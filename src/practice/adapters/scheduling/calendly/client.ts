import type * as z from 'zod'

import { BoundedMap } from '../../../../core/domain/bounded-map.ts'
import { NOT_UNDERSTOOD } from '../../../../core/domain/outcome.ts'
import { Problem, type Refusal } from '../../../../core/domain/problem/problem.ts'
import { MINUTE, SECOND } from '../../../../core/domain/time/duration.ts'
import type { SchedulingConnection } from '../../connection.ts'
import { misconfigured } from '../../error-table.ts'
import { type ProviderResponse, providerHttp } from '../../provider-http.ts'
import type { ReadList } from '../../provider-schemas.ts'
import {
  type CalendlyResult,
  type CalendlyScope,
  DOWN,
  FIX,
  downFor,
  fullAfter,
  resultOf,
} from './errors.ts'
import {
  type CalendlyEventType,
  type Paged,
  type User,
  errorIn,
  eventTypeIdIn,
  eventTypeSchema,
  isCalendlys,
  nextPage,
  userSchema,
} from './schemas.ts'

export type RefusedChange = Extract<CalendlyResult, { refusal: Refusal }>

interface Read<T> {
  path: string
  query?: Record<string, string | undefined>
  scope: CalendlyScope
  schema: z.ZodType<T>
  /** Statuses, besides 404, that mean: there is no such thing. */
  noneOn?: readonly number[]
}

const CACHE = { userMs: 10 * MINUTE, eventTypeMs: MINUTE, eventTypes: 32 }
export const PAGE_SIZE = 100

/** The Calendly API: every response is classified and parsed before it is used. */
export function calendlyClient({ token, baseUrl, timeoutMs, fetch, now }: SchedulingConnection) {
  const request = providerHttp({
    baseUrl: baseUrl ?? 'https://api.calendly.com',
    headers: { Authorization: `Bearer ${token}` },
    timeoutMs,
    fetch,
  })
  let fullUntil = 0
  let cachedUser: { user: User; until: number } | undefined
  const cachedTypes = new BoundedMap<string, { eventType: CalendlyEventType; until: number }>(
    CACHE.eventTypes,
  )

  /** Undefined if there is no such thing. Raises a `Problem` for every other failure. */
  async function read<T>({
    path,
    query,
    scope,
    schema,
    noneOn = [],
  }: Read<T>): Promise<T | undefined> {
    const response = await request({ method: 'GET', path, query })
    if (saysNone(response, [404, ...noneOn])) return undefined
    const result = resultOf(response, { action: 'read', scope }, now())
    if (result.is === 'unknown') throw new Problem(downFor(response, now()))
    if (result.is !== 'ok') throw new Problem(result.refusal)
    const parsed = schema.safeParse(result.body)
    if (parsed.success) return parsed.data
    throw new Problem(result.body === undefined ? DOWN : misconfigured(FIX.form))
  }

  return {
    read,

    send: request,

    /** Up to a number of pages; not `complete` if there are more, or some entries have an unknown form. */
    async list<T>(
      { schema, query, ...rest }: Read<{ collection: ReadList<T> } & Paged>,
      maxPages: number,
    ): Promise<{ items: T[]; complete: boolean; pages: number }> {
      const items: T[] = []
      let token: string | undefined
      let unread = 0
      for (let pages = 1; pages <= maxPages; pages += 1) {
        const paging = { count: String(PAGE_SIZE), page_token: token }
        const page = await read({ ...rest, schema, query: { ...query, ...paging } })
        items.push(...(page?.collection.read ?? []))
        unread += page?.collection.unread ?? 0
        const next = page && nextPage(page)
        if (!next) return { items, complete: next === null && unread === 0, pages }
        token = next
      }
      return { items, complete: false, pages: maxPages }
    },

    /**
     * Sends a change once; never throws. `unknown`: it may have happened. Reconcile a refusal with
     * `doubt`.
     */
    async change<T>(
      action: 'book' | 'cancel',
      path: string,
      body: object,
      schema: z.ZodType<T>,
    ): Promise<{ is: 'ok'; value: T } | RefusedChange | { is: 'unknown'; answered?: true }> {
      const response = await request({ method: 'POST', path, body })
      const full = action === 'book' ? fullAfter(response, now()) : undefined
      if (full !== undefined) fullUntil = now() + full * SECOND
      const asked = { action, scope: 'scheduled_events:write', sent: body } as const
      const result = resultOf(response, asked, now())
      if (result.is === 'ok') {
        const parsed = schema.safeParse(result.body)
        return parsed.success ? { is: 'ok', value: parsed.data } : NOT_UNDERSTOOD
      }
      // A stale event type may be the reason.
      cachedTypes.clear()
      return result
    },

    /** How long bookings are limited, by the answer to the last one, in seconds. */
    fullForSeconds: async (): Promise<number | undefined> =>
      fullUntil > now() ? Math.ceil((fullUntil - now()) / SECOND) : undefined,

    async user(): Promise<User> {
      if (cachedUser && now() < cachedUser.until) return cachedUser.user
      const found = await read({ path: '/users/me', scope: 'users:read', schema: userSchema })
      if (!found) throw new Problem(misconfigured(FIX.token))
      cachedUser = { user: found.resource, until: now() + CACHE.userMs }
      return found.resource
    },

    /** By id or full name; `uncached` reads it again. Raises `provider_misconfigured` if there is none. */
    async eventType(
      named: string,
      how?: 'uncached',
    ): Promise<{ id: string; eventType: CalendlyEventType }> {
      const id = eventTypeIdIn(named)
      if (id === undefined) throw new Problem(misconfigured(FIX.eventType))
      const cached = cachedTypes.get(id)
      if (how !== 'uncached' && cached && now() < cached.until)
        return { id, eventType: cached.eventType }
      const found = await read({
        path: `/event_types/${encodeURIComponent(id)}`,
        scope: 'event_types:read',
        schema: eventTypeSchema,
      })
      if (!found) throw new Problem(misconfigured(FIX.eventType))
      cachedTypes.set(id, { eventType: found.resource, until: now() + CACHE.eventTypeMs })
      return { id, eventType: found.resource }
    },
  }
}

/** Whether Calendly itself says with one of these statuses that there is no such thing. */
const saysNone = (response: ProviderResponse, statuses: readonly number[]) =>
  response.status !== 'no answer' &&
  statuses.includes(response.status) &&
  isCalendlys(errorIn(response.body))

export type CalendlyClient = ReturnType<typeof calendlyClient>
