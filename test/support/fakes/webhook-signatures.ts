import { hex } from '../../../src/core/crypto/encoding.ts'
import type { Provider } from '../../../src/core/domain/providers.ts'
import { SECOND } from '../../../src/core/domain/time/duration.ts'

/** A provider that signs webhooks: tests compare these with the registry. */
export type SigningProvider = Extract<Provider, 'calendly' | 'calcom' | 'stripe'>

/** Makes the header with which a provider signs a body, under each of these keys. */
type Sign = (body: string, keys: readonly string[], at: number) => Promise<Record<string, string>>

const encoder = new TextEncoder()

async function hmac(secret: string, text: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, [
    'sign',
  ])
  return hex(await crypto.subtle.sign('HMAC', key, encoder.encode(text)))
}

const timed =
  (header: string): Sign =>
  async (body, keys, at) => {
    const time = Math.floor(at / SECOND)
    const signatures = await Promise.all(
      keys.map(async (key) => `v1=${await hmac(key, `${time}.${body}`)}`),
    )
    return { [header]: [`t=${time}`, ...signatures].join(',') }
  }

/** How each provider signs. Cal.com has one key and no time, and says so where it has none. */
export const SIGNED: Record<SigningProvider, Sign> = {
  calendly: timed('Calendly-Webhook-Signature'),
  calcom: async (body, [key]) => ({
    'X-Cal-Signature-256': key === undefined ? 'no-secret-provided' : await hmac(key, body),
  }),
  stripe: timed('Stripe-Signature'),
}
