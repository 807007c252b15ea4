import type * as z from 'zod'

import { fromHex, hmacKey } from '../../core/crypto/encoding.ts'
import { bookingIdOf } from '../../core/domain/booking.ts'
import { isLoopback } from '../../core/domain/origin.ts'
import { Problem, type Refusal } from '../../core/domain/problem/problem.ts'
import { SECOND } from '../../core/domain/time/duration.ts'
import { jsonIn } from '../../core/json.ts'
import type {
  MadeWebhook,
  Notification,
  ProviderWebhooks,
  WantedWebhook,
  WebhookState,
} from '../../core/ports/provider-sync.ts'
import type { ProviderRequest, ProviderResponse } from './provider-http.ts'
import { lenientList } from './provider-schemas.ts'

/** More than any provider sends; each is verified with each key. */
const MOST_SIGNATURES = 8

const encoder = new TextEncoder()

/** Whether one of these hex signatures is the HMAC-SHA-256 of the bytes under a key; in constant time. */
export async function isSigned(
  bytes: Uint8Array,
  signatures: readonly string[],
  keys: readonly string[],
): Promise<boolean> {
  const given = signatures
    .slice(0, MOST_SIGNATURES)
    .flatMap((signature) => fromHex(signature) ?? [])
  let found = false
  for (const secret of given.length === 0 ? [] : keys) {
    const key = await hmacKey(encoder.encode(secret), 'verify')
    for (const signature of given)
      if (await crypto.subtle.verify('HMAC', key, signature, bytes as Uint8Array<ArrayBuffer>))
        found = true
  }
  return found
}

/** Whether a header `t=<seconds>,v1=<hex>` signs time and body under a key, within `toleranceMs` of `now`. */
export async function isSignedAt(
  header: string | null,
  body: Uint8Array,
  { keys, now, toleranceMs }: { keys: readonly string[]; now: number; toleranceMs: number },
): Promise<boolean> {
  const fields = (header ?? '').split(',').map((field) => field.trim())
  const of = (name: string) =>
    fields.flatMap((field) => (field.startsWith(`${name}=`) ? [field.slice(name.length + 1)] : []))
  const [time, ...others] = of('t')
  if (time === undefined || others.length > 0 || !/^\d{1,12}$/.test(time)) return false
  if (Math.abs(now - Number(time) * SECOND) > toleranceMs) return false
  const front = encoder.encode(`${time}.`)
  const signed = new Uint8Array(front.length + body.length)
  signed.set(front)
  signed.set(body, front.length)
  return isSigned(signed, of('v1'), keys)
}

/** The bookings that the payload of a delivery names by their ids, and nothing else of it. */
export function bookingsNamed(
  body: Uint8Array,
  schema: z.ZodType<{ payload: Record<string, string | undefined> }>,
): Notification {
  const { payload = {} } = schema.safeParse(jsonIn(body)).data ?? {}
  const ids = new Set(Object.values(payload).filter((id) => id !== undefined))
  return { bookings: [...ids].map(bookingIdOf), invoices: [], links: [] }
}

export interface ListedWebhook {
  id: string
  url: string
  state: Exclude<WebhookState, { is: 'missing' | 'not permitted' }>
}

/** The calls to a provider. They raise `NotPermitted` if the credential lacks the right, else a `Problem`. */
interface WebhookCalls {
  list(): Promise<ListedWebhook[]>
  /** `exists`: the provider has one with this address already, and allows no second. */
  create(wanted: WantedWebhook): Promise<MadeWebhook | 'exists'>
  remove(id: string): Promise<void>
}

class NotPermitted extends Error {}

interface WebhookApi {
  send(request: ProviderRequest): Promise<ProviderResponse>
  path: string
  /** What the owner can change after a 403 with this body; undefined if the answer is not the provider's. */
  lack(body: unknown): string | undefined
  refusal(response: ProviderResponse): Refusal
  unknownForm: Refusal
}

/** Calls a provider that lists, makes and deletes webhooks under one path, and parses its answers. */
export function webhookApi({ send, path, lack, refusal, unknownForm }: WebhookApi) {
  async function ask(request: ProviderRequest): Promise<{ body?: unknown } | 'exists'> {
    const response = await send(request)
    const { status } = response
    if (status === 'no answer') throw new Problem(refusal(response))
    if (status >= 200 && status < 300) return { body: response.body }
    const lacking = status === 403 ? lack(response.body) : undefined
    if (lacking !== undefined) throw new NotPermitted(lacking)
    if (status === 404) return {}
    if (status === 409) return 'exists'
    throw new Problem(refusal(response))
  }
  function parsed<T>(answer: { body?: unknown } | 'exists', schema: z.ZodType<T>): T {
    const { data } = schema.safeParse(answer === 'exists' ? undefined : answer.body)
    if (data === undefined) throw new Problem(unknownForm)
    return data
  }
  return {
    list: async <T>(schema: z.ZodType<T>, query: ProviderRequest['query'] = {}): Promise<T> =>
      parsed(await ask({ method: 'GET', path, query }), schema),
    async create(schema: z.ZodType<MadeWebhook>, body: object): Promise<MadeWebhook | 'exists'> {
      const answer = await ask({ method: 'POST', path, body })
      return answer === 'exists' ? answer : parsed(answer, schema)
    },
    async remove(id: string) {
      await ask({ method: 'DELETE', path: `${path}/${encodeURIComponent(id)}` })
    },
  }
}

/** A list of webhooks, without those of other apps that have an unknown form. */
export const webhookList = (schema: z.ZodType<ListedWebhook>) =>
  lenientList(schema).transform(({ read }) => read)

/** Whether a provider can send to an origin: a public https one, or a local one from a local host. */
export const reachesFrom = (baseUrl: string | undefined) => (origin: string) =>
  isLoopback(origin) ? baseUrl !== undefined && isLoopback(baseUrl) : origin.startsWith('https://')

const withoutQuery = (url: string) => url.split('?')[0]!

/** Keeps our one webhook at a provider. What belongs to others is never touched. */
export function webhookRegistration({
  list,
  create,
  remove,
}: WebhookCalls): Pick<ProviderWebhooks, 'state' | 'ensure'> {
  const ours = async ({ url, madeIds }: WantedWebhook): Promise<ListedWebhook[]> =>
    (await list()).filter(
      (one) => withoutQuery(one.url) === withoutQuery(url) || madeIds.includes(one.id),
    )
  // In one order for all runs, so that no run deletes the webhook that another leaves.
  const exact = (listed: ListedWebhook[], { url, knownId }: WantedWebhook): ListedWebhook[] =>
    listed
      .filter((one) => one.url === url && (knownId === undefined || one.id === knownId))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const sound = (listed: ListedWebhook[], wanted: WantedWebhook): ListedWebhook | undefined =>
    exact(listed, wanted).find(({ state }) => state.is === 'active')

  async function made(wanted: WantedWebhook): Promise<MadeWebhook | ListedWebhook> {
    const first = await create(wanted)
    if (first !== 'exists') return first
    // Another run may have made it just now.
    const listed = await ours(wanted)
    const found = sound(listed, wanted)
    if (found) return found
    // The provider allows one of an address: here the old one has to go first.
    for (const old of listed.filter(({ url }) => url === wanted.url)) await remove(old.id)
    const second = await create(wanted)
    if (second === 'exists') throw new Problem({ code: 'provider_busy', effect: 'none' })
    return second
  }

  return {
    state: (wanted) =>
      permitted(async () => {
        const listed = await ours(wanted)
        return (sound(listed, wanted) ?? exact(listed, wanted)[0])?.state ?? { is: 'missing' }
      }),

    ensure: (wanted, keep) =>
      permitted(async () => {
        const listed = await ours(wanted)
        const found = sound(listed, wanted)
        const stands = found ?? (await made(wanted))
        const isListed = 'state' in stands
        // One that was found may be of a run that ended before it was kept.
        if (!wanted.madeIds.includes(stands.id)) await keep(isListed ? { id: stands.id } : stands)
        // The list may leave out an earlier one of ours, made when it was about more bookings.
        const ids = new Set([...listed.map(({ id }) => id), ...(isListed ? [] : wanted.madeIds)])
        ids.delete(stands.id)
        for (const id of ids) await remove(id).catch(() => {})
        return isListed ? stands.state : { is: 'active' }
      }),
  }
}

async function permitted(work: () => Promise<WebhookState>): Promise<WebhookState> {
  try {
    return await work()
  } catch (thrown) {
    if (thrown instanceof NotPermitted) return { is: 'not permitted', detail: thrown.message }
    throw thrown
  }
}

/** The state of a webhook by whether it is on, and sends these events. */
export const stateOf = (
  isOn: boolean,
  events: readonly string[],
  wanted: readonly string[],
  failingSince?: number,
): ListedWebhook['state'] => {
  if (!isOn) return { is: 'disabled' }
  if (!wanted.every((event) => events.includes(event))) return { is: 'incomplete' }
  return { is: 'active', ...(failingSince === undefined ? {} : { failingSince }) }
}
