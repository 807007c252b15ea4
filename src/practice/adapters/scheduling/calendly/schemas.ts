import * as z from 'zod'

import { built } from '../../../../core/domain/lazy.ts'
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

/** API names begin with this, whichever host serves it. */
const NAMES = 'https://api.calendly.com'
const ID = '[A-Za-z0-9_-]{1,128}'

export const eventTypeUri = (id: string) => `${NAMES}/event_types/${id}`

/** The id in an event type as the settings name it, by id or in full; undefined if it is neither. */
export const eventTypeIdIn = (named: string) =>
  new RegExp(`^(?:${NAMES}/event_types/)?(${ID})$`).exec(named.trim())?.[1]

// Lazy: many isolates never read an answer of Calendly. Each schema is built at its first use.

/** A full name of something of this kind: the host is pinned, the id has a shape. */
const uriOf = (kind: string) => z.string().regex(new RegExp(`^${NAMES}/${kind}/${ID}$`))
/** The id in such a full name. */
export const idIn = (kind: string) =>
  uriOf(kind).transform((uri) => uri.slice(uri.lastIndexOf('/') + 1))

const EVENT = new RegExp(`^${NAMES}/scheduled_events/(${ID})(?:/invitees/${ID})?$`)
const INVITEE = new RegExp(`^${NAMES}/scheduled_events/(${ID})/invitees/${ID}$`)

/** The id of the event in its own full name, or in that of an invitee; undefined if it is neither. */
export const eventIdIn = (named: string) => EVENT.exec(named)?.[1]

const resource = <T extends z.ZodType>(schema: T) => z.object({ resource: schema })
// Only the token is used: an address in a response is never followed.
const paginationSchema = z.lazy(() =>
  z
    .object({
      next_page_token: z
        .string()
        .max(2000)
        .nullish()
        .transform((token) => (token === '' ? null : token)),
      next_page: z.string().nullish().catch(undefined),
    })
    .nullish(),
)
export const pageSchemaOf = <T>(schema: z.ZodType<T>) =>
  z.object({ collection: lenientList(schema), pagination: paginationSchema })

export interface Paged {
  pagination?: z.infer<typeof paginationSchema>
}

/** The token of the next page, null at the end of the list, undefined if the page says neither. */
export function nextPage({ pagination }: Paged): string | null | undefined {
  const { next_page_token: token, next_page: page } = pagination ?? {}
  return token ?? (token === null || page === null ? null : undefined)
}

export const userSchema = z.lazy(() =>
  resource(
    z.object({
      uri: uriOf('users'),
      current_organization: uriOf('organizations'),
      timezone: z.string(),
    }),
  ),
)

/** The token's user; `timezone` as Calendly spells it. */
export type User = z.infer<typeof userSchema>['resource']

export const eventTypeSchema = z.lazy(() =>
  resource(
    z.object({
      // For display only; an odd one must not keep the event type from being booked.
      name: lenientText,
      active: z.boolean(),
      kind: word(),
      booking_method: word().nullish(),
      pooling_type: word().nullish(),
      is_paid: z.boolean().nullish(),
      deleted_at: z.string().nullish(),
      duration: minutesLong(),
      profile: z.object({ owner: z.string() }).nullish(),
      locations: z.array(z.object({ kind: word(), location: z.string().nullish() })).nullish(),
      custom_questions: z
        .array(
          z.object({
            name: z.string().catch(''),
            position: numeral().pipe(z.int()),
            enabled: z.boolean(),
            required: z.boolean(),
            type: lenient(word()),
            answer_choices: lenient(z.array(z.string())),
            include_other: lenient(z.boolean()),
          }),
        )
        .nullish(),
    }),
  ),
)

/** What an event type asks, as a list has it; null where that cannot be read. */
export function askingFields() {
  const { pooling_type, locations, custom_questions } = built(eventTypeSchema).shape.resource.shape
  return {
    pooling_type: pooling_type.catch(null),
    locations: locations.catch(null),
    custom_questions: custom_questions.catch(null),
  }
}

/** An event type, as far as bookings depend on it. */
export type CalendlyEventType = z.infer<typeof eventTypeSchema>['resource']

export const openTimesSchema = z.lazy(() =>
  z
    .object({
      collection: lenientList(
        z.object({
          status: wordOf(['available', 'unavailable']),
          start_time: instant,
          invitees_remaining: lenient(numeral()),
        }),
      ),
    })
    .refine(({ collection }) => isReadable([collection])),
)

const trackingSchema = z.lazy(() => lenient(z.object({ utm_content: z.string().nullish() })))

/**
 * A new invitee: its event, and where it comes from. `sure`: its name agrees, since a cut one looks
 * different.
 */
export const createdSchema = z.lazy(() =>
  resource(
    z
      .object({
        event: idIn('scheduled_events'),
        uri: z.string().catch(''),
        email: z.string().catch(''),
        tracking: trackingSchema,
        created_at: momentOrNull,
      })
      .transform(({ uri, ...invitee }) => ({ ...invitee, named: INVITEE.exec(uri)?.[1] }))
      .refine(({ event, named }) => named === undefined || named === event)
      .transform(({ event, named, email, tracking, created_at }) => ({
        event,
        email,
        sure: named !== undefined,
        origin: {
          carried: tracking ? tracking.utm_content : undefined,
          createdAt: created_at,
        },
      })),
  ),
)

export const cancelledSchema = z.lazy(() => resource(z.object({ created_at: z.string() })))

const cancellationSchema = z.lazy(() =>
  z.object({
    reason: lenientText,
    canceler_type: lenientText,
  }),
)
/** The cancellation of an event; any of it may be missing. */
export type CalendlyCancellation = z.infer<typeof cancellationSchema>

/** The event type of an event that names none. */
export const UNREADABLE = 'unknown'

const statusWord = () => word().transform((status) => status.replace('cancelled', 'canceled'))

const eventSchema = z.lazy(() =>
  z
    .object({
      uri: idIn('scheduled_events'),
      status: statusWord().pipe(z.enum(['active', 'canceled'])),
      start_time: instant,
      end_time: instant,
      // One odd event must not hide the others of a list.
      event_type: idIn('event_types').catch(UNREADABLE),
      invitees_counter: z
        .object({ limit: numeral().nullish(), active: numeral().nullish() })
        .nullish(),
      cancellation: lenient(cancellationSchema),
      created_at: momentOrNull,
      // The address of an entry that cannot be read is empty: there is someone.
      event_guests: lenient(
        z.array(z.object({ email: z.string() }).catch({ email: '' })),
      ).transform((guests) => guests?.map(({ email }) => email) ?? []),
      event_memberships: lenient(z.array(z.object({ user: z.string().min(1) }))),
      location: lenient(z.object({ type: z.string(), location: lenientText })),
    })
    .refine((event) => event.start_time < event.end_time),
)
export const oneEventSchema = z.lazy(() => resource(eventSchema))
export const eventsSchema = z.lazy(() => pageSchemaOf(eventSchema))

/** A scheduled event; ids instead of full names, times in epoch milliseconds. */
export type CalendlyEvent = z.infer<typeof eventSchema>

const inviteeEvent = z.lazy(() =>
  z
    .string()
    .nullish()
    .transform((uri) => INVITEE.exec(uri ?? '')?.[1] ?? null)
    .catch(null),
)

const inviteeSchema = z.lazy(() =>
  z.object({
    email: z.string().catch(''),
    name: z.string().nullish(),
    first_name: z.string().nullish(),
    last_name: z.string().nullish(),
    status: statusWord().nullish(),
    timezone: z.string().nullish(),
    tracking: trackingSchema,
    old_invitee: inviteeEvent,
    new_invitee: inviteeEvent,
    no_show: z.object({}).nullish().catch(undefined),
    questions_and_answers: lenient(
      z.array(z.object({ question: z.string(), answer: z.string().nullish() })),
    ),
    text_reminder_number: lenientText,
  }),
)
export const inviteesSchema = z.lazy(() => pageSchemaOf(inviteeSchema))

/** An invitee with personal data: in memory only. */
export type CalendlyInvitee = z.infer<typeof inviteeSchema>

const text = z.lazy(() => z.string().catch(''))
/** The body of an error. Its words are compared with known ones, and never passed on. */
export const errorSchema = z.lazy(() =>
  z.object({
    title: text,
    message: text,
    details: z
      .array(
        z
          .object({ parameter: text, message: text, code: text })
          .catch({ parameter: '', message: '', code: '' }),
      )
      .catch([]),
    required_scopes: z.array(z.string()).catch([]),
    // Of an OAuth token that has expired (RFC 6750).
    error: text,
  }),
)
export type CalendlyError = z.infer<typeof errorSchema>

export const errorIn = (body: unknown): CalendlyError =>
  errorSchema.safeParse(body).data ?? errorSchema.parse({})

/** Whether an error has a field that only Calendly's have; a gateway sends a `message`, too. */
export const isCalendlys = ({ title, details, required_scopes, error }: CalendlyError) =>
  title !== '' || details.length > 0 || required_scopes.length > 0 || error === 'invalid_token'
