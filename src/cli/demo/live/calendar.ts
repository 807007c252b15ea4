import type { Slot } from '../../../core/domain/availability.ts'
import type { EventTypeDetails } from '../../../core/domain/event-type.ts'
import type { LookupOutcome, StepOutcome } from '../../../core/domain/outcome.ts'
import type { EventType } from '../../../core/domain/practice.ts'
import { DAY } from '../../../core/domain/time/duration.ts'
import { isoUtc, localTime } from '../../../core/domain/time/time.ts'
import type { Scheduling } from '../../../core/ports/scheduling.ts'
import { CliError, refusalText } from '../../command.ts'
import type { Rows, Transcript } from '../transcript.ts'
import { type LeftOver, type MadeBooking, REASON, isCancelled, looked } from './left-over.ts'

/** Stands in the calendar in place of the owner's name. */
const INVITEE_NAME = 'Test of the connector'

export interface Steps {
  shown: Transcript
  left: LeftOver
  /** Begins a step: shows what would be sent, and asks whether the owner wants it. */
  agreed(title: string, what: Rows): Promise<boolean>
  /** Waits before it looks once more. */
  wait(): Promise<unknown>
  newMarker(): string
}

interface CalendarCheck extends Steps {
  scheduling: Scheduling
  label: string
  eventType: EventType
  zone: string
  email: string
}

const WEEK = 7 * DAY
/**
 * From so many weeks ahead a free week is looked for: far from what clients want, and within what
 * most calendars offer.
 */
const WEEKS_AHEAD = [8, 6, 4, 3, 2, 1]

/**
 * Books a consult at a time far ahead, moves it and cancels it, each after a question. Raises
 * `CliError` where a step fails.
 */
export async function checkCalendar(check: CalendarCheck) {
  const { scheduling, eventType, shown, label, zone, email, agreed } = check
  const details = await scheduling.eventType(eventType)
  refuseUnfit(details, eventType)
  const [first, second] = await twoFreeTimes(scheduling, eventType)
  const when = ({ start }: Slot) => localTime(start, zone)
  const kind = `${eventType.name}${details.title === null ? '' : `, “${details.title}”`}`
  const remark = (what: string, { id }: Booked) => shown.remark(`${what}: ${id}`)

  const wanted: Rows = [
    ['kind', kind],
    ['time', when(first)],
    ['address', email],
  ]
  if (!(await agreed(`Book a consult in ${label}`, wanted))) return
  let booking = await book(check, first)
  remark(`Booked, ${when(first)}`, booking)
  const seen = await scheduling.booking(booking.id)
  if (seen?.start !== first.start) throw new CliError(`${label} shows the booking otherwise.`)
  shown.remark('Read back: it is there, at that time.')

  if (details.moves === 'always') shown.remark('It is not moved: this kind allows no moves.')
  else {
    if (!(await agreed('Move it', [['time', when(second)]]))) return
    booking = await move(check, booking, second)
    remark(`Moved, ${when(second)}`, booking)
  }

  if (!(await agreed('Cancel it', [['reason', REASON]]))) return
  await cancel(check, booking)
  shown.remark('Cancelled: nothing is left in the calendar.')
}

function refuseUnfit(details: EventTypeDetails, { name }: EventType) {
  const another = 'Choose another kind with --event-type <short name>; nothing was done.'
  if (!details.bookable)
    throw new CliError(
      details.advice ?? `The kind ${name} cannot be booked with a name and an address alone.`,
      another,
    )
  if (details.cancellations === 'always')
    throw new CliError(`The kind ${name} allows no cancellations.`, another)
}

/** The two last free times of the furthest week that has two. */
async function twoFreeTimes(
  scheduling: Scheduling,
  eventType: EventType,
): Promise<[first: Slot, second: Slot]> {
  for (const weeks of WEEKS_AHEAD) {
    const from = Date.now() + weeks * WEEK
    const slots = await scheduling.slots(eventType, from, from + WEEK)
    const second = slots.at(-1)
    const first = second && slots.findLast(({ end }) => end <= second.start)
    if (first && second) return [first, second]
  }
  throw new CliError(
    `The kind ${eventType.name} has no two free times that are a week ahead or more.`,
    'Choose another kind with --event-type <short name>, or open more times; nothing was done.',
  )
}

type Booked = MadeBooking & { id: string }

async function book(check: CalendarCheck, slot: Slot): Promise<Booked> {
  const { scheduling, left, wait, eventType, zone, email } = check
  const made: MadeBooking = {
    is: 'booking',
    provider: scheduling.provider as MadeBooking['provider'],
    eventTypeId: eventType.id,
    start: slot.start,
    end: slot.end,
    marker: check.newMarker(),
    sentAt: Date.now(),
  }
  left.add(made)
  const invitee = { email, name: INVITEE_NAME, timezone: zone }
  const request = { eventTypeId: eventType.id, start: slot.start, end: slot.end, invitee }
  const outcome = await scheduling.book(request, made.marker)
  const found = await certain(outcome, wait, () =>
    scheduling.findBooked(slot, eventType.id, made.marker),
  )
  if (found.is !== 'ok') {
    if (found.is === 'refused' || found.is === 'busy') left.drop(made.marker)
    throw failed('The booking', found)
  }
  const id = String(found.facts['booking_id'])
  left.name(made.marker, id)
  if (found.facts['start_time'] !== isoUtc(slot.start))
    throw new CliError('It was booked at another time than was asked for.')
  return { ...made, id }
}

/** Moves it as the connector does: in one call, or by giving up the old time first. */
async function move(check: CalendarCheck, booking: Booked, slot: Slot): Promise<Booked> {
  const { scheduling, left, wait, eventType } = check
  const { reschedule } = scheduling
  if (!reschedule) {
    await cancel(check, booking)
    return book(check, slot)
  }
  const marker = check.newMarker()
  const { start, end } = slot
  const request = { bookingId: booking.id, eventTypeId: eventType.id, start, end }
  const outcome = await reschedule.execute(request, marker)
  const found = await certain(outcome, wait, () => reschedule.reconcile(request, marker))
  if (found.is !== 'ok') throw failed('The move', found)
  const id = String(found.facts['booking_id'])
  left.name(booking.marker, id)
  if (found.facts['start_time'] !== isoUtc(start))
    throw new CliError('It was moved to another time than was asked for.')
  return { ...booking, id }
}

async function cancel(check: CalendarCheck, { id, marker }: Booked) {
  const { scheduling, left, wait } = check
  const cancelMarker = check.newMarker()
  const outcome = await scheduling.cancel(id, REASON, cancelMarker)
  const found = await certain(outcome, wait, () => scheduling.findCancelled(id, cancelMarker))
  if (found.is !== 'ok') throw failed('The cancellation', found)
  if (!(await isCancelled(scheduling, id, cancelMarker)))
    throw new CliError('The booking is still shown as active.')
  left.drop(marker)
}

/** What became of a change: its own answer, or what is found where that says nothing. */
export const certain = async (
  outcome: StepOutcome,
  wait: () => Promise<unknown>,
  look: () => Promise<LookupOutcome>,
): Promise<LookupOutcome> => (outcome.is === 'unknown' ? looked(wait, look) : outcome)

export function failed(what: string, outcome: Exclude<LookupOutcome, { is: 'ok' }>): CliError {
  if (!('refusal' in outcome))
    return new CliError(`${what} was sent, and it is not known what became of it.`)
  return new CliError(`${what} was refused: ${refusalText(outcome.refusal)}`)
}
