import { BoundedMap } from '../../core/domain/bounded-map.ts'
import type { Scope } from '../../core/domain/scopes.ts'
import { utcDay } from '../../core/domain/time/duration.ts'
import type { Access } from '../../core/ports/access.ts'
import { callerOfApp } from './oauth-identity.ts'
import { APP_SCOPES, OWNER_ID, type OAuthEnv, oauthServer, resourceOf } from './oauth-server.ts'
import type { Principal } from './principal.ts'

/** Kept with a grant, encrypted under its tokens. */
interface GrantProps {
  identity: string
  name: string
  /** Where the app sends people back to; missing in grants of a version that did not keep it. */
  host?: string
}

/** The day on which this isolate last recorded the use of each grant, and of each caller of a trial. */
const noted = new BoundedMap<string, string>(200)

/** The caller of a good access token. The store may lag by a minute; `isFresh` asks the object, too. */
export async function principalOfToken(
  token: string,
  {
    origin,
    env,
    access,
    isFresh,
  }: { origin: string; env: OAuthEnv; access: Access; isFresh: boolean },
): Promise<Principal | undefined> {
  const grantId = new RegExp(`^${OWNER_ID}:([A-Za-z0-9_-]+):[A-Za-z0-9_-]+$`).exec(token)?.[1]
  if (grantId === undefined || origin === '') return undefined
  const server = await oauthServer(origin)
  const valid = await server.validateToken<GrantProps>(resourceOf(origin), token, env)
  if (!valid || (isFresh && (await access.grants.hasEnded(grantId)))) return undefined
  await noteUse(grantId, access)
  const scopes: Scope[] = APP_SCOPES.filter((scope) => valid.scope.includes(scope))
  const { identity, name, host } = valid.props
  const app = host !== undefined && { app: host }
  return {
    caller: callerOfApp(identity),
    label: name,
    ...app,
    scopes,
    granted: scopes,
    expiresAt: null,
  }
}

/** Records once a day that an app, by its grant, or a caller of a local trial, by its name, was used. */
export async function noteUse(name: string, access: Access): Promise<void> {
  const today = utcDay(Date.now())
  if (noted.get(name) === today) return
  noted.set(name, today)
  await access.grants.recordUse(name).catch(() => noted.delete(name))
}
