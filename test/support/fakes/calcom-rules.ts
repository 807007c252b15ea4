import { calcomError, SAYS } from './calcom-bodies.ts'
import type { FakeAnswer } from './http.ts'

const KNOWN = {
  book: [
    'eventTypeId',
    'start',
    'attendee',
    'metadata',
    'guests',
    'location',
    'bookingFieldsResponses',
    'lengthInMinutes',
  ],
  cancel: ['cancellationReason', 'cancelSubsequentBookings'],
  decline: ['reason'],
  move: ['start', 'reschedulingReason', 'rescheduledBy'],
}

/** Why Cal.com's validation refuses this body, or undefined. */
export function refusedBody(action: keyof typeof KNOWN, body: unknown): FakeAnswer | undefined {
  const wrong = (field: string, why: string) =>
    calcomError(400, `${field} property is wrong,${why} `)
  if (typeof body !== 'object' || body === null) return wrong('body', 'body must be an object')
  const fields = body as Record<string, unknown>
  const unknown = Object.keys(fields).find((key) => !KNOWN[action].includes(key))
  if (unknown !== undefined) return wrong(unknown, `property ${unknown} should not exist`)
  if (
    action !== 'cancel' &&
    action !== 'decline' &&
    (typeof fields['start'] !== 'string' || !fields['start'].endsWith('Z'))
  )
    return wrong('start', 'start must be a valid ISO 8601 date string')
  if (action !== 'book') return undefined
  if (!Number.isInteger(fields['eventTypeId']))
    return wrong('eventTypeId', 'eventTypeId must be an integer number')
  const attendee = fields['attendee']
  if (typeof attendee !== 'object' || attendee === null)
    return wrong('attendee', 'attendee should not be null')
  for (const key of ['name', 'email', 'timeZone']) {
    const value = (attendee as Record<string, unknown>)[key]
    if (typeof value !== 'string' || value === '')
      return wrong('attendee', `${key} must be a string`)
  }
  return isMetadata(fields['metadata'] ?? {}) ? undefined : wrong('metadata', SAYS.metadata)
}

/** The slug of a custom question that has to be answered and is not. */
export function unansweredIn(
  { bookingFields }: { bookingFields: object[] },
  responses: Record<string, unknown>,
): string | undefined {
  const fields = bookingFields as { slug: string; isDefault: boolean; required: boolean }[]
  const missing = fields.find(
    ({ slug, isDefault, required }) => required && !isDefault && responses[slug] === undefined,
  )
  return missing?.slug
}

const PLACES: Record<string, string> = {
  address: 'inPerson',
  attendeePhone: 'phone',
  attendeeAddress: 'attendeeInPerson',
  attendeeDefined: 'somewhereElse',
  phone: 'userPhone',
}

/** Names of apps there (`internal-to-api/locations.ts` of its source, 302352db); others have `_` for `-`. */
const APPS: Record<string, string> = { 'cal-video': 'daily', 'google-meet': 'google:meet' }

/** A place as Cal.com keeps it among the answers of a booking. */
export function keptPlace(place: { type: string; [detail: string]: unknown }): object {
  const { type, integration, phone, address, location } = place
  const value =
    type === 'integration'
      ? `integrations:${APPS[String(integration)] ?? String(integration).replaceAll('-', '_')}`
      : (PLACES[type] ?? type)
  const words = type.startsWith('attendee') ? (phone ?? address ?? location ?? '') : ''
  return { value, optionValue: words }
}

function isMetadata(metadata: unknown): boolean {
  if (typeof metadata !== 'object' || metadata === null) return false
  const entries = Object.entries(metadata)
  return (
    entries.length <= 50 &&
    entries.every(
      ([key, value]) => key.length <= 40 && typeof value === 'string' && value.length <= 500,
    )
  )
}

const iso = (ms: number): string => new Date(ms).toISOString()

/** Open times by day, as Cal.com tells them. */
export function slotsBody(
  starts: number[],
  length: number,
  form: 'range' | 'starts' | 'strings',
): object {
  const days: Record<string, unknown[]> = {}
  for (const start of starts) {
    const slot =
      form === 'range' ? { start: iso(start), end: iso(start + length) } : { start: iso(start) }
    const day = iso(start).slice(0, 10)
    days[day] = [...(days[day] ?? []), form === 'strings' ? iso(start) : slot]
  }
  return days
}

/** One page of a list, and the position of the others. */
export function pageOf<T>(found: T[], query: URLSearchParams, mostOnPage: number) {
  const asked = Number(query.get('take') ?? 100)
  const size = Math.min(asked, mostOnPage)
  const from = Number(query.get('skip') ?? 0)
  const page = found.slice(from, from + size)
  const more = from + size < found.length
  const pagination = {
    totalItems: found.length,
    remainingItems: Math.max(0, found.length - from - size),
    returnedItems: page.length,
    itemsPerPage: size,
    currentPage: Math.floor(from / size) + 1,
    totalPages: Math.ceil(found.length / size),
    hasNextPage: more,
    hasPreviousPage: from > 0,
  }
  return { page, pagination }
}

const PAGE_MARK = 'page:'

/** A page in the newer form: only the cursor of the page before leads to the next, and a count to skip means nothing. */
export function cursorPageOf<T>(found: T[], query: URLSearchParams, mostOnPage: number) {
  const size = Math.min(Number(query.get('take') ?? 100), mostOnPage)
  const from = Number(query.get('cursor')?.slice(PAGE_MARK.length) ?? 0)
  const hasMore = from + size < found.length
  const nextCursor = hasMore ? `${PAGE_MARK}${from + size}` : null
  return { page: found.slice(from, from + size), pagination: { nextCursor, hasMore } }
}
