import type { Context } from 'hono'
import { connectedApps } from '../access/connected-apps.ts'
import { type ConnectedApp, callerOfApp } from '../access/oauth-identity.ts'
import { OWNER, callerOfKey } from '../access/principal.ts'
import { callerOfApprover, isOwners } from '../access/passkey.ts'
import { SECOND } from '../domain/duration.ts'
import type { AppEnv } from '../http/app-env.ts'
import type { ApiKey, Passkey } from '../ports/access.ts'
import { part } from './load.ts'
import type { CallerItems, OwnerItem } from './items.ts'

/** Asks who may use the connector, and who approves. */
export async function callerItems(c: Context<AppEnv>): Promise<CallerItems> {
  const [apps, keys, approvers] = await Promise.all([
    part(() => appItems(c)),
    part(() => keyItems(c)),
    part(async () =>
      Promise.all(
        approversAmong(await c.var.services.access.passkeys()).map(async (one) => ({
          ...approverItem(one),
          caller: await callerOfApprover(one.id),
        })),
      ),
    ),
  ])
  return { apps, keys, approvers }
}

async function appItems(c: Context<AppEnv>): Promise<OwnerItem[]> {
  const [apps, days] = await Promise.all([connectedApps(c), c.var.services.access.appUses()])
  return apps.map((app) => appItem(app, days[app.grantId]))
}

async function keyItems(c: Context<AppEnv>): Promise<OwnerItem[]> {
  const { access, hasOwnerKey } = c.var.services
  const now = Date.now()
  const keys = (await access.listKeys()).map((key) => keyItem(key, now))
  const withoutKey = c.var.site().allowAnonymous ? [anonymousItem] : []
  return [...withoutKey, ...(hasOwnerKey ? [ownerKeyItem] : []), ...keys]
}

const appItem = (app: ConnectedApp, lastUsedOn: string | undefined): OwnerItem => ({
  id: app.grantId,
  name: app.name,
  host: app.host,
  since: app.createdAt * SECOND,
  lastUsedOn: lastUsedOn ?? null,
  scopes: app.scopes,
  ended: false,
  ...(app.identity !== undefined && { caller: callerOfApp(app.identity) }),
})

function keyItem(key: ApiKey, now: number): OwnerItem {
  const { id, name, created_at, expires_at, revoked_at } = key
  const ended = revoked_at !== null || (expires_at !== null && expires_at <= now)
  const end =
    revoked_at !== null
      ? ({ word: 'revoked', at: revoked_at } as const)
      : expires_at === null
        ? undefined
        : ({ word: ended ? 'ended' : 'ends', at: expires_at } as const)
  return {
    id,
    name,
    since: created_at,
    lastUsedOn: key.last_used_on,
    ...(end && { end }),
    scopes: ended ? [] : key.scopes,
    ended,
    caller: callerOfKey(id),
  }
}

export const passkeyItem = (
  { id, createdAt, lastUsedOn }: Passkey,
  index: number,
  all: Passkey[],
): OwnerItem => ({
  id,
  name: `Passkey ${index + 1}`,
  since: createdAt,
  lastUsedOn,
  scopes: [],
  ended: false,
  ...(all.length === 1 && {
    stays: 'Add another one before you remove it: without a passkey nobody could sign in.',
  }),
})

/** The passkeys of those who approve beside the owner. */
export const approversAmong = (passkeys: readonly Passkey[]): Passkey[] =>
  passkeys.filter((one) => !isOwners(one))

export const approverItem = ({ id, name, createdAt, lastUsedOn }: Passkey): OwnerItem => ({
  id,
  name: name ?? 'Somebody',
  since: createdAt,
  lastUsedOn,
  scopes: [],
  ended: false,
})

/** The key that the deploy command printed: it is a setting, and its use is not recorded. */
const ownerKeyItem: OwnerItem = {
  id: OWNER.caller,
  name: 'Your first key',
  since: null,
  lastUsedOn: undefined,
  scopes: OWNER.scopes,
  ended: false,
  stays: 'It ends when the setting OWNER_KEY_SHA256 is removed.',
  caller: OWNER.caller,
}

/** Whoever calls on this machine during a local trial. */
const anonymousItem: OwnerItem = {
  id: 'anonymous',
  name: 'Anybody on this machine',
  since: null,
  lastUsedOn: undefined,
  scopes: OWNER.scopes,
  ended: false,
  stays: 'It ends when the setting ALLOW_ANONYMOUS is removed.',
  caller: 'anonymous',
}
