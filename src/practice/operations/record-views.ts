import * as z from 'zod'

import type { Mode } from '../../core/domain/mode.ts'
import { recordId, recordKey } from '../../core/domain/records.ts'
import type { RecordEntry } from '../../core/ports/records.ts'
import type { Ports } from '../../core/ports/services.ts'
import { eventTypeField } from './booking/event-type.ts'
import { bookingIdField, timeFields } from './booking/schema.ts'
import { notAsPreviewedText } from './booking/view.ts'
import { clientFields } from './create-client-profile.ts'
import { invoiceFields, linkIdField } from './create-payment-link.ts'
import type { Completed } from './operation.ts'
import { differsField, orNull, momentField, namedObject } from './schemas.ts'
import { intakeFields } from './submit-intake-answers.ts'

/** When a record was made here. */
export const madeAt = momentField.describe('When it was created here.')

/** A client as it is kept. */
export const clientViewSchema = namedObject(
  'KeptClient',
  'A client profile as it is kept, masked.',
  { ...clientFields, created_at: madeAt },
)

const { client_id, entity_type, display_name, contact_email, timezone, created_at } =
  clientViewSchema.shape

/** A client as it is kept, or known by nothing but its id. */
export const shownClientSchema = namedObject(
  'ShownClient',
  'A client profile as it is kept, masked. All fields but the id are null until the ' +
    'record of a new client has arrived.',
  {
    client_id,
    entity_type: orNull(entity_type),
    display_name: orNull(display_name),
    contact_email: orNull(contact_email),
    timezone: orNull(timezone),
    created_at: orNull(created_at),
  },
)

const { client_id: _client, ...intakeShown } = intakeFields

export const intakeViewSchema = namedObject(
  'KeptIntake',
  'One submission of intake answers, as it is kept.',
  { ...intakeShown, submitted_at: madeAt },
)

export const bookingViewSchema = namedObject(
  'MadeBooking',
  'A booking as it was when it was made here. Its state now: GET /v1/bookings/{booking_id}.',
  {
    booking_id: bookingIdField,
    ...timeFields,
    event_type: eventTypeField,
    created_at: madeAt,
    ended_here: z
      .boolean()
      .describe(
        'Whether it was cancelled or moved through this service. It may also have ended elsewhere.',
      ),
    differs_from_preview: differsField.optional(),
  },
)

const { reconciliation: _reconciliation, ...invoiceShown } = invoiceFields

export const linkViewSchema = namedObject(
  'MadePaymentLink',
  'A payment link as it was when it was made here. ' +
    'The status of its invoice now: GET /v1/payment-links/{payment_link_id}.',
  { payment_link_id: linkIdField, ...invoiceShown, created_at: madeAt },
)

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

export const clientView = (entry: Pick<RecordEntry, 'value'>) =>
  shown(clientViewSchema, 'created_at', entry)
export const intakeView = (entry: Pick<RecordEntry, 'value'>) =>
  shown(intakeViewSchema, 'submitted_at', entry)
export const linkView = (entry: Pick<RecordEntry, 'value'>) =>
  shown(linkViewSchema, 'created_at', entry)

/** A client in one line. */
export const clientLine = (client: z.infer<typeof shownClientSchema>) =>
  client.display_name === null
    ? `${client.client_id}: the profile is new and still on its way.`
    : `${client.client_id}: ${client.display_name}, ${client.entity_type}, ` +
      `${client.contact_email}, ${client.timezone}, created ${client.created_at}.`

/**
 * One submission of intake answers in one line. The client's words are in quotes, so that their end
 * is clear.
 */
export const intakeLine = ({
  intake_id,
  submitted_at,
  answers,
}: z.infer<typeof intakeViewSchema>) => {
  const { notes, ...chosen } = answers
  const given = Object.entries(chosen).map(([name, value]) => `${name}: ${String(value)}`)
  const words =
    notes === undefined ? '' : `; notes, in the client's words: ${JSON.stringify(notes)}`
  return `${submitted_at}: ${given.join(', ')}${words} (${intake_id})`
}

/** A booking that was made here, in one line. */
export function madeBookingLine(made: z.infer<typeof bookingViewSchema>): string {
  const ended = made.ended_here ? ', cancelled or moved since' : ''
  const differs = notAsPreviewedText(made.differs_from_preview)
  const time = `${made.local_time} (${made.start_time})`
  return `${made.booking_id}: ${made.event_type}, ${time}${ended}.${differs}`
}

/** A payment link that was made here, in one line. */
export const linkLine = (made: z.infer<typeof linkViewSchema>) =>
  `${made.payment_link_id}: ${made.amount_display} on invoice ` +
  `${made.invoice_number ?? made.invoice_id}, made ${made.created_at}.`

export const bookingView = (entry: RecordEntry) =>
  shown(bookingViewSchema, 'created_at', entry, { ended_here: entry.ended })

const MOST_IDS = 20

/** The ids of records kept here that begin so. */
export async function idsLike(
  kind: 'client' | 'payment_link',
  mode: Mode,
  beginning: string,
  { records }: Ports,
): Promise<Completed> {
  const keys = await records.keysWithPrefix(kind, mode, recordKey(kind, beginning), MOST_IDS + 1)
  return { values: keys.slice(0, MOST_IDS).map(recordId), more: keys.length > MOST_IDS }
}

/** The intake answers of a client. */
interface ShownIntake {
  /** In words: `2 submissions`, `none`. */
  count: string
  given: { at: string; answers: string[]; notes: string | undefined }[]
}

/** A client, with what belongs to it. */
export interface KeptClient {
  client_id: string
  /** Nothing of a client whose record is gone, or still on its way. */
  client: z.infer<typeof clientViewSchema> | undefined
  deleted: boolean
  intake: ShownIntake
}

/** All that is kept of a person. */
export interface FoundPerson {
  clients: KeptClient[]
  bookings: z.infer<typeof bookingViewSchema>[]
  /** The booking in place of one that was moved here, by the id of that one. */
  moves: Record<string, string>
  links: z.infer<typeof linkViewSchema>[]
  leftOff: number
}
