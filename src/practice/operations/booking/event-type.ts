import * as z from 'zod'

import type { Sentence } from '../../../core/confirm/mutation.ts'
import { mistypedWarnings } from '../../../core/domain/email.ts'
import type { Closed, EventTypeDetails } from '../../../core/domain/event-type.ts'
import { counted } from '../../../core/domain/plural.ts'
import type { EventType, Practice } from '../../../core/domain/practice.ts'
import { Problem, invalidField, problem } from '../../../core/domain/problem/problem.ts'
import { DAY, HOUR, MINUTE } from '../../../core/domain/time/duration.ts'
import { textOrNull } from '../schemas.ts'

export const eventTypeField = z.string().meta({
  description: 'The kind of consult, by its short name.',
  examples: ['consult'],
})

/** The kind of consult in a request. */
export const wantedEventType = eventTypeField.optional().meta({
  description:
    'The kind of consult, by its short name; by default the first one that the practice offers.',
  examples: ['consult'],
})

export const locationField = textOrNull.describe(
  'Where it takes place, as the practice set it up: video, phone or an address, never a ' +
    'link; null where the provider does not say.',
)

export const eventTypeChoices = ({ eventTypes }: Practice) => ({
  event_type: eventTypes.map(({ name }) => name),
})

/** The kind of consult of this name, by default the first. Raises `validation_failed` listing the names. */
export function eventTypeNamed(practice: Practice, name: string | undefined): EventType {
  if (name === undefined) return practice.eventTypes[0]
  const found = practice.eventTypes.find((eventType) => eventType.name === name)
  if (found) return found
  const names = practice.eventTypes.map((eventType) => eventType.name).join(', ')
  throw invalidField('/event_type', `Expected one of: ${names}.`)
}

/** A kind by its length, with its article: `a 30-minute consult`, `an 80-minute call`. */
export const timedKind = (minutes: number, kind: string) =>
  `${/^(?:8|1[18]$)/.test(String(minutes)) ? 'an' : 'a'} ${minutes}-minute ${kind}`

/** The provider's event type under its short name, or under its id if the settings do not name it. */
export const eventTypeOf = ({ eventTypes }: Pick<Practice, 'eventTypes'>, id: string): EventType =>
  eventTypes.find((eventType) => eventType.id === id) ?? { id, name: id }

type Page = Pick<Practice, 'schedulingPageUrl'>

/** Raises `provider_misconfigured` for a kind that cannot be booked here, whatever its invitee says. */
export function refuseUnbookable({ bookable, advice }: EventTypeDetails, practice: Page) {
  if (bookable) return
  throw problem('provider_misconfigured', {
    detail: advice,
    ...bookOnPage(practice),
  })
}

/**
 * What a read of a kind brings; a refusal that the owner has to end names the page on which people
 * can book meanwhile.
 */
export async function orBookOnPage<T>(read: Promise<T>, practice: Page): Promise<T> {
  try {
    return await read
  } catch (thrown) {
    if (!(thrown instanceof Problem) || thrown.refusal.code !== 'provider_misconfigured')
      throw thrown
    throw new Problem({ ...thrown.refusal, ...bookOnPage(practice) })
  }
}

const bookOnPage = ({ schedulingPageUrl: url }: Page) =>
  url === null
    ? {}
    : {
        scheduling_page_url: url,
        next_step:
          'Tell the owner of the practice, and the person that they can book on the scheduling page.',
      }

/** Whether the practice has to accept a booking that begins then. */
export function needsAcceptance(
  { acceptance = 'none' }: EventTypeDetails,
  start: number,
  now: number,
): boolean {
  if (typeof acceptance === 'string') return acceptance === 'always'
  return start - now < acceptance.withinMs
}

export const HAS_TO_ACCEPT =
  'The practice has to accept this consult: until then it is asked for, and not confirmed.'

/** Warnings about an address that seems mistyped, or that the provider is known not to take. */
export const addressWarnings = ({ addresses }: EventTypeDetails, email: string): Sentence[] => [
  ...mistypedWarnings(email),
  addresses?.test(email) === false &&
    'The scheduling provider may refuse this email address, for signs in it that it does not ' +
      'take. The person may have another address.',
]

const CLOSED = {
  moves: 'The practice does not allow this kind of consult to be moved',
  cancellations: 'The practice does not allow this kind of consult to be cancelled',
} as const

/** What cannot be done with a booking later on, as its preview says it. */
export const laterLimits = ({ moves, cancellations }: EventTypeDetails): Sentence[] => [
  limit(CLOSED.moves, moves),
  limit(CLOSED.cancellations, cancellations),
]

const limit = (what: string, closed: Closed = 'never'): Sentence => {
  if (closed === 'never') return undefined
  return closed === 'always'
    ? `${what} once it is booked.`
    : `${what} ${lessThan(closed)} before it begins.`
}

const lessThan = ({ withinMs }: { withinMs: number }) => `less than ${spoken(withinMs)}`

/** What stands against a change of a booking now: the provider may refuse it, or not, to a host. */
export function presentLimit(
  what: keyof typeof CLOSED,
  details: EventTypeDetails | undefined,
  start: number,
  now: number,
): string | null {
  const closed = details?.[what] ?? 'never'
  if (closed === 'never' || (closed !== 'always' && start - now >= closed.withinMs)) return null
  const when = closed === 'always' ? '' : ` ${lessThan(closed)} before it begins`
  return `${CLOSED[what]}${when}: the scheduling provider may refuse this.`
}

const MINUTES = { name: 'minute', length: MINUTE }
const UNITS = [{ name: 'day', length: DAY }, { name: 'hour', length: HOUR }, MINUTES]

/** A time in milliseconds, in the largest unit that leaves no rest: `2 days`, `90 minutes`. */
function spoken(ms: number) {
  const whole = UNITS.find(({ length }) => ms >= length && ms % length === 0)
  const { name, length } = whole ?? MINUTES
  return counted(Math.round(ms / length), name)
}
