import { DAY, HOUR, MINUTE, SECOND } from './duration.ts'

/** How long to wait after each failed try but the last: ten tries in three days (Standard Webhooks 1.0.0). */
const WAITS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]
const JITTER = 0.2
const LONGEST_RETRY_AFTER = DAY

/** Answers that refuse the event itself: after so many of them the next one is sent. */
const REFUSES_THE_EVENT: ReadonlySet<number> = new Set([400, 413, 415, 422])
const MOST_REFUSALS = 3
const MOST_SKIPS_IN_A_ROW = 10

/** An endpoint that answers within this time is never held up by slower ones. */
const QUICK = 2 * SECOND

/** What became of a delivery. */
export const DELIVERY_RESULTS = [
  'ok',
  'http_3xx',
  'http_4xx',
  'http_5xx',
  'timeout',
  'connection',
  'gone',
  'secret_lost',
] as const
export type DeliveryResult = (typeof DELIVERY_RESULTS)[number]

/** The answer to one try; `status` and `retryAfterMs` where there was one. */
export interface DeliveryAnswer {
  result: DeliveryResult
  status?: number
  retryAfterMs?: number
  ms: number
}

/** `paused` waits for somebody to resume it, `ended` is over. */
export const SUBSCRIPTION_STATES = ['active', 'paused', 'ended'] as const
export type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number]

/** How far a subscription has come. Times are epoch milliseconds. */
export interface Progress {
  state: SubscriptionState
  /** The place in the log of the last event that arrived, or was skipped. */
  cursor: number
  /** Of the event after it: how often it was sent, and how often refused for itself. */
  tries: number
  refusals: number
  next_at: number
  failing_since: number | null
  last_ok_at: number | null
  last_result: DeliveryResult | null
  last_ms: number
  /** How many events were given up, and how many of them since one arrived. */
  skipped: number
  skips_in_a_row: number
}

/** A subscription that has not sent anything yet, from a place on. */
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

const UNTRIED = { tries: 0, refusals: 0, failing_since: null, skips_in_a_row: 0 }

/** Active again, from a place on. */
export const resumed = (progress: Progress, cursor: number, now: number): Progress => ({
  ...progress,
  ...UNTRIED,
  state: 'active',
  cursor,
  next_at: now,
})

/** Whether its endpoint is known to answer well and soon. */
export const isQuick = ({ tries, last_result, last_ms }: Progress): boolean =>
  tries === 0 && last_result === 'ok' && last_ms < QUICK

/** The category of an HTTP status, as the standard takes it: a redirect is a failure, and 410 means never again. */
export function resultOfStatus(status: number): DeliveryResult {
  if (status === 410) return 'gone'
  if (status < 300) return 'ok'
  if (status < 400) return 'http_3xx'
  return status < 500 ? 'http_4xx' : 'http_5xx'
}

/** What a Retry-After asks for, in milliseconds, a day at most; undefined where it says nothing that is understood. */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null) return undefined
  const wait = /^\d{1,9}$/.test(header) ? Number(header) * SECOND : Date.parse(header) - now
  return wait > 0 ? Math.min(wait, LONGEST_RETRY_AFTER) : undefined
}

/** How far a subscription is after an answer to the event at `seq`; `random` is from 0 to 1. */
export function afterAnswer(
  before: Progress,
  seq: number,
  { result, status = 0, retryAfterMs: asked = 0, ms }: DeliveryAnswer,
  now: number,
  random: number,
): Progress {
  const progress = { ...before, last_result: result, last_ms: ms, next_at: now }
  if (result === 'ok') return { ...progress, ...UNTRIED, cursor: seq, last_ok_at: now }
  if (result === 'gone') return { ...progress, state: 'ended' }
  progress.failing_since ??= now
  if (result === 'secret_lost') return { ...progress, state: 'paused' }
  if (REFUSES_THE_EVENT.has(status)) progress.refusals += 1
  if (progress.refusals === MOST_REFUSALS) {
    const skips_in_a_row = before.skips_in_a_row + 1
    const state = skips_in_a_row === MOST_SKIPS_IN_A_ROW ? 'paused' : 'active'
    const skipped = before.skipped + 1
    return { ...progress, state, cursor: seq, tries: 0, refusals: 0, skipped, skips_in_a_row }
  }
  const wait = WAITS[before.tries]
  progress.tries += 1
  if (wait === undefined) return { ...progress, state: 'paused' }
  const jittered = wait * (1 - JITTER + 2 * JITTER * random)
  return { ...progress, next_at: now + Math.round(Math.max(jittered, asked)) }
}
