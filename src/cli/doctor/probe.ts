import { isLoopback } from '../../core/domain/origin.ts'
import { SECOND } from '../../core/domain/time/duration.ts'
import { Failed } from '../../owner/health/check-runner.ts'
import { jsonIn } from '../cli-error.ts'

export interface ProbeAnswer {
  status: number
  headers: Headers
  text: string
  /** The JSON value of the body, or of the last message of an event stream; undefined without JSON. */
  json: unknown
}

/** The connector as hosts reach it. */
export interface Probe {
  /** Scheme, host and port. */
  origin: string
  isLoopback: boolean
  key: string | undefined
  /** Sends a request and follows no redirect; the same GET only once. Throws `Failed` without a response. */
  ask(address: string, init?: RequestInit): Promise<ProbeAnswer>
}

const DEADLINE = 15 * SECOND

/** A probe of the connector at this URL, with this key. `reach` is the network, which tests replace. */
export function probeOf(url: URL, key: string | undefined, reach = fetch): Probe {
  const { origin } = url
  const asked = new Map<string, Promise<ProbeAnswer>>()
  const ask = async (address: string, init: RequestInit): Promise<ProbeAnswer> => {
    const signal = AbortSignal.timeout(DEADLINE)
    try {
      const response = await reach(new URL(address, origin), {
        ...init,
        redirect: 'manual',
        signal,
      })
      const text = await response.text()
      return { status: response.status, headers: response.headers, text, json: lastJsonIn(text) }
    } catch (thrown) {
      throw new Failed(`No answer: ${reasonOf(thrown)}.`)
    }
  }
  return {
    origin,
    isLoopback: isLoopback(origin),
    key,
    ask(address, init) {
      if (init !== undefined) return ask(address, init)
      const known = asked.get(address) ?? ask(address, {})
      asked.set(address, known)
      return known
    },
  }
}

/** The object in a JSON response. Throws `Failed` for any other response. */
export function objectIn(
  { status, json, headers }: ProbeAnswer,
  from: string,
): Record<string, unknown> {
  if (isChallenge({ status, headers }))
    throw new Failed(`${from} answers with a browser challenge.`)
  if (status !== 200) throw new Failed(`${from} answers ${status}.`)
  if (typeof json !== 'object' || json === null) throw new Failed(`${from} answers no JSON.`)
  return json as Record<string, unknown>
}

/** Throws `Failed` with this text unless the condition holds. */
export function mustHold(holds: boolean, otherwise: string): void {
  if (!holds) throw new Failed(otherwise)
}

/** Whether this is Cloudflare's challenge page, which only a person in a browser passes. */
export const isChallenge = ({
  status,
  headers,
}: Pick<ProbeAnswer, 'status' | 'headers'>): boolean =>
  headers.get('cf-mitigated') === 'challenge' ||
  ((status === 403 || status === 503) &&
    (headers.get('Content-Type') ?? '').startsWith('text/html'))

/** The header with the key, if there is one. */
export const withKey = ({ key }: Probe): Record<string, string> =>
  key === undefined ? {} : { Authorization: `Bearer ${key}` }

function lastJsonIn(text: string): unknown {
  const streamed = text.split('\n').filter((line) => line.startsWith('data: {'))
  return jsonIn(streamed.at(-1)?.slice('data: '.length) ?? text)
}

function reasonOf(thrown: unknown): string {
  const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown
  const code: unknown = cause instanceof Error ? Reflect.get(cause, 'code') : undefined
  if (typeof code === 'string') return code
  return cause instanceof Error ? cause.message : String(cause)
}
