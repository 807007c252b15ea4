import { AsyncLocalStorage } from 'node:async_hooks'

import type { Decision, Said } from '../../../../src/core/domain/booking.ts'
import type { StepOutcome, LookupOutcome } from '../../../../src/core/domain/outcome.ts'
import { problem } from '../../../../src/core/domain/problem/problem.ts'
import { HOUR, MINUTE, SECOND } from '../../../../src/core/domain/time/duration.ts'
import type { Attempt, Act, Effect } from '../auditor/ledger.ts'
import type { Kept } from '../auditor/records.ts'
import type { Fault } from '../fault-profile.ts'
import type { Instance } from './durable-object.ts'
import type { Policy, World } from './world.ts'

/** What a mutation is, and what it does when it lands: the answer, and the effect if there is one. */
export interface Mutation {
  act: Act
  marker: string
  /** The booking or invoice it names; a time for a new booking. */
  target: string
  /** The text for the client that goes with it. */
  text?: string | null
  /** What the invitee said goes with it, besides name and address. */
  said?: Said | undefined
  /** The addresses of the other people of a new booking. */
  guests?: readonly string[] | undefined
  /** It is known that the provider takes no booking now. */
  full?: boolean
  /** What the practice says to a request. */
  decision?: Decision
  land(delivery: 'first' | 'second'): { ran: StepOutcome; effect?: string }
  /** Looks whether what refuses it is its own effect: a request may be delivered twice on its way. */
  own?(): LookupOutcome
  /** A limit that is used up is doubted as a refusal is: its own effect may have used it up. */
  doubtsLimit?: boolean
  /** A request may leave and take effect only so long after it was handed over; by default for days. */
  landsWithin?: number
}

const unknown: StepOutcome = { is: 'unknown' }
const busy = (seconds: number): StepOutcome => ({
  is: 'busy',
  refusal: { code: 'provider_busy', effect: 'none', retry_after_seconds: seconds },
})
/** A refusal out of the blue: for good, or of this send only. */
const declined = (act: Act, forGood: boolean): StepOutcome =>
  forGood && act !== 'cancel'
    ? { is: 'refused', refusal: { code: 'slot_unavailable', effect: 'none' } }
    : { is: 'busy', refusal: { code: 'provider_misconfigured', effect: 'none' } }

/** Set for all that an object does because a webhook came: its name. */
export const followingNotification = new AsyncLocalStorage<string>()

/** How one instance talks to a provider. */
export interface Exchange {
  /** Asks and waits for the answer; fails as reads do. */
  ask<T>(what: string, read: () => T): Promise<T>
  /** Looks for the effect of a step. */
  look(marker: string, read: () => LookupOutcome): Promise<LookupOutcome>
  mutate(mutation: Mutation): Promise<StepOutcome>
  /** What the adapter makes of an answer that may leave out whose doing it was. */
  whose(seen: LookupOutcome): LookupOutcome
  /** Something that may be left out of an answer. */
  maybe<T>(value: T): T | undefined
  /** The free times are read at this moment. */
  sawTimes(): void
  adapter: NonNullable<Policy['adapter']>
}

export function exchangeOf(world: World, instance: Instance<Kept>): Exchange {
  const { auditor, settings, random, tally, timeline, faults } = world
  const deadline = settings.providerTimeoutMs
  const { adapter = {} } = world.policy
  const leg = () => (random.chance(0.9) ? random.int(20, 400) : random.int(400, 3000))
  const outage = () =>
    world.outage && timeline.now < world.outage.until ? world.outage.fault : undefined
  const strikes = (fault: Fault): boolean => {
    const now = faults.cleared ? undefined : outage()
    return now === undefined ? faults.strikes(fault) : now === fault
  }
  const slow = (fault: 'slow' | 'readSlow') =>
    faults.strikes(fault) ? random.int(3 * SECOND, deadline - SECOND) : 0

  /** Sends a request through the output gate, and gets its answer or nothing. */
  function request<T>(
    send: (hear: (answer: T | undefined) => void, awaited: boolean) => void,
  ): Promise<T | undefined> {
    const { promise, resolve } = Promise.withResolvers<T | undefined>()
    let over = false
    const hear = (answer: T | undefined): void => {
      if (over) return
      over = true
      off()
      if (instance.alive) resolve(answer)
    }
    const off = timeline.after(
      deadline,
      `${instance.name}: a provider did not answer in time`,
      () => hear(undefined),
    )
    // What is given up before it left may leave all the same: no one promises that it does not.
    instance.release(() => (over && random.chance(0.5) ? undefined : send(hear, !over)))
    return promise
  }

  async function read<T>(what: string, value: () => T): Promise<T | undefined> {
    return request<T>((hear) => {
      if (strikes('readFails') || outage() === 'limited')
        return void timeline.after(leg(), `${what} fails`, () => hear(undefined))
      timeline.after(leg() + slow('readSlow'), `${instance.name} reads ${what}`, () => {
        const found = value()
        timeline.after(leg(), `${what} is answered`, () => hear(found))
      })
    })
  }

  function attemptOf(
    { act, marker }: Mutation,
    awaited: boolean,
    landsUntil: number,
  ): Attempt | undefined {
    // Under a client link, its id stands between the two.
    const [id = '', ...rest] = marker.split('.')
    const step = rest.at(-1) ?? ''
    const of = auditor.ledger.generations.get(id)
    if (!of) return undefined
    const undo = step.endsWith('u')
    return {
      act,
      marker,
      of,
      step: Number.parseInt(step),
      undo,
      sentAt: timeline.now,
      landsUntil,
      by: instance,
      awaited,
    }
  }

  /** Once, before a refusal is believed. */
  async function unlessOurs(ran: StepOutcome, mutation: Mutation): Promise<StepOutcome> {
    const { marker, own, doubtsLimit } = mutation
    const isLimit = ran.is === 'busy' && ran.refusal.code === 'provider_busy'
    const isDoubted = ran.is === 'refused' || (isLimit && doubtsLimit)
    if (!isDoubted || !own) return ran
    const seen = faults.strikes('lookFails') ? undefined : await read(`what refuses ${marker}`, own)
    if (!seen || seen.is === 'unknown') return unknown
    return seen.is === 'ok' ? seen : ran
  }

  return {
    adapter,
    whose: (seen) => (faults.strikes('unsaid') ? unknown : seen),
    maybe: (value) => (faults.strikes('unsaid') ? undefined : value),
    sawTimes: () => auditor.sawTimes(instance, timeline.now),
    async ask(what, value) {
      const found = await read(what, () => ({ value: value() }))
      if (!found) throw problem('provider_busy', { retry_after_seconds: 10 })
      return found.value
    },
    async look(marker, value) {
      const fails = faults.strikes('lookFails')
      const seen = await read(`for ${marker}`, value)
      if (!seen || fails) return random.chance(0.5) ? unknown : busy(10)
      auditor.looked(marker, seen, 'look', timeline.now)
      return seen
    },
    async mutate(mutation) {
      if (followingNotification.getStore() === instance.name)
        auditor.report(
          'I3',
          `${instance.name}: ${mutation.act} ${mutation.marker} was sent for a webhook`,
        )
      let attempt: Attempt | undefined
      const latest = timeline.now + (mutation.landsWithin ?? 72 * HOUR)
      const ran = await request<StepOutcome>((hear, awaited) => {
        if (timeline.now > latest) return
        attempt = attemptOf(mutation, awaited, latest)
        if (!attempt)
          return auditor.report(
            'I2',
            `${instance.name}: ${mutation.marker} left without any record`,
          )
        auditor.sending(attempt, mutation)
        tally.count(`sent ${mutation.act}`)
        if (mutation.said) tally.count(`sent answers: ${mutation.act}`)
        if (mutation.guests) tally.count(`sent guests: ${mutation.act}`)
        timeline.note(`${instance.name} sends ${mutation.act} ${mutation.marker}`)
        fly(attempt, mutation, latest, hear)
      })
      const judged = await unlessOurs(ran ?? unknown, mutation)
      if (attempt) auditor.answered(attempt, judged)
      return judged
    },
  }

  /** What becomes of a mutation that has left. */
  function fly(
    attempt: Attempt,
    mutation: Mutation,
    latest: number,
    hear: (ran: StepOutcome) => void,
  ): void {
    const { act, marker } = mutation
    const what = `${act} ${marker}`
    const land = (
      ms: number,
      then: (ran: StepOutcome) => void,
      delivery: 'first' | 'second' = 'first',
    ): void => {
      timeline.after(ms, `${what} lands`, () => {
        if (timeline.now > latest) return
        const { ran, effect } = mutation.land(delivery)
        timeline.note(`${what}: ${ran.is}`)
        if (ran.is === 'busy') tally.count(`turned away: ${ran.refusal.code}`)
        if (effect !== undefined) {
          if (timeline.now - attempt.sentAt > deadline) tally.count('late landings')
          const done: Effect = { act, marker, undo: attempt.undo, id: effect }
          auditor.effect(attempt, done)
        }
        then(ran)
      })
    }
    const answer = (ran: StepOutcome) =>
      void timeline.after(leg(), `${what} is answered ${ran.is}`, () => hear(ran))
    const late = () =>
      Math.min(
        latest - timeline.now,
        deadline + random.int(0, random.pick([30 * SECOND, 10 * MINUTE, 3 * HOUR, 70 * HOUR])),
      )

    if (strikes('requestLost')) return
    if (strikes('landsLate')) return land(late(), () => {})
    if (strikes('reset')) {
      if (random.chance(0.5)) land(random.chance(0.5) ? leg() : late(), () => {})
      return answer(unknown)
    }
    if (strikes('limited')) return answer(busy(random.int(1, 90)))
    if (strikes('declined')) return answer(declined(act, random.chance(0.5)))
    if (strikes('failsBefore')) return answer(unknown)
    const there = leg() + slow('slow')
    if (strikes('twice')) {
      land(there, () => {})
      return land(there + random.int(1, 1500), strikes('replyLost') ? () => {} : answer, 'second')
    }
    if (strikes('replyLost')) return land(there, () => {})
    if (strikes('failsAfter') || strikes('garbled')) return land(there, () => answer(unknown))
    land(there, answer)
  }
}
