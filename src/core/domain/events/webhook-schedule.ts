import { DAY, HOUR, MINUTE, SECOND } from '../time/duration.ts'

/** The waits after the first failed tries, and after later ones on the first day and from then on. */
const FIRST_WAITS = [SECOND, 5 * SECOND, 20 * SECOND, MINUTE, 5 * MINUTE]
const WAIT_ON_FIRST_DAY = 15 * MINUTE
const LONGEST_WAIT = HOUR
/** A random part of a delay, at most this much, is left out, so that deliveries do not come back at once. */
const JITTER = 0.2

/** When a webhook is paused: after three days and ten tries, since this service may have been off. */
const FAILS_AT_MOST = 3 * DAY
const LEAST_TRIES = 10

/** Statuses that refuse the event itself. After three of them it is skipped, and the next event is sent. */
const REFUSES_THE_EVENT: ReadonlySet<number> = new Set([400, 413, 415, 422])
const MOST_REFUSALS = 3

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

/** How far a subscription has come. Times are epoch milliseconds. */
export interface Progress {
  state: SubscriptionState
  /** The place in the log of the last event that arrived or was skipped. */
  cursor: number
  /** Of the event after the cursor: the tries that failed since its last refusal, and its refusals. */
  tries: number
  refusals: number
  next_at: number
  failing_since: number | null
  last_ok_at: number | null
  last_result: DeliveryResult | null
  last_ms: number
  /** How many events the receiver refused three times, or could not be read. */
  skipped: number
}

/** A subscription that has sent nothing yet, from this place in the log on. */
export const freshProgress = (cursor: number, now: number): Progress => ({
  state: 'active',
  cursor,
  ...UNTRIED,
  next_at: now,
  last_ok_at: null,
  last_result: null,
  last_ms: 0,
  skipped: 0,
})

const UNTRIED = { tries: 0, refusals: 0, failing_since: null }

/** Active from this place on, and due at once. */
export const resumed = (progress: Progress, cursor: number, now: number): Progress => ({
  ...progress,
  ...UNTRIED,
  state: 'active',
  cursor,
  next_at: now,
})

/** Goes on after an event that cannot be sent. */
export const skipping = (progress: Progress, seq: number): Progress => ({
  ...progress,
  ...UNTRIED,
  cursor: seq,
  skipped: progress.skipped + 1,
})

/** Whether its last try succeeded quickly. */
export const isQuick = ({ tries, last_result, last_ms }: Progress) =>
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

/** The progress after an answer to the event at `seq`, the next one; `random` is 0 to 1. */
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
  const progress = { ...before, last_result: result, last_ms: ms, next_at: now }
  if (result === 'ok') return { ...progress, ...UNTRIED, cursor: seq, last_ok_at: now }
  const isRefused = REFUSES_THE_EVENT.has(status)
  const refusals = before.refusals + (isRefused ? 1 : 0)
  if (isRefused && refusals >= MOST_REFUSALS) return skipping(progress, seq)
  // A receiver that refuses an event is reachable, so the delays begin again.
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
/** Up to this number, the events that a webhook still has to send are counted. */
export const MOST_COUNTED = 1000
/** The most characters of the address of a webhook. */
export const LONGEST_WEBHOOK_URL = 2000
