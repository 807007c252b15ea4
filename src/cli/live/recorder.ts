import { Problem } from '../../core/domain/problem/problem.ts'
import { jsonOr } from '../../practice/adapters/provider-http.ts'
import type { Call, Exchange } from './recording.ts'

/** Headers that an adapter reads. The others are not looked at. */
const READ = /^(?:retry-after|(?:x-)?ratelimit[\w-]*|idempotent-replayed)$/i

/** Keeps what is said to a provider and what it answers. It is raw: redact it before it leaves memory. */
export function recorderOf(send: typeof fetch) {
  const exchanges: Exchange[] = []
  const calls: Call[] = []

  const recordedFetch: typeof fetch = async (input, init = {}) => {
    const request = requestOf(input, init)
    try {
      const response = await send(input, init)
      const text = await response.text()
      const { status, headers } = response
      const read = [...headers].filter(([name]) => READ.test(name))
      const body = text === '' ? null : (jsonOr(text) ?? text)
      exchanges.push({ request, response: { status, headers: Object.fromEntries(read), body } })
      return new Response(text === '' ? null : text, { status, headers })
    } catch (thrown) {
      exchanges.push({ request, response: 'no answer' })
      throw thrown
    }
  }

  /** A port whose calls are kept, too. */
  function listening<Port extends object>(port: Port, prefix = ''): Port {
    return new Proxy(port, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name)
        const call = `${prefix}${String(name)}`
        if (typeof value === 'object' && value !== null) return listening(value, `${call}.`)
        if (typeof value !== 'function') return value
        return (...given: unknown[]): unknown => {
          const answered: unknown = Reflect.apply(value, target, given)
          if (!(answered instanceof Promise)) return answered
          return kept(call, given, answered)
        }
      },
    })
  }

  async function kept(call: string, given: unknown[], answered: Promise<unknown>) {
    try {
      const answer = await answered
      calls.push({ call, arguments: given, answer })
      return answer
    } catch (thrown) {
      if (thrown instanceof Problem) {
        const { code, effect } = thrown.refusal
        calls.push({ call, arguments: given, refusal: { code, effect } })
      }
      throw thrown
    }
  }

  return { fetch: recordedFetch, listening, exchanges, calls }
}

function requestOf(input: Parameters<typeof fetch>[0], init: RequestInit): Exchange['request'] {
  const { pathname: path } = new URL(input instanceof Request ? input.url : input)
  const method = (init.method ?? 'GET') as Exchange['request']['method']
  const text = typeof init.body === 'string' ? init.body : ''
  const body = text === '' ? undefined : fieldsIn(text)
  return { method, path, ...(body && { body }) }
}

/** The fields of a body that is JSON or a form. */
export const fieldsIn = (text: string): Record<string, unknown> =>
  (jsonOr(text) as Record<string, unknown> | undefined) ??
  Object.fromEntries(new URLSearchParams(text))
