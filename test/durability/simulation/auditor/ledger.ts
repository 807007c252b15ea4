import type { Running } from '../../../../src/core/confirm/record.ts'
import type { BookingState, Decision, Said } from '../../../../src/core/domain/booking.ts'
import type { Facts } from '../../../../src/core/domain/facts.ts'
import type { Invariant } from './invariants.ts'

export type Act = 'book' | 'cancel' | 'move' | 'respond' | 'link' | 'end'

/** One mutation that left for a provider. */
export interface Attempt {
  act: Act
  marker: string
  of: Generation
  step: number
  undo: boolean
  sentAt: number
  /** It takes effect until then, or never. */
  landsUntil: number
  /** The instance that sent it, and whether it still waits for the answer. */
  by: { readonly outdated: boolean }
  awaited: boolean
  /** How it is known to the service to have had no effect. */
  proved?: string
  /** A caller was answered that it had no effect. */
  banned?: string
}

/** Something that a mutation of ours brought about at a provider. */
export interface Effect {
  act: Act
  marker: string
  undo: boolean
  /** The booking or link that was made, or the booking that was cancelled. */
  id: string
}

/** One preview of one key, and all that came of it. */
export interface Generation {
  id: string
  object: string
  /** The payload it was made for. */
  tag: string
  operation: string
  pinned: Facts
  /** The text for the client, as its preview showed it. */
  clientText?: unknown
  /** What the invitee says, as its preview showed it. */
  saidShown?: Shown
  /** The owner was alerted about it. */
  alerted?: true
  /** A caller was given its token. */
  shown: boolean
  /** A caller asked to commit it, with that token and payload. */
  asked: boolean
  /** The steps of which a durable record said "sent". */
  intents: Set<string>
  attempts: Attempt[]
  effects: Effect[]
  /** How often a person decided. */
  decisions: number
  /** Whether it waited for a person until no rule asked for one any more. */
  lifted: boolean
  /** The answer of its end, as it was first durable. */
  end?: string
  /** The refusal that used it up. */
  spent?: string
  forgotten: boolean
}

/** What a preview shows of what the invitee says; both are missing where that is nothing. */
export interface Shown {
  answers?: readonly { question: string; answer: string }[]
  phone?: string
}

/** A booking as the provider has it. */
export interface TrueBooking {
  id: string
  start: number
  end: number
  over?: string
  waits: boolean
  /** What the practice said to it. */
  answered?: Decision
  invitee: { email: string; said?: Said; guests?: readonly string[] }
  /** Someone has changed by hand who else is on it. */
  othersChanged?: true
  listedFrom: number
  changedAt: number
}

export const stateOfTrue = ({ over, waits }: TrueBooking): BookingState => {
  if (over) return 'cancelled'
  return waits ? 'pending_host_approval' : 'confirmed'
}

export interface Ledger {
  generations: Map<string, Generation>
  /** The link with this id, as the provider has it. */
  linkNamed(id: string): { invoiceId: string; amount?: number; active?: boolean } | undefined
  /** The booking with this id, as the provider has it. */
  bookingNamed(id: string): TrueBooking | undefined
  bookings(): readonly TrueBooking[]
  /** How long a new booking is, and since when. */
  length(): { ms: number; since: number }
  /** All times at which a booking may begin. */
  starts: readonly number[]
  /** The clients whose deletion the owner asked for, and whether the owner was answered that it is decided. */
  deletions: Map<string, 'asked' | 'decided'>
  /** When an instance last read the free times. */
  sawTimes: WeakMap<object, number>
  report(invariant: Invariant, what: string): void
}

/** The generations of a key that its record still speaks for. */
export const ofKey = ({ generations }: Ledger, object: string): Generation[] =>
  [...generations.values()].filter((one) => one.object === object && !one.forgotten)

/** Whether someone asked to delete the client that this is about: then it may forget what it knew. */
export const isDeleted = ({ deletions }: Ledger, { pinned }: Generation): boolean =>
  deletions.has(String(pinned['client_id']))

export const unproved = ({ attempts }: Generation): Attempt[] =>
  attempts.filter((attempt) => attempt.proved === undefined)

/** What an attempt or effect is there for: the wanted booking and the restored one are two things. */
export const roleOf = ({ act, undo }: { act: Act; undo: boolean }): string =>
  undo ? 'restore' : act

export const intentOf = ({ step, compensating }: Pick<Running, 'step' | 'compensating'>): string =>
  `${step}${compensating ? 'u' : ''}`

export const madeBy = (
  of: Generation,
  role: 'new' | 'restored' | 'cancelled' | 'link',
): Effect | undefined =>
  of.effects.find(({ act, undo }) => {
    if (role === 'cancelled') return act === 'cancel' || act === 'move'
    if (role === 'link') return act === 'link'
    return (act === 'book' || act === 'move') && undo === (role === 'restored')
  })
