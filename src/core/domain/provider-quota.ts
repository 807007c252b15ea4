import { MINUTE, SECOND } from './time/duration.ts'

/** How many requests a provider allows in how many seconds, as it publishes it. */
export interface PublishedLimit {
  requests: number
  seconds: number
  /** The header of an answer that says how many it allows this practice. */
  header?: string
}

/**
 * `reserved`: a change, or a look for what is in doubt; it never waits. `read`: a read or a preview,
 * for a caller. `background`: what no caller waits for; it waits before any caller does.
 */
export type QuotaUse = 'reserved' | 'read' | 'background'

/** The share of what a provider allows that is kept for changes and looks. */
const RESERVE = 1 / 4
/** The share of the rest that is used when the background begins to wait. */
const BACKGROUND = 1 / 2
/**
 * A caller waits once it has used as many times what is left for reads. So one caller alone gets two
 * thirds, and a caller who comes later still finds room: the rule of dynamic thresholds for a shared
 * buffer (Choudhury and Hahne, 1998).
 */
const TIMES_WHAT_IS_LEFT = 2

/** Requests are counted by pieces of a minute, of which one more than a minute has is kept. */
export const SLOT_MS = 5 * SECOND
export const SLOTS = MINUTE / SLOT_MS + 1

/** The requests to one provider of the last minute, by `SLOT_MS`, the newest first. */
export interface SpentRequests {
  /** Those of the caller who asks. */
  own: readonly number[]
  /** Those of all callers and of the background. */
  all: readonly number[]
}

export const perMinute = ({ requests, seconds }: PublishedLimit) =>
  (requests * MINUTE) / (seconds * SECOND)

/**
 * For how many seconds a use has to wait until it may ask a provider that allows `allowed` requests
 * a minute; 0 if it may ask now.
 */
export function secondsUntilFree(
  use: QuotaUse,
  { own, all }: SpentRequests,
  allowed: number,
): number {
  for (let dropped = 0; dropped < SLOTS; dropped += 1) {
    const kept = SLOTS - dropped
    if (mayAsk(use, sum(own.slice(0, kept)), sum(all.slice(0, kept)), allowed))
      return (dropped * SLOT_MS) / SECOND
  }
  return (SLOTS * SLOT_MS) / SECOND
}

function mayAsk(use: QuotaUse, own: number, all: number, allowed: number) {
  const forReads = allowed * (1 - RESERVE)
  switch (use) {
    case 'reserved':
      return true
    case 'read':
      return own < TIMES_WHAT_IS_LEFT * (forReads - all)
    case 'background':
      return all < forReads * BACKGROUND
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)

/** Counts the requests of every caller to one provider over the last minute. */
export class RequestCounter {
  /** The newest slot first; each by caller. */
  #slots: Map<string, number>[] = []
  #newest = 0

  add(caller: string, requests: number, now: number) {
    this.#moveTo(now)
    const slot = (this.#slots[0] ??= new Map())
    slot.set(caller, (slot.get(caller) ?? 0) + requests)
  }

  spent(caller: string, now: number): SpentRequests {
    this.#moveTo(now)
    return {
      own: this.#slots.map((slot) => slot.get(caller) ?? 0),
      all: this.#slots.map((slot) => sum([...slot.values()])),
    }
  }

  /** A clock that is set back begins to count again. */
  #moveTo(now: number) {
    const slot = Math.floor(now / SLOT_MS)
    const passed = slot - this.#newest
    this.#newest = slot
    if (passed < 0 || passed >= SLOTS) this.#slots = []
    else for (let one = 0; one < passed; one += 1) this.#slots.unshift(new Map())
    this.#slots.length = Math.min(this.#slots.length, SLOTS)
  }
}
