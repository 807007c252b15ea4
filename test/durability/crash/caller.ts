import { setTimeout as pause } from 'node:timers/promises'

import type { Connector } from './connector.ts'
import type { Credential } from './credential.ts'
import type { Answer, Flow, Reply } from './flow.ts'

/** Answers after which a caller has nothing more to do. */
const ENDS = new Set([
  'reschedule_restored',
  'partially_applied',
  'slot_unavailable',
  'booking_not_active',
  'booking_not_pending',
  'payment_link_not_active',
  'preview_stale',
  'approval_declined',
])
/** Answers after which it asks again, under the same key. */
const AGAIN = new Set([
  'outcome_unknown',
  'commit_in_progress',
  'duplicate_in_doubt',
  'provider_busy',
  'approval_pending',
])
/** Answers that may stay for good: after so many of them, with nothing under way, a caller stops. */
const MAY_STAY = new Set(['outcome_unknown', 'duplicate_in_doubt'])
const ENOUGH = 5

/** After so long without an effect a person decides again. */
const PATIENCE = 10_000

/** What a person has to approve. */
export const APPROVED_OPERATION = 'cancel_booking'

/** What a caller meets while a connector serves. */
export interface Surroundings {
  connector: Connector
  instance: number
  credentialOf(flow: Flow): Credential
  /** A commit leaves. */
  onCommit(flow: Flow): void
  /** A client hung up on purpose. */
  onHangUp(): void
  /** What must never be seen. */
  wrong(flow: Flow, what: string): void
  /** Nothing will be killed: what stays as it is for long is the end. Resolves when nothing is under way. */
  quieted?: { quiet(): Promise<void> }
}

export const isEnd = ({ body }: Reply): boolean =>
  body.status === 'committed' || ENDS.has(body.code ?? '')

/** Drives a flow until it rests or the connector is gone: preview, commit, and the same commit again and again. */
export async function pursue(flow: Flow, around: Surroundings): Promise<void> {
  const { random, manners } = flow
  let stayed = 0
  while (around.connector.alive && !flow.end) {
    // After a decline a new preview would be another change.
    const asksFirst = manners.asksFirst && flow.decided !== 'decline' && random.chance(0.3)
    if (flow.token === undefined || asksFirst) {
      const reply = await ask(flow, false, around)
      if (reply && isEnd(reply)) flow.end = reply
      if (flow.token === undefined || flow.end) {
        await pause(random.int(20, 100))
        continue
      }
    }
    await pause(random.int(0, 250))
    const replies = await commit(flow, around)
    const last = replies.at(-1)
    const end = replies.find(isEnd)
    if (end) flow.end = end
    if (end || !last) continue
    if (last.body.code === 'approval_pending') await personDecides(flow, around)
    if (manners.givesUp && replies.every(({ body }) => body.effect === 'none')) flow.end = last
    if (around.quieted) {
      await around.quieted.quiet()
      stayed = replies.every(({ body }) => MAY_STAY.has(body.code ?? '')) ? stayed + 1 : 0
      if (stayed >= ENOUGH) flow.end = last
    }
    await pause(random.int(100, 400))
  }
}

/**
 * A person decides once the caller has shown them the page, and again at the next connector if that was lost in a kill:
 * as people do, not at each repeat of the caller.
 */
async function personDecides(
  flow: Flow,
  { connector, instance, credentialOf }: Surroundings,
): Promise<void> {
  await pause(flow.random.int(0, 300))
  const isLately = flow.decidedAt?.instance === instance && Date.now() < flow.decidedAt.until
  if (!connector.alive || isLately) return
  flow.decidedAt = { instance, until: Date.now() + PATIENCE }
  flow.decided = flow.manners.person
  const { caller } = credentialOf(flow)
  connector.decide({ key: flow.key, caller, decision: flow.decided })
}

/** One commit, or several at once; gives the replies. */
async function commit(flow: Flow, around: Surroundings): Promise<Reply[]> {
  const together = Array.from({ length: flow.manners.together }, () => {
    if (!around.connector.alive) return Promise.resolve(undefined)
    flow.commits += 1
    around.onCommit(flow)
    return ask(flow, true, around)
  })
  return (await Promise.all(together)).filter((one) => one !== undefined)
}

/** Asks once, and notes the answer. Undefined where none came: killed, or hung up. */
export async function ask(
  flow: Flow,
  confirm: boolean,
  { connector, instance, credentialOf, onHangUp, wrong }: Surroundings,
): Promise<Reply | undefined> {
  const hangUp = new AbortController()
  const isHangUp = confirm && flow.manners.hangsUp && flow.random.chance(0.3)
  const timer = isHangUp ? setTimeout(() => hangUp.abort(), flow.random.int(1, 200)) : undefined
  try {
    const token = confirm ? { confirmation_token: flow.token } : {}
    const response = await fetch(new URL(flow.path, connector.url), {
      method: 'POST',
      headers: {
        ...credentialOf(flow).headers,
        'Content-Type': 'application/json',
        'Idempotency-Key': flow.key,
      },
      body: JSON.stringify({ ...flow.fields, confirm, ...token }),
      signal: hangUp.signal,
    })
    const body = (await response.json()) as Answer
    const replayed = response.headers.get('Idempotent-Replayed') === 'true'
    const reply: Reply = { confirm, body, replayed, instance }
    flow.replies.push(reply)
    note(flow, reply, wrong)
    return reply
  } catch (thrown) {
    if (hangUp.signal.aborted) onHangUp()
    else if (connector.alive) wrong(flow, `the connection broke: ${String(thrown)}`)
    return undefined
  } finally {
    clearTimeout(timer)
  }
}

/** Keeps the token of the first preview; a caller that kept to the rules hears no other and nothing unforeseen. */
function note(flow: Flow, reply: Reply, wrong: Surroundings['wrong']): void {
  const { status, code, confirmation_token: token } = reply.body
  if (status === 'preview' && token !== undefined) {
    if (flow.token === undefined) {
      flow.token = token
      flow.id = /^ct_(.{22})\./.exec(token)?.[1] ?? ''
    } else if (flow.token !== token && !flow.replies.some(isEnd))
      wrong(flow, 'its preview was lost')
    return
  }
  if (!isEnd(reply) && !AGAIN.has(code ?? ''))
    wrong(flow, `an answer that is not foreseen: ${code ?? status}`)
}
