import type * as z from 'zod'

import { BoundedMap } from '../../../../core/domain/bounded-map.ts'
import { Problem } from '../../../../core/domain/problem/problem.ts'
import { DAY, MINUTE } from '../../../../core/domain/time/duration.ts'
import { isoUtc } from '../../../../core/domain/time/time.ts'
import type { SchedulingConnection } from '../../connection.ts'
import { type ProviderResponse, providerHttp } from '../../provider-http.ts'
import { isNoBooking, readRefusal, ADVICE, type Right } from './errors.ts'
import {
  bookingResponse,
  bookingsIn,
  type CalcomBooking,
  type CalcomEventType,
  errorIn,
  eventTypeResponse,
  pageResponse,
  seriesResponse,
  slotsResponse,
} from './schemas.ts'

/** `cal-api-version` for each group of endpoints that this adapter was written for. */
const API_VERSION = {
  bookings: '2024-08-13',
  slots: '2024-09-04',
  eventTypes: '2024-06-14',
} as const

interface Read<T extends z.ZodType> {
  group: keyof typeof API_VERSION
  path: string
  query?: Record<string, string | undefined>
  schema: T
  right: Right
  /** Advice if Cal.com knows the endpoint but not the thing. */
  gone?: string
}

const CACHE = { ms: MINUTE, eventTypes: 32 }
const EVERY_STATUS = 'upcoming,recurring,past,cancelled,unconfirmed'
const PAGE_SIZE = 100
const MAX_PAGES = 5

const versionHeader = (group: keyof typeof API_VERSION) => ({
  'cal-api-version': API_VERSION[group],
})

/** The body of a success, if it has this form. */
export function bodyOf<T extends z.ZodType>(
  response: ProviderResponse,
  schema: T,
): z.output<T> | undefined {
  if (response.status === 'no answer' || response.status >= 300) return undefined
  return schema.safeParse(response.body).data
}

export type CalcomClient = ReturnType<typeof calcomClient>

/** The endpoints of Cal.com that are used. Reads throw a `Problem`; a change returns the response. */
export function calcomClient({ token, baseUrl, timeoutMs, fetch, now }: SchedulingConnection) {
  const request = providerHttp({
    baseUrl: (baseUrl ?? 'https://api.cal.com').replace(/\/+$/, ''),
    headers: { Authorization: `Bearer ${token}` },
    timeoutMs,
    fetch,
  })

  const cachedTypes = new BoundedMap<number, { eventType: CalcomEventType; until: number }>(
    CACHE.eventTypes,
  )

  async function read<T extends z.ZodType>(wanted: Read<T>): Promise<z.output<T>> {
    const { group, path, query = {}, schema } = wanted
    const response = await request({ method: 'GET', path, query, headers: versionHeader(group) })
    const body = bodyOf(response, schema)
    if (body === undefined) throw new Problem(readRefusal(response, wanted, now()))
    return body
  }

  async function bookingsPage(
    eventTypeIds: readonly number[],
    { from, until, ...paging }: { from: number; until: number } & Record<string, string | number>,
  ): Promise<{ page: unknown[]; more: boolean }> {
    const { data, pagination } = await read({
      group: 'bookings',
      path: '/v2/bookings',
      query: {
        eventTypeIds: eventTypeIds.join(','),
        afterStart: isoUtc(from),
        // A day more: a booking may end a while after it begins, or have become longer than its slot.
        beforeEnd: isoUtc(until + DAY),
        ...Object.fromEntries(Object.entries(paging).map(([name, value]) => [name, String(value)])),
      },
      right: 'BOOKING_READ',
      schema: pageResponse,
    })
    // A page that does not say whether the list continues has a next one if it is full.
    return { page: data, more: pagination.hasNextPage ?? data.length >= Number(paging['take']) }
  }

  return {
    read,
    bookingsPage,

    ask: request,

    send: (path: string, body: object): Promise<ProviderResponse> =>
      request({ method: 'POST', path, body, headers: versionHeader('bookings') }),

    /** `series` if the id names several bookings; undefined if Cal.com knows none. */
    async booking(uid: string): Promise<CalcomBooking | 'series' | undefined> {
      const path = `/v2/bookings/${encodeURIComponent(uid)}`
      const response = await request({ method: 'GET', path, headers: versionHeader('bookings') })
      const found = bodyOf(response, bookingResponse)
      if (found) return found.data
      if (bodyOf(response, seriesResponse)) return 'series'
      if (response.status === 404 && isNoBooking(errorIn(response.body))) return undefined
      throw new Problem(readRefusal(response, { right: 'BOOKING_READ' }, now()))
    },

    async eventType(id: number, how?: 'uncached'): Promise<CalcomEventType> {
      const cached = cachedTypes.get(id)
      if (how !== 'uncached' && cached && now() < cached.until) return cached.eventType
      const { data } = await read({
        group: 'eventTypes',
        path: `/v2/event-types/${id}`,
        right: 'EVENT_TYPE_READ',
        schema: eventTypeResponse,
        gone: ADVICE.eventTypeGone,
      })
      cachedTypes.set(id, { eventType: data, until: now() + CACHE.ms })
      return data
    },

    async slots(eventTypeId: number, from: number, to: number) {
      const { data } = await read({
        group: 'slots',
        path: '/v2/slots',
        query: {
          eventTypeId: String(eventTypeId),
          start: isoUtc(from),
          end: isoUtc(to),
          format: 'range',
        },
        right: 'SCHEDULE_READ',
        schema: slotsResponse,
        gone: ADVICE.eventTypeGone,
      })
      return Object.values(data).flat()
    },

    /** Those that begin within a day of a start; not `complete` if some were unreadable. */
    async bookingsNear(
      eventTypeId: number,
      start: number,
    ): Promise<{ found: CalcomBooking[]; complete: boolean }> {
      const found: CalcomBooking[] = []
      let skip = 0
      for (let pages = 0; pages < MAX_PAGES; pages += 1) {
        const window = { from: start - MINUTE, until: start }
        const paging = { status: EVERY_STATUS, take: PAGE_SIZE, skip }
        const { page, more } = await bookingsPage([eventTypeId], { ...window, ...paging })
        found.push(...bookingsIn(page))
        skip += page.length
        if (!more) return { found, complete: found.length === skip }
      }
      return { found, complete: false }
    },
  }
}
