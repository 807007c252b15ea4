import type * as z from 'zod'

import { BoundedMap } from '../../../../core/domain/bounded-map.ts'
import { Problem } from '../../../../core/domain/problem/problem.ts'
import { DAY, MINUTE } from '../../../../core/domain/time/duration.ts'
import { isoUtc } from '../../../../core/domain/time/time.ts'
import type { SchedulingConnection } from '../../connection.ts'
import { misconfigured } from '../../error-table.ts'
import { type ProviderRequest, type ProviderResponse, providerHttp } from '../../provider-http.ts'
import { isNoBooking, isNoRoute, readRefusal, ADVICE, type Right } from './errors.ts'
import {
  bookingResponse,
  bookingsIn,
  type CalcomBooking,
  type CalcomEventType,
  errorIn,
  eventTypeResponse,
  pageResponse,
  oneOrSeries,
  slotsResponse,
} from './schemas.ts'

/**
 * The versions that are sent as `cal-api-version`, by group of endpoints: the first that answers is
 * used from then on. Sources: the OpenAPI description (`docs/api-reference/v2/openapi.json` of
 * github.com/calcom/companion, 2026-03-11) has the first of each; Cal.com's booking pages for
 * agents (`https://cal.com/<user>/<event type>.md`, 2026) book with the second. Recordings of 2026
 * list bookings under the third. What is read is the same in all, but for how a list says that it
 * goes on.
 */
const API_VERSIONS = {
  bookings: ['2024-08-13', '2026-02-25'],
  lists: ['2024-08-13', '2026-02-25', '2026-05-01'],
  slots: ['2024-09-04'],
  eventTypes: ['2024-06-14'],
} as const

type Group = keyof typeof API_VERSIONS

interface Read<T extends z.ZodType> {
  group: Group
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
const PAGES_NEAR = 5

/** The answer of Cal.com, and the body of a success that has the form which was asked for. */
interface Answered<T extends z.ZodType> {
  response: ProviderResponse
  body: z.output<T> | undefined
}

/** Whether Cal.com says that there is no such booking. */
const saysNone = (response: ProviderResponse) =>
  response.status === 404 && isNoBooking(errorIn(response.body))

/**
 * Whether Cal.com does not serve a version: it has no such route, or an older handler reads in
 * another form.
 */
const isRetired = (response: ProviderResponse, { method }: ProviderRequest) => {
  if (response.status === 'no answer') return false
  if (response.status === 404) return isNoRoute(errorIn(response.body))
  return method === 'GET' && response.status < 300 && response.body !== undefined
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

  /** Versions that answered no more are skipped; never the last one. */
  const skipped: Record<Group, number> = { bookings: 0, lists: 0, slots: 0, eventTypes: 0 }
  let answeredAs: string | undefined

  /** Asks under the version in use, and under later ones where Cal.com does not serve it any more. */
  async function ask<T extends z.ZodType>(
    group: Group,
    asked: ProviderRequest,
    schema: T,
  ): Promise<Answered<T>> {
    const versions: readonly string[] = API_VERSIONS[group]
    let first: Answered<T> | undefined
    for (let at = skipped[group]; at < versions.length; at += 1) {
      const version = versions[at]!
      const response = await request({ ...asked, headers: { 'cal-api-version': version } })
      const isSuccess = response.status !== 'no answer' && response.status < 300
      const body = isSuccess ? schema.safeParse(response.body).data : undefined
      const isServed = body !== undefined || saysNone(response)
      if (isServed && (group === 'bookings' || group === 'lists')) answeredAs = version
      // A change may have been made by whatever answer came to it last.
      if (isServed || (asked.method !== 'GET' && !isRetired(response, asked))) {
        skipped[group] = at
        // A change under a retired version may be refused as if it were malformed, so what a list
        // learnt holds for it too.
        if (group === 'lists')
          skipped.bookings = Math.max(
            skipped.bookings,
            Math.min(at, API_VERSIONS.bookings.length - 1),
          )
        return { response, body }
      }
      first ??= { response, body }
      if (!isRetired(response, asked)) break
    }
    // One odd answer must not lead to a version that Cal.com does not know either.
    return first!
  }

  async function read<T extends z.ZodType>(wanted: Read<T>): Promise<z.output<T>> {
    const { group, path, query = {}, schema } = wanted
    const { response, body } = await ask(group, { method: 'GET', path, query }, schema)
    if (body === undefined) throw new Problem(readRefusal(response, wanted, now()))
    return body
  }

  async function bookingsPage(
    eventTypeIds: readonly number[],
    { from, until, ...paging }: { from: number; until: number } & Record<string, string | number>,
  ): Promise<{ page: unknown[]; more: boolean; cursor: string | undefined }> {
    const { data, pagination } = await read({
      group: 'lists',
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
    const more = pagination?.goesOn ?? data.length >= Number(paging['take'])
    return { page: data, more, cursor: pagination?.nextCursor ?? undefined }
  }

  /** Page after page; not `complete` if some were unreadable, or more pages follow. */
  async function bookings(
    eventTypeIds: readonly number[],
    wanted: Parameters<typeof bookingsPage>[1],
    mostPages: number,
  ): Promise<{ found: CalcomBooking[]; complete: boolean }> {
    const found: CalcomBooking[] = []
    let listed = 0
    let cursor: string | undefined
    for (let pages = 0; pages < mostPages; pages += 1) {
      // Older versions page by a count to skip, newer ones name the next page.
      const place = cursor === undefined ? { skip: listed } : { cursor }
      const read = await bookingsPage(eventTypeIds, { ...wanted, ...place })
      found.push(...bookingsIn(read.page))
      listed += read.page.length
      if (!read.more) return { found, complete: found.length === listed }
      cursor = read.cursor
    }
    return { found, complete: false }
  }

  async function eventType(id: number, how?: 'uncached'): Promise<CalcomEventType> {
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
  }

  return {
    read,
    bookingsPage,

    /** Without a version. */
    ask: request,

    /** The version under which Cal.com answered about bookings; undefined before it did. */
    apiVersion: () => answeredAs,

    send: (path: string, body?: object) =>
      ask('bookings', { method: 'POST', path, body }, bookingResponse),

    /** `series` if the id names several bookings; undefined if Cal.com knows none. */
    async booking(uid: string): Promise<CalcomBooking | 'series' | undefined> {
      const path = `/v2/bookings/${encodeURIComponent(uid)}`
      const { response, body } = await ask('bookings', { method: 'GET', path }, oneOrSeries)
      if (saysNone(response)) return undefined
      if (!body) throw new Problem(readRefusal(response, { right: 'BOOKING_READ' }, now()))
      if (body.data === 'series') return body.data
      if (body.data.uid !== uid) throw new Problem(misconfigured(ADVICE.form))
      return body.data
    },

    eventType,

    /**
     * Whether lists show every booking of an event type. Where hosts take turns, Cal.com lists to a member of
     * the team those of that member alone (`get.handler.ts` of its source, 004ed1bf), and shows those of the
     * team to its owners and administrators only (`teams-bookings.controller.ts`, 2df8c121).
     */
    async listsAll(id: number): Promise<boolean> {
      const { schedulingType, teamId } = await eventType(id)
      if (schedulingType !== 'roundrobin') return true
      if (!teamId) return false
      const path = `/v2/teams/${teamId}/bookings`
      const asked = { method: 'GET', path, query: { take: '1' } } as const
      return (await ask('lists', asked, pageResponse)).body !== undefined
    },

    async slots(asked: Record<string, string | undefined>, from: number, to: number) {
      const { data } = await read({
        group: 'slots',
        path: '/v2/slots',
        query: { ...asked, start: isoUtc(from), end: isoUtc(to), format: 'range' },
        right: 'SCHEDULE_READ',
        schema: slotsResponse,
        gone: ADVICE.eventTypeGone,
      })
      return Object.values(data)
        .flatMap(({ read }) => read)
        .filter(({ away }) => !away)
    },

    bookings,

    /** Those that begin within a day of a start. */
    bookingsNear: (eventTypeId: number, start: number) =>
      bookings(
        [eventTypeId],
        { from: start - MINUTE, until: start, status: EVERY_STATUS, take: PAGE_SIZE },
        PAGES_NEAR,
      ),
  }
}
