import * as z from 'zod'
import type { RecordEntry } from '../ports/records.ts'
import { bookingIdField } from './booking-schema.ts'
import { clientFields } from './create-client-profile.ts'
import { invoiceFields, linkIdField } from './create-payment-link.ts'
import { intakeFields } from './submit-intake-answers.ts'
import { eventTypeField, timeFields } from './time-fields.ts'

const madeAt = z.string().meta({ format: 'date-time', description: 'When it was made here.' })

/** A client as it is kept. */
export const clientViewSchema = z
  .strictObject({ ...clientFields, created_at: madeAt })
  .meta({ id: 'KeptClient', description: 'A client profile as it is kept, masked.' })

const orNull = <S extends z.ZodType>(schema: S) => z.union([schema, z.null()])
const { client_id, entity_type, display_name, contact_email, timezone, created_at } = clientViewSchema.shape

/** A client as it is kept, or known by nothing but its id. */
export const shownClientSchema = z
  .strictObject({
    client_id,
    entity_type: orNull(entity_type),
    display_name: orNull(display_name),
    contact_email: orNull(contact_email),
    timezone: orNull(timezone),
    created_at: orNull(created_at),
  })
  .meta({
    id: 'ShownClient',
    description:
      'A client profile as it is kept, masked; null all but the id while the record of a new client is still on its way.',
  })

const { client_id: _client, ...intakeShown } = intakeFields

export const intakeViewSchema = z
  .strictObject({ ...intakeShown, submitted_at: madeAt })
  .meta({ id: 'KeptIntake', description: 'One submission of intake answers, as it is kept.' })

export const bookingViewSchema = z
  .strictObject({
    booking_id: bookingIdField,
    ...timeFields,
    event_type: eventTypeField,
    made_at: madeAt,
    ended_here: z.boolean().meta({
      description: 'It was cancelled or moved through this service. It may have ended elsewhere, too.',
    }),
  })
  .meta({
    id: 'MadeBooking',
    description: 'A booking as it was when it was made here. Its state now: GET /v1/bookings/{booking_id}.',
  })

const { reconciliation: _reconciliation, ...invoiceShown } = invoiceFields

export const linkViewSchema = z
  .strictObject({ payment_link_id: linkIdField, ...invoiceShown, made_at: madeAt })
  .meta({
    id: 'MadePaymentLink',
    description:
      'A payment link as it was when it was made here. The status of its invoice now: GET /v1/payment-links/{payment_link_id}.',
  })

const recordSchema = z.looseObject({ recorded_at: z.string() })

/** A record in the form of a listing; `at` names its time field. */
function shown<S extends z.ZodObject>(
  schema: S,
  at: string,
  { value }: Pick<RecordEntry, 'value'>,
  more = {},
): z.infer<S> {
  const { recorded_at, ...record } = recordSchema.parse(JSON.parse(value))
  const known: Record<string, unknown> = { ...record, [at]: recorded_at, ...more }
  const fields = Object.keys(schema.shape).filter((name) => name in known)
  return schema.parse(Object.fromEntries(fields.map((name) => [name, known[name]])))
}

export const clientView = (entry: Pick<RecordEntry, 'value'>) => shown(clientViewSchema, 'created_at', entry)
export const intakeView = (entry: RecordEntry) => shown(intakeViewSchema, 'submitted_at', entry)
export const linkView = (entry: Pick<RecordEntry, 'value'>) => shown(linkViewSchema, 'made_at', entry)
/** A client in one line. */
export const clientLine = (client: z.infer<typeof shownClientSchema>): string =>
  client.display_name === null
    ? `${client.client_id}: the profile is new and still on its way.`
    : `${client.client_id}: ${client.display_name}, ${client.entity_type}, ${client.contact_email}, ${client.timezone}, created ${client.created_at}.`

/** One submission of intake answers in one line. The client's words are in quotes, so that their end is clear. */
export const intakeLine = ({
  intake_id,
  submitted_at,
  answers,
}: z.infer<typeof intakeViewSchema>): string => {
  const { notes, ...chosen } = answers
  const given = Object.entries(chosen).map(([name, value]) => `${name}: ${String(value)}`)
  const words = notes === undefined ? '' : `; notes, in the client's words: ${JSON.stringify(notes)}`
  return `${submitted_at}: ${given.join(', ')}${words} (${intake_id})`
}

/** A booking that was made here, in one line. */
export const madeBookingLine = (made: z.infer<typeof bookingViewSchema>): string =>
  `${made.booking_id}: ${made.event_type}, ${made.local_time} (${made.start_time})${made.ended_here ? ', cancelled or moved since' : ''}.`

/** A payment link that was made here, in one line. */
export const linkLine = (made: z.infer<typeof linkViewSchema>): string =>
  `${made.payment_link_id}: ${made.amount_display} on invoice ${made.invoice_number ?? made.invoice_id}, made ${made.made_at}.`

export const bookingView = (entry: RecordEntry) =>
  shown(bookingViewSchema, 'made_at', entry, { ended_here: entry.ended })
