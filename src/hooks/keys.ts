import { type Provider, SCHEDULING_PROVIDERS } from '../domain/providers.ts'
import type { Keyring } from '../ports/index.ts'

/** The key with which a provider that takes ours signs, derived from the signing secret with this id. */
export const webhookKey = (keyring: Keyring, id: string, provider: Provider): Promise<string> =>
  keyring.mac(id, 'provider webhook', provider)

/** The keys that verify what a provider sends: those of all listed signing secrets, so that a rotation loses nothing. */
export const webhookKeys = async (keyring: Keyring, provider: Provider): Promise<string[]> =>
  provider in SCHEDULING_PROVIDERS
    ? Promise.all(keyring.ids.map((id) => webhookKey(keyring, id, provider)))
    : []
