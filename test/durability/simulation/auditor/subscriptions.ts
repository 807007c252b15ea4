import { SECOND } from '../../../../src/core/domain/time/duration.ts'
import type { Auditor } from './auditor.ts'

/** How long after its caller was paused, or its key ended, a delivery may still begin: a run asks once, and begins with what it was answered. */
const LATEST = 5 * SECOND
/** How often an endpoint refuses an event before what follows is sent. */
const REFUSALS = 3
const REFUSES_THE_EVENT = [400, 413, 415, 422]

/** What is known of a subscription, whatever the log keeps of it. */
export interface Subscribed {
  readonly id: string
  readonly caller: string
  readonly topics: readonly string[]
  /** Where it was made: what lies before it is not owed. */
  readonly from: number
  /** The last place whose answer the log has received, in an instance that went on. */
  taken: number
  /** Places that arrived, or were refused so often that what follows may be sent. */
  readonly passed: Set<number>
  /** How often each place was refused. */
  readonly refused: Map<number, number>
  /** The instances that have a delivery under way. */
  readonly underWay: Set<object>
  /** How often it was asked to go on from another place: what is under way then does not count. */
  resumes: number
  /** It was asked to be removed, or answered 410, and perhaps nothing came of it. */
  mayBeOver: boolean
  over: 'removed' | 'gone' | 'key ended' | undefined
}

/** One delivery, from its sending until the log has an answer or gives up. */
export interface Sent {
  subscribed: Subscribed
  place: number
  by: object
  resumes: number
}

/** Follows each subscription from where it was made, and judges each delivery when it is sent (I36). */
export function subscriptionsLedger({ report }: Pick<Auditor, 'report'>) {
  const subscriptions = new Map<string, Subscribed>()
  /** Since when callers are paused, and since when their keys have ended. */
  const paused = new Map<string, number>()
  const ended = new Map<string, number>()
  /** The topics of the events, by their places. */
  const topics = new Map<number, string>()
  const say = (what: string): void => report('I36', what)

  /** The places that a subscription has to get, up to one. */
  const owed = ({ from, ...one }: Subscribed, until = Infinity): number[] =>
    [...topics].flatMap(([place, topic]) =>
      place > from && place < until && one.topics.includes(topic) && !one.passed.has(place)
        ? [place]
        : [],
    )

  return {
    subscriptions,
    appended: (place: number, topic: string): void => void topics.set(place, topic),
    paused: (caller: string, since: number): void => void paused.set(caller, since),
    unpaused: (caller: string): void => void paused.delete(caller),
    keyEnded: (caller: string, since: number): void => void ended.set(caller, since),
    /** Whether it holds, and may be sent to. */
    isGood: (caller: string): boolean => !ended.has(caller),
    isPaused: (caller: string): boolean => paused.has(caller),
    made(id: string, caller: string, wanted: readonly string[], from: number): void {
      subscriptions.set(id, {
        id,
        caller,
        topics: wanted,
        from,
        taken: from,
        passed: new Set(),
        refused: new Map(),
        underWay: new Set(),
        resumes: 0,
        mayBeOver: false,
        over: undefined,
      })
    },
    removing(id: string): void {
      const one = subscriptions.get(id)
      if (one) one.mayBeOver = true
    },
    /** Someone was answered that it is over. */
    over(id: string, how: NonNullable<Subscribed['over']>): void {
      const one = subscriptions.get(id)
      if (one) one.over ??= how
    },
    /** It is asked to go on, perhaps from an earlier place: what follows that may be sent again. */
    resuming(id: string, after = Infinity): void {
      const one = subscriptions.get(id)
      if (!one) return
      one.resumes += 1
      one.taken = Math.min(one.taken, after)
    },
    sending(id: string, place: number, by: object, now: number): Sent | undefined {
      const one = subscriptions.get(id)
      if (!one) {
        say(`${id} is sent something, and was never made`)
        return undefined
      }
      const { caller, over } = one
      if (over) say(`${id} is sent event ${place} after it was over (${over})`)
      if (now - (ended.get(caller) ?? Infinity) > LATEST)
        say(`${id} is sent event ${place} after the key of ${caller} ended`)
      if (now - (paused.get(caller) ?? Infinity) > LATEST)
        say(`${id} is sent event ${place} while ${caller} is paused`)
      if (!one.topics.includes(topics.get(place) ?? ''))
        say(`${id} is sent event ${place}, not of its topics`)
      if (one.underWay.has(by)) say(`${id} is sent event ${place} while another is under way`)
      const [missing] = owed(one, place)
      if (missing !== undefined)
        say(`${id} is sent event ${place} before event ${missing} has arrived`)
      if (place <= one.taken) say(`${id} is sent event ${place} again, after its answer was taken`)
      one.underWay.add(by)
      return { subscribed: one, place, by, resumes: one.resumes }
    },
    /** The endpoint has taken it, or refused it. */
    arrived({ subscribed: { passed, refused }, place }: Sent, status: number): void {
      if (status < 300) passed.add(place)
      if (!REFUSES_THE_EVENT.includes(status)) return
      const times = (refused.get(place) ?? 0) + 1
      refused.set(place, times)
      if (times >= REFUSALS) passed.add(place)
    },
    /** The instance that sent it has the answer, or gave up waiting for one. */
    answered(
      { subscribed, place, by, resumes }: Sent,
      status: number | undefined,
      isAlive: boolean,
    ): void {
      subscribed.underWay.delete(by)
      if (!isAlive || status === undefined) return
      // Whether it was resumed before or after the log had the answer is not known here.
      if (status === 410) subscribed.mayBeOver = true
      if (resumes !== subscribed.resumes) return
      if (status < 300) subscribed.taken = Math.max(subscribed.taken, place)
      if (status === 410) subscribed.over ??= 'gone'
    },
    /** All has come to rest, and every endpoint is well: everything has arrived where it was to. */
    atRest(kept: ReadonlyMap<string, 'active' | 'paused' | 'ended'>): void {
      for (const one of subscriptions.values()) {
        const { id, over, caller, mayBeOver } = one
        const state = kept.get(id)
        if (over && state === 'active') say(`${id} is active after it was over (${over})`)
        if (over || ended.has(caller) || (mayBeOver && (state === undefined || state === 'ended')))
          continue
        if (state !== 'active') {
          say(`${id} is ${state ?? 'forgotten'}, and no one ended it`)
          continue
        }
        const missing = owed(one)
        if (missing.length > 0) say(`${id} has never got the events ${missing.join(', ')}`)
      }
    },
  }
}

export type SubscriptionsLedger = ReturnType<typeof subscriptionsLedger>
