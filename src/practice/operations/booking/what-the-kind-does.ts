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

const UNITS: readonly [number, string][] = [
  [DAY, 'day'],
  [HOUR, 'hour'],
  [MINUTE, 'minute'],
]

function spoken(ms: number): string {
  const [length, name] = UNITS.find(([unit]) => ms >= unit && ms % unit === 0) ?? [MINUTE, 'minute']
  const count = Math.round(ms / length)
  return `${count} ${name}${count === 1 ? '' : 's'}`
}
