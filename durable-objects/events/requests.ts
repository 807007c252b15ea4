import { webhookSignature } from '../../src/core/crypto/webhook-signature.ts'
import {
  type DeliveryAnswer,
  resultOfStatus,
  retryAfterMs,
} from '../../src/core/domain/events/webhook-schedule.ts'
import { refusedUrl } from '../../src/core/domain/events/webhook-url.ts'
import { SECOND } from '../../src/core/domain/time/duration.ts'
import type { Keyring } from '../../src/core/ports/keyring.ts'
import type { WebhookPlatform } from './platform.ts'
import { type SubscriptionRow, olderSecrets } from './subscriptions.ts'

/** How long an answer is waited for. */
export const DEADLINE = 15 * SECOND

/** By what the secrets of subscriptions are sealed. */
export const SEAL = 'webhook'

/**
 * Sends to the endpoint of one subscription. Which one is served, and what an answer means for it,
 * is decided elsewhere.
 */
export function webhookRequests(given: WebhookPlatform) {
  /** The public address of this service, for the addresses in an event. */
  function originOf({ origin }: SubscriptionRow) {
    return given.publicUrl() ?? origin
  }

  /**
   * Sends one event, and says what became of it; undefined where it was not `wanted` any more once
   * it was signed, and was not sent. Nothing of the answer is read but its status and Retry-After.
   */
  async function send(
    row: SubscriptionRow,
    event: { id: string },
    keyring: Keyring,
    wanted: () => boolean,
  ): Promise<DeliveryAnswer | undefined> {
    const began = given.now()
    const failed = (result: DeliveryAnswer['result']) => ({ result, ms: given.now() - began })
    try {
      const secrets = await secretsOf(row, keyring, began)
      if (secrets.length === 0) return failed('secret_lost')
      if (refusedUrl(row.url, originOf(row)) !== undefined) return failed('connection')
      const { id } = event
      const body = JSON.stringify(event)
      const timestamp = Math.floor(began / SECOND)
      const headers = {
        'Content-Type': 'application/json',
        'User-Agent': 'consult-connector',
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': await webhookSignature(secrets, id, timestamp, body),
      }
      if (!wanted()) return undefined
      const { status, headers: answered } = await given.post(
        { url: row.url, headers, body },
        DEADLINE,
      )
      const asked = retryAfterMs(answered.get('Retry-After'), given.now())
      return {
        ...failed(resultOfStatus(status)),
        status,
        ...(asked !== undefined && { retryAfterMs: asked }),
      }
    } catch (error) {
      return failed(
        (error as Partial<Error> | null)?.name === 'TimeoutError' ? 'timeout' : 'connection',
      )
    }
  }

  return { originOf, send }
}

export type WebhookRequests = ReturnType<typeof webhookRequests>

/** The secrets that sign now; none where one cannot be opened any more. */
async function secretsOf(row: SubscriptionRow, keyring: Keyring, now: number): Promise<string[]> {
  const older = olderSecrets(row).filter(({ until }) => until > now)
  const opened = [row, ...older].map(({ sealed }) => keyring.open(SEAL, row.id, sealed))
  const [secret, ...others] = await Promise.all(opened)
  return secret === undefined ? [] : [secret, ...others.filter((one) => one !== undefined)]
}
