import { DAY, SECOND } from '../../core/domain/time/duration.ts'
import { type Alert, alertInWords } from '../../core/ports/unresolved.ts'
import { abortedAfter } from '../../core/with-timeout.ts'

/** The response of a provider, or nothing that can be read as one. */
export type ProviderResponse =
  | { status: number; headers: Headers; body: unknown }
  /** Deadline, reset, redirect or unreadable body: the request may have been acted on. */
  | { status: 'no answer' }

export interface ProviderRequest {
  method: 'GET' | 'POST' | 'DELETE'
  /** Begins with a slash; the caller encodes the ids in it. */
  path: string
  query?: Record<string, string | undefined>
  headers?: Record<string, string>
  /** Sent as JSON, or as a form if it is URLSearchParams. */
  body?: object | URLSearchParams
}

interface ProviderConnection {
  /** Scheme and host, fixed; never taken from a response. */
  baseUrl: string
  headers: Record<string, string>
  timeoutMs: number
  fetch: typeof fetch
}

/** Responses are small; reading stops beyond this. */
const MAX_CHARACTERS = 2_000_000

/** Sends one request: one deadline, no redirect followed, no retry, never throws. */
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
      if (response.status >= 300 && response.status < 400) return { status: 'no answer' }
      const text = await textOf(response)
      if (text === undefined) return { status: 'no answer' }
      return { status: response.status, headers: response.headers, body: jsonOr(text) }
    }
    try {
      return await abortedAfter(timeoutMs, exchange)
    } catch {
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

const MAX_WAIT_S = DAY / SECOND

/** How long a provider asks us to wait, in seconds, from one to a day: the longest of these headers, if one can be read. */
export function secondsToWait(
  headers: Headers,
  names: readonly string[],
  now: number,
): number | undefined {
  const waits = names
    .map((name) => {
      const text = headers.get(name)?.trim() ?? ''
      if (/^[A-Z][a-z]{2}, .* GMT$/.test(text)) return (Date.parse(text) - now) / SECOND
      if (!/^\d+(\.\d+)?$/.test(text)) return NaN
      return Number(text) > 1e9 ? Number(text) - now / SECOND : Number(text)
    })
    .filter((seconds) => Number.isFinite(seconds))
  if (waits.length === 0) return undefined
  return Math.min(MAX_WAIT_S, Math.max(1, Math.ceil(Math.max(...waits))))
}

const contentType = (body: object): string =>
  body instanceof URLSearchParams ? 'application/x-www-form-urlencoded' : 'application/json'

const encoded = (body: object): string =>
  body instanceof URLSearchParams ? body.toString() : JSON.stringify(body)

/** The JSON value of a text; undefined if it is none. */
export function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Posts an event to the owner, without personal data; `text` is what chat programs show. True if it arrived, or no webhook is set. */
export async function postAlert(
  url: string | undefined,
  event: Alert,
  timeoutMs: number,
): Promise<boolean> {
  if (url === undefined) return true
  const headers = { 'Content-Type': 'application/json' }
  const init = {
    method: 'POST',
    redirect: 'manual',
    headers,
    body: JSON.stringify({ ...event, text: alertInWords(event) }),
  } as const
  const { ok } = await abortedAfter(timeoutMs, (signal) => fetch(url, { ...init, signal }))
  return ok
}
