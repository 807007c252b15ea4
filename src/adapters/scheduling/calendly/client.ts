import type * as z from 'zod'
import type { Refusal } from '../../../domain/problem.ts'
import { problem } from '../../../domain/problem.ts'
import { providerHttp } from '../../provider-http.ts'
import {
  type CalendlyEventType,
  type Paged,
  type User,
  eventTypeIdIn,
  eventTypeSchema,
  nextPage,
  userSchema,
} from './schemas.ts'
import { type CalendlyScope, type Doubt, DOWN, FIX, doubtIn, misconfigured, verdictOn } from './errors.ts'

export interface CalendlySettings {
  /** A personal access token. */
  token: string
  /** Where the API is asked; the real one unless a test or a rehearsal says otherwise. */
  baseUrl?: string | undefined
  /** The deadline of each call. */
  timeoutMs: number
  fetch: typeof fetch
  now(): number
}

/** A change that was turned away. */
export interface Turned {
  is: 'refused' | 'busy'
  refusal: Refusal
  doubt?: Doubt
}

interface Read<T> {
  path: string
  query?: Record<string, string | undefined>
  scope: CalendlyScope
  schema: z.ZodType<T>
  /** Statuses, besides 404, that mean: there is no such thing. */
  noneOn?: readonly number[]
}

const BASE_URL = 'https://api.calendly.com'
const MINUTE = 60_000
/** For how long what is read of the user and of event types is believed, and of how many. */
const KEEP = { userMs: 10 * MINUTE, eventTypeMs: MINUTE, eventTypes: 32 }
const PAGE = 100

/** Asks the Calendly API: every answer is classified and parsed before it is believed. */
export function calendlyClient({ token, baseUrl, timeoutMs, fetch, now }: CalendlySettings) {
  const ask = providerHttp({
    baseUrl: baseUrl ?? BASE_URL,
    headers: { Authorization: `Bearer ${token}` },
    timeoutMs,
    fetch,
  })
  let keptUser: { user: User; until: number } | undefined
  const keptTypes = new Map<string, { eventType: CalendlyEventType; until: number }>()

  /** What stands there, or undefined if there is no such thing. Raises a Problem for everything else. */
  async function read<T>({ path, query, scope, schema, noneOn = [] }: Read<T>): Promise<T | undefined> {
    const heard = await ask({ method: 'GET', path, ...(query ? { query } : {}) })
    if (heard.status === 404 || noneOn.some((status) => status === heard.status)) return undefined
    const verdict = verdictOn(heard, { to: 'read', scope }, now())
    if (verdict.is === 'unknown') throw problem('provider_busy', DOWN)
    if (verdict.is !== 'ok') throw problem(verdict.refusal.code, verdict.refusal)
    const parsed = schema.safeParse(verdict.body)
    if (parsed.success) return parsed.data
    // What is not even JSON comes from something between, and passes.
    throw verdict.body === undefined
      ? problem('provider_busy', DOWN)
      : problem('provider_misconfigured', misconfigured(FIX.form))
  }

  return {
    read,

    /** The items of a list, up to a number of pages; `complete` is whether the list was seen to its end. */
    async list<T>(
      { schema, query, ...rest }: Read<{ collection: T[] } & Paged>,
      mostPages: number,
    ): Promise<{ items: T[]; complete: boolean; pages: number }> {
      const items: T[] = []
      let token: string | undefined
      for (let pages = 1; pages <= mostPages; pages += 1) {
        const page = await read({
          ...rest,
          schema,
          query: { ...query, count: String(PAGE), page_token: token },
        })
        items.push(...(page?.collection ?? []))
        const next = page && nextPage(page)
        if (!next) return { items, complete: next === null, pages }
        token = next
      }
      return { items, complete: false, pages: mostPages }
    },

    /** Sends a change, once. Never throws: `unknown` where it may have happened. A refusal with a `doubt` is to be looked into. */
    async change<T>(
      to: 'book' | 'cancel',
      path: string,
      body: object,
      schema: z.ZodType<T>,
    ): Promise<{ is: 'ok'; value: T } | Turned | { is: 'unknown' }> {
      const heard = await ask({ method: 'POST', path, body })
      const asked = { to, scope: 'scheduled_events:write' } as const
      const verdict = verdictOn(heard, asked, now())
      if (verdict.is === 'ok') {
        const parsed = schema.safeParse(verdict.body)
        return parsed.success ? { is: 'ok', value: parsed.data } : { is: 'unknown' }
      }
      // What was kept may be why it was refused.
      keptTypes.clear()
      if (verdict.is === 'unknown') return verdict
      const doubt = doubtIn(heard, asked)
      return doubt ? { ...verdict, doubt } : verdict
    },

    /** The user whose token this is. */
    async user(): Promise<User> {
      if (keptUser && now() < keptUser.until) return keptUser.user
      const found = await read({ path: '/users/me', scope: 'users:read', schema: userSchema })
      if (!found) throw problem('provider_misconfigured', misconfigured(FIX.token))
      keptUser = { user: found.resource, until: now() + KEEP.userMs }
      return found.resource
    },

    /**
     * An event type, named by its id or in full. Raises `provider_misconfigured` if there is none. `anew` does not believe
     * what was read a minute ago.
     */
    async eventType(named: string, how?: 'anew'): Promise<{ id: string; eventType: CalendlyEventType }> {
      const id = eventTypeIdIn(named)
      if (id === undefined) throw problem('provider_misconfigured', misconfigured(FIX.eventType))
      const kept = keptTypes.get(id)
      if (how !== 'anew' && kept && now() < kept.until) return { id, eventType: kept.eventType }
      const found = await read({
        path: `/event_types/${encodeURIComponent(id)}`,
        scope: 'event_types:read',
        schema: eventTypeSchema,
      })
      if (!found) throw problem('provider_misconfigured', misconfigured(FIX.eventType))
      keptTypes.delete(id)
      keptTypes.set(id, { eventType: found.resource, until: now() + KEEP.eventTypeMs })
      const oldest = keptTypes.keys().next()
      if (keptTypes.size > KEEP.eventTypes && !oldest.done) keptTypes.delete(oldest.value)
      return { id, eventType: found.resource }
    },
  }
}

export type CalendlyClient = ReturnType<typeof calendlyClient>
