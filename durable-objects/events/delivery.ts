import { afterAnswer, isQuick, skipping } from '../../src/core/domain/events/webhook-schedule.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../src/core/domain/time/duration.ts'
import type { Keyring } from '../../src/core/ports/keyring.ts'
import { shownEvent } from '../../src/practice/operations/events.ts'
import type { WebhookPlatform } from './platform.ts'
import { DEADLINE, SEAL, type WebhookRequests } from './requests.ts'
import {
  type SubscriptionRow,
  type SubscriptionTable,
  olderSecrets,
  stopped,
} from './subscriptions.ts'
import type { EventTable } from './table.ts'

/**
 * How many deliveries are under way at a time (the platform has six connections), and how many a
 * run begins.
 */
const AT_ONCE = 6
const IN_A_RUN = 40
/**
 * How many of them may be to endpoints that are not known to be quick: the others are never held up
 * by these.
 */
const OTHERS_AT_ONCE = 4
/** When a delivery that was lost with its instance is tried again. */
const LEASE_MS = DEADLINE + 5 * SECOND
/** How long a run holds the alarm; what takes longer goes on beside the next one. */
const RUN_BUDGET_MS = 2 * SECOND
/** When to ask again whether a caller is still paused. */
const ASK_AGAIN = 10 * MINUTE
/** How many stops are reported in a run, and when one that could not be is reported again. */
const REPORTED_IN_A_RUN = 3
const REPORT_AGAIN = HOUR
/** How many events of other topics a subscription is behind before its place is moved. */
const FAR_BEHIND = 500
/** How long one that has ended stays on the list. */
const KEEP_ENDED = 30 * DAY

interface Given extends WebhookPlatform {
  events: EventTable
  table: SubscriptionTable
  requests: WebhookRequests
  /** Called when a delivery has ended after its run. */
  wake(): void
}

interface Run {
  keyring: Keyring
  /** Whose credentials were asked about: nothing is sent to anyone else. */
  callers: ReadonlySet<string>
  left: number
  promise: Promise<void>
  resolve(): void
}

/**
 * Sends to each subscription the events after its place in the log: one at a time, in order, and at
 * least once. A failure leaves the place as it is, and what follows waits with it; an event that
 * the receiver refuses three times is skipped.
 */
export function webhookDelivery(given: Given) {
  const inFlight = new Map<string, { isQuick: boolean; until: number }>()
  /**
   * Callers that were paused, and when to ask again; subscriptions whose delivery broke off here,
   * and when to go on.
   */
  const held = new Map<string, number>()

  function dueAt(): number {
    let first = Infinity
    for (const row of given.table.all()) first = Math.min(first, dueOf(row))
    for (const { until } of inFlight.values()) first = Math.min(first, until)
    return first
  }

  /** Sends what is due, a bounded number of deliveries. */
  async function ring() {
    const now = given.now()
    // One that has not ended here by now, such as before a clock was set, is looked at again later
    // and not at once.
    for (const flight of inFlight.values()) if (flight.until <= now) flight.until = now + LEASE_MS
    const rows = [...given.table.all()].filter((row) => dueOf(row) <= now)
    for (const row of rows)
      if (row.state === 'ended' && row.unreported === null) given.table.remove(row.id)
    if (rows.some(({ state }) => state === 'active')) {
      // Opened before anything is sent: without it nothing can be.
      const keyring = await given.keyring()
      const active = [...given.table.all()].filter(({ state }) => state === 'active')
      const callers = new Set(active.map(({ caller }) => caller))
      await askFor(callers)
      const run: Run = { keyring, callers, left: IN_A_RUN, ...Promise.withResolvers<void>() }
      sendMore(run)
      await given.withTimeout(run.promise, RUN_BUDGET_MS)
      run.left = 0
    }
    await report()
  }

  /** Ends all of a caller whose credential has ended. */
  function end(caller: string) {
    for (const row of given.table.all())
      if (row.caller === caller && row.state !== 'ended')
        given.table.keep(stopped(row, 'ended', given.now()))
  }

  /**
   * Moves the place of those whose topics do not come: an instance that begins looks through all
   * that follows it.
   */
  function moveOn() {
    const { events, table } = given
    const place = events.end()
    for (const row of table.all())
      if (
        place - row.cursor > FAR_BEHIND &&
        row.state !== 'ended' &&
        !events.follows(row.topics, row.cursor)
      )
        table.keep({ ...row, cursor: place })
  }

  /**
   * When something is to be done for a subscription; never while it is being done, or there is no
   * room for it.
   */
  function dueOf(row: SubscriptionRow): number {
    if (row.unreported !== null) return row.next_at
    if (row.state === 'ended') return (row.stopped_at ?? 0) + KEEP_ENDED
    if (row.state === 'paused' || inFlight.has(row.id)) return Infinity
    if (!given.events.follows(row.topics, row.cursor) || !hasRoom(row)) return Infinity
    return Math.max(row.next_at, held.get(row.caller) ?? 0, held.get(row.id) ?? 0)
  }

  function hasRoom(row: SubscriptionRow) {
    if (inFlight.size >= AT_ONCE) return false
    const others = [...inFlight.values()].filter((flight) => !flight.isQuick)
    return isQuick(row) || others.length < OTHERS_AT_ONCE
  }

  /**
   * The subscription to serve next: the quick ones first, and of these the one that was served
   * longest ago.
   */
  function next({ callers }: Run): SubscriptionRow | undefined {
    const now = given.now()
    let first: SubscriptionRow | undefined
    for (const row of given.table.all()) {
      if (row.state !== 'active' || !callers.has(row.caller) || dueOf(row) > now) continue
      if (first === undefined || comesBefore(row, first)) first = row
    }
    return first
  }

  /**
   * Begins deliveries as long as there is room for some. The run is over once it may begin no more,
   * or none is under way.
   */
  function sendMore(run: Run) {
    while (run.left > 0) {
      const row = next(run)
      if (!row) break
      run.left -= 1
      const { id } = row
      inFlight.set(id, { isQuick: isQuick(row), until: given.now() + LEASE_MS })
      void deliver(row, run.keyring)
        .catch(() => held.set(row.id, given.now() + MINUTE))
        .finally(() => {
          inFlight.delete(row.id)
          if (run.left > 0) sendMore(run)
          else given.wake()
        })
    }
    if (run.left === 0 || inFlight.size === 0) run.resolve()
  }

  async function deliver(row: SubscriptionRow, keyring: Keyring) {
    const { events, table, requests } = given
    const found = events.next(row.topics, row.cursor)
    if (!found) {
      // What it waited for is older than the log.
      table.keep({ ...row, cursor: events.end() })
      return
    }
    const { seq, event } = found
    const shown = shownEvent(event, requests.originOf(row))
    if (!shown) {
      table.keep({ ...row, ...skipping(row, seq) })
      return
    }
    // If it was removed, resumed or ended meanwhile, that stands; a new secret is kept.
    const asItWas = (): SubscriptionRow | undefined => {
      const known = table.get(row.id)
      const isSame = known?.cursor === row.cursor && known.tries === row.tries
      return isSame && known.state === 'active' ? known : undefined
    }
    const wanted = () => asItWas() !== undefined
    const answer = await requests.send(row, shown, keyring, wanted)
    const known = asItWas()
    if (!answer || !known) return
    const now = given.now()
    const after = { ...known, ...afterAnswer(known, seq, answer, now, given.random()) }
    table.keep(after.state === 'active' ? after : stopped(after, after.state, now))
  }

  /**
   * Asks once a run whether the credentials of these callers still hold, and whether the owner has
   * paused one.
   */
  async function askFor(callers: ReadonlySet<string>) {
    const { isGood, isPaused } = await given.callers()
    const again = given.now() + ASK_AGAIN
    for (const caller of callers) {
      held.delete(caller)
      if (!isGood(caller)) end(caller)
      else if (isPaused(caller)) held.set(caller, again)
    }
  }

  /** Seals under today's signing secret what is sealed under an earlier one, which may be dropped then. */
  async function reseal() {
    if (given.table.size === 0) return
    const keyring = await given.keyring()
    const isOld = (sealed: string) => !sealed.startsWith(`${keyring.current}.`)
    const renewed = async (id: string, sealed: string) => {
      const secret = await keyring.open(SEAL, id, sealed)
      return secret === undefined ? sealed : keyring.seal(SEAL, id, secret)
    }
    for (const row of given.table.all()) {
      const { id, sealed } = row
      const all = [sealed, ...olderSecrets(row).map((one) => one.sealed)]
      if (row.state === 'ended' || !all.some(isOld)) continue
      const [now = sealed, ...older] = await Promise.all(all.map((one) => renewed(id, one)))
      const known = given.table.get(id)
      // Of one that cannot be opened nothing changes.
      if (known?.sealed === sealed && [now, ...older].join() !== all.join())
        given.table.keep({ ...known, sealed: now, sealed_old: older.join(' ') || null })
    }
  }

  /** Writes the audit entries of those that stopped by themselves, and alerts the owner once. */
  async function report() {
    const now = given.now()
    const due = [...given.table.all()].filter(
      ({ unreported, next_at }) => unreported !== null && next_at <= now,
    )
    // Together, since the alarm waits for them: an alert that is not taken takes as long as a provider may.
    await Promise.all(
      due.slice(0, REPORTED_IN_A_RUN).map(async (row) => {
        const reported = await given.report(row).catch(() => false)
        const known = given.table.get(row.id)
        if (known?.unreported !== row.unreported) return
        given.table.keep(
          reported ? { ...known, unreported: null } : { ...known, next_at: now + REPORT_AGAIN },
        )
      }),
    )
  }

  return { dueAt, ring, end, moveOn, reseal }
}

export type WebhookDelivery = ReturnType<typeof webhookDelivery>

const comesBefore = (a: SubscriptionRow, b: SubscriptionRow) =>
  isQuick(a) === isQuick(b) ? a.next_at < b.next_at : isQuick(a)
