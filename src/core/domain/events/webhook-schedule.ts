import { DAY, HOUR, MINUTE, SECOND } from '../time/duration.ts'

/** The waits after the first failed tries, and after later ones on the first day and from then on. */
const FIRST_WAITS = [SECOND, 5 * SECOND, 20 * SECOND, MINUTE, 5 * MINUTE]
const WAIT_ON_FIRST_DAY = 15 * MINUTE
const LONGEST_WAIT = HOUR
/** A random part of a wait, at most this much, is left out, so that deliveries do not come back at once. */
const JITTER = 0.2

/** When a webhook is paused: after three days and ten tries, since this service may have been off. */
const FAILS_AT_MOST = 3 * DAY
const LEAST_TRIES = 10

/** Statuses that refuse the event itself. After three of them it is set aside, and the next event is sent. */
const REFUSES_THE_EVENT: ReadonlySet<number> = new Set([400, 413, 415, 422])
const MOST_REFUSALS = 3
/** For how long an event that was set aside is tried again. */
const TRIED_ALONE = DAY

/** Slower endpoints never hold up one that answers within this time. */
const QUICK = 2 * SECOND

const FAILED_RESULTS = [
  'http_3xx',
  'http_4xx',
  'http_5xx',
  'timeout',
  'connection',
  'gone',
  'secret_lost',
] as const
/** What became of a delivery. */
export const DELIVERY_RESULTS = ['ok', ...FAILED_RESULTS] as const
export type DeliveryResult = (typeof DELIVERY_RESULTS)[number]

/** The result of one try; `status` and `retryAfterMs` only if there was an answer. */
export type DeliveryAnswer = {
  result: DeliveryResult
  status?: number
  retryAfterMs?: number
  ms: number
}

/** A `paused` subscription waits until a person resumes it; an `ended` one is over. */
export const SUBSCRIPTION_STATES = ['active', 'paused', 'ended'] as const
export type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number]

/** An event, by its place in the log, that its receiver refused. It is tried alone. Times are epoch ms. */
type RefusedEvent = { seq: number; since: number; tries: number; next_at: number }

/** How far a subscription has come. Times are epoch milliseconds. */
export interface Progress {
  state: SubscriptionState
  /** The place in the log of the last event that arrived, was set aside, or cannot be read. */
  cursor: number
  /** The events that were set aside, the oldest first. */
  refused: readonly RefusedEvent[]
  /** Of the event after the cursor: the tries that failed since its last refusal, and its refusals. */
  tries: number
  refusals: number
  next_at: number
  failing_since: number | null
  last_ok_at: number | null
  last_result: DeliveryResult | null
  last_ms: number
  skipped: number
}

/** A subscription that has sent nothing yet, from this place in the log on. */
export const freshProgress = (cursor: number, now: number): Progress => ({
  state: 'active',
  cursor,
  refused: [],
  ...UNTRIED,
  next_at: now,
  last_ok_at: null,
  last_result: null,
  last_ms: 0,
  skipped: 0,
})

const UNTRIED = { tries: 0, refusals: 0, failing_since: null }

/** Active from this place on, and due at once; events set aside after it come again in their turn. */
export const resumed = (progress: Progress, cursor: number, now: number): Progress => ({
  ...progress,
  ...UNTRIED,
  state: 'active',
  cursor,
  refused: progress.refused
    .filter(({ seq }) => seq <= cursor)
    .map((one) => ({ ...one, next_at: now })),
  next_at: now,
})

/** Gives up an event that cannot be sent any more. */
export const givenUp = (progress: Progress, seq: number): Progress => ({
  ...progress,
  cursor: Math.max(progress.cursor, seq),
  refused: progress.refused.filter((one) => one.seq !== seq),
  skipped: progress.skipped + 1,
})

/** Whether its last try succeeded quickly. */
export const isQuick = ({ tries, last_result, last_ms }: Progress): boolean =>
  tries === 0 && last_result === 'ok' && last_ms < QUICK

/** The result for an HTTP status (Standard Webhooks): a redirect fails, and 410 ends the subscription. */
export function resultOfStatus(status: number): DeliveryResult {
  if (status === 410) return 'gone'
  if (status < 300) return 'ok'
  if (status < 400) return 'http_3xx'
  return status < 500 ? 'http_4xx' : 'http_5xx'
}

/**
 * The wait that Retry-After asks for (RFC 9110, section 10.2.3: seconds or a date), in milliseconds
 * and at most an hour. Undefined if it cannot be parsed or asks for no wait.
 */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null) return undefined
  const isSeconds = /^\d{1,9}$/.test(header)
  const waitMs = isSeconds ? Number(header) * SECOND : Date.parse(header) - now
  // The wait until a date that cannot be parsed is NaN.
  if (Number.isNaN(waitMs) || waitMs <= 0) return undefined
  return Math.min(waitMs, LONGEST_WAIT)
}

/** The wait before the next try; `random` is from 0 to 1. */
function waitAfter(tries: number, failedFor: number, asked: number, random: number): number {
  const wait = FIRST_WAITS[tries - 1] ?? (failedFor < DAY ? WAIT_ON_FIRST_DAY : LONGEST_WAIT)
  return Math.round(Math.max(wait * (1 - JITTER * random), asked))
}

/** The progress after an answer to the event at `seq`, the next one or one set aside; `random` is 0 to 1. */
export function afterAnswer(
  before: Progress,
  seq: number,
  { result, status = 0, retryAfterMs: asked = 0, ms }: DeliveryAnswer,
  now: number,
  random: number,
): Progress {
  if (result === 'gone') return { ...before, state: 'ended', last_result: result }
  if (result === 'secret_lost')
    return {
      ...before,
      state: 'paused',
      last_result: result,
      failing_since: before.failing_since ?? now,
    }
  const alone = before.refused.find((one) => one.seq === seq)
  if (alone) {
    if (result === 'ok')
      return { ...before, refused: before.refused.filter((one) => one !== alone), last_ok_at: now }
    if (now - alone.since >= TRIED_ALONE) return givenUp(before, seq)
    const tries = alone.tries + 1
    const next_at = now + waitAfter(tries, now - alone.since, asked, random)
    const again = { ...alone, tries, next_at }
    return { ...before, refused: before.refused.map((one) => (one === alone ? again : one)) }
  }
  const progress = { ...before, last_result: result, last_ms: ms, next_at: now }
  if (result === 'ok') return { ...progress, ...UNTRIED, cursor: seq, last_ok_at: now }
  const isRefused = REFUSES_THE_EVENT.has(status)
  const refusals = before.refusals + (isRefused ? 1 : 0)
  if (isRefused && refusals >= MOST_REFUSALS && before.refused.length < MOST_REFUSED) {
    const aside = {
      seq,
      since: now,
      tries: refusals,
      next_at: now + waitAfter(refusals, 0, 0, random),
    }
    return { ...progress, ...UNTRIED, cursor: seq, refused: [...before.refused, aside] }
  }
  // A receiver that refuses an event is reachable, so its waits begin again.
  const tries = isRefused ? refusals : before.tries + 1
  const failing_since = before.failing_since ?? now
  const failedFor = now - failing_since
  const next_at = now + waitAfter(tries, failedFor, isRefused ? 0 : asked, random)
  const isOver = failedFor >= FAILS_AT_MOST && tries >= LEAST_TRIES
  return {
    ...progress,
    state: isOver ? 'paused' : 'active',
    tries,
    refusals,
    failing_since,
    next_at,
  }
}

/** The most webhooks of one caller, and of all callers together. */
export const MOST_WEBHOOKS_OF_A_CALLER = 20
export const MOST_WEBHOOKS = 1000
/** The most events of one webhook that are set aside. */
export const MOST_REFUSED = 100
/** Up to this number, the events that a webhook still has to send are counted. */
export const MOST_COUNTED = 1000
/** The most characters of the address of a webhook. */
export const LONGEST_WEBHOOK_URL = 2000
