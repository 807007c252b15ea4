import type { Provider, WebhookSender } from '../../core/domain/providers.ts'
import { MINUTE, SECOND } from '../../core/domain/time/duration.ts'
import type { Keyring } from '../../core/ports/keyring.ts'
import type { MadeWebhook, ProviderWebhooks } from '../../core/ports/provider-sync.ts'
import type { Ports, ProviderServices } from '../../core/ports/services.ts'

const PURPOSE = 'provider webhook'
/** A refused delivery has the secrets read again, but not more often than this. */
const REMEMBERED = MINUTE
const READ_AGAIN_AFTER = 5 * SECOND

type Used = Pick<Ports & ProviderServices, 'keyring' | 'providerSync' | 'now'>

/** The key that a provider signs with if it takes ours; it derives from the signing secret with this id. */
export const webhookKey = (keyring: Keyring, id: string, provider: WebhookSender) =>
  keyring.mac(id, PURPOSE, provider)

export const sealedSecret = (keyring: Keyring, provider: Provider, secret: string) =>
  keyring.seal(PURPOSE, provider, secret)

/** The secret of a webhook; undefined if there is none, or none that can be opened. */
export const openedSecret = async (
  keyring: Keyring,
  provider: Provider,
  made: MadeWebhook | undefined,
) => (made?.secret === undefined ? undefined : keyring.open(PURPOSE, provider, made.secret))

interface Memory {
  keys: string[]
  readAt: number
}
const memories = new WeakMap<object, Map<Provider, Memory>>()

/** The keys that verify a provider's deliveries: of every signing secret, or made by the provider. */
export async function webhookKeys(
  provider: WebhookSender,
  { makesSecret }: Pick<ProviderWebhooks, 'makesSecret'>,
  { keyring, providerSync, now }: Used,
  isolate: object,
  how?: 'again',
): Promise<string[]> {
  const opened = await keyring()
  if (!makesSecret || provider === 'mock')
    return Promise.all(opened.ids.map((id) => webhookKey(opened, id, provider)))
  const remembered = memories.get(isolate) ?? new Map<Provider, Memory>()
  memories.set(isolate, remembered)
  const known = remembered.get(provider)
  if (known && now() < known.readAt + (how === 'again' ? READ_AGAIN_AFTER : REMEMBERED))
    return known.keys
  const { made } = await providerSync.providerWebhook(provider)
  const secrets = await Promise.all(made.map((one) => openedSecret(opened, provider, one)))
  const keys = secrets.filter((secret) => secret !== undefined)
  remembered.set(provider, { keys, readAt: now() })
  return keys
}
