import * as z from 'zod'

import { askedFields, whatIsAsked } from '../../core/domain/booking-asks.ts'
import { type EventTypeDetails } from '../../core/domain/event-type.ts'
import { LOCATION_KINDS } from '../../core/domain/location.ts'
import { displayAmount } from '../../core/domain/money.ts'
import type { EventType } from '../../core/domain/practice.ts'
import { Problem } from '../../core/domain/problem/problem.ts'
import { eventTypeField, locationField } from './booking/event-type.ts'
import { defineRead } from './operation.ts'
import { firstOf, listQuery, moreField } from './pagination.ts'
import { answerOfRead, namedObject, orNull, textField } from './schemas.ts'

const description =
  'Lists the kinds of consult that the practice offers, the default first: for each its ' +
  'short name, how long it takes, where it takes place, its price, and what a booking has ' +
  'to say besides a name and an address, as the practice set it up with the scheduling ' +
  'provider. What the provider does not say is null.'

const codeSchema = z.enum(['provider_busy', 'provider_misconfigured'])

const maybe = <T extends z.ZodType>(schema: T, description: string) =>
  orNull(schema).meta({ description })

const kindSchema = namedObject('EventType', 'A kind of consult.', {
  event_type: eventTypeField,
  title: maybe(z.string(), 'The name that people see at the provider.'),
  duration_minutes: maybe(z.int(), 'The length of the consult.'),
  location_kind: maybe(z.enum(LOCATION_KINDS), 'The kind of place.'),
  location: locationField,
  price: maybe(
    z.strictObject({
      amount: z.int().describe('In minor units, such as cents.'),
      currency: textField('ISO 4217, lower case.'),
      amount_display: z.string(),
    }),
    'What the provider itself charges at booking; null says nothing about the fee of the practice.',
  ),
  bookable: maybe(
    z.boolean(),
    'false: the way it is set up, it cannot be booked through this service, only on the scheduling page.',
  ),
  problem: maybe(
    codeSchema,
    'Why the provider says nothing about this kind at present; null where it was read.',
  ),
  questions: askedFields.questions.optional(),
  needs_phone: askedFields.needs_phone.optional(),
  locations: askedFields.locations.optional(),
})

export const listEventTypes = defineRead({
  name: 'list_event_types',
  title: 'List the kinds of consult',
  description,
  scope: 'availability:read',
  route: 'GET /v1/event-types',
  provider: 'scheduling',
  problems: [],
  input: listQuery,
  output: answerOfRead(
    'list_event_types',
    'EventTypes',
    'The kinds of consult, the default first.',
    {
      event_types: z.array(kindSchema),
      more: moreField,
    },
  ),
  async run({ limit }, { practice, scheduling }) {
    const { kinds, more } = firstOf('kinds', practice.eventTypes, limit)
    const asked = await Promise.allSettled(kinds.map((one) => scheduling.eventType(one)))
    const failures = asked.flatMap((one) =>
      one.status === 'rejected' ? [one.reason as unknown] : [],
    )
    // One kind that is set up badly hides no other; if none can be read, the refusal says more.
    if (failures.length === asked.length) throw failures[0]
    return {
      event_types: kinds.map((eventType, index) => {
        const read = asked[index]!
        return read.status === 'fulfilled'
          ? known(eventType, read.value)
          : unread(eventType, read.reason)
      }),
      more,
    }
  },
  resources: [
    {
      address: 'consult://event-types',
      name: 'event_types',
      title: 'Kinds of consult',
      description,
      request: () => ({ fields: {} }),
    },
  ],
  example: {
    input: {},
    result: {
      event_types: [
        {
          event_type: 'consult',
          title: 'Consult',
          duration_minutes: 30,
          location_kind: 'video',
          location: 'video (mock)',
          price: null,
          bookable: true,
          problem: null,
        },
      ],
      more: 0,
    },
  },
})

type Kind = z.infer<typeof kindSchema>

const known = (
  { name }: EventType,
  { title, minutes, location, price, bookable, asks }: EventTypeDetails,
): Kind => ({
  event_type: name,
  title,
  duration_minutes: Math.round(minutes),
  location_kind: location?.kind ?? null,
  location: location?.text ?? null,
  price: price && { ...price, amount_display: displayAmount(price.amount, price.currency) },
  bookable,
  problem: null,
  ...whatIsAsked(asks),
})

function unread({ name }: EventType, reason: unknown): Kind {
  const code = codeSchema.safeParse(reason instanceof Problem ? reason.refusal.code : undefined)
  if (!code.success) throw reason
  const unsaid = {
    title: null,
    duration_minutes: null,
    location_kind: null,
    location: null,
    price: null,
  }
  return { event_type: name, ...unsaid, bookable: null, problem: code.data }
}
