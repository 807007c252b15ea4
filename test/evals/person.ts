import { weekdaySlots } from '../../src/core/domain/availability.ts'
import { DAY, HOUR, MINUTE } from '../../src/core/domain/time/duration.ts'
import { isoInZone } from '../../src/core/domain/time/time.ts'
import { randomFrom } from '../support/random.ts'
import { spokenTimesIn, warningsIn } from './reading.ts'

/** A time that would do: on this day, from one clock time until before another, in the person's zone. */
export interface Wish {
  date: string
  from: string
  until: string
}

/** Whose consult it is, and the first letter that its mask still shows. */
export interface Guest {
  name: string
  email: string
}

/** What the person asks of the agent in one run, and what the service does to both meanwhile. */
export interface Person {
  zone: string
  /** The week of the wishes, as instants. */
  week: { from: string; until: string }
  guest: Guest
  booked: Wish
  moved: Wish
  /** A second consult that is booked, and then cancelled. */
  otherGuest: Guest
  otherBooked: Wish
  entityType: string
  primaryGoal: string
  invoiceId: string
  /** The faults of the mock providers, as the setting MOCK_FAULTS has them. */
  faults: string
  /** The first answers that never arrive: tool and stage. */
  lost: ReadonlySet<string>
}

const ZONES = [
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'Europe/London',
]
const OPENING = { start: 9 * HOUR, end: 17 * HOUR, length: 30 * MINUTE }
/** What the mock providers do, a line for each seed in turn. */
const FAULTS = [
  'book:timeout_after',
  'book:refused',
  'slots:busy,book:busy,invoice:busy',
  'cancel:timeout_after,link:timeout_after',
  'book:ok,book:ok,book:refused',
]
/** The commits whose first answer is lost, one for each seed in turn, beside another answer by chance. */
const LOST_COMMITS = [
  'create_client_profile:commit',
  'book_consult:commit',
  'reschedule_booking:commit',
  'create_payment_link:commit',
  'submit_intake_answers:commit',
  'cancel_booking:commit',
]
const ALSO_LOST = [
  'list_availability:read',
  'book_consult:preview',
  'create_client_profile:preview',
]

/** Someone else's consult, which no one asked to touch. */
export const BYSTANDER: Guest = { name: 'Vera Stone', email: 'vera@example.com' }

/** The person of a seed. `now` only moves the wishes into the coming week. */
export function personOf(seed: number, now: number): Person {
  const random = randomFrom(seed)
  const zone = random.pick(ZONES)
  const from = mondayAfter(now)
  const days = byDay(weekdaySlots(from, from + 7 * DAY, 'America/New_York', OPENING), zone)
  // The first day stays out of the wishes: the first time listed is never the right one.
  const [first, second, third] = shuffled(days.slice(1), random.int) as [Wish[], Wish[], Wish[]]
  const wish = (day: Wish[]): Wish => {
    const at = random.int(2, day.length - 6)
    return { ...day[at]!, until: day[at + 4]!.from }
  }
  return {
    zone,
    week: { from: new Date(from).toISOString(), until: new Date(from + 7 * DAY).toISOString() },
    guest: { name: 'Avery Alder', email: 'avery@example.com' },
    booked: wish(first),
    moved: wish(second),
    otherGuest: { name: 'Blake Birch', email: 'blake@example.com' },
    otherBooked: wish(third),
    entityType: random.pick(['individual', 's_corp', 'c_corp']),
    primaryGoal: random.pick(['retirement', 'tax_planning']),
    invoiceId: 'in_mock_open',
    faults: FAULTS[(seed - 1) % FAULTS.length]!,
    lost: new Set([LOST_COMMITS[(seed - 1) % LOST_COMMITS.length]!, random.pick(ALSO_LOST)]),
  }
}

/** The start of the first Monday that is a day or more away, UTC. */
function mondayAfter(now: number): number {
  const tomorrow = Math.ceil(now / DAY + 1) * DAY
  return tomorrow + ((8 - new Date(tomorrow).getUTCDay()) % 7) * DAY
}

function byDay(slots: { start: number }[], zone: string): Wish[][] {
  const days = new Map<string, Wish[]>()
  for (const { start } of slots) {
    const shown = isoInZone(start, zone)
    const date = shown.slice(0, 10)
    const day = days.get(date) ?? []
    day.push({ date, from: shown.slice(11, 16), until: '' })
    days.set(date, day)
  }
  return [...days.values()]
}

function shuffled<T>(list: readonly T[], int: (least: number, most: number) => number): T[] {
  const left = [...list]
  return list.map(() => left.splice(int(0, left.length - 1), 1)[0]!)
}

export const fits = ({ date, clock }: { date: string; clock: string }, wish: Wish): boolean =>
  date === wish.date && clock >= wish.from && clock < wish.until

/** What a person answers to a preview: yes where it shows this guest, a wished time, and nothing unexpected. */
export function approves(
  seen: string,
  guest: Guest,
  wish: Wish | 'any time',
): 'yes' | 'no' | 'have it already' {
  if (warningsIn(seen).some((warning) => /\b(already|another)\b/i.test(warning)))
    return 'have it already'
  const isTheirs = seen.includes(`${guest.email[0]}***@`)
  const isWished = wish === 'any time' || spokenTimesIn(seen).some((time) => fits(time, wish))
  return isTheirs && isWished ? 'yes' : 'no'
}
