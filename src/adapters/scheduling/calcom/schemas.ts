import * as z from 'zod'
import { zoneSchema } from '../../../domain/time.ts'

const uidSchema = z.string().regex(/^[A-Za-z0-9_-]{1,128}$/)
const instant = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))
const idSchema = z.int().positive()

/** The envelope of every answer that is no error. */
const success = <T extends z.ZodType>(data: T) => z.object({ status: z.literal('success'), data })

const attendeeSchema = z.object({
  name: z.string(),
  // Empty where somebody booked with a phone number alone.
  email: z.string(),
  displayEmail: z.string().nullish(),
  // Only for showing; a zone unknown here must not hide the booking.
  timeZone: zoneSchema.catch('UTC'),
  seatUid: z.string().nullish(),
})

const bookingSchema = z.object({
  uid: uidSchema,
  status: z.enum(['accepted', 'pending', 'awaiting_host', 'cancelled', 'rejected']),
  start: instant,
  end: instant,
  eventType: z.object({ id: idSchema }).nullish(),
  eventTypeId: idSchema.nullish(),
  attendees: z.array(attendeeSchema),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  bookingFieldsResponses: z.object({ email: z.unknown().optional() }).nullish(),
  cancellationReason: z.string().nullish(),
  reschedulingReason: z.string().nullish(),
  rescheduledFromUid: uidSchema.nullish(),
  rescheduledToUid: uidSchema.nullish(),
  recurringBookingUid: z.string().nullish(),
  seatUid: z.string().nullish(),
})

/** One booking, with personal data: in memory only. */
export type CalcomBooking = z.infer<typeof bookingSchema>

export const bookingAnswer = success(bookingSchema)

/** What a booking id also may name: a series of bookings. */
export const seriesAnswer = success(z.array(z.unknown()))

/**
 * A page of bookings; which of them can be read is decided one by one. Versions before 2026-05-01 count pages, later
 * ones hand out a cursor.
 */
export const pageAnswer = success(z.array(z.unknown())).extend({
  pagination: z.object({
    hasNextPage: z.boolean().nullish(),
    hasMore: z.boolean().nullish(),
    nextCursor: z.string().min(1).max(2000).nullish(),
  }),
})

/** The bookings of a page that are in the known form. */
export const bookingsOf = (page: unknown[]): CalcomBooking[] =>
  page.flatMap((one) => {
    const booking = bookingSchema.safeParse(one)
    return booking.success ? [booking.data] : []
  })

/** Which bookings a page holds and when they begin, whatever else is told of them. */
export const placedAnswer = z.array(z.object({ uid: uidSchema, start: instant }))

const slotSchema = z.union([
  instant.transform((start) => ({ start, end: undefined })),
  z.object({ start: instant, end: instant.optional() }),
])

/** Free times by day: objects with a start and perhaps an end, or bare starts. */
export const slotsAnswer = success(z.record(z.string(), z.array(slotSchema)))

/** Where the attendee or the practice meet; only the kind matters. */
const locationSchema = z.object({ type: z.string() })

const fieldSchema = z.object({
  slug: z.string(),
  required: z.unknown().optional(),
  hidden: z.unknown().optional(),
  isDefault: z.unknown().optional(),
})

// A setting that is off comes as null, as { disabled: true }, or not at all.
const recurrenceSchema = z.object({ disabled: z.boolean().optional() }).nullish()
const seatsSchema = z
  .object({ disabled: z.boolean().optional(), seatsPerTimeSlot: z.number().nullish() })
  .nullish()

const eventTypeSchema = z.object({
  id: idSchema,
  lengthInMinutes: z
    .number()
    .positive()
    .max(24 * 60),
  locations: z.array(locationSchema).nullish(),
  bookingFields: z.array(fieldSchema).nullish(),
  recurrence: recurrenceSchema,
  price: z.number().nullish(),
  seats: seatsSchema,
  seatsPerTimeSlot: z.number().nullish(),
  requiresBookerEmailVerification: z.boolean().nullish(),
  schedulingType: z.string().nullish(),
})

/** An event type, as far as bookings depend on it. */
export type CalcomEventType = z.infer<typeof eventTypeSchema>

export const eventTypeAnswer = success(eventTypeSchema)

const text = z.string().catch('')
const errorSchema = z.object({
  error: z.union([z.object({ code: text, message: text }), z.string()]).catch(''),
  message: text,
})

/** What an error says, to be compared with what is known and never passed on: its class, and its words. */
export function saidIn(body: unknown): { code: string; words: string } {
  const parsed = errorSchema.safeParse(body)
  if (!parsed.success) return { code: '', words: '' }
  const { error, message } = parsed.data
  if (typeof error === 'string') return { code: '', words: message || error }
  return { code: error.code, words: error.message || message }
}
