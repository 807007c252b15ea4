import { webhookSignature } from '../src/crypto/webhook-signature.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../src/domain/duration.ts'
import { EVERYBODY } from '../src/domain/house-rules.ts'
import { isoSeconds } from '../src/domain/time.ts'
import {
  type DeliveryAnswer,
  afterAnswer,
  isQuick,
  resultOfStatus,
  retryAfterMs,
} from '../src/domain/webhook-schedule.ts'
import { refusedUrl } from '../src/domain/webhook-url.ts'
import { within } from '../src/domain/within.ts'
import type { Env } from '../src/env.ts'
import { shownEvent } from '../src/operations/events.ts'
import type { Keyring } from '../src/ports/index.ts'
import { settingsFrom } from '../src/settings.ts'
import { accessFrom, auditFrom, houseRulesFrom, keyringFrom, sendAlert } from '../src/wiring.ts'
import type { EventTable } from './event-table.ts'
import type { AlarmPart } from './shared-alarm.ts'
import { type SubscriptionRow, type SubscriptionTable, stopped } from './subscriptions.ts'

/** How many deliveries are under way at a time (the platform has six connections), and how many a run begins. */
const AT_ONCE = 6
const IN_A_RUN = 40
/** How many of them may be to endpoints that are not known to be quick: the others are never held up by these. */
const OTHERS_AT_ONCE = 4
/** How many may be to the same host: when one hangs that many subscribers share, the rest is not held up. */
const AT_ONE_HOST = 3
/** How long an answer is waited for, and when one that was lost with its instance is tried again. */
const DEADLINE = 15 * SECOND
const SURELY_OVER = DEADLINE + 5 * SECOND
/** How long a run holds the alarm; what takes longer goes on beside the next one. */
const HOLDS_ALARM = 2 * SECOND
/** When to ask again whether a caller is still paused. */
const ASK_AGAIN = 10 * MINUTE
/** How many stops are reported in a run, and when one that could not be is reported again. */
const REPORTED_IN_A_RUN = 3
const REPORT_AGAIN = HOUR
/** How long one that has ended stays on the list. */
const KEEP_ENDED = 30 * DAY

/** By what the secrets of subscriptions are sealed. */
export const SEAL = 'webhook'

interface Run {
  keyring: Keyring
  /** Whose credentials were asked about: nothing is sent to anybody else. */
  callers: ReadonlySet<string>
  left: number
  promise: Promise<void>
  resolve(): void
}

/**
 * Sends to each subscription the events after its place in the log: one at a time, in order, and at least once. A failure
 * leaves the place as it is; what follows waits with it.
 */
export class WebhookDelivery implements AlarmPart {
  readonly #env: Env
  readonly #events: EventTable
  readonly #table: SubscriptionTable
  readonly #wake: () => void
  readonly #inFlight = new Map<string, { isQuick: boolean; host: string; until: number }>()
  /** Callers that were paused, and when to ask again; subscriptions whose delivery broke off here, and when to go on. */
  readonly #held = new Map<string, number>()

  /** `wake` is called when a delivery has ended after its run. */
  constructor(env: Env, events: EventTable, table: SubscriptionTable, wake: () => void) {
    this.#env = env
    this.#events = events
    this.#table = table
    this.#wake = wake
  }

  dueAt(): number | undefined {
    let first = Infinity
    for (const row of this.#table.all()) first = Math.min(first, this.#dueOf(row))
    for (const { until } of this.#inFlight.values()) first = Math.min(first, until)
    return first === Infinity ? undefined : first
  }

  /** Sends what is due, a bounded number of deliveries. */
  async ring(): Promise<void> {
    const now = Date.now()
    const rows = [...this.#table.all()].filter((row) => this.#dueOf(row) <= now)
    for (const row of rows) if (row.state === 'ended' && row.unreported === null) this.#table.remove(row.id)
    if (rows.some(({ state }) => state === 'active')) {
      // Opened before anything is sent: without it nothing can be.
      const keyring = await keyringFrom(settingsFrom(this.#env))
      const active = [...this.#table.all()].filter(({ state }) => state === 'active')
      const callers = new Set(active.map(({ caller }) => caller))
      await this.#askFor(callers)
      const run: Run = { keyring, callers, left: IN_A_RUN, ...Promise.withResolvers<void>() }
      this.#sendMore(run)
      await within(run.promise, HOLDS_ALARM)
      run.left = 0
    }
    await this.#report()
  }

  /** Ends all of a caller whose credential has ended. */
  end(caller: string): void {
    for (const row of this.#table.all())
      if (row.caller === caller && row.state !== 'ended') this.#table.keep(stopped(row, 'ended', Date.now()))
  }

  /** Sends one body, and says what became of it. Nothing of the answer is read but its status and Retry-After. */
  async send(row: SubscriptionRow, id: string, body: string, keyring: Keyring): Promise<DeliveryAnswer> {
    const began = Date.now()
    const failed = (result: DeliveryAnswer['result']) => ({ result, ms: Date.now() - began })
    try {
      const secrets = await secretsOf(row, keyring, began)
      if (secrets.length === 0) return failed('secret_lost')
      if (refusedUrl(row.url, this.originOf(row)) !== undefined) return failed('connection')
      const timestamp = Math.floor(began / SECOND)
      const response = await fetch(row.url, {
        method: 'POST',
        redirect: 'manual',
        signal: AbortSignal.timeout(DEADLINE),
        headers: {
          'Content-Type': 'application/json',
          'User-Agent': 'consult-connector',
          'webhook-id': id,
          'webhook-timestamp': String(timestamp),
          'webhook-signature': await webhookSignature(secrets, id, timestamp, body),
        },
        body,
      })
      // It is not awaited: a body that never ends is not waited for either.
      void response.body?.cancel().catch(() => undefined)
      const { status, headers } = response
      const asked = retryAfterMs(headers.get('Retry-After'), Date.now())
      return {
        ...failed(resultOfStatus(status)),
        status,
        ...(asked !== undefined && { retryAfterMs: asked }),
      }
    } catch (error) {
      return failed((error as Partial<Error> | null)?.name === 'TimeoutError' ? 'timeout' : 'connection')
    }
  }

  /** The public address of this service, for the addresses in an event. */
  originOf({ origin }: SubscriptionRow): string {
    return settingsFrom(this.#env).PUBLIC_URL ?? origin
  }

  /** When something is to be done for a subscription; never while it is being done, or there is no room for it. */
  #dueOf(row: SubscriptionRow): number {
    if (row.unreported !== null) return row.next_at
    if (row.state === 'ended') return (row.stopped_at ?? 0) + KEEP_ENDED
    if (row.state === 'paused' || this.#inFlight.has(row.id)) return Infinity
    if (!row.topics.some((topic) => this.#events.newest(topic) > row.cursor)) return Infinity
    if (!this.#hasRoom(row)) return Infinity
    return Math.max(row.next_at, this.#held.get(row.caller) ?? 0, this.#held.get(row.id) ?? 0)
  }

  #hasRoom(row: SubscriptionRow): boolean {
    if (this.#inFlight.size >= AT_ONCE) return false
    const flights = [...this.#inFlight.values()]
    if (flights.filter(({ host }) => host === row.host).length >= AT_ONE_HOST) return false
    return isQuick(row) || flights.filter((flight) => !flight.isQuick).length < OTHERS_AT_ONCE
  }

  /** The subscription to serve next: the quick ones first, and of these whoever was served longest ago. */
  #next({ callers }: Run): SubscriptionRow | undefined {
    const now = Date.now()
    let first: SubscriptionRow | undefined
    for (const row of this.#table.all()) {
      if (row.state !== 'active' || !callers.has(row.caller) || this.#dueOf(row) > now) continue
      if (first === undefined || comesBefore(row, first)) first = row
    }
    return first
  }

  /** Begins deliveries as long as there is room for some. The run is over once it may begin no more, or none is under way. */
  #sendMore(run: Run): void {
    while (run.left > 0) {
      const row = this.#next(run)
      if (!row) break
      run.left -= 1
      const { id, host } = row
      this.#inFlight.set(id, { isQuick: isQuick(row), host, until: Date.now() + SURELY_OVER })
      void this.#deliver(row, run.keyring)
        .catch(() => this.#held.set(row.id, Date.now() + MINUTE))
        .finally(() => {
          this.#inFlight.delete(row.id)
          if (run.left > 0) this.#sendMore(run)
          else this.#wake()
        })
    }
    if (run.left === 0 || this.#inFlight.size === 0) run.resolve()
  }

  async #deliver(row: SubscriptionRow, keyring: Keyring): Promise<void> {
    const found = this.#events.next(row.topics, row.cursor)
    if (!found) {
      // What it waited for is older than the log.
      this.#table.keep({ ...row, cursor: this.#events.end() })
      return
    }
    const shown = shownEvent(found.event, this.originOf(row))
    if (!shown) {
      this.#table.keep({ ...row, cursor: found.seq, skipped: row.skipped + 1 })
      return
    }
    const answer = await this.send(row, found.event.id, JSON.stringify(shown), keyring)
    const known = this.#table.get(row.id)
    // Whoever removed, resumed or ended it meanwhile has the last word; a new secret is kept.
    if (known?.state !== 'active' || known.cursor !== row.cursor || known.tries !== row.tries) return
    const now = Date.now()
    const after = { ...known, ...afterAnswer(known, found.seq, answer, now, Math.random()) }
    this.#table.keep(after.state === 'active' ? after : stopped(after, after.state, now))
  }

  /** Asks once a run whether the credentials of these callers still hold, and whether the owner has paused one. */
  async #askFor(callers: ReadonlySet<string>): Promise<void> {
    const [keys, sets] = await Promise.all([
      accessFrom(this.#env).listKeys(),
      houseRulesFrom(this.#env).all(),
    ])
    const now = Date.now()
    const { OWNER_KEY_SHA256, allowAnonymous } = settingsFrom(this.#env)
    const good = new Set([
      ...(OWNER_KEY_SHA256 === undefined ? [] : ['owner']),
      ...(allowAnonymous ? ['anonymous'] : []),
      ...keys
        .filter(({ revoked_at, expires_at }) => revoked_at === null && (expires_at ?? Infinity) > now)
        .map(({ id }) => `key:${id}`),
    ])
    const paused = new Set(sets.filter(({ rules }) => rules.paused).map(({ caller }) => caller))
    for (const caller of callers) {
      this.#held.delete(caller)
      if (!good.has(caller)) this.end(caller)
      else if (paused.has(EVERYBODY) || paused.has(caller)) this.#held.set(caller, now + ASK_AGAIN)
    }
  }

  /** Seals under today's signing secret what is sealed under an earlier one, which may be dropped then. */
  async reseal(): Promise<void> {
    if (this.#table.size === 0) return
    const keyring = await keyringFrom(settingsFrom(this.#env))
    const isOld = (sealed: string | null) => sealed !== null && !sealed.startsWith(`${keyring.current}.`)
    const renewed = async (id: string, sealed: string) => {
      const secret = await keyring.open(SEAL, id, sealed)
      return secret === undefined ? sealed : keyring.seal(SEAL, id, secret)
    }
    for (const { id, state, sealed, sealed_old } of this.#table.all()) {
      if (state === 'ended' || !(isOld(sealed) || isOld(sealed_old))) continue
      const [now, before] = [await renewed(id, sealed), sealed_old && (await renewed(id, sealed_old))]
      const known = this.#table.get(id)
      // Of one that cannot be opened nothing changes.
      if (known?.sealed === sealed && (now !== sealed || before !== sealed_old))
        this.#table.keep({ ...known, sealed: now, sealed_old: before })
    }
  }

  /** Writes the audit entries of those that stopped by themselves, and alerts the owner once. */
  async #report(): Promise<void> {
    const now = Date.now()
    const due = [...this.#table.all()].filter(
      ({ unreported, next_at }) => unreported !== null && next_at <= now,
    )
    // Together, since the alarm waits for them: an alert that is not taken takes as long as a provider may.
    await Promise.all(
      due.slice(0, REPORTED_IN_A_RUN).map(async (row) => {
        const reported = await this.#reportOf(row).catch(() => false)
        const known = this.#table.get(row.id)
        if (known?.unreported !== row.unreported) return
        this.#table.keep(
          reported ? { ...known, unreported: null } : { ...known, next_at: now + REPORT_AGAIN },
        )
      }),
    )
  }

  async #reportOf({
    id,
    caller,
    state,
    unreported,
    stopped_at,
    failing_since,
    url,
  }: SubscriptionRow): Promise<boolean> {
    const at = stopped_at ?? 0
    await auditFrom(this.#env).append([
      {
        id: unreported ?? '',
        at,
        event: 'webhook',
        caller,
        app: null,
        operation: 'deliver_webhook',
        code: state,
        record_id: id,
        operation_id: null,
        request_id: null,
        times: 1,
        shown: null,
        about: null,
      },
    ])
    if (state !== 'paused' || url === '') return true
    const since = isoSeconds(failing_since ?? at)
    const alert = { event: 'webhook_paused', webhook_id: id, caller, since } as const
    console.error(JSON.stringify(alert))
    return sendAlert(this.#env, alert)
  }
}

const comesBefore = (a: SubscriptionRow, b: SubscriptionRow): boolean =>
  isQuick(a) === isQuick(b) ? a.next_at < b.next_at : isQuick(a)

/** The secrets that sign now; none where one cannot be opened any more. */
async function secretsOf(
  { id, sealed, sealed_old, old_until }: SubscriptionRow,
  keyring: Keyring,
  now: number,
): Promise<string[]> {
  const secret = await keyring.open(SEAL, id, sealed)
  if (secret === undefined) return []
  const old = sealed_old === null || old_until <= now ? undefined : await keyring.open(SEAL, id, sealed_old)
  return old === undefined ? [secret] : [secret, old]
}
