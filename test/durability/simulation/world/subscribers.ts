import { type Topic, TOPIC_NAMES } from '../../../../src/core/domain/events/topics.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../../../src/core/domain/time/duration.ts'
import type { Subscriptions } from '../../../../src/core/ports/events.ts'
import type { Keyring } from '../../../../src/core/ports/keyring.ts'
import type { Random } from '../../../support/random.ts'
import type { Sent, SubscriptionsLedger } from '../auditor/subscriptions.ts'
import type { World } from './world.ts'

/** What webhooks use of the platform: durable-objects/events/platform.ts, in a run. */
export interface WebhookPlatform {
  now(): number
  random(): number
  keyring(): Promise<Pick<Keyring, 'current' | 'seal' | 'open'>>
  mode(): 'live'
  publicUrl(): undefined
  withTimeout(promise: Promise<void>, ms: number): Promise<unknown>
  callers(): Promise<{ isGood(caller: string): boolean; isPaused(caller: string): boolean }>
  report(): Promise<boolean>
  post(delivery: { url: string; headers: Record<string, string> }, ms: number): Promise<Answer>
}

interface Answer {
  status: number
  headers: { get(name: string): string | null }
}

/** One instance of the event log, as its subscribers meet it. */
export interface LogInstance {
  readonly alive: boolean
  /** A promise that never settles for an instance that has ended; it may end there. */
  waits<T>(promise: Promise<T>): Promise<T>
  /** It may end now. */
  mayEnd(): void
}

/** What is seen of a subscription as the log keeps it. */
export interface SubscriptionRow {
  state: 'active' | 'paused' | 'ended'
  caller: string
  url: string
  topics: string[]
  cursor: number
}

interface Given {
  world: World
  own: Random
  ledger: SubscriptionsLedger
  /** How strong the faults are; 0 for none. */
  strength: number
  call<T>(method: (log: Subscriptions) => Promise<T>): Promise<T>
  rows(): readonly (SubscriptionRow & { id: string })[]
  placeOf(eventId: string): number | undefined
  restart(): void
}

const CALLERS = ['key:a', 'key:b', 'key:c'] as const
/** How an endpoint answers: well, or for a while always in one of these ways. */
const MOODS = [
  'well',
  'well',
  'down',
  'refusing',
  'gone',
  'hanging',
  'breaking off',
  'busy',
  'missing',
] as const
type Mood = (typeof MOODS)[number]
const STATUS = { well: 204, down: 503, refusing: 422, gone: 410, busy: 429, missing: 404 } as const
/** How often someone does something about subscriptions in a run: each may be an occasion to do more. */
const MOST_ACTS = 24
const MOST_MADE = 6

/** Those who subscribe to events, and their endpoints. They have chance of their own, so that they shift nothing else. */
export function subscribers({ world, own, ledger, strength, call, rows, placeOf, restart }: Given) {
  const { timeline, faults, tally } = world
  const moods = new Map<string, Mood>()
  /** The subscriptions, by their addresses. */
  const urls = new Map<string, string>()
  let made = 0
  let acts = 0
  /** An endpoint of some runs is down from the beginning, and for some days after faults have stopped. */
  const dead = own.chance(strength * 0.15) ? 'hooks2.example.com' : undefined
  let deadUntil = Infinity
  const strikes = (rate: number): boolean =>
    !faults.cleared && own.chance(Math.min(0.8, rate * strength))
  const aside = (ms: number, what: string, run: () => void): (() => void) =>
    timeline.after(ms, what, run, 'aside')
  const later = <T>(ms: number, what: string, value: () => T | Promise<T>): Promise<T> =>
    new Promise((resolve) => aside(ms, what, () => resolve(value())))

  const subscribe = async (): Promise<void> => {
    const good = CALLERS.filter((caller) => ledger.isGood(caller))
    if (good.length === 0 || made >= MOST_MADE) return
    const caller = own.pick(good)
    const few = TOPIC_NAMES.filter((topic) =>
      topic.startsWith(own.pick(['booking.', 'client.', 'payment_'])),
    )
    const topics: readonly Topic[] = own.chance(0.6) ? TOPIC_NAMES : few
    const url = `https://hooks${own.int(1, 2)}.example.com/${made++}`
    await call((log) =>
      log.subscribe({ caller, url, topics, origin: 'https://consult.example.com' }),
    )
  }

  const anyRow = () => own.pick([undefined, ...rows().filter(({ state }) => state !== 'ended')])

  const act: Record<string, () => Promise<unknown>> = {
    subscribe,
    async unsubscribe() {
      const id = anyRow()?.id
      if (id === undefined) return
      ledger.removing(id)
      await call((log) => log.unsubscribe(id, null))
      ledger.over(id, 'removed')
    },
    async resume() {
      const row = anyRow()
      if (row) await resume(row.id, own.chance(0.4) ? own.int(0, row.cursor) : undefined)
    },
    async renew() {
      const id = anyRow()?.id
      if (id !== undefined) await call((log) => log.renewSecret(id, null))
    },
    async revoke() {
      const caller = own.pick(CALLERS)
      ledger.keyEnded(caller, timeline.now)
      if (strikes(0.3)) return
      const before = [...ledger.subscriptions.values()].filter((one) => one.caller === caller)
      await call((log) => log.endSubscriptions(caller))
      for (const { id } of before) ledger.over(id, 'key ended')
    },
    async pause() {
      const caller = own.pick(CALLERS)
      if (ledger.isPaused(caller)) ledger.unpaused(caller)
      else ledger.paused(caller, timeline.now)
    },
    async mood() {
      moods.set(`hooks${own.int(1, 2)}.example.com`, own.pick(MOODS))
    },
    restart: async () => restart(),
  }

  async function resume(id: string, after?: number): Promise<void> {
    ledger.resuming(id, after)
    await call((log) => log.resumeSubscription(id, null, after))
  }

  /** Someone does something, soon. */
  function maybeAct(): void {
    if (!strikes(0.25) || acts++ >= MOST_ACTS) return
    const what = own.weighted([
      [6, 'mood'],
      [4, 'pause'],
      [3, 'resume'],
      [2, 'restart'],
      [2, 'subscribe'],
      [1, 'unsubscribe'],
      [1, 'renew'],
      [1, 'revoke'],
    ] as const)
    aside(
      own.pick([0, own.int(0, SECOND), own.int(0, MINUTE), own.int(0, 12 * HOUR)]),
      `webhooks: ${what}`,
      () => {
        if (faults.cleared) return
        tally.count(`webhooks: ${what}`)
        void act[what]!().catch(() => tally.count('webhooks: broke off'))
      },
    )
  }

  /** What an endpoint does with a delivery: what it answers, if anything, and whether it takes it then. */
  function answerOf(host: string): {
    status: number | undefined
    taken: number | undefined
    after: number
  } {
    const usual = faults.cleared ? 'well' : (moods.get(host) ?? 'well')
    const isDead = host === dead && timeline.now < deadUntil
    const mood = isDead ? 'down' : strikes(0.06) ? own.pick(MOODS) : usual
    tally.count(`endpoint ${mood}`)
    if (mood === 'hanging') return { status: undefined, taken: undefined, after: Infinity }
    const after = strikes(0.1) ? own.int(SECOND, 20 * SECOND) : own.int(1, 400)
    if (mood === 'breaking off') return { status: undefined, taken: 200, after }
    return { status: STATUS[mood], taken: STATUS[mood], after }
  }

  function post(
    instance: LogInstance,
    { url, headers }: Parameters<WebhookPlatform['post']>[0],
    ms: number,
  ): Promise<Answer> {
    const { host } = new URL(url)
    const place = placeOf(headers['webhook-id']!)
    const id = urls.get(url)
    const sent: Sent | undefined =
      id === undefined || place === undefined
        ? undefined
        : ledger.sending(id, place, instance, timeline.now)
    const { status, taken, after } = answerOf(host)
    maybeAct()
    return new Promise((resolve, reject) => {
      // What no one waits for any more arrives all the same.
      const isLate = after > ms
      if (isLate && after < Infinity)
        aside(
          after,
          `${host} takes a delivery late`,
          () => sent && taken && ledger.arrived(sent, taken),
        )
      aside(
        Math.min(after, ms),
        `${host} answers ${isLate ? 'nothing' : (status ?? 'nothing')}`,
        () => {
          if (sent && taken && !isLate) ledger.arrived(sent, taken)
          instance.mayEnd()
          const answered = isLate ? undefined : status
          if (sent) ledger.answered(sent, answered, instance.alive)
          if (!instance.alive) return
          if (answered !== undefined) resolve({ status: answered, headers: headersOf(answered) })
          else reject(Object.assign(new Error('no answer'), isLate && { name: 'TimeoutError' }))
        },
      )
    })
  }
  const headersOf = (status: number) => {
    const asked = status === 429 || status === 503 ? String(own.pick([1, 30, 600, 90_000])) : null
    return { get: (name: string) => (name === 'Retry-After' ? asked : null) }
  }

  const keyring = ({ waits }: LogInstance): Awaited<ReturnType<WebhookPlatform['keyring']>> => ({
    current: world.keyring.current,
    seal: (...about) => waits(world.keyring.seal(...about)),
    open(...about) {
      const opened = world.keyring.open(...about)
      return waits(
        strikes(0.05) ? later(own.int(1, 400), 'a secret is opened', () => opened) : opened,
      )
    },
  })

  return {
    /** What an instance uses of the platform. */
    platform(instance: LogInstance): WebhookPlatform {
      const right: WebhookPlatform = {
        now: () => timeline.now,
        random: () => own.int(0, 1000) / 1000,
        keyring: () => instance.waits(Promise.resolve(keyring(instance))),
        mode: () => 'live',
        publicUrl: () => undefined,
        withTimeout: (promise, ms) =>
          instance.waits(
            new Promise((resolve) => {
              const callOff = aside(ms, 'the event log waits no longer', () => resolve('late'))
              void promise.then(() => {
                callOff()
                resolve(undefined)
              })
            }),
          ),
        callers() {
          const answer = () => {
            const good = CALLERS.filter((caller) => ledger.isGood(caller))
            const paused = CALLERS.filter((caller) => ledger.isPaused(caller))
            return {
              isGood: (caller: string) => good.some((one) => one === caller),
              isPaused: (caller: string) => paused.some((one) => one === caller),
            }
          }
          if (strikes(0.05))
            return instance.waits(Promise.reject(new Error('the keys cannot be read')))
          maybeAct()
          return instance.waits(
            strikes(0.3)
              ? later(own.int(1, 300), 'the keys are read', answer)
              : Promise.resolve(answer()),
          )
        },
        report: () => instance.waits(Promise.resolve(!strikes(0.2))),
        post: (delivery, ms) => post(instance, delivery, ms),
      }
      return world.policy.webhooks?.(right) ?? right
    },
    /** A subscription was stored. */
    kept(id: string, { state, url, caller, topics, cursor }: SubscriptionRow): void {
      if (state === 'paused') tally.count('webhooks: paused')
      if (ledger.subscriptions.has(id)) return
      urls.set(url, id)
      ledger.made(id, caller, topics, cursor)
    },
    /** An event was appended. */
    appended(): void {
      maybeAct()
    },
    begin(): void {
      for (let count = own.int(1, 3); count > 0; count--) void subscribe().catch(() => {})
    },
    /** Faults have stopped: no one is paused any more, and what was paused by itself goes on. */
    calm(): void {
      for (const caller of CALLERS) ledger.unpaused(caller)
      const isDead = dead !== undefined
      deadUntil = timeline.now + (isDead ? 3 * DAY : 0)
      const resumeAll = (): void => {
        for (const { id, state } of rows()) if (state === 'paused') void resume(id)
      }
      resumeAll()
      // A delivery that is under way then may be the last that fails.
      aside(deadUntil - timeline.now + MINUTE, 'what stopped since is resumed', resumeAll)
    },
  }
}
