import * as z from 'zod'

import { fieldsAsked, hasPlaceToChoose } from '../../../../core/domain/booking-asks.ts'
import type { Said } from '../../../../core/domain/booking.ts'
import {
  type EventTypeDetails,
  type Place,
  type Question,
  answerTo,
  placeOf,
  questionText,
} from '../../../../core/domain/event-type.ts'
import {
  LOCATIONS,
  type Location,
  inPerson,
  publicText,
  video,
} from '../../../../core/domain/location.ts'
import { Problem } from '../../../../core/domain/problem/problem.ts'
import type { EventTypeChoice, SchedulingConnection } from '../../connection.ts'
import { misconfigured, refuseUnsaid } from '../../error-table.ts'
import { type CalendlyClient, calendlyClient } from './client.ts'
import {
  type CalendlyEvent,
  type CalendlyEventType,
  type CalendlyInvitee,
  askingFields,
  pageSchemaOf,
} from './schemas.ts'

type BookingLocation = { kind: string; location?: string | null | undefined }

const WITH_TEXT: readonly string[] = ['physical', 'custom']
/** What the invitee supplies for a place of this kind. */
const BY_INVITEE: Readonly<Record<string, Place['needs']>> = {
  ask_invitee: 'place',
  outbound_call: 'phone',
}

/**
 * Free times of an event type can be booked. Raises `provider_misconfigured` with all that stands
 * against it, whatever is said.
 */
export function refuseClosed(eventType: CalendlyEventType) {
  const changes = [...changesTo(eventType), ...placesOf(eventType).changes]
  if (changes.length > 0) throw new Problem(misconfigured(adviceOf(allChangesTo(eventType))))
}

/**
 * How to book an event type for an invitee who says this. Raises `provider_misconfigured` where
 * that does not do.
 */
export function bookingFieldsOf(eventType: CalendlyEventType, said: Said | undefined): object {
  refuseClosed(eventType)
  const asks = asksOf(eventType)
  refuseUnsaid(asks, said)
  const answers = asks.questions.flatMap(({ position, ...question }) => {
    const answer = answerTo(question, said)
    return answer === undefined ? [] : [{ question: question.id, answer, position }]
  })
  const place = placeOf(asks, said)
  return {
    ...(place && { location: sentPlace(eventType, place, said) }),
    ...(answers.length > 0 && { questions_and_answers: answers }),
  }
}

/** Calendly names the places of a booking in part otherwise than those of an event type. */
const SAME_PLACE: Readonly<Record<string, string>> = {
  zoom: 'zoom_conference',
  gotomeeting: 'gotomeeting_conference',
  google: 'google_conference',
  microsoft_teams: 'microsoft_teams_conference',
  webex: 'webex_conference',
}

/** Without the words, which may let a reader into a meeting. */
const placeId = (kind: string, words: string) =>
  WITH_TEXT.includes(kind) ? `${kind}:${shortHash(words)}` : kind

/** FNV-1a: tells the few places of one event type apart. */
function shortHash(text: string) {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return (hash >>> 0).toString(16)
}

/** What the invitee of an event said when it was booked. */
export function saidIn(
  { location }: CalendlyEvent,
  { questions_and_answers, text_reminder_number }: CalendlyInvitee,
): Said {
  const kind = location && (SAME_PLACE[location.type] ?? location.type)
  const words = location?.location?.trim() || null
  return {
    answers: (questions_and_answers ?? []).flatMap(({ question: id, answer }) =>
      answer ? [{ id, answer }] : [],
    ),
    place: kind ? saidPlace(kind, words) : null,
    phone: text_reminder_number || null,
  }
}

/** A place with the words of the invitee; where the words are not theirs, the event type has them. */
const saidPlace = (kind: string, words: string | null) => ({
  id: placeId(kind, words ?? ''),
  words: BY_INVITEE[kind] ? words : null,
})

function sentPlace(
  { locations }: CalendlyEventType,
  { id, needs }: Place,
  said: Said | undefined,
): BookingLocation {
  if (needs) return { kind: id, location: said?.place?.words ?? '' }
  const isMeant = (one: BookingLocation) => placeId(one.kind, textOf(one)) === id
  const { kind, ...one } = locations?.find(isMeant) ?? { kind: id }
  return { kind, ...(WITH_TEXT.includes(kind) && { location: textOf(one) }) }
}

const textOf = ({ location }: Pick<BookingLocation, 'location'>) => location?.trim() ?? ''

const adviceOf = (changes: readonly string[]) =>
  'This Calendly event type cannot be booked through the API as it is set up. ' +
  `Change it in Calendly, or name another one in EVENT_TYPES: ${changes.join('; ')}.`

/** The poolings under which every event is with the same hosts; of another one that is not known. */
const SAME_HOSTS: readonly unknown[] = [null, undefined, 'collective']

/** An event type as it is set up. Calendly does not say what it costs. */
export function detailsOf(eventType: CalendlyEventType): EventTypeDetails {
  const changes = allChangesTo(eventType)
  const { questions, places } = asksOf(eventType)
  return {
    title: publicText(eventType.name),
    minutes: eventType.duration,
    location: shownLocation(eventType),
    price: null,
    bookable: changes.length === 0,
    hostsTakeTurns: !SAME_HOSTS.includes(eventType.pooling_type),
    advice: changes.length > 0 ? adviceOf(changes) : undefined,
    asks: questions.length > 0 || places.length > 0 ? { questions, places } : undefined,
  }
}

interface CalendlyQuestion extends Question {
  position: number
}

type Asking = Pick<CalendlyEventType, 'custom_questions' | 'locations' | 'pooling_type'>

/**
 * What an event type asks. Where hosts take turns, each has another place, and Calendly refuses a
 * booking that names one.
 */
function asksOf(eventType: Asking): {
  questions: CalendlyQuestion[]
  places: Place[]
} {
  const questions = (eventType.custom_questions ?? [])
    .filter(({ enabled }) => enabled)
    .map(({ name, position, required, ...how }) => ({
      id: name,
      question: questionText(name),
      required,
      position,
      ...answerFormOf(how),
    }))
  const places = eventType.pooling_type === 'round_robin' ? [] : placesOf(eventType).places
  return { questions, places }
}

function answerFormOf({
  type,
  answer_choices: choices,
  include_other,
}: Pick<
  NonNullable<CalendlyEventType['custom_questions']>[number],
  'type' | 'answer_choices' | 'include_other'
>): Pick<Question, 'kind' | 'choices' | 'several' | 'takesOther'> {
  if (type === 'phone_number') return { kind: 'phone' }
  if (!choices || choices.length === 0) return { kind: 'text' }
  return {
    kind: 'choice',
    choices,
    several: type === 'multi_select' || undefined,
    takesOther: include_other || undefined,
  }
}

const SHOWN: Readonly<Record<string, Location>> = {
  zoom_conference: video('Zoom'),
  google_conference: video('Google Meet'),
  gotomeeting_conference: video('GoTo Meeting'),
  microsoft_teams_conference: video('Microsoft Teams'),
  webex_conference: video('Webex'),
  inbound_call: LOCATIONS.inviteeCalls,
  outbound_call: LOCATIONS.practiceCalls,
  ask_invitee: LOCATIONS.byInvitee,
  custom: LOCATIONS.arranged,
}

/** The only location; null if there are several, each host has another, or it is not known. */
function shownLocation({ locations, pooling_type }: CalendlyEventType): Location | null {
  const [only, ...others] = locations ?? []
  if (!only || others.length > 0 || pooling_type === 'round_robin') return null
  return only.kind === 'physical' ? inPerson(only.location) : (SHOWN[only.kind] ?? null)
}

const isHostedBy = (user: string, { profile, pooling_type }: CalendlyEventType) =>
  profile?.owner === user && pooling_type === null

/** Whether the token's user is the only possible host; else bookings are read of the whole organization. */
export async function isOwn(client: CalendlyClient, named: string): Promise<boolean> {
  const { uri } = await client.user()
  return isHostedBy(uri, (await client.eventType(named)).eventType)
}

/** Whether a booking of one of these event types may be with another host than the token's user. */
export async function hasOtherHosts(
  client: CalendlyClient,
  eventTypeIds: readonly string[],
): Promise<boolean> {
  for (const named of eventTypeIds) if (!(await isOwn(client, named))) return true
  return false
}

/** What stands against a booking, whatever its invitee can say in a request. */
function allChangesTo(eventType: CalendlyEventType): string[] {
  const { changes } = placesOf(eventType)
  const isElsewhere = changes.length === 0 && !hasPlaceToChoose(asksOf(eventType))
  return [...changesTo(eventType), ...changes, ...(isElsewhere ? [NO_PLACE_OF_INVITEE] : [])]
}

const NO_PLACE_OF_INVITEE = 'choose a location that the invitee does not have to supply'

function changesTo(eventType: CalendlyEventType): string[] {
  const wrong: [boolean, string][] = [
    [
      !eventType.active || typeof eventType.deleted_at === 'string',
      'switch it on, if it still exists',
    ],
    [
      eventType.kind !== 'solo',
      'make it one-on-one (a cancellation of a group event would cancel all who come)',
    ],
    [
      (eventType.booking_method ?? 'instant') !== 'instant',
      'make it bookable at once, since a poll leaves the time open',
    ],
    [eventType.is_paid === true, 'take off its price, since the API cannot pay'],
  ]
  return wrong.filter(([is]) => is).map(([, change]) => change)
}

/** The places of an event type, and what has to change where there is none that a booking can name. */
function placesOf({
  locations,
  pooling_type,
}: Pick<CalendlyEventType, 'locations' | 'pooling_type'>): {
  places: Place[]
  changes: string[]
} {
  const found = (locations ?? []).map(placeOrChange)
  const places = found.flatMap((one) => (typeof one === 'string' ? [] : [one]))
  const [change] = found.filter((one) => typeof one === 'string')
  const isByInvitee = places.some(({ needs }) => needs !== undefined)
  if (pooling_type === 'round_robin')
    return { places, changes: isByInvitee ? [NO_PLACE_OF_INVITEE] : [] }
  return { places, changes: places.length === 0 && change !== undefined ? [change] : [] }
}

function placeOrChange({
  kind,
  location,
}: NonNullable<CalendlyEventType['locations']>[number]): Place | string {
  const shown = kind === 'physical' ? inPerson(location) : SHOWN[kind]
  const text = textOf({ location })
  if (shown === undefined) return 'choose a location of another kind'
  if (WITH_TEXT.includes(kind) && text === '')
    return 'fill in the address or description of its location'
  return { id: placeId(kind, text), location: shown, needs: BY_INVITEE[kind] }
}

const MAX_PAGES = 5
const pageSchema = z.lazy(() =>
  pageSchemaOf(
    z.object({
      uri: z.string(),
      name: z.string().nullish(),
      duration: z.number(),
      active: z.boolean(),
      ...askingFields(),
    }),
  ),
)

/** The active event types of the token's user, for setup. */
export async function calendlyEventTypes(
  connection: SchedulingConnection,
): Promise<EventTypeChoice[]> {
  const client = calendlyClient(connection)
  const { uri } = await client.user()
  const query = { user: uri, active: 'true' }
  const scope = 'event_types:read'
  const { items } = await client.list(
    { path: '/event_types', query, scope, schema: pageSchema },
    MAX_PAGES,
  )
  return items
    .filter(({ active }) => active)
    .map(({ uri: id, name, duration, ...asking }) => ({
      id,
      title: name ?? 'without a name',
      minutes: duration,
      asks: fieldsAsked(asksOf(asking)),
    }))
}
