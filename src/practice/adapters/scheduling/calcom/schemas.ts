import * as z from 'zod'

import { built } from '../../../../core/domain/lazy.ts'
import { providerZoneSchema } from '../../../../core/domain/time/time.ts'
import { jsonIn } from '../../../../core/json.ts'
import {
  instant,
  isReadable,
  lenient,
  lenientList,
  lenientText,
  minutesLong,
  momentOrNull,
  numeral,
  word,
  wordOf,
} from '../../provider-schemas.ts'

// Lazy: many isolates never read an answer of Cal.com. Each schema is built at its first use.
export const uidSchema = z.lazy(() => z.string().regex(/^[A-Za-z0-9_-]{1,128}$/))
const idSchema = z.lazy(() => numeral().pipe(z.int().positive()))

/** The envelope of every response that is no error. */
export const success = <T extends z.ZodType>(data: T) =>
  z.object({ status: wordOf(['success']), data })

const textOrNone = () =>
  z
    .string()
    .nullish()
    .transform((text) => text ?? '')

const attendeeSchema = z.lazy(() =>
  z.object({
    name: textOrNone(),
    phoneNumber: lenientText,
    // A booking by a phone number alone may have none, or the number at sms.cal.com.
    email: textOrNone(),
    displayEmail: z.string().nullish(),
    // For display only: an unknown zone must not hide the booking.
    timeZone: providerZoneSchema.catch('UTC'),
    seatUid: z.string().nullish(),
    absent: lenient(z.boolean()),
  }),
)

const bookingSchema = z.lazy(() =>
  z
    .object({
      uid: uidSchema,
      status: word()
        .transform((status) => status.replace('canceled', 'cancelled'))
        .pipe(z.enum(['accepted', 'pending', 'awaiting_host', 'cancelled', 'rejected'])),
      start: instant,
      end: instant,
      eventType: z.object({ id: idSchema }).nullish(),
      eventTypeId: idSchema.nullish(),
      attendees: z
        .array(attendeeSchema.nullable())
        .transform((list) => list.filter((attendee) => attendee !== null)),
      // An entry of an unknown form must not hide the other people.
      guests: lenient(
        lenientList(
          z.union([z.string(), z.object({ email: z.string() }).transform(({ email }) => email)]),
        ),
      ),
      hosts: lenient(z.array(z.object({ id: idSchema }))),
      metadata: z.record(z.string(), z.unknown()).nullish(),
      bookingFieldsResponses: z.looseObject({ email: z.unknown().optional() }).nullish(),
      createdAt: momentOrNull,
      cancellationReason: z.string().nullish(),
      reschedulingReason: z.string().nullish(),
      rescheduledFromUid: uidSchema.nullish(),
      rescheduledToUid: uidSchema.nullish(),
      recurringBookingUid: z.string().nullish(),
      seatUid: z.string().nullish(),
    })
    .refine(({ start, end }) => start < end)
    .transform(({ eventType, eventTypeId, ...booking }) => {
      return { ...booking, eventTypeId: eventType?.id ?? eventTypeId }
    }),
)

/** One booking, with personal data: in memory only. */
export type CalcomBooking = z.infer<typeof bookingSchema>

export const bookingResponse = z.lazy(() => success(bookingSchema))

/** A booking id may also name a series of bookings. */
export const oneOrSeries = z.lazy(() =>
  success(z.union([bookingSchema, z.array(z.unknown()).transform(() => 'series' as const)])),
)

/**
 * A page of bookings as it came, and whether it says that the list goes on, in the words of either
 * version.
 */
export const pageResponse = z.lazy(() =>
  success(z.array(z.unknown())).extend({
    pagination: z
      .object({
        hasNextPage: lenient(z.boolean()),
        hasMore: lenient(z.boolean()),
        nextCursor: z.string().min(1).max(2000).nullish().catch(undefined),
      })
      .transform(({ hasNextPage, hasMore, nextCursor }) => {
        const isLast = nextCursor === null ? false : undefined
        const goesOn = typeof nextCursor === 'string' || (hasNextPage ?? hasMore ?? isLast)
        return { nextCursor, goesOn }
      })
      .nullish(),
  }),
)

/** The bookings of a page that have the known form. */
const bookingsSchema = z.lazy(() => lenientList(bookingSchema))
export const bookingsIn = (page: unknown[]): CalcomBooking[] => bookingsSchema.parse(page).read

/** Which bookings a page holds and when each begins. */
export const startsSchema = z.lazy(() => lenientList(z.object({ uid: uidSchema, start: instant })))

const slotSchema = z.lazy(() =>
  z.union([
    instant.transform((start) => ({ start, end: undefined, away: undefined })),
    z.object({
      start: instant,
      end: instant.optional().catch(undefined),
      away: z.unknown().optional(),
    }),
  ]),
)

/** Free times by day: objects with a start, or bare starts. `away`: the host is out of office then. */
export const slotsResponse = z.lazy(() =>
  success(
    z.union([
      z.record(z.string(), lenientList(slotSchema).catch({ read: [], unread: 1 })),
      z
        .array(z.unknown())
        .max(0)
        .transform(() => ({})),
    ]),
  ).refine(({ data }) => isReadable(Object.values(data))),
)

const locationSchema = z.lazy(() =>
  z.object({
    type: z.string(),
    integration: lenientText,
    address: lenientText,
    public: lenient(z.boolean()),
  }),
)
export type CalcomLocation = z.infer<typeof locationSchema>

const fieldSchema = z.lazy(() =>
  z.object({
    slug: z.string(),
    type: lenientText,
    label: lenientText,
    required: z.unknown().optional(),
    hidden: z.unknown().optional(),
    isDefault: z.unknown().optional(),
    options: lenient(z.array(z.string())),
  }),
)

/** A field as Cal.com keeps it. */
const keptFieldSchema = z.lazy(() =>
  built(fieldSchema)
    .omit({ slug: true, isDefault: true })
    .extend({
      name: z.string(),
      editable: z.string().catch(''),
      options: z
        .array(z.object({ value: z.string() }))
        .nullish()
        .catch(null),
    })
    .transform(({ name: slug, editable, options, ...field }) => {
      const values = options?.map(({ value }) => value)
      return { ...field, slug, isDefault: editable.startsWith('system'), options: values }
    }),
)
/**
 * One for which the API has no form, such as the number for reminders: the text of how it is kept
 * (`internal-to-api/booking-fields.ts` of its source, db3448fb).
 */
const unknownFieldSchema = z.lazy(() =>
  z
    .object({ type: z.literal('unknown'), bookingField: z.string() })
    .transform(({ bookingField }) => keptFieldSchema.safeParse(jsonIn(bookingField)).data ?? null),
)
const fieldsSchema = z.lazy(() =>
  z
    .array(z.union([unknownFieldSchema, fieldSchema]))
    .transform((fields) => fields.filter((field) => field !== null)),
)

/** The host accepts each booking, or those that begin soon. */
const confirmationSchema = z.lazy(() =>
  z.object({
    disabled: z.boolean().optional(),
    type: z.string().optional(),
    noticeThreshold: lenient(z.object({ count: z.number(), unit: z.string() })),
  }),
)

const closedSchema = z.lazy(() =>
  lenient(
    z.object({
      disabled: lenient(z.boolean()),
      minutesBefore: lenient(z.number().nonnegative()),
    }),
  ),
)
export type CalcomClosed = z.infer<typeof closedSchema>

// A setting that is off is null, { disabled: true }, or missing.
const recurrenceSchema = z.lazy(() => z.object({ disabled: z.boolean().optional() }).nullish())
const seatsSchema = z.lazy(() =>
  z.object({ disabled: z.boolean().optional(), seatsPerTimeSlot: z.number().nullish() }).nullish(),
)

/** What an app of an event type charges; other apps have no price. */
const chargeSchema = z.lazy(() =>
  z.object({
    enabled: z.unknown().optional(),
    price: numeral().nullish(),
    currency: lenientText,
  }),
)
const metadataSchema = z.lazy(() =>
  z.object({ apps: z.record(z.string(), chargeSchema.nullish()) }),
)

const eventTypeSchema = z.lazy(() =>
  z.object({
    id: idSchema,
    title: lenientText,
    lengthInMinutes: minutesLong(),
    lengthInMinutesOptions: lenient(z.array(z.number())),
    slotInterval: lenient(z.number()),
    minimumBookingNotice: lenient(z.number()),
    locations: z.array(locationSchema).nullish(),
    bookingFields: fieldsSchema.nullish(),
    recurrence: recurrenceSchema,
    price: numeral().nullish(),
    currency: lenientText,
    metadata: lenient(metadataSchema),
    seats: seatsSchema,
    seatsPerTimeSlot: z.number().nullish(),
    requiresBookerEmailVerification: z.boolean().nullish(),
    schedulingType: word()
      .transform((type) => type.replaceAll('_', ''))
      .nullish(),
    teamId: lenient(idSchema),
    // Of an unknown form, it may be one that asks.
    confirmationPolicy: confirmationSchema.nullish().catch({}),
    disableRescheduling: closedSchema,
    disableCancelling: closedSchema,
  }),
)

/** What an event type asks, as a list has it; null where that cannot be read. */
export function askingFields() {
  const { locations, bookingFields } = built(eventTypeSchema).shape
  return { locations: locations.catch(null), bookingFields: bookingFields.catch(null) }
}

/** An event type, as far as bookings depend on it. */
export type CalcomEventType = z.infer<typeof eventTypeSchema>

export const eventTypeResponse = z.lazy(() => success(eventTypeSchema))

const partSchema = z.lazy(() => z.union([z.string(), z.array(z.string())]).catch(''))
const errorSchema = z.lazy(() =>
  z.object({
    error: z
      .union([
        z.object({
          code: partSchema,
          message: partSchema,
          details: z.object({ message: partSchema }).catch({ message: '' }),
        }),
        z.string(),
      ])
      .catch(''),
    code: partSchema,
    message: partSchema,
    status: z.unknown().optional(),
    statusCode: z.unknown().optional(),
  }),
)

/** An error of Cal.com: compared with what is known, never passed on. */
export interface CalcomError {
  /** All of it that looks like a code, the most telling first, in lower case. */
  codes: string[]
  /** Its class, where it names one, in lower case. */
  classes: string[]
  words: string
  /** Whether it has an envelope that a proxy's answer lacks. */
  isEnveloped: boolean
}

const CODE = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/i

const codesIn = (texts: string[]) =>
  texts.filter((text) => CODE.test(text)).map((text) => text.toLowerCase())

/** What an error says. Its code can be in several places, or be all of its message. */
export function errorIn(body: unknown): CalcomError {
  const parsed = errorSchema.safeParse(body)
  if (!parsed.success) return { codes: [], classes: [], words: '', isEnveloped: false }
  const { error, code, message, status, statusCode } = parsed.data
  const inner =
    typeof error === 'string' ? { code: error, message: '', details: { message: '' } } : error
  const named = typeof error === 'string' ? [code] : [error.code, code]
  return {
    codes: codesIn([inner.code, code, inner.message, message].flat()),
    classes: codesIn(named.flat()),
    words: [inner.message, inner.details.message, message, typeof error === 'string' ? error : '']
      .flat()
      .filter((text) => text !== '')
      .join('\n'),
    isEnveloped: status === 'error' || typeof statusCode === 'number',
  }
}
