import { Problem } from '../../core/domain/problem/problem.ts'
import { HOUR, SECOND } from '../../core/domain/time/duration.ts'
import { jsonIn } from '../../core/json.ts'
import { abortedAfter } from '../../core/with-timeout.ts'

/**
 * The response of a provider, without the body of a redirect, and without one that is too long or
 * no JSON.
 */
export type ProviderResponse =
  | { status: number; headers: Headers; body: unknown }
  /** Deadline or reset: the request may have been acted on. */
  | { status: 'no answer' }

export interface ProviderRequest {
  method: 'GET' | 'POST' | 'DELETE'
  /** Begins with a slash; the caller encodes the ids in it. */
  path: string
  query?: Record<string, string | undefined> | undefined
  headers?: Record<string, string>
  /** Sent as JSON, or as a form if it is URLSearchParams. */
  body?: object | URLSearchParams | undefined
}

interface ProviderConnection {
  /** Scheme and host, fixed; never taken from a response. */
  baseUrl: string
  headers: Record<string, string>
  timeoutMs: number
  fetch: typeof fetch
}

/** Reading stops beyond this. A hundred invoices of ten lines are 2.2 million, as Stripe indents them. */
const MAX_CHARACTERS = 4_000_000

/**
 * Sends one request: one deadline, no redirect followed, no retry. Raises only the `rate_limited` of
 * a `fetch` that did not send it.
 */
export const providerHttp =
  ({ baseUrl, headers, timeoutMs, fetch }: ProviderConnection) =>
  async (request: ProviderRequest): Promise<ProviderResponse> => {
    const url = new URL(baseUrl + request.path)
    for (const [name, value] of Object.entries(request.query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, value)
    }
    const exchange = async (signal: AbortSignal): Promise<ProviderResponse> => {
      const response = await fetch(url, {
        method: request.method,
        redirect: 'manual',
        signal,
        headers: {
          Accept: 'application/json',
          ...(request.body ? { 'Content-Type': contentType(request.body) } : {}),
          ...headers,
          ...request.headers,
        },
        ...(request.body ? { body: encoded(request.body) } : {}),
      })
      const { status, headers: answered } = response
      const isRedirect = status >= 300 && status < 400
      const text = isRedirect ? '' : await textOf(response)
      return { status, headers: answered, body: jsonIn(text ?? '') }
    }
    try {
      return await abortedAfter(timeoutMs, exchange)
    } catch (thrown) {
      if (thrown instanceof Problem) throw thrown
      return { status: 'no answer' }
    }
  }

/** The body as text, or undefined if it is too long. */
async function textOf(response: Response): Promise<string | undefined> {
  const decoder = new TextDecoder()
  let text = ''
  for (const reader = response.body?.getReader(); reader;) {
    const { done, value } = await reader.read()
    if (done) break
    text += decoder.decode(value, { stream: true })
    if (text.length > MAX_CHARACTERS) {
      await reader.cancel()
      return undefined
    }
  }
  return text + decoder.decode()
}

/** A provider that asks to wait for longer has mistaken the unit, and is not believed. */
const LONGEST_WAIT_MS = HOUR
const MILLISECONDS_FROM = 1e11
const EPOCHS_FROM = 1e9

/**
 * How long a provider asks us to wait, in seconds, from one on: the longest of these headers that
 * can be believed, up to an hour unless `longestMs` says otherwise.
 */
export function secondsToWait(
  headers: Headers,
  names: readonly string[],
  now: number,
  longestMs = LONGEST_WAIT_MS,
): number | undefined {
  const waits = names
    .map((name) => secondsIn(headers.get(name)?.trim() ?? '', now))
    .filter((seconds) => Math.abs(seconds) * SECOND <= longestMs)
  return waits.length === 0 ? undefined : Math.max(1, Math.ceil(Math.max(...waits)))
}

/** How long a response asks us to wait, whatever its status, in seconds. */
export const retryAfter = (response: ProviderResponse, now: number): number | undefined =>
  response.status === 'no answer'
    ? undefined
    : secondsToWait(response.headers, ['Retry-After'], now)

/**
 * The wait in a header: seconds, an epoch in seconds or milliseconds, or a date. NaN if it is none
 * of them.
 */
function secondsIn(text: string, now: number): number {
  if (/[a-z]/i.test(text)) return (Date.parse(text) - now) / SECOND
  if (!/^\d+(\.\d+)?$/.test(text)) return NaN
  const number = Number(text)
  if (number >= MILLISECONDS_FROM) return (number - now) / SECOND
  return number >= EPOCHS_FROM ? number - now / SECOND : number
}

const contentType = (body: object): string =>
  body instanceof URLSearchParams ? 'application/x-www-form-urlencoded' : 'application/json'

const encoded = (body: object) =>
  body instanceof URLSearchParams ? body.toString() : JSON.stringify(body)
