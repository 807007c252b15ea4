import { MINUTE } from '../../../../src/core/domain/time/duration.ts'
import type { World } from '../world/world.ts'
import { randomPayload, type Payload, respelled } from './payloads.ts'
import { type Act, whatNext } from './what-next.ts'
import { callWorker, type CallAnswer } from './worker.ts'

/** One idempotency key, and the caller behind it. */
export interface Key {
  key: string
  caller: string
  payload: Payload
  token?: string
  calls: number
  /** The last answer it got. */
  answer?: CallAnswer | 'hung up'
}

const MOST_CALLS = 9
const MOST_KEYS = 5

/** All callers of a run: what they send, and what they do next after each answer. */
export interface Population {
  keys: Key[]
  begin(count: number): void
  /** One call with the key as its caller left it; resolves once it is on its way. */
  retry(key: Key): Promise<unknown>
}

export function population(world: World): Population {
  const { random, timeline, faults, tally, auditor } = world
  const keys: Key[] = []
  const clients: string[] = []

  function add(payload: Payload, wait: number, like?: Key): void {
    if (keys.length >= MOST_KEYS) return
    const caller = like?.caller ?? random.pick(['ada', 'zapier'])
    const one: Key = { key: `key-${keys.length + 1}-0123456789`, caller, payload, calls: 0 }
    keys.push(one)
    timeline.after(wait, `${one.key.slice(0, 5)} wants ${payload.tag}`, () => act(one, 'preview'))
  }

  const newPayload = () =>
    randomPayload(random, world.scheduling, {
      invoices: [...world.payments.invoices.keys()],
      links: world.payments.linkIds(),
      clients,
    })

  function send(
    one: Key,
    confirm: boolean,
    change: Partial<{ payload: Payload; token: string | undefined; caller: string }> = {},
  ) {
    one.calls += 1
    tally.count('calls')
    const payload = change.payload ?? one.payload
    const token = 'token' in change ? change.token : confirm ? one.token : undefined
    const fields = respelled(payload, random)
    const sent = {
      key: one.key,
      caller: change.caller ?? one.caller,
      payload,
      fields,
      confirm,
      token,
    }
    const { placed, answer } = callWorker(world, sent)
    const counted = answer.then((got) => {
      tally.count(`answered ${got.is === 'refused' ? got.refusal.code : got.is}`)
      return got
    })
    return { placed, answer: counted }
  }

  /** Learns from an answer, and goes on from there. */
  function onAnswer(one: Key, answer: CallAnswer | 'hung up'): void {
    one.answer = answer
    if (answer !== 'hung up') {
      if (answer.is === 'preview') one.token = answer.token
      if (answer.is === 'committed' && typeof answer.result['client_id'] === 'string')
        clients.push(answer.result['client_id'])
    }
    if (faults.cleared || one.calls >= MOST_CALLS) return
    const [wait, next] = random.weighted(whatNext(answer, one.token !== undefined))
    const spread = Math.round(wait * (0.5 + random.int(0, 100) / 100))
    if (next !== 'leave')
      timeline.after(spread, `${one.key.slice(0, 5)}: ${next}`, () => act(one, next))
  }

  async function act(one: Key, what: Act): Promise<void> {
    if (faults.cleared) return
    const going: ReturnType<typeof send>[] = []
    const sending = async (...sent: Parameters<typeof send>): Promise<void> => {
      const call = send(...sent)
      going.push(call)
      await call.placed
    }
    switch (what) {
      case 'preview':
        await sending(one, false)
        break
      case 'commit':
        await sending(one, one.token !== undefined)
        break
      case 'commit and preview':
        await sending(one, false)
        await sending(one, true)
        break
      case 'several at once':
        for (let i = random.int(2, 4); i > 0; i--) await sending(one, random.chance(0.85))
        break
      case 'other payload':
        await sending(one, random.chance(0.6), { payload: newPayload() })
        break
      case 'tampered token':
        await sending(one, true, { token: tampered(one.token ?? '', random.int(4, 60)) })
        break
      case 'no token':
        await sending(one, true, { token: undefined })
        break
      case 'stranger':
        await sending(one, true, { caller: 'stranger' })
        void going[0]!.answer.then((answer) =>
          auditor.strangerAnswered(
            one.key,
            answer.is === 'refused' ? answer.refusal.code : answer.is,
          ),
        )
        break
      case 'new key':
        return add(one.payload, 10, one)
      case 'next change':
        return add(newPayload(), 10, one)
      case 'leave':
        return
    }
    if (faults.strikes('hangsUp')) {
      timeline.after(random.int(0, 3000), `${one.key.slice(0, 5)} hangs up`, () =>
        onAnswer(one, 'hung up'),
      )
      return
    }
    const first = Promise.race(going.map(({ answer }) => answer))
    // What is said to another payload, or to someone else, changes nothing for this one.
    const foreign = what === 'stranger' || what === 'other payload'
    const own = foreign ? first.then(() => one.answer ?? 'hung up') : first
    void own.then((answer) =>
      timeline.after(0, `${one.key.slice(0, 5)} has an answer`, () => onAnswer(one, answer)),
    )
  }

  return {
    keys,
    begin(count) {
      for (let i = 0; i < count; i++) add(newPayload(), random.int(0, 5 * MINUTE))
    },
    retry: (one) => send(one, one.token !== undefined).placed,
  }
}

/** The token with one letter changed. */
function tampered(token: string, at: number): string {
  const place = Math.min(at, token.length - 1)
  const letter = token[place] === 'A' ? 'B' : 'A'
  return token.slice(0, place) + letter + token.slice(place + 1)
}
