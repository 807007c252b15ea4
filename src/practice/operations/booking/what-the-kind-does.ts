import type { Closed, EventTypeDetails } from '../../../core/domain/event-type.ts'
import { DAY, HOUR, MINUTE } from '../../../core/domain/time/duration.ts'

/** Whether the practice has to accept a booking that begins then. */
export function needsAcceptance(
  { acceptance = 'none' }: EventTypeDetails,
  start: number,
  now: number,
): boolean {
  if (typeof acceptance === 'string') return acceptance === 'always'
  return start - now <= acceptance.withinMs
}

export const HAS_TO_ACCEPT =
  'The practice has to accept this consult: until then it is asked for, and not confirmed.'

const CLOSED = {
  moves: 'The practice does not allow this kind of consult to be moved',
  cancellations: 'The practice does not allow this kind of consult to be cancelled',
} as const

/** What cannot be done with a booking later on, as its preview says it. */
export const laterLimits = ({ moves, cancellations }: EventTypeDetails): string[] => [
  ...limit(CLOSED.moves, moves),
  ...limit(CLOSED.cancellations, cancellations),
]

const limit = (what: string, closed: Closed = 'never'): string[] => {
  if (closed === 'never') return []
  return [
    closed === 'always'
      ? `${what} once it is booked.`
      : `${what} ${lessThan(closed)} before it begins.`,
  ]
}

const lessThan = ({ withinMs }: { withinMs: number }): string => `less than ${spoken(withinMs)}`

/** What stands against a change of a booking now: the provider may refuse it, or not, to a host. */
export function presentLimit(
  what: keyof typeof CLOSED,
  details: EventTypeDetails | undefined,
  start: number,
  now: number,
): string[] {
  const closed = details?.[what] ?? 'never'
  if (closed === 'never' || (closed !== 'always' && start - now >= closed.withinMs)) return []
  const when = closed === 'always' ? '' : ` ${lessThan(closed)} before it begins`
  return [`${CLOSED[what]}${when}: the scheduling provider may refuse this.`]
}

const MINUTES = { name: 'minute', length: MINUTE }
const UNITS = [{ name: 'day', length: DAY }, { name: 'hour', length: HOUR }, MINUTES]

/** A time in milliseconds, in the largest unit that leaves no rest: `2 days`, `90 minutes`. */
function spoken(ms: number): string {
  const whole = UNITS.find(({ length }) => ms >= length && ms % length === 0)
  const { name, length } = whole ?? MINUTES
  const count = Math.round(ms / length)
  return count === 1 ? `1 ${name}` : `${count} ${name}s`
}
