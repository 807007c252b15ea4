import { OWNER_ID } from './oauth-server.ts'
import { sha256Base64url } from '../crypto/encoding.ts'
import { SECOND, utcDay } from '../domain/time/duration.ts'
import { plainName, shownName } from '../domain/name.ts'

interface Described {
  clientId: string
  clientName?: string
  redirectUris: string[]
}

/**
 * What stays the same when an app connects again: idempotency keys belong to it, so that what an app repeats after it
 * has connected anew is not done twice. It gives no rights; these are the scopes of each grant.
 *
 * A client with a metadata document is its address. A registered one gets a new id each time, so it is its name together
 * with the hosts it may send people back to (without ports). Anybody can register both again, and only the owner knows
 * whether that is the same app: `place` numbers those that the owner said are different, from 1.
 */
export async function stableIdentity(client: Described, place = 1): Promise<string> {
  if (client.clientId.startsWith('https://')) return client.clientId
  const hosts = client.redirectUris.map((uri) => {
    const { protocol, hostname } = new URL(uri)
    return `${protocol}//${hostname}`
  })
  const name = plainName(client.clientName ?? '').toLowerCase()
  const whole = [name, [...new Set(hosts)].toSorted(), ...(place > 1 ? [place] : [])]
  return `app_${(await sha256Base64url(JSON.stringify(whole))).slice(0, 22)}`
}

/** The caller that an app is; idempotency keys and rules belong to it. */
export const callerOfApp = (identity: string): string => `oauth:${OWNER_ID}:${identity}`

export interface ConnectedApp {
  grantId: string
  clientId: string
  scopes: string[]
  name: string
  host: string
  /** Missing in grants of a version that did not keep it. */
  identity?: string
  /** Epoch seconds. */
  createdAt: number
}

/** More apps of one name than this are not distinguished. */
const MOST_ALIKE = 20

export interface Identity {
  identity: string
  since?: string
}

/** Who an app that asks may be. A registered one that describes itself as connected apps do: one of these, or another. */
export async function identitiesOf(
  client: Described,
  connected: readonly Pick<ConnectedApp, 'clientId' | 'name' | 'host' | 'identity' | 'createdAt'>[],
): Promise<Identity[]> {
  const first = await stableIdentity(client)
  const hosts = new Set(client.redirectUris.map((uri) => new URL(uri).hostname))
  const name = shownName(client.clientName ?? '')
  const known = connected.map((app) => ({
    ...app,
    identity: app.identity ?? (app.name === name && hosts.has(app.host) ? first : undefined),
  }))
  // The same registration, so the same app: it asks for more, or signs in again.
  const same = known.find(({ clientId }) => clientId === client.clientId)?.identity
  if (same !== undefined || client.clientId.startsWith('https://')) return [{ identity: same ?? first }]
  const alike: Identity[] = []
  let free: Identity | undefined
  for (let place = 1; place <= MOST_ALIKE; place++) {
    const identity = await stableIdentity(client, place)
    const times = known.filter((app) => app.identity === identity).map(({ createdAt }) => createdAt)
    if (times.length === 0) free ??= { identity }
    else alike.push({ identity, since: utcDay(Math.min(...times) * SECOND) })
  }
  return [...alike, ...(free ? [free] : [])]
}
