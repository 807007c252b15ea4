import type { Provider } from '../domain/providers.ts'
import type { Env } from '../env.ts'
import { PROVIDERS, type WebhookOutcome, ensureWebhook } from '../hooks/registering.ts'
import { settingsFrom } from '../settings.ts'
import { WorkerServices, sendAlert } from '../wiring.ts'

/**
 * Checks the webhooks at the providers that are in use: makes those that are missing, and alerts the owner, once, to one
 * that cannot be kept working. What a provider refuses is an outcome; rejects only for a fault of our own.
 */
export async function ensureProviderHooks(
  env: Env,
  origin = settingsFrom(env).PUBLIC_URL ?? '',
): Promise<Partial<Record<Provider, WebhookOutcome>>> {
  const services = new WorkerServices(env, () => origin)
  const alert = async (event: Parameters<typeof sendAlert>[1]) => {
    console.error(JSON.stringify(event))
    return sendAlert(env, event).catch(() => false)
  }
  const found: Partial<Record<Provider, WebhookOutcome>> = {}
  for (const provider of PROVIDERS)
    if (services.webhooksOf(provider))
      found[provider] = await ensureWebhook(provider, origin, services, alert)
  return found
}
