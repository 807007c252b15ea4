import { randomBytes } from 'node:crypto'

import { hashApiKey, newApiKey } from '../../../src/core/crypto/api-key.ts'
import type { Scope } from '../../../src/core/domain/scopes.ts'
import type { Connector } from './connector.ts'

/** Who asks: the name under which the connector knows the caller, and the headers that say so. */
export interface Credential {
  caller: string
  headers: Record<string, string>
}

export const ANONYMOUS: Credential = { caller: 'anonymous', headers: {} }

const SCOPES: Scope[] = [
  'bookings:write',
  'bookings:respond',
  'clients:write',
  'intake:write',
  'payments:write',
  'payment_links:end',
]

/** The one API key of a campaign, with scopes that count only by name: the owner makes it at the first connector that is asked. */
export async function apiKey() {
  const owner = newApiKey(randomBytes(32))
  let made: Credential | undefined

  async function make({ url }: Connector): Promise<Credential> {
    const response = await fetch(`${url}/v1/keys`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${owner}` },
      body: JSON.stringify({ name: 'Crash test', scopes: SCOPES }),
    })
    const { id, key } = (await response.json()) as { id: string; key: string }
    if (!response.ok) throw new Error(`The key was not made: ${response.status}`)
    return { caller: `key:${id}`, headers: { Authorization: `Bearer ${key}` } }
  }

  return {
    settings: { OWNER_KEY_SHA256: await hashApiKey(owner) },
    credentialAt: async (connector: Connector) => (made ??= await make(connector)),
  }
}
