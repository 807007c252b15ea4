import { MINUTE } from '../../../../src/core/domain/time/duration.ts'
import type { Sent } from './effects.ts'
import { type Attempt, type Generation, type Ledger, type TrueBooking, madeBy } from './ledger.ts'

/** So many refusals of one flow cannot all have lost their alert with the instance that was to send it. */
const ALERTED_AFTER = 4

/** How many other people the preview counted. */
const counted = ({ pinned }: Generation): number => Number(pinned['other_people'] ?? 0)

export const othersOn = ({ invitee: { guests = [] } }: TrueBooking): number => guests.length

const sorted = (addresses: readonly string[]): string => addresses.toSorted().join()

/** A new booking leaves with the other people of the old one, if these are those that were counted, or with none. */
export function comeAlong(
  ledger: Ledger,
  { of, act, marker, undo }: Attempt,
  { guests = [] }: Sent,
): void {
  if (act !== 'book') return
  const wrong = (what: string) => ledger.report('I39', `${of.object}: ${marker} left ${what}`)
  const old =
    of.operation === 'reschedule_booking'
      ? ledger.bookingNamed(String(of.pinned['booking_id']))
      : undefined
  if (of.operation === 'book_consult' && guests.length > 0) wrong('with people of another booking')
  if (!old) return
  if (!undo && guests.length > 0 && guests.length !== counted(of))
    wrong(`with ${guests.length} other people, and its preview counted ${counted(of)}`)
  if (!old.othersChanged && sorted(guests) !== sorted(old.invitee.guests ?? []))
    wrong('without the other people of the old booking')
}

/** A move gives nothing up while it is known that no booking is taken. */
export function notWhileFull(ledger: Ledger, { of, act, marker }: Attempt, { full }: Sent): void {
  if (act === 'cancel' && of.operation === 'reschedule_booking' && full)
    ledger.report('I41', `${of.object}: ${marker} left though no booking is taken`)
}

interface Said {
  preview: object
  summary: string
  warnings: readonly string[]
}

/** A preview says how many other people there are, and both lengths where they differ. */
export function judgeShown(ledger: Ledger, of: Generation, { preview, summary, warnings }: Said) {
  const shown: unknown = Reflect.get(preview, 'other_people') ?? 0
  if (shown !== counted(of) || counted(of) > 0 !== warnings.some((one) => OTHERS.test(one)))
    ledger.report('I39', `${of.object}: the preview does not say that ${counted(of)} others come`)
  if (of.operation !== 'reschedule_booking') return
  const at = (field: string) => Date.parse(String(of.pinned[field]))
  const old = at('old_end_time') - at('old_start_time')
  saysLength(ledger, of, summary, [old, at('end_time') - at('start_time')])
}

const OTHERS = /\bother (person|people)\b/

/** An answer of a move says how many of them are on the new booking, and both lengths where they differ. */
export function judgeMoved(
  ledger: Ledger,
  of: Generation,
  said: Record<string, unknown>,
  text: string,
): void {
  const there = ledger.bookingNamed(String(said['booking_id']))
  if (!there) return
  const isSaid = counted(of) > 0 || othersOn(there) > 0
  if (said['other_people'] !== (isSaid ? othersOn(there) : undefined))
    ledger.report('I39', `${of.object}: the answer has another number of people than the booking`)
  saysLost(ledger, of, there, text)
  const at = (field: string) => Date.parse(String(of.pinned[field]))
  const old = at('old_end_time') - at('old_start_time')
  saysLength(ledger, of, text, [old, there.end - there.start])
}

/** An answer says who of them is not on the booking that was made. */
export function saysLost(ledger: Ledger, of: Generation, there: TrueBooking, text: string): void {
  const isLost = othersOn(there) < counted(of)
  if (isLost !== text.includes('could not be booked with it'))
    ledger.report('I39', `${of.object}: the answer is wrong about who is not on the new booking`)
}

function saysLength(
  ledger: Ledger,
  { object }: Generation,
  text: string,
  [old, made]: readonly [number, number],
): void {
  const said = /for (\d+) minutes instead of (\d+)/.exec(text)?.slice(1).join()
  const differs = old === made ? undefined : [made / MINUTE, old / MINUTE].join()
  if (said !== differs)
    ledger.report('I40', `${object} says ${said}, and the lengths are ${differs}`)
}

/**
 * Once all has come to rest: where a new booking was turned away again and again, or nothing is
 * booked in the end, the owner was alerted.
 */
export function judgeAlerts({ generations, report }: Ledger): void {
  for (const of of generations.values()) {
    const turnedAway = of.attempts.filter(({ act, proved }) => act === 'book' && proved === 'busy')
    const waits = of.operation === 'reschedule_booking' && madeBy(of, 'cancelled') !== undefined
    const isPartial = of.end?.includes('"partially_applied"') ?? false
    if (!of.alerted && (isPartial || (waits && turnedAway.length >= ALERTED_AFTER)))
      report('I41', `${of.object}: a person was without an appointment, and the owner not alerted`)
  }
}
