import { sha256Base64url } from '../../core/crypto/encoding.ts'
import { plainName } from '../../core/domain/name.ts'
import type { Scope } from '../../core/domain/scopes.ts'
import { SECOND } from '../../core/domain/time/duration.ts'
import { dateIn } from '../../core/domain/time/time.ts'
import type { Access } from '../../core/ports/access.ts'
import {
  OWNER_ID,
  APP_SCOPES,
  type OAuthEnv,
  grantOf,
  oauthServer,
  resourceOf,
} from './oauth-server.ts'
import { type Principal, noteUse } from './principal.ts'

interface Described {
  clientId: string
  clientName?: string
  redirectUris: string[]
}

/**
 * The caller that an app stays when it connects again, so that a repeat under its idempotency key is not done
 * twice. It gives no rights. It is the address of a metadata document; for a registered client, which gets a
 * new id each time, its name and redirect hosts. Another app can register both: `place` numbers, from 1,
 * those the owner called different.
 */
async function stableIdentity(client: Described, place = 1) {
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
export const callerOfApp = (identity: string) => `oauth:${OWNER_ID}:${identity}`

export interface ConnectedApp {
  grantId: string
  clientId: string
  scopes: string[]
  name: string
  host: string
  identity: string
  createdAt: number
}

const MOST_ALIKE = 20

export interface Identity {
  identity: string
  since?: string
}

/**
 * Who an app that asks may be. A registered one that describes itself as connected apps do: one of
 * these, with the day in this zone on which it was connected, or another.
 */
export async function identitiesOf(
  client: Described,
  connected: readonly Pick<ConnectedApp, 'clientId' | 'identity' | 'createdAt'>[],
  zone: string,
): Promise<Identity[]> {
  // The same registration, so the same app: it asks for more, or signs in again.
  const same = connected.find(({ clientId }) => clientId === client.clientId)?.identity
  if (same !== undefined || client.clientId.startsWith('https://'))
    return [{ identity: same ?? (await stableIdentity(client)) }]
  const alike: Identity[] = []
  let free: Identity | undefined
  for (let place = 1; place <= MOST_ALIKE; place++) {
    const identity = await stableIdentity(client, place)
    const times = connected
      .filter((app) => app.identity === identity)
      .map(({ createdAt }) => createdAt)
    if (times.length === 0) free ??= { identity }
    else alike.push({ identity, since: dateIn(Math.min(...times) * SECOND, zone) })
  }
  return [...alike, ...(free ? [free] : [])]
}

/** Kept with a grant, encrypted under its tokens. */
interface GrantProps {
  identity: string
  name: string
  /** Where the app sends people back to. */
  host: string
}

/** The caller of a good access token. The store may lag by a minute; `isFresh` asks the object, too. */
export async function principalOfToken(
  token: string,
  {
    origin,
    env,
    access,
    isFresh,
    zone,
  }: { origin: string; env: OAuthEnv; access: Access; isFresh: boolean; zone: string },
): Promise<Principal | undefined> {
  const grantId = grantOf(token)
  if (grantId === undefined || origin === '') return undefined
  const server = await oauthServer(origin)
  const valid = await server.validateToken<GrantProps>(resourceOf(origin), token, env)
  if (!valid || (isFresh && (await access.grants.hasEnded(grantId)))) return undefined
  await noteUse(grantId, access, zone)
  const scopes: Scope[] = APP_SCOPES.filter((scope) => valid.scope.includes(scope))
  const { identity, name, host } = valid.props
  return {
    caller: callerOfApp(identity),
    label: name,
    app: host,
    scopes,
    granted: scopes,
    expiresAt: null,
  }
}
