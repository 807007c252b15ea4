import { HOUR, MINUTE } from '../../../src/core/domain/time/duration.ts'
import { SIGNED, type SigningProvider } from './webhook-signatures.ts'

/** A webhook that someone registered at a fake provider. */
export interface FakeWebhook {
  id: string
  url: string
  events: string[]
  key: string
  isOn: boolean
  /** Since when its deliveries fail, in epoch milliseconds. */
  failingSince?: number | undefined
  /** Whose it is, in the words of the provider. */
  scope?: string
  /** What the provider was asked to send in place of its own body. */
  template?: string | undefined
}

interface Waiting {
  hook: FakeWebhook
  body: string
  tries: number
  at: number
}

export interface FakeWebhooks {
  hooks: FakeWebhook[]
  /** Something happened: every webhook that is on and wants the event gets it. */
  announce(event: string, bodyFor: (hook: FakeWebhook) => string): void
  /** Sends what is due, and returns the answers. What was not answered 2xx waits, as the provider retries it. */
  deliver(send?: (request: Request) => Promise<Response>): Promise<(number | 'no answer')[]>
  /** What waits to be sent or sent again. */
  waiting(): number
  /** The next delivery is sent twice, or not at all. */
  next(what: 'twice' | 'lost'): void
}

/** How long each provider waits before each retry: Cal.com sends once; Calendly gives up after a day, and disables it. */
const RETRIES: Record<SigningProvider, { gaps: number[]; disables: boolean }> = {
  calendly: { gaps: [MINUTE, 5 * MINUTE, HOUR, 6 * HOUR, 12 * HOUR, 5 * HOUR], disables: true },
  calcom: { gaps: [], disables: false },
  stripe: { gaps: [MINUTE, HOUR, 6 * HOUR, 24 * HOUR, 41 * HOUR], disables: false },
}

/** The sending part of a fake provider: it signs as the provider does, at each attempt. */
export function fakeWebhooks(provider: SigningProvider, now: () => number): FakeWebhooks {
  const hooks: FakeWebhook[] = []
  let queue: Waiting[] = []
  let odd: 'twice' | 'lost' | undefined

  async function attempt(
    one: Waiting,
    send: (request: Request) => Promise<Response>,
  ): Promise<number | 'no answer'> {
    const { hook, body } = one
    const signed = await SIGNED[provider](body, hook.key === '' ? [] : [hook.key], now())
    const headers = { 'Content-Type': 'application/json', ...signed }
    const request = new Request(hook.url, { method: 'POST', headers, body })
    const status = await send(request).then(
      async (response) => {
        await response.body?.cancel()
        return response.status
      },
      () => 'no answer' as const,
    )
    if (typeof status === 'number' && status >= 200 && status < 300) {
      hook.failingSince = undefined
      return status
    }
    hook.failingSince ??= now()
    const { gaps, disables } = RETRIES[provider]
    const gap = gaps[one.tries]
    if (gap !== undefined) queue.push({ ...one, tries: one.tries + 1, at: now() + gap })
    else if (disables) hook.isOn = false
    return status
  }

  return {
    hooks,
    announce(event, bodyFor) {
      for (const hook of hooks.filter(({ isOn, events }) => isOn && events.includes(event))) {
        const one = { hook, body: bodyFor(hook), tries: 0, at: now() }
        queue.push(...(odd === 'lost' ? [] : odd === 'twice' ? [one, { ...one }] : [one]))
      }
      odd = undefined
    },
    async deliver(send = fetch) {
      const due = queue.filter(({ at }) => at <= now())
      queue = queue.filter(({ at }) => at > now())
      const answers: (number | 'no answer')[] = []
      for (const one of due) {
        const isThere = hooks.includes(one.hook) && one.hook.isOn
        if (isThere) answers.push(await attempt(one, send))
      }
      return answers
    },
    waiting: () => queue.length,
    next: (what) => void (odd = what),
  }
}
