/** What came back from a provider: an answer, or nothing that could be understood as one. */
export type Heard =
  | { status: number; headers: Headers; body: unknown }
  /** Deadline, reset, redirect or unreadable body: the request may have been acted on. */
  | { status: 'no answer' }

export interface ProviderRequest {
  method: 'GET' | 'POST'
  /** Begins with a slash; ids in it are encoded by the caller. */
  path: string
  query?: Record<string, string | undefined>
  headers?: Record<string, string>
  /** Sent as JSON, or as it is when it is URLSearchParams (form). */
  body?: object | URLSearchParams
}

export interface ProviderConnection {
  /** Scheme and host, fixed; never taken from an answer. */
  baseUrl: string
  headers: Record<string, string>
  timeoutMs: number
  fetch: typeof fetch
}

/** Answers are small; a longer one is not read to its end. */
const MOST_CHARACTERS = 2_000_000

/** Asks a provider once: one deadline, no redirect followed, nothing retried, never throws. */
export const providerHttp =
  ({ baseUrl, headers, timeoutMs, fetch }: ProviderConnection) =>
  async (request: ProviderRequest): Promise<Heard> => {
    const url = new URL(baseUrl + request.path)
    for (const [name, value] of Object.entries(request.query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, value)
    }
    try {
      const response = await fetch(url, {
        method: request.method,
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
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
    } catch {
      return { status: 'no answer' }
    }
  }

/** The body as text, or undefined when it is too long; the rest is then not read. */
async function textOf(response: Response): Promise<string | undefined> {
  const decoder = new TextDecoder()
  let text = ''
  for (const reader = response.body?.getReader(); reader;) {
    const { done, value } = await reader.read()
    if (done) break
    text += decoder.decode(value, { stream: true })
    if (text.length > MOST_CHARACTERS) {
      await reader.cancel()
      return undefined
    }
  }
  return text + decoder.decode()
}

const LONGEST_WAIT = 24 * 60 * 60

/**
 * How long a provider asks us to wait, in seconds: the longest of these headers, each a number of seconds, a date, or
 * a moment in Unix time. At least a second and at most a day; undefined when none of them can be read.
 */
export function secondsToWait(headers: Headers, names: readonly string[], now: number): number | undefined {
  const waits = names
    .map((name) => {
      const text = headers.get(name)?.trim() ?? ''
      if (/^[A-Z][a-z]{2}, .* GMT$/.test(text)) return (Date.parse(text) - now) / 1000
      if (!/^\d+(\.\d+)?$/.test(text)) return NaN
      return Number(text) > 1e9 ? Number(text) - now / 1000 : Number(text)
    })
    .filter((seconds) => Number.isFinite(seconds))
  if (waits.length === 0) return undefined
  return Math.min(LONGEST_WAIT, Math.max(1, Math.ceil(Math.max(...waits))))
}

const contentType = (body: object): string =>
  body instanceof URLSearchParams ? 'application/x-www-form-urlencoded' : 'application/json'

const encoded = (body: object): string =>
  body instanceof URLSearchParams ? body.toString() : JSON.stringify(body)

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
