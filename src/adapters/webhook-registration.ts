import { isLoopback } from '../domain/origin.ts'
import { Problem, type Refusal } from '../domain/problem.ts'
import type {
  MadeWebhook,
  ProviderWebhooks,
  WantedWebhook,
  WebhookState,
} from '../ports/provider-webhooks.ts'
import type { ProviderResponse } from './provider-http.ts'

/** A webhook as the provider lists it. */
export interface ListedWebhook {
  id: string
  url: string
  state: Exclude<WebhookState, { is: 'missing' | 'not permitted' }>
}

/** The calls to a provider. They raise `NotPermitted` where the credential lacks the right, else a `Problem`. */
interface WebhookCalls {
  list(): Promise<ListedWebhook[]>
  /** `exists`: the provider has one with this address already, and allows no second. */
  create(wanted: WantedWebhook): Promise<MadeWebhook | 'exists'>
  remove(id: string): Promise<void>
}

/** The credential may not see to webhooks; the message says what to change. */
export class NotPermitted extends Error {}

/**
 * What an answer to such a call means: its body, or that there is one already, or none. Raises `NotPermitted` for a 403,
 * and the refusal for everything else.
 */
export function webhookAnswer(
  response: ProviderResponse,
  { lack, refusal }: { lack: (body: unknown) => string; refusal: (response: ProviderResponse) => Refusal },
): { is: 'ok'; body: unknown } | { is: 'exists' | 'none' } {
  const { status } = response
  if (status === 'no answer') throw new Problem(refusal(response))
  if (status >= 200 && status < 300) return { is: 'ok', body: response.body }
  if (status === 403) throw new NotPermitted(lack(response.body))
  if (status === 404) return { is: 'none' }
  if (status === 409) return { is: 'exists' }
  throw new Problem(refusal(response))
}

/** Whether a provider can send to an origin: a public one over https; a provider on this machine to anything here. */
export const reachesFrom =
  (baseUrl: string | undefined) =>
  (origin: string): boolean =>
    isLoopback(origin) ? baseUrl !== undefined && isLoopback(baseUrl) : origin.startsWith('https://')

const withoutQuery = (url: string): string => url.split('?')[0]!

/** Sees to the one webhook of ours at a provider. What belongs to others is never touched. */
export function webhookRegistration({
  list,
  create,
  remove,
}: WebhookCalls): Pick<ProviderWebhooks, 'state' | 'ensure'> {
  const ours = async ({ url, madeIds }: WantedWebhook): Promise<ListedWebhook[]> =>
    (await list()).filter((one) => withoutQuery(one.url) === withoutQuery(url) || madeIds.includes(one.id))
  const exact = (listed: ListedWebhook[], { url, knownId }: WantedWebhook): ListedWebhook[] =>
    listed.filter((one) => one.url === url && (knownId === undefined || one.id === knownId))
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
        // What cannot be deleted now is deleted by the next run.
        for (const old of listed) if (old.id !== stands.id) await remove(old.id).catch(() => {})
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

/** How a webhook stands that sends, or does not, these events. */
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
