import * as z from 'zod'

import { fieldsAsked, hasPlaceToChoose } from '../../../../core/domain/booking-asks.ts'
import type { Said } from '../../../../core/domain/booking.ts'
import {
  type Acceptance,
  type Asked,
  type Closed,
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
import { currencySchema, exponentOf } from '../../../../core/domain/money.ts'
import { DAY, HOUR, MINUTE } from '../../../../core/domain/time/duration.ts'
import { zoneClock } from '../../../../core/domain/time/time.ts'
import type { EventTypeChoice, SchedulingConnection } from '../../connection.ts'
import { refuseUnsaid } from '../../error-table.ts'
import { lenientList, lenientText } from '../../provider-schemas.ts'
import { calcomClient } from './client.ts'
import { OBSTACLES, cannotBook } from './errors.ts'
import {
  type CalcomBooking,
  type CalcomClosed,
  type CalcomEventType,
  type CalcomLocation,
  askingFields,
} from './schemas.ts'

/** Of an attendee, and of an answer that is an address (`packages/lib/emailSchema.ts` of its source). */
const ADDRESSES = /^[\w.+'-]+@.*\.[a-z]+$/i

/** Locations that need nothing from the attendee. Without any, Cal.com uses its own video. */
const OWN_LOCATIONS: readonly string[] = [
  'address',
  'link',
  'integration',
  'phone',
  'organizersDefaultApp',
]

/** Locations that the attendee supplies, and what that is. */
const BY_ATTENDEE: Readonly<Record<string, Place['needs']>> = {
  attendeePhone: 'phone',
  attendeeAddress: 'place',
  attendeeDefined: 'place',
}

/** Questions that every booking answers, or that Cal.com fills in itself. */
const ANSWERED: readonly string[] = ['name', 'splitName', 'email', 'location', 'rescheduleReason']

/** The question for a telephone number, which is a field of the attendee, too. */
const NUMBER = 'attendeePhoneNumber'
/** The one for a number for reminders. Cal.com takes its answer from that field. */
const REMINDER_NUMBER = 'smsReminderNumber'

/** Types of questions that take several answers. */
const SEVERAL: readonly string[] = ['multiselect', 'checkbox', 'multiemail']

/** The id of an event type as a number; undefined if the settings hold something else. */
export const eventTypeNumber = (id: string) => (/^[1-9]\d{0,14}$/.test(id) ? Number(id) : undefined)

/**
 * What the owner has to change before the API can book this event type, whatever a request says;
 * empty if nothing.
 */
function obstaclesIn(eventType: CalcomEventType): string[] {
  const isElsewhere = !hasPlaceToChoose({ places: placesOf(eventType) })
  const isOfPage = questionsOf(eventType).some((one) => one.required && one.isOfPage)
  // Issue 25432 of calcom/cal.diy: the address becomes one that is made of the telephone number.
  const hidesEmail = eventType.bookingFields?.some(({ slug, hidden }) => slug === 'email' && hidden)
  const closed = closedBy(eventType)
  return [
    ...closed,
    ...(hidesEmail ? [OBSTACLES.email] : []),
    ...(isElsewhere && !closed.includes(OBSTACLES.location) ? [OBSTACLES.location] : []),
    ...(isOfPage ? [OBSTACLES.answer] : []),
  ]
}

/** What stands against every booking, whatever its invitee says; empty if nothing. */
export function closedBy(eventType: CalcomEventType): string[] {
  const { seats, seatsPerTimeSlot, recurrence, schedulingType, locations } = eventType
  const [first] = locations ?? []
  const found: [boolean, string][] = [
    [(chargeOf(eventType).price ?? 0) > 0, OBSTACLES.price],
    [(seats?.seatsPerTimeSlot ?? seatsPerTimeSlot ?? 0) > 0, OBSTACLES.seats],
    [!!recurrence && recurrence.disabled !== true, OBSTACLES.recurring],
    [eventType.requiresBookerEmailVerification === true, OBSTACLES.verification],
    [schedulingType === 'managed', OBSTACLES.managed],
    [first !== undefined && !isKnown(first), OBSTACLES.location],
  ]
  return found.filter(([applies]) => applies).map(([, words]) => words)
}

const isKnown = ({ type }: CalcomLocation) =>
  OWN_LOCATIONS.includes(type) || BY_ATTENDEE[type] !== undefined

type CalcomField = NonNullable<CalcomEventType['bookingFields']>[number]
type Asking = Pick<CalcomEventType, 'bookingFields' | 'locations'>

/**
 * The questions that a booking answers in fields of their own: not those that every booking
 * answers, nor hidden ones of Cal.com.
 */
export function questionsOf({ bookingFields }: Pick<Asking, 'bookingFields'>): Question[] {
  return (bookingFields ?? [])
    .filter(
      ({ slug, hidden, isDefault, required }) =>
        !ANSWERED.includes(slug) &&
        !(isDefault === true && hidden === true) &&
        !(slug === 'guests' && required !== true),
    )
    .map((field) => ({
      id: field.slug,
      question: questionText(field.label || field.slug),
      required: field.required === true,
      ...answerFormOf(field),
    }))
}

type AnswerForm = Pick<
  Question,
  'kind' | 'choices' | 'several' | 'isOwnPhone' | 'mayCountNoAsNone' | 'isOfPage'
>

function answerFormOf({ slug, type, options, required }: CalcomField): AnswerForm {
  const several = SEVERAL.includes(type ?? '') || undefined
  if (slug === NUMBER || slug === REMINDER_NUMBER) return { kind: 'phone', isOwnPhone: true }
  // One layer of Cal.com counts a required answer of false as missing (`getBookingResponsesSchema.ts`).
  if (type === 'boolean')
    return {
      kind: 'choice',
      choices: ['yes', 'no'],
      mayCountNoAsNone: required === true || undefined,
    }
  // Its API takes a number alone (`bookings.service.ts`), and the layer below a text alone (cal.diy,
  // 3b1af9f0). The API leaves out guests that are an answer (`input.service.ts`, 7488ef3d).
  if (type === 'number') return { kind: type, isOfPage: true }
  if (slug === 'guests') return { kind: 'email', several, isOfPage: true }
  if (type === 'phone' || type === 'email') return { kind: type }
  if (type === 'multiemail') return { kind: 'email', several }
  if (options && options.length > 0) return { kind: 'choice', choices: options, several }
  return { kind: 'text', several }
}

/**
 * A booking names the type of its place. Of several addresses, links or numbers Cal.com takes the last
 * (`getLocationValueForDB` of its source), so that one stands for all of its type.
 */
function placesOf({ locations }: Pick<Asking, 'locations'>): Place[] {
  const places = (locations ?? []).filter(isKnown).map((location): Place => {
    const shown = shownLocation(location) ?? LOCATIONS.arranged
    return { id: placeId(location), location: shown, needs: BY_ATTENDEE[location.type] }
  })
  return [...new Map(places.map((one) => [one.id, one])).values()]
}

/** What an event type asks; undefined where it is nothing. */
function asksOf(eventType: Asking): Asked | undefined {
  const questions = questionsOf(eventType)
  const places = placesOf(eventType)
  return questions.length > 0 || places.length > 0 ? { questions, places } : undefined
}

/** The places of an event type by the names that Cal.com gives them in the answers of a booking. */
const PLACES: Readonly<Record<string, string>> = {
  address: 'inPerson',
  attendeeAddress: 'attendeeInPerson',
  attendeePhone: 'phone',
  attendeeDefined: 'somewhereElse',
  phone: 'userPhone',
  organizersDefaultApp: 'conferencing',
}

/** Its own video has the name of the service behind it there. */
const OWN_VIDEO = { api: 'cal-video', kept: 'daily' }

/** The letters and digits alone: `office365-video` is kept as `integrations:office365_video`. */
const lettersOf = (name: string) => name.replaceAll(/[^a-z0-9]/gi, '')

function placeId({ type, integration }: CalcomLocation) {
  if (type !== 'integration') return PLACES[type] ?? type
  const app = integration === OWN_VIDEO.api ? OWN_VIDEO.kept : integration
  return lettersOf(`integrations:${app ?? ''}`)
}

const keptPlaceSchema = z.lazy(() =>
  z.object({
    value: z.string(),
    optionValue: lenientText,
  }),
)

/**
 * Fields of a booking's answers that it says elsewhere, as the reason of a move by the API, or that Cal.com
 * derives from others (`output.service.ts` of its source, dd525dbf).
 */
const NO_ANSWERS: readonly string[] = [
  ...ANSWERED,
  'guests',
  'title',
  'rescheduledReason',
  'displayEmail',
  'displayGuests',
  NUMBER,
]

/** What the attendee of a booking said when it was made. */
export function saidIn(
  { bookingFieldsResponses }: CalcomBooking,
  phoneNumber: string | null | undefined,
): Said {
  const responses = Object.entries(bookingFieldsResponses ?? {})
  const answers = responses.flatMap(([id, value]) => {
    const answer = NO_ANSWERS.includes(id) ? '' : answerText(value)
    return answer === '' ? [] : [{ id, answer }]
  })
  const kept = keptPlaceSchema.safeParse(bookingFieldsResponses?.['location']).data
  const phone = answerText(
    bookingFieldsResponses?.[NUMBER] ?? phoneNumber ?? bookingFieldsResponses?.[REMINDER_NUMBER],
  )
  return {
    answers: phone === '' ? answers : [...answers, { id: NUMBER, answer: phone }],
    place: kept ? { id: lettersOf(kept.value), words: kept.optionValue || null } : null,
    phone: phone || null,
  }
}

function answerText(value: unknown) {
  if (Array.isArray(value)) return value.filter((one) => typeof one === 'string').join('\n')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** An answer as Cal.com takes it for a question of this type. */
function responseTo(type: string | null | undefined, answer: string): unknown {
  if (SEVERAL.includes(type ?? '')) return answer.split('\n')
  if (type === 'boolean') return answer === 'yes'
  return answer
}

/**
 * What a booking sends besides the attendee. Raises `provider_misconfigured` where the event type
 * asks for more than was said.
 */
export function bookingFieldsOf(eventType: CalcomEventType, said: Said | undefined): object {
  const asks = asksOf(eventType) ?? { questions: [], places: [] }
  refuseUnsaid(asks, said)
  const responses = responsesTo(asks.questions, eventType, said)
  const place = placeOf(asks, said)
  const location = eventType.locations?.find((one) => place?.id === placeId(one))
  // The first one is that of a booking that names none.
  const isNamed = location && (place?.needs || place !== asks.places[0])
  return {
    ...(responses.length > 0 && { bookingFieldsResponses: Object.fromEntries(responses) }),
    ...(isNamed && { location: sentPlace(location, said?.place?.words ?? '') }),
  }
}

/** The answers that were given, each with the id of its question. */
function responsesTo(
  questions: readonly Question[],
  { bookingFields }: CalcomEventType,
  said: Said | undefined,
): [id: string, response: unknown][] {
  const responses: [string, unknown][] = []
  for (const question of questions) {
    const answer = answerTo(question, said)
    if (answer === undefined) continue
    const field = bookingFields?.find(({ slug }) => slug === question.id)
    responses.push([question.id, responseTo(field?.type, answer)])
  }
  return responses
}

function sentPlace({ type, integration }: CalcomLocation, words: string): object {
  switch (type) {
    case 'integration':
      return { type, integration }
    case 'attendeePhone':
      return { type, phone: words }
    case 'attendeeAddress':
      return { type, address: words }
    case 'attendeeDefined':
      return { type, location: words }
    default:
      return { type }
  }
}

export function detailsOf(eventType: CalcomEventType): EventTypeDetails {
  const obstacles = obstaclesIn(eventType)
  return {
    title: publicText(eventType.title),
    minutes: eventType.lengthInMinutes,
    lengths: lengthsOf(eventType),
    location: shownLocation(defaultOf(eventType)),
    price: priceOf(chargeOf(eventType)),
    bookable: obstacles.length === 0,
    addresses: ADDRESSES,
    advice: obstacles.length > 0 ? cannotBook(eventType.id, obstacles) : undefined,
    asks: asksOf(eventType),
    hostsTakeTurns: eventType.schedulingType === 'roundrobin',
    acceptance: acceptanceOf(eventType),
    moves: closedOf(eventType.disableRescheduling),
    cancellations: closedOf(eventType.disableCancelling),
  }
}

/**
 * The lengths of a booking that Cal.com takes, also in a move, which keeps that of the booking:
 * others are an "Invalid event length" (`validateEventLength.ts` and `input.service.ts` of its source,
 * calcom/cal.diy pull request 26746, 2026-01).
 */
export const lengthsOf = ({ lengthInMinutes, lengthInMinutesOptions }: CalcomEventType) =>
  lengthInMinutesOptions?.length ? lengthInMinutesOptions : [lengthInMinutes]

/**
 * The zone in which to ask for times: one of whole hours, in which no day ends later than in this one.
 * Cal.com lays its grid by the clock of the zone that it is asked in (`schedules/lib/slots.ts` of its
 * source, 043abcc0), so that in India an hour's times are others than those that New York was shown.
 */
export function zoneOfGrid(zone: string, now: number): string {
  const hours = zoneClock(now, zone).offset / HOUR
  if (Number.isInteger(hours)) return zone
  const ahead = Math.ceil(hours)
  // These names have the sign of what is west of Greenwich.
  return `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
}

/** Times that come in such steps, in minutes, are those of every hour. */
const STEPS_OF_HOUR: readonly number[] = [60, 30, 20, 15, 10, 5]

/**
 * Whether a time that is not listed may be free all the same: Cal.com lays the times of the hours after its
 * notice from that moment on, in steps of the length, so that where no step divides the hour they move on
 * with the clock (`schedules/lib/slots.ts` of its source, 043abcc0).
 */
export function mayHaveMovedOn(
  { slotInterval, minimumBookingNotice }: CalcomEventType,
  {
    minutes,
    start,
    listed,
    now,
  }: Record<'minutes' | 'start' | 'now', number> & { listed: number[] },
): boolean {
  const step = slotInterval || minutes
  const rounded = STEPS_OF_HOUR.find((one) => step % one === 0) ?? 1
  const first = Math.min(...listed)
  const isFromNotice = first - now < ((minimumBookingNotice ?? 0) + rounded + 1) * MINUTE
  if (rounded === step || !isFromNotice || listed.includes(start)) return false
  let last = first
  while (listed.includes(last + step * MINUTE)) last += step * MINUTE
  return first < start && start < last + step * MINUTE
}

/** The units of a notice, in milliseconds. */
const UNITS: Readonly<Record<string, number>> = {
  minute: MINUTE,
  hour: HOUR,
  day: DAY,
  week: 7 * DAY,
}

/**
 * Whether the host accepts bookings by hand: a policy that is not known may be one that asks.
 * Cal.com counts the whole units that are left (`getRequiresConfirmationFlags.ts`, 5b6d63e6): two and
 * a half days are two, so its notice reaches a unit further.
 */
function acceptanceOf({ confirmationPolicy: policy }: CalcomEventType): Acceptance {
  if (!policy || policy.disabled === true) return 'none'
  if (policy.type !== 'time' || !policy.noticeThreshold) return 'always'
  const { count, unit } = policy.noticeThreshold
  const unitMs = UNITS[unit.toLowerCase().replace(/s$/, '')]
  return unitMs === undefined ? 'always' : { withinMs: (count + 1) * unitMs }
}

/** When a kind of consult is closed to moves or cancellations. */
function closedOf(setting: CalcomClosed): Closed {
  if (setting?.disabled === true) return 'always'
  const minutes = setting?.minutesBefore ?? 0
  return minutes > 0 ? { withinMs: minutes * MINUTE } : 'never'
}

const VIDEO_APPS: Readonly<Record<string, string>> = {
  'cal-video': 'Cal Video',
  'google-meet': 'Google Meet',
  zoom: 'Zoom',
  'office365-video': 'Microsoft Teams',
  'webex-video': 'Webex',
  jitsi: 'Jitsi',
}

/** The location that a booking gets which names none. */
function defaultOf({ locations }: Pick<Asking, 'locations'>): CalcomLocation | undefined {
  const [first] = locations ?? []
  return first && locations?.findLast((one) => placeId(one) === placeId(first))
}

/** Null if there is none, or of an unknown kind. */
function shownLocation(location: CalcomLocation | undefined): Location | null {
  switch (location?.type) {
    case 'integration': {
      const app = location.integration ?? ''
      const name = VIDEO_APPS[app]
      if (name !== undefined) return video(name)
      return app.endsWith('-video') ? video() : LOCATIONS.link
    }
    case 'organizersDefaultApp':
    case 'link':
      return LOCATIONS.link
    case 'address':
      return inPerson(location.public === true ? location.address : null)
    case 'phone':
      return LOCATIONS.inviteeCalls
    case 'attendeePhone':
      return LOCATIONS.practiceCalls
    case 'attendeeAddress':
    case 'attendeeDefined':
      return LOCATIONS.byInvitee
    default:
      return null
  }
}

type Charge = Pick<CalcomEventType, 'price' | 'currency'>

/**
 * What a booking costs. Cal.com charges what an app that is switched on has as its price, and keeps
 * that of the event type as a reference, which stays when the app is switched off
 * (`getPaymentAppData.ts` and `eventTypes/update.handler.ts` of its source). That counts where what
 * the apps say cannot be read.
 */
function chargeOf({ price, currency, metadata }: CalcomEventType): Charge {
  if (!metadata) return { price, currency }
  const isCharging = (app: Charge & { enabled?: unknown }) => app.price && app.enabled
  return Object.values(metadata.apps).find((app) => app && isCharging(app)) ?? {}
}

/** Null for 0, since a fee may be paid elsewhere, and where Cal.com may count minor units its own way. */
function priceOf({ price, currency }: Charge): EventTypeDetails['price'] {
  const code = currencySchema.safeParse(currency).data
  if (!price || !Number.isSafeInteger(price) || price < 0 || code === undefined) return null
  const isKnown =
    Intl.supportedValuesOf('currency').includes(code.toUpperCase()) && exponentOf(code) <= 2
  return isKnown ? { amount: price, currency: code } : null
}

const listSchema = z.lazy(() =>
  z.object({
    data: lenientList(
      z.object({
        id: z.number(),
        title: z.string(),
        lengthInMinutes: z.number(),
        ...askingFields(),
      }),
    ),
  }),
)

/**
 * The event types of the key's user, for setup. A user name would find the wrong user where the key is of
 * a member of an organization (`findByUsername` of its `users.repository.ts`); without one Cal.com lists
 * those of the key, also hidden ones (its MCP server, calcom/companion e5d99e4).
 */
export async function calcomEventTypes(
  connection: SchedulingConnection,
): Promise<EventTypeChoice[]> {
  const client = calcomClient(connection)
  const { data } = await client.read({
    group: 'eventTypes',
    path: '/v2/event-types',
    right: 'EVENT_TYPE_READ',
    schema: listSchema,
  })
  return data.read.map(({ id, title, lengthInMinutes, ...asking }) => ({
    id: String(id),
    title,
    minutes: lengthInMinutes,
    asks: fieldsAsked(asksOf(asking)),
  }))
}
