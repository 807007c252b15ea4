import { Problem } from '../../core/domain/problem/problem.ts'
import { PROBLEMS } from '../../core/domain/problem/problems.ts'
import {
  PAYMENT_PROVIDERS,
  type Provider,
  SCHEDULING_PROVIDERS,
  type WebhookSender,
  namesOf,
} from '../../core/domain/providers.ts'
import type { KeptWebhook, WantedWebhook, WebhookState } from '../../core/ports/provider-sync.ts'
import type { Ports, ProviderServices } from '../../core/ports/services.ts'
import { settingsFrom } from '../../core/settings.ts'
import type { Env } from '../env.ts'
import { raiseAlert } from '../wiring/objects.ts'
import { WorkerServices } from '../wiring/services.ts'
import { openedSecret, sealedSecret, webhookKey } from './keys.ts'

export const PROVIDERS: readonly Provider[] = [
  ...namesOf(SCHEDULING_PROVIDERS),
  ...namesOf(PAYMENT_PROVIDERS),
]

/** Where a provider sends its webhooks. */
export const notificationPath = (provider: WebhookSender) => `/hooks/${provider}`

/** What its deliveries are called in the log. */
export const notificationOperation = (provider: WebhookSender) => `notification_${provider}`

type Used = Pick<Ports & ProviderServices, 'webhooksOf' | 'keyring' | 'providerSync'>

/** How the webhook of a provider stands, or why that is not known. */
type WebhookOutcome =
  | WebhookState
  | { is: 'not reachable' }
  | { is: 'refused' | 'busy'; detail: string }

/** The secret's id is in the address, so that a webhook under a new key is made first. */
async function wantedAt(
  provider: Provider,
  origin: string,
  makesSecret: boolean,
  { made }: KeptWebhook,
  { keyring }: Used,
): Promise<WantedWebhook> {
  const opened = await keyring()
  const url = `${origin}${notificationPath(provider)}`
  const madeIds = made.map(({ id }) => id)
  if (!makesSecret) {
    const key = await webhookKey(opened, opened.current, provider)
    return { url: `${url}?key=${opened.current}`, key, madeIds }
  }
  const [newest] = made
  const isKnown = (await openedSecret(opened, provider, newest)) !== undefined
  return { url, knownId: isKnown ? newest!.id : '', madeIds }
}

/** Reads how the webhook of a provider stands. Raises a `Problem` if the provider cannot be asked. */
export async function webhookState(
  provider: Provider,
  origin: string,
  used: Used,
): Promise<WebhookState | { is: 'mock' | 'not reachable' }> {
  const webhooks = used.webhooksOf(provider)
  if (!webhooks) return { is: 'mock' }
  if (!webhooks.reaches(origin)) return { is: 'not reachable' }
  const kept = await used.providerSync.providerWebhook(provider)
  return webhooks.state(await wantedAt(provider, origin, webhooks.makesSecret, kept, used))
}

/**
 * Makes what is missing of a webhook; undefined where the provider has none. Alerts the owner, once, to
 * one that worked and cannot be kept working.
 */
async function ensureWebhook(
  provider: Provider,
  env: Env,
  origin: string,
  used: Used,
): Promise<WebhookOutcome | undefined> {
  const webhooks = used.webhooksOf(provider)
  if (!webhooks) return undefined
  if (!webhooks.reaches(origin)) return { is: 'not reachable' }
  const { providerSync } = used
  const kept = await providerSync.providerWebhook(provider)
  const keyring = await used.keyring()
  await sealAnew(provider, kept, used)
  const state = await asked(async () =>
    webhooks.ensure(
      await wantedAt(provider, origin, webhooks.makesSecret, kept, used),
      async ({ id, secret }) => {
        const sealed = secret !== undefined && {
          secret: await sealedSecret(keyring, provider, secret),
        }
        await providerSync.keepWebhook(provider, { id, ...sealed })
      },
    ),
  )
  // The checks of the providers notice a credential that is refused altogether.
  if (state.is === 'busy' || state.is === 'refused') return state
  const isActive = state.is === 'active'
  // What it is not told of has to be looked for.
  const works = isActive && !state.isPartial
  if (works === kept.works) return state
  const reason = 'detail' in state ? state.detail : `The webhook is ${state.is}.`
  if (isActive || (await raiseAlert(env, { event: 'provider_webhook_broken', provider, reason })))
    await providerSync.keepWebhookWorks(provider, works)
  return state
}

/** Seals the secret under today's signing secret, before an earlier one is taken out of the list. */
async function sealAnew(
  provider: Provider,
  { made: [newest] }: KeptWebhook,
  { keyring, providerSync }: Used,
) {
  const opened = await keyring()
  if (newest?.secret?.startsWith(`${opened.current}.`) !== false) return
  const secret = await openedSecret(opened, provider, newest)
  if (secret === undefined) return
  await providerSync.keepWebhook(provider, {
    id: newest.id,
    secret: await sealedSecret(opened, provider, secret),
  })
}

async function asked(ask: () => Promise<WebhookState>): Promise<WebhookOutcome> {
  try {
    return await ask()
  } catch (thrown) {
    if (!(thrown instanceof Problem)) throw thrown
    const { code, detail } = thrown.refusal
    return {
      is: code === 'provider_busy' ? 'busy' : 'refused',
      detail: detail ?? PROBLEMS[code].detail,
    }
  }
}

/** Makes missing webhooks, and alerts the owner to broken ones. Rejects only for our own faults. */
export async function ensureProviderWebhooks(
  env: Env,
  origin = settingsFrom(env).PUBLIC_URL ?? '',
): Promise<Partial<Record<Provider, WebhookOutcome>>> {
  const services = new WorkerServices(env, () => origin)
  const found: Partial<Record<Provider, WebhookOutcome>> = {}
  for (const provider of PROVIDERS) {
    const outcome = await ensureWebhook(provider, env, origin, services)
    if (outcome) found[provider] = outcome
  }
  return found
}
