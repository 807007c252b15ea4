import * as z from 'zod'

import { eventId } from '../../core/crypto/encoding.ts'
import { bookingStateSchema } from '../../core/domain/booking.ts'
import {
  type EventField,
  TOPIC_NAMES,
  type Topic,
  factOf,
  topicRow,
  topicsFor,
} from '../../core/domain/events/topics.ts'
import { modeSchema } from '../../core/domain/mode.ts'
import { capitalised } from '../../core/domain/name.ts'
import { underName } from '../../core/domain/origin.ts'
import { invoiceStatusSchema } from '../../core/domain/payment-link.ts'
import { invalidField } from '../../core/domain/problem/problem.ts'
import { requireScope } from '../../core/domain/scopes.ts'
import type { EventPage, LoggedEvent, OlderEvents } from '../../core/ports/events.ts'
import { eventTypeField } from './booking/event-type.ts'
import { bookingIdField, timeFields } from './booking/schema.ts'
import { type Context, unlessPaused } from './context.ts'
import { balanceFields, invoiceFields } from './create-payment-link.ts'
import { type Resource, practiceMode } from './operation.ts'
import {
  ON_PAGE,
  badCursor,
  issueCursor,
  limitField,
  notAsFirstPage,
  readCursor,
} from './pagination.ts'
import { differsField, namedObject, textOrNull, textField } from './schemas.ts'

const SAMPLES = 3

const FIELDS: Record<EventField, z.ZodType> = {
  booking_id: bookingIdField,
  previous_booking_id: bookingIdField,
  state: bookingStateSchema,
  event_type: eventTypeField,
  start_time: timeFields.start_time,
  end_time: timeFields.end_time,
  timezone: timeFields.timezone,
  client_id: z.string(),
  intake_id: z.string(),
  link_id: z.string(),
  payment_link_id: z.string(),
  invoice_id: z.string(),
  invoice_status: invoiceStatusSchema,
  amount: invoiceFields.amount,
  ...balanceFields,
  currency: z.string(),
  no_show: z.boolean(),
  operation_id: z.string(),
  operation: z.string(),
  code: textField('The code by which a person recognises the change.'),
  decision: z.enum(['approved', 'declined']),
  source: z.enum(['connector', 'provider']).meta({
    id: 'EventSource',
    description: "connector: through this service; provider: on the provider's own pages.",
  }),
  differs_from_preview: differsField,
  found_after_restore: z.literal(true).meta({
    id: 'FoundAfterRestore',
    description:
      'The service was restored from a backup, and its first look at the provider found ' +
      'this. It may have happened through this service, after the backup.',
  }),
}

const schemaName = (topic: Topic) =>
  `${topic
    .split(/[._]/)
    .map((word) => capitalised(word))
    .join('')}Event`

const idField = z.string().meta({
  id: 'EventId',
  description:
    'The id of the event: it is the same each time that the event is read. ' +
    'The id of a mock event contains mock.',
})
const timestampField = z.string().meta({
  id: 'EventTime',
  format: 'date-time',
  description: "When it happened, or was noticed on the provider's pages; UTC.",
})

const dataSchemas = new Map<string, z.ZodType>()

/** Topics with the same fields share one schema, under a name in the documents. */
function dataSchemaOf(topic: Topic): z.ZodType {
  const shape = shapeOf(topic)
  const known = dataSchemas.get(shape)
  if (known) return known
  const { fields, optional = [], path } = topicRow(topic)
  const url = z
    .string()
    .meta({ format: 'uri', description: 'The URL at which the whole object can be read, masked.' })
  const schema = z.strictObject({
    ...Object.fromEntries(
      [...new Set([...fields, ...optional])].map((field) => [
        field,
        optional.includes(field) ? FIELDS[field].optional() : FIELDS[field],
      ]),
    ),
    ...(path === null ? {} : { url }),
  })
  const isShared = TOPIC_NAMES.filter((one) => shapeOf(one) === shape).length > 1
  const made = isShared ? schema.meta({ id: `${schemaName(topic)}Data` }) : schema
  dataSchemas.set(shape, made)
  return made
}

const shapeOf = (topic: Topic) => {
  const { fields, optional = [], path } = topicRow(topic)
  return `${fields.join()} ${optional.join()} ${path}`
}

function schemaOf(topic: Topic) {
  const { description } = topicRow(topic)
  return namedObject(schemaName(topic), description, {
    id: idField,
    type: z.literal(topic),
    timestamp: timestampField,
    mode: modeSchema,
    data: dataSchemaOf(topic),
  })
}

type EventSchema = ReturnType<typeof schemaOf>
const schemas = new Map<Topic, EventSchema>()

/** The schema of the events of a topic, built when it is first asked for. */
export function eventSchemaOf(topic: Topic): EventSchema {
  const schema = schemas.get(topic) ?? schemaOf(topic)
  schemas.set(topic, schema)
  return schema
}

const eventSchema = z.lazy(() =>
  z
    .discriminatedUnion('type', TOPIC_NAMES.map(eventSchemaOf) as [EventSchema, ...EventSchema[]])
    .meta({ id: 'Event', description: 'An event, identified by its type.' }),
)

/** A topic, as it is named in requests and answers. */
export const topicSchema = z
  .enum(TOPIC_NAMES)
  .meta({ id: 'Topic', description: 'What an event is about, and what happened to it.' })

const typeField = topicSchema
  .optional()
  .describe(
    'Returns events of this topic only; by default events of all topics that the caller may read.',
  )

/** What `GET /v1/events` takes. */
export const eventListInput = z.lazy(() =>
  z.strictObject({
    type: typeField,
    limit: limitField,
    order: z
      .enum(['oldest', 'newest'])
      .optional()
      .describe(
        'oldest, the default: the newest event is last, and next_cursor leads to the events ' +
          'that follow. newest: the newest event is first, and next_cursor leads to older ones, ' +
          'for automations that read the first page again and again.',
      ),
    cursor: z
      .string()
      .max(4000)
      .optional()
      .describe(
        'The next_cursor of an earlier answer: returns the events since then, oldest ' +
          'first, or older ones with order=newest. Without a cursor the newest events are ' +
          'returned. A cursor does not expire. It carries type and order; ' +
          'if you also send one of them, it must be the same.',
      ),
  }),
)

/** What `GET /v1/events` answers. */
export const eventListSchema = z.lazy(() =>
  namedObject('Events', 'The events, newest last, or first with order=newest.', {
    operation: z.literal('list_events'),
    mode: modeSchema,
    events: z
      .array(eventSchema)
      .describe('The events, newest last, or newest first with order=newest.'),
    next_cursor: textOrNull.describe(
      'The cursor for the events that follow: use it now or later. With order=newest, the ' +
        'cursor for older events, and null after the oldest.',
    ),
    truncated: z
      .boolean()
      .describe(
        'true: some events after the cursor are more than 30 days old and no longer kept. ' +
          'This answer begins with the oldest event that is kept.',
      ),
  }),
)

export const EVENT_RESOURCES: readonly Resource[] = [
  {
    address: 'consult://events',
    name: 'events',
    title: 'What happened',
    description:
      'What was booked, moved, cancelled or paid, here and on the pages of the providers: ' +
      'the newest events, the newest last. What follows later is consult://events?cursor=, ' +
      'followed by the next_cursor.',
    request: () => ({ fields: {} }),
  },
  {
    address: 'consult://events{?cursor}',
    name: 'later_events',
    title: 'What happened since',
    description: 'The events since an earlier answer, by its next_cursor.',
    request: (cursor) => ({ fields: { cursor } }),
  },
]

/** What `GET /v1/events/samples` takes. */
export const eventSamplesInput = z.lazy(() => z.strictObject({ type: typeField }))

/** What `GET /v1/events/samples` answers: a bare list, since tools for automation want one. */
export const eventSamplesSchema = z.lazy(() => z.array(eventSchema).meta({ id: 'EventSamples' }))

const placeSchema = z.lazy(() =>
  z.object({ after: z.int().min(0), type: z.enum(TOPIC_NAMES).optional() }),
)

/** Where a page begins that goes on towards older events. */
const olderSchema = z.lazy(() =>
  z.object({ before: z.int().min(1), type: z.enum(TOPIC_NAMES).optional() }),
)

/** Raises `insufficient_scope` for a topic that the caller may not read. */
function topicsAsked(type: Topic | undefined, { scopes }: Context): Topic[] {
  if (type === undefined) return topicsFor(scopes)
  requireScope(scopes, topicRow(type).scope)
  return [type]
}

/** An event as it is listed and sent; undefined, with a line in the log, if a later version wrote it. */
export function shownEvent(
  event: LoggedEvent,
  origin: string,
): z.infer<typeof eventSchema> | undefined {
  try {
    return parsedEvent(event, origin)
  } catch {
    console.error(JSON.stringify({ event: 'event_not_readable', event_id: event.id }))
    return undefined
  }
}

const shownEvents = (
  events: readonly LoggedEvent[],
  origin: string,
): z.infer<typeof eventSchema>[] => events.flatMap((event) => shownEvent(event, origin) ?? [])

function parsedEvent(event: LoggedEvent, origin: string): z.infer<typeof eventSchema> {
  const { id, type, timestamp, mode } = event
  const { fields, optional = [], path } = topicRow(type)
  // A later version may have added a field before a rollback. The rest is still an event.
  const known = Object.entries(event.data).filter(([field]) =>
    [...fields, ...optional].some((one) => one === field),
  )
  const data = {
    ...Object.fromEntries(known),
    ...(path !== null && { url: urlOf(event, path, origin) }),
  }
  return eventSchema.parse({ id, type, timestamp, mode, data })
}

function urlOf({ data }: LoggedEvent, path: string, origin: string) {
  const id = encodeURIComponent(String(data[fieldOf(path)] ?? ''))
  // Outside of /v1 it is a page for a person with a passkey.
  const place = path.startsWith('/v1/') ? origin : underName(origin)
  return `${place}${path.replace(VARIABLE, id)}`
}

const VARIABLE = /\{(\w+)\}/
const fieldOf = (path: string): EventField => VARIABLE.exec(path)![1] as EventField

/** The place in the log of a next_cursor. Raises `validation_failed`, about the field at `pointer`. */
export async function eventPlaceOf(
  cursor: string,
  { services }: Context,
  pointer: string,
): Promise<number> {
  const read = readCursor(await services.keyring(), 'events', cursor, placeSchema)
  const { after } = await read.catch(() => {
    throw invalidField(pointer, 'Expected a next_cursor of GET /v1/events.')
  })
  return after
}

/**
 * The events since a cursor, or the newest; with `order: 'newest'` towards older ones. Raises
 * `validation_failed`, `insufficient_scope` or `paused`.
 */
export async function listEvents(
  asked: z.infer<typeof eventListInput>,
  context: Context,
): Promise<z.infer<typeof eventListSchema>> {
  const { services, origin } = context
  const keyring = await services.keyring()
  const carried =
    asked.cursor === undefined
      ? undefined
      : await readCursor(keyring, 'events', asked.cursor, z.union([placeSchema, olderSchema]))
  const isOlder = carried ? 'before' in carried : asked.order === 'newest'
  if (carried && asked.type !== undefined && asked.type !== carried.type)
    throw notAsFirstPage('type')
  if (carried && asked.order !== undefined && (asked.order === 'newest') !== isOlder)
    throw notAsFirstPage('order')
  const type = carried ? carried.type : asked.type
  const query = { types: topicsAsked(type, context), limit: asked.limit ?? ON_PAGE }
  const page = await unlessPaused(context, async () =>
    isOlder
      ? olderPage(await services.events.newestFirst({ ...query, ...carried }))
      : laterPage(await services.events.page({ ...query, ...carried })),
  )
  const { place, truncated } = page
  return {
    operation: 'list_events',
    mode: practiceMode(services.modes),
    events: shownEvents(page.events, origin),
    next_cursor: place && (await issueCursor(keyring, 'events', { ...place, type })),
    truncated,
  }
}

function laterPage(page: EventPage | 'unknown place') {
  if (page === 'unknown place') throw badCursor()
  const { events, next, truncated } = page
  return { events, place: { after: next }, truncated }
}

const olderPage = ({ events, next }: OlderEvents) => {
  return { events, place: next === null ? null : { before: next }, truncated: false }
}

/** The newest events, or examples if there are none. Raises `insufficient_scope` or `paused`. */
export async function eventSamples(
  { type }: z.infer<typeof eventSamplesInput>,
  context: Context,
): Promise<z.infer<typeof eventSamplesSchema>> {
  const { services, origin } = context
  const types = topicsAsked(type, context)
  const page = await unlessPaused(context, () => services.events.page({ types, limit: SAMPLES }))
  const events = page === 'unknown place' ? [] : shownEvents(page.events, origin)
  return events.length > 0 ? events : shownEvents(await fixed(types), origin)
}

const SAMPLE_TIME = '2026-11-23T14:03:10Z'

const sampleOf = (type: Topic) => {
  return { type, timestamp: SAMPLE_TIME, mode: 'mock' as const, data: topicRow(type).sample }
}

const fixed = (types: readonly Topic[]): Promise<LoggedEvent[]> =>
  Promise.all(
    types
      .map(sampleOf)
      .map(async (event) => ({ id: await eventId(factOf(event), 'mock'), ...event })),
  )

/** An event of a topic for the documents; never real. */
export const exampleEvent = (type: Topic): object =>
  parsedEvent(
    { id: 'evt_mock_5kQ0aB1cD2eF3gH4iJ5kL6', ...sampleOf(type) },
    'https://connector.example.com',
  )
