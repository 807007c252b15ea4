import { base64, fromBase64 } from '../domain/audit/signed-note.ts'
import { hmac } from './encoding.ts'

const encoder = new TextEncoder()
const PREFIX = 'whsec_'

/** A new secret, with which a receiver verifies deliveries. */
export const newWebhookSecret = () => PREFIX + base64(crypto.getRandomValues(new Uint8Array(32)))

/** The value of `webhook-signature` (Standard Webhooks 1.0.0): one signature under each secret. */
export async function webhookSignature(
  secrets: readonly string[],
  id: string,
  timestamp: number,
  body: string,
): Promise<string> {
  const signed = encoder.encode(`${id}.${timestamp}.${body}`)
  const signatures = secrets.map(async (secret) => {
    const bytes = fromBase64(secret.slice(PREFIX.length))
    return `v1,${base64(await hmac(bytes, signed))}`
  })
  return (await Promise.all(signatures)).join(' ')
}
