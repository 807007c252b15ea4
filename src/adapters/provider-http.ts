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
      const text = await response.text()
      if (text.length > MOST_CHARACTERS) return { status: 'no answer' }
      return { status: response.status, headers: response.headers, body: jsonOr(text) }
    } catch {
      return { status: 'no answer' }
    }
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
