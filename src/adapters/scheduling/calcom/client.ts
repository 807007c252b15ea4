import type * as z from 'zod'
import { Problem, problem } from '../../../domain/problem.ts'
import { isoUtc } from '../../../domain/time.ts'
import { type Heard, providerHttp } from '../../provider-http.ts'
import { ADVICE, type VersionSetting } from './messages.ts'
import {
  bookingAnswer,
  bookingsOf,
  type CalcomBooking,
  type CalcomEventType,
  eventTypeAnswer,
  pageAnswer,
  saidIn,
  seriesAnswer,
  slotsAnswer,
} from './schemas.ts'
import { believed, failedRead, type Reading } from './read-errors.ts'
import { NO_BOOKING } from './errors.ts'

/** The value of `cal-api-version` for each group of endpoints. */
export interface CalcomVersions {
  bookings: string
  slots: string
  eventTypes: string
}

export const DEFAULT_VERSIONS: CalcomVersions = {
  bookings: '2024-08-13',
  slots: '2024-09-04',
  eventTypes: '2024-06-14',
}

export interface CalcomConnection {
  token: string
  baseUrl?: string | undefined
  timeoutMs: number
  fetch: typeof fetch
  now(): number
  versions?: { [Group in keyof CalcomVersions]?: string | undefined } | undefined
}

interface Question<T extends z.ZodType> extends Omit<Reading, 'version'> {
  group: keyof CalcomVersions
  path: string
  query?: Record<string, string | undefined>
  answer: T
}

/** From this version on, bookings are listed by cursor, and of every status. */
const BY_CURSOR = '2026-05-01'
const EVERY_STATUS = 'upcoming,recurring,past,cancelled,unconfirmed'
const PAGE = 100
const MOST_PAGES = 5
const DAY = 86_400_000
const MINUTE = 60_000

const SETTINGS: Record<keyof CalcomVersions, VersionSetting> = {
  bookings: 'CALCOM_BOOKINGS_VERSION',
  slots: 'CALCOM_SLOTS_VERSION',
  eventTypes: 'CALCOM_EVENT_TYPES_VERSION',
}

/** Whether a list goes on after a page, and where; a page that does not say so goes on if it is full. */
const whatFollows = (
  page: unknown[],
  asked: number,
  { hasNextPage, hasMore, nextCursor }: z.output<typeof pageAnswer>['pagination'],
) => ({ next: nextCursor ?? undefined, more: hasMore ?? hasNextPage ?? page.length >= asked })

export type CalcomClient = ReturnType<typeof calcomClient>

/** The endpoints of Cal.com that are used. Reads throw a `Problem`; a mutation gives what was heard. */
export function calcomClient({ token, baseUrl, timeoutMs, fetch, now, versions = {} }: CalcomConnection) {
  const ask = providerHttp({
    baseUrl: (baseUrl ?? 'https://api.cal.com').replace(/\/+$/, ''),
    headers: { Authorization: `Bearer ${token}` },
    timeoutMs,
    fetch,
  })
  const versionOf = (group: keyof CalcomVersions) => versions[group] ?? DEFAULT_VERSIONS[group]
  const headersFor = (group: keyof CalcomVersions) => ({ 'cal-api-version': versionOf(group) })

  async function read<T extends z.ZodType>(question: Question<T>): Promise<z.output<T>> {
    const { group, path, query = {}, answer } = question
    const heard = await ask({ method: 'GET', path, query, headers: headersFor(group) })
    const told = believed(heard, answer)
    if (told === undefined)
      throw new Problem(failedRead(heard, { ...question, version: SETTINGS[group] }, now()))
    return told
  }

  return {
    /** Sends a mutation of bookings, once. */
    send: (path: string, body: object): Promise<Heard> =>
      ask({ method: 'POST', path, body, headers: headersFor('bookings') }),

    /** The booking, `series` where the id names several, or undefined where Cal.com knows none. */
    async booking(uid: string): Promise<CalcomBooking | 'series' | undefined> {
      const path = `/v2/bookings/${encodeURIComponent(uid)}`
      const heard = await ask({ method: 'GET', path, headers: headersFor('bookings') })
      const found = believed(heard, bookingAnswer)
      if (found) return found.data
      if (believed(heard, seriesAnswer)) return 'series'
      if (heard.status === 404 && NO_BOOKING.test(saidIn(heard.body).words)) return undefined
      const reading = { version: SETTINGS.bookings, right: 'BOOKING_READ' } as const
      throw new Problem(failedRead(heard, reading, now()))
    },

    async eventType(id: number): Promise<CalcomEventType> {
      const { data } = await read({
        group: 'eventTypes',
        path: `/v2/event-types/${id}`,
        right: 'EVENT_TYPE_READ',
        answer: eventTypeAnswer,
        gone: ADVICE.eventTypeGone,
      })
      return data
    },

    async slots(eventTypeId: number, from: number, to: number) {
      const { data } = await read({
        group: 'slots',
        path: '/v2/slots',
        query: { eventTypeId: String(eventTypeId), start: isoUtc(from), end: isoUtc(to), format: 'range' },
        right: 'SCHEDULE_READ',
        answer: slotsAnswer,
        gone: ADVICE.eventTypeGone,
      })
      return Object.values(data).flat()
    },

    /** One page of bookings of these event types that begin at or after a moment, as they came. */
    async bookingsPage(
      eventTypeIds: readonly number[],
      { after, until, statuses, most }: { after: number; until: number; statuses: string; most: number },
      cursor: string | undefined,
    ): Promise<{ found: unknown[]; next: string | undefined; more: boolean }> {
      const byCursor = versionOf('bookings') >= BY_CURSOR
      const { data, pagination } = await read({
        group: 'bookings',
        path: '/v2/bookings',
        query: {
          eventTypeIds: eventTypeIds.join(','),
          afterStart: isoUtc(after),
          // Wide: what begins before the end of the window may end a while after it.
          beforeEnd: isoUtc(until + DAY),
          ...(byCursor
            ? { limit: String(most), cursor }
            : { status: statuses, sortStart: 'asc', take: String(most) }),
        },
        right: 'BOOKING_READ',
        answer: pageAnswer,
      })
      const { next, more } = whatFollows(data, most, pagination)
      // A list that goes on, and does not say where, would end here as if it were whole.
      if (more && byCursor && next === undefined)
        throw problem('provider_misconfigured', { detail: ADVICE.form })
      return { found: data, next, more }
    },
    /** Whether lists go on by a cursor of Cal.com's own. */
    listsByCursor: versionOf('bookings') >= BY_CURSOR,

    /**
     * The bookings of an event type, of every status, that begin within a day of a start; `whole` is false where
     * there were more than can be read, or some in a form that is not known.
     */
    async bookingsNear(
      eventTypeId: number,
      start: number,
    ): Promise<{ found: CalcomBooking[]; whole: boolean }> {
      const found: CalcomBooking[] = []
      let seen = 0
      const byCursor = versionOf('bookings') >= BY_CURSOR
      let cursor: string | undefined
      for (let page = 0; page < MOST_PAGES; page += 1) {
        const { data, pagination } = await read({
          group: 'bookings',
          path: '/v2/bookings',
          query: {
            eventTypeId: String(eventTypeId),
            afterStart: isoUtc(start - MINUTE),
            // Wide: a booking may have become longer than the slot that was asked for.
            beforeEnd: isoUtc(start + DAY),
            ...(byCursor
              ? { limit: String(PAGE), cursor }
              : { status: EVERY_STATUS, take: String(PAGE), skip: String(seen) }),
          },
          right: 'BOOKING_READ',
          answer: pageAnswer,
        })
        found.push(...bookingsOf(data))
        seen += data.length
        const { next, more } = whatFollows(data, PAGE, pagination)
        if (!more) return { found, whole: found.length === seen }
        if (byCursor && next === undefined) break
        cursor = next
      }
      return { found, whole: false }
    },
  }
}
