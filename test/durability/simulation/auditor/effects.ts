import { type Decision, type Said, isNothing } from '../../../../src/core/domain/booking.ts'
import { HOUR } from '../../../../src/core/domain/time/duration.ts'
import {
  type Attempt,
  type Effect,
  intentOf,
  type Ledger,
  madeBy,
  ofKey,
  roleOf,
  unproved,
} from './ledger.ts'
import { comeAlong, notWhileFull } from './moves.ts'
import type { Kept } from './records.ts'

/** How long the payment provider knows a marker. */
const MARKER_KNOWN = 24 * HOUR

/** An object and what it keeps durably. */
export interface Seen {
  name: string
  disk: Kept
}

/** What a mutation names, and the text for the client that goes with it. */
export interface Sent {
  target: string
  text?: string | null
  said?: Said | undefined
  /** The addresses of the other people of a new booking. */
  guests?: readonly string[] | undefined
  /** It is known that the provider takes no booking now. */
  full?: boolean
  decision?: Decision
}

/** A mutation leaves for a provider. */
export function onSending(
  ledger: Ledger,
  attempt: Attempt,
  sent: Sent,
  objects: readonly Seen[],
): void {
  const { of, act, marker, step, undo } = attempt
  const { target, text } = sent
  const what = `${of.object}: ${act} ${marker}`
  if (!of.asked) ledger.report('I3', `${what} left though no one asked for a commit`)
  if (!of.shown) ledger.report('I4', `${what} left though no preview was shown`)
  intentFirst(ledger, attempt, objects)
  const others = ofKey(ledger, of.object).flatMap(({ attempts }) => attempts)
  if (others.some(({ by, awaited }) => awaited && by === attempt.by))
    ledger.report('I6', `${what} left while the instance still awaits another`)
  if (WITH_TEXT.has(of.operation) && of.shown && text !== of.clientText)
    ledger.report('I37', `${what} left with another text for the client than the preview showed`)
  saidAsShown(ledger, attempt, sent)
  comeAlong(ledger, attempt, sent)
  notWhileFull(ledger, attempt, sent)
  if (
    act === 'respond' &&
    (target !== of.pinned['booking_id'] || sent.decision !== of.pinned['decision'])
  )
    ledger.report('I17', `${what} names another booking or decision than the preview`)
  // To cancel a booking or to end a link once more changes nothing.
  if (act === 'cancel' || act === 'end') {
    if (target !== of.pinned[act === 'cancel' ? 'booking_id' : 'payment_link_id'])
      ledger.report('I17', `${what} names another booking or link than the preview`)
  } else {
    const earlier = others.filter(
      (one) => one.proved === undefined && roleOf(one) === roleOf(attempt),
    )
    const sameMarker = earlier.every(
      (one) => one.marker === marker && attempt.sentAt - one.sentAt < MARKER_KNOWN,
    )
    if (earlier.length > 0 && !(act === 'link' && sameMarker))
      ledger.report('I1', `${what} left though an earlier one is in doubt`)
  }
  if (undo && unproved(of).some((one) => !one.undo && one.step === step + 1))
    ledger.report('I16', `${what} left while the step it answers to is in doubt`)
  sameMeaning(ledger, attempt, objects)
  asShown(ledger, attempt)
  of.attempts.push(attempt)
}

/** The operations whose preview shows a text for the client. */
const WITH_TEXT: ReadonlySet<string> = new Set(['cancel_booking', 'respond_to_booking'])

const textOf = (said: Sent['said']): string =>
  said === undefined || isNothing(said) ? '' : JSON.stringify(said)

/** What the invitee says leaves as the preview showed it, and a move takes along what the old booking has. */
function saidAsShown(ledger: Ledger, { of, act, marker }: Attempt, { said }: Sent): void {
  if (act !== 'book') return
  const wrong = (than: string) =>
    ledger.report('I37', `${of.object}: ${marker} left with other answers than ${than}`)
  if (of.operation === 'reschedule_booking') {
    const old = ledger.bookingNamed(String(of.pinned['booking_id']))
    if (old && textOf(said) !== textOf(old.invitee.said)) wrong('the old booking has')
    return
  }
  const { answers = [], phone } = of.saidShown ?? {}
  const texts = (all: readonly { answer: string }[]) => all.map(({ answer }) => answer).join('|')
  const number = said?.place?.words ?? undefined
  // The preview shows the last two digits.
  const isSameNumber =
    phone === undefined ? number === undefined : number?.slice(-2) === phone.slice(-2)
  if (texts(said?.answers ?? []) !== texts(answers) || !isSameNumber) wrong('the preview showed')
}

/** A length that had changed before the last look at the free times is no surprise any more. */
function asShown(ledger: Ledger, { act, of, undo, by, marker }: Attempt): void {
  if (act !== 'book' || undo) return
  const { start_time, end_time } = of.pinned
  const shown = Date.parse(String(end_time)) - Date.parse(String(start_time))
  const { ms, since } = ledger.length()
  const looked = ledger.sawTimes.get(by)
  if (shown !== ms && looked !== undefined && since < looked)
    ledger.report(
      'I26',
      `${of.object}: ${marker} left for ${shown} ms, though ${ms} ms had been seen`,
    )
}

function intentFirst(
  ledger: Ledger,
  { of, marker, step, undo, by }: Attempt,
  objects: readonly Seen[],
) {
  const disk = objects.find(({ name }) => name === of.object)?.disk
  const record = disk?.record
  const written =
    record?.state === 'running' &&
    record.id === of.id &&
    intentOf(record) === intentOf({ step, compensating: undo })
  const known = by.outdated
    ? of.intents.has(intentOf({ step, compensating: undo }))
    : written && record.unconfirmedSends > 0
  if (!known) ledger.report('I2', `${of.object}: ${marker} left before its intent was durable`)
  else if (!by.outdated && disk?.alarm === undefined)
    ledger.report('I2', `${of.object}: ${marker} left without an alarm`)
}

/** What a change is about, by what its preview pinned. */
export function meaningOf({
  operation,
  pinned,
}: {
  operation: string
  pinned: Attempt['of']['pinned']
}): string[] {
  const slot = (start: unknown) => `slot ${String(start)}`
  switch (operation) {
    case 'book_consult':
      return [slot(pinned['start_time'])]
    case 'cancel_booking':
    case 'respond_to_booking':
      return [String(pinned['booking_id'])]
    case 'reschedule_booking':
      return [
        String(pinned['booking_id']),
        slot(pinned['start_time']),
        slot(pinned['old_start_time']),
      ]
    case 'create_payment_link':
    case 'end_payment_link':
      return [String(pinned['invoice_id'])]
    default:
      return []
  }
}

function sameMeaning(ledger: Ledger, { of, marker }: Attempt, objects: readonly Seen[]): void {
  const mine = meaningOf(of)
  for (const { name, disk } of objects) {
    if (name === of.object || disk.record?.state !== 'running') continue
    const other = ledger.generations.get(disk.record.id)
    const shared = other && meaningOf(other).find((one) => mine.includes(one))
    if (shared)
      ledger.report('I22', `${of.object}: ${marker} left while ${name} is about ${shared} too`)
  }
}

/** A mutation has reached its provider and taken effect. */
export function onEffect(ledger: Ledger, attempt: Attempt, effect: Effect): void {
  const { of, banned } = attempt
  if (banned !== undefined)
    ledger.report('I8', `${of.object}: ${attempt.act} took effect after ${banned} was answered`)
  of.effects.push(effect)
  const same = ofKey(ledger, of.object).flatMap(({ effects }) => effects)
  if (same.filter((one) => roleOf(one) === roleOf(effect)).length > 1)
    ledger.report('I1', `${of.object}: two effects of one ${roleOf(effect)}`)
  if (madeBy(of, 'new') && madeBy(of, 'restored'))
    ledger.report('I15', `${of.object}: both the new booking and the restored one exist`)
}
