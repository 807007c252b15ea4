import type { Mode } from '../mode.ts'
import { kindOf, recordId } from '../records.ts'
import type { Scope } from '../scopes.ts'
import { isoSeconds } from '../time/time.ts'

const BOOKING_TIMES = ['event_type', 'start_time', 'end_time', 'timezone'] as const
const BOOKING = {
  booking_id: 'bk_mock_4f1c2a9b7d3e8f60',
  state: 'confirmed',
  event_type: 'consult',
  start_time: '2026-11-24T10:00:00-05:00',
  end_time: '2026-11-24T10:30:00-05:00',
  timezone: 'America/New_York',
  source: 'connector',
} as const
const LINK = {
  payment_link_id: 'pl_in_mock_open',
  invoice_id: 'in_mock_open',
  currency: 'usd',
} as const
const UNPAID = { ...LINK, amount_remaining: 25000, amount_paid: 0 } as const
const AMOUNTS_LEFT = ['amount_remaining', 'amount_paid'] as const
const FOUND = ['found_after_restore'] as const
const MADE = [...FOUND, 'differs_from_preview'] as const
const LINK_TEXTS = ['payment_link_id', 'invoice_id', 'invoice_status', 'currency'] as const
const APPROVAL_FIELDS = ['operation_id', 'operation', 'code'] as const
const APPROVAL = { operation_id: '4f1c'.repeat(16), operation: 'create_payment_link', code: '7K3Q' }
const MADE_BY_LINK = ['client_id', 'intake_id', 'booking_id'] as const
const INTAKE_ID = 'intake_Zk3vQ0p9sT1uW2xY4aB6cD'
const CLIENT_ID = 'cl_mock_Zk3vQ0p9sT1uW2xY4aB6cD5e6f7a8b9kLmNoPqRsTuVwXyZ012345'

type TextField =
  | 'previous_booking_id'
  | 'state'
  | 'link_id'
  | (
      | typeof BOOKING_TIMES
      | typeof LINK_TEXTS
      | typeof APPROVAL_FIELDS
      | typeof MADE_BY_LINK
    )[number]

/** What an event can say: ids, states, amounts and times. No other field of a record ever comes into one. */
export interface EventData extends Partial<Record<TextField, string>> {
  /** What a link was made for, in minor units. */
  amount?: number
  amount_remaining?: number
  amount_paid?: number
  no_show?: boolean
  /** Where it was done: through this service, or on the provider's own pages. */
  source?: 'connector' | 'provider'
  decision?: 'approved' | 'declined'
  /** The fields that are not as the preview showed them. */
  differs_from_preview?: readonly string[]
  /** The first look at a provider after a restore found it; it may have been made through this service. */
  found_after_restore?: true
  /** How many payments of its invoice had failed before a link was made; kept, and shown to no one. */
  failures_before?: number
}
export type EventField = Exclude<keyof EventData, 'failures_before'>

interface TopicRow {
  description: string
  /** A caller who may read what an event is about may read the event. */
  scope: Scope
  /** The first one is the id of what the event is about. */
  fields: readonly [EventField, ...EventField[]]
  /** Which of them can be missing, and others that only some events have. */
  optional?: readonly EventField[]
  /** Where you can read what the event is about; null where it is deleted. */
  path: `/${string}` | null
  /** Made-up data, for the documents and for a first test of an automation. */
  sample: EventData
}

const OF_BOOKING = {
  scope: 'bookings:read',
  path: '/v1/bookings/{booking_id}',
  optional: FOUND,
} as const
const OF_CLIENT = { scope: 'clients:read', path: '/v1/clients/{client_id}' } as const
const OF_PAYMENT_LINK = {
  scope: 'payments:read',
  path: '/v1/payment-links/{payment_link_id}',
} as const
const INVOICE_FIELDS = [...LINK_TEXTS, ...AMOUNTS_LEFT] as const
const OF_INVOICE = { ...OF_PAYMENT_LINK, fields: INVOICE_FIELDS, optional: FOUND } as const
const OF_APPROVAL = { scope: 'admin', path: '/approve/{operation_id}' } as const

/** Every kind of event, for the answers, the OpenAPI document and the permission to read them. */
export const TOPICS = {
  'booking.created': {
    ...OF_BOOKING,
    description: 'A consult was booked.',
    fields: ['booking_id', 'state', ...BOOKING_TIMES, 'source'],
    optional: MADE,
    sample: BOOKING,
  },
  'booking.confirmed': {
    ...OF_BOOKING,
    description:
      'The practice accepted a consult that waited for it, or one that had been cancelled or declined.',
    fields: ['booking_id', 'state', ...BOOKING_TIMES, 'source'],
    sample: { ...BOOKING, source: 'provider' },
  },
  'booking.rescheduled': {
    ...OF_BOOKING,
    description:
      'A consult was moved and has a new booking_id. This event is also sent if a move ' +
      'failed and the old time was booked again.',
    fields: ['booking_id', 'previous_booking_id', 'state', ...BOOKING_TIMES, 'source'],
    optional: MADE,
    sample: {
      ...BOOKING,
      booking_id: 'bk_mock_9a0b1c2d3e4f5061',
      previous_booking_id: BOOKING.booking_id,
      start_time: '2026-11-25T14:00:00-05:00',
      end_time: '2026-11-25T14:30:00-05:00',
    },
  },
  'booking.cancelled': {
    ...OF_BOOKING,
    description: 'A consult was cancelled or declined, and not moved.',
    fields: ['booking_id', 'state', 'source'],
    sample: { booking_id: BOOKING.booking_id, state: 'cancelled', source: 'connector' },
  },
  'booking.no_show': {
    ...OF_BOOKING,
    description: 'The practice marked a consult as a no-show, or removed the mark.',
    fields: ['booking_id', 'no_show', 'source'],
    sample: { booking_id: BOOKING.booking_id, no_show: true, source: 'provider' },
  },
  'client.created': {
    ...OF_CLIENT,
    description: 'A client profile was created.',
    fields: ['client_id'],
    sample: { client_id: CLIENT_ID },
  },
  'client.deleted': {
    ...OF_CLIENT,
    description: 'The owner deleted the data of a client.',
    fields: ['client_id'],
    path: null,
    sample: { client_id: CLIENT_ID },
  },
  'intake.submitted': {
    ...OF_CLIENT,
    description: 'Intake answers of a client were submitted.',
    fields: ['intake_id', 'client_id'],
    sample: { intake_id: INTAKE_ID, client_id: CLIENT_ID },
  },
  'client_link.completed': {
    description: 'A client completed a link, and the changes that it asked for are made.',
    scope: 'client_links:write',
    fields: ['link_id', ...MADE_BY_LINK],
    optional: [...MADE_BY_LINK, ...FOUND],
    path: '/v1/client-links/{link_id}',
    sample: {
      link_id: 'cil_mock_Zk3vQ0p9sT1uW2xY4aB6cD5e6f7a8b',
      client_id: CLIENT_ID,
      intake_id: INTAKE_ID,
      booking_id: BOOKING.booking_id,
    },
  },
  'payment_link.created': {
    ...OF_PAYMENT_LINK,
    description: 'A payment link was created.',
    fields: ['payment_link_id', 'invoice_id', 'amount', 'currency'],
    sample: { ...LINK, amount: 25000 },
  },
  'payment_link.submitted': {
    ...OF_INVOICE,
    description:
      'A person completed the page of a payment link, or a payment of its invoice, such as a ' +
      'debit that the provider began, is under way. ' +
      'A bank debit can still fail, and the invoice may not be settled by it.',
    sample: { ...UNPAID, invoice_status: 'open' },
  },
  'payment_link.paid': {
    ...OF_INVOICE,
    description: 'The invoice of a payment link was paid.',
    sample: { ...LINK, invoice_status: 'paid', amount_remaining: 0, amount_paid: 25000 },
  },
  'payment_link.payment_failed': {
    ...OF_INVOICE,
    description: 'A payment of the invoice of a payment link failed.',
    sample: { ...UNPAID, invoice_status: 'open' },
  },
  'payment_link.closed': {
    ...OF_INVOICE,
    description: 'A payment link was switched off, or its invoice was voided or written off.',
    sample: { ...UNPAID, invoice_status: 'void' },
  },
  'approval.requested': {
    ...OF_APPROVAL,
    description: 'A change waits for a person, who approves or declines it on the page at url.',
    fields: APPROVAL_FIELDS,
    sample: APPROVAL,
  },
  'approval.decided': {
    ...OF_APPROVAL,
    description:
      'A person approved a change, or declined it. It is made once its caller commits it.',
    fields: [...APPROVAL_FIELDS, 'decision'],
    sample: { ...APPROVAL, decision: 'approved' },
  },
} as const satisfies Record<string, TopicRow>

export type Topic = keyof typeof TOPICS
export const TOPIC_NAMES = Object.keys(TOPICS) as [Topic, ...Topic[]]

export const topicRow = (topic: Topic): TopicRow => TOPICS[topic]

export const topicsFor = (scopes: readonly Scope[]): Topic[] =>
  TOPIC_NAMES.filter((topic) => scopes.includes(TOPICS[topic].scope))

/** Something that happened, before the event log has given it an id and a place. */
export interface HappenedEvent {
  type: Topic
  /** RFC 3339, UTC. */
  timestamp: string
  mode: Mode
  data: EventData
  /** Tells apart events that can happen to the same thing again, such as a mark that is set and taken off. */
  repeat?: number | string
}

/** The text whose hash is the id of an event: what happened to what. A repeated fact is one event. */
export const factOf = ({ type, data, repeat }: HappenedEvent) =>
  `${type}|${String(data[topicRow(type).fields[0]])}${repeat === undefined ? '' : `|${repeat}`}`

/** The event of the deletion of a client, at a moment in epoch milliseconds. */
export const clientDeleted = (client_id: string, mode: Mode, at: number): HappenedEvent => ({
  type: 'client.deleted',
  timestamp: isoSeconds(at),
  mode,
  data: { client_id },
})

type AwaitedChange = Record<(typeof APPROVAL_FIELDS)[number], string> & { since: number }

/** The event of a preview that waits for a person, or of the person's decision; `at` in epoch ms. */
export const approvalEvent = (
  { operation_id, operation, code, since }: AwaitedChange,
  mode: Mode,
  at: number,
  decision?: 'approved' | 'declined',
): HappenedEvent => ({
  type: decision === undefined ? 'approval.requested' : 'approval.decided',
  timestamp: isoSeconds(at),
  mode,
  data: { operation_id, operation, code, ...(decision && { decision }) },
  // There can be a later preview under the same key, and a decline after an approval.
  repeat: decision === undefined ? since : `${since}|${decision}`,
})

/** The event that a new record publishes; undefined where another record does, or the record has no time. */
export function eventOf(
  key: string,
  mode: Mode,
  record: Readonly<Record<string, unknown>>,
): HappenedEvent | undefined {
  const type = topicOf(key, record)
  const at = record['recorded_at']
  if (type === undefined || typeof at !== 'string') return undefined
  const [idField, ...others] = topicRow(type).fields
  const data: Record<string, unknown> = { [idField]: recordId(key) }
  for (const field of others) {
    if (field === 'source') data[field] = 'connector'
    else if (typeof record[field] === (NUMBERS.has(field) ? 'number' : 'string'))
      data[field] = record[field]
  }
  if (record['found_after_restore'] === true) data['found_after_restore'] = true
  const differs = record['differs_from_preview']
  if (Array.isArray(differs)) data['differs_from_preview'] = differs
  const failed = record['failures_before']
  if (typeof failed === 'number') data['failures_before'] = failed
  return { type, timestamp: at, mode, data }
}

const NUMBERS: ReadonlySet<string> = new Set(['amount', ...AMOUNTS_LEFT])

function topicOf(key: string, record: object): Topic | undefined {
  const kind = kindOf(key)
  switch (kind) {
    case 'booking':
      return 'previous_booking_id' in record ? 'booking.rescheduled' : 'booking.created'
    case 'booking_end':
      // A booking that was moved ends, too; the record of the new one says so.
      return 'next_booking_id' in record ? undefined : 'booking.cancelled'
    case 'booking_acceptance':
      return 'booking.confirmed'
    case 'client':
      return 'client.created'
    case 'intake':
      return 'intake.submitted'
    case 'client_link_end':
      return 'state' in record && record.state === 'completed' ? 'client_link.completed' : undefined
    case 'payment_link':
      return 'payment_link.created'
    case 'payment_link_end':
      return 'payment_link.closed'
    case 'client_link':
      return undefined
  }
}
